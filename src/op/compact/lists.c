/* SPDX-License-Identifier: MIT */
/* Moves payloads, values and lengths of runs by lists of indices. */
#include "compact.h"
#include "kernel_list.h"

/* ---- Lists ---- */

/* Whether marks cannot replace a side's list. */
static bool needs_list(const vkr_compact *c, uint32_t side)
{
    return side == VKR_KEPT &&
           (vkr_has_buffer(&c->lengths) || c->info->sink != NULL || c->of_segments);
}

bool vkr_is_listed(const vkr_compact *c, uint32_t side)
{
    for (uint32_t i = 0; i < c->info->payloadCount; i++)
        if (vkr_side_of(&c->info->payloads[i]) == side)
            return true;
    return (!c->moves_values && vkr_has_buffer(&c->sides[side].values)) || needs_list(c, side);
}

/* The number of entries that a list needs. The last kept run ends where the next run starts, so it
 * needs one more entry; segments have an entry for the end of the elements, too. */
static uint64_t entries_of(const vkr_compact *c, uint32_t side)
{
    const bool more =
        (vkr_has_buffer(&c->lengths) || c->of_segments) && c->capacity < c->walk.count;
    if (side == VKR_KEPT)
        return vkr_min(c->capacity + more, c->walk.count);
    uint64_t max = c->moves_values ? 0 : c->sides[side].values.capacity;
    for (uint32_t i = 0; i < c->info->payloadCount; i++)
        if (c->info->payloads[i].rejected)
            max = vkr_max(max, vkr_view_of_target(&c->info->payloads[i]).capacity);
    return vkr_min(max, c->walk.count);
}

static bool caller_serves(const vkr_compact *c, uint32_t side, uint64_t entries)
{
    const vkr_view *indices = &c->sides[side].indices;
    return vkr_has_buffer(indices) && vkr_is_packed(indices) &&
           vkr_side_capacity(c, side, indices->capacity) >= entries && c->info->firstIndex == 0 &&
           !vkr_is_appended(c, side);
}

/* The maximum number of units of an entry that moves with a side. */
static uint32_t max_units(const vkr_compact *c, uint32_t side)
{
    uint32_t max = 1;
    if (!c->moves_values && vkr_has_buffer(&c->sides[side].values))
        max = vkr_move_of_values(c, side).units;
    for (uint32_t i = 0; i < c->info->payloadCount; i++) {
        const vkr_move move = vkr_move_of_payload(c, &c->info->payloads[i]);
        if (move.side == side)
            max = (uint32_t)vkr_max(max, move.units);
    }
    return max;
}

VkrResult vkr_choose_lists(VkrRecorder recorder, vkr_compact *c)
{
    const bool wide = c->walk.count >> 32 != 0 || c->walk.context->caps.wide_indices;
    const VkrType type = wide ? VKR_TYPE_U64 : VKR_TYPE_U32;
    const uint32_t size = vkr_types[type].size;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const uint64_t entries = entries_of(c, side);
        vkr_side *s = &c->sides[side];
        if (vkr_is_listed(c, side) && caller_serves(c, side, entries)) {
            s->list = s->indices;
        } else if (vkr_is_listed(c, side) && !needs_list(c, side) &&
                   vkr_can_mark(c, max_units(c, side))) {
            s->marked = true;
            VKR_TRY(vkr_add_marks(recorder, c));
        } else if (vkr_is_listed(c, side)) {
            s->list = (vkr_view){.buffer = VKR_SCRATCH,
                                 .type = &vkr_types[type],
                                 .type_id = type,
                                 .components = 1,
                                 .stride = size,
                                 .capacity = entries};
            const uint64_t ends = c->of_segments ? 1 : 0;
            VKR_TRY(vkr_add_scratch(recorder, size * (entries + ends), &s->list.offset));
        }
    }
    return VKR_SUCCESS;
}

/* ---- Moves ---- */

