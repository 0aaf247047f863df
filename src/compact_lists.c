/* SPDX-License-Identifier: MIT */
/* What goes by lists of indices (payloads, lengths of runs), and counts for the GPU. */
#include "compact.h"
#include "kernel_list.h"

#include <string.h>

#define READ VK_ACCESS_SHADER_READ_BIT
#define WRITE VK_ACCESS_SHADER_WRITE_BIT
#define MAX_UNITS ((uint64_t)1 << 30) /* that a dispatch moves */
#define MAX_TRIPS 10000u

/* An array that moves by a list, or is made of it. Source and target are in units. */
typedef struct vkr_move {
    uint32_t side;
    uint32_t unit;  /* bytes */
    uint32_t units; /* of an entry */
    vkr_view source;
    vkr_view target;
    bool lengths;
} vkr_move;

static const vkr_type_info *type_of_unit(uint32_t unit)
{
    return &vkr_types[unit == 1 ? VKR_TYPE_U8 : unit == 2 ? VKR_TYPE_U16 : VKR_TYPE_U32];
}

static vkr_view as_units(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize stride,
                         uint64_t capacity, uint32_t unit, uint32_t units)
{
    return (vkr_view){.buffer = buffer,
                      .offset = offset,
                      .type = type_of_unit(unit),
                      .components = units,
                      .stride = stride,
                      .capacity = capacity};
}

static vkr_move move_of_payload(const vkr_compact *c, const VkrPayload *p)
{
    const uint32_t unit = p->size % 4 == 0 ? 4 : p->size % 2 == 0 ? 2 : 1;
    const VkDeviceSize source = p->sourceStride != 0 ? p->sourceStride : p->size;
    const VkDeviceSize target = p->targetStride != 0 ? p->targetStride : p->size;
    const uint64_t held = p->target.size < p->size ? 0 : (p->target.size - p->size) / target + 1;
    return (vkr_move){
        .side = p->rejected ? VKR_REJECTED : VKR_KEPT,
        .unit = unit,
        .units = p->size / unit,
        .source =
            as_units(p->source.buffer, p->source.offset, source, c->count, unit, p->size / unit),
        .target = as_units(p->target.buffer, p->target.offset, target,
                           p->rejected ? held : c->sides[VKR_KEPT].capacity, unit, p->size / unit),
    };
}

static vkr_move move_of_values(const vkr_compact *c, uint32_t side)
{
    const vkr_view *from = &c->input;
    const vkr_view *to = &c->sides[side].values;
    const uint32_t unit = from->type->size < 4 ? from->type->size : 4;
    const uint32_t units = (uint32_t)vkr_element_size(from) / unit;
    const uint64_t held = side == VKR_KEPT ? c->sides[side].capacity : to->capacity;
    return (vkr_move){
        .side = side,
        .unit = unit,
        .units = units,
        .source = as_units(from->buffer, from->offset, from->stride, c->count, unit, units),
        .target = as_units(to->buffer, to->offset, to->stride, held, unit, units),
    };
}

static vkr_move move_of_lengths(const vkr_compact *c)
{
    const vkr_view *to = &c->lengths;
    const uint32_t words = to->type->size / 4;
    return (vkr_move){
        .side = VKR_KEPT,
        .unit = 4,
        .units = 1,
        .target =
            as_units(to->buffer, to->offset, to->stride, c->sides[VKR_KEPT].capacity, 4, words),
        .lengths = true,
    };
}

/* ---- Lists ---- */

/* Entries that a list needs. */
static uint64_t entries_of(const vkr_compact *c, uint32_t side)
{
    uint64_t most = side == VKR_KEPT || c->values_too ? 0 : c->sides[side].values.capacity;
    if (side == VKR_KEPT)
        most = c->sides[side].capacity;
    for (uint32_t i = 0; i < c->info->payloadCount && side == VKR_REJECTED; i++) {
        const vkr_move move = move_of_payload(c, &c->info->payloads[i]);
        if (move.side == side && move.target.capacity > most)
            most = move.target.capacity;
    }
    if (side == VKR_KEPT && vkr_is_there(&c->lengths) && most < c->count)
        most++; /* the length of the last one ends where the next one starts */
    return most < c->count ? most : c->count;
}

