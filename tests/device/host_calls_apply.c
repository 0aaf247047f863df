/* SPDX-License-Identifier: MIT */
/* Functions of elements of arrays and of results of their segments. */
#include "host_calls.h"

#include "oracle_apply.h"
#include "oracle_histogram.h"
#include "oracle_map.h"

/* Segments between offsets, which leave elements out at the start and, where there are many, at
 * the end. */
static const uint32_t offsets[] = {2, 30, 30, 400, 776, 5000, 99999};

typedef struct application {
    VkrHostApplyInfo info;
    bool mapped, in_place;
    size_t stride, stored; /* bytes from an element, and from an output, to the next */
    unsigned char *elements, *outputs, *copy;
    float *numbers; /* the elements, mapped, as f32 */
} application;

static const VkrMap halved = {.weights = {0.5f}, .bias = -3};

static void make(const call_case *c, application *a)
{
    const VkrType type = c->type;
    a->mapped = type < VKR_TYPE_F16;
    a->in_place = a->in_place && !a->mapped;
    a->stride = vkrTypeSize(type);
    a->stored = vkrTypeSize(a->mapped ? VKR_TYPE_F32 : type);
    if (!a->in_place && a->info.apply.function == VKR_APPLY_STANDARDISED)
        a->stored *= 2;
    a->elements = take(c->count * a->stride);
    a->copy = take(c->count * a->stride);
    a->outputs = a->in_place ? a->elements : take(c->count * a->stored);
    a->numbers = take(c->count * sizeof *a->numbers);
    fill(type, a->elements, c->count);
    memcpy(a->copy, a->elements, c->count * a->stride);
    for (uint64_t i = 0; i < c->count; i++) {
        const void *at = a->elements + i * a->stride;
        const uint32_t bits = a->mapped ? oracle_map(&halved, type, 1, at) : 0;
        a->numbers[i] = (float)oracle_double(type, at);
        if (a->mapped)
            memcpy(&a->numbers[i], &bits, sizeof bits);
    }
    a->info.apply.input = (VkrView){.type = type, .map = a->mapped ? &halved : NULL};
    a->info.apply.output.stride = a->stored;
    a->info.apply.count = c->count;
    a->info.input = a->elements;
    a->info.output = a->outputs;
    a->info.segments = (VkrHostSegments){.offsets = offsets, .offsetCount = ARRAY_SIZE(offsets)};
    a->info.chunkSize = c->chunk;
}

/* The outputs of a segment, and what lies after each. */
static void check_segment(const call_case *c, const application *a, uint64_t first, uint64_t count,
                          bool *covered)
{
    const VkrType type = a->mapped ? VKR_TYPE_F32 : c->type;
    oracle_output *expected = malloc((count + 1) * sizeof *expected);
    assert_non_null(expected);
    oracle_apply(a->info.apply.function, count, a->numbers + first, expected);
    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *at = a->outputs + (first + i) * a->stored;
        covered[first + i] = true;
        if (!oracle_accepts_output(&expected[i], type, at))
            fail_msg("%s, %s of %llu %s, chunks of %llu: output %llu of %llu from %llu on is %g, "
                     "not %g",
                     c->name, vkrApplyFunctionName(a->info.apply.function),
                     (unsigned long long)c->count, vkrTypeName(c->type),
                     (unsigned long long)c->chunk, (unsigned long long)i, (unsigned long long)count,
                     (unsigned long long)first, oracle_double(type, at), expected[i].value);
    }
    free(expected);
}

static void check(const call_case *c, const application *a)
{
    const VkrSegments *segments = &a->info.apply.segments;
    const uint64_t length = segments->length != 0 ? segments->length : c->count;
    const uint64_t pitch = segments->pitch != 0 ? segments->pitch : length;
    const uint32_t size = vkrTypeSize(a->mapped ? VKR_TYPE_F32 : c->type);
    unsigned char untouched[16];
    bool *covered = calloc(c->count + 1, sizeof *covered);
    assert_non_null(covered);
    memset(untouched, 0xa5, sizeof untouched);
    if (segments->kind == VKR_SEGMENTS_OFFSETS) {
        for (size_t i = 0; i + 1 < ARRAY_SIZE(offsets); i++) {
            const uint64_t end = offsets[i + 1] < c->count ? offsets[i + 1] : c->count;
            if (offsets[i] < end)
                check_segment(c, a, offsets[i], end - offsets[i], covered);
        }
    } else {
        for (uint64_t first = 0; first < c->count; first += pitch) {
            const uint64_t left = c->count - first;
            check_segment(c, a, first, left < length ? left : length, covered);
        }
    }
    for (uint64_t i = 0; i < c->count; i++) {
        const unsigned char *at = a->outputs + i * a->stored;
        if (!covered[i])
            assert_same(c, "no output", at, a->in_place ? a->copy + i * a->stride : untouched,
                        size);
        if (!a->in_place && i + 1 < c->count)
            assert_same(c, "between outputs", at + size, untouched, a->stored - size);
    }
    if (!a->in_place)
        assert_same(c, "input", a->elements, a->copy, c->count * a->stride);
    free(covered);
}

static void apply_case(const call_case *c, VkrApplyFunction function, VkrSegments segments,
                       bool in_place)
{
    application a = {.info = {.apply = {.function = function, .segments = segments}},
                     .in_place = in_place};
    if (c->chunk != 0 && segments.kind != VKR_SEGMENTS_ROWS) /* which alone have chunks */
        return;
    make(c, &a);
    if (vkrHostApply(c->host, &a.info) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    check(c, &a);
    drop(a.elements);
    drop(a.in_place ? NULL : a.outputs);
    drop(a.copy);
    drop(a.numbers);
}

static void apply_all(const call_case *c)
{
    const VkrSegments none = {0}, by_offsets = {.kind = VKR_SEGMENTS_OFFSETS};
    const VkrSegments rows = {.kind = VKR_SEGMENTS_ROWS, .length = 100};
    const VkrSegments apart = {.kind = VKR_SEGMENTS_ROWS, .length = 37, .pitch = 50};
    apply_case(c, VKR_APPLY_SOFTMAX, none, false);
    apply_case(c, VKR_APPLY_RESCALED, none, true);
    apply_case(c, VKR_APPLY_SOFTMAX, rows, true);
    apply_case(c, VKR_APPLY_STANDARDISED, rows, false);
    apply_case(c, VKR_APPLY_LOG_SOFTMAX, apart, false);
    apply_case(c, VKR_APPLY_RESCALED, apart, true);
    apply_case(c, VKR_APPLY_SHARE, by_offsets, true);
    apply_case(c, VKR_APPLY_STANDARDISED, by_offsets, false);
}

EXTERN_TEST(test_apply)
{
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_F16, VKR_TYPE_U16, VKR_TYPE_UNDEFINED};
    each_case(types, apply_all);
}
