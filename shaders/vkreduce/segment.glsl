/* SPDX-License-Identifier: MIT */
/*
 * Where segments start. A cursor (`until`) follows the elements of a scan in its order: of rows it is
 * the number of elements before the next start.
 */
#ifndef VKR_SEGMENT_GLSL
#define VKR_SEGMENT_GLSL

uint vkr_covered_count; /* elements of this dispatch that there are */
uint vkr_origin;        /* the first of all elements in the order of the scan; ~0: not here */

/* The cursor before element i. */
uint vkr_seek(uint i)
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

/* Whether a segment starts, in the order of the scan, with element i; moves the cursor on. */
bool vkr_starts(inout uint until, uint i)
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
