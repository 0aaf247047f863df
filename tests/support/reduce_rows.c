/* SPDX-License-Identifier: MIT */
/* Chooses the rows that a program runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"

#define LIST_SEED 1 /* the list is the same for all drivers; VKR_TEST_SEED varies only its data */

enum { COMMON, OTHER };

/* VKR_TEST_SHARES="DRIVER=COMMON+OTHER .." gives for each driver the number of rows that it runs:
 * of those that all drivers support, and of the others. VKR_TEST_DRIVER names this driver. Programs
 * with VKR_TEST_ROWS, and full runs, do not use the list. */
static bool read_share(row_list *l)
{
    const char *text = getenv("VKR_TEST_SHARES"), *own = getenv("VKR_TEST_DRIVER");
    if (text == NULL || own == NULL || getenv("VKR_TEST_ROWS") != NULL || harness_full())
        return false;
    char name[32];
    uint32_t rows[2];
    int length;
    for (; sscanf(text, " %31[^=]=%u+%u%n", name, &rows[COMMON], &rows[OTHER], &length) == 3;
         text += length)
        for (int i = 0; i < 2; i++) {
            if (strcmp(name, own) == 0) {
                l->shares[i].begin = l->shares[i].of;
                l->shares[i].end = l->shares[i].of + rows[i];
            }
            l->shares[i].of += rows[i];
        }
    assert_int_equal(strlen(text), 0);
    for (int i = 0; i < 2; i++)
        assert_true(l->shares[i].of > 0);
    return true;
}

void rows_begin(row_list *l, const char *operation, const uint32_t sizes[MAX_AXES], uint32_t urgent,
                pairs_valid valid, const abilities *device)
{
    *l = (row_list){.operation = operation, .device = *device, .most = UINT32_MAX};
    l->shared = read_share(l);
    if (l->shared)
        l->device.weight = l->device.components = UINT32_MAX;
    else
        l->most = environment("VKR_TEST_ROWS", UINT32_MAX);
    pairs_begin(&l->p, sizes, urgent, l->shared ? LIST_SEED : environment("VKR_TEST_SEED", 1),
                valid, l->shared ? &all_abilities : &l->device);
    printf("# possible pairs of %s: %u\n", operation, l->p.possible);
}

/* Whether the next row of the list belongs to this device's share. */
static bool is_mine(row_list *l, const uint32_t row[MAX_AXES])
{
    const int kind = l->p.valid(&common_abilities, row) ? COMMON : OTHER;
    const uint32_t at = l->shares[kind].count++ % l->shares[kind].of;
    return at >= l->shares[kind].begin && at < l->shares[kind].end;
}

static void print_row(const row_list *l, const uint32_t row[MAX_AXES])
{
    printf("# row of %s:", l->operation);
    for (uint32_t axis = 0; axis < l->p.axes; axis++)
        printf(" %u", row[axis]);
    printf("\n");
}

bool rows_next(row_list *l, uint32_t row[MAX_AXES])
{
    while (l->rows < l->most && pairs_next(&l->p, row)) {
        if (l->shared && !is_mine(l, row))
            continue;
        /* Skipping a row of the share would leave a gap in the coverage. */
        if (l->shared && !l->p.valid(&l->device, row)) {
            print_row(l, row);
            fail_msg("%s", "the device cannot do this row of its share");
        }
        print_row(l, row);
        l->rows++;
        return true;
    }
    /* A share without rows would test nothing. */
    assert_true(!l->shared || l->rows > 0);
    if (l->shared)
        printf("# list of %s: %u rows that all drivers can do, %u others\n", l->operation,
               l->shares[COMMON].count, l->shares[OTHER].count);
    return false;
}
