/* SPDX-License-Identifier: MIT */
/*
 * Stores and loads states as words, in the workgroup's shared memory or as partials. One function
 * handles both memories and both directions, which are constants of each call, so no branch is left
 * after inlining.
 */
#ifndef VKR_MEMORY_GLSL
#define VKR_MEMORY_GLSL

/* Kernels of neighbours have no shared memory. */
#ifndef VKR_OF_NEIGHBOURS
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
const uint VKR_SLOT_WORDS = VKR_STATE_WORDS;
#else
const uint VKR_SLOT_WORDS = VKR_STATE_WORDS * VKR_COMPONENTS;
#endif
#ifndef VKR_MEMORY_SLOTS
#define VKR_MEMORY_SLOTS VKR_SLOTS
#endif
/* Word i of slot k is at i * VKR_MEMORY_SLOTS + k. There is one more word, since the operator count
 * alone would leave the array empty. */
shared uint vkr_shared[VKR_MEMORY_SLOTS * VKR_SLOT_WORDS + 1u];
#endif

/* Stores `word` as word i of the state that starts at `at` if `stores`, else loads and returns
 * it. */
uint vkr_move_word(const uint at, const uint i, const bool is_shared, const bool stores, uint word)
{
#ifndef VKR_OF_NEIGHBOURS
    if (stores && is_shared)
        vkr_shared[at + i * VKR_MEMORY_SLOTS] = word;
    else if (is_shared)
        word = vkr_shared[at + i * VKR_MEMORY_SLOTS];
    else
#endif
        if (stores)
        vkr_stored[at + i] = word;
    else
        word = vkr_partials[at + i];
    return word;
}

uvec2 vkr_move_words(const uint at, const uint i, const bool is_shared, const bool stores,
                     const uvec2 words)
{
    return uvec2(vkr_move_word(at, i, is_shared, stores, words.x),
                 vkr_move_word(at, i + 1u, is_shared, stores, words.y));
}

/* Moves an index or a count. */
uvec2 vkr_move_index(const uint at, const uint i, const bool is_shared, const bool stores,
                     const uvec2 index)
{
    if (VKR_WIDE_INDEX)
        return vkr_move_words(at, i, is_shared, stores, index);
    return uvec2(vkr_move_word(at, i, is_shared, stores, index.x), 0u);
}

VkrKey vkr_move_key(const uint at, const uint i, const bool is_shared, const bool stores,
                    const VkrKey key)
{
#if VKR_BYTES == 8
    return packUint2x32(vkr_move_words(at, i, is_shared, stores, unpackUint2x32(key)));
#else
    return vkr_move_word(at, i, is_shared, stores, key);
#endif
}

VkrSum vkr_move_sum(const uint at, const uint i, const bool is_shared, const bool stores,
                    const VkrSum sum)
{
    uvec2 words = vkr_words_of(sum);
#if VKR_SUM_BYTES == 8
    return vkr_sum_of(vkr_move_words(at, i, is_shared, stores, words));
#else
    return vkr_sum_of(uvec2(vkr_move_word(at, i, is_shared, stores, words.x), 0u));
#endif
}

#if VKR_IS_FLOAT
VkrSumsq vkr_move_sumsq(const uint at, const uint i, const bool is_shared, const bool stores,
                        const VkrSumsq v)
{
    VkrSumsq moved = v;
    moved.plain = vkr_move_sum(at, i, is_shared, stores, v.plain);
    if (VKR_SCALED) {
        moved.raised = vkr_move_sum(at, i + VKR_WORDS_VkrSum, is_shared, stores, v.raised);
        moved.lowered = vkr_move_sum(at, i + 2u * VKR_WORDS_VkrSum, is_shared, stores, v.lowered);
    }
    return moved;
}
#endif

#if !VKR_IS_FLOAT
VkrTotal vkr_move_total(const uint at, const uint i, const bool is_shared, const bool stores,
                        const VkrTotal v)
{
    uvec2 top = vkr_move_index(at, i + VKR_KEY_WORDS, is_shared, stores, VKR_TOP(v));
    return VKR_TOTAL(VKR_MOVED_VkrKey(v.low), top);
}
#endif

/* One function loads and stores, so a module has the rows only once. */
VkrState vkr_move_state(const uint at, const bool is_shared, const bool stores, VkrState s)
{
    uint i = 0u;
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        s.name = VKR_MOVED_##type(s.name);                                                         \
    i += VKR_HAS(users) ? VKR_WORDS_##type : 0u;
    VKR_ALL_ROWS
#undef VKR_ROW
    return s;
}

VkrState vkr_load_state(const uint at, const bool is_shared)
{
    return vkr_move_state(at, is_shared, false, vkr_identity());
}

void vkr_store_state(const uint at, const bool is_shared, const VkrState s)
{
    vkr_move_state(at, is_shared, true, s);
}

#endif
