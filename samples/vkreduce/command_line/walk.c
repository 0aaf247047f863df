/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "command_line/command.h"

option_walk option_start(const command *c)
{
    return (option_walk){.command = c, .next = {c->options}};
}

const char *option_refusal(const command *c, const char *name, size_t length)
{
    for (uint32_t i = 0; i < MAX_REFUSED && c->refused[i].name != NULL; i++)
        if (strlen(c->refused[i].name) == length && strncmp(c->refused[i].name, name, length) == 0)
            return c->refused[i].why;
    return NULL;
}

bool option_next(option_walk *w)
{
    for (;;) {
        const option_row *row = w->next[w->depth];
        if (row == NULL || row->name == NULL) {
            if (w->depth == 0)
                return false;
            w->depth--;
            continue;
        }
        w->next[w->depth]++;
        w->row = *row;
        w->row.field += w->base[w->depth];
        if (row->kind == OPTION_ROWS) {
            w->depth++;
            w->next[w->depth] = row->rows;
            w->base[w->depth] = w->row.field;
            continue;
        }
        if (option_refusal(w->command, row->name, strlen(row->name)) != NULL)
            continue;
        if (row->kind == OPTION_WORD && row->word == NULL) {
            w->row.word = w->command->algorithms.word;
            w->row.max = w->command->algorithms.count;
        }
        return true;
    }
}
