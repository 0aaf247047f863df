/* SPDX-License-Identifier: MIT */
/* Checks recordings, and runs the rows of an operation. */
#include "engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BYTES ((VkDeviceSize)96 << 20)
#define TEST_OTHERS 16u
#define SHOWN 8u /* wrong recordings that are printed */

test_rig rig;
static const test_operation *running;

static void print_as_c(test_recording *r)
{
    (void)test_make(r);
    for (uint32_t i = 0; i < r->count; i++) {
        printf("# %s(recorder, &info) with\n", r->requests[i].of->call);
        r->requests[i].of->print(&r->requests[i]);
    }
    test_unmake(r);
}

static void check(test_recording *r)
{
    test_line line;
    if (test_run(r, rig.mismatches < SHOWN) != TEST_WRONG || rig.mismatches++ >= SHOWN)
        return;
    test_describe(r, &line);
    printf("# wrong: rows case '%s'\n", line.text);
    if (rig.mismatches != 1) /* the first one tells most, and to make it small takes time */
        return;
    test_shrink(r);
    test_describe(r, &line);
    printf("# the smallest like it: rows case '%s'\n", line.text);
    print_as_c(r);
    (void)test_run(r, true);
}

void test_check(test_recording *r)
{
    static test_recording few;
    check(r);
    for (uint32_t i = 0; i < r->count; i++) {
        if (!r->requests[i].refused || r->requests[i].most == TEST_FEW)
            continue;
        few = (test_recording){.requests = {r->requests[i]}, .count = 1, .passes = 1};
        few.requests[0].most = TEST_FEW;
        rig.refused++;
        check(&few);
    }
}

/* ---- An operation ---- */

static test_request row_of(const uint32_t axes[MAX_AXES])
{
    test_request row = {.of = running, .seed = environment("VKR_TEST_SEED", 1), .most = TEST_ANY};
    memcpy(row.axes, axes, sizeof(row.axes));
    for (uint32_t i = 0; i < MAX_AXES; i++)
        row.seed = row.seed * 31 + axes[i];
    row.seed %= 1000000007;
    return row;
}

bool test_is_thin(void)
{
    return environment("VKR_TEST_THIN", 0) != 0 && !harness_full();
}

/* Whether the driver takes seconds to compile a pipeline. */
static bool is_slow(void)
{
    return environment("VKR_TEST_SLOW", 0) != 0;
}

/* Of recordings with any number of requests, which the remainder by 3 chooses. */
static uint32_t passes_of(uint64_t seed)
{
    return 1 + (uint32_t)(seed / 3 % environment("VKR_TEST_SUBMITS", 3));
}

/* With VKR_TEST_THIN a row has some of its layouts, and the next row others. */
static bool has_layout(uint64_t seed, uint32_t layout)
{
    const bool thin = test_is_thin();
    if (running->has_layout != NULL)
        return running->has_layout(seed, layout, thin);
    return !thin || running->thin == 0 || layout % running->thin == seed % running->thin;
}

/* And a group has some of its fixed requests, and the next run others; but all of a few, and of any
 * number if VKR_TEST_STEP says so. */
static bool has_fixed(const test_fixed *group, uint32_t i)
{
    const bool all = group->thin == 0 || !test_is_thin() || environment("VKR_TEST_STEP", 0) == 1;
    const uint32_t thin = all ? 1 : group->thin;
    const bool few = group->count < environment("VKR_TEST_STEP", 1);
    return (few || harness_has_case(i)) && i % thin == environment("VKR_TEST_RUN", 0) % thin;
}

/* Some recordings have two recorders, which are in flight at the same time. */
static void check_layouts(test_recording *r, uint64_t seed)
{
    if (r->count > 1 && seed / 7 % 2 == 0)
        r->split = 1 + (uint32_t)(seed % (r->count - 1));
    test_check(r);
    r->count = 0;
}

/* Runs layouts of a row: alone or several in one recording, and some twice; in a list, for as long
 * as its budget lasts. */
static void run_layouts(const test_request *row, uint32_t layouts, const row_list *list)
{
    const uint64_t seed = row->seed;
    /* Each request has pipelines of its own. */
    const uint32_t many = is_slow() ? 2 : TEST_TOGETHER;
    const uint32_t most = running->together != 0 ? running->together : many;
    const uint32_t drawn = seed % 3 == 0 ? TEST_TOGETHER : (uint32_t)(seed % 3);
    const uint32_t together = drawn < most ? drawn : most;
    static test_recording r;
    r.count = 0;
    for (uint32_t layout = 0; layout < layouts; layout++) {
        if (r.count == 0)
            r = (test_recording){.passes = passes_of(seed + layout)};
        if (layouts == 1 || has_layout(seed, layout)) {
            r.requests[r.count] = *row;
            r.requests[r.count++].layout = layout;
        }
        if (r.count != 0 && (r.count == together || layout + 1 == layouts)) {
            check_layouts(&r, seed + layout);
            if (list != NULL && rows_spent(list))
                return;
        }
    }
}

