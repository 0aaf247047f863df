/* SPDX-License-Identifier: MIT */
/*
 * Reductions and scans by monoids of an application, compared with the same on the CPU: every
 * monoid in every operation. The argument is the folder with monoids.spv and monoids_int64.spv.
 */
#include <stdio.h>

#include "monoids_run.h"

#define EACH 15       /* a row */
#define SHORT_RUNS 4u /* a geometry in which an invocation has few elements */

static monoids_test m;
static const char *folder;

/* ---- Cases ---- */

static const monoid_operation operations[] = {
    {.name = "reduction", .finishes = true},
    {.name = "reduction with a count on the GPU", .gpu_count = true},
    {.name = "reduction of rows", .kind = VKR_SEGMENTS_ROWS, .length = 7, .finishes = true},
    {.name = "reduction of long rows",
     .kind = VKR_SEGMENTS_ROWS,
     .length = 5000,
     .gpu_count = true},
    {.name = "reduction of columns", .kind = VKR_SEGMENTS_COLUMNS, .length = 75},
    {.name = "reduction of few columns",
     .kind = VKR_SEGMENTS_COLUMNS,
     .length = 3,
     .gpu_count = true,
     .finishes = true},
    {.name = "reduction of windows", .kind = VKR_SEGMENTS_WINDOWS, .length = 9},
    {.name = "reduction of long windows",
     .kind = VKR_SEGMENTS_WINDOWS,
     .length = 700,
     .gpu_count = true,
     .finishes = true},
    {.name = "reduction by offsets", .kind = VKR_SEGMENTS_OFFSETS, .finishes = true},
    {.name = "reduction by long offsets",
     .kind = VKR_SEGMENTS_OFFSETS,
     .gpu_count = true,
     .is_long = true},
    {.name = "reduction by key", .kind = VKR_SEGMENTS_KEYS, .length = 13, .gpu_count = true},
    {.name = "scan", .is_scan = true, .finishes = true},
    {.name = "exclusive scan",
     .is_scan = true,
     .flags = VKR_SCAN_EXCLUSIVE_BIT,
     .gpu_count = true,
     .stride = 3},
    {.name = "reversed scan",
     .is_scan = true,
     .flags = VKR_SCAN_REVERSE_BIT,
     .chains = true,
     .finishes = true},
    {.name = "reversed exclusive scan",
     .is_scan = true,
     .flags = VKR_SCAN_REVERSE_BIT | VKR_SCAN_EXCLUSIVE_BIT,
     .gpu_count = true,
     .chains = true},
    {.name = "masked reduction", .masked = true, .format = VKR_FLAGS_BITS, .finishes = true},
    {.name = "masked reduction with a count on the GPU",
     .masked = true,
     .format = VKR_FLAGS_U32,
     .gpu_count = true},
    {.name = "masked reduction of rows",
     .masked = true,
     .format = VKR_FLAGS_BITS,
     .kind = VKR_SEGMENTS_ROWS,
     .length = 77,
     .finishes = true},
    {.name = "masked reduction of columns",
     .masked = true,
     .format = VKR_FLAGS_U32,
     .kind = VKR_SEGMENTS_COLUMNS,
     .length = 13,
     .gpu_count = true},
    {.name = "reduction of pieces", .pieces = true, .finishes = true},
};

/* Counts are multiples of the length of rows and of columns. */
static uint32_t count_for(const monoid_operation *o, uint32_t n)
{
    static const uint32_t counts[] = {30011, 1, 4097, 1025, 128, 0, 20000};
    const uint32_t count = counts[n % ARRAY_SIZE(counts)];
    const bool grains = o->kind == VKR_SEGMENTS_ROWS || o->kind == VKR_SEGMENTS_COLUMNS;
    return grains ? (count + o->length - 1) / o->length * o->length : count;
}

/* Whether the operation supports only elements that one descriptor reaches. */
static bool needs_all(const monoid_operation *o)
{
    return o->kind >= VKR_SEGMENTS_OFFSETS;
}

