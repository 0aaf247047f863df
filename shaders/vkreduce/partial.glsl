/* SPDX-License-Identifier: MIT */
/* Partials of a scan, in memory between two dispatches: the words of all components, and the head
 * if there are segments. */
#ifndef VKR_PARTIAL_GLSL
#define VKR_PARTIAL_GLSL

const uint VKR_PARTIAL_WORDS = VKR_COMPONENTS * uint(VKR_TERM_WORDS) + (VKR_SEGMENTED ? 1u : 0u);

#define VKR_PARTIALS_IN(array, load)                                                               \
    VkrScan load(uint at)                                                                          \
    {                                                                                              \
        VkrScan s = vkr_scan_identity();                                                           \
        VKR_EACH(c) {                                                                              \
            uint word = at + VKR_AT(c) * uint(VKR_TERM_WORDS);                                     \
            uvec2 words = uvec2(array[word], 0u);                                                  \
            if (VKR_TERM_WORDS == 2)                                                               \
                words.y = array[word + 1u];                                                        \
            s.state[VKR_AT(c)] = VKR_TERM_OF_WORDS(words);                                         \
        }                                                                                          \
        if (VKR_SEGMENTED)                                                                         \
            s.head = array[at + VKR_COMPONENTS * uint(VKR_TERM_WORDS)];                            \
        return s;                                                                                  \
    }

VKR_PARTIALS_IN(vkr_partials, vkr_load_partial)
VKR_PARTIALS_IN(vkr_stored, vkr_load_stored)

void vkr_store_stored(const uint at, const VkrScan s)
{
    VKR_EACH(c) {
        uint word = at + VKR_AT(c) * uint(VKR_TERM_WORDS);
        uvec2 words = VKR_WORDS_OF_TERM(s.state[VKR_AT(c)]);
        vkr_stored[word] = words.x;
        if (VKR_TERM_WORDS == 2)
            vkr_stored[word + 1u] = words.y;
    }
    if (VKR_SEGMENTED)
        vkr_stored[at + VKR_COMPONENTS * uint(VKR_TERM_WORDS)] = s.head;
}

uint vkr_partial_at(const uint i)
{
    return push.partials_base + i * VKR_PARTIAL_WORDS;
}

uint vkr_stored_at(const uint i)
{
    return push.stored_base + i * VKR_PARTIAL_WORDS;
}

#endif