/* The maximum number of entries of a dispatch. */
static uint64_t list_reach(const vkr_compact *c, const vkr_move *move)
{
    const vkr_caps *caps = &c->walk.context->caps;
    const vkr_view *list = &c->sides[move->side].list;
    const uint64_t invocations = vkr_all_groups(caps) * c->walk.workgroup_size;
    const uint64_t units = vkr_clamp(invocations * (VKR_MOVE_TRIPS / 2), 1, VKR_MAX_UNITS);
    const uint64_t reach = vkr_view_reach(caps, list, list->capacity);
    const bool reads_next_entry = !vkr_has_source(move) && reach < list->capacity && reach > 1;
    return vkr_min(reach - reads_next_entry, units / move->units);
}

/* The number of entries that an invocation moves. */
static uint32_t items_of(const vkr_compact *c, const vkr_move *move, uint64_t entries)
{
    const uint64_t units = entries * move->units;
    const VkrTuning *tuning =
        &c->walk.context->tunings[VKR_OPERATION_COMPACT][vkr_tuning_index(0, 4)];
    const uint64_t full = (uint64_t)c->walk.workgroup_size * tuning->maxGroups;
    const uint64_t min = vkr_clamp(tuning->minBytes / 4, 1, VKR_MOVE_TRIPS / 2);
    const uint64_t items = vkr_clamp(vkr_divide_up(units, full), min, VKR_MOVE_TRIPS);
    return (uint32_t)vkr_divide_up(items, move->units);
}

static uint32_t kernel_of(const vkr_move *move)
{
    static const uint32_t kernels[] = {VKR_KERNEL_PAYLOAD_8, VKR_KERNEL_PAYLOAD_16,
                                       VKR_KERNEL_PAYLOAD_32, VKR_KERNEL_PAYLOAD_64,
                                       VKR_KERNEL_PAYLOAD_128};
    return move->texels ? VKR_KERNEL_PAYLOAD_128_TEXEL : kernels[vkr_log2_up(move->unit)];
}

static uint32_t flags_of(const vkr_compact *c, const vkr_move *move)
{
    const bool lengths = !vkr_has_source(move);
    return (c->sides[move->side].list.type->size == 8 ? VKR_PAYLOAD_FLAG_LIST64 : 0) |
           (move->side == VKR_REJECTED ? VKR_PAYLOAD_FLAG_REJECTED : 0) |
           (vkr_is_appended(c, move->side) ? VKR_PAYLOAD_FLAG_APPEND : 0) |
           (lengths ? VKR_PAYLOAD_FLAG_LENGTHS : 0) |
           (lengths && move->target.components == 2 ? VKR_PAYLOAD_FLAG_TARGET64 : 0);
}

static VkrResult add_move(VkrRecorder recorder, const vkr_compact *c, const vkr_move *move,
                          const vkr_bound *listed, const vkr_bound *source, const vkr_bound *target)
{
    const uint32_t items = items_of(c, move, listed->count);
    const bool more =
        !vkr_has_source(move) && listed->first + listed->count < c->sides[move->side].list.capacity;
    vkr_pass pass = {.walk = &c->walk,
                     .card = move->texels ? &vkr_payload_texel_card : &vkr_payload_card,
                     .kernel = kernel_of(move),
                     .constants = {[VKR_CONST_WORKGROUP] = c->walk.workgroup_size,
                                   [VKR_PAYLOAD_CONST_UNITS] = move->units,
                                   [VKR_PAYLOAD_CONST_FLAGS] = flags_of(c, move)},
                     .slots = {[VKR_PAYLOAD_SLOT_LIST] =
                                   vkr_items(listed->place, listed->first, listed->count + more)}};
    struct vkr_payload_push *push = VKR_PUSH(&pass, vkr_payload_push);
    push->items = items;
    VKR_SET64(push, list, listed->first);
    VKR_SET64(push, source, source->first);
    push->list_count = (uint32_t)listed->count;
    vkr_bind_move(c, move, source, target, &pass);
    const vkr_window window = {
        .groups = vkr_divide_up(listed->count, (uint64_t)c->walk.workgroup_size * items)};
    return vkr_emit_window(recorder, &pass, &window);
}

