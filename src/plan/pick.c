/* SPDX-License-Identifier: MIT */
#include "pick.h"

#include <inttypes.h>

#include "kernel_list.h"

#define BATCH 4u /* units that an invocation copies, as in pick.comp */
#define MAX_UNITS ((uint64_t)1 << 30)

/* ---- Units ---- */

/* As wide as one load can be, where entries allow that. */
static uint32_t unit_of(const vkr_picking *p)
{
    const vkr_view *source = &p->source, *target = &p->target;
    const VkDeviceSize ends = vkr_element_size(target) | source->offset | source->stride |
                              target->offset | target->stride;
    if (!vkr_has_buffer(source))
        return 4;
    return ends % 16 == 0  ? 16
           : ends % 8 == 0 ? 8
           : ends % 4 == 0 ? 4
                           : (uint32_t)vkr_min(target->type->size, 4);
}

static uint32_t units_of(const vkr_picking *p)
{
    return (uint32_t)vkr_element_size(&p->target) / unit_of(p);
}

static vkr_place place_of(const vkr_view *view, uint32_t unit)
{
    vkr_place place = vkr_place_of_view(view);
    place.unit = unit;
    return place;
}

/* ---- Windows ---- */

/* A window of rows, or of the entries of one row; and of the elements of the source. */
typedef struct window {
    uint64_t row, rows;
    uint64_t first, entries; /* the first entry of the first row, and all entries */
    uint64_t element, elements;
} window;

static vkr_pass pass_of(const vkr_picking *p, const window *at)
{
    static const uint32_t kernels[] = {VKR_KERNEL_PICK_8, VKR_KERNEL_PICK_16, VKR_KERNEL_PICK_32,
                                       VKR_KERNEL_PICK_64, VKR_KERNEL_PICK_128};
    const uint32_t unit = unit_of(p);
    const bool is_copied = vkr_has_buffer(&p->source);
    const uint64_t before = (at->rows - 1) * p->wanted; /* entries of all rows but the last */
    vkr_pass pass = {.walk = p->walk,
                     .card = &vkr_pick_card,
                     .kernel = kernels[vkr_log2_up(unit)],
                     .constants = {[VKR_CONST_WORKGROUP] = p->workgroup_size,
                                   [VKR_PICK_CONST_UNITS] = units_of(p),
                                   [VKR_PICK_CONST_FLAGS] =
                                       (is_copied ? 0 : VKR_PICK_FLAG_INDICES) |
                                       (p->list.buffer == VK_NULL_HANDLE ? VKR_PICK_FLAG_COPY : 0)},
                     .slots = {[VKR_PICK_SLOT_LIST] =
                                   vkr_items(p->list, at->row * p->wanted + at->first, at->entries),
                               [VKR_PICK_SLOT_SOURCE] =
                                   vkr_items(place_of(&p->source, unit), at->element, at->elements),
                               [VKR_PICK_SLOT_TARGET] = vkr_items(
                                   place_of(&p->target, unit), at->row * p->pitch + at->first,
                                   (at->rows - 1) * p->pitch + at->entries - before)}};
    if (p->gpu_count != NULL) {
        pass.constants[VKR_PICK_CONST_FLAGS] |= vkr_count_flags(p->gpu_count);
        pass.slots[VKR_PICK_SLOT_COUNT].place = vkr_place_of_count(p->gpu_count);
    }
    return pass;
}

static VkrResult add_window(VkrRecorder recorder, const vkr_picking *p, const window *at)
{
    vkr_pass pass = pass_of(p, at);
    struct vkr_pick_push *push = VKR_PUSH(&pass, vkr_pick_push);
    push->first_row = (uint32_t)at->row;
    push->first_entry = (uint32_t)at->first;
    push->entries = (uint32_t)at->entries;
    push->row_length = (uint32_t)p->length;
    push->wanted = (uint32_t)p->wanted;
    push->pitch = (uint32_t)p->pitch;
    push->source_first = (uint32_t)at->element;
    push->source_count = (uint32_t)at->elements;
    const uint64_t share = (uint64_t)p->workgroup_size * BATCH;
    const vkr_window groups = {.groups = vkr_divide_up(at->entries * units_of(p), share)};
    return vkr_emit_window(recorder, &pass, &groups);
}

