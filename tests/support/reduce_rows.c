/* SPDX-License-Identifier: MIT */
/* Which rows a program runs. */
#include <stdio.h>
#include <stdlib.h>

#include "reduce_case.h"

#define LIST_SEED 1 /* the list is the same for all drivers; VKR_TEST_SEED varies its data */

enum { COMMON, OTHER };

/* VKR_TEST_SHARE=A-B/N,C-D/M: of every N rows that all drivers can do, those from A to before B,
 * and of every M others, those from C to before D. VKR_TEST_ROWS and a full run ask for other rows.
 */
static bool read_share(row_list *l)
{
    const char *text = getenv("VKR_TEST_SHARE");
    if (text == NULL || text[0] == '\0' || getenv("VKR_TEST_ROWS") != NULL || harness_full())
        return false;
    assert_int_equal(sscanf(text, "%u-%u/%u,%u-%u/%u", &l->shares[COMMON].begin,
                            &l->shares[COMMON].end, &l->shares[COMMON].of, &l->shares[OTHER].begin,
                            &l->shares[OTHER].end, &l->shares[OTHER].of),
                     6);
    for (int i = 0; i < 2; i++) {
        assert_in_range(l->shares[i].end, l->shares[i].begin, l->shares[i].of);
        assert_true(l->shares[i].of > 0);
    }
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

/* Whether the list's next row belongs to this device's share. */
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
        /* A row that no device runs would be a hole in what is covered. */
        if (l->shared && !l->p.valid(&l->device, row)) {
            print_row(l, row);
            fail_msg("the device cannot do this row of its share");
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
