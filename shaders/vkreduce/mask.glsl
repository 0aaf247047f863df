/* SPDX-License-Identifier: MIT */
/* The bits of a mask, which say which elements of the dispatch are kept. */
#ifndef VKR_MASK_GLSL
#define VKR_MASK_GLSL

#if defined(VKR_SEGMENTS) && VKR_LINKED
#define vkr_mask_word(i) vkr_offsets[i]
#elif defined(VKR_SEGMENTS)
/* Words lie in the binding of offsets or, for shapes with offsets, in that of the second input. */
uint vkr_mask_word(const uint i)
{
    if (VKR_SHAPE >= VKR_SHAPE_OFFSETS && VKR_SHAPE <= VKR_SHAPE_LARGE)
        return vkr_mask_in_input2[i];
    return vkr_offsets[i];
}
#else
#define vkr_mask_word(i) vkr_mask[i]
#endif

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_mask_base = push.mask_base;

/* The mask's bits for `count` elements, at most 32, starting at the dispatch's element `first`;
 * higher bits are undefined. */
uint vkr_kept(const uint first, const uint count)
{
    uint at = vkr_mask_base + first;
    uint shift = at & 31u;
    uint bits = vkr_mask_word(at >> 5) >> shift;
    if (count > 1u) /* perhaps the next word too; without a branch, so loads can continue */
        bits |= vkr_mask_word((at + count - 1u) >> 5) << (31u - shift) << 1;
    return bits;
}

/* Do the same for units of a walk. If the units of an invocation are contiguous, the bits of a
 * whole batch are loaded together. */
#if defined(VKR_OF_TILES) || defined(VKR_SEGMENTS)
const uint VKR_KEPT_BITS = 33u;
#else
const uint VKR_KEPT_BITS =
    VKR_ORDER == VKR_ORDER_CONTIGUOUS ? VKR_BATCH * VKR_UNIT_ELEMENTS : 33u;
#endif
#define VKR_KEPT_TOGETHER (VKR_KEPT_BITS <= 32u)
#define VKR_KEPT_BY_UNIT (VKR_KEPT_BITS > 32u)
#if VKR_OF_IMAGE
#define VKR_KEPT_OF_UNITS(u, count) vkr_kept(u, count)
#elif defined(VKR_SEGMENTS)
/* The elements that unit 0 lacks at its start have no bits; then that unit is loaded, but not
 * used. */
uint vkr_mask_lead = push.lead;
#define VKR_KEPT_OF_UNITS(u, count)                                                                \
    vkr_kept(max((u) * VKR_UNIT_ELEMENTS, vkr_mask_lead) - vkr_mask_lead, VKR_UNIT_ELEMENTS)
#elif defined(VKR_OF_TILES)
#define VKR_KEPT_OF_UNITS(u, count)                                                                \
    vkr_kept((u) * VKR_UNIT_ELEMENTS, (count) * VKR_UNIT_ELEMENTS)
#else
#define VKR_KEPT_OF_UNITS(u, count)                                                                \
    vkr_kept(push.head + (u) * VKR_UNIT_ELEMENTS, (count) * VKR_UNIT_ELEMENTS)
#endif

/* Set the mask's bits in the units of a batch, or in unit u. */
#define VKR_TAKE_KEPT(units, u)                                                                    \
    if (VKR_MASKED && VKR_KEPT_TOGETHER) {                                                         \
        uint bits = VKR_KEPT_OF_UNITS(u, VKR_BATCH);                                               \
        for (uint b = 0u; b < VKR_BATCH; b++)                                                      \
            units[b].kept = bits >> b * VKR_UNIT_ELEMENTS;                                         \
    }
#define VKR_TAKE_KEPT_OF(unit, u)                                                                  \
    if (VKR_MASKED && VKR_KEPT_TOGETHER)                                                           \
        unit.kept = VKR_KEPT_OF_UNITS(u, 1u);

#endif
