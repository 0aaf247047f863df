/* SPDX-License-Identifier: MIT */
/*
 * Compares vkrCmdSort with the oracle, bit by bit, and all bytes around the outputs: rows of
 * choices that have every pair of them (sort_case.c), whose data have many equal keys, NaN, or
 * digits in common; short rows; and keys in several windows. VKR_TEST_SEED varies what the choices
 * leave open.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "oracle_map.h"
#include "oracle_sort.h"
#include "reduce_case.h"
#include "sort_case.h"

#define ARENA_BYTES ((VkDeviceSize)24 << 20)
#define KINDS 3u /* of data of each row; not a divisor of their number minus one */

static harness h;
static test_contexts contexts;
static abilities able;
static arena given, written;
static uint32_t *order;
static uint32_t *mapped; /* the keys of a request with a map */

/* ---- One request ---- */

typedef struct placed {
    VkrSortInfo info;
    VkrPayload payloads[SORT_PAYLOADS];
    VkrBufferRange offsets;
    uint64_t count; /* after the count of the GPU */
} placed;

static VkrBufferRange place(arena *a, uint64_t *state, VkDeviceSize alignment, VkDeviceSize size)
{
    return (VkrBufferRange){a->buffer.buffer, arena_place(a, state, alignment, size), size};
}

static VkrView place_view(arena *a, uint64_t *state, VkrType type, VkDeviceSize stride,
                          uint64_t count)
{
    const VkDeviceSize size = vkrTypeSize(type);
    const VkDeviceSize bytes = count == 0 ? 0 : (count - 1) * stride + size;
    const VkrBufferRange range = place(a, state, size, bytes);
    return (VkrView){.buffer = range.buffer,
                     .offset = range.offset,
                     .size = range.size,
                     .type = type,
                     .stride = stride};
}

static void place_payload(const sort_row *row, uint64_t *state, uint32_t i, VkrPayload *p)
{
    const uint32_t size = row->payloads[i];
    const VkDeviceSize stride = size + row->payload_gap * (size % 4 == 0   ? 4
                                                           : size % 2 == 0 ? 2
                                                                           : 1);
    const VkDeviceSize bytes = row->count == 0 ? 0 : (row->count - 1) * stride + size;
    const bool in_place = row->payload_in_place;
    p->size = size;
    p->sourceStride = p->targetStride = stride;
    p->target = place(&written, state, 16, bytes);
    p->source = in_place ? p->target : place(&given, state, 16, bytes);
}

static VkrType key_type(const sort_row *row)
{
    return row->mapped ? VKR_TYPE_F32 : row->type;
}

static void place_all(const sort_row *row, placed *p)
{
    uint64_t state = row->seed;
    const VkDeviceSize size = vkrTypeSize(row->type);
    VkrSortInfo *info = &p->info;
    given.used = written.used = 0;
    *info = (VkrSortInfo){.flags = (row->descending ? VKR_SORT_DESCENDING_BIT : 0u) |
                                   (row->nan_first ? VKR_SORT_NAN_FIRST_BIT : 0u),
                          .count = row->count,
                          .beginBit = row->begin,
                          .endBit = row->end,
                          .algorithm = row->algorithm,
                          .workgroupSize = row->workgroup,
                          .payloadCount = row->payload_count,
                          .payloads = p->payloads};
    info->keys = place_view(row->in_place ? &written : &given, &state, row->type,
                            size * row->key_stride, row->count);
    if (row->in_place)
        info->sorted = info->keys;
    else if (row->keys)
        info->sorted =
            place_view(&written, &state, key_type(row),
                       vkrTypeSize(key_type(row)) * (VkDeviceSize)row->sorted_stride, row->count);
    info->keys.map = row->mapped ? &sort_map : NULL;
    if (row->indices)
        info->indices =
            place_view(&written, &state, VKR_TYPE_U32, 4 * row->index_stride, row->count);
    for (uint32_t i = 0; i < row->payload_count; i++)
        place_payload(row, &state, i, &p->payloads[i]);
    if (row->gpu_count) {
        const VkrBufferRange range = place(&given, &state, 4, row->gpu_count64 ? 8 : 4);
        info->gpuCount = (VkrGpuCount){.buffer = range.buffer,
                                       .offset = range.offset,
                                       .type = row->gpu_count64 ? VKR_TYPE_U64 : VKR_TYPE_U32};
    }
    if (row->row != 0)
        info->segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = row->row};
    if (row->offset_count != 0) {
        p->offsets = place(&given, &state, 4, row->offset_count * (row->offsets64 ? 8 : 4));
        info->segments =
            (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                          .offsets = p->offsets,
                          .offsetType = row->offsets64 ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED};
    }
}

