/* SPDX-License-Identifier: MIT */
/*
 * Compares vkrCmdFind with the oracle of compactions, and all bytes around its output: types,
 * predicates, counts and limits pairwise, each with several sizes and positions of the first
 * element that passes.
 *
 * Of the list, VKR_TEST_BUDGET seconds run (tests/support/turns.h).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compact_case.h"

#define SHOWN 12u
#define ARENA_BYTES ((VkDeviceSize)4 << 20)
#define LAYOUTS 8u /* of a row */
#define DRAWN 64u  /* elements from which those of a layout are drawn */
#define MOST_BYTES 32u

static harness h;
static abilities device;
static test_contexts contexts;
static arena given, written;
static uint64_t random_state, cases, mismatches, shown, found;

enum { AXIS_TYPE, AXIS_TEST, AXIS_NEGATE, AXIS_COMPONENTS, AXIS_COUNT, AXIS_LIMITS, AXIS_PLACE };

typedef struct find_row {
    VkrType type;
    predicate_row test;
    bool negate;
    uint32_t components;
    VkrType count;
    limits_row limits;
    bool gpu_constants, strided;
} find_row;

static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_TEST] = TEST_CONTINUED,
    [AXIS_NEGATE] = 2,
    [AXIS_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_COUNT] = ARRAY_SIZE(count_types),
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_PLACE] = 4,
};

static find_row make_row(const uint32_t axes[MAX_AXES])
{
    return (find_row){.type = (VkrType)(axes[AXIS_TYPE] + 1),
                      .test = (predicate_row)axes[AXIS_TEST],
                      .negate = axes[AXIS_NEGATE] != 0,
                      .components = axes[AXIS_COMPONENTS] + 1,
                      .count = count_types[axes[AXIS_COUNT]],
                      .limits = (limits_row)axes[AXIS_LIMITS],
                      .gpu_constants = axes[AXIS_PLACE] % 2 != 0,
                      .strided = axes[AXIS_PLACE] / 2 != 0};
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const find_row row = make_row(axes);
    return a->types[row.type] && has_limits(a, row.limits) &&
           (row.test != TEST_FLAGS_U8 || a->types[VKR_TYPE_U8]) &&
           (!row.gpu_constants || row.test == TEST_COMPARE || row.test == TEST_RANGE);
}

/* ---- A search ---- */

typedef struct search {
    const find_row *row;
    VkrFindInfo info;
    uint64_t most, count;
    uint32_t one_in; /* elements that pass */
} search;

/* The index of the first of `count` elements that passes, or ~0. */
static uint64_t first_of(const search *s, const VkrView *input, const oracle_image *images,
                         uint32_t image_count, uint64_t count)
{
    uint64_t index = UINT64_MAX;
    const VkBuffer result = (VkBuffer)(uintptr_t)&index;
    oracle_image all[3] = {{result, &index}};
    const oracle_device of = {.images = all, .image_count = 1 + image_count};
    memcpy(all + 1, images, image_count * sizeof *images);
    const VkrCompactInfo info = {
        .input = *input,
        .count = count,
        .predicate = s->info.predicate,
        .keptIndices = {.buffer = result, .size = sizeof index, .type = VKR_TYPE_U64}};
    return oracle_compact(&of, &info).kept != 0 ? index : UINT64_MAX;
}

static VkrPredicate draw_predicate(const find_row *row)
{
    static const VkrPredicateKind kinds[] = {
        [TEST_NONZERO] = VKR_PREDICATE_NONZERO,  [TEST_COMPARE] = VKR_PREDICATE_COMPARE,
        [TEST_RANGE] = VKR_PREDICATE_COMPARE,    [TEST_FINITE] = VKR_PREDICATE_FINITE,
        [TEST_NAN] = VKR_PREDICATE_NAN,          [TEST_BITS] = VKR_PREDICATE_BITS,
        [TEST_FLAGS_U32] = VKR_PREDICATE_FLAGS,  [TEST_FLAGS_U8] = VKR_PREDICATE_FLAGS,
        [TEST_FLAGS_BITS] = VKR_PREDICATE_FLAGS, [TEST_UNIQUE] = VKR_PREDICATE_UNIQUE};
    static const VkrCompare compares[] = {VKR_COMPARE_LESS, VKR_COMPARE_EQUAL,
                                          VKR_COMPARE_GREATER_EQUAL, VKR_COMPARE_NOT_EQUAL};
    const bool is_signed = is_float(row->type);
    VkrPredicate p = {.kind = kinds[row->test], .negate = row->negate};
    p.component = random_below(&random_state, row->components);
    if (p.kind == VKR_PREDICATE_COMPARE)
        p.compare = compares[random_below(&random_state, ARRAY_SIZE(compares))];
    if (row->test == TEST_RANGE)
        p.compare2 = VKR_COMPARE_LESS_EQUAL;
    if (is_signed)
        p.a.f = 1.5, p.b.f = 3;
    else
        p.a.u = 20, p.b.u = 90;
    if (p.kind == VKR_PREDICATE_BITS) {
        p.compare = VKR_COMPARE_EQUAL;
        p.mask = 0x18;
        p.value = 8;
    }
    return p;
}

