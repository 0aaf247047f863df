/* SPDX-License-Identifier: MIT */
/* Options as rows of tables: parsing, --help and the manual pages all read the same rows. */
#ifndef RUNNER_OPTION_H
#define RUNNER_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* a const char * */
    OPTION_PATH,   /* a const char * that must not be empty */
    OPTION_LIST,   /* adds to a text_list: the option may be given several times */
    OPTION_NUMBER, /* a uint64_t */
    OPTION_SIZE,   /* a uint64_t, given with or without a unit */
    OPTION_WORD,   /* a uint32_t: the index of one of several words; or the name of a file */
    OPTION_ROWS    /* no option: `rows` belong here, whose struct is the field */
} option_kind;

#define MAX_TEXTS 8u

typedef struct text_list {
    const char *texts[MAX_TEXTS];
    uint32_t count;
} text_list;

typedef struct option_row {
    const char *name;     /* NULL: the end of the rows */
    const char *argument; /* NULL: it has none */
    option_kind kind;
    size_t field;       /* offset in the struct that the table sets */
    const char *help;   /* a phrase for --help */
    const char *joint;  /* a phrase for neighbouring rows that have it too, which --help joins */
    const char *manual; /* sentences for the manual page; NULL: the phrase is enough */
    size_t file;        /* of OPTION_WORD: distance from the field to a const char * for the name of
                         * a file, which ends in .glsl or .spv or has a slash; 0: none */
    uint64_t min;       /* of a number; for OPTION_WORD the first word */
    uint64_t max;       /* of a number; for OPTION_WORD the number of words */
    const char *(*word)(uint32_t index); /* NULL: the words are the command's algorithms */
    const struct option_row *rows;
    bool functions; /* of OPTION_PATH: a file with functions, which ends in .glsl or .spv */
} option_row;

/* Whether the option may be the name of a file with functions. */
static inline bool option_takes_functions(const option_row *row)
{
    return row->functions || row->file != 0;
}

/* A row: name, argument, kind, field and help in this order, then other members by their names. */
#define ROW(...)                                                                                   \
    {                                                                                              \
        .name = __VA_ARGS__                                                                        \
    }

/* A row that is replaced by the rows of a table, which set the struct at the offset. */
#define ROWS_OF(table, offset) ROW("", NULL, OPTION_ROWS, offset, .rows = (table))

#endif
