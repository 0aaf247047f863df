/* SPDX-License-Identifier: MIT */
/* The operations of a life: how they are recorded, and their expected results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "faults_life.h"

/* All operations read the same u32, so that they need few pipelines and can share result
 * buffers. The second recording repeats the first operation, which has two steps and needs
 * scratch memory. */
static const faults_operation operations[] = {
    {"tree", VKR_OPERATION_REDUCE, VKR_REDUCE_TREE, 1002, false, false},
    {"single", VKR_OPERATION_REDUCE, VKR_REDUCE_SINGLE, 5000, false, false},
    {NULL, VKR_OPERATION_REDUCE, VKR_REDUCE_SUBGROUP, 5001, false, false},
    {"recursive", VKR_OPERATION_REDUCE, VKR_REDUCE_RECURSIVE, 1003, false, false},
    {"in place", VKR_OPERATION_REDUCE, VKR_REDUCE_RECURSIVE, CONSUMED, false, true},
    {"count on the GPU", VKR_OPERATION_REDUCE, VKR_REDUCE_AUTO, 1300, true, false},
    {"all", VKR_OPERATION_REDUCE, VKR_REDUCE_AUTO, ELEMENTS, false, false},
    {"segment", VKR_OPERATION_REDUCE, VKR_REDUCE_SPLIT, SEGMENT, false, false},
    {"scan", VKR_OPERATION_SCAN, VKR_SCAN_REDUCE_THEN_SCAN, ELEMENTS, false, false},
    {"scan by tiles", VKR_OPERATION_SCAN, VKR_SCAN_SINGLE_PASS, 5002, true, false},
    {"scan by passes", VKR_OPERATION_SCAN, VKR_SCAN_BLELLOCH, 1004, false, false},
    {"compact", VKR_OPERATION_COMPACT, VKR_COMPACT_SCAN_SCATTER, ELEMENTS, false, false},
    {"compact by tiles", VKR_OPERATION_COMPACT, VKR_COMPACT_SINGLE_PASS, 5003, true, false},
    {"image", OPERATION_IMAGE, VKR_REDUCE_AUTO, IMAGE_TEXELS, false, false},
    {"pyramid", OPERATION_PYRAMID, VKR_PYRAMID_SINGLE, IMAGE_TEXELS, false, false},
};
harness device;
static harness_buffer input, consumed, count_buffer, offsets, output, scanned, kept;
static faults_levels levels; /* level 0 contains the first elements */
/* For the first n elements: the sum, the number of kept ones, and the maximum. */
static uint32_t sums[ELEMENTS + 1], kept_counts[ELEMENTS + 1], greatest[ELEMENTS + 1];

static VkrGpuCount gpu_count_of(const faults_operation *operation)
{
    return (VkrGpuCount){.buffer = operation->gpu_count ? count_buffer.buffer : VK_NULL_HANDLE};
}

static VkrView view_of(const harness_buffer *data)
{
    return (VkrView){.buffer = data->buffer, .size = data->size, .type = VKR_TYPE_U32};
}

static VkrResult collect_reduce(const faults_operation *operation, uint32_t slot)
{
    const VkrReduceInfo info = {
        .label = operation->label,
        .ops = VKR_OP_SUM,
        .input = view_of(operation->consumes ? &consumed : &input),
        .count = operation->count,
        .gpuCount = gpu_count_of(operation),
        .output = {output.buffer, SLOT * slot, 4},
        .algorithm = (VkrReduceAlgorithm)operation->algorithm,
        .workgroupSize = 64,
        .flags = operation->consumes ? VKR_REDUCE_CONSUME_INPUT_BIT : 0,
        .segments = {.kind = operation->count == SEGMENT ? VKR_SEGMENTS_OFFSETS : VKR_SEGMENTS_NONE,
                     .offsets = {offsets.buffer, 0, 8}},
    };
    calling("vkrCmdReduce");
    return vkrCmdReduce(life.recorder, &info);
}

static VkrResult collect_scan(const faults_operation *operation, uint32_t slot)
{
    const VkrScanInfo info = {
        .label = operation->label,
        .op = VKR_OP_SUM,
        .input = view_of(&input),
        .output = view_of(&scanned),
        .count = operation->count,
        .gpuCount = gpu_count_of(operation),
        .algorithm = (VkrScanAlgorithm)operation->algorithm,
        .total = {output.buffer, SLOT * slot, 4},
    };
    calling("vkrCmdScan");
    return vkrCmdScan(life.recorder, &info);
}

static VkrResult collect_compact(const faults_operation *operation, uint32_t slot)
{
    const VkrCountOutput count = {VKR_COUNT_KEPT, output.buffer, SLOT * slot, 1};
    VkrView target = view_of(&kept);
    target.size = (VkDeviceSize)4 * operation->count; /* tiles do not support windows */
    const VkrCompactInfo info = {
        .label = operation->label,
        .input = view_of(&input),
        .count = operation->count,
        .gpuCount = gpu_count_of(operation),
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS, .a.u = LIMIT},
        .algorithm = (VkrCompactAlgorithm)operation->algorithm,
        .kept = target,
        .countOutputCount = 1,
        .countOutputs = &count,
    };
    calling("vkrCmdCompact");
    return vkrCmdCompact(life.recorder, &info);
}

