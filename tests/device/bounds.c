/* SPDX-License-Identifier: MIT */
/*
 * Compares vkrCmdBounds with the oracle, and all bytes around its outputs: types, orders, outputs,
 * counts, maps and limits pairwise, each with several sizes, strides and kinds of data.
 *
 * Of the list, VKR_TEST_BUDGET seconds run (tests/support/turns.h).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "oracle_bounds.h"
#include "oracle_histogram.h"
#include "reduce_case.h"

#define SHOWN 12u
#define ARENA_BYTES ((VkDeviceSize)4 << 20)
#define LAYOUTS 8u /* of a row */

static harness h;
static abilities device;
static test_contexts contexts;
static arena given, written;
static uint64_t random_state, cases, mismatches, shown;

enum { AXIS_TYPE, AXIS_FLAGS, AXIS_OUTPUTS, AXIS_COUNT, AXIS_VALUE_COUNT, AXIS_LIMITS, AXIS_MAPS };

typedef struct bounds_row {
    VkrType type;
    uint32_t flags;
    VkrType lower, upper; /* VKR_TYPE_COUNT: it is left out */
    VkrType count, value_count;
    limits_row limits;
    bool maps_sorted, maps_values; /* which are the second of two components */
} bounds_row;

#define NONE VKR_TYPE_COUNT
static const VkrType outputs[][2] = {
    {VKR_TYPE_UNDEFINED, NONE},   {NONE, VKR_TYPE_UNDEFINED},         {VKR_TYPE_U32, VKR_TYPE_U32},
    {VKR_TYPE_U64, VKR_TYPE_U64}, {VKR_TYPE_U64, VKR_TYPE_UNDEFINED}, {NONE, VKR_TYPE_U64},
};
static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_FLAGS] = 4,
    [AXIS_OUTPUTS] = ARRAY_SIZE(outputs),
    [AXIS_COUNT] = ARRAY_SIZE(count_types),
    [AXIS_VALUE_COUNT] = ARRAY_SIZE(count_types),
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_MAPS] = 3,
};

static bounds_row make_row(const uint32_t axes[MAX_AXES])
{
    return (bounds_row){.type = (VkrType)(axes[AXIS_TYPE] + 1),
                        .flags = axes[AXIS_FLAGS],
                        .lower = outputs[axes[AXIS_OUTPUTS]][0],
                        .upper = outputs[axes[AXIS_OUTPUTS]][1],
                        .count = count_types[axes[AXIS_COUNT]],
                        .value_count = count_types[axes[AXIS_VALUE_COUNT]],
                        .limits = (limits_row)axes[AXIS_LIMITS],
                        .maps_sorted = axes[AXIS_MAPS] == 1,
                        .maps_values = axes[AXIS_MAPS] == 2};
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const bounds_row row = make_row(axes);
    return a->types[row.type] && has_limits(a, row.limits) &&
           (axes[AXIS_MAPS] == 0 || row.type == VKR_TYPE_F32);
}

/* ---- Data ---- */

typedef enum data_kind {
    DATA_OF_BITS, /* all bits, so NaN of both signs, too */
    DATA_OF_FEW,  /* a few values, many times each */
    DATA_OF_ONE,
    DATA_NEAR, /* small integers */
    DATA_KINDS
} data_kind;

typedef struct search {
    const bounds_row *row;
    VkrBoundsInfo info;
    data_kind kind;
    uint64_t few[6];
    VkrMap map; /* of the second component */
} search;

static uint64_t draw_bits(const search *s)
{
    const VkrType type = s->row->type;
    const double special[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1.0, -1.0};
    uint64_t bits = next_random(&random_state);
    if (is_float(type) && random_below(&random_state, 4) == 0) {
        bits = 0;
        oracle_encode(type, special[random_below(&random_state, ARRAY_SIZE(special))], &bits);
    }
    /* A map makes +0 of -0, and of what is smaller than all normal numbers. */
    if ((s->row->maps_sorted || s->row->maps_values) && (bits & 0x7f800000u) == 0)
        bits = 0;
    if (is_float(type) && random_below(&random_state, 8) == 0)
        bits = ~(uint64_t)0 << (random_below(&random_state, 2) == 0 ? 3 : 0);
    return bits;
}

