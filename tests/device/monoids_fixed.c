/* SPDX-License-Identifier: MIT */
/* Requests of monoids that are long, have many segments, or lie in several windows; and what is no
 * request of rows. */
#include "monoids.h"

#include <string.h>

#define SHORT_RUNS 4u /* a geometry in which an invocation has few elements */
#define SEVERAL_WINDOWS 39995u
#define LONG 1200007u
#define LONGEST 9000007u
#define HASH 0u

enum {
    REVERSE = VKR_SCAN_REVERSE_BIT,
    EXCLUSIVE = VKR_SCAN_EXCLUSIVE_BIT,
    BOTH_ENDS = HAS_INITIAL | HAS_TOTAL
};

static bool place(test_request *t, const monoid_choice *c)
{
    t->limits = c->limits;
    t->tuning = (tuning_row){.geometry = c->geometry, .path = VKR_LOAD_VEC4};
    if (!monoids_has(&monoid_rows[c->monoid]))
        return false;
    monoids_place(t, c);
    return true;
}

/* Enough elements for several levels of states, and of blocks of ranges. */
bool monoids_make_long(test_request *t, uint32_t number)
{
    static const monoid_choice rows[MONOIDS_LONG_ROWS] = {
        {.operation = DO_ALL, .count = LONG},
        {.operation = DO_LONG_WINDOWS, .count = LONG, .length = 40000, .finishes = true},
        {.operation = DO_OFFSETS, .count = LONG},
        /* With loops in functions, a workgroup cannot combine the partials of such columns. */
        {.operation = DO_FEW_COLUMNS, .count = LONG, .length = 2, .finishes = true},
        {.operation = DO_LONG_ROWS, .count = LONG, .length = 300000},
        {.operation = DO_SCAN, .count = LONG, .counted = 2, .finishes = true},
        {.operation = DO_SCAN, .count = LONG, .direction = REVERSE, .finishes = true},
        /* Nor can it scan the partials of so short runs. */
        {.operation = DO_SCAN,
         .count = LONG,
         .direction = EXCLUSIVE,
         .ends = BOTH_ENDS,
         .finishes = true,
         .geometry = SHORT_RUNS},
        /* Without loops, invocations get more than 32 elements. */
        {.monoid = MONOID_EACH, .operation = DO_ALL, .count = LONGEST}};
    return place(t, &rows[number]);
}

/* Every monoid, some of which differ in one function only, in the same context: thousands of short
 * segments, and two long ones among them, which have several parts; the second
 * one has more than 2^20 elements in the longest case. */
bool monoids_make_many(test_request *t, uint32_t number)
{
    const uint32_t monoid = number / 3, way = number % 3;
    const monoid_row *row = &monoid_rows[monoid];
    const bool is_long = monoid == HASH || monoid == MONOID_EACH;
    const monoid_choice c = {
        .monoid = monoid,
        .operation = way == 1 ? DO_OFFSETS64 : DO_OFFSETS,
        .count = way != 2  ? SEVERAL_WINDOWS
                 : is_long ? LONG
                           : number % 2,
        .entries = way == 2 ? 60000 : 9000,
        .counted = way == 1 ? 2 : 0,
        .finishes = way != 1 && row->finish != NULL,
        .limits = row->components == 0 && (monoid + 1) / 2 % 2 == 0 ? LIMITS_SMALL : LIMITS_DEVICE};
    return (row->bits & MONOID_ROUNDS) == 0 && place(t, &c);
}

/* Every operation on elements, results and flags that lie in several windows, where it supports
 * these; with the host's counts, and with those of the GPU. */
