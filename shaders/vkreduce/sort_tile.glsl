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

/* The elements of a tile, and the first slot of the invocation, which loads and ranks the keys in
 * each VKR_RANKS-th slot: those of a row of invocations follow each other. */
struct VkrTile {
    uint first;
    uint count;
    uint slot;
};

/* What an invocation holds: keys and their values; for each key its digit, then its place in the
 * tile, and last the element that it is stored to; and its equals (vkr_equals of rank.glsl). */
VkrKey vkr_own_keys[VKR_ITEMS];
uint vkr_own_values[VKR_ITEMS];
uint vkr_own_places[VKR_ITEMS];
uint vkr_own_equals[VKR_ITEMS];

/* Branches that are the same for all keys surround the loops over them, so that the loads of an
 * invocation are under way at the same time. */
#define VKR_NOWHERE 0xffffffffu /* the place of a key that is not stored: indices are less */
#define VKR_EACH_ITEM [[unroll]] for (uint i = 0u; i < VKR_ITEMS; i++)

/* ---- Places ---- */

bool vkr_is_full(const VkrTile tile)
{
    return tile.count == VKR_SORT_TILE;
}

/* The places whose keys an invocation stores: neighbours store neighbours. */
uint vkr_tile_place(const uint i)
{
    return i * VKR_WORKGROUP + vkr_group_rank();
}

/* ---- Keys and values ---- */

/* Executes a statement that loads item i for each slot: `at` is its element times the stride. Slots
 * after the last key, which only the last tile of a row has, load that key again and rank after all
 * others. */
#define VKR_LOAD_EACH(stride, statement)                                                           \
    if (vkr_is_full(tile) && (stride) == 1u) {                                                     \
        VKR_EACH_ITEM {                                                                            \
            uint at = tile.first + tile.slot + i * VKR_RANKS;                                      \
            statement;                                                                             \
        }                                                                                          \
    } else {                                                                                       \
        VKR_EACH_ITEM {                                                                            \
            uint slot = min(tile.slot + i * VKR_RANKS, tile.count - 1u);                           \
            uint at = (tile.first + slot) * (stride);                                              \
            statement;                                                                             \
        }                                                                                          \
    }

void vkr_load_keys(const VkrTile tile)
{
    if (vkr_has(VKR_FLAG_FIRST)) {
        VKR_LOAD_EACH(push.source_stride,
                      vkr_own_keys[i] = vkr_key_of(VkrKey(vkr_source[push.source_base + at])))
    } else if (vkr_route.reads_temp) {
        VKR_LOAD_EACH(1u, vkr_own_keys[i] = VkrKey(vkr_temp[push.temp_base + at]))
    } else {
        VKR_LOAD_EACH(push.source_stride,
                      vkr_own_keys[i] = VkrKey(vkr_source[push.source_base + at]))
    }
}

/* Whether the values are those of the caller or of the digit before. Otherwise they are indices in
 * the row. */
bool vkr_loads_values()
{
    return vkr_has(VKR_FLAG_VALUES) && (vkr_has(VKR_FLAG_CARRIED) || !vkr_has(VKR_FLAG_FIRST));
}

void vkr_number_values(const VkrTile tile)
{
    VKR_EACH_ITEM
        vkr_own_values[i] =
            tile.first - vkr_row_first + min(tile.slot + i * VKR_RANKS, tile.count - 1u);
}

void vkr_load_values(const VkrTile tile)
{
    if (vkr_route.reads_temp) {
        VKR_LOAD_EACH(1u, vkr_own_values[i] = vkr_values_temp[push.values_temp_base + at])
    } else {
        VKR_LOAD_EACH(push.values_stride, vkr_own_values[i] = vkr_values[push.values_base + at])
    }
}

/* Whether nothing can keep a key of the tile from being stored. */
bool vkr_stores_all(const VkrTile tile)
{
    return vkr_is_full(tile) && !VKR_WINDOWED && !vkr_has(VKR_FLAG_LIMITED);
}

/* Executes a statement that stores item i, unless nothing stores it: `to` is its element times the
 * stride. */
#define VKR_STORE_EACH(stride, statement)                                                          \
    if (vkr_stores_all(tile) && (stride) == 1u) {                                                  \
        VKR_EACH_ITEM {                                                                            \
            uint to = vkr_own_places[i];                                                           \
            statement;                                                                             \
        }                                                                                          \
    } else {                                                                                       \
        VKR_EACH_ITEM if (vkr_own_places[i] != VKR_NOWHERE)                                        \
        {                                                                                          \
            uint to = vkr_own_places[i] * (stride);                                                \
            statement;                                                                             \
        }                                                                                          \
    }

