/* SPDX-License-Identifier: MIT */
/* Chooses the rows that a program runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"

#define CONTEXT_ROWS 32u /* rows of triples whose pipelines are kept at once */
#define LIST_SEED 1 /* lists are the same for all drivers; VKR_TEST_SEED varies only the data */

void rows_name_sharers(char sharers[32])
{
    const char *driver = getenv("VKR_TEST_DRIVER");
    const bool slow = environment("VKR_TEST_SLOW", 0) != 0;
    if (driver == NULL)
        driver = "any";
    snprintf(sharers, 32, "%.*s%s", (int)strcspn(driver, "-"), driver, slow ? "-slow" : "");
}

static void begin_list(row_list *l)
{
    pairs_begin(&l->p, l->sizes, l->urgent,
                l->turns.limited ? LIST_SEED : environment("VKR_TEST_SEED", 1), l->valid,
                &l->device);
    if (l->triple_axes != 0)
        pairs_add_triples(&l->p, l->triple_axes);
    l->at = 0;
}

void rows_begin(row_list *l, const char *operation, const uint32_t sizes[MAX_AXES], uint32_t urgent,
                pairs_valid valid, const abilities *device)
{
    const bool slow = environment("VKR_TEST_SLOW", 0) != 0;
    char sharers[32];
    rows_name_sharers(sharers);
    *l = (row_list){.operation = operation,
                    .device = *device,
                    .sizes = sizes,
                    .urgent = urgent,
                    .valid = valid,
                    .most = environment("VKR_TEST_ROWS", UINT32_MAX)};
    turns_begin(&l->turns, operation, sharers);
    l->turns.limited = l->turns.limited && l->most == UINT32_MAX;
    if (l->turns.limited && slow)
        l->device = common_abilities;
    else if (l->turns.limited)
        l->device.weight = l->device.components = UINT32_MAX;
    begin_list(l);
    printf("# possible pairs of %s: %u\n", operation, l->p.possible);
}

void rows_add_triples(row_list *l, uint32_t axes, test_contexts *contexts)
{
    if (!harness_full())
        return;
    l->triple_axes = axes;
    l->contexts = contexts;
    begin_list(l);
}

static void print_row(const row_list *l, const uint32_t row[MAX_AXES])
{
    printf("# row of %s:", l->operation);
    for (uint32_t axis = 0; axis < l->p.axes; axis++)
        printf(" %u", row[axis]);
    printf("\n");
}

/* Ends the list, or starts it again where rows before the first one that ran have not run. */
static bool restart(row_list *l)
{
    turns_restart(&l->turns);
    if (!l->turns.limited || l->rows >= l->at)
        return false;
    l->most = l->at;
    begin_list(l);
    return true;
}

bool rows_next(row_list *l, uint32_t row[MAX_AXES])
{
    if (l->contexts != NULL && l->rows % CONTEXT_ROWS == 0)
        close_contexts(l->contexts);
    while (l->rows < l->most && !turns_spent(&l->turns)) {
        if (!pairs_next(&l->p, row)) {
            if (!restart(l))
                return false;
        } else if (turns_take(&l->turns, l->at++)) {
            print_row(l, row);
            l->rows++;
            return true;
        }
    }
    return false;
}
