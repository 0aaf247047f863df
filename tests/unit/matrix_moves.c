/* SPDX-License-Identifier: MIT */
/* The tables of scans and of compactions: what each algorithm supports. */
#include <stdbool.h>
#include "../../src/core/context.h"
#include "matrix.h"

#define COUNT 1000000u

static VkrView words(uintptr_t buffer, uint64_t count)
{
    return (VkrView){.buffer = (VkBuffer)buffer, .size = 4 * count, .type = VKR_TYPE_U32};
}

/* What a column asks for, in addition to what every column asks for. */
static void in_place(VkrScanInfo *info)
{
    info->output = info->input;
}

static void past_range(VkrScanInfo *info)
{
    info->input.size = (VkDeviceSize)1 << 33;
    info->output.size = (VkDeviceSize)1 << 33;
}

static void float_sums(VkrScanInfo *info)
{
    info->input.type = VKR_TYPE_F32;
    info->output.type = VKR_TYPE_F32;
}

static void float_sums_none(VkrScanInfo *info)
{
    float_sums(info);
    info->determinism = VKR_DETERMINISM_NONE;
}

static void float_sums_device(VkrScanInfo *info)
{
    float_sums(info);
    info->determinism = VKR_DETERMINISM_DEVICE;
}

static void segmented(VkrScanInfo *info)
{
    info->segments =
        (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = {(VkBuffer)(uintptr_t)3, 0, 4096}};
}

static const struct {
    const char *name;
    void (*ask)(VkrScanInfo *info); /* NULL: nothing */
    bool no_progress;
} scan_columns[] = {
    {"integers, min, max", NULL, false},
    {"float sums at `none`", float_sums_none, false},
    {"at `run`", float_sums, false},
    {"at `device`", float_sums_device, false},
    {"segments", segmented, false},
    {"in place", in_place, false},
    {"past a descriptor's range", past_range, false},
    {"without forward progress", NULL, true},
};

static bool serves_scan(VkrContext context, VkrScanAlgorithm algorithm, size_t column)
{
    VkrScanInfo info = {.op = VKR_OP_SUM,
                        .input = words(1, COUNT),
                        .output = words(2, COUNT),
                        .count = VKR_COUNT_ALL,
                        .algorithm = algorithm};
    VkrRecorder recorder = NULL;
    if (scan_columns[column].ask)
        scan_columns[column].ask(&info);
    context->forward_progress =
        scan_columns[column].no_progress ? VKR_FORWARD_PROGRESS_NONE : VKR_FORWARD_PROGRESS_AUTO;
    const bool served =
        vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder) == VKR_SUCCESS &&
        vkrBegin(recorder) == VKR_SUCCESS && vkrCmdScan(recorder, &info) == VKR_SUCCESS;
    vkrDestroyRecorder(recorder);
    return served;
}

static void keep_values(VkrCompactInfo *info)
{
    info->kept = words(2, COUNT);
}

static void keep_indices(VkrCompactInfo *info)
{
    info->keptIndices = words(2, COUNT);
}

static void reject(VkrCompactInfo *info)
{
    keep_values(info);
    info->rejected = words(3, COUNT);
    info->rejectedIndices = words(4, COUNT);
}

static void take_runs(VkrCompactInfo *info)
{
    keep_values(info);
    info->predicate.kind = VKR_PREDICATE_UNIQUE;
    info->runLengths = words(3, COUNT);
}

static void flag_values(VkrCompactInfo *info)
{
    keep_values(info);
    info->predicate.kind = VKR_PREDICATE_FLAGS;
    info->predicate.flags.range = (VkrBufferRange){(VkBuffer)(uintptr_t)3, 0, 4 * COUNT};
}

static void move_payloads(VkrCompactInfo *info)
{
    static const VkrPayload payload = {.size = 12,
                                       .source = {(VkBuffer)(uintptr_t)3, 0, 12 * COUNT},
                                       .target = {(VkBuffer)(uintptr_t)4, 0, 12 * COUNT}};
    info->payloadCount = 1;
    info->payloads = &payload;
}

static void compact_past_range(VkrCompactInfo *info)
{
    info->input.size = (VkDeviceSize)1 << 33;
    info->kept = words(2, (uint64_t)1 << 31);
}

static const struct {
    const char *name;
    void (*ask)(VkrCompactInfo *info);
    bool no_progress;
} compact_columns[] = {
    {"kept values", keep_values, false},
    {"indices", keep_indices, false},
    {"rejected ones", reject, false},
    {"run lengths", take_runs, false},
    {"values by flags", flag_values, false},
    {"payloads", move_payloads, false},
    {"past a descriptor's range", compact_past_range, false},
    {"without forward progress", keep_values, true},
};

static bool serves_compact(VkrContext context, VkrCompactAlgorithm algorithm, size_t column)
{
    VkrCompactInfo info = {
        .input = words(1, COUNT), .count = VKR_COUNT_ALL, .algorithm = algorithm};
    VkrRecorder recorder = NULL;
    compact_columns[column].ask(&info);
    context->forward_progress =
        compact_columns[column].no_progress ? VKR_FORWARD_PROGRESS_NONE : VKR_FORWARD_PROGRESS_AUTO;
    const bool served =
        vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder) == VKR_SUCCESS &&
        vkrBegin(recorder) == VKR_SUCCESS && vkrCmdCompact(recorder, &info) == VKR_SUCCESS;
    vkrDestroyRecorder(recorder);
    return served;
}

static void print_heading(const char *name, const char *column, bool last)
{
    put(name);
    put(" | ");
    put(column);
    put(last ? " |\n" : "");
}

static void print_rule(size_t columns)
{
    for (size_t i = 0; i <= columns; i++)
        put("|---");
    put("|\n");
}

void print_moves(VkrContext context)
{
    const size_t scans = VKR_ARRAY_SIZE(scan_columns), compacts = VKR_ARRAY_SIZE(compact_columns);
    for (size_t i = 0; i < scans; i++)
        print_heading(i ? "" : "| scan by", scan_columns[i].name, i + 1 == scans);
    print_rule(scans);
    for (int a = 0; a < VKR_SCAN_ALGORITHM_COUNT; a++) {
        put("| ");
        put(vkrScanAlgorithmName((VkrScanAlgorithm)a));
        for (size_t i = 0; i < scans; i++)
            put(serves_scan(context, (VkrScanAlgorithm)a, i) ? " | yes" : " | -");
        put(" |\n");
    }
    put("\n");
    for (size_t i = 0; i < compacts; i++)
        print_heading(i ? "" : "| compaction by", compact_columns[i].name, i + 1 == compacts);
    print_rule(compacts);
    for (int a = 0; a < VKR_COMPACT_ALGORITHM_COUNT; a++) {
        put("| ");
        put(vkrCompactAlgorithmName((VkrCompactAlgorithm)a));
        for (size_t i = 0; i < compacts; i++)
            put(serves_compact(context, (VkrCompactAlgorithm)a, i) ? " | yes" : " | -");
        put(" |\n");
    }
}
