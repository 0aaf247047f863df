/* SPDX-License-Identifier: MIT */
/*
 * Moves payloads to the positions of their elements, by marks: one bit for each element that is
 * kept. A workgroup moves the entries of one share of the pass that wrote the marks, whose partial
 * says how many elements are kept before it. It lists the entries of 32 elements per invocation in
 * shared memory, piece by piece, so that its invocations move entries side by side. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8|16 and -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*, and optionally with
 * -DVKR_PACKS_OF_U64; for 16 bytes also with -DVKR_LOADS=VKR_LOADS_TEXEL.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/move.h"

#define VKR_INPUTS 1
#define VKR_VECTOR 0
#include "vkreduce/variant.glsl"
#include "vkreduce/window.glsl"

#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY 0u
#define VKR_GROUP_COMBINE(a, b) ((a) + (b))
#define VKR_GROUP_COMMUTES
#define VKR_GROUP_ROLLED
#include "vkreduce/lanes.glsl"
#include "vkreduce/moved.glsl"

const uint VKR_LISTED = 8u * VKR_WORKGROUP;
const uint VKR_PIECES = 4u; /* of a row, which has 32 elements for each invocation */
shared uint vkr_list[VKR_LISTED];
shared uint vkr_row_words[VKR_WORKGROUP];

/* Makes what invocations have stored in shared memory visible to all of them. */
void vkr_meet()
{
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    if (VKR_ONE_SUBGROUP)
        subgroupBarrier();
#endif
    if (!VKR_ONE_SUBGROUP)
        barrier();
}

/* ---- Elements of a share. Their numbers count those that the window's first unit lacks ---- */

const bool VKR_CONTIGUOUS = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
const uint VKR_UNITS_OF_WORD = 32u / VKR_STEP;
const uint VKR_UNIT_BITS = (1u << VKR_STEP) - 1u;

/* Words of each invocation, which are rows of the share. */
uint vkr_rows()
{
    return (push.items - 1u) / VKR_UNITS_OF_WORD + 1u;
}

uint vkr_share_elements()
{
    return VKR_WORKGROUP * push.items * VKR_STEP;
}

/* The elements of the window that exist. */
uint vkr_covered_count()
{
    uvec2 first = uvec2(push.first_low, push.first_high);
    uvec2 count = vkr_recorded(VKR_RECORD_COUNT);
    return vkr_less(first, count) ? vkr_minimum(vkr_subtract(count, first), uvec2(push.count, 0u)).x
                                  : 0u;
}

/* The number of elements before a workgroup's share. */
uint vkr_elements_before(const uint group, const uint covered)
{
    return group == 0u ? 0u : min(group * vkr_share_elements() - push.lead, covered);
}

/* The marks of 32 consecutive elements, which start at number `first` of the share. With coalesced
 * loads the row has words of one invocation each, with a mark for each of its units. */
uint vkr_marks_of(const uint marks, const uint row, out uint first, out uint end)
{
    uint n = row * VKR_WORKGROUP + vkr_group_rank();
    uint word = vkr_marks[marks + n];
    if (VKR_CONTIGUOUS) {
        uint run = n / vkr_rows();
        first = run * push.items * VKR_STEP + n % vkr_rows() * 32u;
        end = (run + 1u) * push.items * VKR_STEP;
        return word;
    }
    vkr_row_words[vkr_group_rank()] = word;
    vkr_meet();
    word = 0u;
    [[dont_unroll]] for (uint i = 0u; i < VKR_UNITS_OF_WORD; i++) {
        uint unit = vkr_group_rank() * VKR_UNITS_OF_WORD + i;
        uint bits = vkr_row_words[unit % VKR_WORKGROUP] >> unit / VKR_WORKGROUP * VKR_STEP;
        word |= (bits & VKR_UNIT_BITS) << i * VKR_STEP;
    }
    first = n * 32u;
    end = vkr_share_elements();
    return word;
}

/* A set bit for each of 32 elements, starting at number `first` of the window, which exist and are
 * before number `end`. */
uint vkr_present(const uint first, const uint end)
{
    uint n = first < end ? min(end - first, 32u) : 0u;
    uint bits = n == 0u ? 0u : ~0u >> 32u - n;
    uint missing = first < push.lead ? min(push.lead - first, 31u) : 0u;
    return bits & ~0u << missing;
}

/* ---- Moves ---- */

/* The position of the first listed entry, which wraps below the target's window, and whether all
 * entries of the share lie in the windows of the source and of the target. */
uint vkr_to;
bool vkr_is_whole;

uint vkr_from(const uint unit)
{
    return push.source_base +
           (vkr_list[unit / VKR_UNITS] - push.source_first) * push.source_stride + unit % VKR_UNITS;
}

