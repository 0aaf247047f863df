/* SPDX-License-Identifier: MIT */
/*
 * The words by which the tiles of a single pass tell each other their values: the total of each
 * tile, and before those of each block of tiles the prefix of the block. Every word says by itself
 * whether it has been published, and holds some bits of the value, so that nothing must be ordered
 * with other accesses to memory, and no load waits for another one.
 *
 * Words start at zero, and nobody clears them between executions. Instead, the bit that says
 * whether a word has been published means the opposite in every second execution: all tiles publish
 * in each of them, so that every word which is read still has the bit of the execution before. In a
 * recording that fills its counters, every execution is the first one.
 *
 * Before including it, include ticket.glsl, and define VKR_TILE_WORDS, those of a total,
 * VKR_PREFIX_WORDS, those of a prefix, and VKR_TILE_STATES, where the words start among the
 * counters.
 */
#ifndef VKR_PUBLISHED_GLSL
#define VKR_PUBLISHED_GLSL

#extension GL_KHR_memory_scope_semantics : require

#define VKR_PUBLISHED (1u << 31)

/* VKR_PUBLISHED in every second execution, and otherwise 0. */
uint vkr_inverted;

#define vkr_load_word(word)                                                                        \
    (atomicLoad(word, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed) ^ vkr_inverted)
#define vkr_set_word(word, value)                                                                  \
    atomicStore(word, value, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed)
#define vkr_store_word(word, value) vkr_set_word(word, (value) ^ vkr_inverted)

/* Returns the workgroup's tile to all its invocations, if `groups` workgroups draw one: tiles are
 * numbered in the order in which workgroups start. A ticket says nothing about the memory of other
 * workgroups. The counter goes through two executions before it is reset, and so tells which one
 * this is. */
uint vkr_draw_tile(const uint groups)
{
    uint ticket = 0u;
    if (vkr_is_leader()) {
        ticket = atomicAdd(vkr_counter[push.counter_base], 1u);
        if (ticket + 1u == 2u * groups)
            vkr_set_word(vkr_counter[push.counter_base], 0u);
    }
    if (VKR_ONE_SUBGROUP) {
        ticket = vkr_word_first(ticket);
    } else { /* as vkr_word_first does, but no invocation has read the word before */
        if (vkr_is_leader())
            vkr_shared_word = ticket;
        barrier();
        ticket = vkr_shared_word;
    }
    vkr_inverted = ticket < groups ? 0u : VKR_PUBLISHED;
    return ticket < groups ? ticket : ticket - groups;
}

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
