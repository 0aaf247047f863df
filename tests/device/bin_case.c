/* SPDX-License-Identifier: MIT */
#include "bin_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Rows ---- */

enum {
    AXIS_TYPE,
    AXIS_BINS,
    AXIS_DATA,
    AXIS_GPU_COUNT,
    AXIS_WORKGROUP,
    AXIS_LIMITS,
    AXIS_OUTPUTS,
    AXIS_PAYLOADS,
    AXIS_STRIDED
};

static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_U16, VKR_TYPE_U32};
/* A row has one of two numbers of bins. */
static const uint32_t bins[][2] = {{1, 2},     {37, 127},    {128, 255},
                                   {256, 257}, {1000, 4095}, {4096, 4096}};
static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const uint32_t workgroups[] = {0, 8, 64, 128};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHUFFLE, LIMITS_SHARED};
static const uint32_t outputs[] = {0,
                                   BIN_COUNTS,
                                   BIN_OFFSETS,
                                   BIN_INDICES,
                                   BIN_COUNTS | BIN_OFFSETS,
                                   BIN_COUNTS | BIN_INDICES,
                                   BIN_COUNTS | BIN_OFFSETS | BIN_INDICES};

/* Bytes of the entries of payloads, of which a row has one of two sets: none, one that is carried,
 * and others. */
static const uint32_t payloads[][2][BIN_PAYLOADS] = {
    {{0}, {0}}, {{4}, {4}}, {{1}, {2}}, {{64}, {12}}, {{12, 4, 16}, {8, 20, 48}}, {{6, 3}, {3, 2}}};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = ARRAY_SIZE(types),
    [AXIS_BINS] = ARRAY_SIZE(bins),
    [AXIS_DATA] = BIN_DATA_COUNT,
    [AXIS_GPU_COUNT] = ARRAY_SIZE(gpu_counts),
    [AXIS_WORKGROUP] = ARRAY_SIZE(workgroups),
    [AXIS_LIMITS] = ARRAY_SIZE(limits),
    [AXIS_OUTPUTS] = ARRAY_SIZE(outputs),
    [AXIS_PAYLOADS] = ARRAY_SIZE(payloads),
    [AXIS_STRIDED] = 2,
};

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const limits_row limited = limits[axes[AXIS_LIMITS]];
    const uint32_t *sizes = payloads[axes[AXIS_PAYLOADS]][0];
    if (axes[AXIS_OUTPUTS] == 0 && sizes[0] == 0)
        return false;
    if (sizes[0] % 4 != 0 && (!a->types[VKR_TYPE_U8] || !a->types[VKR_TYPE_U16]))
        return false;
    return a->types[types[axes[AXIS_TYPE]]] && has_limits(a, limited) &&
           workgroups[axes[AXIS_WORKGROUP]] <= a->workgroup &&
           (limited != LIMITS_SHUFFLE || a->shuffles);
}

void bin_rows_begin(row_list *list, const abilities *device)
{
    rows_begin(list, "bin", axis_sizes, 0, valid_row, device);
}

bool bin_rows_next(row_list *list, bin_row *row)
{
    uint32_t axes[MAX_AXES];
    uint64_t seed = environment("VKR_TEST_SEED", 1);
    if (!rows_next(list, axes))
        return false;
    for (uint32_t i = 0; i < MAX_AXES && axis_sizes[i] != 0; i++)
        seed = seed * 13 + axes[i];
    *row = (bin_row){.seed = seed,
                     .type = types[axes[AXIS_TYPE]],
                     .bins = bins[axes[AXIS_BINS]][seed % 2],
                     .data = (bin_data)axes[AXIS_DATA],
                     .all = seed % 3 == 0,
                     .gpu_count = gpu_counts[axes[AXIS_GPU_COUNT]],
                     .workgroup = workgroups[axes[AXIS_WORKGROUP]],
                     .limits = limits[axes[AXIS_LIMITS]],
                     .outputs = outputs[axes[AXIS_OUTPUTS]],
                     .strided = axes[AXIS_STRIDED] != 0};
    for (uint32_t i = 0; i < BIN_PAYLOADS; i++)
        if ((row->payloads[i] = payloads[axes[AXIS_PAYLOADS]][seed / 2 % 2][i]) != 0)
            row->payload_count = i + 1;
    return true;
}

void bin_describe(const bin_row *row)
{
    printf("# %s, %u bins, data %d, count%s of the GPU %s, workgroup %u, %s, outputs 0x%x, "
           "%u payloads of %u %u %u%s\n",
           vkrTypeName(row->type), row->bins, (int)row->data, row->all ? " (all)" : "",
           vkrTypeName(row->gpu_count), row->workgroup, limits_names[row->limits], row->outputs,
           row->payload_count, row->payloads[0], row->payloads[1], row->payloads[2],
           row->strided ? ", strided" : "");
}

/* ---- Data ---- */

static uint32_t key_of(const bin_row *row, uint32_t i, uint64_t *random)
{
    const uint32_t any = (uint32_t)(next_random(random) >> 32);
    switch (row->data) {
    case BIN_WITHIN:
        return any % row->bins;
    case BIN_ONE:
        return row->bins - 1;
    case BIN_NONE:
        return any % 2 != 0 ? row->bins : UINT32_MAX - any % 5;
    case BIN_FEW:
        return any % 7 == 0 ? UINT32_MAX - (any >> 3) % 64 : row->bins - i % row->bins % 5 - 1;
    default:
        return any % 4 == 0   ? any >> 2
               : any % 4 == 1 ? row->bins - 1 + (any >> 2) % 3
                              : (any >> 2) % row->bins;
    }
}

void bin_fill(const bin_row *row, uint32_t count, uint64_t *random, void *keys, uint64_t stride)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = key_of(row, i, random);
        memcpy((char *)keys + i * stride, &key, vkrTypeSize(row->type)); /* the low bytes */
    }
}
