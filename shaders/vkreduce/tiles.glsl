/* SPDX-License-Identifier: MIT */
/* Tiles of a scan in a single pass, which publish values of any size, in words of 16 bits. */
#ifndef VKR_TILES_GLSL
#define VKR_TILES_GLSL

/* Prefixes are computed from each other, so those of float sums keep their rounding errors
 * (strand.glsl) in one more value. All words of a value say whether a segment starts. Where runs
 * are reduced, their number and the place of the last one follow the terms. */
const uint VKR_TILE_WORDS = (VKR_VALUED ? 2u * VKR_COMPONENTS * uint(VKR_TERM_WORDS) : 0u) +
                            (VKR_REDUCES ? 2u : 0u) + (VKR_PLACES ? 2u : 0u);
const uint VKR_PREFIX_WORDS = VKR_HOLDS ? 2u * VKR_TILE_WORDS : VKR_TILE_WORDS;
#define VKR_TILE_STATES push.states_base
#define VKR_TILE_HEAD (1u << 16)
#include "published.glsl"

/* A later dispatch could not compute the last tile of this one. */
#define VKR_MUTES(tile) ((tile) + 1u == VKR_MUTED && (tile) + 1u != push.first_tile + push.groups)

/* ---- Words ---- */

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
#if VKR_KEYED
    if (VKR_REDUCES)
        vkr_publish_bits(at, marks, s.head);
    if (VKR_PLACES)
        vkr_publish_bits(at + 2u, marks, s.place);
#endif
}

uint vkr_marks_of(const VkrScan s)
{
    return VKR_PUBLISHED | (VKR_SEGMENTED && s.head != 0u ? VKR_TILE_HEAD : 0u);
}

void vkr_publish_total(const uint tile, const VkrScan total)
{
    vkr_publish_scan(vkr_words_of_total(tile), vkr_marks_of(total), total);
}

void vkr_publish_prefix(const uint block, const VkrRunning prefix)
{
    VkrScan rounded = vkr_rounded(prefix);
    uint at = vkr_words_of_prefix(block);
    vkr_publish_scan(at, vkr_marks_of(rounded), rounded);
    if (VKR_HOLDS)
        vkr_publish_scan(at + VKR_TILE_WORDS, vkr_marks_of(rounded), vkr_lost_of(prefix));
}

/* Returns 32 bits of a value. `marks` loses those that one of the two words lacks. */
uint vkr_poll_bits(inout uint marks, const uint at)
{
    uint low = vkr_load_word(vkr_counter[at]);
    uint high = vkr_load_word(vkr_counter[at + 1u]);
    marks &= low & high;
    return low & 0xffffu | high << 16;
}

bool vkr_poll_scan(uint at, out VkrScan s)
{
    uint marks = ~0u;
    s = vkr_scan_identity();
    VKR_EACH(c) {
        uvec2 words = uvec2(vkr_poll_bits(marks, at), 0u);
        if (VKR_TERM_WORDS == 2)
            words.y = vkr_poll_bits(marks, at + 2u);
        s.state[VKR_AT(c)] = VKR_TERM_OF_WORDS(words);
        at += 2u * uint(VKR_TERM_WORDS);
    }
    s.head = VKR_SEGMENTED ? marks / VKR_TILE_HEAD & 1u : 0u;
#if VKR_KEYED
    if (VKR_REDUCES)
        s.head = vkr_poll_bits(marks, at);
    if (VKR_PLACES)
        s.place = vkr_poll_bits(marks, at + 2u);
#endif
    return (marks & VKR_PUBLISHED) != 0u;
}

bool vkr_poll_total(const uint tile, out VkrScan total)
{
    return vkr_poll_scan(vkr_words_of_total(tile), total);
}

bool vkr_poll_prefix(const uint block, out VkrRunning prefix)
{
    VkrScan value, lost;
    uint at = vkr_words_of_prefix(block);
    bool is_there = vkr_poll_scan(at, value);
    prefix = vkr_run_from(value);
    if (VKR_HOLDS) {
        is_there = vkr_poll_scan(at + VKR_TILE_WORDS, lost) && is_there;
        vkr_restore_lost(prefix, lost);
    }
    return is_there;
}

