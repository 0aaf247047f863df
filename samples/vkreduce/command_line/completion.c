/* SPDX-License-Identifier: MIT */
/* Completion of commands, options and words of options, by bash and zsh. */
#include <stdio.h>
#include <string.h>
#include "command_line/command.h"

/* ---- bash ---- */

/* Prints a case for the word before the cursor: the words that may follow an option. */
static void print_words(const command *c, const option_row *row)
{
    if (row->kind != OPTION_WORD)
        return;
    printf("    %s:--%s) words='", c->name, row->name);
    for (uint32_t i = (uint32_t)row->min; i < row->max; i++)
        printf("%s%s", i > row->min ? " " : "", row->word(i));
    puts("' ;;");
}

static void print_bash_command(const command *c)
{
    for (option_walk w = option_start(c); option_next(&w);)
        print_words(c, &w.row);
    printf("    %s:*) [[ $word == -* ]] && words='", c->name);
    for (option_walk w = option_start(c); option_next(&w);)
        printf("--%s ", w.row.name);
    puts("--help' ;;");
}

static void print_bash(const command_list *list)
{
    puts("# SPDX-License-Identifier: MIT\n_vkreduce() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
         "    COMPREPLY=()\n"
         "    if ((COMP_CWORD == 1)); then");
    fputs("        words='", stdout);
    for (size_t i = 0; i < list->count; i++)
        printf("%s ", list->commands[i]->name);
    puts("--help --version'\n    else\n"
         "    case ${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD - 1]} in");
    for (size_t i = 0; i < list->count; i++)
        if (list->commands[i]->run != NULL)
            print_bash_command(list->commands[i]);
    puts("    esac\n    fi\n"
         "    [[ $words ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\ncomplete -o default -F _vkreduce vkreduce");
}

/* ---- zsh ---- */

/* Prints a text inside single quotes, with a backslash before the characters that separate the
 * parts of what _arguments and _describe read. */
static void print_quoted(const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("[]:\\", *text) != NULL)
            putchar('\\');
        if (*text == '\'')
            fputs("'\\'", stdout);
        putchar(*text);
    }
}

/* Prints what an option does and, if it has an argument, the argument and how to complete it. */
static void print_zsh_rest(const option_row *row)
{
    putchar('[');
    print_quoted(row->help);
    putchar(']');
    if (row->argument != NULL) {
        putchar(':');
        print_quoted(row->argument);
        putchar(':');
    }
    if (row->kind == OPTION_PATH)
        fputs("_files", stdout);
    const bool has_files = row->file != 0;
    for (uint32_t i = (uint32_t)row->min; i < row->max && row->kind == OPTION_WORD; i++)
        printf("%s%s", i > row->min ? " " : has_files ? "{compadd " : "(", row->word(i));
    if (row->kind == OPTION_WORD)
        fputs(has_files ? "; _files}" : ")", stdout);
    puts("' \\");
}

static void print_zsh_command(const command *c)
{
    printf("    %s)\n        _arguments \\\n", c->name);
    for (option_walk w = option_start(c); option_next(&w);) {
        printf("            '%s--%s%s", w.row.kind == OPTION_LIST ? "*" : "", w.row.name,
               w.row.argument != NULL ? "=" : "");
        print_zsh_rest(&w.row);
        if (strcmp(w.row.name, "output") != 0)
            continue;
        fputs("            '-o", stdout);
        print_zsh_rest(&w.row);
    }
    puts("            '(-)--help[print the operands and the options]' \\\n"
         "            '*:operand:_files' ;;");
}

static void print_zsh(const command_list *list)
{
    puts("#compdef vkreduce\n# SPDX-License-Identifier: MIT\n_vkreduce() {\n"
         "    local -a names\n    if ((CURRENT == 2)); then\n        names=(");
    for (size_t i = 0; i < list->count; i++) {
        printf("            '%s:", list->commands[i]->name);
        print_quoted(list->commands[i]->summary);
        puts("'");
    }
    puts("            '--help:print the commands'\n            '--version:print the version')\n"
         "        _describe command names\n        return\n    fi\n"
         "    shift words\n    ((CURRENT--))\n    case $words[1] in");
    for (size_t i = 0; i < list->count; i++)
        if (list->commands[i]->run != NULL)
            print_zsh_command(list->commands[i]);
    puts("    esac\n}\n_vkreduce \"$@\"");
}

bool print_completion(const command_list *list, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(list);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(list);
    else
        return false;
    return true;
}
