/* SPDX-License-Identifier: MIT */
#include "hooks_case.h"

#define HALF (HOOKS_OUTPUT / 2)

const hook_row hook_rows[] = {
    {"as_float", VKR_TYPE_F32, 1}, {"as_vec2", VKR_TYPE_F32, 2},  {"as_vec3", VKR_TYPE_F32, 3},
    {"as_vec4", VKR_TYPE_F32, 4},  {"as_int", VKR_TYPE_I32, 1},   {"as_ivec2", VKR_TYPE_I32, 2},
    {"as_ivec3", VKR_TYPE_I32, 3}, {"as_ivec4", VKR_TYPE_I32, 4}, {"as_uint", VKR_TYPE_U32, 1},
    {"as_uvec2", VKR_TYPE_U32, 2}, {"as_uvec3", VKR_TYPE_U32, 3}, {"as_uvec4", VKR_TYPE_U32, 4},
    {NULL, VKR_TYPE_UNDEFINED, 0}};

static VkrReduceInfo reduction_of(const hook_case *c)
{
    return (VkrReduceInfo){.ops = VKR_OP_SUM | VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN,
                           .input = c->view,
                           .count = c->count,
                           .gpuCount = c->gpu_count,
                           .output = {c->output, c->at, HALF}};
}

static VkrResult reduce(const hook_case *c)
{
    const VkrReduceInfo info = reduction_of(c);
    return vkrCmdReduce(c->recorder, &info);
}

static VkrResult reduce_on_every_device(const hook_case *c)
{
    VkrReduceInfo info = reduction_of(c);
    info.determinism = VKR_DETERMINISM_DEVICE;
    return vkrCmdReduce(c->recorder, &info);
}

static VkrResult reduce_masked(const hook_case *c)
{
    VkrReduceInfo info = reduction_of(c);
    info.mask.flags = c->flags;
    return vkrCmdReduce(c->recorder, &info);
}

static VkrResult dot(const hook_case *c)
{
    VkrReduceInfo info = reduction_of(c);
    info.ops = VKR_OP_DOT;
    info.input2 = c->view;
    return vkrCmdReduce(c->recorder, &info);
}

static VkrResult reduce_rows(const hook_case *c)
{
    VkrReduceInfo info = reduction_of(c);
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 100};
    return vkrCmdReduce(c->recorder, &info);
}

static VkrResult reduce_windows(const hook_case *c)
{
    VkrReduceInfo info = reduction_of(c);
    info.ops = VKR_OP_SUM;
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_WINDOWS, .length = 9};
    return vkrCmdReduce(c->recorder, &info);
}

static VkrResult scan(const hook_case *c)
{
    const VkrScanInfo info = {.op = VKR_OP_SUM,
                              .input = c->view,
                              .count = c->count,
                              .gpuCount = c->gpu_count,
                              .output = {.buffer = c->output, .offset = c->at, .size = HALF}};
    return vkrCmdScan(c->recorder, &info);
}

static VkrResult scan_segments(const hook_case *c)
{
    const VkrScanInfo info = {.op = VKR_OP_MAX,
                              .input = c->view,
                              .count = c->count,
                              .segments = {.kind = VKR_SEGMENTS_FLAGS, .flags = c->flags},
                              .output = {.buffer = c->output, .offset = c->at, .size = HALF}};
    return vkrCmdScan(c->recorder, &info);
}

static VkrResult histogram(const hook_case *c)
{
    const VkrHistogramInfo info = {
        .input = c->view,
        .count = c->count,
        .gpuCount = c->gpu_count,
        .mask = {.flags = c->flags},
        .bins = {.kind = VKR_BINS_EVEN, .count = 64, .low.value = -4096.0, .high.value = 4096.0},
        .counts = {c->output, c->at, HALF}};
    return vkrCmdHistogram(c->recorder, &info);
}

/* The elements count in one bin, as often as they say. */
static VkrResult weighted_histogram(const hook_case *c)
{
    const VkrHistogramInfo info = {
        .input = {.buffer = c->plain, .size = 4 * c->count, .type = VKR_TYPE_F32},
        .count = c->count,
        .gpuCount = c->gpu_count,
        .weights = c->view,
        .bins = {.kind = VKR_BINS_EVEN, .count = 3, .low.value = -1e6, .high.value = 1e6},
        .counts = {c->output, c->at, HALF}};
    return vkrCmdHistogram(c->recorder, &info);
}

