/* SPDX-License-Identifier: MIT */
/* Copies what the entries of a selection refer to, by a list of indices. */
#include <inttypes.h>

#include "compact.h"
#include "kernel_list.h"
#include "topk.h"

#define BATCH 4u /* units that an invocation copies, as in pick.comp */
#define MAX_UNITS ((uint64_t)1 << 30)

/* ---- Copies ---- */

/* What is copied for each entry. The source is a null buffer where indices are stored. */
typedef struct copy {
    const char *name;
    vkr_view source, target;
    uint64_t pitch; /* entries of a row in the target */
    uint32_t unit;  /* bytes */
    uint32_t units; /* of an entry */
} copy;

static bool has_source(const copy *c)
{
    return vkr_has_buffer(&c->source);
}

/* Chooses units as wide as one load can be, where entries allow that. */
static copy new_copy(const char *name, const vkr_view *source, const vkr_view *target,
                     uint64_t pitch)
{
    const uint32_t size = (uint32_t)vkr_element_size(target);
    const VkDeviceSize ends =
        size | source->offset | source->stride | target->offset | target->stride;
    const uint32_t unit = ends % 16 == 0 ? 16 : ends % 8 == 0 ? 8 : target->type->size;
    const bool is_copied = vkr_has_buffer(source);
    return (copy){.name = name,
                  .source = *source,
                  .target = *target,
                  .pitch = pitch,
                  .unit = is_copied ? unit : 4,
                  .units = is_copied ? size / unit : 1};
}

static vkr_place place_of(const vkr_view *view, uint32_t unit)
{
    vkr_place place = vkr_place_of_view(view);
    place.unit = unit;
    return place;
}

/* A window of rows, and of the elements of the source. */
typedef struct window {
    uint64_t row, rows;
    uint64_t element, elements;
} window;

static VkrResult add_window(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list,
                            const copy *c, const window *at)
{
    static const uint32_t kernels[] = {VKR_KERNEL_PICK_8, VKR_KERNEL_PICK_16, VKR_KERNEL_PICK_32,
                                       VKR_KERNEL_PICK_64, VKR_KERNEL_PICK_128};
    const uint64_t entries = at->rows * t->wanted;
    const uint32_t size = t->walk.workgroup_size;
    vkr_pass pass = {
        .walk = &t->walk,
        .card = &vkr_pick_card,
        .kernel = kernels[vkr_log2_up(c->unit)],
        .constants = {[VKR_CONST_WORKGROUP] = size,
                      [VKR_PICK_CONST_UNITS] = c->units,
                      [VKR_PICK_CONST_FLAGS] = vkr_count_flags(&t->info->gpuCount) |
                                               (has_source(c) ? 0 : VKR_PICK_FLAG_INDICES)},
        .slots = {[VKR_PICK_SLOT_LIST] = vkr_items(*list, at->row * t->wanted, entries),
                  [VKR_PICK_SLOT_COUNT] = {.place = vkr_place_of_count(&t->info->gpuCount)},
                  [VKR_PICK_SLOT_SOURCE] =
                      vkr_items(place_of(&c->source, c->unit), at->element, at->elements),
                  [VKR_PICK_SLOT_TARGET] =
                      vkr_items(place_of(&c->target, c->unit), at->row * c->pitch,
                                (at->rows - 1) * c->pitch + t->wanted)}};
    struct vkr_pick_push *push = VKR_PUSH(&pass, vkr_pick_push);
    push->first_row = (uint32_t)at->row;
    push->entries = (uint32_t)entries;
    push->row_length = (uint32_t)t->length;
    push->wanted = t->wanted;
    push->pitch = (uint32_t)c->pitch;
    push->source_first = (uint32_t)at->element;
    push->source_count = (uint32_t)at->elements;
    const vkr_window groups = {.groups = vkr_divide_up(entries * c->units, (uint64_t)size * BATCH)};
    return vkr_emit_window(recorder, &pass, &groups);
}

/* Adds the copies of a window of rows from each window of the source in which these lie. */
static VkrResult add_sources(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list,
                             const copy *c, window at)
{
    const vkr_caps *caps = &t->walk.context->caps;
    const uint64_t end = vkr_min((at.row + at.rows) * t->length, t->walk.count);
    at.element = at.row * t->length;
    if (!has_source(c))
        return add_window(recorder, t, list, c, &at);
    for (; at.element < end; at.element += at.elements) {
        const uint64_t reach = vkr_view_window(caps, &c->source, at.element);
        at.elements = vkr_min(end - at.element, vkr_max(reach, 1));
        VKR_TRY(add_window(recorder, t, list, c, &at));
    }
    return VKR_SUCCESS;
}

static VkrResult add_copy(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list,
                          const copy *c)
{
    const vkr_caps *caps = &t->walk.context->caps;
    const vkr_place target = place_of(&c->target, c->unit);
    const uint64_t reach = vkr_min(vkr_place_reach(caps, &target), MAX_UNITS);
    const uint64_t groups = vkr_all_groups(caps) * t->walk.workgroup_size * BATCH;
    const uint64_t units = vkr_min(groups, MAX_UNITS) / c->units;
    const uint64_t entries = vkr_min(units, vkr_place_reach(caps, list)) / t->wanted;
    const uint64_t most = vkr_min(vkr_max(reach / c->pitch, reach >= t->wanted), entries);
    VKR_NEED(&t->walk, most != 0,
             "the %u entries of a segment in %s must fit maxStorageBufferRange (%" PRIu64
             " bytes).",
             t->wanted, c->name, caps->max_range);
    window at = {0};
    for (; at.row < t->rows; at.row += at.rows) {
        at.rows = vkr_min(t->rows - at.row, most);
        VKR_TRY(add_sources(recorder, t, list, c, at));
    }
    return VKR_SUCCESS;
}

/* ---- Outputs ---- */

VkrResult vkr_copy_keys(VkrRecorder recorder, const vkr_topk *t, vkr_view *keys)
{
    const VkDeviceSize size = t->input.type->size, count = t->rows * t->wanted;
    *keys = (vkr_view){.buffer = VKR_SCRATCH,
                       .size = size * count,
                       .type = t->input.type,
                       .type_id = t->input.type_id,
                       .components = 1,
                       .stride = size,
                       .capacity = count};
    VKR_TRY(vkr_add_scratch(recorder, keys->size, &keys->offset));
    const copy c = new_copy("scratch", &t->input, keys, t->wanted);
    return add_copy(recorder, t, &t->list, &c);
}

VkrResult vkr_copy_outputs(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list)
{
    const vkr_view none = {0};
    if (vkr_has_buffer(&t->values)) {
        const copy values = new_copy("values", &t->input, &t->values, t->info->k);
        VKR_TRY(add_copy(recorder, t, list, &values));
    }
    if (vkr_has_buffer(&t->indices)) {
        const copy indices = new_copy("indices", &none, &t->indices, t->info->k);
        VKR_TRY(add_copy(recorder, t, list, &indices));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_copy_payloads(VkrRecorder recorder, const vkr_topk *t, const vkr_place *list)
{
    for (uint32_t i = 0; i < t->info->payloadCount; i++) {
        const VkrPayload *p = &t->info->payloads[i];
        const vkr_view source = vkr_view_of_source(&t->walk, p), target = vkr_view_of_target(p);
        const copy payload = new_copy("a payload's target", &source, &target, t->info->k);
        VKR_TRY(add_copy(recorder, t, list, &payload));
    }
    return VKR_SUCCESS;
}
