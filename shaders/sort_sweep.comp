/* SPDX-License-Identifier: MIT */
/*
 * Stores the keys of a tile, and their values, in the order of one digit, in one pass over memory.
 * A workgroup draws a tile, publishes the numbers of its keys for each digit, and looks back at the
 * tiles before it until it knows where its keys go. Waiting is bounded: after VKR_SWEEP_POLLS polls
 * of a tile the workgroup counts that tile's keys itself. Every round resolves at least one tile,
 * so the loop ends whatever other workgroups do. Built with -DVKR_UNIT_BYTES=1|2|4|8 and
 * -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 *
 * Sources: A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs"
 * (2022); T. Smith, R. Levien, J. Owens, "Decoupled Fallback" (2025).
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort.h"

#include "vkreduce/order.glsl"
#include "vkreduce/sort.glsl"
#include "vkreduce/sweep.glsl"

shared uint vkr_counts[VKR_SORT_RADIX]; /* keys of the tile */
shared uint vkr_word;                    /* what one invocation tells the others */
#define VKR_RANKED_DIGIT(digit, place, keys)                                                       \
    vkr_base[digit] = place;                                                                       \
    vkr_counts[digit] = keys;
#include "vkreduce/rank.glsl"

#define VKR_TILE_RANKED vkr_publish_counts();
#define VKR_TILE_STORED vkr_look_back();
void vkr_publish_counts();
void vkr_look_back();
#include "vkreduce/sort_tile.glsl"

uint vkr_tile_row; /* the row, and the number of the tile in it */
uint vkr_tile;
uint vkr_states; /* of the row's first tile */

/* ---- Look-back ---- */

/* What the first invocation knows. All invocations have read the word that was shared before. */
uint vkr_shared_by_first(const uint value)
{
    if (vkr_is_leader())
        vkr_word = value;
    barrier();
    return vkr_word;
}

uint vkr_maximum(const uint value)
{
    barrier();
    if (vkr_is_leader())
        vkr_word = 0u;
    barrier();
    if (value != 0u)
        atomicMax(vkr_word, value);
    barrier();
    return vkr_word;
}

void vkr_publish(const uint digit, const uint state)
{
    if (vkr_tile + 1u != VKR_MUTED)
        atomicExchange(vkr_table[vkr_states + vkr_tile * VKR_SORT_RADIX + digit], state);
}

#define VKR_EACH_LOOK [[unroll]] for (uint i = 0u; i < VKR_SWEEP_LOOKS; i++) if (i < VKR_LOOKS)

uint vkr_first_place_of(const uint digit)
{
    return vkr_table[vkr_bases_at(vkr_tile_row, push.digit) + digit];
}

/* Publishes the numbers of keys; those of a row's first tile are prefixes. */
void vkr_publish_counts()
{
    for (uint digit = vkr_group_rank(); digit < VKR_SORT_RADIX; digit += VKR_WORKGROUP) {
        if (vkr_tile == 0u)
            vkr_publish(digit, VKR_SWEEP_PREFIX | vkr_first_place_of(digit) + vkr_counts[digit]);
        else
            vkr_publish(digit, VKR_SWEEP_TOTAL | vkr_counts[digit]);
    }
}

/* Adds the keys of the tiles before `next`, in order, to `sum`, back to a prefix, which makes
 * `next` 0, or to a tile that has published nothing, which is polled again. The words of VKR_LOOKS
 * tiles are loaded before the first one is looked at. For tiles before the first one of the row,
 * that one is loaded again: its word, a prefix, has ended the look-back before. */
