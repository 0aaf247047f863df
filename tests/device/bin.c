/* SPDX-License-Identifier: MIT */
/*
 * Compares vkrCmdBin with the oracle, bit by bit, and all bytes around the outputs, which entries
 * past the last offset are among: rows of choices that have every pair of them, and some sizes of
 * each row. One recording has all sizes of a row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "bin_case.h"
#include "oracle_bin.h"

#define ARENA_BYTES ((VkDeviceSize)96 << 20)
#define MAX_SIZES 8u

static harness h;
static test_contexts contexts;
static abilities able;
static arena given, written;
static uint32_t counts[VKR_MAX_BIN_COUNT], offsets[VKR_MAX_BIN_COUNT + 1];
static uint32_t *indices;

/* ---- One request ---- */

typedef struct request {
    VkrBinInfo info;
    VkrPayload payloads[BIN_PAYLOADS];
    uint32_t count;  /* after the count of the GPU, */
    uint64_t number; /* which is this */
} request;

static VkrBufferRange place(arena *a, uint64_t *state, VkDeviceSize alignment, VkDeviceSize size)
{
    return (VkrBufferRange){a->buffer.buffer, arena_place(a, state, alignment, size), size};
}

static unsigned char *bytes_of(const arena *a, VkDeviceSize offset)
{
    return a->shadow + offset;
}

static VkrView place_view(arena *a, uint64_t *state, VkrType type, uint32_t stride, uint32_t count)
{
    const VkDeviceSize size = vkrTypeSize(type);
    const VkDeviceSize bytes = count == 0 ? 0 : (count - 1) * size * stride + size;
    const VkrBufferRange range = place(a, state, size, bytes);
    return (VkrView){.buffer = range.buffer,
                     .offset = range.offset,
                     .size = range.size,
                     .type = type,
                     .stride = size * stride};
}

static void place_payload(const bin_row *row, uint64_t *state, uint32_t size, uint32_t count,
                          VkrPayload *p)
{
    const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    const VkDeviceSize stride = size + (row->strided ? 3 * unit : 0);
    const VkDeviceSize bytes = count == 0 ? 0 : (count - 1) * stride + size;
    *p = (VkrPayload){.size = size,
                      .source = place(&given, state, row->strided ? unit : 16, bytes),
                      .sourceStride = stride,
                      .target = place(&written, state, row->strided ? unit : 16, bytes),
                      .targetStride = stride};
}

static void place_all(const bin_row *row, uint32_t count, uint64_t *state, request *p)
{
    VkrBinInfo *info = &p->info;
    const uint32_t stride = row->strided ? 3 : 1;
    p->info = (VkrBinInfo){.count = row->all && count != 0 ? VKR_COUNT_ALL : count,
                           .binCount = row->bins,
                           .workgroupSize = row->workgroup,
                           .payloadCount = row->payload_count,
                           .payloads = p->payloads};
    info->keys = place_view(&given, state, row->type, stride, count);
    if ((row->outputs & BIN_COUNTS) != 0)
        info->counts = place(&written, state, 4, 4 * (VkDeviceSize)row->bins);
    if ((row->outputs & BIN_OFFSETS) != 0)
        info->offsets = place(&written, state, 4, 4 * (VkDeviceSize)row->bins + 4);
    if ((row->outputs & BIN_INDICES) != 0)
        info->indices = place_view(&written, state, VKR_TYPE_U32, stride, count);
    for (uint32_t i = 0; i < row->payload_count; i++)
        place_payload(row, state, row->payloads[i], count, &p->payloads[i]);
    p->count = count;
    if (row->gpu_count == VKR_TYPE_UNDEFINED)
        return;
    const uint32_t size = vkrTypeSize(row->gpu_count);
    p->number = random_below(state, count + count / 4 + 2);
    if (size == 8 && random_below(state, 4) == 0)
        p->number += UINT64_C(1) << 32;
    const VkrBufferRange range = place(&given, state, 4, size);
    info->gpuCount = (VkrGpuCount){range.buffer, range.offset, row->gpu_count};
    p->count = p->number < count ? (uint32_t)p->number : count;
}

/* Writes the keys and the GPU's count, which poisoning has overwritten. */
static void fill(const bin_row *row, uint32_t count, uint64_t *state, const request *p)
{
    const VkrGpuCount *gpu = &p->info.gpuCount;
    bin_fill(row, count, state, bytes_of(&given, p->info.keys.offset), p->info.keys.stride);
    if (gpu->buffer != VK_NULL_HANDLE)
        memcpy(bytes_of(&given, gpu->offset), &p->number, vkrTypeSize(row->gpu_count));
}