static unsigned char *bytes_of(const arena *a, VkDeviceSize offset)
{
    return a->shadow + offset;
}

static void fill_all(const sort_row *row, placed *p)
{
    uint64_t state = row->seed + 1;
    const arena *keys = row->in_place ? &written : &given;
    arena_poison(&given, &state);
    arena_poison(&written, &state);
    sort_fill(row, bytes_of(keys, p->info.keys.offset), p->info.keys.stride);
    p->count = row->count;
    if (row->gpu_count) {
        const uint64_t count = row->gpu_value;
        memcpy(bytes_of(&given, p->info.gpuCount.offset), &count, row->gpu_count64 ? 8 : 4);
        p->count = count < row->count ? count : row->count;
    }
    for (uint64_t i = 0; i < row->offset_count; i++)
        memcpy(bytes_of(&given, p->offsets.offset) + i * (row->offsets64 ? 8 : 4), &row->offsets[i],
               row->offsets64 ? 8 : 4);
    arena_upload(&given);
    arena_upload(&written);
}

/* ---- Expected outputs ---- */

static void move(const void *source, VkDeviceSize source_stride, void *target,
                 VkDeviceSize target_stride, size_t size, const oracle_sort_info *oracle)
{
    char *copy = malloc((size_t)oracle->count * size + 1);
    assert_non_null(copy);
    for (uint64_t i = 0; i < oracle->count; i++) {
        const uint64_t start = oracle_segment_start(oracle, i);
        memcpy(copy + (size_t)i * size,
               (const char *)source + (size_t)((start + order[i]) * source_stride), size);
    }
    for (uint64_t i = 0; i < oracle->count; i++)
        memcpy((char *)target + (size_t)(i * target_stride), copy + (size_t)i * size, size);
    free(copy);
}

static void expect(const sort_row *row, const placed *p)
{
    const VkrSortInfo *info = &p->info;
    const unsigned char *keys = bytes_of(row->in_place ? &written : &given, info->keys.offset);
    for (uint64_t i = 0; i < p->count && row->mapped; i++)
        mapped[i] = oracle_map(&sort_map, row->type, 1, keys + i * info->keys.stride);
    const oracle_sort_info oracle = {.data = row->mapped ? (const void *)mapped : keys,
                                     .stride = row->mapped ? sizeof *mapped : info->keys.stride,
                                     .type = key_type(row),
                                     .count = p->count,
                                     .descending = row->descending,
                                     .nan_first = row->nan_first,
                                     .begin = row->begin,
                                     .end = row->end,
                                     .row = row->row,
                                     .offsets = row->offsets,
                                     .offset_count = row->offset_count};
    assert_true(oracle_sort(&oracle, order));
    for (uint32_t i = 0; i < row->payload_count; i++) {
        const VkrPayload *q = &p->payloads[i];
        move(bytes_of(row->payload_in_place ? &written : &given, q->source.offset), q->sourceStride,
             bytes_of(&written, q->target.offset), q->targetStride, q->size, &oracle);
    }
    if (row->keys)
        move(oracle.data, oracle.stride, bytes_of(&written, info->sorted.offset),
             info->sorted.stride, vkrTypeSize(key_type(row)), &oracle);
    for (uint64_t i = 0; i < p->count && row->indices; i++)
        memcpy(bytes_of(&written, info->indices.offset + i * info->indices.stride), &order[i], 4);
}

/* ---- Running ---- */

static bool has_row(const sort_row *row)
{
    for (uint32_t i = 0; i < row->payload_count; i++)
        if ((row->payloads[i] % 2 != 0 && !able.types[VKR_TYPE_U8]) ||
            (row->payloads[i] % 4 != 0 && !able.types[VKR_TYPE_U16]))
            return false;
    return able.types[row->type] && has_limits(&able, row->limits) &&
           row->workgroup <= able.workgroup && (row->limits != LIMITS_SHUFFLE || able.shuffles);
}

static void describe(const sort_row *row)
{
    printf("# seed %" PRIu64 ": %" PRIu64 " %s%s, data %d, bits %u to %u, %s%s, row %" PRIu64
           ", %u offsets, GPU count %d, workgroup %u, %s, %s, strides %u %u %u%s%s%s, %u payloads "
           "of %u "
           "%u%s\n",
           row->seed, row->count, vkrTypeName(row->type), row->mapped ? " mapped" : "",
           (int)row->data, row->begin, row->end, row->descending ? "descending" : "ascending",
           row->nan_first ? ", NaN first" : "", row->row, row->offset_count, row->gpu_count,
           row->workgroup, vkrSortAlgorithmName(row->algorithm), limits_names[row->limits],
           row->key_stride, row->sorted_stride, row->index_stride, row->keys ? ", keys" : "",
           row->in_place ? " in place" : "", row->indices ? ", indices" : "", row->payload_count,
           row->payloads[0], row->payloads[1], row->payload_in_place ? " in place" : "");
}

