/* SPDX-License-Identifier: MIT */
/* How a part of kept elements, or of rejected ones, is stored: staged_part.glsl includes this file
 * with VKR_STAGED_KEPT as 1 and as 0. */

#if VKR_STAGED_KEPT
#define VKR_SIDE_NAME VKR_STAGED_NAME(store_kept)
#define VKR_SIDE_BASES push.kept_bases
#define VKR_SIDE_ROOM push.kept_count
#else
#define VKR_SIDE_NAME VKR_STAGED_NAME(store_rejected)
#define VKR_SIDE_BASES push.rejected_bases
#define VKR_SIDE_ROOM push.rejected_count
#endif
#if VKR_STAGED_INDICES && VKR_STAGED_KEPT
#define VKR_SIDE_STRIDE uniforms.kept_indices_stride
#define VKR_SIDE_PUT(to, unit) vkr_put_kept_index(to, unit.packs[0].x)
#elif VKR_STAGED_INDICES
#define VKR_SIDE_STRIDE uniforms.rejected_indices_stride
#define VKR_SIDE_PUT(to, unit) vkr_put_rejected_index(to, unit.packs[0].x)
#elif VKR_STAGED_KEPT
#define VKR_SIDE_STRIDE uniforms.kept_stride
#define VKR_SIDE_PUT(to, unit) vkr_put_kept(to, unit, 0u)
#else
#define VKR_SIDE_STRIDE uniforms.rejected_stride
#define VKR_SIDE_PUT(to, unit) vkr_put_rejected(to, unit, 0u)
#endif
#if VKR_STAGED_INDICES
#define VKR_SIDE_BASE vkr_high_half(VKR_SIDE_BASES)
#else
#define VKR_SIDE_BASE vkr_low_half(VKR_SIDE_BASES)
#endif

/* Stores `n` staged elements after the first `skipped` ones, side by side, starting at position
 * `at`, which wraps below 0. Lanes are chosen by places in memory, so that all stores of packed
 * words but the first one start at a multiple of the row's size. */
void VKR_SIDE_NAME(uint at, uint n, uint skipped)
{
    uint outside = at >= 0x80000000u ? min(0u - at, n) : 0u;
    at += outside;
    skipped += outside;
    n = at < VKR_SIDE_ROOM ? min(min(n - outside, VKR_SIDE_ROOM - at), VKR_STAGED_ROOM) : 0u;
    uint base = VKR_SIDE_BASE;
    uint stride = VKR_SIDE_STRIDE;
    uint skew = n == 0u ? 0u : (base + at) % VKR_ROW_SIZE;
    uint end = n + skew; /* the first `skew` lanes have nothing to store */
    uint lane = vkr_lane() - skew;
#if VKR_STAGED_KEPT
    uint from = vkr_staged_first() + skipped + lane;
    uint next = VKR_ROW_SIZE;
#else
    uint from = vkr_staged_first() + VKR_STAGED_ROOM - 1u - skipped - lane;
    uint next = 0u - VKR_ROW_SIZE;
#endif
    uint to = base + (at + lane) * stride;
    uint ahead = VKR_ROW_SIZE * stride;
    for (uint done = 0u; done < end;) {
        uint stores = 1u;
        if (done >= skew && end - done >= VKR_STAGED_STORES * VKR_ROW_SIZE) {
            stores = VKR_STAGED_STORES;
            VkrUnit units[VKR_STAGED_STORES];
            [[unroll]] for (uint s = 0u; s < VKR_STAGED_STORES; s++)
                units[s] = VKR_STAGED_NAME(unit)(from + s * next);
            [[unroll]] for (uint s = 0u; s < VKR_STAGED_STORES; s++)
                VKR_SIDE_PUT(to + s * ahead, units[s]);
        } else if (lane + done < n) {
            VkrUnit unit = VKR_STAGED_NAME(unit)(from);
            VKR_SIDE_PUT(to, unit);
        }
        done += stores * VKR_ROW_SIZE;
        from += stores * next;
        to += stores * ahead;
    }
}

#undef VKR_STAGED_KEPT
#undef VKR_SIDE_NAME
#undef VKR_SIDE_BASES
#undef VKR_SIDE_ROOM
#undef VKR_SIDE_STRIDE
#undef VKR_SIDE_PUT
#undef VKR_SIDE_BASE
