/* SPDX-License-Identifier: MIT */
/* Tiles of a scan in a single pass, which publish values of any size, in words of 16 bits. */
#ifndef VKR_TILES_GLSL
#define VKR_TILES_GLSL

#include "published.glsl"

/* Prefixes are computed from each other, so those of float sums keep their rounding errors
 * (strand.glsl) in one more value. All words say whether a segment starts. */
const uint VKR_VALUE_WORDS = 2u * VKR_COMPONENTS * uint(VKR_TERM_WORDS);
const uint VKR_TILE_WORDS = VKR_HOLDS ? 2u * VKR_VALUE_WORDS : VKR_VALUE_WORDS;
#define VKR_TILE_HEAD (1u << 16)

uint vkr_tile_at(const uint tile)
{
    return push.states_base + tile * VKR_TILE_WORDS;
}

void vkr_publish_bits(const uint at, const uint marks, const uint bits)
{
    vkr_store_word(vkr_counter[at], marks | bits & 0xffffu);
    vkr_store_word(vkr_counter[at + 1u], marks | bits >> 16);
}

void vkr_publish_scan(uint at, const uint marks, const VkrScan s)
{
    VKR_EACH(c) {
        uvec2 words = VKR_WORDS_OF_TERM(s.state[VKR_AT(c)]);
        vkr_publish_bits(at, marks, words.x);
        if (VKR_TERM_WORDS == 2)
            vkr_publish_bits(at + 2u, marks, words.y);
        at += 2u * uint(VKR_TERM_WORDS);
    }
}

void vkr_publish_value(const uint tile, const uint state, const VkrRunning value)
{
    VkrScan rounded = vkr_rounded(value);
    uint at = vkr_tile_at(tile);
    uint marks = state | (VKR_SEGMENTED && rounded.head != 0u ? VKR_TILE_HEAD : 0u);
    vkr_publish_scan(at, marks, rounded);
    if (VKR_HOLDS)
        vkr_publish_scan(at + VKR_VALUE_WORDS, marks, vkr_lost_of(value));
}

struct VkrPublished {
    uint state;
    VkrScan value;
    VkrScan lost;
};

VkrPublished vkr_nothing_published()
{
    return VkrPublished(VKR_TILE_TOTAL, vkr_scan_identity(), vkr_scan_identity());
}

/* Returns 32 bits of a value. `marks` loses those that one of the two words lacks. */
uint vkr_poll_bits(inout uint marks, const uint at)
{
    uint low = vkr_load_word(vkr_counter[at]);
    uint high = vkr_load_word(vkr_counter[at + 1u]);
    marks &= low & high;
    return low & 0xffffu | high << 16;
}

VkrScan vkr_poll_scan(inout uint marks, uint at)
{
    VkrScan s = vkr_scan_identity();
    VKR_EACH(c) {
        uvec2 words = uvec2(vkr_poll_bits(marks, at), 0u);
        if (VKR_TERM_WORDS == 2)
            words.y = vkr_poll_bits(marks, at + 2u);
        s.state[VKR_AT(c)] = VKR_TERM_OF_WORDS(words);
        at += 2u * uint(VKR_TERM_WORDS);
    }
    return s;
}

/* No state is left of words with different ones, since TOTAL and PREFIX have no bit in common. */
VkrPublished vkr_poll(const uint tile)
{
    uint marks = ~0u;
    VkrPublished published = vkr_nothing_published();
    published.value = vkr_poll_scan(marks, vkr_tile_at(tile));
    if (VKR_HOLDS)
        published.lost = vkr_poll_scan(marks, vkr_tile_at(tile) + VKR_VALUE_WORDS);
    published.value.head = VKR_SEGMENTED ? marks / VKR_TILE_HEAD & 1u : 0u;
    published.state = marks & VKR_TILE_STATE;
    return published;
}

/* Combines the values of a row. */
VkrScan vkr_row_combine(VkrScan s)
{
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
    return s;
#elif VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
    return vkr_group_subgroup_reduce(s);
#else
    VkrScan sum;
    s = vkr_group_subgroup_exclusive(s, sum);
    return sum;
#endif
}