void vkr_look(const uint digit, inout uint next, inout uint sum)
{
    uint polls = 0u;
    [[dont_unroll]] while (next != 0u && polls < VKR_SWEEP_POLLS)
    {
        uint words[VKR_SWEEP_LOOKS];
        VKR_EACH_LOOK {
            uint tile = max(next, i + 1u) - (i + 1u);
            words[i] = atomicLoad(vkr_table[vkr_states + tile * VKR_SORT_RADIX + digit],
                                  gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
        polls = words[0] != 0u ? 0u : polls + 1u;
        bool goes_on = true;
        VKR_EACH_LOOK {
            uint word = goes_on ? words[i] : 0u;
            sum += word & VKR_SWEEP_BITS;
            next = word >= VKR_SWEEP_PREFIX ? 0u : word != 0u ? next - 1u : next;
            goes_on = word != 0u && next != 0u;
        }
    }
}

/* Counts the keys of a tile, which is full, for the digits `first` to first + VKR_WORKGROUP - 1:
 * each invocation gets the number of its own. This is rare, so it may be slow. The pool is not in
 * use. */
uint vkr_count_tile(const uint tile, const uint first)
{
    const uint rank = vkr_group_rank();
    vkr_pool[rank] = 0u;
    barrier();
    for (uint i = rank; i < VKR_SORT_TILE; i += VKR_WORKGROUP) {
        uint at = vkr_row_first + tile * VKR_SORT_TILE + i;
        VkrKey key = vkr_key_at(at, vkr_route.reads_temp);
        uint digit = vkr_digit_of(key, vkr_shift, vkr_mask) - first;
        if (digit < VKR_WORKGROUP)
            atomicAdd(vkr_pool[digit], 1u);
    }
    barrier();
    return vkr_pool[rank];
}

/* Finds where the keys of VKR_WORKGROUP digits go: vkr_base becomes the place of the first one in
 * the row minus that in the tile. */
void vkr_look_back_from(const uint first)
{
    const uint digit = first + vkr_group_rank();
    /* Some drivers also run loops for lanes beyond the workgroup. */
    const bool has_digit = vkr_group_rank() < VKR_WORKGROUP && digit < VKR_SORT_RADIX;
    uint next = has_digit ? vkr_tile : 0u, sum = 0u;
    uint missing = 1u;
    for (uint round = 0u; round <= vkr_tile && missing != 0u; round++) {
        vkr_look(digit, next, sum);
        missing = vkr_maximum(next);
        if (missing != 0u) {
            uint keys = vkr_count_tile(missing - 1u, first);
            if (next == missing) {
                next--;
                sum += keys + (next == 0u ? vkr_first_place_of(digit) : 0u);
            }
        }
    }
    if (has_digit && vkr_tile == 0u)
        sum = vkr_first_place_of(digit);
    if (has_digit && vkr_tile != 0u)
        vkr_publish(digit, VKR_SWEEP_PREFIX | sum + vkr_counts[digit]);
    if (has_digit)
        vkr_base[digit] = sum - vkr_base[digit];
}

void vkr_look_back()
{
    for (uint digit = 0u; digit < VKR_SORT_RADIX; digit += VKR_WORKGROUP)
        vkr_look_back_from(digit);
    barrier();
}

void main()
{
    vkr_route = vkr_route_of(push.digit);
    if (!vkr_route.works)
        return;
    uint ticket = 0u;
    if (vkr_is_leader())
        ticket = atomicAdd(vkr_table[push.table_base + VKR_SORT_RECORD + push.digit], 1u);
    ticket = vkr_shared_by_first(ticket);
    vkr_tile_row = ticket / push.groups;
    vkr_tile = ticket % push.groups;
    if (vkr_tile_row >= push.rows)
        return;
    const uint all = vkr_table[push.table_base + VKR_SORT_RECORD_COUNT];
    vkr_row_first = min((push.first_row + vkr_tile_row) * push.row_length, all);
    const uint length = min(push.row_length, all - vkr_row_first);
    const uint start = vkr_tile * VKR_SORT_TILE;
    if (start >= length)
        return;
    /* The words that the digit before has used are 0 for the one after. */
    const uint turn = vkr_digits_from(0u) - vkr_digits_from(push.digit) & 1u;
    const uint used = vkr_states_at(turn ^ 1u, vkr_tile_row, vkr_tile);
    for (uint digit = vkr_group_rank(); digit < VKR_SORT_RADIX; digit += VKR_WORKGROUP)
        vkr_table[used + digit] = 0u;
    vkr_states = vkr_states_at(turn, vkr_tile_row, 0u);
    vkr_shift = vkr_shift_of(push.digit);
    vkr_mask = vkr_digit_mask(push.digit);
    vkr_sort_tile(vkr_row_first + start, min(length - start, VKR_SORT_TILE));
}