/* Every monoid in every operation. */
static void test_monoids(void **state)
{
    static const limits_row rows[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_DEVICE};
    uint32_t n = 0;
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(operations); k++)
        for (const monoid_row *r = monoid_rows; r->name; r++, n++) {
            const monoid_operation *o = &operations[k];
            monoid_case c = {.row = r, .operation = o, .count = count_for(o, n)};
            c.covered = o->gpu_count ? (uint32_t)((uint64_t)c.count * 2 / 3) : c.count;
            c.is_finished = o->finishes && r->finish;
            c.texels = n % 3 != 0;
            /* The list of the starts of runs must fit a descriptor. */
            const bool listed = o->kind == VKR_SEGMENTS_KEYS;
            const bool fits = !listed && (r->components == 0 || !needs_all(o));
            if (!harness_has_case(n) || !monoids_has(&m, r))
                continue;
            monoids_set_offsets(&m, o->is_long, c.count);
            m.geometry = o->is_scan ? n / 3 % GEOMETRIES : 0;
            monoids_run_case(&m, fits ? rows[n % ARRAY_SIZE(rows)] : LIMITS_DEVICE, &c);
        }
    m.geometry = 0;
    printf("# cases: %u\n", n);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(m.h.validation_messages, 0);
}

/* Enough elements for several levels of states, and of blocks of ranges. */
static void test_long(void **state)
{
    static const monoid_operation rows[] = {
        {.name = "long reduction"},
        {.name = "reduction of the longest windows",
         .kind = VKR_SEGMENTS_WINDOWS,
         .length = 40000,
         .finishes = true},
        {.name = "reduction by distant offsets", .kind = VKR_SEGMENTS_OFFSETS},
        /* With loops in functions, a workgroup cannot combine the partials of such columns. */
        {.name = "reduction of the longest columns",
         .kind = VKR_SEGMENTS_COLUMNS,
         .length = 2,
         .finishes = true},
        {.name = "reduction of the longest rows", .kind = VKR_SEGMENTS_ROWS, .length = 300000},
        {.name = "long scan", .is_scan = true, .gpu_count = true, .finishes = true},
        {.name = "long reversed scan",
         .is_scan = true,
         .flags = VKR_SCAN_REVERSE_BIT,
         .finishes = true},
    };
    (void)state;
    monoids_set_offsets(&m, false, MONOIDS_LONG);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        monoid_case c = {.row = &monoid_rows[0],
                         .operation = &rows[i],
                         .count = MONOIDS_LONG,
                         .covered = MONOIDS_LONG - (rows[i].gpu_count ? 5 : 0),
                         .is_finished = rows[i].finishes};
        if (rows[i].kind == VKR_SEGMENTS_ROWS || rows[i].kind == VKR_SEGMENTS_COLUMNS)
            c.count = c.covered = MONOIDS_LONG / rows[i].length * rows[i].length;
        if (harness_has_case((uint32_t)i) || rows[i].kind == VKR_SEGMENTS_COLUMNS)
            monoids_run_case(&m, LIMITS_DEVICE, &c);
    }
    /* With loops in functions, a workgroup cannot scan the partials of so short runs. */
    static const monoid_operation levels = {.name = "scan of several levels of partials",
                                            .is_scan = true,
                                            .flags = VKR_SCAN_EXCLUSIVE_BIT,
                                            .chains = true,
                                            .finishes = true};
    monoid_case l = {.row = &monoid_rows[0],
                     .operation = &levels,
                     .count = MONOIDS_LONG,
                     .covered = MONOIDS_LONG,
                     .is_finished = true};
    m.geometry = SHORT_RUNS;
    monoids_run_case(&m, LIMITS_DEVICE, &l);
    m.geometry = 0;
    /* Invocations get more than 32 elements. */
    static const monoid_operation many = {.name = "reduction of many elements"};
    monoid_case c = {.row = &monoid_rows[EACH],
                     .operation = &many,
                     .count = MONOIDS_MANY,
                     .covered = MONOIDS_MANY};
    assert_string_equal(c.row->name, "each");
    if (m.device.types[VKR_TYPE_I64])
        monoids_run_case(&m, LIMITS_DEVICE, &c);
    assert_int_equal(m.h.validation_messages, 0);
}

