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

/* ---- Lanes ---- */

static void begin_lane(const row_list *l, row_lane *lane)
{
    pairs_begin(&lane->p, l->sizes, l->urgent,
                lane->turns.limited ? LIST_SEED : environment("VKR_TEST_SEED", 1), l->valid,
                &l->device);
    lane->at = 0;
    if (lane->triple_axes == 0)
        return;
    lane->p.covered = lane->p.possible;
    pairs_add_triples(&lane->p, lane->triple_axes);
}

/* Ends the list, or starts it again where rows before the first one that ran have not run. */
static bool restart(row_list *l, row_lane *lane)
{
    turns_restart(&lane->turns);
    if (!lane->turns.limited || lane->rows >= lane->at)
        return false;
    lane->most = lane->at;
    begin_lane(l, lane);
    return true;
}

static bool next_of_lane(row_list *l, row_lane *lane, uint32_t row[MAX_AXES])
{
    while (lane->rows < lane->most && !turns_spent(&lane->turns)) {
        if (!pairs_next(&lane->p, row)) {
            if (!restart(l, lane))
                return false;
        } else if (turns_take(&lane->turns, lane->at++)) {
            lane->rows++;
            return true;
        }
    }
    return false;
}

/* ---- Lists ---- */

void rows_begin(row_list *l, const char *operation, const uint32_t sizes[MAX_AXES], uint32_t urgent,
                pairs_valid valid, const abilities *device)
{
    char sharers[32];
    rows_name_sharers(sharers);
    *l = (row_list){.operation = operation,
                    .device = *device,
                    .sizes = sizes,
                    .urgent = urgent,
                    .valid = valid};
    row_lane *lane = &l->lanes[0];
    lane->most = environment("VKR_TEST_ROWS", UINT32_MAX);
    turns_begin(&lane->turns, operation, sharers);
    lane->turns.limited = lane->turns.limited && lane->most == UINT32_MAX;
    if (lane->turns.limited && environment("VKR_TEST_SLOW", 0) != 0)
        l->device = common_abilities;
    else if (lane->turns.limited)
        l->device.weight = l->device.components = UINT32_MAX;
    begin_lane(l, lane);
    printf("# possible pairs of %s: %u\n", operation, lane->p.possible);
}

static void print_triples(const row_list *l)
{
    const pairs *p = &l->lanes[1].p;
    printf("# possible triples of %s: %u, of axes", l->operation, p->triples);
    for (uint32_t i = 0; i < p->triple_count; i++)
        printf(" %u", p->triple_axes[i]);
    printf("\n");
}

void rows_add_triples(row_list *l, uint32_t axes, test_contexts *contexts)
{
    row_lane *first = &l->lanes[0], *lane = &l->lanes[1];
    char sharers[32], name[64];
    rows_name_sharers(sharers);
    snprintf(name, sizeof(name), "%s-triples", l->operation);
    lane->triple_axes = axes;
    /* VKR_TEST_ROWS asks for a few rows, which those of pairs are. */
    lane->most = first->most == UINT32_MAX ? UINT32_MAX : 0;
    turns_begin(&lane->turns, name, sharers);
    lane->turns.limited = first->turns.limited;
    if (!lane->turns.limited && !harness_full())
        lane->most = 0;
    l->contexts = harness_full() ? contexts : NULL;
    first->turns.budget /= 2;
    lane->turns.budget -= first->turns.budget;
    begin_lane(l, lane);
    print_triples(l);
}

static void print_row(const row_list *l, const uint32_t row[MAX_AXES])
{
    printf("# row of %s:", l->operation);
    for (uint32_t axis = 0; axis < l->lanes[0].p.axes; axis++)
        printf(" %u", row[axis]);
    printf("\n");
}

bool rows_next(row_list *l, uint32_t row[MAX_AXES])
{
    if (l->contexts != NULL && l->rows % CONTEXT_ROWS == 0)
        close_contexts(l->contexts);
    for (uint32_t i = 0; i < ARRAY_SIZE(l->lanes); i++) {
        if (!next_of_lane(l, &l->lanes[i], row))
            continue;
        print_row(l, row);
        l->current = &l->lanes[i];
        l->rows++;
        return true;
    }
    return false;
}

bool rows_spent(const row_list *l)
{
    return turns_spent(&l->current->turns);
}
