/* SPDX-License-Identifier: MIT */
/* Texels of an image as elements: a unit is a texel. */
#ifndef VKR_IMAGE_GLSL
#define VKR_IMAGE_GLSL

#if VKR_ELEMENT == VKR_CLASS_F32
#define VKR_BITS_OF_TEXEL(texel) floatBitsToUint(texel)
#elif VKR_IMAGE_SIGNED
#define VKR_BITS_OF_TEXEL(texel) uvec4(texel)
#else
#define VKR_BITS_OF_TEXEL(texel) (texel)
#endif

#ifndef VKR_OF_TILES
#include "../cards/image.h"
#define VKR_START uniforms.start.xyz
#else
#define VKR_START uvec3(0u)
#endif
#define vkr_start_units(walk) vkr_start_at(VKR_START, (walk).first, (walk).stride)

#include "cursor.glsl"

#define VKR_PACKS 1u
struct VkrUnit {
    uvec4 packs[VKR_PACKS];
#if VKR_HAS_MASK
    uint kept; /* the mask's bit of the texel */
#endif
};

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uvec4 vkr_origin = uniforms.origin;

#if VKR_ELEMENT == VKR_CLASS_F32
#include "map.glsl"
#endif

#ifdef VKR_OF_TILES
uvec2 vkr_corner; /* column and row, among those of the dispatch, of the tile's first texel */
#define VKR_NUMBER_OF_TEXEL(u)                                                                     \
    ((vkr_corner.y + vkr_at.y) * uniforms.width + vkr_corner.x + vkr_at.x)
#else
#define VKR_NUMBER_OF_TEXEL(u) (u)
#endif

/* Loads the next unit of the walk, which is unit u. */
VkrUnit vkr_load_unit(const uint u)
{
    VkrUnit unit;
    uvec3 at = vkr_origin.xyz + vkr_at;
    unit.packs[0] =
        VKR_BITS_OF_TEXEL(texelFetch(vkr_image, VKR_POINT(at), int(vkr_origin.w)));
#if VKR_HAS_MASK
    if (VKR_MASKED && VKR_KEPT_BY_UNIT)
        unit.kept = vkr_kept(VKR_NUMBER_OF_TEXEL(u), 1u);
#endif
    vkr_at = vkr_move(vkr_at, vkr_stride_at);
    return unit;
}

#endif