uint vkr_place(const uint unit)
{
    return push.target_base + (vkr_to + unit / VKR_UNITS) * push.target_stride + unit % VKR_UNITS;
}

/* Moves units of the list, starting at unit `at`, as long as there are VKR_MOVED of them for this
 * invocation. Returns the unit after them. Without a condition between a load and its store,
 * compilers start all loads before the first store. */
uint vkr_move_batches(uint at, const uint units)
{
    for (; at + (VKR_MOVED - 1u) * VKR_WORKGROUP < units; at += VKR_MOVED * VKR_WORKGROUP) {
        VkrMoved moved[VKR_MOVED];
        [[unroll]] for (uint i = 0u; i < VKR_MOVED; i++)
            moved[i] = VkrMoved(VKR_SOURCE(vkr_from(at + i * VKR_WORKGROUP)));
        [[unroll]] for (uint i = 0u; i < VKR_MOVED; i++)
            vkr_target[vkr_place(at + i * VKR_WORKGROUP)] = VkrUnit(moved[i]);
    }
    return at;
}

/* Moves the first entries of the list. */
void vkr_move_listed(const uint entries)
{
    uint units = entries * VKR_UNITS;
    uint at = vkr_group_rank();
    if (vkr_is_whole)
        at = vkr_move_batches(at, units);
    for (; at < units; at += VKR_WORKGROUP) {
        bool is_there = vkr_list[at / VKR_UNITS] - push.source_first < push.source_count;
        if (is_there && vkr_to + at / VKR_UNITS < push.target_count)
            vkr_target[vkr_place(at)] = VKR_SOURCE(vkr_from(at));
    }
}

/* Adds the entries of one row, whose marks are `left`, to the `listed` ones, and moves the list
 * whenever it is full. Returns the number of entries that it then has. */
uint vkr_list_row(uint left, const uint first, const uint listed)
{
    uint total;
    uint next = listed + vkr_group_exclusive(uint(bitCount(left)), total);
    total += listed;
    for (uint piece = 0u; piece <= VKR_PIECES; piece++) {
        for (; left != 0u && next < VKR_LISTED; left &= left - 1u) {
            vkr_list[next] = first + uint(findLSB(left));
            next++;
        }
        if (total < VKR_LISTED)
            break;
        vkr_meet();
        vkr_move_listed(VKR_LISTED);
        vkr_meet();
        vkr_to += VKR_LISTED;
        next -= VKR_LISTED;
        total -= VKR_LISTED;
    }
    return total;
}

void main()
{
    const bool rejected = (VKR_FLAGS & VKR_FLAG_REJECTED) != 0u;
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint marks = push.marks_base + group * VKR_WORKGROUP * vkr_rows();
    group += push.first_group;
    uint runs = VKR_CONTIGUOUS ? VKR_WORKGROUP : 1u;
    uint partial = VKR_RECORD_WORDS + 2u * (push.first_run + group * runs);
    uvec2 position = vkr_recorded(partial);
    uint entries = vkr_recorded(partial + 2u * runs).x - position.x;
    uint covered = vkr_covered_count();
    uint ahead = vkr_elements_before(group, covered);
    if (rejected) {
        uvec2 first = vkr_add(uvec2(push.first_low, push.first_high), uvec2(ahead, 0u));
        position = vkr_subtract(first, position);
        entries = vkr_elements_before(group + 1u, covered) - ahead - entries;
    }
    if ((VKR_FLAGS & VKR_FLAG_APPEND) != 0u)
        position = vkr_add(position, vkr_recorded(VKR_RECORD_APPEND));
    vkr_to = vkr_in_window(position, uvec2(push.target_low, push.target_high), push.target_count);
    if (!vkr_meets(vkr_to, entries, push.target_count))
        return;
    uint last = vkr_elements_before(group + 1u, covered) - 1u;
    bool has_sources = ahead - push.source_first < push.source_count &&
                       last - push.source_first < push.source_count;
    vkr_is_whole = has_sources && vkr_to < push.target_count &&
                   entries <= push.target_count - vkr_to;

    uint start = group * vkr_share_elements();
    uint listed = 0u;
    for (uint row = 0u; row < vkr_rows(); row++) {
        uint first, end;
        uint bits = vkr_marks_of(marks, row, first, end);
        bits = (rejected ? ~bits : bits) &
               vkr_present(start + first, min(start + end, covered + push.lead));
        listed = vkr_list_row(bits, start + first - push.lead, listed);
        if (!VKR_CONTIGUOUS)
            vkr_meet(); /* the row has been read */
    }
    vkr_meet();
    vkr_move_listed(listed);
}
