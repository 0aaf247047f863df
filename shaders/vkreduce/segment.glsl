/* SPDX-License-Identifier: MIT */
/*
 * Finds the starts of segments. A cursor (`until`) follows the elements in the order of the scan:
 * for rows it is the number of elements before the next start.
 */
#ifndef VKR_SEGMENT_GLSL
#define VKR_SEGMENT_GLSL

uvec2 vkr_whole;        /* elements of the whole operation */
uint vkr_covered_count; /* elements of this dispatch below the count */
/* The first of all elements in the order of the scan; ~0: not in this dispatch. */
uint vkr_origin;

void vkr_begin()
{
    vkr_whole = vkr_total();
    vkr_covered_count = vkr_covered(vkr_whole);
    vkr_origin = ~0u;
    if (VKR_REVERSE) {
        uvec2 end = vkr_add(uvec2(push.first_low, push.first_high), uvec2(vkr_covered_count, 0u));
        if (end == vkr_whole)
            vkr_origin = vkr_covered_count - 1u;
    } else if ((push.first_low | push.first_high) == 0u) {
        vkr_origin = 0u;
    }
}

#if VKR_KEYED
#define vkr_seek(i) 0u

/* The bits that stand for those of a key where it is compared. */
uint vkr_compared(const uint key)
{
    if ((VKR_FLAGS & VKR_FLAG_BY_VALUE) == 0u)
        return key;
    uint magnitude = key & 0x7fffffffu;
    uint number = magnitude == 0u ? 0u : key;
    return magnitude > 0x7f800000u ? ~0u : number;
}

bool vkr_starts(const uint until, const uint i)
{
    const uint at = push.heads_base + i;
    bool starts = i == vkr_origin;
    if (!starts)
        starts = vkr_compared(vkr_keys[at]) !=
                 vkr_compared(vkr_keys[VKR_REVERSE ? at + 1u : at - 1u]);
    return starts;
}
#else
/* The cursor before element i. */
uint vkr_seek(const uint i)
{
    if ((VKR_FLAGS & VKR_FLAG_ROWS) == 0u)
        return 0u;
    uint first = push.heads_base;
    if (VKR_REVERSE)
        return i + 1u < first ? ~0u : (i + 1u - first) % push.row_length;
    if (i <= first)
        return first - i;
    uint past = (i - first) % push.row_length;
    return past == 0u ? 0u : push.row_length - past;
}

/* Whether a segment starts, in the order of the scan, with element i; advances the cursor. */
bool vkr_starts(inout uint until, const uint i)
{
    bool starts = i == vkr_origin;
    if ((VKR_FLAGS & VKR_FLAG_ROWS) != 0u) {
        starts = starts || until == 0u;
        until = (until == 0u ? push.row_length : until) - 1u;
    }
    if ((VKR_FLAGS & VKR_FLAG_HEADS) != 0u && !starts) {
        uint bit = push.heads_base + (VKR_REVERSE ? i + 1u : i);
        starts = (vkr_heads[bit >> 5] >> (bit & 31u) & 1u) != 0u;
    }
    return starts;
}
#endif

#endif
