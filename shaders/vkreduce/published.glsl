/* SPDX-License-Identifier: MIT */
/* The words by which the tiles of a single pass tell each other their values, and the state of a
 * tile in the highest bits of each of its words. */
#ifndef VKR_PUBLISHED_GLSL
#define VKR_PUBLISHED_GLSL

#extension GL_KHR_memory_scope_semantics : require

#define VKR_TILE_STATE (3u << 30) /* 0: the tile has published nothing */
#define VKR_TILE_TOTAL (1u << 30)
#define VKR_TILE_PREFIX (2u << 30) /* the prefix, combined with the total */

#define vkr_load_word(word)                                                                        \
    atomicLoad(word, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed)
#define vkr_store_word(word, value)                                                                \
    atomicStore(word, value, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed)

/* One row looks back: the first subgroup, or a single invocation if there are no subgroups. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
#define VKR_LOOKBACK_LANES 1u
#else
#define VKR_LOOKBACK_LANES VKR_ROW_SIZE
#endif

/* The position of a look-back: the number of tiles that have not been seen yet, with VKR_MISSING if
 * the last one of these has published nothing; or VKR_WHOLE once a prefix has been seen. */
#define VKR_MISSING 0x80000000u
#define VKR_WHOLE VKR_MISSING

/* The tile that a lane of the row polls. There is none at VKR_WHOLE or above. */
uint vkr_polled_tile(const uint next)
{
    return next + vkr_group_rank() - VKR_LOOKBACK_LANES;
}

#endif