static bool is_right(const arena *a)
{
    const VkDeviceSize at = arena_overwritten(a);
    if (at == UINT64_MAX)
        return true;
    printf("# %s differs at byte %" PRIu64 " of %" PRIu64 "\n", a->name, at, a->used);
    return false;
}

/* Whether a device of small limits may refuse the request, since a table, entries of payloads, or
 * what an algorithm needs exceeds a descriptor. */
static bool is_refused(const sort_row *row, VkrResult result)
{
    return result == VKR_ERROR_UNSUPPORTED && strstr(h.sentence, "maxStorageBufferRange") != NULL &&
           (row->limits == LIMITS_SMALL || row->limits == LIMITS_SHARED_SMALL);
}

typedef enum outcome { RIGHT, WRONG, REFUSED } outcome;

static outcome run_request(const sort_row *row)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const VkrRecorder recorder = get_recorder(&contexts, row->limits, &(tuning_row){0});
    placed p = {0};
    assert_non_null(recorder);
    watch_limits(&limits_rows[row->limits]);
    place_all(row, &p);
    assert_true(given.used <= ARENA_BYTES && written.used <= ARENA_BYTES);
    fill_all(row, &p);
    watch_limits(&limits_rows[row->limits]);
    bool right = harness_begin(&h) && harness_check(&h, vkrBegin(recorder), "vkrBegin");
    const VkrResult result = vkrCmdSort(recorder, &p.info);
    if (is_refused(row, result)) {
        vkrReset(recorder);
        return harness_end(&h) ? REFUSED : WRONG;
    }
    right = right && harness_check(&h, result, "vkrCmdSort") &&
            harness_check(&h, vkrEnd(recorder, &end), "vkrEnd") && harness_end(&h) &&
            harness_submit(&h);
    vkrReset(recorder);
    expect(row, &p);
    right = right && is_right(&written) && is_right(&given);
    if (!right)
        describe(row);
    return right ? RIGHT : WRONG;
}

/* Runs a row of the list with several kinds of data, which have the same pipelines. */
static bool run_kinds(sort_row *row)
{
    outcome is = run_request(row);
    if (is == REFUSED) {
        sort_limit(row);
        is = run_request(row);
    }
    for (uint32_t i = 1; is == RIGHT && i < KINDS; i++) {
        row->data = (sort_data)((row->data + i) % SORT_DATA_COUNT);
        is = run_request(row);
    }
    return is == RIGHT;
}

static void test_pairs(void **state)
{
    static row_list list;
    sort_row row;
    uint32_t wrong = 0;
    (void)state;
    sort_rows_begin(&list, &able, &contexts);
    while (sort_rows_next(&list, &row))
        wrong += !run_kinds(&row);
    assert_int_equal(wrong, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
}

/* Rows of which a workgroup sorts several. */
static void test_short_rows(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SORT_SHORT; i++) {
        sort_row row;
        sort_choose_short(i, &row);
        if (harness_has_case(i) && has_row(&row))
            assert_int_equal(run_request(&row), RIGHT);
    }
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
}

/* Keys beyond a descriptor, which are read and stored in windows. */
static void test_windows(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SORT_WINDOWS; i++) {
        sort_row row;
        sort_choose_windows(i, &row);
        if (harness_has_case(i) && has_row(&row))
            assert_int_equal(run_request(&row), RIGHT);
    }
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
}

static int set_up(void **state)
{
    (void)state;
    h.loader = limits_proc;
    contexts.h = &h;
    able = device_abilities(&h);
    order = malloc(SORT_MOST * sizeof *order);
    mapped = malloc(SORT_MOST * sizeof *mapped);
    return order != NULL && mapped != NULL && open_arena(&h, "given", ARENA_BYTES, &given) &&
                   open_arena(&h, "written", ARENA_BYTES, &written)
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    close_arena(&h, &given);
    close_arena(&h, &written);
    close_contexts(&contexts);
    free(order);
    free(mapped);
    return 0;
}

HARNESS_MAIN(h, "sort", set_up, tear_down, cmocka_unit_test(test_pairs),
             cmocka_unit_test(test_short_rows), cmocka_unit_test(test_windows))
