/* SPDX-License-Identifier: MIT */
/* Where segments start in the units of scans by flags, offsets and rows. */
#ifndef VKR_STARTS_GLSL
#define VKR_STARTS_GLSL

/* The cursor at which the scan enters unit u. */
uint vkr_seek_unit(const uint u)
{
    if (VKR_REVERSE)
        return vkr_seek(min(vkr_begin_of(u) + VKR_STEP - 1u, vkr_covered_count - 1u));
    return vkr_seek(u == 0u ? 0u : vkr_begin_of(u));
}

/* Bit e: a segment starts, in the order of the scan, with element e of unit u, which is full. Its
 * bits lie in one or two words. */
uint vkr_starts_in_unit(const uint u)
{
    uint begin = vkr_begin_of(u);
    uint starts = 0u;
    if ((VKR_FLAGS & VKR_FLAG_HEADS) != 0u) {
        uint bit = push.heads_base + begin + (VKR_REVERSE ? 1u : 0u);
        /* The first element of a reversed scan starts a segment without a bit of its own. */
        uint last = push.heads_base + vkr_covered_count;
        last -= VKR_REVERSE && vkr_origin == ~0u ? 0u : 1u;
        uint low = vkr_heads[bit >> 5];
        uint high = vkr_heads[min(bit + VKR_STEP - 1u, last) >> 5];
        starts = low >> (bit & 31u) | high << 1u << (31u - (bit & 31u));
    }
    if ((VKR_FLAGS & VKR_FLAG_ROWS) != 0u) {
        uint until = vkr_seek_unit(u);
        for (uint k = 0u; k < VKR_STEP; k++) {
            starts |= until == 0u ? 1u << (VKR_REVERSE ? VKR_STEP - 1u - k : k) : 0u;
            until = (until == 0u ? push.row_length : until) - 1u;
        }
    }
    if (vkr_origin - begin < VKR_STEP)
        starts |= 1u << vkr_origin - begin;
    return starts;
}

#endif