/* Adds the moves to one window of the target. Each window of the list is combined with those
 * windows of the source that its entries can refer to. */
static VkrResult add_moves_to(VkrRecorder recorder, const vkr_compact *c, const vkr_move *move,
                              const vkr_bound *target)
{
    const bool appended = vkr_is_appended(c, move->side);
    const uint64_t entries = entries_of(c, move->side);
    const uint64_t sources = vkr_has_source(move) ? c->walk.count : 1;
    const uint64_t reach =
        vkr_has_source(move) ? vkr_view_reach(&c->walk.context->caps, &move->source, sources) : 1;
    vkr_bound listed = vkr_start_items(&c->sides[move->side].list, 4);
    while (vkr_next_items(&listed, entries, list_reach(c, move))) {
        const uint64_t end = listed.first + listed.count;
        if (!appended && (end <= target->first || listed.first >= target->first + target->count))
            continue;
        vkr_bound source = vkr_start_items(&move->source, move->unit);
        while (vkr_next_items(&source, sources, reach))
            if (!vkr_has_source(move) || source.first + source.count > listed.first)
                VKR_TRY(add_move(recorder, c, move, &listed, &source, target));
    }
    return VKR_SUCCESS;
}

/* Each window of the target is combined with those of the list that have the same positions, or
 * with all of them where the first position is the GPU's; and with those of the source. */
static VkrResult check_pairs(const vkr_compact *c, const vkr_move *move, uint64_t targets)
{
    const uint64_t most = VKR_MAX_PAIRS + 1; /* keeps products small */
    const uint64_t count = c->walk.count;
    const uint64_t sources =
        vkr_has_source(move)
            ? vkr_divide_up(count, vkr_view_reach(&c->walk.context->caps, &move->source, count))
            : 1;
    if (c->sides[move->side].marked)
        return vkr_check_compact_pairs(c, vkr_max(sources, c->walk.windows), targets);
    const uint64_t lists =
        vkr_divide_up(entries_of(c, move->side), vkr_max(list_reach(c, move), 1));
    return vkr_check_compact_pairs(c, sources,
                                   vkr_is_appended(c, move->side)
                                       ? vkr_min(targets, most) * vkr_min(lists, most)
                                       : vkr_max(targets, lists));
}

static VkrResult add_moves(VkrRecorder recorder, const vkr_compact *c, vkr_move move)
{
    const uint64_t held = vkr_side_capacity(c, move.side, move.target.capacity);
    const uint64_t positions = vkr_is_appended(c, move.side) ? held : vkr_min(held, c->walk.count);
    const uint64_t reach = vkr_clamp(
        vkr_view_reach(&c->walk.context->caps, &move.target, positions), 1, VKR_MAX_UNITS);
    vkr_bound target = vkr_start_items(&move.target, move.unit);
    VKR_TRY(check_pairs(c, &move, vkr_divide_up(positions, reach)));
    while (vkr_next_items(&target, positions, reach))
        VKR_TRY(c->sides[move.side].marked ? vkr_add_marked_moves(recorder, c, &move, &target)
                                           : add_moves_to(recorder, c, &move, &target));
    return VKR_SUCCESS;
}

VkrResult vkr_plan_lists(VkrRecorder recorder, const vkr_compact *c)
{
    for (uint32_t side = 0; side < VKR_SIDES; side++)
        if (!c->moves_values && vkr_has_buffer(&c->sides[side].values))
            VKR_TRY(add_moves(recorder, c, vkr_move_of_values(c, side)));
    for (uint32_t i = 0; i < c->info->payloadCount; i++)
        VKR_TRY(add_moves(recorder, c, vkr_move_of_payload(c, &c->info->payloads[i])));
    return vkr_has_buffer(&c->lengths) ? add_moves(recorder, c, vkr_move_of_lengths(c))
                                       : VKR_SUCCESS;
}