static void draw(const search *s, void *at)
{
    const VkrType type = s->row->type;
    const uint32_t size = vkrTypeSize(type);
    uint64_t bits = s->few[0];
    if (s->kind == DATA_OF_BITS)
        bits = draw_bits(s);
    else if (s->kind == DATA_OF_FEW)
        bits = s->few[random_below(&random_state, ARRAY_SIZE(s->few))];
    else if (s->kind == DATA_NEAR)
        bits = random_below(&random_state, 2000) + (uint64_t)-1000;
    if (s->kind == DATA_NEAR && is_float(type))
        oracle_encode(type, (double)(int64_t)bits, at);
    else
        memcpy(at, &bits, size); /* little-endian */
}

static const bounds_row *sorting;

static int compare(const void *a, const void *b)
{
    return oracle_order(sorting->type, sorting->flags, a, b);
}

/* The bytes of value i of a view, in the shadow of the arena. */
static void *value_at(const VkrView *view, uint64_t i)
{
    const size_t second = view->map != NULL ? vkrTypeSize(view->type) : 0;
    return given.shadow + view->offset + i * view->stride + second;
}

static void fill_sorted(const search *s, uint64_t count)
{
    const size_t size = vkrTypeSize(s->row->type);
    char *all = calloc(count + 1, size);
    assert_non_null(all);
    for (uint64_t i = 0; i < count; i++)
        draw(s, all + i * size);
    sorting = s->row;
    qsort(all, count, size, compare);
    for (uint64_t i = 0; i < count; i++)
        memcpy(value_at(&s->info.sorted, i), all + i * size, size);
    free(all);
}

/* Half of the values occur among the sorted elements. */
static void fill_values(const search *s, uint64_t sorted, uint64_t count)
{
    const size_t size = vkrTypeSize(s->row->type);
    for (uint64_t i = 0; i < count; i++) {
        if (sorted == 0 || random_below(&random_state, 2) == 0)
            draw(s, value_at(&s->info.values, i));
        else
            memcpy(value_at(&s->info.values, i),
                   value_at(&s->info.sorted, random_below(&random_state, (uint32_t)sorted)), size);
    }
}

/* ---- A search ---- */

static VkrView place_view(arena *a, VkrType type, uint32_t components, uint64_t count)
{
    const VkDeviceSize size = (VkDeviceSize)vkrTypeSize(type) * components;
    const VkDeviceSize stride = size + vkrTypeSize(type) * random_below(&random_state, 3);
    const VkDeviceSize bytes = count == 0 ? 0 : (count - 1) * stride + size;
    return (VkrView){.buffer = a->buffer.buffer,
                     .offset = arena_place(a, &random_state, vkrTypeSize(type), bytes),
                     .size = bytes,
                     .type = type,
                     .components = components,
                     .stride = stride};
}

static VkrView place_read(search *s, bool mapped, uint64_t count)
{
    VkrView view = place_view(&given, s->row->type, mapped ? 2 : 1, count);
    view.map = mapped ? &s->map : NULL;
    return view;
}

static VkrView place_output(VkrType type, uint64_t count)
{
    if (type == NONE)
        return (VkrView){0};
    const VkrType stored = type != VKR_TYPE_UNDEFINED ? type : VKR_TYPE_U64;
    VkrView view = place_view(&written, stored, 1, count);
    view.type = type;
    return view;
}

static VkrGpuCount place_count(VkrType type, uint64_t *count)
{
    if (type == VKR_TYPE_UNDEFINED)
        return (VkrGpuCount){0};
    const VkDeviceSize at = arena_place(&given, &random_state, 4, 8);
    *count = choose_count(&random_state, type, *count, given.shadow + at);
    return (VkrGpuCount){given.buffer.buffer, at, type};
}

static uint64_t draw_size(uint32_t most)
{
    static const uint32_t sizes[] = {0, 1, 2, 3, 5, 64, 255, 256, 257, 1023};
    const uint32_t choice = random_below(&random_state, 2 * ARRAY_SIZE(sizes));
    return choice < ARRAY_SIZE(sizes) ? sizes[choice] : random_below(&random_state, most);
}

/* The bytes of a result, in the shadow. The default type is that of 32 bits, unless all indices
 * have 64. */
static void expect(const search *s, const VkrView *view, uint64_t i, uint64_t bound)
{
    const bool wide = view->type == VKR_TYPE_U64 ||
                      (view->type == VKR_TYPE_UNDEFINED && has_wide_indices(s->row->limits));
    memcpy(written.shadow + view->offset + i * view->stride, &bound, wide ? 8 : 4);
}

