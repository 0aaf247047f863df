/* SPDX-License-Identifier: MIT */
/* Random valid reductions of segments, and the bytes that they may touch. */
#include "ranges.h"
#include "types.h"

enum { INPUT, INPUT2, OUTPUT, OFFSETS, GPU_COUNT, GPU_SEGMENTS };

static VkrSegments random_kind(uint64_t *seed, operation *o, uint64_t *count)
{
    VkrSegments segments = {.kind = (VkrSegmentKind)(VKR_SEGMENTS_ROWS + random_below(seed, 4)),
                            .length =
                                1 + random_below(seed, (uint64_t)1 << random_below(seed, 35))};
    if (segments.kind == VKR_SEGMENTS_OFFSETS) {
        segments.length = 0;
        segments.offsetType = (VkrType)ONE_OF(seed, 0, VKR_TYPE_U32, VKR_TYPE_U64);
        const uint64_t unit = segments.offsetType == VKR_TYPE_U64 ? 8 : 4;
        const uint64_t entries = 1 + random_below(seed, (uint64_t)1 << random_below(seed, 20));
        segments.offsets =
            (VkrBufferRange){letter(o, OFFSETS), 4 * random_below(seed, 100), unit * entries};
        add_region(o, letter(o, OFFSETS), segments.offsets.offset, segments.offsets.size, false);
        segments.gpuCount = random_gpu_count(seed, o, letter(o, GPU_SEGMENTS));
        return segments;
    }
    if (random_below(seed, 3) != 0 && *count != 0)
        segments.length = 1 + random_below(seed, min_of(*count, segments.length));
    if (segments.kind != VKR_SEGMENTS_WINDOWS)
        *count = *count / segments.length * segments.length;
    return segments;
}

/* Whether the library may refuse a request that forces nothing: because something exceeds
 * maxStorageBufferRange, or because too many dispatches would be needed. */
static bool is_large(const VkrReduceInfo *info, const VkrReduceLayout *layout, uint64_t stride)
{
    const uint64_t range = plan.device.maxStorageBufferRange / 2;
    const uint64_t partial = 700; /* bytes, at most */
    const VkrSegments *s = &info->segments;
    if (stride > range / 4 || info->count / 4000 > range / (stride + layout->stride))
        return true;
    switch (s->kind) {
    case VKR_SEGMENTS_OFFSETS:
        return info->count * stride + s->offsets.size + layout->size + 3 * 4 * layout->segments +
                   partial * (info->count / 1000 + 2) >
               range;
    case VKR_SEGMENTS_WINDOWS:
        return s->length > range / (stride + partial / 8) / 4;
    case VKR_SEGMENTS_ROWS:
        return s->length > range / stride / 4 &&
               (info->gpuCount.buffer || info->count / s->length > 100);
    default: /* a dispatch for each share of the elements and of the partials of columns */
        return info->count / s->length > range / partial || s->length > range ||
               (info->count / range * stride) * (info->count / 64 * partial / range) > 1000 ||
               (info->gpuCount.buffer && info->count > UINT32_MAX);
    }
}

static VkrOpFlags random_ops(uint64_t *seed, VkrType type)
{
    VkrOpFlags ops = 0;
    for (uint64_t i = 1 + random_below(seed, 4); i > 0; i--)
        ops |= 1u << random_below(seed, VKR_OP_BITS);
    ops &= ~other_ops(type, VKR_TYPE_UNDEFINED);
    return ops ? ops : VKR_OP_MEAN;
}

VkrResult collect_segments(uint64_t *seed, const char *label, operation *o)
{
    VkrReduceInfo info = {.label = label};
    VkrReduceLayout layout;
    const VkrType type = (VkrType)(1 + random_below(seed, VKR_TYPE_COUNT - 1));
    const uint32_t components = 1 + (uint32_t)(random_below(seed, 2) * random_below(seed, 4));
    info.input = random_view(seed, &plan.device, type, components, WINDOWS);
    if (random_below(seed, 20) == 0)
        info.input.size = random_below(seed, (uint64_t)1 << 34);
    info.input.buffer = letter(o, INPUT);
    info.input.texels = random_texels(seed, &info.input);
    info.ops = random_ops(seed, type);
    info.count = view_capacity(&info.input);
    info.segments = random_kind(seed, o, &info.count);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    info.nan = (VkrNan)random_below(seed, 2);
    info.determinism = (VkrDeterminism)random_below(seed, 3);
    if (random_below(seed, 2))
        info.algorithm = (VkrReduceAlgorithm)(VKR_REDUCE_LANES + random_below(seed, 4));
    if (random_below(seed, 4) == 0)
        info.workgroupSize =
            info.determinism == VKR_DETERMINISM_DEVICE ? 128 : 1u << random_below(seed, 8);
    add_view(o, &info.input, 0, false);
    if (info.ops & VKR_OP_DOT) {
        info.input2 = view_of(seed, letter(o, INPUT2), type, components, info.count);
        add_view(o, &info.input2, 0, false);
    }
    if (vkrGetReduceLayout(fixture.context, &info, &layout) != VKR_SUCCESS)
        return VKR_ERROR_UNSUPPORTED;
    info.output = (VkrBufferRange){letter(o, OUTPUT), 8 * random_below(seed, 100), layout.size};
    add_region(o, info.output.buffer, info.output.offset, layout.size, true);
    const uint64_t record =
        layout.size - (layout.segments - (layout.segments != 0)) * layout.stride;
    add_entries(o, info.output.buffer, info.output.offset, layout.stride, record, layout.segments);
    const uint64_t element = (uint64_t)components * vkrTypeSize(type);
    const uint64_t stride = view_stride(&info.input);
    const uint64_t stride2 = info.ops & VKR_OP_DOT ? view_stride(&info.input2) : 0;
    add_entries(o, info.input.buffer, info.input.offset, stride, element,
                layout.segments ? info.count : 0);
    o->may_fail = info.algorithm != VKR_REDUCE_AUTO || info.workgroupSize != 0 ||
                  info.determinism == VKR_DETERMINISM_DEVICE ||
                  is_large(&info, &layout, stride > stride2 ? stride : stride2);
    o->kind = info.segments.kind;
    o->segments = layout.segments;
    o->record = record;
    o->length = info.segments.kind == VKR_SEGMENTS_COLUMNS ? info.count / info.segments.length
                                                           : info.segments.length;
    o->count = info.count;
    o->output = info.output.offset;
    o->unit = vkrTypeSize(type);
    return vkrCmdReduce(fixture.recorder, &info);
}
