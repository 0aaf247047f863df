/* SPDX-License-Identifier: MIT */
/*
 * A user's monoid: weak functions that the linker replaces (src/spirv/link.h), and what moves
 * states by words. A kernel includes its card first, which has the constants WORDS and RESULT and
 * the buffers that are named here.
 */
#ifndef VKR_MONOID_GLSL
#define VKR_MONOID_GLSL

/* Stands for the user's type. */
struct vkr_hook_state {
    uint word;
};

/* The element is 0 where the user's function takes none. */
vkr_hook_state vkr_hook_load(const uvec4 element, const uint i)
{
    return vkr_hook_state(element.x + i);
}

vkr_hook_state vkr_hook_combine(const vkr_hook_state a, const vkr_hook_state b)
{
    return vkr_hook_state(a.word ^ b.word);
}

/* No constant, which would stay in the module with the wrong type. */
vkr_hook_state vkr_hook_identity()
{
    return vkr_hook_state(gl_LocalInvocationIndex);
}

/* The bits of what the user's function returns. */
uvec4 vkr_hook_finish(const vkr_hook_state state)
{
    return uvec4(state.word);
}

/* ---- States in memory ---- */

shared uint vkr_shared[VKR_WORDS * VKR_WORKGROUP];

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

uint vkr_hook_fetch_word(const uint at, const uint k)
{
    return vkr_source[at + k];
}

vkr_hook_state vkr_hook_fetch(const uint at)
{
    return vkr_hook_state(vkr_hook_fetch_word(at, 0u));
}

void vkr_hook_put_word(const uint at, const uint word, const uint k)
{
    vkr_target[at + k] = word;
}

void vkr_hook_put(const uint at, const vkr_hook_state state)
{
    vkr_hook_put_word(at, state.word, 0u);
}

/* Writes a result: what finish makes of a state, or the state. */
void vkr_put_result(const uint at, const vkr_hook_state state)
{
    if (VKR_RESULT == 0u || (VKR_FLAGS & VKR_FLAG_RESULTS) == 0u) {
        vkr_hook_put(at, state);
        return;
    }
    const uvec4 values = vkr_hook_finish(state);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if (c < VKR_RESULT)
            vkr_target[at + c] = values[c];
    }
}

#endif
