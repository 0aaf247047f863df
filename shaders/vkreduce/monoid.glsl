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

vkr_hook_state vkr_hook_load(const uint i)
{
    return vkr_hook_state(i);
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

/* ---- What finish returns ---- */

#define VKR_FINISH_TYPES(form)                                                                     \
    form(FLOAT, float, 1u, floatBitsToUint) form(FLOAT, vec2, 2u, floatBitsToUint)                 \
    form(FLOAT, vec3, 3u, floatBitsToUint) form(FLOAT, vec4, 4u, floatBitsToUint)                  \
    form(INT, int, 1u, uint) form(INT, ivec2, 2u, uvec2)                                           \
    form(INT, ivec3, 3u, uvec3) form(INT, ivec4, 4u, uvec4)                                        \
    form(UINT, uint, 1u, uint) form(UINT, uvec2, 2u, uvec2)                                        \
    form(UINT, uvec3, 3u, uvec3) form(UINT, uvec4, 4u, uvec4)

#define VKR_WEAK_FINISH(base, type, components, words)                                             \
    type vkr_hook_finish_##type(const vkr_hook_state state)                                          \
    {                                                                                              \
        return type(state.word);                                                                   \
    }
VKR_FINISH_TYPES(VKR_WEAK_FINISH)

uvec4 vkr_widen(const uint w) { return uvec4(w, 0u, 0u, 0u); }
uvec4 vkr_widen(const uvec2 w) { return uvec4(w, 0u, 0u); }
uvec4 vkr_widen(const uvec3 w) { return uvec4(w, 0u); }
uvec4 vkr_widen(const uvec4 w) { return w; }

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

uint vkr_hook_prefix_word(const uint at, const uint k)
{
    return vkr_ends[at + k];
}

vkr_hook_state vkr_hook_prefix(const uint at)
{
    return vkr_hook_state(vkr_hook_prefix_word(at, 0u));
}

void vkr_hook_put_word(const uint at, const uint word, const uint k)
{
    vkr_target[at + k] = word;
}

void vkr_hook_put(const uint at, const vkr_hook_state state)
{
    vkr_hook_put_word(at, state.word, 0u);
}

void vkr_hook_total_word(const uint at, const uint word, const uint k)
{
    vkr_total[at + k] = word;
}

void vkr_hook_total(const uint at, const vkr_hook_state state)
{
    vkr_hook_total_word(at, state.word, 0u);
}

/* Writes a result: what finish makes of a state, or the state. */
void vkr_put_result(const uint at, const vkr_hook_state state)
{
    if (VKR_RESULT == 0u || (VKR_FLAGS & VKR_FLAG_RESULTS) == 0u) {
        vkr_hook_put(at, state);
        return;
    }
    uvec4 values = uvec4(0u);
#define VKR_FINISH_CASE(base, type, components, words)                                             \
    if (VKR_RESULT == VKR_CALL_RESULT(VKR_CALL_##base, components))                                \
        values = vkr_widen(words(vkr_hook_finish_##type(state)));
    VKR_FINISH_TYPES(VKR_FINISH_CASE)
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if (c < VKR_RESULT % 4u + 1u)
            vkr_target[at + c] = values[c];
    }
}

#endif
