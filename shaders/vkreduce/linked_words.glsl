/* SPDX-License-Identifier: MIT */
/*
 * Elements that become states of an application's type (operators/hook.glsl), and such states as
 * they cross memory, word by word: in shared memory, among partials, and as results.
 */
#ifndef VKR_LINKED_WORDS_GLSL
#define VKR_LINKED_WORDS_GLSL

/* ---- Elements ---- */

VkrElement vkr_element(uvec4 words, const uvec2 index)
{
    [[unroll]] for (uint c = 0u; c < 4u; c++)
        words[c] = c < VKR_LINKED_ELEMENT ? vkr_widen(words[c]) : 0u;
    return VkrElement(words, index);
}

/* The words of an element in memory, of which the first one is number `at`. */
uvec4 vkr_element_words(const uint at)
{
    uvec4 words = uvec4(0u);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if (c < VKR_LINKED_ELEMENT)
            words[c] = vkr_input[at + c];
    }
    return words;
}

/* ---- Shared memory ---- */

shared uint vkr_shared[VKR_LINKED_WORDS * VKR_WORKGROUP];

void vkr_hook_share_word(const uint slot, const uint word, const uint k)
{
    vkr_shared[k * VKR_WORKGROUP + slot] = word;
}

void vkr_hook_share(const uint slot, const vkr_hook_state state)
{
    vkr_hook_share_word(slot, state.word, 0u);
}

uint vkr_hook_shared_word(const uint slot, const uint k)
{
    return vkr_shared[k * VKR_WORKGROUP + slot];
}

vkr_hook_state vkr_hook_shared(const uint slot)
{
    return vkr_hook_state(vkr_hook_shared_word(slot, 0u));
}

/* ---- Partials ---- */

void vkr_hook_store_word(const uint at, const uint word, const uint k)
{
    vkr_stored[at + k] = word;
}

void vkr_hook_store(const uint at, const vkr_hook_state state)
{
    vkr_hook_store_word(at, state.word, 0u);
}

/* ---- Results ---- */

void vkr_hook_put_word(const uint at, const uint word, const uint k)
{
    vkr_output[at + k] = word;
}

void vkr_hook_put(const uint at, const vkr_hook_state state)
{
    vkr_hook_put_word(at, state.word, 0u);
}

/* Writes what `finish` makes of the state, or the state. */
void vkr_put_result(const uint at, const vkr_hook_state state)
{
    if (VKR_LINKED_RESULT == 0u) {
        vkr_hook_put(at, state);
        return;
    }
    const uvec4 values = vkr_hook_finish(state);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if (c < VKR_LINKED_RESULT)
            vkr_output[at + c] = values[c];
    }
}

#endif