static void draw_element(const find_row *row, void *at)
{
    const uint32_t size = vkrTypeSize(row->type);
    for (uint32_t c = 0; c < row->components; c++)
        fill_data(&random_state, (distribution)random_below(&random_state, DATA_COUNT), row->type,
                  1, (char *)at + c * size, size, 1);
}

static VkrView view_of(const search *s, void *data, uint64_t count)
{
    const VkDeviceSize bytes = (VkDeviceSize)vkrTypeSize(s->row->type) * s->row->components;
    return (VkrView){.buffer = (VkBuffer)(uintptr_t)data,
                     .size = count * bytes,
                     .type = s->row->type,
                     .components = s->row->components};
}

/* Draws elements of which one in `one_in` passes, where such elements were found. */
static void fill_elements(const search *s)
{
    const find_row *row = s->row;
    const VkrView *input = &s->info.input;
    const size_t bytes = (size_t)vkrTypeSize(row->type) * row->components;
    static unsigned char drawn[2][DRAWN][MOST_BYTES]; /* those that fail, and those that pass */
    uint32_t numbers[2] = {0};
    unsigned char element[MOST_BYTES];
    for (uint32_t i = 0; i < DRAWN; i++) {
        draw_element(row, element);
        const VkrView one = view_of(s, element, 1);
        const oracle_image images[] = {{one.buffer, element}, {given.buffer.buffer, given.shadow}};
        const bool free = tests_flags(row->test) || row->test == TEST_UNIQUE;
        const uint32_t passes = free || first_of(s, &one, images, 2, 1) == 0;
        memcpy(drawn[passes][numbers[passes]++], element, bytes);
    }
    for (uint64_t i = 0; i < s->most; i++) {
        const bool wanted = random_below(&random_state, s->one_in) == 0;
        const uint32_t passes = numbers[wanted] != 0 ? wanted : !wanted;
        unsigned char *at = given.shadow + input->offset + i * input->stride;
        memcpy(at, drawn[passes][random_below(&random_state, numbers[passes])], bytes);
        if (row->test == TEST_UNIQUE && i != 0 && wanted == row->negate)
            memcpy(at, at - input->stride, bytes);
    }
}

static void fill_flags(const search *s)
{
    const VkrFlagView *flags = &s->info.predicate.flags;
    unsigned char *bytes = given.shadow + flags->range.offset;
    uint32_t *words = (uint32_t *)(void *)bytes;
    memset(bytes, 0, flags->range.size);
    for (uint64_t i = 0; i < s->most; i++) {
        const bool set = (random_below(&random_state, s->one_in) == 0) != s->row->negate;
        if (flags->format == VKR_FLAGS_U8)
            bytes[i] = set ? (unsigned char)(i % 255 + 1) : 0;
        else if (flags->format == VKR_FLAGS_U32)
            words[i] = set ? (uint32_t)i << 8 | 1 : 0;
        else if (set)
            words[i / 32] |= 1u << i % 32;
    }
}

static VkrBufferRange place_range(arena *a, VkDeviceSize alignment, VkDeviceSize size)
{
    return (VkrBufferRange){a->buffer.buffer, arena_place(a, &random_state, alignment, size), size};
}

static void place_all(search *s)
{
    const find_row *row = s->row;
    const uint32_t size = vkrTypeSize(row->type);
    const VkDeviceSize bytes = (VkDeviceSize)size * row->components;
    const VkDeviceSize stride = bytes + (row->strided ? size : 0);
    VkrPredicate *p = &s->info.predicate;
    given.used = written.used = 0;
    const VkrBufferRange input = place_range(&given, random_below(&random_state, 2) ? 16 : size,
                                             s->most == 0 ? 0 : (s->most - 1) * stride + bytes);
    s->info.input = (VkrView){.buffer = input.buffer,
                              .offset = input.offset,
                              .size = input.size,
                              .type = row->type,
                              .components = row->components,
                              .stride = stride};
    if (tests_flags(row->test)) {
        p->flags.format = row->test == TEST_FLAGS_U8    ? VKR_FLAGS_U8
                          : row->test == TEST_FLAGS_U32 ? VKR_FLAGS_U32
                                                        : VKR_FLAGS_BITS;
        p->flags.range = place_range(&given, 4,
                                     row->test == TEST_FLAGS_U8    ? s->most
                                     : row->test == TEST_FLAGS_U32 ? 4 * s->most
                                                                   : (s->most + 31) / 32 * 4);
    }
    if (row->gpu_constants)
        p->gpuConstants = place_range(&given, size, 2 * (VkDeviceSize)size);
    s->info.index = place_range(&written, 4, 8);
    if (row->count != VKR_TYPE_UNDEFINED)
        s->info.gpuCount = (VkrGpuCount){given.buffer.buffer,
                                         arena_place(&given, &random_state, 4, 8), row->count};
}

