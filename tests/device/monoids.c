/* SPDX-License-Identifier: MIT */
/*
 * Reductions and scans by monoids of an application, compared with the same on the CPU: every
 * monoid in every operation. The argument is the folder with monoids.spv and monoids_int64.spv.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks_set.h"
#include "monoids_case.h"

#define OUTPUT (MONOIDS_LONG * 4u)
#define OFFSETS MONOIDS_OFFSETS
#define PLAIN 4 /* rows whose elements the library reads where they lie */
#define EACH 15

static harness h;
static abilities device;
static test_contexts contexts;
static harness_buffer words, others, outputs, values, offsets;
static hooks_set set;
static const char *folder;

/* The buffer `values` holds the count of the GPU, the initial value, and the total. */
#define INITIAL 256u
#define TOTAL 512u
#define SEGMENTS 768u

static void set_words(void)
{
    uint64_t random = 11;
    uint32_t *word = words.data, *other = others.data;
    for (uint32_t i = 0; i < MONOIDS_MANY; i++)
        word[i] = (uint32_t)next_random(&random);
    for (uint32_t i = 0; i < MONOIDS_LONG; i++)
        other[i] = (uint32_t)next_random(&random);
    for (uint32_t i = 0; i < MONOIDS_MOST; i++)
        ((uint32_t *)offsets.data)[256 + i] = i / 13; /* keys, as `operations` says */
}

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
};

/* ---- Recordings ---- */

static VkrModule modules[LIMITS_COUNT][2];

static VkrModule module_of(limits_row limits, bool is_int64)
{
    static const tuning_row built_in;
    VkrModule *module = &modules[limits][is_int64];
    if (!*module)
        *module = hooks_open_module(&h, get_context(&contexts, limits, &built_in), folder,
                                    is_int64 ? "monoids_int64" : "monoids", set.layout);
    return *module;
}

static VkrResult add(VkrRecorder recorder, const monoid_case *c, const VkrMonoid *monoid)
{
    const monoid_operation *o = c->operation;
    const VkDeviceSize unit = o->is_long ? 8 : 4;
    const VkrGpuCount none = {0}, count = {values.buffer, 0, VKR_TYPE_U64};
    const VkDeviceSize state = 4 * (VkDeviceSize)c->row->words;
    const VkrView no_elements = {0};
    const VkrView elements = {.buffer = words.buffer,
                              .size = words.size,
                              .type = c->row->element,
                              .components = c->row->components};
    const VkrView input = c->row->components != 0 ? elements : no_elements;
    const VkrReduceInfo reduce = {
        .label = o->name,
        .input = input,
        .count = c->count,
        .gpuCount = o->gpu_count ? count : none,
        .output = {outputs.buffer, 0, outputs.size},
        .segments = {.kind = o->kind,
                     .length = o->length,
                     .offsets = {offsets.buffer, 0, OFFSETS * unit},
                     .offsetType = o->is_long ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED,
                     .keys = {offsets.buffer, 1024, 4 * MONOIDS_MOST, .type = VKR_TYPE_U32}},
        .monoid = monoid};
    const VkrScanInfo scan = {
        .label = o->name,
        .input = input,
        .count = c->count,
        .flags = o->flags,
        .gpuCount = o->gpu_count ? count : none,
        .output = {.buffer = outputs.buffer,
                   .size = outputs.size,
                   .stride = o->stride != 0
                                 ? 4 * (VkDeviceSize)(monoids_result_words(c) + o->stride)
                                 : 0},
        .gpuInitial = {o->chains ? values.buffer : VK_NULL_HANDLE, INITIAL, state},
        .total = {o->chains ? values.buffer : VK_NULL_HANDLE, TOTAL, state},
        .monoid = monoid};
    return o->is_scan ? vkrCmdScan(recorder, &scan) : vkrCmdReduce(recorder, &reduce);
}

static void set_initial(monoid_case *c)
{
    uint32_t *initial = (uint32_t *)values.data + INITIAL / 4;
    c->row->identity(&c->initial);
    if (!c->operation->chains)
        return;
    monoids_fold(c->row, words.data, others.data, 5, 1, 3, &c->initial);
    for (uint32_t k = 0; k < c->row->words; k++) {
        initial[k] = c->initial.words[k];
        if (c->row->rounds)
            initial[k] = monoids_rounded(&c->initial, k);
    }
}

