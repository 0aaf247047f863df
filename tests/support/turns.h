/* SPDX-License-Identifier: MIT */
/*
 * Which rows or cases of a list run now. A driver may lack the time for all of them; then it runs
 * some, and the next run continues after them. Environment:
 *
 *     VKR_TEST_BUDGET   seconds of processor time for each list. Not set: all of the list runs
 *     VKR_TEST_TURNS    a folder with one file for each list, which holds the next row's number.
 *                       Programs that use the same list take its rows in turn. Not set: every run
 *                       starts with the first row
 */
#ifndef VKR_TESTS_TURNS_H
#define VKR_TESTS_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct turn_list {
    bool limited;   /* there is a budget */
    clock_t budget; /* of processor time, which starts with the first row that runs */
    clock_t begin;
    uint32_t taken;
    char file[256]; /* empty: there is no folder */
} turn_list;

/* Opens the list NAME.OF. */
void turns_begin(turn_list *t, const char *name, const char *of);

/* Whether row n of the list runs. Numbers must ascend. The first row whose turn it is runs on any
 * budget. */
bool turns_take(turn_list *t, uint32_t n);

/* Says that the list has ended: the next row is the first one again. */
void turns_restart(const turn_list *t);

bool turns_spent(const turn_list *t);

#endif
