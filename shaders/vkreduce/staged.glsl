/* SPDX-License-Identifier: MIT */
/*
 * Stores of a tile by way of shared memory, where the elements of a row are sorted: kept ones come
 * first, in their order, and all others last, in reverse order. Then lanes store them side by side,
 * so that memory is written in whole sectors. A row stages VKR_STAGED rounds of its units at a
 * time, first the values and then the indices. The rows of a workgroup do not wait for each other.
 */
#ifndef VKR_STAGED_GLSL
#define VKR_STAGED_GLSL

#extension GL_KHR_memory_scope_semantics : require

/* Words of a value, and elements of an invocation that are staged at a time. Longer values are
 * packs, of which each unit has one, so that lanes store them side by side in any case. */
const uint VKR_STAGED_WIDTH = VKR_ELEMENT_BYTES == 8u ? 2u : 1u;
const uint VKR_STAGED_SHARE = VKR_STAGED * VKR_UNIT;

shared uint vkr_staged[VKR_STAGED == 0u ? 1u : VKR_WORKGROUP * VKR_STAGED_SHARE * VKR_STAGED_WIDTH];

/* Elements of a row that are staged at a time, and the place of the first one in shared memory.
 * Second words of values follow all first words. */
#define VKR_STAGED_ROOM (VKR_ROW_SIZE * VKR_STAGED_SHARE)
uint vkr_staged_first()
{
    return vkr_row() * VKR_STAGED_ROOM * VKR_STAGED_WIDTH;
}