bool monoids_make_windows(test_request *t, uint32_t number)
{
    static const monoid_flags ways[] = {IN_BITS, IN_U32, BY_FUNCTION};
    const uint32_t operation = number / 2;
    const monoid_operation *o = &monoid_operations[operation];
    const bool counted = number % 2 != 0, has_flags = o->masked || o->kind == VKR_SEGMENTS_FLAGS;
    const bool listed = o->kind == VKR_SEGMENTS_KEYS && !o->is_scan;
    const monoid_choice c = {.monoid = monoids_lie_anywhere(o) ? HASH : MONOID_PLAIN,
                             .operation = operation,
                             .count = o->kind == VKR_SEGMENTS_WINDOWS ? LONG / 2 : SEVERAL_WINDOWS,
                             .flags = has_flags ? ways[number % ARRAY_SIZE(ways)] : NO_FLAGS,
                             .direction = o->is_scan ? (operation + number * 2) % 4 : 0,
                             .counted = counted && !o->pieces ? 2 : 0,
                             .ends = o->is_scan && !counted ? BOTH_ENDS : 0,
                             .finishes = !counted,
                             .limits = listed ? LIMITS_DEVICE : LIMITS_SMALL};
    return place(t, &c);
}

/* Longer scans, and, by turns, so short runs that their partials have several levels, since
 * the module's functions have loops. */
bool monoids_make_segments(test_request *t, uint32_t number)
{
    static const monoid_choice rows[MONOIDS_SEGMENT_ROWS] = {
        {.operation = DO_SCAN_FLAGS, .flags = IN_U32, .ends = BOTH_ENDS, .finishes = true},
        {.operation = DO_SCAN_FLAGS, .flags = IN_BITS, .direction = REVERSE, .finishes = true},
        {.operation = DO_SCAN_FLAGS, .flags = BY_FUNCTION, .direction = REVERSE | EXCLUSIVE},
        {.operation = DO_SCAN_SHORT_ROWS, .length = 7, .direction = EXCLUSIVE, .ends = BOTH_ENDS},
        {.operation = DO_SCAN_SHORT_ROWS, .length = 1},
        {.operation = DO_SCAN_SHORT_ROWS, .length = 31, .direction = REVERSE, .finishes = true},
        {.operation = DO_SCAN_KEYS, .length = 13, .ends = BOTH_ENDS},
        {.operation = DO_SCAN_OFFSETS64, .direction = REVERSE | EXCLUSIVE, .ends = BOTH_ENDS}};
    monoid_choice c = rows[number];
    c.monoid = t->seed % 2 == 0 ? HASH : MONOID_PLAIN;
    c.count = LONG / 2;
    c.limits = LIMITS_SMALL;
    c.geometry = t->seed / 2 % 2 == 0 ? SHORT_RUNS : 0;
    return place(t, &c);
}

/* States of texels that the functions read. */
bool monoids_make_image(test_request *t, uint32_t number)
{
    static const image_format format = {VK_FORMAT_R8_UINT, VK_IMAGE_ASPECT_COLOR_BIT, 1};
    static const image_request request = {.format = &format,
                                          .view_type = VK_IMAGE_VIEW_TYPE_2D,
                                          .width = 97,
                                          .height = 53,
                                          .layers = 1,
                                          .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    monoid_request *s = t->own;
    test_source(t, &request, 1, &s->texture);
    return place(t, &(monoid_choice){.monoid = MONOID_IMAGE,
                                     .operation = number == 0 ? DO_ALL : DO_SCAN_LONG_ROWS,
                                     .count = request.width * request.height});
}

/* ---- What is no request of rows ---- */

static const tuning_row built_in;

static VkrModule module_of(monoid_module module)
{
    return monoids_module_of(get_context(&rig.contexts, LIMITS_DEVICE, &built_in), module);
}

/* The first elements of what is given, as both buffers of the functions. */
static VkrBufferRange words_of(uint32_t count)
{
    return (VkrBufferRange){rig.given.buffer.buffer, 0, 4 * (VkDeviceSize)count};
}

static VkDescriptorSet set_of(uint32_t count)
{
    const VkrBufferRange ranges[] = {words_of(count), words_of(count)};
    test_reset_sets();
    return test_set(2, ranges, NULL);
}

/* More elements than indices of 32 bits, which count on from 0. */
static void test_more(void **state)
{
    const uint64_t count = (UINT64_C(1) << 32) + 12345;
    const VkrRecorder recorder = get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in);
    const uint32_t *found = rig.written.buffer.data;
    (void)state;
    if (!rig.device.types[VKR_TYPE_I64] || !harness_has_case(0))
        return;
    const VkrHook hook = {module_of(MODULE_INT64), "load_index", set_of(1), 0, NULL};
    const VkrMonoid monoid = {&hook, "add_indices", "no_index", NULL, VK_TRUE};
    const VkrReduceInfo reduce = {
        .count = count, .output = {rig.written.buffer.buffer, 0, 8}, .monoid = &monoid};
    test_begin(recorder);
    assert_true(harness_check(&rig.h, vkrCmdReduce(recorder, &reduce), "vkrCmdReduce"));
    test_submit(recorder);
    assert_int_equal(found[0], (uint32_t)count);
    assert_int_equal(found[1], (uint32_t)(12345u * 12344u / 2 - (UINT64_C(1) << 31)));
    assert_int_equal(rig.h.validation_messages, 0);
}

