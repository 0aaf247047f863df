/* SPDX-License-Identifier: MIT */
/*
 * Stable ranks of digits in a workgroup. VKR_RANKS invocations, which are in one subgroup or meet
 * at a barrier, rank one key each at the same time: the rank of a key is the number of keys with
 * the same digit before it. They find their equals by comparing digits (FLAG_COMPARED), by votes on
 * each bit (FLAG_VOTED), or by a word of shared memory for each digit, in which each sets its bit.
 */
#ifndef VKR_RANK_GLSL
#define VKR_RANK_GLSL

const bool VKR_COMPARED = (VKR_FLAGS & VKR_FLAG_COMPARED) != 0u;
const bool VKR_VOTED = (VKR_FLAGS & VKR_FLAG_VOTED) != 0u;
const bool VKR_MASKS = VKR_COMPARED || VKR_VOTED; /* equals are found without shared memory */
const uint VKR_RANK_ROWS = VKR_WORKGROUP / VKR_RANKS;

/* Shared memory: words of bits, then a counter of each digit for each row of invocations. Counters
 * have 16 bits where those of 32 would need more memory than the keys of a tile, which come
 * afterwards. */
const uint VKR_RANK_BITS = VKR_MASKS ? 0u : VKR_RANK_ROWS * VKR_SORT_RADIX;
const uint VKR_PACKED = VKR_VOTED ? 1u : 2u; /* counters of a word */
const uint VKR_COUNTER_MASK = VKR_PACKED == 1u ? ~0u : 0xffffu;
const uint VKR_COUNTER_WORDS = VKR_SORT_RADIX / VKR_PACKED; /* of a row */
const uint VKR_RANK_WORDS = VKR_RANK_BITS + VKR_RANK_ROWS * VKR_COUNTER_WORDS;
const uint VKR_RANK_TILE = VKR_WORKGROUP * VKR_ITEMS;
const uint VKR_POOL = VKR_ALONE                        ? 1u
                      : VKR_RANK_WORDS > VKR_RANK_TILE ? VKR_RANK_WORDS
                                                       : VKR_RANK_TILE;
shared uint vkr_pool[VKR_POOL];
shared uint vkr_base[VKR_SORT_RADIX];

uint vkr_rank_row()
{
    return vkr_group_rank() / VKR_RANKS;
}

uint vkr_rank_lane()
{
    return vkr_group_rank() % VKR_RANKS;
}

/* The word of this row's counter of a digit, and the position of the counter in it. */
uint vkr_counter_of(const uint digit)
{
    return VKR_RANK_BITS + vkr_rank_row() * VKR_COUNTER_WORDS + digit / VKR_PACKED;
}

uint vkr_counter_shift(const uint digit)
{
    return digit % VKR_PACKED * 16u;
}

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

/* Whether this invocation is the last one of its equals. */
bool vkr_is_last_of(const uint equals)
{
    return equals >> vkr_rank_lane() == 1u;
}

uint vkr_before_me(const uint equals)
{
    return bitCount(equals & ((1u << vkr_rank_lane()) - 1u));
}

/* ---- Equals without shared memory: the invocations are a subgroup ---- */

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
uint vkr_compare(const uint digit)
{
    uint equals = 0u;
    [[unroll]] for (uint lane = 0u; lane < 16u; lane++)
        if (lane < VKR_RANKS) equals |= subgroupShuffle(digit, lane) == digit ? 1u << lane : 0u;
    return equals;
}

uint vkr_vote(const uint digit)
{
    uint different = 0u;
    [[unroll]] for (int bit = 0; bit < VKR_SORT_DIGIT_BITS; bit++) {
        uint own = uint(bitfieldExtract(int(digit), bit, 1)); /* in all bits */
        different |= subgroupBallot(own != 0u).x ^ own;
    }
    return ~different;
}
#endif

/* With VKR_MASKS, the invocations that have the same digit, as bits. It needs no barrier, so masks
 * of all keys come before the first rank. */
uint vkr_equals(const uint digit)
{
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    if (VKR_MASKS)
        return VKR_COMPARED ? vkr_compare(digit) : vkr_vote(digit);
#endif
    return 0u;
}

