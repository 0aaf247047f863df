/* SPDX-License-Identifier: MIT */
/* vkrCmdBin against the oracle; entries past the last offset are among the bytes that must not
 * change. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "oracle_bin.h"

#define PAYLOADS 3u
#define MOST 1000003u /* elements */

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

/* Outputs beside payloads. */
enum { GIVES_COUNTS = 1, GIVES_OFFSETS = 2, GIVES_INDICES = 4 };

typedef enum bin_data {
    DATA_WITHIN, /* all keys in bins */
    DATA_MIXED,  /* some in none: next to the last bin, and anywhere */
    DATA_LAST,   /* all in the last bin */
    DATA_NONE,   /* none in a bin */
    DATA_FEW,    /* neighbouring bins, in descending order, and the end of the type */
    DATA_KINDS
} bin_data;

static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_U16, VKR_TYPE_U32};
/* A row has one of two numbers of bins. */
static const uint32_t bins[][2] = {{1, 2},     {37, 127},    {128, 255},
                                   {256, 257}, {1000, 4095}, {4096, 4096}};
static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static const uint32_t workgroups[] = {0, 8, 64, 128};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHUFFLE, LIMITS_SHARED};
static const uint32_t outputs[] = {0,
                                   GIVES_COUNTS,
                                   GIVES_OFFSETS,
                                   GIVES_INDICES,
                                   GIVES_COUNTS | GIVES_OFFSETS,
                                   GIVES_COUNTS | GIVES_INDICES,
                                   GIVES_COUNTS | GIVES_OFFSETS | GIVES_INDICES};

/* Bytes of the entries of payloads, of which a row has one of two sets: none, one that is carried,
 * and others. */
static const uint32_t payloads[][2][PAYLOADS] = {
    {{0}, {0}}, {{4}, {4}}, {{1}, {2}}, {{64}, {12}}, {{12, 4, 16}, {8, 20, 48}}, {{6, 3}, {3, 2}}};

typedef struct binning {
    VkrType type;
    uint32_t count; /* as far as the host knows */
    bin_data data;
    VkrBinInfo info;
    VkrPayload payloads[PAYLOADS];
} binning;

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const uint32_t *sizes = payloads[axes[AXIS_PAYLOADS]][0];
    if (axes[AXIS_OUTPUTS] == 0 && sizes[0] == 0)
        return false;
    if (sizes[0] % 4 != 0 && (!a->types[VKR_TYPE_U8] || !a->types[VKR_TYPE_U16]))
        return false;
    return a->types[types[axes[AXIS_TYPE]]] && has_limits(a, limits[axes[AXIS_LIMITS]]) &&
           workgroups[axes[AXIS_WORKGROUP]] <= a->workgroup;
}

static void context(test_request *t)
{
    t->limits = limits[t->axes[AXIS_LIMITS]];
}

/* ---- A request ---- */

static void place(test_request *t, uint32_t given, const uint32_t sizes[PAYLOADS], bool strided)
{
    binning *b = t->own;
    VkrBinInfo *info = &b->info;
    const uint32_t stride = strided ? 3 : 1, size = vkrTypeSize(b->type);
    info->label = "bin";
    info->payloads = b->payloads;
    info->keys = test_input(t, b->type, 1, (VkDeviceSize)size * stride, size, b->count);
    if ((given & GIVES_COUNTS) != 0)
        info->counts = test_written(t, 4, 4 * (VkDeviceSize)info->binCount);
    if ((given & GIVES_OFFSETS) != 0)
        info->offsets = test_written(t, 4, 4 * (VkDeviceSize)info->binCount + 4);
    if ((given & GIVES_INDICES) != 0)
        info->indices = test_output(t, VKR_TYPE_U32, 1, 4 * (VkDeviceSize)stride, b->count);
    for (uint32_t i = 0; i < PAYLOADS && sizes[i] != 0; i++)
        b->payloads[info->payloadCount++] =
            test_payload(t, sizes[i], strided ? 3 : 0, false, strided ? 0 : 16, b->count);
}

static void make(test_request *t)
{
    static const uint32_t sizes[] = {0, 1, 191, 193, 3071, 3073, 20001};
    const uint32_t choice = random_below(&t->structure, 2);
    binning *b = t->own;
    b->type = types[t->axes[AXIS_TYPE]];
    b->data = (bin_data)t->axes[AXIS_DATA];
    b->count = test_size(t, sizes, ARRAY_SIZE(sizes), 20001);
    b->info.binCount = bins[t->axes[AXIS_BINS]][choice];
    b->info.workgroupSize = workgroups[t->axes[AXIS_WORKGROUP]];
    b->info.count = test_below(t, 3) == 0 && b->count != 0 ? VKR_COUNT_ALL : b->count;
    place(t, outputs[t->axes[AXIS_OUTPUTS]], payloads[t->axes[AXIS_PAYLOADS]][choice],
          t->axes[AXIS_STRIDED] != 0);
    b->info.gpuCount = test_count(t, gpu_counts[t->axes[AXIS_GPU_COUNT]], b->count);
}

