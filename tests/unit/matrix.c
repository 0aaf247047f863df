/* SPDX-License-Identifier: MIT */
/*
 * Prints the support matrix of README.md. It asks the planners themselves, on a context that stands
 * for a device with every feature, so that the tables say what the code does. With a file's name it
 * compares that file's section between "matrix begin" and "matrix end" with what it would print.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../src/core/context.h"
#include "../../src/tables/tuning.h"
#include "../../src/tables/types.h"

#define MAX_TEXT 65536

/* The rows of the second table. */
static const struct {
    const char *name;
    VkrReduceAlgorithm algorithm;
    uint32_t flags;
} ways[] = {
    {"auto", VKR_REDUCE_AUTO, 0},
    {"single", VKR_REDUCE_SINGLE, 0},
    {"subgroup", VKR_REDUCE_SUBGROUP, 0},
    {"tree", VKR_REDUCE_TREE, 0},
    {"recursive", VKR_REDUCE_RECURSIVE, 0},
    {"recursive, in place", VKR_REDUCE_RECURSIVE, VKR_REDUCE_CONSUME_INPUT_BIT},
};

static char text[MAX_TEXT];
static size_t used;

static void put(const char *piece)
{
    const size_t length = strlen(piece);
    if (used + length < MAX_TEXT) {
        memcpy(text + used, piece, length + 1);
        used += length;
    }
}

static struct VkrContext_T every_feature(void)
{
    struct VkrContext_T context = {
        .caps =
            {
                .features = (1u << VKR_FEATURE_BITS) - 1,
                .group_path = VKR_GROUP_PATH_ARITHMETIC,
                .subgroup_size = 32,
                .min_subgroup_size = 4,
                .max_range = UINT32_MAX & ~255u,
                .max_groups = {65535, 65535},
                .max_workgroup_size = 1024,
                .max_shared_memory = 32768,
                .granule = 256,
                .uniform_granule = 256,
                .device_type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
            },
    };
    vkr_tune(&context.caps, context.tunings);
    return context;
}

/* The type of the result, or UNDEFINED where the operator or the way does not serve the type. */
static VkrType result_of(VkrContext context, size_t way, uint32_t op, VkrType type)
{
    const VkBuffer buffers[2] = {(VkBuffer)(uintptr_t)1, (VkBuffer)(uintptr_t)2};
    const uint64_t count = 1000000;
    const VkrView view = {.buffer = buffers[0], .size = count * vkrTypeSize(type), .type = type};
    const VkrReduceInfo info = {
        .ops = 1u << op,
        .input = view,
        .input2 = view,
        .count = VKR_COUNT_ALL,
        .output = {.buffer = buffers[1], .size = 4096},
        .algorithm = ways[way].algorithm,
        .flags = ways[way].flags,
    };
    VkrReduceLayout layout;
    VkrRecorder recorder = NULL;
    VkrResult result = vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder);

    if (result == VKR_SUCCESS)
        result = vkrBegin(recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(recorder, &info);
    if (result == VKR_SUCCESS)
        result = vkrGetReduceLayout(context, &info, &layout);
    vkrDestroyRecorder(recorder);
    return result == VKR_SUCCESS ? layout.results[op].type : VKR_TYPE_UNDEFINED;
}

static void print_results(VkrContext context)
{
    put("| result of");
    for (VkrType type = VKR_TYPE_I8; type < VKR_TYPE_COUNT; type++) {
        put(" | ");
        put(vkrTypeName(type));
    }
    put(" |\n|---");
    for (VkrType type = VKR_TYPE_I8; type < VKR_TYPE_COUNT; type++)
        put("|---");
    put("|\n");
    for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
        put("| ");
        put(vkr_ops[op].name);
        for (VkrType type = VKR_TYPE_I8; type < VKR_TYPE_COUNT; type++) {
            const VkrType result = result_of(context, 0, op, type);

            put(" | ");
            put(result ? vkrTypeName(result) : "-");
        }
        put(" |\n");
    }
}

/* The operators that a way serves, of those that `auto` does. */
static VkrOpFlags served(VkrContext context, size_t way, VkrType type, bool *all)
{
    VkrOpFlags any = 0, ops = 0;

    for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
        any |= result_of(context, 0, op, type) ? 1u << op : 0;
        ops |= result_of(context, way, op, type) ? 1u << op : 0;
    }
    *all = ops == any;
    return *all ? UINT32_MAX : ops;
}

/* One row for all types that have the same operators. */
static void print_way(VkrContext context, size_t way)
{
    VkrOpFlags ops[VKR_TYPE_COUNT];
    bool all[VKR_TYPE_COUNT], printed[VKR_TYPE_COUNT] = {false};

    for (VkrType type = VKR_TYPE_I8; type < VKR_TYPE_COUNT; type++)
        ops[type] = served(context, way, type, &all[type]);
    for (VkrType first = VKR_TYPE_I8; first < VKR_TYPE_COUNT; first++) {
        if (printed[first])
            continue;
        put("| ");
        put(ways[way].name);
        put(" |");
        for (VkrType type = first; type < VKR_TYPE_COUNT; type++) {
            if (ops[type] != ops[first])
                continue;
            printed[type] = true;
            put(" ");
            put(vkrTypeName(type));
        }
        put(" |");
        for (uint32_t op = 0; op < VKR_OP_BITS; op++)
            if (!all[first] && (ops[first] & 1u << op)) {
                put(" ");
                put(vkr_ops[op].name);
            }
        put(all[first] ? " all that have a result above |\n" : " |\n");
    }
}

static void print_algorithms(VkrContext context)
{
    put("| algorithm | element types | operators |\n|---|---|---|\n");
    for (size_t way = 0; way < VKR_ARRAY_SIZE(ways); way++)
        print_way(context, way);
}

/* ---- Scans and compactions: what each algorithm serves ---- */

#define COUNT 1000000u

static VkrView words(uintptr_t buffer, uint64_t count)
{
    return (VkrView){.buffer = (VkBuffer)buffer, .size = 4 * count, .type = VKR_TYPE_U32};
}

/* What a column asks for in addition to what all columns ask for. */
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

static void print_moves(VkrContext context)
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

/* Reports in TAP. */
static int compare(const char *path)
{
    const char *begin = "<!-- matrix begin -->\n", *end = "<!-- matrix end -->";
    char *readme = calloc(1, MAX_TEXT);
    FILE *file = fopen(path, "rb");
    const char *section = NULL;
    int same = 0;
    if (readme && file && fread(readme, 1, MAX_TEXT - 1, file) > 0)
        section = strstr(readme, begin);
    if (section) {
        section += strlen(begin);
        same = strncmp(section, text, used) == 0 && strncmp(section + used, end, strlen(end)) == 0;
    }
    if (file)
        fclose(file);
    free(readme);
    printf("1..1\n%sok 1 - the support matrix of README.md is what this program prints\n",
           same ? "" : "not ");
    return !same;
}

int main(int argc, char **argv)
{
    struct VkrContext_T context = every_feature();
    vkr_tune(&context.caps, context.tunings);

    print_results(&context);
    put("\n");
    print_algorithms(&context);
    put("\n");
    print_moves(&context);
    if (argc > 1)
        return compare(argv[1]);
    return fputs(text, stdout) < 0;
}
