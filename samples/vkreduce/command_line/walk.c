/* SPDX-License-Identifier: MIT */
#include "command_line/command.h"

option_walk option_start(const command *c)
{
    return (option_walk){.command = c, .next = {c->options}};
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
        if (row->kind == OPTION_WORD && row->word == NULL) {
            w->row.word = w->command->algorithms.word;
            w->row.max = w->command->algorithms.count;
        }
        return true;
    }
}
