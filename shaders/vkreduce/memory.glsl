/* SPDX-License-Identifier: MIT */
/*
 * States leave an invocation as words: through the workgroup's shared memory, or as partials. One
 * function serves both, to which the place is a constant of the call, so that a module has the rows
 * once and drivers, which inline it, have no choice left.
 */
#ifndef VKR_MEMORY_GLSL
#define VKR_MEMORY_GLSL

#if VKR_RUNG == VKR_BUILD_SHARED
const uint VKR_SLOTS = VKR_WORKGROUP;
const uint VKR_SLOT_WORDS = VKR_STATE_WORDS;
#else
const uint VKR_SLOTS = VKR_SUBGROUPS;
const uint VKR_SLOT_WORDS = VKR_STATE_WORDS * VKR_COMPONENTS;
#endif
/* Word i of slot k is at i * VKR_SLOTS + k. One word more, since count alone needs none. */
shared uint vkr_shared[VKR_SLOTS * VKR_SLOT_WORDS + 1u];

/* Word i of the state that starts at `at`. */
uint vkr_load_word(const uint at, const uint i, const bool is_shared)
{
    uint word;
    if (is_shared)
        word = vkr_shared[at + i * VKR_SLOTS];
    else
        word = vkr_partials[at + i];
    return word;
}

void vkr_store_word(const uint at, const uint i, const bool is_shared, const uint word)
{
    if (is_shared)
        vkr_shared[at + i * VKR_SLOTS] = word;
    else
        vkr_stored[at + i] = word;
}

uvec2 vkr_load_words(const uint at, const uint i, const bool is_shared)
{
    return uvec2(vkr_load_word(at, i, is_shared), vkr_load_word(at, i + 1u, is_shared));
}

void vkr_store_words(const uint at, const uint i, const bool is_shared, const uvec2 words)
{
    vkr_store_word(at, i, is_shared, words.x);
    vkr_store_word(at, i + 1u, is_shared, words.y);
}

/* VKR_LOAD_type and VKR_STORE_type move a value of a row, from word i on. */
#define VKR_LOAD_uvec2(v) v = vkr_load_words(at, i, is_shared);
#define VKR_STORE_uvec2(v) vkr_store_words(at, i, is_shared, v);

#if VKR_BYTES == 8
#define VKR_LOAD_VkrKey(v) v = packUint2x32(vkr_load_words(at, i, is_shared));
#define VKR_STORE_VkrKey(v) vkr_store_words(at, i, is_shared, unpackUint2x32(v));
#else
#define VKR_LOAD_VkrKey(v) v = vkr_load_word(at, i, is_shared);
#define VKR_STORE_VkrKey(v) vkr_store_word(at, i, is_shared, v);
#endif
#define VKR_LOAD_VkrBits VKR_LOAD_VkrKey
#define VKR_STORE_VkrBits VKR_STORE_VkrKey

#if VKR_SUM_BYTES == 8
#define VKR_LOAD_VkrSum(v) v = vkr_sum_of(vkr_load_words(at, i, is_shared));
#define VKR_STORE_VkrSum(v) vkr_store_words(at, i, is_shared, vkr_words_of(v));
#else
#define VKR_LOAD_VkrSum(v) v = vkr_sum_of(uvec2(vkr_load_word(at, i, is_shared), 0u));
#define VKR_STORE_VkrSum(v) vkr_store_word(at, i, is_shared, vkr_words_of(v).x);
#endif

/* An index or a count. */
uvec2 vkr_load_index(const uint at, const uint i, const bool is_shared)
{
    if (VKR_WIDE_INDEX)
        return vkr_load_words(at, i, is_shared);
    return uvec2(vkr_load_word(at, i, is_shared), 0u);
}

void vkr_store_index(const uint at, const uint i, const bool is_shared, const uvec2 index)
{
    if (VKR_WIDE_INDEX)
        vkr_store_words(at, i, is_shared, index);
    else
        vkr_store_word(at, i, is_shared, index.x);
}

#define VKR_LOAD_VkrCount(v) v.n = vkr_load_index(at, i, is_shared);
#define VKR_STORE_VkrCount(v) vkr_store_index(at, i, is_shared, v.n);

#define VKR_LOAD_VkrArg(v)                                                                         \
    VKR_LOAD_VkrKey(v.key)                                                                         \
    v.index = vkr_load_index(at, i + VKR_KEY_WORDS, is_shared);
#define VKR_STORE_VkrArg(v)                                                                        \
    VKR_STORE_VkrKey(v.key)                                                                        \
    vkr_store_index(at, i + VKR_KEY_WORDS, is_shared, v.index);

VkrState vkr_load_state(const uint at, const bool is_shared)
{
    VkrState s = vkr_identity();
    uint i = 0u;
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    if (VKR_HAS(users)) {                                                                          \
        VKR_LOAD_##type(s.name)                                                                    \
    }                                                                                              \
    i += VKR_HAS(users) ? VKR_WORDS_##type : 0u;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

void vkr_store_state(const uint at, const bool is_shared, const VkrState s)
{
    uint i = 0u;
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    if (VKR_HAS(users)) {                                                                          \
        VKR_STORE_##type(s.name)                                                                   \
    }                                                                                              \
    i += VKR_HAS(users) ? VKR_WORDS_##type : 0u;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
}

#endif