/* The last one of equals adds them all, and hands the number of keys before to the others. */
uint vkr_rank_by_mask(const uint digit, const uint equals)
{
    uint before = 0u;
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    const uint shift = vkr_counter_shift(digit);
    if (vkr_is_last_of(equals))
        before = atomicAdd(vkr_pool[vkr_counter_of(digit)], bitCount(equals) << shift);
    before = subgroupShuffle(before, uint(findMSB(equals))) >> shift & VKR_COUNTER_MASK;
    vkr_meet();
#endif
    return before + vkr_before_me(equals);
}

/* ---- Equals by words of shared memory, which are 0 before and after ---- */

uint vkr_rank_by_word(const uint digit)
{
    const uint word = vkr_rank_row() * VKR_SORT_RADIX + digit, at = vkr_counter_of(digit);
    const uint shift = vkr_counter_shift(digit);
    uint equals = 1u;
    if (VKR_RANKS != 1u) {
        atomicOr(vkr_pool[word], 1u << vkr_rank_lane());
        vkr_meet();
        equals = vkr_pool[word];
    }
    uint before = vkr_pool[at] >> shift & VKR_COUNTER_MASK;
    vkr_meet();
    if (vkr_is_last_of(equals)) {
        atomicAdd(vkr_pool[at], bitCount(equals) << shift);
        if (VKR_RANKS != 1u)
            vkr_pool[word] = 0u;
    }
    vkr_meet();
    return before + vkr_before_me(equals);
}

/* The number of keys of this row of invocations with the same digit that were ranked before. */
uint vkr_rank_of(const uint digit, const uint equals)
{
    return VKR_MASKS ? vkr_rank_by_mask(digit, equals) : vkr_rank_by_word(digit);
}

void vkr_clear_ranks()
{
    for (uint i = vkr_group_rank(); i < VKR_RANK_WORDS; i += VKR_WORKGROUP)
        vkr_pool[i] = 0u;
}

/* The place in the tile of a key with this digit and rank; after vkr_scan_ranks. */
uint vkr_place_of(const uint digit, const uint rank)
{
    uint places = vkr_pool[vkr_counter_of(digit)];
    return rank + (places >> vkr_counter_shift(digit) & VKR_COUNTER_MASK);
}

/* Turns counters into the places of the first key of each digit in each row of invocations, and
 * calls VKR_RANKED_DIGIT for each digit, its first place, and the number of its keys. */
void vkr_scan_ranks()
{
    const uint each =
        VKR_WORKGROUP < VKR_COUNTER_WORDS ? VKR_COUNTER_WORDS / VKR_WORKGROUP : 1u;
    const uint first = vkr_group_rank() * each;
    const uint end = first < VKR_COUNTER_WORDS ? first + each : first;
    uint sum = 0u, all;
    for (uint word = first; word < end; word++) {
        uint counted = 0u;
        for (uint row = 0u; row < VKR_RANK_ROWS; row++) {
            uint at = VKR_RANK_BITS + row * VKR_COUNTER_WORDS + word;
            uint more = vkr_pool[at];
            vkr_pool[at] = counted;
            counted += more;
        }
        vkr_base[VKR_PACKED * word] = counted;
        sum += (counted & 0xffffu) + (counted >> 16); /* a tile has fewer than 2^16 keys */
    }
    uint place = vkr_group_exclusive(sum, all);
    for (uint word = first; word < end; word++) {
        uint counted = vkr_base[VKR_PACKED * word], low = counted & 0xffffu, high = counted >> 16;
        uint places = VKR_PACKED == 1u ? place : place | (place + low) << 16;
        for (uint row = 0u; row < VKR_RANK_ROWS; row++)
            vkr_pool[VKR_RANK_BITS + row * VKR_COUNTER_WORDS + word] += places;
        VKR_RANKED_DIGIT(VKR_PACKED * word, place, low)
        if (VKR_PACKED == 2u) {
            VKR_RANKED_DIGIT(2u * word + 1u, place + low, high)
        }
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
