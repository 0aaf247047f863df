/* SPDX-License-Identifier: MIT */
/* --help. */
#include <stdio.h>
#include <string.h>
#include "command_line/command.h"

#define LABEL 11 /* columns before the text of a topic */
#define COLUMNS 99
#define WIDTH 32 /* columns before the text of an option */

/* Prints lines, each but the first one indented. */
static void print_lines(const char *text)
{
    for (; *text != '\0'; text++) {
        putchar(*text);
        if (*text == '\n')
            printf("%*s", LABEL, "");
    }
    putchar('\n');
}

static void print_words(const topic *t)
{
    int column = printf("%-*s", LABEL - 1, t->name);
    for (uint32_t i = t->first; i < t->end; i++) {
        if (column + 1 + (int)strlen(t->word(i)) > COLUMNS)
            column = printf("\n%*s", LABEL - 1, "") - 1;
        column += printf(" %s", t->word(i));
    }
    putchar('\n');
}

static void print_topic(const topic *t)
{
    const char *label = t->name;
    if (t->help == NULL && t->word == NULL)
        return;
    if (t->word != NULL && !t->explained) {
        print_words(t);
        label = "";
    }
    if (t->help != NULL) {
        printf("%-*s", LABEL, label);
        print_lines(t->help);
    }
}

/* Returns the number of characters. `dashes` precede the name, and may start with a short name, as
 * in "-h, --". */
static int print_name(const char *dashes, const char *name, const char *argument)
{
    return printf("%s%s%s%s", dashes, name, argument != NULL ? " " : "",
                  argument != NULL ? argument : "");
}

static void print_phrase(int printed, const char *help)
{
    printf("%*s %s\n", printed < WIDTH ? WIDTH - printed : 0, "", help);
}

static void print_option(const char *dashes, const char *name, const char *argument,
                         const char *help)
{
    const int printed = printf("  ");
    print_phrase(printed + print_name(dashes, name, argument), help);
}

/* Rows with the same joint phrase share a line. */
static void print_options(const command *c)
{
    option_row row;
    option_walk w = option_start(c);
    for (bool more = option_next(&w); more;) {
        uint32_t joined = 1;
        int printed = printf("  ");
        row = w.row;
        printed +=
            print_name(strcmp(row.name, "output") == 0 ? "-o, --" : "--", row.name, row.argument);
        for (more = option_next(&w); more && row.joint != NULL && w.row.joint != NULL &&
                                     strcmp(row.joint, w.row.joint) == 0;
             more = option_next(&w), joined++)
            printed += print_name(", --", w.row.name, w.row.argument);
        print_phrase(printed, joined > 1 ? row.joint : row.help);
    }
}

void print_help(const command *c)
{
    printf("usage: vkreduce %s%s%s [OPTION...]\n%s\n\n", c->name, c->operands[0] != '\0' ? " " : "",
           c->operands, c->summary);
    for (uint32_t i = 0; i < MAX_TOPICS && c->topics[i] != NULL; i++)
        print_topic(c->topics[i]);
    puts("\noptions:");
    print_options(c);
    print_option("-h, --", "help", NULL, "print this");
    printf("\nexample: %s\n", c->examples[0]);
}

void print_commands(const command_list *list)
{
    puts("usage: vkreduce COMMAND [OPERAND...] [OPTION...]\n\ncommands:");
    for (size_t i = 0; i < list->count; i++)
        printf("  %-10s %s\n", list->commands[i]->name, list->commands[i]->summary);
    puts("\nvkreduce COMMAND --help prints the operands and the options of a command, and an "
         "example.\n");
    printf("%-*s", LABEL, input_topic.name);
    print_lines(input_lines);
    puts("\noptions:");
    print_option("-h, --", "help", NULL, "print this");
    print_option("--", "algorithm help", NULL, "list the algorithms of all commands");
    print_option("--", "version", NULL, "print the version");
    print_option("--", "completion " SHELLS, NULL, "print a script that completes command lines");
    print_option("--", "", NULL, "nothing that follows is an option");
    puts(
        "\nmpirun -n P vkreduce .. shares the data of reduce, scan, compact and histogram among P\n"
        "processes, with the results and files of one; float sums need --determinism device for "
        "that.");
    puts("\nexit status: 0 done; 1 a Vulkan failure, or an output that cannot be written; 2 bad "
         "usage or\ninput; 3 --verify found a difference; 130 ended by SIGINT, SIGTERM or SIGHUP");
}
