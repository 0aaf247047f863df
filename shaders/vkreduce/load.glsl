/* SPDX-License-Identifier: MIT */
/*
 * How invocations walk and load their share of a tightly packed array: order and path are data.
 *
 * A unit is the least run of whole elements that fills whole packs of 16 bytes: VKR_UNIT_ELEMENTS
 * in VKR_COMPONENTS packs. An array is a head of elements up to the first multiple of 16 bytes, a
 * body of units and a tail of elements. Units go to the workgroups in shares of
 * VKR_WORKGROUP * units each; in a share, invocations walk either side by side (coalesced) or each
 * on a contiguous run of its own.
 *
 * Built with -DVKR_LOADS=VKR_LOADS_*: what a pack is loaded from.
 */
#ifndef VKR_LOAD_GLSL
#define VKR_LOAD_GLSL

#define VKR_UNIT_ELEMENTS (16u / uint(VKR_BYTES))

/* Units whose loads are started before the first is used: 64 bytes of one component. */
#if VKR_VECTOR
#define VKR_BATCH 1u
#else
#define VKR_BATCH (2u * uint(VKR_BYTES))
#endif

/* Not sized by a specialisation constant: such arrays cannot be copied. */
#if VKR_VECTOR
#define VKR_PACKS 4
#else
#define VKR_PACKS 1
#endif
struct VkrUnit {
    uvec4 a[VKR_PACKS];
    uvec4 b[VKR_PACKS]; /* of the second input */
};

#if VKR_LOADS == VKR_LOADS_TEXEL
#define VKR_PACK(at) texelFetch(vkr_texels, int(at))
#define VKR_PACK2(at) uvec4(0u)
#elif VKR_LOADS == VKR_LOADS_U64
#define VKR_WORDS_OF(pack) uvec4(unpackUint2x32(pack.x), unpackUint2x32(pack.y))
#define VKR_PACK(at) VKR_WORDS_OF(vkr_packs[at])
#define VKR_PACK2(at) VKR_WORDS_OF(vkr_packs2[at])
#else
#define VKR_PACK(at) vkr_packs[at]
#define VKR_PACK2(at) vkr_packs2[at]
#endif

/* The packs of unit u of the body. */
VkrUnit vkr_load_packs(uint u)
{
    VkrUnit packs;
    VKR_EACH(c) {
        uint at = u * VKR_COMPONENTS + VKR_AT(c);
        packs.a[VKR_AT(c)] = VKR_PACK(push.pack_base + at);
        if (VKR_HAS(VKR_BIT_DOT))
            packs.b[VKR_AT(c)] = VKR_PACK2(push.pack2_base + at);
    }
    return packs;
}

/* What an invocation has of the body: `count` units from `first` on, `stride` apart. */
struct VkrWalk {
    uint first;
    uint count;
    uint stride;
};

/* The walk of this invocation in workgroup `group`, which has `units` per invocation of the
 * `total` there are. */
VkrWalk vkr_walk(uint group, uint units, uint total)
{
    bool contiguous = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
    uint stride = contiguous ? 1u : VKR_WORKGROUP;
    uint first =
        group * VKR_WORKGROUP * units + gl_LocalInvocationIndex * (contiguous ? units : 1u);
    uint left = first < total ? (total - first - 1u) / stride + 1u : 0u;
    return VkrWalk(first, min(units, left), stride);
}

/* Value `v` of the packs of a unit. */
VkrBits vkr_value_of_pack(uvec4 packs[VKR_PACKS], uint v)
{
    const uint values = 16u / uint(VKR_BYTES);
    uvec4 pack = packs[VKR_AT(v / values)];
    uint i = v % values;
#if VKR_BYTES == 8
    return packUint2x32(i == 0u ? pack.xy : pack.zw);
#elif VKR_BYTES == 4
    return pack[i];
#else
    const uint per_word = 4u / uint(VKR_BYTES);
    return pack[i / per_word] >> (i % per_word * 8u * uint(VKR_BYTES)) & VKR_MASK;
#endif
}

#endif
