/* SPDX-License-Identifier: MIT */
/* Completion of commands, options and words of options, by bash. */
#include <stdio.h>
#include <string.h>
#include "command_line/command.h"

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

static void print_command(const command *c)
{
    for (option_walk w = option_start(c); option_next(&w);)
        print_words(c, &w.row);
    printf("    %s:*) [[ $word == -* ]] && words='", c->name);
    for (option_walk w = option_start(c); option_next(&w);)
        printf("--%s ", w.row.name);
    puts("--help' ;;");
}

void print_completion(const command_list *list)
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
            print_command(list->commands[i]);
    puts("    esac\n    fi\n"
         "    [[ $words ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\ncomplete -o default -F _vkreduce vkreduce");
}
