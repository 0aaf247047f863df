/* SPDX-License-Identifier: MIT */
/*
 * How invocations walk over and load their share of a tightly packed array: order, width and number
 * of loads are parameters.
 *
 * A unit is the shortest run of whole elements that fills whole loads: VKR_UNIT_ELEMENTS elements
 * in VKR_COMPONENTS loads. An array is a head of elements up to the first multiple of a load's
 * size, a body of units and a tail of elements. Each workgroup gets a share with a fixed number of
 * units per invocation; in a share, invocations either walk side by side (coalesced) or each on a
 * contiguous run of its own.
 *
 * For an image, a unit is a texel, and there is no head and no tail (image.glsl).
 *
 * Built with -DVKR_LOADS=VKR_LOADS_*; VKR_INPUTS says how many inputs the kernel has.
 */
#ifndef VKR_LOAD_GLSL
#define VKR_LOAD_GLSL

/* Staging of a buffer loads by element. */
#if defined(VKR_OF_STAGE)
#define VKR_HAS_UNITS VKR_OF_IMAGE
#else
#define VKR_HAS_UNITS 1
#endif

#if VKR_OF_IMAGE
#define VKR_UNIT_ELEMENTS 1u
#elif VKR_LOADS == VKR_LOADS_U64
#define VKR_LOAD_BYTES 32u
#else
#define VKR_LOAD_BYTES 16u
#endif
#if !VKR_OF_IMAGE
#define VKR_UNIT_ELEMENTS (VKR_LOAD_BYTES / uint(VKR_BYTES))
#endif

#if VKR_INPUTS == 2 || defined(VKR_OF_HISTOGRAM)
#define VKR_HAS_MASK 1
#include "mask.glsl"
#else
#define VKR_HAS_MASK 0
#endif

#if VKR_HAS_UNITS && !VKR_OF_IMAGE

/* The words of a unit in packs of 16 bytes. The size is not a specialisation constant, since such
 * arrays cannot be copied. */
#if VKR_VECTOR
#define VKR_PACKS (VKR_LOAD_BYTES / 4u)
#else
#define VKR_PACKS (VKR_LOAD_BYTES / 16u)
#endif
struct VkrUnit {
    uvec4 packs[VKR_PACKS];
#if VKR_INPUTS == 2
    uvec4 packs2[VKR_PACKS];
#endif
#if VKR_HAS_MASK
    uint kept; /* bits of the mask, one for each element */
#endif
};

#if VKR_LOADS == VKR_LOADS_TEXEL
#define VKR_LOAD_INTO(packs, i, array, at) packs[i] = texelFetch(vkr_texels, int(at));
#define VKR_LOAD2_INTO(packs, i, at)
#elif VKR_LOADS == VKR_LOADS_U64
#define VKR_LOAD_INTO(packs, i, array, at)                                                         \
    {                                                                                              \
        u64vec4 load = array[at];                                                                  \
        packs[2u * (i)] = uvec4(unpackUint2x32(load.x), unpackUint2x32(load.y));                   \
        packs[2u * (i) + 1u] = uvec4(unpackUint2x32(load.z), unpackUint2x32(load.w));              \
    }
#define VKR_LOAD2_INTO(packs, i, at) VKR_LOAD_INTO(packs, i, vkr_loads2, at)
#else
#define VKR_LOAD_INTO(packs, i, array, at) packs[i] = vkr_words_of_pack(array[at]);
#define VKR_LOAD2_INTO(packs, i, at) VKR_LOAD_INTO(packs, i, vkr_loads2, at)
#endif

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_load_base = push.load_base;

#ifdef VKR_OF_TILES
/* The units of a tile lie in rows: whichever unit of a walk is loaded next, the cursor is there. */
#include "cursor.glsl"
uint vkr_row_units; /* units from one row to the next */
uint vkr_corner;    /* the number of the tile's first unit among those of the dispatch */
#define vkr_start_units(walk) vkr_start_at(uvec3(0u), (walk).first, (walk).stride)

uint vkr_unit_of_dispatch(const uint u)
{
    uint number = vkr_corner + vkr_at.y * vkr_row_units + vkr_at.x;
    vkr_at = vkr_move(vkr_at, vkr_stride_at);
    return number;
}
#else
/* Starts a walk: nothing to do here. */
#define vkr_start_units(walk)
#define vkr_unit_of_dispatch(u) (u)
#endif

/* Loads unit `index` of the body, or of a walk. */
VkrUnit vkr_load_unit(const uint index)
{
    VkrUnit unit;
    uint u = vkr_unit_of_dispatch(index);
    VKR_EACH(c) {
        uint at = u * VKR_COMPONENTS + VKR_AT(c);
        VKR_LOAD_INTO(unit.packs, VKR_AT(c), vkr_loads, vkr_load_base + at)
#if VKR_INPUTS == 2
        if (VKR_HAS(VKR_BIT_DOT)) {
            VKR_LOAD2_INTO(unit.packs2, VKR_AT(c), push.load2_base + at)
        }
#endif
    }
#if VKR_HAS_MASK
    if (VKR_MASKED && VKR_KEPT_BY_UNIT)
        unit.kept = VKR_KEPT_OF_UNITS(u, 1u);
#endif
    return unit;
}
#endif

/* An invocation's units of the body: `count` units, starting at `first`, `stride` apart. */
struct VkrWalk {
    uint first;
    uint count;
    uint stride;
};

/* The walk of this invocation in workgroup `group`, which has `units` units per invocation, of
 * `total` units in all. */
VkrWalk vkr_walk(const uint group, const uint units, const uint total)
{
    bool contiguous = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
    uint stride = contiguous ? 1u : VKR_WORKGROUP;
    uint first =
        group * VKR_WORKGROUP * units + gl_LocalInvocationIndex * (contiguous ? units : 1u);
    uint left = first < total ? (total - first - 1u) / stride + 1u : 0u;
    return VkrWalk(first, min(units, left), stride);
}

#if VKR_OF_IMAGE
#include "image.glsl"
#endif

#if VKR_HAS_UNITS
/* The bits of value `v` in the packs of a unit. */
VkrBits vkr_value_of_packs(uvec4 packs[VKR_PACKS], const uint v)
{
    const uint values = 16u / uint(VKR_BYTES);
    uvec4 pack = packs[VKR_PACKS == 1u ? 0u : v / values];
    uint i = v % values;
#if VKR_BYTES == 8
    return packUint2x32(i == 0u ? pack.xy : pack.zw);
#elif VKR_BYTES == 4
    return pack[i];
#elif VKR_BYTES == 2
    /* A select, since some drivers keep extra bits after a shift by a variable. */
    return (i & 1u) != 0u ? pack[i / 2u] >> 16 : pack[i / 2u] & VKR_MASK;
#else
    return pack[i / 4u] >> (i % 4u * 8u) & VKR_MASK;
#endif
}
#endif

#endif