bool test_few_refused(uint32_t rows)
{
    return rows < 10 || 4 * rig.refused < rig.made;
}

static void assert_right(void)
{
    assert_int_equal(rig.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(rig.h.validation_messages, 0);
}

static void test_pairs(void **state)
{
    (void)state;
    static row_list list;
    static uint32_t sizes[MAX_AXES];
    uint32_t axes[MAX_AXES] = {0};
    for (uint32_t i = 0; i < MAX_AXES && running->axes[i].name != NULL; i++)
        sizes[i] = running->axes[i].values;
    rows_begin(&list, running->name, sizes, running->urgent, running->valid, &rig.device);
    if (running->triples != 0)
        rows_add_triples(&list, running->triples, &rig.contexts);
    while (rows_next(&list, axes)) {
        const test_request row = row_of(axes);
        run_layouts(&row, running->layouts, &list);
    }
    assert_right();
    assert_true(running->enough == NULL || running->enough(list.rows));
}

/* Begins the turns of a group. Drivers that compile slowly have its share of the budget; the others
 * run all that has_fixed has. */
static turn_list begin_group(const test_fixed *group)
{
    turn_list turns;
    char sharers[32], name[64];
    rows_name_sharers(sharers);
    snprintf(name, sizeof name, "%s.%s", running->name, group->name);
    turns_begin(&turns, name, sharers);
    turns.limited = turns.limited && is_slow();
    turns.budget /= (clock_t)TEST_FIXED;
    return turns;
}

static void test_fixed_group(void **state)
{
    const test_fixed *group = *state;
    const uint32_t number = (uint32_t)(group - running->fixed);
    turn_list turns = begin_group(group);
    for (uint32_t i = 0; i < group->count && !turns_spent(&turns); i++) {
        const test_request row = {.of = running,
                                  .seed = environment("VKR_TEST_SEED", 1) + i,
                                  .most = TEST_ANY,
                                  .fixed = 1 + number + TEST_FIXED * i};
        if (has_fixed(group, i) && turns_take(&turns, i))
            run_layouts(&row, group->layouts != 0 ? group->layouts : 1, NULL);
    }
    if (!turns_spent(&turns))
        turns_restart(&turns);
    assert_right();
}

void test_begin(VkrRecorder recorder)
{
    assert_true(harness_check(&rig.h, vkrBegin(recorder), "vkrBegin"));
}

void test_submit(VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = rig.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    watch_limits(&limits_rows[LIMITS_DEVICE]);
    assert_true(harness_begin(&rig.h) && harness_check(&rig.h, vkrEnd(recorder, &end), "vkrEnd") &&
                harness_end(&rig.h) && harness_submit(&rig.h) &&
                harness_check(&rig.h, vkrReset(recorder), "vkrReset"));
}

int test_open_rig(void **state)
{
    (void)state;
    rig.h.loader = limits_proc;
    rig.contexts.h = &rig.h;
    rig.device = device_abilities(&rig.h);
    return open_arena(&rig.h, "given", ARENA_BYTES, &rig.given) &&
                   open_arena(&rig.h, "written", ARENA_BYTES, &rig.written) &&
                   open_arena(&rig.h, "scratch", ARENA_BYTES, &rig.scratch) && test_open_images() &&
                   test_open_sets()
               ? 0
               : -1;
}

int test_close_rig(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# not decidable: %" PRIu64
           "\n# refused: %" PRIu64 "\n",
           rig.cases, rig.mismatches, rig.unproven, rig.refused);
    printf("# pipelines: %u\n", count_pipelines());
    test_close_images();
    close_arena(&rig.h, &rig.given);
    close_arena(&rig.h, &rig.written);
    close_arena(&rig.h, &rig.scratch);
    close_contexts(&rig.contexts);
    test_close_sets();
    return 0;
}

int test_operation_main(const test_operation *of)
{
    struct CMUnitTest tests[1 + TEST_FIXED + TEST_OTHERS] = {cmocka_unit_test(test_pairs)};
    size_t count = 1;
    running = of;
    for (uint32_t i = 0; i < TEST_FIXED && of->fixed[i].name != NULL; i++)
        tests[count++] = (struct CMUnitTest){.name = of->fixed[i].name,
                                             .test_func = test_fixed_group,
                                             .initial_state = (void *)(uintptr_t)&of->fixed[i]};
    for (size_t i = 0; i < of->other_count && i < TEST_OTHERS; i++)
        tests[count++] = of->others[i];
    return harness_run(&rig.h, of->name, tests, count, test_open_rig, test_close_rig);
}
