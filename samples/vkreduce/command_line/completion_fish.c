/* SPDX-License-Identifier: MIT */
/* Completion by fish, of the same words as by other shells (completion.c). */
#include <stdio.h>
#include <string.h>
#include "command_line/command.h"

/* In conditions: whether the command is still to come; whether it is $argv[1]; and whether the
 * cursor is at its first operand, where $argv[2..] are the options that a value follows. The last
 * ones complete a list of words, and the names of files with functions. */
static const char functions[] =
    "function __vkreduce_no_command\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "function __vkreduce_command\n"
    "    set -l before (commandline -opc)\n"
    "    test (count $before) -ge 2; and test $before[2] = $argv[1]\n"
    "end\n"
    "function __vkreduce_first\n"
    "    __vkreduce_command $argv[1]; or return 1\n"
    "    set -l before (commandline -opc)\n"
    "    set -e before[1..2]\n"
    "    set -l value 0\n"
    "    for word in $before\n"
    "        if test $value = 1\n"
    "            set value 0\n"
    "        else if contains -- $word $argv[2..-1]\n"
    "            set value 1\n"
    "        else if not string match -q -- '-*' $word\n"
    "            return 1\n"
    "        end\n"
    "    end\n"
    "    test $value = 0\n"
    "end\n"
    "function __vkreduce_list\n"
    "    set -l before (string replace -r '[^,]*$' '' -- (commandline -ct))\n"
    "    printf '%s\\n' $before$argv\n"
    "end\n"
    "function __vkreduce_functions\n"
    "    set -l word (string replace -r '^--[^=]*=' '' -- (commandline -ct))\n"
    "    for file in $word*.glsl $word*.spv $word*/\n"
    "        echo $file\n"
    "    end\n"
    "end\n";

/* Prints a text inside single quotes. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++) {
        if (strchr("'\\", *text) != NULL)
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

/* Prints that an option needs a value, and what it may be: words, files or other text. */
static void print_value(const option_row *row)
{
    const bool words = row->kind == OPTION_WORD;
    if (!words && !option_takes_functions(row)) {
        fputs(row->kind == OPTION_NUMBER || row->kind == OPTION_SIZE ? " -x" : " -r", stdout);
        return;
    }
    fputs(" -x -a '", stdout);
    for (uint32_t i = (uint32_t)row->min; i < row->max && words; i++)
        printf("%s%s", i > row->min ? " " : "", row->word(i));
    if (option_takes_functions(row))
        printf("%s(__vkreduce_functions)", words ? " " : "");
    putchar('\'');
}

static void print_option(const command *c, const option_row *row)
{
    printf("complete -c vkreduce -n '__vkreduce_command %s' -l %s%s", c->name, row->name,
           strcmp(row->name, "output") == 0 ? " -s o" : "");
    if (row->argument != NULL)
        print_value(row);
    fputs(" -d ", stdout);
    print_quoted(row->help);
    putchar('\n');
}

/* Prints the words of the first operand, and where they belong. */
static void print_choice(const command *c)
{
    printf("complete -c vkreduce -n '__vkreduce_first %s -o", c->name);
    for (option_walk w = option_start(c); option_next(&w);)
        if (w.row.argument != NULL)
            printf(" --%s", w.row.name);
    if (c->file_option != NULL)
        printf("; and not string match -q -- \"--%s*\" (commandline -opc)", c->file_option);
    printf("' -f -a '%s", c->choice->list ? "(__vkreduce_list" : "");
    for (uint32_t i = c->choice->first; i < c->choice->end; i++)
        printf("%s%s", c->choice->list || i > c->choice->first ? " " : "", c->choice->word(i));
    puts(c->choice->list ? ")'" : "'");
}

void print_fish(const command_list *list)
{
    puts("# SPDX-License-Identifier: MIT");
    fputs(functions, stdout);
    for (size_t i = 0; i < list->count; i++) {
        const command *c = list->commands[i];
        printf("complete -c vkreduce -n __vkreduce_no_command -f -a %s -d ", c->name);
        print_quoted(c->summary);
        putchar('\n');
        if (c->run == NULL)
            continue;
        if (c->choice != NULL)
            print_choice(c);
        for (option_walk w = option_start(c); option_next(&w);)
            print_option(c, &w.row);
    }
    puts("complete -c vkreduce -l help -s h -d 'print the commands, or a command\\'s options'\n"
         "complete -c vkreduce -n __vkreduce_no_command -l version -d 'print the version'");
}