/* Keys as they are between digits, or as the caller's. */
void vkr_store_keys(const VkrTile tile)
{
    if (vkr_route.writes_temp) {
        VKR_STORE_EACH(1u, vkr_temp[push.temp_base + to] = VkrUnit(vkr_own_keys[i]))
    } else if (!vkr_route.is_last) {
        VKR_STORE_EACH(push.sorted_stride,
                       vkr_sorted[push.sorted_base + to] = VkrUnit(vkr_own_keys[i]))
    } else if (vkr_has(VKR_FLAG_KEYS)) {
        VKR_STORE_EACH(push.sorted_stride,
                       vkr_sorted[push.sorted_base + to] = VkrUnit(vkr_bits_of(vkr_own_keys[i])))
    }
}

void vkr_store_values(const VkrTile tile)
{
    if (vkr_has(VKR_FLAG_VALUES) && vkr_route.writes_temp) {
        VKR_STORE_EACH(1u, vkr_values_temp[push.values_temp_base + to] = vkr_own_values[i])
    } else if (vkr_has(VKR_FLAG_VALUES)) {
        VKR_STORE_EACH(push.ranked_stride, vkr_ranked[push.ranked_base + to] = vkr_own_values[i])
    }
}

/* ---- The order of a tile ---- */

/* Finds the place of each key in the tile. All digits come before the first rank, or compilers load
 * each key where it is ranked. */
void vkr_rank_keys(const VkrTile tile)
{
    VKR_EACH_ITEM
        vkr_own_places[i] = vkr_digit_of(vkr_own_keys[i], vkr_shift, vkr_mask);
    if (!vkr_is_full(tile)) {
        VKR_EACH_ITEM
            vkr_own_places[i] =
                tile.slot + i * VKR_RANKS < tile.count ? vkr_own_places[i] : vkr_mask;
    }
    VKR_EACH_ITEM
        vkr_own_equals[i] = vkr_equals(vkr_own_places[i]);
    barrier();
    VKR_EACH_ITEM
        vkr_own_places[i] |= vkr_rank_of(vkr_own_places[i], vkr_own_equals[i])
                             << VKR_SORT_DIGIT_BITS;
    barrier();
    vkr_scan_ranks();
    barrier();
    VKR_TILE_RANKED
    VKR_EACH_ITEM
        vkr_own_places[i] = vkr_place_of(vkr_own_places[i] % VKR_SORT_RADIX,
                                         vkr_own_places[i] >> VKR_SORT_DIGIT_BITS);
}

/* Moves keys to their places, by way of shared memory: a word of each at a time. */
void vkr_reorder_keys()
{
#if VKR_UNIT_BYTES == 8
    VKR_REORDER(vkr_own_keys[i].x, vkr_own_places, vkr_own_keys[i].x, vkr_tile_place(i))
    VKR_REORDER(vkr_own_keys[i].y, vkr_own_places, vkr_own_keys[i].y, vkr_tile_place(i))
#else
    VKR_REORDER(vkr_own_keys[i], vkr_own_places, vkr_own_keys[i], vkr_tile_place(i))
#endif
}

/* Turns places into the elements that keys are stored to. */
void vkr_scatter_places(const VkrTile tile)
{
    VKR_EACH_ITEM {
        uint digit = vkr_digit_of(vkr_own_keys[i], vkr_shift, vkr_mask);
        vkr_own_places[i] = vkr_row_first + vkr_base[digit] + vkr_tile_place(i);
    }
    if (vkr_stores_all(tile))
        return;
    VKR_EACH_ITEM {
        uint to = vkr_own_places[i];
        /* Conditions without branches: some drivers compile those slowly. */
        bool is_there = vkr_tile_place(i) < tile.count;
        bool is_reached = vkr_is_stored(to);
        bool is_left_out = vkr_is_left_out(vkr_own_keys[i]);
        bool is_kept = !vkr_route.is_last || !is_left_out;
        bool is_stored = is_there && is_reached;
        vkr_own_places[i] = is_stored && is_kept ? to : VKR_NOWHERE;
    }
}

void vkr_sort_tile(const uint first, const uint count)
{
    const VkrTile tile =
        VkrTile(first, count, vkr_rank_row() * (VKR_ITEMS * VKR_RANKS) + vkr_rank_lane());
    vkr_clear_ranks();
    vkr_load_keys(tile);
    if (vkr_loads_values())
        vkr_load_values(tile);
    vkr_rank_keys(tile);
    vkr_reorder_keys();
    if (vkr_has(VKR_FLAG_VALUES)) {
        if (!vkr_loads_values())
            vkr_number_values(tile);
        VKR_REORDER(vkr_own_values[i], vkr_own_places, vkr_own_values[i], vkr_tile_place(i))
    }
    VKR_TILE_STORED
    vkr_scatter_places(tile);
    vkr_store_keys(tile);
    vkr_store_values(tile);
}

#endif
