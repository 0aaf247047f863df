/* SPDX-License-Identifier: MIT */
#include "turns.h"

#include <stdio.h>
#include <stdlib.h>

void turns_begin(turn_list *t, const char *name, const char *of)
{
    const char *budget = getenv("VKR_TEST_BUDGET"), *folder = getenv("VKR_TEST_TURNS");
    *t = (turn_list){.limited = budget != NULL};
    if (t->limited)
        t->budget = (clock_t)(strtod(budget, NULL) * CLOCKS_PER_SEC);
    if (folder != NULL)
        snprintf(t->file, sizeof(t->file), "%s/%s.%s", folder, name, of);
}

bool turns_spent(const turn_list *t)
{
    return t->limited && t->taken > 0 && clock() - t->begin >= t->budget;
}

/* The number of the next row. Where programs race for it, a row may run twice. */
static uint32_t read_next(const turn_list *t)
{
    uint32_t next = 0;
    FILE *file = t->file[0] != '\0' ? fopen(t->file, "r") : NULL;
    if (file == NULL)
        return 0;
    if (fscanf(file, "%u", &next) != 1)
        next = 0;
    fclose(file);
    return next;
}

/* The number is overwritten in place, so that other programs never read an empty file. */
static void write_next(const turn_list *t, uint32_t next)
{
    if (t->file[0] == '\0')
        return;
    FILE *file = fopen(t->file, "r+");
    if (file == NULL)
        file = fopen(t->file, "w");
    if (file == NULL) {
        printf("# %s cannot be written\n", t->file);
        return;
    }
    fprintf(file, "%10u\n", next);
    fclose(file);
}

bool turns_take(turn_list *t, uint32_t n)
{
    if (!t->limited)
        return true;
    if (turns_spent(t) || n < read_next(t))
        return false;
    write_next(t, n + 1);
    if (t->taken++ == 0)
        t->begin = clock();
    return true;
}

void turns_restart(const turn_list *t)
{
    if (t->limited)
        write_next(t, 0);
}