VkrScan vkr_row_combine_where(const bool counts, const VkrScan s)
{
    VkrScan counted = vkr_scan_identity();
    if (counts)
        counted = s;
    return vkr_row_combine(counted);
}

VkrRunning vkr_seen_values(const uint next, const VkrPublished published, const uint begin,
                           const bool is_whole)
{
    uint tile = vkr_polled_tile(next);
    uint first = begin - (is_whole && !VKR_HOLDS ? 1u : 0u); /* a prefix counts too */
    VkrRunning values = vkr_run_from(vkr_row_combine_where(tile >= first, published.value));
    if (VKR_HOLDS && is_whole) {
        bool has_prefix = tile + 1u == begin;
        VkrRunning before = vkr_run_from(vkr_row_combine_where(has_prefix, published.value));
        vkr_restore_lost(before, vkr_row_combine_where(has_prefix, published.lost));
        vkr_precede(values, before);
    }
    return values;
}

/* These use the slots after those of group.glsl. */
void vkr_put_seen(const VkrRunning value)
{
    vkr_scan_put(VKR_SLOTS, vkr_rounded(value));
    if (VKR_HOLDS)
        vkr_scan_put(VKR_SLOTS + 1u, vkr_lost_of(value));
}

VkrRunning vkr_get_seen()
{
    VkrRunning value = vkr_run_from(vkr_scan_get(VKR_SLOTS));
    if (VKR_HOLDS)
        vkr_restore_lost(value, vkr_scan_get(VKR_SLOTS + 1u));
    return value;
}

/* Computes the total of a tile of this dispatch. This is rare, so it may be slow. */
VkrScan vkr_total_of_tile(const uint tile)
{
    uint v = ((tile - push.first_tile) * VKR_WORKGROUP + vkr_group_rank()) * push.items;
    uint count = v < vkr_units() ? min(push.items, vkr_units() - v) : 0u;
    uint until = count > 0u ? vkr_seek_unit(vkr_unit_at(v)) : 0u;
    VkrShare share = vkr_share_from(vkr_scan_identity());
    VkrScan sum;
    for (uint end = v + count; v < end; v += VKR_STRAND_STEPS) {
        vkr_scan_elements(vkr_strand_of(share), until, v, min(end - v, VKR_STRAND_STEPS),
                          false);
        vkr_end_strand(share);
    }
    VkrScan s = vkr_group_exclusive(vkr_scan_of_share(share), sum);
    return sum;
}

#include "lookback.glsl"

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
/* Scans the tile that starts at unit v, which is one chunk and stays in registers while its
 * workgroup looks back. If a unit is not full, each invocation walks over consecutive elements
 * instead, both before and after the look-back. `prefix` becomes the prefix of the tile, `sum` its
 * total. */
void vkr_scan_held(const uint tile, const uint v, out VkrScan prefix, out VkrScan sum)
{
    uint low;
    uint high;
    vkr_full_units(low, high);
    bool full = v >= low && v + VKR_BATCH * VKR_WORKGROUP <= high;
    uint own = v + vkr_group_rank() * VKR_BATCH;
    uint count = own < vkr_units() ? min(VKR_BATCH, vkr_units() - own) : 0u;
    uint until = count > 0u ? vkr_seek_unit(vkr_unit_at(own)) : 0u;
    uint cursor = until;
    VkrScan s = vkr_scan_identity();
    VkrScan row;
    if (full) {
        s = vkr_total_chunk(v, true, row);
    } else {
        vkr_scan_elements(s, cursor, own, count, false);
        s = vkr_group_subgroup_exclusive(s, row);
    }
    sum = row;
    if (!VKR_ONE_ROW)
        s = vkr_scan_combine(vkr_group_subgroups_exclusive(row, sum), s);
    prefix = vkr_look_back(tile, sum);
    s = vkr_scan_combine(prefix, s);
    if (full)
        vkr_apply_chunk(s, v, true);
    else
        vkr_scan_elements(s, until, own, count, true);
}
#endif

#endif
