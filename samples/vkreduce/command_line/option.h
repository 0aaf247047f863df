/* SPDX-License-Identifier: MIT */
/* Options as rows of tables: parsing, --help and the manual pages all read the same rows. */
#ifndef RUNNER_OPTION_H
#define RUNNER_OPTION_H

#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* a const char * */
    OPTION_PATH,   /* a const char * that must not be empty */
    OPTION_NUMBER, /* a uint64_t */
    OPTION_SIZE,   /* a uint64_t, given with or without a unit */
    OPTION_WORD    /* a uint32_t: the index of one of several words */
} option_kind;

typedef struct option_row {
    const char *name; /* NULL: the end of the rows */
    const char *argument;
    const char *help;   /* a phrase for --help */
    const char *manual; /* sentences for the manual page; NULL: the phrase is enough */
    option_kind kind;
    size_t field; /* offset in the struct that the rows of its group set */
    uint64_t min; /* of a number; for OPTION_WORD the first word */
    uint64_t max; /* of a number; for OPTION_WORD the number of words */
    const char *(*word)(uint32_t index);
} option_row;

/* Rows that several commands may share. */
typedef struct option_group {
    const option_row *rows; /* NULL: no group */
    size_t base;            /* offset of their struct in the command's options */
} option_group;

#endif