/* Thousands of short segments, and two long ones among them, which have several parts; the second
 * one has more than 2^20 elements in the longest case. */
static void test_many(void **state)
{
    static const monoid_operation rows[] = {
        {.name = "reduction by many offsets", .entries = 9000, .finishes = true},
        {.name = "reduction by many counted offsets",
         .entries = 9000,
         .is_long = true,
         .gpu_count = true,
         .gpu_segments = true},
        {.name = "reduction by far more offsets", .entries = 60000, .finishes = true}};
    uint32_t n = 0;
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
        for (const monoid_row *r = monoid_rows; r->name; r++, n++) {
            const bool far = rows[k].entries == 60000;
            const bool is_long = r == monoid_rows || r == &monoid_rows[EACH];
            monoid_operation o = rows[k];
            monoid_case c = {.row = r, .operation = &o, .count = MONOIDS_MOST};
            o.kind = VKR_SEGMENTS_OFFSETS;
            if (far)
                c.count = is_long ? MONOIDS_LONG : n % 2;
            c.covered = o.gpu_count ? (uint32_t)((uint64_t)c.count * 5 / 6) : c.count;
            c.is_finished = o.finishes && r->finish;
            if ((!harness_has_case(n) && !is_long) || !monoids_has(&m, r) || r->rounds)
                continue;
            monoids_set_entries(&m, &o, c.count);
            monoids_run_case(&m, r->components == 0 && n % 2 == 0 ? LIMITS_SMALL : LIMITS_DEVICE,
                             &c);
        }
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(m.h.validation_messages, 0);
}

/* Elements that lie in several windows. */
static void test_windows(void **state)
{
    static const monoid_operation each = {.name = "rows, each of which is a reduction",
                                          .kind = VKR_SEGMENTS_ROWS,
                                          .length = 10000,
                                          .finishes = true};
    const monoid_row *plain = &monoid_rows[MONOIDS_PLAIN];
    (void)state;
    assert_string_equal(plain->name, "plain");
    for (size_t i = 0; i <= ARRAY_SIZE(operations); i++) {
        const monoid_operation *o = i < ARRAY_SIZE(operations) ? &operations[i] : &each;
        monoid_case c = {.row = plain, .operation = o, .count = MONOIDS_MOST - 5};
        if (needs_all(o))
            continue;
        if (o->kind == VKR_SEGMENTS_ROWS)
            c.count = MONOIDS_MOST / o->length * o->length;
        c.covered = o->gpu_count ? c.count * 2 / 3 : c.count;
        c.is_finished = o->finishes;
        c.texels = i % 2 != 0;
        monoids_run_case(&m, LIMITS_SMALL, &c);
    }
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(m.h.validation_messages, 0);
}