static void run_case(limits_row limits, monoid_case *c)
{
    static const tuning_row built_in;
    char load[32], combine[32], identity[32], finish[32];
    const char *base = c->row->base;
    const VkrRecorder recorder = get_recorder(&contexts, limits, &built_in);
    const VkrUse uses[] = {{.buffer = words.buffer, .size = words.size},
                           {.buffer = others.buffer, .size = others.size}};
    (void)snprintf(load, sizeof load, "load_%s", c->row->name);
    (void)snprintf(combine, sizeof combine, "combine_%s", base);
    (void)snprintf(identity, sizeof identity, "identity_%s", base);
    (void)snprintf(finish, sizeof finish, "finish_%s", base);
    const VkrHook hook = {module_of(limits, c->row->needs_int64), load, set.set, 2, uses};
    const VkrMonoid monoid = {&hook, combine, identity, c->is_finished ? finish : NULL,
                              c->row->commutative};
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    memset(outputs.data, 0xcd, outputs.size);
    *(uint64_t *)values.data = c->covered;
    set_initial(c);
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, add(recorder, c, &monoid), c->operation->name));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    c->words = words.data;
    c->others = others.data;
    c->offsets = offsets.data;
    c->outputs = outputs.data;
    c->total = (const uint32_t *)values.data + TOTAL / 4;
    monoids_compare_all(c);
}

static void set_offsets(bool is_long, uint32_t count)
{
    for (uint32_t i = 0; i < OFFSETS; i++) {
        const uint64_t square = (uint64_t)count * i * i / ((OFFSETS - 1) * (OFFSETS - 1));
        const uint64_t at = i % 7 == 3 ? (uint64_t)count * (i + 1) * (i + 1) / 10000 : square;
        if (is_long)
            ((uint64_t *)offsets.data)[i] = at;
        else
            ((uint32_t *)offsets.data)[i] = (uint32_t)at;
    }
}

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
    return o->kind >= VKR_SEGMENTS_OFFSETS || (o->flags & VKR_SCAN_REVERSE_BIT) != 0;
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
            const bool turns = (o->flags & VKR_SCAN_REVERSE_BIT) != 0 && o->gpu_count;
            const bool fits = !turns && (r->components == 0 || !needs_all(o));
            if (!harness_has_case(n) || (r->needs_int64 && !device.types[VKR_TYPE_I64]) ||
                (r->components != 0 && !device.types[r->element]))
                continue;
            set_offsets(o->is_long, c.count);
            run_case(fits ? rows[n % ARRAY_SIZE(rows)] : LIMITS_DEVICE, &c);
        }
    printf("# cases: %u\n", n);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
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
        {.name = "long scan", .is_scan = true, .gpu_count = true, .finishes = true},
        {.name = "long reversed scan",
         .is_scan = true,
         .flags = VKR_SCAN_REVERSE_BIT,
         .finishes = true},
    };
    (void)state;
    set_offsets(false, MONOIDS_LONG);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        monoid_case c = {.row = &monoid_rows[0],
                         .operation = &rows[i],
                         .count = MONOIDS_LONG,
                         .covered = MONOIDS_LONG - (rows[i].gpu_count ? 5 : 0),
                         .is_finished = rows[i].finishes};
        if (harness_has_case((uint32_t)i))
            run_case(LIMITS_DEVICE, &c);
    }
    /* Invocations get more than 32 elements. */
    static const monoid_operation many = {.name = "reduction of many elements"};
    monoid_case c = {.row = &monoid_rows[EACH],
                     .operation = &many,
                     .count = MONOIDS_MANY,
                     .covered = MONOIDS_MANY};
    assert_string_equal(c.row->name, "each");
    if (device.types[VKR_TYPE_I64])
        run_case(LIMITS_DEVICE, &c);
    assert_int_equal(h.validation_messages, 0);
}

