/* SPDX-License-Identifier: MIT */
/*
 * One part of staged.glsl, which includes this file twice: the values of elements, or, with
 * VKR_STAGED_INDICES, their indices. The two are no parameters, as the library removes the code
 * that constants exclude before it inlines functions.
 */

#if VKR_STAGED_INDICES
#define VKR_STAGED_WORD(k) (begin + k)
#define VKR_STAGED_HAS_KEPT ((VKR_OUTPUTS & VKR_TO_KEPT_INDICES) != 0u)
#define VKR_STAGED_HAS_REJECTED ((VKR_OUTPUTS & VKR_TO_REJECTED_INDICES) != 0u)
#else
#define VKR_STAGED_WORD(k) vkr_word_of(unit, (k) * VKR_ELEMENT_BYTES)
#define VKR_STAGED_HAS_KEPT ((VKR_OUTPUTS & VKR_TO_KEPT) != 0u)
#define VKR_STAGED_HAS_REJECTED ((VKR_OUTPUTS & VKR_TO_REJECTED) != 0u)
#endif

/* Stages unit u. `before` kept elements and `place` elements of those that are staged at the same
 * time precede it. */
void VKR_STAGED_NAME(stage_unit)(const VkrUnit unit, const VkrHeld kept, const uint u, uint before,
                                 const uint place)
{
    uint first = vkr_staged_first();
    uint last = first + VKR_STAGED_ROOM - 1u - place;
    uint begin = vkr_begin_of(u);
    for (uint k = 0u; k < VKR_UNIT; k++) {
        bool is_kept = VKR_IS_HELD(kept, k);
        uint at = (is_kept ? first : last - k) + before;
        vkr_staged[at] = VKR_STAGED_WORD(k);
#if !VKR_STAGED_INDICES
        if (VKR_STAGED_WIDTH == 2u)
            vkr_staged[at + VKR_STAGED_ROOM] = vkr_word_of(unit, k * VKR_ELEMENT_BYTES + 4u);
#endif
        before += is_kept ? 1u : 0u;
    }
}

/* Stages rounds of the tile that starts with unit `first`, starting with round `round`. `counts`
 * kept elements of the row precede each of its units, and `start` the first of these. */
void VKR_STAGED_NAME(stage)(const uint first, const uint round, const uint counts[VKR_BATCH],
                            const uint start)
{
    [[unroll]] for (uint b = 0u; b < VKR_BATCH; b++) {
        uint place = ((b - round) * VKR_ROW_SIZE + vkr_lane()) * VKR_UNIT;
        if (b - round < VKR_STAGED)
            VKR_STAGED_NAME(stage_unit)(vkr_units_held[b], vkr_kept_of[b], vkr_unit_of(first, b),
                                        counts[b] - start, place);
    }
}

/* Returns a staged element as the first one of a unit. */
VkrUnit VKR_STAGED_NAME(unit)(const uint slot)
{
    VkrUnit unit;
    unit.packs[0] = uvec4(vkr_staged[slot], 0u, 0u, 0u);
#if !VKR_STAGED_INDICES
    if (VKR_STAGED_WIDTH == 2u)
        unit.packs[0].y = vkr_staged[slot + VKR_STAGED_ROOM];
#endif
    return unit;
}

#define VKR_STAGED_KEPT 1
#include "staged_side.glsl"
#define VKR_STAGED_KEPT 0
#include "staged_side.glsl"

/* Stores this part of the elements of a tile. `ends` kept elements of the row precede the end of
 * each round. Its first kept element goes to kept_at; rejected_at is the position of element 0 if
 * no element of the tile were kept, and `before` are kept by rows before this one. */
void VKR_STAGED_NAME(store)(const uint first, const uint counts[VKR_BATCH],
                            const uint ends[VKR_BATCH], const uint before, const uint kept_at,
                            const uint rejected_at)
{
    uint start = 0u;
    for (uint round = 0u; round < VKR_BATCH; round += VKR_STAGED) {
#if !VKR_STAGED_INDICES
        if (VKR_STAGED < VKR_BATCH)
#endif
            VKR_STAGED_NAME(stage)(first, round, counts, start);
        vkr_meet_row();
        uint end = ends[VKR_BATCH - 1u];
        [[unroll]] for (uint b = 0u; b < VKR_BATCH; b++)
            end = b + 1u == round + VKR_STAGED ? ends[b] : end;
        uint kept = end - start;
        if (VKR_STAGED_HAS_KEPT)
            VKR_STAGED_NAME(store_kept)(kept_at + before + start, kept, 0u);
        if (VKR_STAGED_HAS_REJECTED) {
            uint u = vkr_unit_of(first, round) - vkr_lane();
            uint next = u + min(VKR_STAGED, VKR_BATCH - round) * VKR_ROW_SIZE;
            uint i = vkr_elements_before(u);
            VKR_STAGED_NAME(store_rejected)(rejected_at + i - before - start,
                                            vkr_elements_before(next) - i - kept,
                                            u == 0u ? push.lead : 0u);
        }
        vkr_meet_row();
        start = end;
    }
}

#undef VKR_STAGED_NAME
#undef VKR_STAGED_INDICES
#undef VKR_STAGED_WORD
#undef VKR_STAGED_HAS_KEPT
#undef VKR_STAGED_HAS_REJECTED
