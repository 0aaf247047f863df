/* SPDX-License-Identifier: MIT */
/*
 * The words by which the tiles of a single pass tell each other their values: the total of each
 * tile, and before those of each block of tiles the prefix of the block. Every word says by itself
 * whether it has been published, and holds some bits of the value, so that nothing must be ordered
 * with other accesses to memory, and no load waits for another one.
 *
 * Before including it, define VKR_TILE_WORDS, those of a total, VKR_PREFIX_WORDS, those of a
 * prefix, and VKR_TILE_STATES, where the words start among the counters.
 */
#ifndef VKR_PUBLISHED_GLSL
#define VKR_PUBLISHED_GLSL

#extension GL_KHR_memory_scope_semantics : require

#define VKR_PUBLISHED (1u << 31)

#define vkr_load_word(word)                                                                        \
    atomicLoad(word, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed)
#define vkr_store_word(word, value)                                                                \
    atomicStore(word, value, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed)

uint vkr_words_of_prefix(const uint block)
{
    return VKR_TILE_STATES + block * (VKR_TILE_BLOCK * VKR_TILE_WORDS + VKR_PREFIX_WORDS);
}

uint vkr_words_of_total(const uint tile)
{
    return VKR_TILE_STATES + (tile / VKR_TILE_BLOCK + 1u) * VKR_PREFIX_WORDS +
           tile * VKR_TILE_WORDS;
}

#endif