/* Elements that lie in several windows. */
static void test_windows(void **state)
{
    const monoid_row *plain = &monoid_rows[PLAIN];
    (void)state;
    assert_string_equal(plain->name, "plain");
    for (size_t i = 0; i < ARRAY_SIZE(operations); i++) {
        const monoid_operation *o = &operations[i];
        monoid_case c = {.row = plain, .operation = o, .count = MONOIDS_MOST - 5};
        if (needs_all(o) && (o->gpu_count || !o->is_scan))
            continue;
        if (o->kind == VKR_SEGMENTS_ROWS)
            c.count = MONOIDS_MOST / o->length * o->length;
        c.covered = o->gpu_count ? c.count * 2 / 3 : c.count;
        c.is_finished = o->finishes;
        run_case(LIMITS_SMALL, &c);
    }
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
}

/* The functions read what an earlier operation of the recording writes, and a later one overwrites
 * what they have read. */
static void test_order(void **state)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&contexts, LIMITS_DEVICE, &built_in);
    const VkrUse use = {.buffer = words.buffer, .size = words.size};
    const VkrHook hook = {module_of(LIMITS_DEVICE, false), "load_hash", set.set, 1, &use};
    const VkrMonoid monoid = {&hook, "combine_hash", "identity_hash", "finish_hash", VK_FALSE};
    const VkrView view = {
        .buffer = words.buffer, .size = 4 * MONOIDS_MOST, .type = VKR_TYPE_U32, .components = 1};
    const VkrScanInfo sums = {
        .op = VKR_OP_SUM, .input = view, .output = view, .count = VKR_COUNT_ALL};
    const VkrReduceInfo reduce = {
        .count = MONOIDS_MOST, .output = {outputs.buffer, 0, 4}, .monoid = &monoid};
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    uint32_t *word = words.data;
    monoid_state expected, finished;
    VkrReduceLayout layout;
    (void)state;
    set_words();
    assert_int_equal(
        vkrGetReduceLayout(get_context(&contexts, LIMITS_DEVICE, &built_in), &reduce, &layout),
        VKR_SUCCESS);
    assert_true(layout.size == 4 && layout.components == 1 && layout.segments == 1);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdScan(recorder, &sums), "vkrCmdScan"));
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &reduce), "vkrCmdReduce"));
    assert_true(harness_check(&h, vkrCmdScan(recorder, &sums), "vkrCmdScan"));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    set_words();
    for (uint32_t i = 1; i < MONOIDS_MOST; i++)
        word[i] += word[i - 1];
    monoids_fold(&monoid_rows[0], words.data, others.data, 0, 1, MONOIDS_MOST, &expected);
    monoid_rows[0].finish(&expected, &finished);
    assert_int_equal(*(const uint32_t *)outputs.data, finished.words[0]);
    set_words();
    assert_int_equal(h.validation_messages, 0);
}

static void test_wrong(void **state)
{
    static const tuning_row built_in;
    (void)state;
    monoids_check_wrong(&h, get_recorder(&contexts, LIMITS_DEVICE, &built_in),
                        module_of(LIMITS_DEVICE, false), set.set, outputs.buffer);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    h.loader = limits_proc;
    device = device_abilities(&h);
    contexts.h = &h;
    if (!harness_create_buffer(&h, 4 * MONOIDS_MANY, &words) ||
        !harness_create_buffer(&h, 4 * MONOIDS_LONG, &others) ||
        !harness_create_buffer(&h, OUTPUT, &outputs) || !harness_create_buffer(&h, 1024, &values) ||
        !harness_create_buffer(&h, 1024 + 4 * MONOIDS_MOST, &offsets) ||
        !hooks_open_set(&h, (const VkBuffer[]){words.buffer, others.buffer}, 2, &set))
        return -1;
    set_words();
    return 0;
}

static int close_all(void **state)
{
    harness_buffer *const buffers[] = {&words, &others, &outputs, &values, &offsets};
    (void)state;
    for (uint32_t i = 0; i < LIMITS_COUNT; i++)
        for (uint32_t k = 0; k < 2; k++)
            vkrDestroyModule(modules[i][k]);
    close_contexts(&contexts);
    hooks_close_set(&h, &set);
    for (size_t i = 0; i < ARRAY_SIZE(buffers); i++)
        harness_destroy_buffer(&h, buffers[i]);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_monoids), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_windows), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_wrong)};
    folder = argc > 1 ? argv[1] : ".";
    return harness_run(&h, "monoids", tests, ARRAY_SIZE(tests), open_all, close_all);
}
