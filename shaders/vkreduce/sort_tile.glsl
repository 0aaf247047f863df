/* SPDX-License-Identifier: MIT */
/*
 * A workgroup orders a tile of keys, and their values, by one digit in shared memory, and stores
 * neighbours side by side. Keys with equal digits keep their order.
 *
 * Before including it, include rank.glsl, and define VKR_TILE_RANKED, the statements after which
 * the numbers of keys are known and used (VKR_RANKED_DIGIT has been called), and VKR_TILE_STORED,
 * those after which vkr_base is the place of a digit's first key in the row minus that in the tile.
 */
#ifndef VKR_SORT_TILE_GLSL
#define VKR_SORT_TILE_GLSL

VkrRoute vkr_route;
uint vkr_shift;
uint vkr_mask;
uint vkr_row_first; /* the row's first element */

/* The places whose keys an invocation stores: neighbours store neighbours. */
uint vkr_tile_place(const uint i)
{
    return i * VKR_WORKGROUP + vkr_group_rank();
}

/* Branches that are the same for all keys surround the loops over them, so that the loads of an
 * invocation are under way at the same time. Slots after the last key, which only the last tile of
 * a row has, load that key again and rank after all others. */
#define VKR_NOWHERE 0xffffffffu /* the place of a key that is not stored: indices are less */
#define VKR_EACH_ITEM [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)
#define VKR_KEY_AT (first + min(slot + i * VKR_RANKS, count - 1u))

void vkr_sort_tile(const uint first, const uint count)
{
    const uint slot = vkr_rank_row() * (VKR_ITEMS * VKR_RANKS) + vkr_rank_lane();
    VkrKey keys[VKR_ITEMS];
    uint places[VKR_ITEMS];
    uint values[VKR_ITEMS];
    vkr_clear_ranks();
    if (vkr_has(VKR_FLAG_FIRST)) {
        VKR_EACH_ITEM
            keys[i] =
                vkr_key_of(VkrKey(vkr_source[push.source_base + VKR_KEY_AT * push.source_stride]));
    } else if (vkr_route.reads_temp) {
        VKR_EACH_ITEM
            keys[i] = VkrKey(vkr_temp[push.temp_base + VKR_KEY_AT]);
    } else {
        VKR_EACH_ITEM
            keys[i] = VkrKey(vkr_source[push.source_base + VKR_KEY_AT * push.source_stride]);
    }
    /* All digits come before the first rank, or compilers load each key where it is ranked. */
    VKR_EACH_ITEM
        places[i] =
            slot + i * VKR_RANKS < count ? vkr_digit_of(keys[i], vkr_shift, vkr_mask) : vkr_mask;
    barrier();
    VKR_EACH_ITEM
        places[i] |= vkr_rank_of(places[i]) << VKR_SORT_DIGIT_BITS;
    barrier();
    vkr_scan_ranks();
    barrier();
    VKR_TILE_RANKED
    VKR_EACH_ITEM
        places[i] = vkr_place_of(places[i] % VKR_SORT_RADIX, places[i] >> VKR_SORT_DIGIT_BITS);
#if VKR_UNIT_BYTES == 8
    VKR_REORDER(values[i], places, keys[i].x, vkr_tile_place(i))
    VKR_REORDER(keys[i].y, places, keys[i].y, vkr_tile_place(i))
    VKR_EACH_ITEM
        keys[i].x = values[i];
#else
    VKR_REORDER(keys[i], places, keys[i], vkr_tile_place(i))
#endif
    if (vkr_has(VKR_FLAG_VALUES)) {
        if (vkr_has(VKR_FLAG_FIRST) && !vkr_has(VKR_FLAG_CARRIED)) {
            VKR_EACH_ITEM
                values[i] = VKR_KEY_AT - vkr_row_first;
        } else if (vkr_route.reads_temp) {
            VKR_EACH_ITEM
                values[i] = vkr_values_temp[push.values_temp_base + VKR_KEY_AT];
        } else {
            VKR_EACH_ITEM
                values[i] = vkr_values[push.values_base + VKR_KEY_AT * push.values_stride];
        }
        VKR_REORDER(values[i], places, values[i], vkr_tile_place(i))
    }
    VKR_TILE_STORED
    VKR_EACH_ITEM {
        uint place = vkr_tile_place(i);
        uint to = vkr_row_first + vkr_base[vkr_digit_of(keys[i], vkr_shift, vkr_mask)] + place;
        /* Conditions without branches: some drivers compile those slowly. */
        bool is_there = place < count;
        bool is_reached = vkr_is_stored(to);
        bool is_left_out = vkr_is_left_out(keys[i]);
        bool is_kept = !vkr_route.is_last || !is_left_out;
        bool is_stored = is_there && is_reached;
        places[i] = is_stored && is_kept ? to : VKR_NOWHERE;
    }
    if (vkr_route.writes_temp) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_temp[push.temp_base + places[i]] = VkrUnit(keys[i]);
    } else if (!vkr_route.is_last) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_sorted[push.sorted_base + places[i] * push.sorted_stride] = VkrUnit(keys[i]);
    } else if (vkr_has(VKR_FLAG_KEYS)) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_sorted[push.sorted_base + places[i] * push.sorted_stride] =
                    VkrUnit(vkr_bits_of(keys[i]));
    }
    if (vkr_has(VKR_FLAG_VALUES) && vkr_route.writes_temp) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_values_temp[push.values_temp_base + places[i]] = values[i];
    } else if (vkr_has(VKR_FLAG_VALUES)) {
        VKR_EACH_ITEM
            if (places[i] != VKR_NOWHERE)
                vkr_ranked[push.ranked_base + places[i] * push.ranked_stride] = values[i];
    }
}

#endif
