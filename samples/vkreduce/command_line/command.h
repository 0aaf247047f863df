/* SPDX-License-Identifier: MIT */
/* A command, as main.c, --help and the manual pages need it. */
#ifndef RUNNER_COMMAND_H
#define RUNNER_COMMAND_H

#include <stdbool.h>
#include "command_line/option.h"

#define MAX_DEPTH 3u /* of tables in tables of options */
#define MAX_TOPICS 6u
#define MAX_EXAMPLES 4u
#define MAX_REFUSED 2u

/* The words of the command line that are not options. */
typedef struct operands {
    char **words;
    uint32_t count;
} operands;

/* A placeholder in the usage of commands, such as INPUT, and the words that may replace it. */
typedef struct topic {
    const char *name;
    /* The words that may replace it, `first` to `end` - 1; NULL: only the text describes them. */
    const char *(*word)(uint32_t index);
    uint32_t first, end;
    bool explained;     /* the texts name each word, so that --help and manual pages list none */
    bool list;          /* several words may stand there, with commas between them */
    const char *help;   /* lines of --help; NULL: none */
    const char *manual; /* paragraphs of the manual page; NULL: the lines of --help */
} topic;

/* The words of --algorithm. */
typedef struct algorithm_list {
    const char *(*word)(uint32_t index); /* NULL: the command has no --algorithm */
    const char *const *meanings;
    uint32_t count;
    int width; /* columns for the words */
} algorithm_list;

/* An option of shared rows that a command does not take, and a clause that says why. */
typedef struct refused_option {
    const char *name, *why;
} refused_option;

typedef struct command {
    const char *name;
    const char *operands;    /* as the usage shows them */
    const char *summary;     /* a phrase */
    const char *description; /* paragraphs of the manual page */
    const char *examples[MAX_EXAMPLES];
    const topic *topics[MAX_TOPICS];
    const topic *choice; /* the first operand is one of its words; NULL: it is a number or a file */
    uint32_t min_operands;
    uint32_t max_operands;
    const char *file_option; /* names a file of functions in place of the first operand, and leaves
                              * INPUT alone; NULL: there is no such option */
    size_t file_field;       /* its const char *, in the options */
    size_t options_size;
    const option_row *options;
    refused_option refused[MAX_REFUSED]; /* not in --help, manual pages and completions */
    algorithm_list algorithms;
    int (*run)(const operands *given, const void *options);
    bool alone; /* of several ranks (ranks.h) only one runs it; other commands decide themselves */
    /* Replaces `run`: a program that parses its own command line and prints its own --help. */
    int (*program)(int argc, char **argv);
} command;

typedef struct command_list {
    const command *const *commands;
    size_t count;
} command_list;

/* ---- topics.c ---- */

/* INPUT, summarized in two lines, and its full description, which `vkreduce --help` prints. */
extern const topic input_topic;
extern const char input_lines[];

/* T, the types of elements. */
extern const topic type_topic;
const char *type_word(uint32_t index);

/* ---- walk.c ---- */

/* All options of a command, in their order. */
typedef struct option_walk {
    const command *command;
    option_row row; /* the current one; its field is an offset in the command's options */
    const option_row *next[MAX_DEPTH];
    size_t base[MAX_DEPTH];
    uint32_t depth;
} option_walk;

/* The second moves to the next option that the command takes; returns false at the end. */
option_walk option_start(const command *c);
bool option_next(option_walk *w);

/* Why the command refuses an option; NULL if it does not. */
const char *option_refusal(const command *c, const char *name, size_t length);

/* ---- parse.c ---- */

/* Sets the options, which the caller has zeroed, and moves the operands to the front of argv. */
int parse_options(const command *c, char **argv, int argc, operands *given, void *options);

/* ---- compare.c ---- */

/* Checks that all ranks (ranks.h) have the command line of rank 0, apart from options that choose a
 * rank's own device: ranks with different commands would wait for each other for ever, or compute
 * parts of different results. */
int compare_ranks(int argc, char **argv);

/* ---- help.c ---- */

/* Print the text of --help: the first without a command, the second for one. */
void print_commands(const command_list *list);
void print_help(const command *c);

/* ---- manual.c ---- */

/* Print manual pages: the first that of the program, the second that of a command. */
void print_manual(const command_list *list);
void print_command_manual(const command *c);

/* ---- completion.c ---- */

/* The shells, as --help shows them. */
#define SHELLS "bash|fish|zsh"

/* Prints a script with which a shell completes commands, their first operands, and options. Returns
 * false for another shell. */
bool print_completion(const command_list *list, const char *shell);

/* ---- completion_fish.c ---- */

void print_fish(const command_list *list);

#endif