static bool caller_serves(const vkr_compact *c, uint32_t side, uint64_t entries)
{
    const vkr_view *indices = &c->sides[side].indices;
    const uint64_t held = side == VKR_KEPT ? c->sides[side].capacity : indices->capacity;
    return vkr_is_there(indices) && vkr_is_packed(indices) && held >= entries &&
           c->info->firstIndex == 0 &&
           (side == VKR_REJECTED || c->info->append.buffer == VK_NULL_HANDLE);
}

VkrResult vkr_choose_lists(VkrRecorder recorder, vkr_compact *c)
{
    const bool wide = c->count >> 32 != 0 || c->context->caps.wide_indices;
    const VkrType type = wide ? VKR_TYPE_U64 : VKR_TYPE_U32;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        if (!c->by_list[side])
            continue;
        const uint64_t entries = entries_of(c, side);
        vkr_view *list = &c->sides[side].list;
        if (caller_serves(c, side, entries)) {
            *list = c->sides[side].indices;
            continue;
        }
        const uint32_t size = vkr_types[type].size;
        *list = (vkr_view){.buffer = VKR_SCRATCH,
                           .type = &vkr_types[type],
                           .type_id = type,
                           .components = 1,
                           .stride = size,
                           .capacity = entries};
        VkrResult result = vkr_add_scratch(recorder, size * entries, &list->offset);
        if (result != VKR_SUCCESS)
            return result;
    }
    return VKR_SUCCESS;
}

/* ---- Moves ---- */

/* A window of a view: entries first .. first + count. */
typedef struct vkr_span {
    uint64_t first;
    uint64_t count;
} vkr_span;

/* Entries that a dispatch takes at most. */
static uint64_t list_reach(const vkr_compact *c, const vkr_move *move)
{
    const vkr_caps *caps = &c->context->caps;
    const vkr_view *list = &c->sides[move->side].list;
    const uint64_t groups = (uint64_t)caps->max_groups[0] * caps->max_groups[1];
    const uint64_t units = vkr_clamp(groups * c->workgroup_size * (MAX_TRIPS / 2), 1, MAX_UNITS);
    const uint64_t reach = vkr_view_reach(caps, list, list->capacity);
    const bool looks_ahead = move->lengths && reach < list->capacity;
    const uint64_t fits = reach - (looks_ahead && reach > 1);
    const uint64_t entries = units / move->units;
    return fits < entries ? fits : entries;
}

static bool next_span(vkr_span *span, uint64_t total, uint64_t reach)
{
    span->first += span->count;
    const uint64_t left = total - span->first;
    span->count = left < reach ? left : reach;
    return left != 0;
}

static uint32_t items_of(const vkr_compact *c, uint64_t units)
{
    const VkrTuning *tuning = &c->context->tunings[VKR_OPERATION_COMPACT][vkr_tuning_index(0, 4)];
    const uint64_t full = (uint64_t)c->workgroup_size * tuning->maxGroups;
    const uint64_t least = vkr_clamp(tuning->minBytes / 4, 1, MAX_TRIPS / 2);
    return (uint32_t)vkr_clamp(vkr_divide_up(units, full), least, MAX_TRIPS);
}