/* Adds the copies of a window of rows from each window of the source in which these lie. */
static VkrResult add_sources(VkrRecorder recorder, const vkr_picking *p, window at)
{
    const vkr_caps *caps = &p->walk->context->caps;
    const uint64_t end = vkr_min((at.row + at.rows) * p->length, p->walk->count);
    at.element = at.row * p->length;
    if (!vkr_has_buffer(&p->source))
        return add_window(recorder, p, &at);
    for (; at.element < end; at.element += at.elements) {
        const uint64_t reach = vkr_view_window(caps, &p->source, at.element);
        at.elements = vkr_min(end - at.element, vkr_max(reach, 1));
        VKR_TRY(add_window(recorder, p, &at));
    }
    return VKR_SUCCESS;
}

/* Fails where the windows of rows, of the entries of a row, and of the sources of each of these
 * windows are too many dispatches. */
static VkrResult check_windows(const vkr_picking *p, uint64_t rows, uint64_t most)
{
    const vkr_caps *caps = &p->walk->context->caps;
    const vkr_place source = vkr_place_of_view(&p->source);
    const uint64_t reach =
        vkr_has_buffer(&p->source) ? vkr_max(vkr_place_reach(caps, &source), 1) : UINT64_MAX;
    const uint64_t parts = rows == 1 ? vkr_divide_up(vkr_min(p->wanted, p->entries), most) : 1;
    const uint64_t windows = vkr_divide_up(p->entries, rows * p->wanted) * parts;
    const uint64_t sources = vkr_divide_up(vkr_min(rows * p->length, p->walk->count), reach);
    VKR_NEED(p->walk, windows <= VKR_MAX_PAIRS && windows * sources <= VKR_MAX_PAIRS,
             "copies to %s have %" PRIu64 " windows of maxStorageBufferRange (%" PRIu64
             " bytes) and read up to %" PRIu64
             " for each of them, but must need at most %u dispatches.",
             p->name, windows, caps->max_range, sources, VKR_MAX_PAIRS);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_picking(VkrRecorder recorder, const vkr_picking *p)
{
    const vkr_caps *caps = &p->walk->context->caps;
    const vkr_place target = place_of(&p->target, unit_of(p));
    const uint64_t list =
        p->list.buffer != VK_NULL_HANDLE ? vkr_place_reach(caps, &p->list) : UINT64_MAX;
    const uint64_t reach = vkr_min(vkr_place_reach(caps, &target), MAX_UNITS);
    const uint64_t groups = vkr_all_groups(caps) * p->workgroup_size * BATCH;
    const uint64_t most = vkr_min(groups, MAX_UNITS) / units_of(p); /* entries of a dispatch */
    const uint64_t within = vkr_max(reach / p->pitch, reach >= p->wanted);
    const uint64_t rows = vkr_min(within, vkr_max(vkr_min(most, list) / p->wanted, 1));
    VKR_NEED(p->walk, rows != 0 && p->wanted <= list,
             "the %" PRIu64 " entries of a segment in %s must fit maxStorageBufferRange (%" PRIu64
             " bytes).",
             p->wanted, p->name, caps->max_range);
    VKR_TRY(check_windows(p, rows, most));
    for (uint64_t row = 0; row * p->wanted < p->entries; row += rows) {
        const uint64_t end = vkr_min((row + rows) * p->wanted, p->entries) - row * p->wanted;
        window at = {.row = row, .rows = vkr_divide_up(end, p->wanted)};
        for (; at.first < end; at.first += at.entries) {
            at.entries = vkr_min(end - at.first, rows == 1 ? most : end);
            VKR_TRY(add_sources(recorder, p, at));
        }
    }
    return VKR_SUCCESS;
}