static VkrResult compact_values(const hook_case *c)
{
    const VkrCountOutput count = {VKR_COUNT_KEPT, c->output, c->at, 0};
    const VkrCompactInfo info = {
        .input = c->view,
        .count = c->count,
        .gpuCount = c->gpu_count,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_GREATER, .a = {.u = 0}},
        .kept = {.buffer = c->output, .offset = c->at + 64, .size = HALF - 64},
        .countOutputCount = 1,
        .countOutputs = &count};
    return vkrCmdCompact(c->recorder, &info);
}

/* Values and indices of both sides. */
static VkrResult compact_flags(const hook_case *c)
{
    const VkDeviceSize part = HALF / 4;
    const VkrCountOutput count = {VKR_COUNT_KEPT, c->output, c->at, 0};
    const VkrCompactInfo info = {
        .input = c->view,
        .count = c->count,
        .gpuCount = c->gpu_count,
        .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = c->flags},
        .kept = {.buffer = c->output, .offset = c->at + 64, .size = part},
        .keptIndices = {.buffer = c->output, .offset = c->at + 64 + part, .size = part},
        .rejected = {.buffer = c->output, .offset = c->at + 64 + 2 * part, .size = part},
        .countOutputCount = 1,
        .countOutputs = &count};
    return vkrCmdCompact(c->recorder, &info);
}

static VkrResult compact_indices(const hook_case *c)
{
    const VkrCountOutput count = {VKR_COUNT_DISPATCH, c->output, c->at, 64};
    const VkrCompactInfo info = {
        .count = c->count,
        .gpuCount = c->gpu_count,
        .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = c->flags, .negate = VK_TRUE},
        .keptIndices = {.buffer = c->output, .offset = c->at + 64, .size = HALF - 64},
        .countOutputCount = 1,
        .countOutputs = &count};
    return vkrCmdCompact(c->recorder, &info);
}

static VkrView output_view(const hook_case *c, VkrType type, VkDeviceSize offset)
{
    return (VkrView){.buffer = c->output, .offset = c->at + offset, .size = HALF / 2, .type = type};
}

static VkrSortInfo sort_of(const hook_case *c)
{
    return (VkrSortInfo){.flags = VKR_SORT_NAN_FIRST_BIT,
                         .keys = c->view,
                         .count = c->count,
                         .gpuCount = c->gpu_count,
                         .sorted = output_view(c, VKR_TYPE_UNDEFINED, 0),
                         .indices = output_view(c, VKR_TYPE_U32, HALF / 2)};
}

static VkrResult sort(const hook_case *c)
{
    const VkrSortInfo info = sort_of(c);
    return vkrCmdSort(c->recorder, &info);
}

static VkrResult sort_rows(const hook_case *c)
{
    VkrSortInfo info = sort_of(c);
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 100};
    return vkrCmdSort(c->recorder, &info);
}

static VkrResult select_first(const hook_case *c)
{
    const VkrTopKInfo info = {.input = c->view,
                              .count = c->count,
                              .gpuCount = c->gpu_count,
                              .k = 50,
                              .values = output_view(c, VKR_TYPE_UNDEFINED, 0),
                              .indices = output_view(c, VKR_TYPE_U32, HALF / 2)};
    return vkrCmdTopK(c->recorder, &info);
}

const hook_operation hook_operations[] = {
    {"reduction", reduce, 4, false, true, 0},
    {"reduction on every device", reduce_on_every_device, 2, true, true, 0},
    {"masked reduction", reduce_masked, 2, false, true, 0},
    {"dot product", dot, 1, false, true, 0},
    {"reduction of rows", reduce_rows, 4, false, true, 100},
    {"reduction of windows", reduce_windows, 1, false, false, 9},
    {"scan", scan, 4, false, true, 0},
    {"scan of segments", scan_segments, 2, false, false, 0},
    {"histogram", histogram, 1, true, true, 0},
    {"weighted histogram", weighted_histogram, 1, true, true, 0},
    {"compaction of values", compact_values, 4, false, true, 0},
    {"compaction by flags", compact_flags, 2, false, true, 0},
    {"compaction of indices", compact_indices, 1, false, true, 0},
    {"sort", sort, 1, false, true, 0},
    {"sort of rows", sort_rows, 1, false, true, 0},
    {"selection", select_first, 1, false, true, 0},
    {NULL, NULL, 0, false, false, 0}};