static bool make_large(test_request *t, uint32_t number)
{
    static const uint32_t numbers[] = {255, 4096}, payload[PAYLOADS] = {12};
    binning *b = t->own;
    b->type = VKR_TYPE_U32;
    b->data = DATA_MIXED;
    b->info.count = b->count = MOST < t->most ? MOST : t->most;
    b->info.binCount = numbers[number];
    place(t, GIVES_COUNTS | GIVES_OFFSETS | GIVES_INDICES, payload, false);
    return true;
}

static uint32_t key_of(test_request *t, uint32_t i)
{
    const binning *b = t->own;
    const uint32_t any = (uint32_t)(next_random(&t->random) >> 32), number = b->info.binCount;
    switch (b->data) {
    case DATA_WITHIN:
        return any % number;
    case DATA_LAST:
        return number - 1;
    case DATA_NONE:
        return any % 2 != 0 ? number : UINT32_MAX - any % 5;
    case DATA_FEW:
        return any % 7 == 0 ? UINT32_MAX - (any >> 3) % 64 : number - i % number % 5 - 1;
    default:
        return any % 4 == 0   ? any >> 2
               : any % 4 == 1 ? number - 1 + (any >> 2) % 3
                              : (any >> 2) % number;
    }
}

static void fill(test_request *t)
{
    const binning *b = t->own;
    const VkrView *keys = &b->info.keys;
    if (!test_fills(t, keys->buffer, keys->offset))
        return;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t key = key_of(t, i);
        memcpy(test_element(keys, i), &key, vkrTypeSize(b->type)); /* the low bytes */
    }
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdBin(recorder, &((const binning *)t->own)->info);
}

static void expect(test_request *t)
{
    static uint32_t counts[VKR_MAX_BIN_COUNT], offsets[VKR_MAX_BIN_COUNT + 1];
    const binning *b = t->own;
    const VkrBinInfo *info = &b->info;
    const oracle_bin_info oracle = {.keys = test_element(&info->keys, 0),
                                    .stride = info->keys.stride,
                                    .key_size = vkrTypeSize(b->type),
                                    .count = (uint32_t)test_counted(&info->gpuCount, b->count),
                                    .bins = info->binCount};
    uint32_t *indices = malloc((b->count + 1) * sizeof *indices);
    assert_non_null(indices);
    oracle_bin(&oracle, counts, offsets, indices);
    const uint32_t kept = offsets[info->binCount];
    if (info->counts.buffer != VK_NULL_HANDLE)
        memcpy(test_bytes(info->counts.buffer, info->counts.offset), counts, info->counts.size);
    if (info->offsets.buffer != VK_NULL_HANDLE)
        memcpy(test_bytes(info->offsets.buffer, info->offsets.offset), offsets, info->offsets.size);
    for (uint32_t i = 0; i < kept && info->indices.buffer != VK_NULL_HANDLE; i++)
        memcpy(test_element(&info->indices, i), &indices[i], 4);
    for (uint32_t k = 0; k < info->payloadCount; k++)
        for (uint32_t i = 0; i < kept; i++)
            test_expect_payload(&b->payloads[k], i, indices[i]);
    rig.cases += kept;
    free(indices);
}

static void print(const test_request *t)
{
    const VkrBinInfo *info = &((const binning *)t->own)->info;
    test_print_view("keys", &info->keys);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_number("binCount", info->binCount);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_range("counts", &info->counts);
    test_print_range("offsets", &info->offsets);
    test_print_view("indices", &info->indices);
    test_print_payloads(info->payloadCount, info->payloads);
}

const test_operation test_bin = {
    .name = "bin",
    .call = "vkrCmdBin",
    .axes = {[AXIS_TYPE] = {"type", ARRAY_SIZE(types)},
             [AXIS_BINS] = {"bins", ARRAY_SIZE(bins)},
             [AXIS_DATA] = {"data", DATA_KINDS},
             [AXIS_GPU_COUNT] = {"count", ARRAY_SIZE(gpu_counts)},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_LIMITS] = {"limits", ARRAY_SIZE(limits)},
             [AXIS_OUTPUTS] = {"outputs", ARRAY_SIZE(outputs)},
             [AXIS_PAYLOADS] = {"payloads", ARRAY_SIZE(payloads)},
             [AXIS_STRIDED] = {"strided", 2}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_BINS | 1u << AXIS_GPU_COUNT | 1u << AXIS_WORKGROUP |
               1u << AXIS_LIMITS | 1u << AXIS_OUTPUTS | 1u << AXIS_PAYLOADS,
    .layouts = 7,
    .size = sizeof(binning),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .print = print,
    .fixed = {{"test_large", 2, make_large, 0, 0}},
};
