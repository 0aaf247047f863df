/* SPDX-License-Identifier: MIT */
/*
 * What the kernels that make several levels of a pyramid share: sizes, stores to levels, where
 * texels of the level below are read, and the workgroup that finishes last. The first level is 1.
 *
 * A kernel defines VKR_MAKES_ALL_LEVELS, and declares vkr_shared before it includes this.
 */
#ifndef VKR_MIPS_GLSL
#define VKR_MIPS_GLSL

#include "footprint.glsl"

uint vkr_layer;

uvec2 vkr_size(const uint level)
{
    return max(uvec2(push.width, push.height) >> level, uvec2(1u));
}

/* ---- Stores ---- */

/* Stores the texel if it belongs to level k. Only levels `from` to `to` are possible; both are
 * constants, so the others need no branches. */
#define VKR_STORE_LEVEL(k)                                                                         \
    if (uint(k) >= from && uint(k) <= to) {                                                        \
        if (level == uint(k))                                                                      \
            imageStore(vkr_level_##k, VKR_POINT(at), texel);                                       \
    }
#if VKR_MAKES_ALL_LEVELS
#define VKR_EACH_LEVEL(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)
#else
#define VKR_EACH_LEVEL(X) X(1) X(2) X(3) X(4)
#endif

void vkr_store_level(const uint level, const uint from, const uint to, const uvec3 at,
                     const VkrTexel texel){VKR_EACH_LEVEL(VKR_STORE_LEVEL)}

/* ---- Where a level is read from ---- */

#define VKR_FROM_SOURCE 0u
#define VKR_FROM_SHARED 1u
#define VKR_FROM_SCRATCH 2u

uint vkr_row;         /* texels in a row of the level that is read */
uint vkr_base;        /* words before it in scratch memory */
uint vkr_shared_base; /* words before it in shared memory */

uvec4 vkr_below(const uint from, const uvec3 at)
{
    if (from == VKR_FROM_SOURCE) {
        VkrTexel texel = texelFetch(vkr_source, VKR_POINT(at), VKR_LOD);
        return vkr_codes_of(vkr_choose_channels(texel));
    }
    uint word = (at.y * vkr_row + at.x) * VKR_CHANNELS;
    uvec4 codes = uvec4(0u);
    for (uint c = 0u; c < VKR_CHANNELS; c++) {
#if VKR_MAKES_ALL_LEVELS
        if (from == VKR_FROM_SCRATCH) {
            codes[c] = vkr_scratch[vkr_base + word + c];
            continue;
        }
#endif
        codes[c] = vkr_shared[vkr_shared_base + word + c];
    }
    return codes;
}

/* ---- The workgroup that finishes last ---- */

#if VKR_MAKES_ALL_LEVELS
shared uint vkr_ticket;

/* Whether all other workgroups of the layer have stored their texels. Each invocation that has
 * stored texels to scratch memory has executed memoryBarrierBuffer. */
bool vkr_is_last()
{
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        memoryBarrierBuffer();
        vkr_ticket = atomicAdd(vkr_counter[push.counter_base + vkr_layer], 1u);
        memoryBarrierBuffer();
    }
    barrier();
    memoryBarrierBuffer();
    return vkr_ticket == push.tiles - 1u;
}

/* Words of a level of one layer. */
uint vkr_words(const uint level)
{
    return vkr_size(level).x * vkr_size(level).y * VKR_CHANNELS;
}
#endif

#endif