static VkrResult add_move(VkrRecorder recorder, const vkr_compact *c, const vkr_move *move,
                          const vkr_span *listed, const vkr_span *source, const vkr_span *target)
{
    const vkr_caps *caps = &c->context->caps;
    const vkr_view *list = &c->sides[move->side].list;
    const uint64_t units = listed->count * move->units;
    const bool appended = move->side == VKR_KEPT && c->info->append.buffer != VK_NULL_HANDLE;
    struct vkr_payload_push push = {.items = items_of(c, units),
                                    .list_low = (uint32_t)listed->first,
                                    .list_high = (uint32_t)(listed->first >> 32),
                                    .list_count = (uint32_t)listed->count,
                                    .source_low = (uint32_t)source->first,
                                    .source_high = (uint32_t)(source->first >> 32),
                                    .source_count = (uint32_t)source->count,
                                    .target_low = (uint32_t)target->first,
                                    .target_high = (uint32_t)(target->first >> 32),
                                    .target_count = (uint32_t)target->count};
    vkr_step step = {.label = c->info->label, .binding_count = VKR_PAYLOAD_BINDINGS};
    uint32_t stride;
    const bool more = move->lengths && listed->first + listed->count < list->capacity;
    vkr_bind_view(caps, &step, VKR_PAYLOAD_LIST, list, listed->first, listed->count + more, READ,
                  &push.list_base, &stride);
    push.list_base *= list->type->size / 4;
    push.record_base = vkr_bind_record(c, &step, VKR_PAYLOAD_RECORD, READ);
    if (!move->lengths)
        vkr_bind_view(caps, &step, VKR_PAYLOAD_SOURCE, &move->source, source->first, source->count,
                      READ, &push.source_base, &push.source_stride);
    vkr_bind_view(caps, &step, VKR_PAYLOAD_TARGET, &move->target, target->first, target->count,
                  WRITE, &push.target_base, &push.target_stride);
    if (target->first != 0)
        vkr_use_window(&step, VKR_PAYLOAD_TARGET);
    uint32_t flags = list->type->size == 8 ? VKR_PAYLOAD_LIST64 : 0;
    flags |= move->side == VKR_REJECTED ? VKR_PAYLOAD_REJECTED : 0;
    flags |= appended ? VKR_PAYLOAD_APPEND : 0;
    flags |= move->lengths ? VKR_PAYLOAD_LENGTHS : 0;
    flags |= move->lengths && move->target.components == 2 ? VKR_PAYLOAD_TARGET64 : 0;
    step.variant = (vkr_variant){.kernel = move->unit == 1   ? VKR_KERNEL_PAYLOAD_8
                                           : move->unit == 2 ? VKR_KERNEL_PAYLOAD_16
                                                             : VKR_KERNEL_PAYLOAD_32,
                                 .constant_count = VKR_PAYLOAD_CONSTANTS,
                                 .constants = {[VKR_CONST_WORKGROUP] = c->workgroup_size,
                                               [VKR_PAYLOAD_UNITS] = move->units,
                                               [VKR_PAYLOAD_FLAGS] = flags}};
    VKR_SET_PUSH(&step, push);
    vkr_set_groups(caps, &step, vkr_divide_up(units, (uint64_t)c->workgroup_size * push.items));
    return vkr_add_step(recorder, &step);
}

/* All windows of the list by those of the source that its entries can name, to one target. */
static VkrResult add_moves_to(VkrRecorder recorder, const vkr_compact *c, const vkr_move *move,
                              const vkr_span *target)
{
    const bool appended = move->side == VKR_KEPT && c->info->append.buffer != VK_NULL_HANDLE;
    const uint64_t entries = entries_of(c, move->side);
    const vkr_caps *caps = &c->context->caps;
    const uint64_t sources = move->lengths ? 1 : c->count;
    const uint64_t source_reach = move->lengths ? 1 : vkr_view_reach(caps, &move->source, c->count);
    VkrResult result = VKR_SUCCESS;
    vkr_span listed = {0};
    while (result == VKR_SUCCESS && next_span(&listed, entries, list_reach(c, move))) {
        const uint64_t end = listed.first + listed.count;
        if (!appended && (end <= target->first || listed.first >= target->first + target->count))
            continue;
        vkr_span source = {0};
        while (result == VKR_SUCCESS && next_span(&source, sources, source_reach))
            if (move->lengths || source.first + source.count > listed.first)
                result = add_move(recorder, c, move, &listed, &source, target);
    }
    return result;
}

