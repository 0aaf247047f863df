/* SPDX-License-Identifier: MIT */
/* Random valid scans, and the bytes that they may touch. */
#include "ranges.h"

#define MANY_WINDOWS 100u /* sometimes, so that the partials of all windows exceed the range too */

static const uint64_t initial[4] = {1, 2, 3, 4}; /* enough for 4 components of 64 bits */

static VkrType random_accumulator(uint64_t *seed, VkrType type)
{
    static const VkrType wide[VKR_TYPE_COUNT] = {
        [VKR_TYPE_I8] = VKR_TYPE_I64,  [VKR_TYPE_I16] = VKR_TYPE_I64,
        [VKR_TYPE_I32] = VKR_TYPE_I64, [VKR_TYPE_U8] = VKR_TYPE_U64,
        [VKR_TYPE_U16] = VKR_TYPE_U64, [VKR_TYPE_U32] = VKR_TYPE_U64,
        [VKR_TYPE_F16] = VKR_TYPE_F64, [VKR_TYPE_F32] = VKR_TYPE_F64,
        [VKR_TYPE_BF16] = VKR_TYPE_F64};
    return random_below(seed, 3) ? VKR_TYPE_UNDEFINED : wide[type];
}

static VkrSegments random_segments(uint64_t *seed, operation *o, uint64_t count)
{
    VkrSegments segments = {.kind = VKR_SEGMENTS_NONE};
    if (random_below(seed, 2))
        segments.kind = (VkrSegmentKind)random_below(seed, VKR_SEGMENTS_OFFSETS + 1);
    if (segments.kind == VKR_SEGMENTS_NONE && random_below(seed, 4) == 0) {
        const VkrType type = (VkrType)(1 + random_below(seed, VKR_TYPE_COUNT - 1));
        segments.kind = VKR_SEGMENTS_KEYS;
        segments.keys =
            view_of(seed, letter(o, 4), type, 1 + (uint32_t)random_below(seed, 4), count);
        add_view(o, &segments.keys, count, false);
        /* A window has the keys of a whole granule of bits, of which there are at most 2,048. */
        o->may_fail |= view_stride(&segments.keys) > plan.device.maxStorageBufferRange / 4096;
    }
    if (segments.kind == VKR_SEGMENTS_FLAGS)
        segments.flags = random_flags(seed, o, letter(o, 2), count);
    if (segments.kind == VKR_SEGMENTS_ROWS) {
        segments.length = 1 + random_below(seed, (uint64_t)1 << random_below(seed, 35));
        random_pitch(seed, &segments);
        o->may_fail |= segments.pitch > segments.length && count >> 32 != 0;
        mark_apart(o, &segments, count);
    }
    if (segments.kind == VKR_SEGMENTS_OFFSETS) {
        segments.offsetType = (VkrType)ONE_OF(seed, 0, VKR_TYPE_U32, VKR_TYPE_U64);
        const uint64_t unit = segments.offsetType == VKR_TYPE_U64 ? 8 : 4;
        const uint64_t entries = 1 + random_below(seed, 10000);
        segments.offsets =
            (VkrBufferRange){letter(o, 3), unit * random_below(seed, 100), unit * entries};
        add_region(o, letter(o, 3), segments.offsets.offset, segments.offsets.size, false);
        add_entries(o, letter(o, 3), segments.offsets.offset, unit, unit, count ? entries : 0);
    }
    return segments;
}

static VkrBufferRange result_range(uint64_t *seed, operation *o, uint32_t role, uint64_t unit,
                                   uint64_t size, bool written)
{
    const VkrBufferRange range = {letter(o, role), unit * random_below(seed, 100),
                                  size + random_below(seed, 9)};
    add_region(o, range.buffer, range.offset, range.size, written);
    return range;
}

/* Whether a request may be impossible at level DEVICE: a run must fit into a window, and a reversed
 * scan, which starts at the end, must know its count. */
static bool cannot_be_cut(const VkrScanInfo *info)
{
    const uint64_t range = plan.device.maxStorageBufferRange / VKR_SCAN_RUN / 2;
    return view_stride(&info->input) > range || view_stride(&info->output) > range ||
           (info->flags & VKR_SCAN_REVERSE_BIT && info->gpuCount.buffer);
}

VkrResult collect_scan(uint64_t *seed, const char *label, operation *o)
{
    VkrScanInfo info = {.label = label};
    VkrType type;
    const uint64_t windows = random_below(seed, 8) ? WINDOWS : MANY_WINDOWS;
    info.input = random_input(seed, o, windows, &info.count);
    const uint32_t components = info.input.components;
    info.op = (VkrOp)ONE_OF(seed, VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX, VKR_OP_AND,
                            VKR_OP_OR, VKR_OP_XOR);
    if (is_float(info.input.type) && info.op >= VKR_OP_AND)
        info.op = VKR_OP_SUM;
    info.accumulator = random_accumulator(seed, info.input.type);
    info.flags = (uint32_t)random_below(seed, 4);
    info.nan = (VkrNan)random_below(seed, 3);
    info.determinism = (VkrDeterminism)random_below(seed, 3);
    info.algorithm = random_below(seed, 4)
                         ? VKR_SCAN_AUTO
                         : (VkrScanAlgorithm)(1 + random_below(seed, VKR_SCAN_ALGORITHM_COUNT - 1));
    o->may_fail = info.algorithm != VKR_SCAN_AUTO;
    info.workgroupSize = random_workgroup(seed, o);
    if (vkrGetScanType(fixture.context, &info, &type) != VKR_SUCCESS)
        return VKR_ERROR_INVALID_STATE;
    const bool own = type != info.input.type || info.algorithm > VKR_SCAN_REDUCE_THEN_SCAN ||
                     random_below(seed, 6);
    info.output = own ? view_of(seed, letter(o, 1), type, components, info.count) : info.input;
    info.output.texels = (VkrTexels){0};
    add_view(o, &info.input, info.count, !own);
    if (own)
        add_view(o, &info.output, info.count, true);
    mark_wide(o, &info.input);
    mark_wide(o, &info.output);
    info.segments = random_segments(seed, o, info.count);
    const uint32_t walks = o->walk_count;
    if (random_below(seed, 4) == 0)
        info.mask.flags = random_flags(seed, o, letter(o, 7), info.count);
    if (info.segments.pitch != 0) /* which may leave flags that belong to no row */
        o->walk_count = walks;
    /* A window of the copy has elements of whole granules. */
    if (info.mask.flags.range.buffer || info.nan == VKR_NAN_SKIP)
        o->may_fail |= view_stride(&info.input) > plan.device.maxStorageBufferRange / 1024;
    info.gpuCount = random_gpu_count(seed, o, letter(o, 4));
    if (info.determinism == VKR_DETERMINISM_DEVICE && cannot_be_cut(&info))
        o->may_fail = true;
    const uint64_t unit = vkrTypeSize(type);
    if (random_below(seed, 4) == 0)
        info.initial = initial;
    else if (random_below(seed, 4) == 0)
        info.gpuInitial = result_range(seed, o, 5, unit, unit * components, false);
    if (random_below(seed, 3) == 0)
        info.total = result_range(seed, o, 6, unit, unit * components, true);
    const bool runs = info.count || info.total.buffer;
    const uint64_t size = unit * components;
    add_entries(o, info.gpuInitial.buffer, info.gpuInitial.offset, size, size,
                runs && info.gpuInitial.buffer);
    add_entries(o, info.total.buffer, info.total.offset, size, size,
                info.total.buffer != VK_NULL_HANDLE);
    return vkrCmdScan(fixture.recorder, &info);
}
