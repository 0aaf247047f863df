/* SPDX-License-Identifier: MIT */
/* Completion of commands, their first operands, options and words of options, by bash and zsh. */
#include <stdio.h>
#include <string.h>
#include "command_line/command.h"

/* ---- bash ---- */

/* The first one tells whether the cursor is at the first operand: $1 has the options that a value
 * follows, and $2 is the option that leaves out the operand. bash takes = for a word. The second
 * one prints the names of files with functions. */
static const char *const bash_functions[] = {
    "_vkreduce_first() {\n"
    "    local i at\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        at=${COMP_WORDS[i]}\n"
    "        [[ $at == \"$2\" || $at != -* ]] && return 1\n"
    "        if [[ $1 == *\" $at \"* ]]; then\n"
    "            ((i++))\n"
    "            [[ ${COMP_WORDS[i]} == = ]] && ((i++))\n"
    "        fi\n"
    "    done\n"
    "    ((i == COMP_CWORD))\n"
    "}",
    "_vkreduce_functions() {\n"
    "    compgen -f -X '!*.glsl' -- \"$1\"\n"
    "    compgen -f -X '!*.spv' -- \"$1\"\n"
    "    compgen -d -- \"$1\"\n"
    "}"};

/* Prints a case for the word before the cursor: the words that may follow an option. */
static void print_words(const command *c, const option_row *row)
{
    if (row->kind != OPTION_WORD && !option_takes_functions(row))
        return;
    printf("    %s:--%s)", c->name, row->name);
    for (uint32_t i = (uint32_t)row->min; i < row->max && row->kind == OPTION_WORD; i++)
        printf("%s%s", i == row->min ? " words='" : " ", row->word(i));
    fputs(row->kind == OPTION_WORD ? "'" : "", stdout);
    puts(option_takes_functions(row) ? " functions=1 ;;" : " ;;");
}

/* Prints the words of the first operand, and where they belong. */
static void print_choice(const command *c)
{
    fputs("\n        _vkreduce_first ' -o ", stdout);
    for (option_walk w = option_start(c); option_next(&w);)
        if (w.row.argument != NULL)
            printf("--%s ", w.row.name);
    printf("' '%s%s' && words='", c->file_option != NULL ? "--" : "",
           c->file_option != NULL ? c->file_option : "");
    for (uint32_t i = c->choice->first; i < c->choice->end; i++)
        printf("%s%s", i > c->choice->first ? " " : "", c->choice->word(i));
    printf("'%s", c->choice->list ? " list=1" : "");
}

static void print_bash_command(const command *c)
{
    for (option_walk w = option_start(c); option_next(&w);)
        print_words(c, &w.row);
    printf("    %s:*)", c->name);
    if (c->choice != NULL)
        print_choice(c);
    fputs("\n        [[ $word == -* ]] && words='", stdout);
    for (option_walk w = option_start(c); option_next(&w);)
        printf("--%s ", w.row.name);
    puts("--help' ;;");
}

static void print_bash(const command_list *list)
{
    puts("# SPDX-License-Identifier: MIT");
    puts(bash_functions[0]);
    puts(bash_functions[1]);
    puts("_vkreduce() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local words= list= functions=\n"
         "    [[ $word == = ]] && word=\n"
         "    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    if ((COMP_CWORD == 1)); then");
    fputs("        words='", stdout);
    for (size_t i = 0; i < list->count; i++)
        printf("%s ", list->commands[i]->name);
    puts("--help --version'\n    else\n"
         "    case ${COMP_WORDS[1]}:$before in");
    for (size_t i = 0; i < list->count; i++)
        if (list->commands[i]->run != NULL)
            print_bash_command(list->commands[i]);
    puts("    esac\n    fi\n"
         "    if [[ $list && $word == *,* ]]; then\n"
         "        words=\" $words\"\n"
         "        words=${words// / ${word%,*},}\n"
         "    fi\n"
         "    [[ $functions ]] && compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(\n"
         "        [[ $words ]] && compgen -W \"$words\" -- \"$word\"\n"
         "        [[ $functions ]] && _vkreduce_functions \"$word\")\n"
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
    const bool functions = option_takes_functions(row);
    const char *files = functions ? "_files -g \"*.(glsl|spv)\"" : "_files";
    if (row->kind == OPTION_PATH)
        fputs(files, stdout);
    for (uint32_t i = (uint32_t)row->min; i < row->max && row->kind == OPTION_WORD; i++)
        printf("%s%s", i > row->min ? " " : functions ? "{compadd " : "(", row->word(i));
    if (row->kind == OPTION_WORD)
        printf(functions ? "; %s}" : ")", files);
    puts("' \\");
}

/* Prints the words of the first operand; if it is a list, they may follow a comma. */
static void print_zsh_choice(const topic *choice)
{
    printf("            '1:%s:%s", choice->name, choice->list ? "_sequence compadd -" : "(");
    for (uint32_t i = choice->first; i < choice->end; i++)
        printf("%s%s", choice->list || i > choice->first ? " " : "", choice->word(i));
    puts(choice->list ? "' \\" : ")' \\");
}

static void print_zsh_command(const command *c)
{
    printf("    %s)\n        _arguments \\\n", c->name);
    for (option_walk w = option_start(c); option_next(&w);) {
        const bool replaces = c->file_option != NULL && strcmp(w.row.name, c->file_option) == 0;
        printf("            '%s--%s%s",
               replaces                    ? "(1)" /* the first operand */
               : w.row.kind == OPTION_LIST ? "*"
                                           : "",
               w.row.name, w.row.argument != NULL ? "=" : "");
        print_zsh_rest(&w.row);
        if (strcmp(w.row.name, "output") != 0)
            continue;
        fputs("            '-o", stdout);
        print_zsh_rest(&w.row);
    }
    puts("            '(-)--help[print the operands and the options]' \\");
    if (c->choice != NULL)
        print_zsh_choice(c->choice);
    puts("            '*:operand:_files' ;;");
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
    else if (strcmp(shell, "fish") == 0)
        print_fish(list);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(list);
    else
        return false;
    return true;
}