/* ---- Values ---- */

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

#include "lookback.glsl"

/* The first unit of a tile of this dispatch. */
uint vkr_first_of_tile(const uint tile)
{
    return (tile - push.first_tile) * VKR_WORKGROUP * push.items;
}

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
/* A tile of one chunk, which stays in registers while its workgroup looks back. If a unit is not
 * full, each invocation walks over consecutive elements instead, both before and after the
 * look-back. */
struct VkrHeld {
    VkrScan before; /* in the workgroup */
    uint first;     /* the invocation's first unit, */
    uint count;     /* and their number, where it walks over elements */
    uint until;
    bool full;
};

VkrHeld vkr_hold_tile(const uint v, out VkrScan sum)
{
    VkrHeld held;
    uint low;
    uint high;
    vkr_full_units(low, high);
    held.full = v >= low && v + VKR_BATCH * VKR_WORKGROUP <= high;
    held.first = v + vkr_group_rank() * VKR_BATCH;
    held.count = held.first < vkr_units() ? min(VKR_BATCH, vkr_units() - held.first) : 0u;
    held.until = held.count > 0u ? vkr_seek_unit(vkr_unit_at(held.first)) : 0u;
    uint cursor = held.until;
    VkrScan row;
    held.before = vkr_scan_identity();
    if (held.full) {
        held.before = vkr_total_chunk(v, true, row);
    } else {
        vkr_scan_elements(held.before, cursor, held.first, held.count, false);
        held.before = vkr_group_subgroup_exclusive(held.before, row);
    }
    sum = row;
    if (!VKR_ONE_ROW)
        held.before = vkr_scan_combine(vkr_group_subgroups_exclusive(row, sum), held.before);
    return held;
}

/* Writes the results of a tile; s is the prefix of this invocation. */
void vkr_apply_tile(VkrHeld held, VkrScan s, const uint tile)
{
    if (held.full)
        vkr_apply_chunk(s, vkr_first_of_tile(tile), true);
    else
        vkr_scan_elements(s, held.until, held.first, held.count, true);
}

/* Scans a tile. `prefix` becomes the prefix of the tile, `sum` its total. */
void vkr_scan_tile(const uint tile, out VkrScan prefix, out VkrScan sum)
{
    VkrHeld held;
    VKR_LOOK_BACK(tile, total) {
        held = vkr_hold_tile(vkr_first_of_tile(total), sum);
        total = vkr_look_back(tile, total, sum, prefix);
    }
    const VkrScan s = vkr_scan_combine(prefix, held.before);
#if VKR_KEYED
    vkr_first_run = prefix.head;
    vkr_place_before = prefix.place;
    const uint runs = VKR_REDUCES ? sum.head : 1u;
    [[dont_unroll]] for (uint first = 0u; first < runs; first += VKR_STAGED_RUNS) {
        vkr_apply_tile(held, s, tile);
        if (VKR_REDUCES)
            vkr_store_staged(min(runs - first, VKR_STAGED_RUNS));
    }
#else
    vkr_apply_tile(held, s, tile);
#endif
}
#else
/* The same for tiles of any length, which are read twice. */
void vkr_scan_tile(const uint tile, out VkrScan prefix, out VkrScan sum)
{
    VkrScan s;
    prefix = vkr_initial();
    VKR_LOOK_BACK(tile, total) {
        s = vkr_scan_identity();
        vkr_scan_units(s, vkr_first_of_tile(total), false);
        s = vkr_group_exclusive(s, sum);
        total = VKR_MODE == VKR_MODE_ONE ? VKR_FOUND : vkr_look_back(tile, total, sum, prefix);
    }
    s = VKR_CONTIGUOUS ? vkr_scan_combine(prefix, s) : prefix;
    vkr_scan_units(s, vkr_first_of_tile(tile), true);
}
#endif

#endif