/* The functions read what an earlier operation of the recording writes, and a later one overwrites
 * what they have read: of all elements, and of one window with all of them. */
static void run_order(VkrSegmentKind kind)
{
    enum { COUNT = 40000 };
    const VkrRecorder recorder = get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in);
    const VkrBufferRange words = words_of(COUNT);
    const VkrUse use = {.buffer = words.buffer, .size = words.size};
    const VkrHook hook = {module_of(MODULE_PLAIN), "load_hash", set_of(COUNT), 1, &use};
    const VkrMonoid monoid = {&hook, "combine_hash", "identity_hash", "finish_hash", VK_FALSE};
    const VkrView view = {
        .buffer = words.buffer, .size = words.size, .type = VKR_TYPE_U32, .components = 1};
    const VkrScanInfo sums = {
        .op = VKR_OP_SUM, .input = view, .output = view, .count = VKR_COUNT_ALL};
    const VkrReduceInfo reduce = {
        .count = COUNT,
        .output = {rig.written.buffer.buffer, 0, 4},
        .segments = {.kind = kind, .length = kind == VKR_SEGMENTS_NONE ? 0 : COUNT},
        .monoid = &monoid};
    uint32_t *word = rig.given.buffer.data, sum = 0;
    monoid_state expected, next;
    uint64_t random = 11;
    monoid_read(&monoid_rows[HASH], monoid_rows[HASH].identity, &expected);
    for (uint32_t i = 0; i < COUNT; i++) {
        word[i] = (uint32_t)next_random(&random);
        sum += word[i];
        monoid_rows[HASH].load(&(monoid_element){.x = sum, .i = i}, &next);
        monoid_add(&monoid_rows[HASH], &expected, &next);
    }
    test_begin(recorder);
    assert_true(harness_check(&rig.h, vkrCmdScan(recorder, &sums), "vkrCmdScan"));
    assert_true(harness_check(&rig.h, vkrCmdReduce(recorder, &reduce), "vkrCmdReduce"));
    assert_true(harness_check(&rig.h, vkrCmdScan(recorder, &sums), "vkrCmdScan"));
    test_submit(recorder);
    assert_int_equal(*(const uint32_t *)rig.written.buffer.data, expected.words[1]);
    assert_int_equal(rig.h.validation_messages, 0);
}

static void test_order(void **state)
{
    (void)state;
    run_order(VKR_SEGMENTS_NONE);
    run_order(VKR_SEGMENTS_WINDOWS);
}

static void test_wrong(void **state)
{
    (void)state;
    monoids_check_wrong(get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in),
                        module_of(MODULE_PLAIN), set_of(1), rig.written.buffer.buffer);
}

const struct CMUnitTest monoids_others[MONOIDS_OTHERS] = {
    cmocka_unit_test(test_more), cmocka_unit_test(test_order), cmocka_unit_test(test_wrong)};
