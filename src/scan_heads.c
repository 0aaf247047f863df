/* SPDX-License-Identifier: MIT */
/* Where segments start, as a bit per element. */
#include <string.h>

#include "kernel_list.h"
#include "scan.h"

#define WORKGROUP 128u /* every device takes as many */
#define WORD_BITS 32u
#define MOST_ELEMENTS (UINT32_C(1) << 31) /* of a dispatch: indices stay below 2^32 */

/* What one dispatch does. */
typedef struct pass {
    uint32_t kernel;
    uint32_t mode; /* VKR_HEADS_* */
    VkrBufferRange source;
    uint64_t count; /* flags or indices */
    uint64_t invocations;
    uint64_t first; /* elements whose bits are made or set */
    uint64_t elements;
} pass;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static VkrResult add_pass(VkrRecorder recorder, const vkr_scan *scan, const pass *p)
{
    const vkr_caps *caps = &scan->context->caps;
    const VkrTuning *tuning =
        &scan->context->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(VK_FALSE, sizeof(uint32_t))];
    const uint32_t unit = p->mode == VKR_HEADS_FLAGS ? (uint32_t)(p->source.size / p->count) : 4;
    const VkDeviceSize words = scan->heads_offset + p->first / 8;
    const VkDeviceSize size = 4 * vkr_divide_up(p->elements, WORD_BITS);
    vkr_step step = {.label = scan->info->label,
                     .binding_count = VKR_HEADS_BINDINGS,
                     .variant = {.kernel = p->kernel,
                                 .constant_count = VKR_HEADS_CONSTANTS,
                                 .constants = {[VKR_CONST_WORKGROUP] = WORKGROUP,
                                               [VKR_CONST_MODE] = p->mode,
                                               [VKR_CONST_ORDER] = tuning->order}}};
    const uint64_t groups = vkr_divide_up(p->invocations, WORKGROUP);
    struct vkr_heads_push push = {.count = (uint32_t)p->count,
                                  .first_low = (uint32_t)p->first,
                                  .first_high = (uint32_t)(p->first >> 32),
                                  .elements = (uint32_t)p->elements,
                                  .groups = (uint32_t)groups};
    push.source_base = (uint32_t)(vkr_bind(caps, &step, VKR_HEADS_SOURCE, p->source.buffer,
                                           p->source.offset, p->source.size) /
                                  unit);
    push.words_base =
        (uint32_t)(vkr_bind(caps, &step, VKR_HEADS_WORDS, scan->heads_buffer, words, size) / 4);
    vkr_use(&step, p->source.buffer, p->source.offset, p->source.size, VK_ACCESS_SHADER_READ_BIT);
    vkr_use(&step, scan->heads_buffer, words, size,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT); /* sets bits among others */
    vkr_set_groups(caps, &step, groups);
    VKR_SET_PUSH(&step, push);
    return vkr_add_step(recorder, &step);
}

/* Invocations that one dispatch has at most. */
static uint64_t most_invocations(const vkr_caps *caps)
{
    return least((uint64_t)caps->max_groups[0] * caps->max_groups[1] * WORKGROUP, MOST_ELEMENTS);
}

/* Values of a size that one descriptor reaches, wherever they start. */
static uint64_t reach(const vkr_caps *caps, uint32_t unit)
{
    return (caps->max_range - (caps->granule - 1)) / unit;
}

/* Windows end where a granule of bits does, so that no two write the same one. */
static uint64_t whole_granules(const vkr_caps *caps, uint64_t elements)
{
    const uint64_t granule = UINT64_C(8) * caps->granule;
    return least(elements, MOST_ELEMENTS) / granule * granule;
}

static VkrResult add_flags(VkrRecorder recorder, const vkr_scan *scan)
{
    const vkr_caps *caps = &scan->context->caps;
    const VkrFlags *flags = &scan->info->segments.flags;
    const bool bytes = flags->format == VKR_FLAGS_U8;
    const uint32_t unit = bytes ? 1 : 4;
    const uint64_t window =
        whole_granules(caps, least(reach(caps, unit), WORD_BITS * most_invocations(caps)));
    VkrResult result = VKR_SUCCESS;
    for (uint64_t first = 0; first < scan->count && result == VKR_SUCCESS; first += window) {
        const uint64_t count = least(scan->count - first, window);
        const pass p = {
            .kernel = bytes ? VKR_KERNEL_HEADS_W8 : VKR_KERNEL_HEADS,
            .mode = VKR_HEADS_FLAGS,
            .source = {flags->range.buffer, flags->range.offset + first * unit, count * unit},
            .count = count,
            .invocations = vkr_divide_up(count, WORD_BITS),
            .first = first,
            .elements = count};
        result = add_pass(recorder, scan, &p);
    }
    return result;
}

/* Of every window of bits, each of the list. */
static VkrResult add_offsets(VkrRecorder recorder, const vkr_scan *scan)
{
    const vkr_caps *caps = &scan->context->caps;
    const VkrBufferRange *offsets = &scan->info->segments.offsets;
    const bool wide = scan->info->segments.offsetType == VKR_TYPE_U64;
    const uint32_t unit = wide ? 8 : 4;
    const uint64_t entries = offsets->size / unit;
    const uint64_t list_window = least(reach(caps, unit), most_invocations(caps));
    const uint64_t window = whole_granules(caps, 8 * reach(caps, 1));
    VkrResult result = VKR_SUCCESS;
    for (uint64_t first = 0; first < scan->count; first += window) {
        for (uint64_t entry = 0; entry < entries && result == VKR_SUCCESS; entry += list_window) {
            const uint64_t count = least(entries - entry, list_window);
            const pass p = {
                .kernel = VKR_KERNEL_HEADS,
                .mode = wide ? VKR_HEADS_STARTS64 : VKR_HEADS_STARTS,
                .source = {offsets->buffer, offsets->offset + entry * unit, count * unit},
                .count = count,
                .invocations = count,
                .first = first,
                .elements = least(scan->count - first, window)};
            result = add_pass(recorder, scan, &p);
        }
    }
    return result;
}

VkrResult vkr_plan_heads(VkrRecorder recorder, vkr_scan *scan)
{
    const VkrSegments *segments = &scan->info->segments;
    const bool listed = segments->kind == VKR_SEGMENTS_OFFSETS;
    if (scan->count == 0)
        return VKR_SUCCESS;
    scan->heads_size = 4 * vkr_divide_up(scan->count, WORD_BITS);
    if (!listed && segments->flags.format == VKR_FLAGS_BITS) {
        scan->heads_buffer = segments->flags.range.buffer;
        scan->heads_offset = segments->flags.range.offset;
        return VKR_SUCCESS;
    }
    /* Bits of a list are set among zeros, which counters are. */
    scan->heads_buffer = listed ? VKR_COUNTERS : VKR_SCRATCH;
    VkrResult result = listed ? vkr_add_counters(recorder, scan->heads_size, &scan->heads_offset)
                              : vkr_add_scratch(recorder, scan->heads_size, &scan->heads_offset);
    if (result == VKR_SUCCESS)
        result = listed ? add_offsets(recorder, scan) : add_flags(recorder, scan);
    return result;
}