/* More elements than indices of 32 bits, which count on from 0. */
static void test_more(void **state)
{
    static const tuning_row built_in;
    const uint64_t count = (UINT64_C(1) << 32) + 12345;
    const VkrRecorder recorder = get_recorder(&m.contexts, LIMITS_DEVICE, &built_in);
    const VkrEndInfo end = {.commandBuffer = m.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const uint32_t *found = m.outputs.data;
    (void)state;
    if (!m.device.types[VKR_TYPE_I64] || !harness_has_case(0))
        return;
    const VkrHook hook = {monoids_module_of(&m, LIMITS_DEVICE, true), "load_index", m.set.set, 0,
                          NULL};
    const VkrMonoid monoid = {&hook, "add_indices", "no_index", NULL, VK_TRUE};
    const VkrReduceInfo reduce = {
        .count = count, .output = {m.outputs.buffer, 0, 8}, .monoid = &monoid};
    assert_true(harness_begin(&m.h));
    assert_true(harness_check(&m.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&m.h, vkrCmdReduce(recorder, &reduce), "vkrCmdReduce"));
    assert_true(harness_check(&m.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&m.h));
    assert_true(harness_submit(&m.h));
    vkrReset(recorder);
    assert_int_equal(found[0], (uint32_t)count);
    assert_int_equal(found[1], (uint32_t)(12345u * 12344u / 2 - (UINT64_C(1) << 31)));
    assert_int_equal(m.h.validation_messages, 0);
}

/* The functions read what an earlier operation of the recording writes, and a later one overwrites
 * what they have read. */
static void test_order(void **state)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&m.contexts, LIMITS_DEVICE, &built_in);
    const VkrUse use = {.buffer = m.words.buffer, .size = m.words.size};
    const VkrHook hook = {monoids_module_of(&m, LIMITS_DEVICE, false), "load_hash", m.set.set, 1,
                          &use};
    const VkrMonoid monoid = {&hook, "combine_hash", "identity_hash", "finish_hash", VK_FALSE};
    const VkrView view = {
        .buffer = m.words.buffer, .size = 4 * MONOIDS_MOST, .type = VKR_TYPE_U32, .components = 1};
    const VkrScanInfo sums = {
        .op = VKR_OP_SUM, .input = view, .output = view, .count = VKR_COUNT_ALL};
    const VkrReduceInfo reduce = {
        .count = MONOIDS_MOST, .output = {m.outputs.buffer, 0, 4}, .monoid = &monoid};
    const VkrEndInfo end = {.commandBuffer = m.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    uint32_t *word = m.words.data;
    monoid_state expected, finished;
    VkrReduceLayout layout;
    (void)state;
    monoids_set_words(&m);
    assert_int_equal(
        vkrGetReduceLayout(get_context(&m.contexts, LIMITS_DEVICE, &built_in), &reduce, &layout),
        VKR_SUCCESS);
    assert_true(layout.size == 4 && layout.components == 1 && layout.segments == 1);
    assert_true(harness_begin(&m.h));
    assert_true(harness_check(&m.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&m.h, vkrCmdScan(recorder, &sums), "vkrCmdScan"));
    assert_true(harness_check(&m.h, vkrCmdReduce(recorder, &reduce), "vkrCmdReduce"));
    assert_true(harness_check(&m.h, vkrCmdScan(recorder, &sums), "vkrCmdScan"));
    assert_true(harness_check(&m.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&m.h));
    assert_true(harness_submit(&m.h));
    vkrReset(recorder);
    monoids_set_words(&m);
    for (uint32_t i = 1; i < MONOIDS_MOST; i++)
        word[i] += word[i - 1];
    monoids_fold(&monoid_rows[0], m.words.data, m.others.data, 0, 1, MONOIDS_MOST, &expected);
    monoid_rows[0].finish(&expected, &finished);
    assert_int_equal(*(const uint32_t *)m.outputs.data, finished.words[0]);
    monoids_set_words(&m);
    assert_int_equal(m.h.validation_messages, 0);
}

static void test_wrong(void **state)
{
    static const tuning_row built_in;
    (void)state;
    monoids_check_wrong(&m.h, get_recorder(&m.contexts, LIMITS_DEVICE, &built_in),
                        monoids_module_of(&m, LIMITS_DEVICE, false), m.set.set, m.outputs.buffer);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    return monoids_open(&m, folder) ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    monoids_close(&m);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monoids), cmocka_unit_test(test_long), cmocka_unit_test(test_many),
        cmocka_unit_test(test_windows), cmocka_unit_test(test_more), cmocka_unit_test(test_order),
        cmocka_unit_test(test_wrong)};
    folder = argc > 1 ? argv[1] : ".";
    return harness_run(&m.h, "monoids", tests, ARRAY_SIZE(tests), open_all, close_all);
}
