/* SPDX-License-Identifier: MIT */
/*
 * matrix matrix|guarantees [PAGE]: prints the support matrix, or the table of operations and
 * guarantees. It asks the planners themselves, on a context that stands for a device with every
 * feature, so that the tables say what the code does. With a page it compares that page's section
 * between "matrix begin" and "matrix end" ("guarantees begin" and so on) with what it would print.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../src/core/context.h"
#include "../../src/tables/policies.h"
#include "../../src/tables/tuning.h"
#include "../../src/tables/types.h"
#include "matrix.h"

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

void put(const char *piece)
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
    vkr_choose_policies(&context.caps, context.policies);
    return context;
}

/* The type of the result, or UNDEFINED if the operator or the algorithm does not support the
 * type. */
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

/* The operators of `auto` that an algorithm supports; UINT32_MAX if it supports all of them. */
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

/* Compares the text with the section of a page, and reports in TAP. */
static int compare(const char *name, const char *path)
{
    char begin[64], end[64];
    char *page = calloc(1, MAX_TEXT);
    FILE *file = fopen(path, "rb");
    const char *section = NULL;
    int same = 0;

    snprintf(begin, sizeof begin, "<!-- %s begin -->\n", name);
    snprintf(end, sizeof end, "<!-- %s end -->", name);
    if (page && file && fread(page, 1, MAX_TEXT - 1, file) > 0)
        section = strstr(page, begin);
    if (section) {
        section += strlen(begin);
        same = strncmp(section, text, used) == 0 && strncmp(section + used, end, strlen(end)) == 0;
    }
    if (file)
        fclose(file);
    free(page);
    printf("1..1\n%sok 1 - the page has the table that this program prints\n", same ? "" : "not ");
    return !same;
}

int main(int argc, char **argv)
{
    struct VkrContext_T context = every_feature();
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "matrix") == 0) {
        print_results(&context);
        put("\n");
        print_algorithms(&context);
        put("\n");
        print_moves(&context);
    } else if (strcmp(name, "guarantees") == 0) {
        print_guarantees(&context);
    } else {
        fputs("usage: matrix matrix|guarantees [PAGE]\n", stderr);
        return 2;
    }
    if (argc > 2)
        return compare(name, argv[2]);
    return fputs(text, stdout) < 0;
}