static VkrResult add_moves(VkrRecorder recorder, const vkr_compact *c, const vkr_move *move)
{
    const bool appended = move->side == VKR_KEPT && c->info->append.buffer != VK_NULL_HANDLE;
    uint64_t positions = move->target.capacity;
    if (!appended && positions > c->count)
        positions = c->count;
    const uint64_t reach =
        vkr_clamp(vkr_view_reach(&c->context->caps, &move->target, positions), 1, MAX_UNITS);
    VkrResult result = VKR_SUCCESS;
    vkr_span target = {0};
    while (result == VKR_SUCCESS && next_span(&target, positions, reach))
        result = add_moves_to(recorder, c, move, &target);
    return result;
}

VkrResult vkr_plan_lists(VkrRecorder recorder, const vkr_compact *c)
{
    VkrResult result = VKR_SUCCESS;
    for (uint32_t side = 0; side < VKR_SIDES && result == VKR_SUCCESS; side++) {
        if (c->values_too || !vkr_is_there(&c->sides[side].values))
            continue;
        const vkr_move move = move_of_values(c, side);
        result = add_moves(recorder, c, &move);
    }
    for (uint32_t i = 0; i < c->info->payloadCount && result == VKR_SUCCESS; i++) {
        const vkr_move move = move_of_payload(c, &c->info->payloads[i]);
        result = add_moves(recorder, c, &move);
    }
    if (result == VKR_SUCCESS && vkr_is_there(&c->lengths)) {
        const vkr_move move = move_of_lengths(c);
        result = add_moves(recorder, c, &move);
    }
    return result;
}

/* ---- Counts ---- */

VkDeviceSize vkr_size_of_count(VkrCountKind kind)
{
    return kind == VKR_COUNT_DISPATCH ? 12 : kind >= VKR_COUNT_KEPT64 ? 8 : 4;
}

/* Places that share a descriptor's granule with others count as touching them, since validation
 * takes them so. */
static void use_granules(const vkr_compact *c, vkr_step *step, const VkrCountOutput *output,
                         VkDeviceSize size)
{
    const VkDeviceSize slack = output->offset % c->context->caps.granule;
    vkr_use(step, output->buffer, output->offset - slack, slack + size, WRITE);
}

VkrResult vkr_plan_counts(VkrRecorder recorder, const vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    const uint64_t capacity = c->sides[VKR_KEPT].capacity;
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < c->info->countOutputCount && result == VKR_SUCCESS;
         i += VKR_ARGUMENTS) {
        struct vkr_arguments_push push = {.capacity_low = (uint32_t)capacity,
                                          .capacity_high = (uint32_t)(capacity >> 32),
                                          .max_groups = caps->max_groups[0]};
        vkr_step step = {
            .label = c->info->label, .binding_count = VKR_ARGUMENTS + 1, .groups = {1, 1}};
        push.record_base = vkr_bind_record(c, &step, 0, READ);
        for (uint32_t k = 0; k < VKR_ARGUMENTS; k++) {
            push.kinds[k] = UINT32_MAX;
            if (i + k >= c->info->countOutputCount)
                continue;
            const VkrCountOutput *output = &c->info->countOutputs[i + k];
            const VkDeviceSize size = vkr_size_of_count(output->kind);
            push.bases[k] =
                (uint32_t)(vkr_bind(caps, &step, k + 1, output->buffer, output->offset, size) / 4);
            push.kinds[k] = (uint32_t)output->kind;
            push.scales[k] = output->scale != 0 ? output->scale : 1;
            use_granules(c, &step, output, size);
        }
        VKR_SET_PUSH(&step, push);
        step.variant = (vkr_variant){.kernel = VKR_KERNEL_ARGUMENTS};
        result = vkr_add_step(recorder, &step);
    }
    return result;
}