static VkrResult collect_level(const char *label, const VkrImage *level, uint32_t slot)
{
    const VkrReduceInfo info = {.label = label,
                                .ops = VKR_OP_SUM,
                                .input.image = level,
                                .count = VKR_COUNT_ALL,
                                .output = {output.buffer, SLOT * slot, 4}};
    calling("vkrCmdReduce");
    return vkrCmdReduce(life.recorder, &info);
}

static VkrResult collect_image(const faults_operation *operation, uint32_t slot)
{
    return collect_level(operation->label, &levels.levels[0], slot);
}

/* The last level is the maximum texel. */
static VkrResult collect_pyramid(const faults_operation *operation, uint32_t slot)
{
    const VkrPyramidInfo info = {.label = operation->label,
                                 .ops = VKR_OP_MAX,
                                 .source = levels.levels[0],
                                 .levels = &levels.levels[1],
                                 .levelCount = levels.count - 1,
                                 .algorithm = (VkrPyramidAlgorithm)operation->algorithm};
    calling("vkrCmdPyramid");
    const VkrResult result = vkrCmdPyramid(life.recorder, &info);
    return result == VKR_SUCCESS
               ? collect_level(operation->label, &levels.levels[levels.count - 1], slot)
               : result;
}

VkrResult collect_one(const faults_operation *operation, uint32_t slot)
{
    static VkrResult (*const collectors[])(const faults_operation *operation, uint32_t slot) = {
        [VKR_OPERATION_REDUCE] = collect_reduce,   [VKR_OPERATION_SCAN] = collect_scan,
        [VKR_OPERATION_COMPACT] = collect_compact, [OPERATION_IMAGE] = collect_image,
        [OPERATION_PYRAMID] = collect_pyramid,
    };
    return collectors[operation->operation](operation, slot);
}

static const faults_operation *operation_at(uint32_t slot)
{
    return &operations[slot < ARRAY_SIZE(operations) ? slot : 0];
}

uint32_t operation_count(bool second)
{
    return life.config->all ? table_count() : ARRAY_SIZE(operations) + (second ? MORE : 0);
}

VkrResult collect_at(uint32_t index)
{
    return life.config->all ? table_collect(index) : collect_one(operation_at(index), index);
}

void clear_outputs(void)
{
    if (life.config->all)
        table_clear();
    memset(output.data, 0xa5, output.size);
    memset(scanned.data, 0xa5, scanned.size);
    memset(kept.data, 0xa5, kept.size);
    memcpy(consumed.data, input.data, consumed.size);
}

void check_answers(uint32_t count)
{
    const uint32_t *prefixes = scanned.data, *values = kept.data, *elements = input.data;
    if (life.config->all) {
        table_check();
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const faults_operation *operation = operation_at(i);
        const uint32_t *answers = operation->operation == VKR_OPERATION_COMPACT ? kept_counts
                                  : operation->operation == OPERATION_PYRAMID   ? greatest
                                                                                : sums;
        const uint32_t right = answers[operation->gpu_count ? GPU_COUNT : operation->count];
        uint32_t answer;
        memcpy(&answer, (const char *)output.data + SLOT * i, sizeof answer);
        if (answer != right)
            faults_trouble("operation %" PRIu32 ": the answer is %" PRIu32 ", not %" PRIu32, i,
                           answer, right);
    }
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        if (prefixes[i] != sums[i + 1])
            faults_trouble("prefix %" PRIu32 " is %" PRIu32 ", not %" PRIu32, i, prefixes[i],
                           sums[i + 1]);
        if (elements[i] < LIMIT && values[kept_counts[i]] != elements[i])
            faults_trouble("element %" PRIu32 " is not kept", i);
    }
}

bool open_buffers(void)
{
    if (!harness_create_buffer(&device, 4 * ELEMENTS, &input) ||
        !harness_create_buffer(&device, 4 * CONSUMED, &consumed) ||
        !harness_create_buffer(&device, 64, &count_buffer) ||
        !harness_create_buffer(&device, 8, &offsets) ||
        !harness_create_buffer(&device, SLOT * (ARRAY_SIZE(operations) + MORE), &output) ||
        !harness_create_buffer(&device, 4 * ELEMENTS, &scanned) ||
        !harness_create_buffer(&device, 4 * ELEMENTS, &kept) || !open_table())
        return false;
    uint32_t *values = input.data;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        values[i] = (i + 1) * 2654435761u;
        sums[i + 1] = sums[i] + values[i];
        kept_counts[i + 1] = kept_counts[i] + (values[i] < LIMIT);
        greatest[i + 1] = values[i] > greatest[i] ? values[i] : greatest[i];
    }
    const uint32_t count = GPU_COUNT;
    const uint32_t bounds[] = {0, SEGMENT};
    memcpy(count_buffer.data, &count, sizeof count);
    memcpy(offsets.data, bounds, sizeof bounds);
    return faults_open_levels(&device, &levels, input.buffer);
}

void close_buffers(void)
{
    harness_buffer *const buffers[] = {&input,  &consumed, &count_buffer, &offsets,
                                       &output, &scanned,  &kept};
    faults_close_levels(&device, &levels);
    close_table();
    for (size_t i = 0; i < ARRAY_SIZE(buffers); i++)
        harness_destroy_buffer(&device, buffers[i]);
}
