/* SPDX-License-Identifier: MIT */
/*
 * Stable ranks of digits in a workgroup. VKR_RANKS invocations, which are in one subgroup or meet
 * at a barrier, rank one key each at the same time: the rank of a key is the number of keys with
 * the same digit before it. They find their equals by comparing digits (FLAG_COMPARED), or by a
 * word of shared memory for each digit, in which each sets its bit.
 */
#ifndef VKR_RANK_GLSL
#define VKR_RANK_GLSL

/* Shared memory: words of bits, then counters of 16 bits, of which a word has two. Afterwards, the
 * keys of a tile. */
const bool VKR_COMPARED = (VKR_FLAGS & VKR_FLAG_COMPARED) != 0u;
const uint VKR_RANK_ROWS = VKR_WORKGROUP / VKR_RANKS;
const uint VKR_PAIRS = VKR_SORT_RADIX / 2u;
const uint VKR_RANK_BITS = VKR_COMPARED ? 0u : VKR_RANK_ROWS * VKR_SORT_RADIX;
const uint VKR_RANK_WORDS = VKR_RANK_BITS + VKR_RANK_ROWS * VKR_PAIRS;
const uint VKR_RANK_TILE = VKR_WORKGROUP * VKR_ITEMS;
const uint VKR_POOL = VKR_ALONE                        ? 1u
                      : VKR_RANK_WORDS > VKR_RANK_TILE ? VKR_RANK_WORDS
                                                       : VKR_RANK_TILE;
shared uint vkr_pool[VKR_POOL];
shared uint vkr_base[VKR_SORT_RADIX];

/* Makes what the invocations that rank together have stored visible to them. */
void vkr_meet()
{
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    if (vkr_has(VKR_FLAG_LOCKSTEP))
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared,
                       gl_SemanticsAcquireRelease);
#endif
    if (!vkr_has(VKR_FLAG_LOCKSTEP) && VKR_RANKS != 1u)
        barrier();
}

uint vkr_rank_row()
{
    return vkr_group_rank() / VKR_RANKS;
}

uint vkr_rank_lane()
{
    return vkr_group_rank() % VKR_RANKS;
}

/* The invocations that have the same digit, as bits. The words are 0 before, and `vkr_forget` makes
 * them so again. */
uint vkr_equals(const uint digit)
{
    if (VKR_RANKS == 1u)
        return 1u;
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    if (VKR_COMPARED) {
        uint equals = 0u;
        [[unroll]] for (uint lane = 0u; lane < 16u; lane++)
            if (lane < VKR_RANKS) equals |=
            subgroupShuffle(digit, lane) == digit ? 1u << lane : 0u;
        return equals;
    }
#endif
    uint at = vkr_rank_row() * VKR_SORT_RADIX + digit;
    atomicOr(vkr_pool[at], 1u << vkr_rank_lane());
    vkr_meet();
    return vkr_pool[at];
}

/* Whether this invocation is the last one of its equals. */
bool vkr_is_last_of(const uint equals)
{
    return equals >> vkr_rank_lane() == 1u;
}

uint vkr_before_me(const uint equals)
{
    return bitCount(equals & ((1u << vkr_rank_lane()) - 1u));
}

void vkr_forget(const uint digit)
{
    if (!VKR_COMPARED && VKR_RANKS != 1u)
        vkr_pool[vkr_rank_row() * VKR_SORT_RADIX + digit] = 0u;
}

/* The number of keys of this row of invocations with the same digit that were ranked before. */
uint vkr_rank_of(const uint digit)
{
    uint at = VKR_RANK_BITS + vkr_rank_row() * VKR_PAIRS + digit / 2u;
    uint shift = digit % 2u * 16u;
    uint equals = vkr_equals(digit);
    uint before = vkr_pool[at] >> shift & 0xffffu;
    vkr_meet();
    if (vkr_is_last_of(equals)) {
        atomicAdd(vkr_pool[at], bitCount(equals) << shift);
        vkr_forget(digit);
    }
    vkr_meet();
    return before + vkr_before_me(equals);
}

void vkr_clear_ranks()
{
    for (uint i = vkr_group_rank(); i < VKR_RANK_WORDS; i += VKR_WORKGROUP)
        vkr_pool[i] = 0u;
}

/* The place in the tile of a key with this digit and rank; after vkr_scan_ranks. */
uint vkr_place_of(const uint digit, const uint rank)
{
    uint pair = vkr_pool[VKR_RANK_BITS + vkr_rank_row() * VKR_PAIRS + digit / 2u];
    return rank + (pair >> digit % 2u * 16u & 0xffffu);
}

/* Turns counters into the places of the first key of each digit in each row of invocations, and
 * calls VKR_RANKED_DIGIT for each digit, its first place, and the number of its keys. */
void vkr_scan_ranks()
{
    const uint each = VKR_WORKGROUP < VKR_PAIRS ? VKR_PAIRS / VKR_WORKGROUP : 1u;
    const uint first = vkr_group_rank() * each;
    const uint end = first < VKR_PAIRS ? first + each : first;
    uint sum = 0u, all;
    for (uint pair = first; pair < end; pair++) {
        uint both = 0u;
        for (uint row = 0u; row < VKR_RANK_ROWS; row++) {
            uint at = VKR_RANK_BITS + row * VKR_PAIRS + pair;
            uint counted = vkr_pool[at];
            vkr_pool[at] = both;
            both += counted;
        }
        vkr_base[2u * pair] = both;
        sum += (both & 0xffffu) + (both >> 16);
    }
    uint place = vkr_group_exclusive(sum, all);
    for (uint pair = first; pair < end; pair++) {
        uint both = vkr_base[2u * pair], low = both & 0xffffu, high = both >> 16;
        uint places = place | (place + low) << 16;
        for (uint row = 0u; row < VKR_RANK_ROWS; row++)
            vkr_pool[VKR_RANK_BITS + row * VKR_PAIRS + pair] += places;
        VKR_RANKED_DIGIT(2u * pair, place, low)
        VKR_RANKED_DIGIT(2u * pair + 1u, place + low, high)
        place += low + high;
    }
}

/* Moves a word of each key to its place in a tile, and loads those at other places. */
#define VKR_REORDER(moved, places, words, from)                                                    \
    barrier();                                                                                     \
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)                                               \
        vkr_pool[places[i]] = words;                                                               \
    barrier();                                                                                     \
    [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)                                               \
        moved = vkr_pool[from];

#endif
