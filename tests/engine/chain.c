/* SPDX-License-Identifier: MIT */
/*
 * Recordings of 2 to 6 requests of any operations that read each other's outputs, counts among
 * them, and run again with other data; some have two recorders, whose command buffers are submitted
 * together, and half of these are not linked, so that both recorders are in flight at once.
 *
 * The list of chains never ends: of the numbers of chains, each run takes the next ones
 * (support/turns.h). Without a budget there are VKR_TEST_ROWS of them.
 */
#include "engine.h"

#include <inttypes.h>
#include <stdio.h>

#define CHAINS 1000000u
#define MOST_ELEMENTS 20000u
#define TRIES 2000u /* random rows of an operation, of which some are valid */
#define ROWS 3u   /* of an operation, which neighbouring chains share, since they need pipelines */
#define SHARE 64u /* chains that share them */

static uint32_t count_operations(void)
{
    uint32_t count = 0;
    while (test_operations[count] != NULL)
        count++;
    return count;
}

bool test_draw_axes(test_request *t, uint64_t *state,
                    uint64_t (*below)(uint64_t *state, uint64_t bound), limits_row limits)
{
    for (uint32_t i = 0; i < MAX_AXES && t->of->axes[i].name != NULL; i++)
        t->axes[i] = (uint32_t)below(state, t->of->axes[i].values);
    if (!t->of->valid(&rig.device, t->axes))
        return false;
    t->limits = LIMITS_DEVICE;
    if (t->of->context != NULL)
        t->of->context(t);
    return limits == LIMITS_COUNT || t->limits == limits;
}

static uint64_t below(uint64_t *state, uint64_t bound)
{
    return random_below(state, (uint32_t)bound);
}

/* Draws a request of one of a few rows, whose context is that of the chain. */
static bool draw_request(uint64_t *state, uint32_t number, const test_operation *of,
                         limits_row limits, test_request *t)
{
    uint64_t row =
        environment("VKR_TEST_SEED", 1) * 1009 + number / SHARE * ROWS + random_below(state, ROWS);
    *t = (test_request){.of = of,
                        .seed = row,
                        .layout = random_below(state, 1u << 20),
                        .most = MOST_ELEMENTS >> random_below(state, 12)};
    row = row * LIMITS_COUNT + limits;
    uint32_t tries = TRIES;
    while (tries > 0 && !test_draw_axes(t, &row, below, limits))
        tries--;
    return tries > 0;
}

void test_draw_chain(uint32_t number, test_recording *r)
{
    static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHUFFLE, LIMITS_SHARED};
    uint64_t state = environment("VKR_TEST_SEED", 1) * UINT64_C(7919) + number;
    const uint32_t count = 2 + random_below(&state, 5);
    /* Small limits refuse much. */
    limits_row chosen = limits[number / SHARE % ARRAY_SIZE(limits)];
    if (!has_limits(&rig.device, chosen))
        chosen = LIMITS_DEVICE;
    *r = (test_recording){.chain = true, .linked = true, .passes = 1 + random_below(&state, 2)};
    while (r->count < count) {
        const test_operation *of = test_operations[random_below(&state, count_operations())];
        if (!of->alone && draw_request(&state, number, of, chosen, &r->requests[r->count]))
            r->count++;
    }
    if (random_below(&state, 3) != 0)
        return;
    r->split = 1 + random_below(&state, count - 1);
    r->linked = random_below(&state, 2) == 0;
}

static void test_chains(void **unused)
{
    static test_recording r;
    turn_list turns;
    uint32_t chains = 0;
    char sharers[32];
    (void)unused;
    rows_name_sharers(sharers);
    turns_begin(&turns, "chains", sharers);
    const uint32_t most = turns.limited ? CHAINS : environment("VKR_TEST_ROWS", 40);
    for (uint32_t i = 0; i < most && !turns_spent(&turns); i++) {
        if (!turns_take(&turns, i))
            continue;
        test_draw_chain(i, &r);
        test_check(&r);
        chains++;
    }
    printf("# chains: %u\n", chains);
    assert_int_equal(rig.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(rig.h.validation_messages, 0);
    assert_true(chains != 0 && rig.refused == 0);
}

int test_chains_main(void)
{
    const struct CMUnitTest test = cmocka_unit_test(test_chains);
    return harness_run(&rig.h, "chains", &test, 1, test_open_rig, test_close_rig);
}