static void expect(const bin_row *row, const request *p)
{
    const VkrBinInfo *info = &p->info;
    const oracle_bin_info oracle = {.keys = bytes_of(&given, info->keys.offset),
                                    .stride = info->keys.stride,
                                    .key_size = vkrTypeSize(row->type),
                                    .count = p->count,
                                    .bins = row->bins};
    oracle_bin(&oracle, counts, offsets, indices);
    const uint32_t kept = offsets[row->bins];
    if (info->counts.buffer != VK_NULL_HANDLE)
        memcpy(bytes_of(&written, info->counts.offset), counts, 4 * (size_t)row->bins);
    if (info->offsets.buffer != VK_NULL_HANDLE)
        memcpy(bytes_of(&written, info->offsets.offset), offsets, 4 * (size_t)row->bins + 4);
    for (uint32_t i = 0; i < kept && info->indices.buffer != VK_NULL_HANDLE; i++)
        memcpy(bytes_of(&written, info->indices.offset + i * info->indices.stride), &indices[i], 4);
    for (uint32_t k = 0; k < row->payload_count; k++) {
        const VkrPayload *q = &p->payloads[k];
        for (uint32_t i = 0; i < kept; i++)
            memcpy(bytes_of(&written, q->target.offset + i * q->targetStride),
                   bytes_of(&given, q->source.offset + indices[i] * q->sourceStride), q->size);
    }
}

/* ---- Running ---- */

static bool is_right(const arena *a)
{
    const VkDeviceSize at = arena_overwritten(a);
    if (at != UINT64_MAX)
        printf("# %s differs at byte %llu of %llu\n", a->name, (unsigned long long)at,
               (unsigned long long)a->used);
    return at == UINT64_MAX;
}

static bool submit(VkrRecorder recorder, const request *requests, uint32_t n)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    bool done = harness_begin(&h) && harness_check(&h, vkrBegin(recorder), "vkrBegin");
    for (uint32_t i = 0; i < n; i++)
        done = done && harness_check(&h, vkrCmdBin(recorder, &requests[i].info), "vkrCmdBin");
    done = done && harness_check(&h, vkrEnd(recorder, &end), "vkrEnd") && harness_end(&h) &&
           harness_submit(&h);
    vkrReset(recorder);
    return done;
}

/* Runs a row with all of these sizes in one recording. */
static bool run_bins(const bin_row *row, const uint32_t *sizes, uint32_t n)
{
    const VkrRecorder recorder = get_recorder(&contexts, row->limits, &(tuning_row){0});
    static request requests[MAX_SIZES];
    uint64_t state = row->seed;
    assert_non_null(recorder);
    given.used = written.used = 0;
    for (uint32_t i = 0; i < n; i++)
        place_all(row, sizes[i], &state, &requests[i]);
    assert_true(given.used <= ARENA_BYTES && written.used <= ARENA_BYTES);
    arena_poison(&given, &state);
    arena_poison(&written, &state);
    for (uint32_t i = 0; i < n; i++)
        fill(row, sizes[i], &state, &requests[i]);
    arena_upload(&given);
    arena_upload(&written);
    bool right = submit(recorder, requests, n);
    for (uint32_t i = 0; i < n; i++)
        expect(row, &requests[i]);
    right = right && is_right(&written) && is_right(&given);
    if (!right)
        bin_describe(row);
    return right;
}

static void test_pairs(void **state)
{
    static const uint32_t sizes[] = {0, 1, 191, 193, 3071, 3073, 20001};
    static row_list list;
    uint32_t wrong = 0;
    bin_row row;
    (void)state;
    bin_rows_begin(&list, &able);
    while (bin_rows_next(&list, &row))
        wrong += !run_bins(&row, sizes, ARRAY_SIZE(sizes));
    assert_int_equal(wrong, 0);
    assert_int_equal(h.validation_messages, 0);
}

static void test_large(void **state)
{
    static const uint32_t bins[] = {255, 4096};
    const uint32_t size = BIN_MOST;
    (void)state;
    for (uint32_t i = 0; i < ARRAY_SIZE(bins); i++) {
        const bin_row row = {.seed = i,
                             .type = VKR_TYPE_U32,
                             .bins = bins[i],
                             .data = BIN_MIXED,
                             .outputs = BIN_COUNTS | BIN_OFFSETS | BIN_INDICES,
                             .payload_count = 1,
                             .payloads = {12}};
        assert_true(run_bins(&row, &size, 1));
    }
}

static int set_up(void **state)
{
    (void)state;
    contexts.h = &h;
    able = device_abilities(&h);
    indices = malloc(BIN_MOST * sizeof *indices);
    return indices != NULL && open_arena(&h, "given", ARENA_BYTES, &given) &&
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
    free(indices);
    return 0;
}

HARNESS_MAIN(h, "bin", set_up, tear_down, cmocka_unit_test(test_large),
             cmocka_unit_test(test_pairs))