static void expect_all(const search *s, uint64_t count, uint64_t values)
{
    const VkrBoundsInfo *info = &s->info;
    const oracle_sorted sorted = {value_at(&info->sorted, 0), info->sorted.stride, count,
                                  s->row->type, s->row->flags};
    for (uint64_t i = 0; i < values; i++) {
        const void *value = value_at(&info->values, i);
        cases++;
        if (info->lower.buffer != VK_NULL_HANDLE)
            expect(s, &info->lower, i, oracle_lower_bound(&sorted, value));
        if (info->upper.buffer != VK_NULL_HANDLE)
            expect(s, &info->upper, i, oracle_upper_bound(&sorted, value));
    }
}

static void run_info(VkrRecorder recorder, const VkrBoundsInfo *info)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdBounds(recorder, info), "vkrCmdBounds"));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
}

static void check_all(const search *s, uint64_t count, uint64_t values)
{
    const VkDeviceSize wrong = arena_overwritten(&written);
    const bool same = arena_overwritten(&given) == UINT64_MAX;
    if (wrong == UINT64_MAX && same)
        return;
    mismatches++;
    if (shown++ < SHOWN)
        printf("# %s at byte %" PRIu64 ": %" PRIu64 " of type %s, flags %u, %" PRIu64
               " values, data %d, limits %s, lower at %" PRIu64 ", upper at %" PRIu64 "\n",
               same ? "A wrong result" : "Changed input", wrong, count, vkrTypeName(s->row->type),
               s->row->flags, values, (int)s->kind, limits_names[s->row->limits],
               s->info.lower.offset, s->info.upper.offset);
}

static void run_search(const bounds_row *row, VkrRecorder recorder)
{
    const bool small = row->limits == LIMITS_SMALL || row->limits == LIMITS_SHARED_SMALL;
    uint64_t count = draw_size(small ? 150000 : 3000), values = draw_size(small ? 30000 : 3000);
    const uint64_t held = count, held_values = values;
    search s = {.row = row,
                .kind = (data_kind)random_below(&random_state, DATA_KINDS),
                .map = {.weights = {0, 1}}};
    for (uint32_t i = 0; i < ARRAY_SIZE(s.few); i++)
        s.few[i] = draw_bits(&s);
    const bool all = count != 0 && random_below(&random_state, 2) == 0;
    given.used = written.used = 0;
    s.info = (VkrBoundsInfo){.label = "bounds",
                             .flags = row->flags,
                             .sorted = place_read(&s, row->maps_sorted, count),
                             .count = all ? VKR_COUNT_ALL : count,
                             .values = place_read(&s, row->maps_values, values),
                             .valueCount = values,
                             .lower = place_output(row->lower, values),
                             .upper = place_output(row->upper, values)};
    arena_poison(&given, &random_state);
    arena_poison(&written, &random_state);
    s.info.gpuCount = place_count(row->count, &count);
    s.info.gpuValueCount = place_count(row->value_count, &values);
    fill_sorted(&s, held);
    fill_values(&s, held, held_values);
    arena_upload(&given);
    arena_upload(&written);
    expect_all(&s, count, values);
    run_info(recorder, &s.info);
    check_all(&s, count, values);
}

/* ---- Tests ---- */

static void assert_right(void)
{
    assert_int_equal(mismatches, 0);
    assert_int_equal(h.validation_messages, 0);
    assert_int_equal(limit_violations(), 0);
}

static void test_pairs(void **state)
{
    (void)state;
    uint32_t axes[MAX_AXES];
    static row_list list;
    rows_begin(&list, "bounds", axis_sizes, 0, valid_row, &device);
    while (rows_next(&list, axes)) {
        const bounds_row row = make_row(axes);
        VkrRecorder recorder = get_recorder(&contexts, row.limits, &(tuning_row){0});
        assert_non_null(recorder);
        watch_limits(&limits_rows[row.limits]);
        for (uint32_t i = 0; i < LAYOUTS; i++)
            run_search(&row, recorder);
    }
    assert_right();
}

static int open_all(void **state)
{
    (void)state;
    random_state = environment("VKR_TEST_SEED", 1) * 1000003u;
    h.loader = limits_proc;
    contexts.h = &h;
    device = device_abilities(&h);
    return open_arena(&h, "what is given", ARENA_BYTES, &given) &&
                   open_arena(&h, "what is written", ARENA_BYTES, &written)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", cases, mismatches);
    close_arena(&h, &given);
    close_arena(&h, &written);
    close_contexts(&contexts);
    return 0;
}

HARNESS_MAIN(h, "bounds", open_all, close_all, cmocka_unit_test(test_pairs))