void vkr_meet_row()
{
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

/* What is staged of elements. */
#define VKR_STAGED_VALUES 0u
#define VKR_STAGED_INDICES 1u

uint vkr_outputs_of(const uint part, const bool is_kept)
{
    if (part == VKR_STAGED_VALUES)
        return VKR_OUTPUTS & (is_kept ? VKR_TO_KEPT : VKR_TO_REJECTED);
    return VKR_OUTPUTS & (is_kept ? VKR_TO_KEPT_INDICES : VKR_TO_REJECTED_INDICES);
}

/* Whether all values of a tile are staged at the same time. */
#define VKR_STAGES_EARLY                                                                           \
    (VKR_STAGED >= VKR_BATCH && (VKR_OUTPUTS & (VKR_TO_KEPT | VKR_TO_REJECTED)) != 0u)

uint vkr_word_of(const VkrUnit unit, const uint byte)
{
    return unit.packs[0][byte / 4u] >> byte % 4u * 8u;
}

/* Stages unit u. `before` kept elements and `place` elements of those that are staged at the same
 * time precede it. */
void vkr_stage(const uint part, const VkrUnit unit, const VkrHeld kept, const uint u, uint before,
               const uint place)
{
    uint first = vkr_staged_first();
    uint last = first + VKR_STAGED_ROOM - 1u - place;
    uint begin = vkr_begin_of(u);
    for (uint k = 0u; k < VKR_UNIT; k++) {
        bool is_kept = VKR_IS_HELD(kept, k);
        uint at = (is_kept ? first : last - k) + before;
        vkr_staged[at] =
            part == VKR_STAGED_INDICES ? begin + k : vkr_word_of(unit, k * VKR_ELEMENT_BYTES);
        if (part == VKR_STAGED_VALUES && VKR_STAGED_WIDTH == 2u)
            vkr_staged[at + VKR_STAGED_ROOM] = vkr_word_of(unit, k * VKR_ELEMENT_BYTES + 4u);
        before += is_kept ? 1u : 0u;
    }
}

/* Stages rounds of the tile that starts with unit `first`, starting with round `round`. `counts`
 * kept elements of the row precede each of its units, and `start` the first of these. */
void vkr_stage_rounds(const uint part, const uint first, const uint round,
                      const uint counts[VKR_BATCH], const uint start)
{
    [[unroll]] for (uint b = 0u; b < VKR_BATCH; b++) {
        uint place = ((b - round) * VKR_ROW_SIZE + vkr_lane()) * VKR_UNIT;
        if (b - round < VKR_STAGED)
            vkr_stage(part, vkr_units_held[b], vkr_kept_of[b], vkr_unit_of(first, b),
                      counts[b] - start, place);
    }
}

void vkr_put(const uint part, const bool is_kept, const uint to, const VkrUnit unit)
{
    if (part == VKR_STAGED_VALUES && is_kept)
        vkr_put_kept(to, unit, 0u);
    else if (part == VKR_STAGED_VALUES)
        vkr_put_rejected(to, unit, 0u);
    else if (is_kept)
        vkr_put_kept_index(to, unit.packs[0].x);
    else
        vkr_put_rejected_index(to, unit.packs[0].x);
}

/* Where position 0 of an output lies, and the distance between positions. */
uvec2 vkr_places_of(const uint part, const bool is_kept)
{
    uint bases = is_kept ? push.kept_bases : push.rejected_bases;
    if (part == VKR_STAGED_VALUES)
        return uvec2(vkr_low_half(bases),
                     is_kept ? uniforms.kept_stride : uniforms.rejected_stride);
    return uvec2(vkr_high_half(bases),
                 is_kept ? uniforms.kept_indices_stride : uniforms.rejected_indices_stride);
}

/* Returns a staged element as the first one of a unit. */
VkrUnit vkr_staged_unit(const uint part, const uint slot)
{
    VkrUnit unit;
    unit.packs[0] = uvec4(vkr_staged[slot], 0u, 0u, 0u);
    if (part == VKR_STAGED_VALUES && VKR_STAGED_WIDTH == 2u)
        unit.packs[0].y = vkr_staged[slot + VKR_STAGED_ROOM];
    return unit;
}

const uint VKR_STAGED_STORES = 4u; /* of an invocation between two waits */

/* Stores `n` staged elements of a side after the first `skipped` ones, side by side, starting at
 * position `at`, which wraps below 0. Lanes are chosen by places in memory, so that all stores of
 * packed words but the first one start at a multiple of the row's size. */
void vkr_store_side(const uint part, const bool is_kept, uint at, uint n, uint skipped)
{
    uint room = is_kept ? push.kept_count : push.rejected_count;
    uint outside = at >= 0x80000000u ? min(0u - at, n) : 0u;
    at += outside;
    skipped += outside;
    n = at < room ? min(min(n - outside, room - at), VKR_STAGED_ROOM) : 0u;
    uvec2 places = vkr_places_of(part, is_kept);
    uint skew = n == 0u ? 0u : (places.x + at) % VKR_ROW_SIZE;
    uint end = n + skew; /* the first `skew` lanes have nothing to store */
    uint lane = vkr_lane() - skew;
    uint from =
        vkr_staged_first() + (is_kept ? skipped + lane : VKR_STAGED_ROOM - 1u - skipped - lane);
    uint to = places.x + (at + lane) * places.y;
    uint back = is_kept ? VKR_ROW_SIZE : 0u - VKR_ROW_SIZE;
    uint ahead = VKR_ROW_SIZE * places.y;
    for (uint done = 0u; done < end;) {
        uint stores = 1u;
        if (done >= skew && end - done >= VKR_STAGED_STORES * VKR_ROW_SIZE) {
            stores = VKR_STAGED_STORES;
            VkrUnit units[VKR_STAGED_STORES];
            [[unroll]] for (uint s = 0u; s < VKR_STAGED_STORES; s++)
                units[s] = vkr_staged_unit(part, from + s * back);
            [[unroll]] for (uint s = 0u; s < VKR_STAGED_STORES; s++)
                vkr_put(part, is_kept, to + s * ahead, units[s]);
        } else if (lane + done < n) {
            vkr_put(part, is_kept, to, vkr_staged_unit(part, from));
        }
        done += stores * VKR_ROW_SIZE;
        from += stores * back;
        to += stores * ahead;
    }
}

/* Stores a part of the elements of a tile. `ends` kept elements of the row precede the end of each
 * round. Its first kept element goes to kept_at; rejected_at is the position of element 0 if no
 * element of the tile were kept, and `before` are kept by rows before this one. */
void vkr_store_staged(const uint part, const uint first, const uint counts[VKR_BATCH],
                      const uint ends[VKR_BATCH], const uint before, const uint kept_at,
                      const uint rejected_at)
{
    bool has_kept = vkr_outputs_of(part, true) != 0u;
    bool has_rejected = vkr_outputs_of(part, false) != 0u;
    bool is_staged = part == VKR_STAGED_VALUES && VKR_STAGES_EARLY;
    uint start = 0u;
    for (uint round = 0u; round < VKR_BATCH && (has_kept || has_rejected); round += VKR_STAGED) {
        if (!is_staged)
            vkr_stage_rounds(part, first, round, counts, start);
        vkr_meet_row();
        uint end = ends[VKR_BATCH - 1u];
        [[unroll]] for (uint b = 0u; b < VKR_BATCH; b++)
            end = b + 1u == round + VKR_STAGED ? ends[b] : end;
        uint kept = end - start;
        if (has_kept)
            vkr_store_side(part, true, kept_at + before + start, kept, 0u);
        if (has_rejected) {
            uint u = vkr_unit_of(first, round) - vkr_lane();
            uint next = u + min(VKR_STAGED, VKR_BATCH - round) * VKR_ROW_SIZE;
            uint i = vkr_elements_before(u);
            vkr_store_side(part, false, rejected_at + i - before - start,
                           vkr_elements_before(next) - i - kept, u == 0u ? push.lead : 0u);
        }
        vkr_meet_row();
        start = end;
    }
}

#endif