static void fill_all(search *s)
{
    const VkrPredicate *p = &s->info.predicate;
    arena_poison(&given, &random_state);
    arena_poison(&written, &random_state);
    if (s->row->count != VKR_TYPE_UNDEFINED)
        s->count = choose_count(&random_state, s->row->count, s->most,
                                given.shadow + s->info.gpuCount.offset);
    if (p->gpuConstants.buffer != VK_NULL_HANDLE) {
        const uint32_t size = vkrTypeSize(s->row->type);
        const uint64_t a = oracle_constant(s->row->type, p->a);
        const uint64_t b = oracle_constant(s->row->type, p->b);
        memcpy(given.shadow + p->gpuConstants.offset, &a, size);
        memcpy(given.shadow + p->gpuConstants.offset + size, &b, size);
    }
    fill_elements(s);
    if (tests_flags(s->row->test))
        fill_flags(s);
    arena_upload(&given);
    arena_upload(&written);
}

static void run_info(VkrRecorder recorder, const VkrFindInfo *info)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdFind(recorder, info), "vkrCmdFind"));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    assert_true(harness_submit(&h)); /* counters start anew */
    vkrReset(recorder);
}

static void run_search(const find_row *row, VkrRecorder recorder)
{
    static const uint32_t sizes[] = {0, 1, 2, 31, 33, 257, 5000, 40000, 150000};
    static const uint32_t rare[] = {1, 3, 300, 20000, UINT32_MAX};
    const VkDeviceSize bytes = (VkDeviceSize)vkrTypeSize(row->type) * (row->components + 1);
    const uint32_t most = (uint32_t)(ARENA_BYTES / 4 / (bytes + 4));
    uint32_t size = sizes[random_below(&random_state, ARRAY_SIZE(sizes))];
    size = size > most ? most : size;
    search s = {.row = row,
                .most = size,
                .count = size,
                .one_in = rare[random_below(&random_state, ARRAY_SIZE(rare))],
                .info = {.label = "find", .count = size, .predicate = draw_predicate(row)}};
    place_all(&s);
    fill_all(&s);
    const oracle_image image = {given.buffer.buffer, given.shadow};
    const uint64_t index = first_of(&s, &s.info.input, &image, 1, s.count);
    memcpy(written.shadow + s.info.index.offset, &index, has_wide_indices(row->limits) ? 8 : 4);
    run_info(recorder, &s.info);
    cases++;
    found += index != UINT64_MAX;
    if (arena_overwritten(&written) == UINT64_MAX && arena_overwritten(&given) == UINT64_MAX)
        return;
    mismatches++;
    uint32_t actual;
    memcpy(&actual, (const char *)written.buffer.data + s.info.index.offset, 4);
    if (shown++ < SHOWN)
        printf("# %u instead of %" PRIu64 " among %" PRIu64 " x %u of type %s, test %d%s, stride "
               "%" PRIu64 ", limits %s\n",
               actual, index, s.count, row->components, vkrTypeName(row->type), (int)row->test,
               row->negate ? " negated" : "", s.info.input.stride, limits_names[row->limits]);
}

/* ---- Tests ---- */

static void test_pairs(void **state)
{
    (void)state;
    uint32_t axes[MAX_AXES];
    static row_list list;
    rows_begin(&list, "find", axis_sizes, 0, valid_row, &device);
    while (rows_next(&list, axes)) {
        const find_row row = make_row(axes);
        VkrRecorder recorder = get_recorder(&contexts, row.limits, &(tuning_row){0});
        assert_non_null(recorder);
        watch_limits(&limits_rows[row.limits]);
        for (uint32_t i = 0; i < LAYOUTS; i++)
            run_search(&row, recorder);
    }
    assert_int_equal(mismatches, 0);
    assert_int_equal(h.validation_messages, 0);
    assert_int_equal(limit_violations(), 0);
    assert_true(list.rows < 10 || (found > cases / 4 && found < cases));
}

static int open_all(void **state)
{
    (void)state;
    random_state = environment("VKR_TEST_SEED", 1) * 1000003u;
    h.loader = limits_proc;
    contexts.h = &h;
    device = device_abilities(&h);
    return open_arena(&h, "what is given", ARENA_BYTES, &given) &&
                   open_arena(&h, "what is written", 4096, &written)
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

HARNESS_MAIN(h, "find", open_all, close_all, cmocka_unit_test(test_pairs))
