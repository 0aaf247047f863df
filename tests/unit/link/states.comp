// SPDX-License-Identifier: MIT
// A kernel that moves states by words. Number 777 occurs only in weak bodies.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Results {
    uint results[];
};
layout(push_constant) uniform Push {
    uint count;
};
struct vkr_hook_state {
    uint word;
};
shared uint words[64];

vkr_hook_state vkr_hook_load(uint i)
{
    return vkr_hook_state(i + 777u);
}

vkr_hook_state vkr_hook_combine(vkr_hook_state a, vkr_hook_state b)
{
    return vkr_hook_state(a.word + b.word + 777u);
}

uint vkr_hook_words()
{
    return 777u;
}

uint vkr_hook_swap_word(uint lane, uint word, uint k)
{
    words[gl_LocalInvocationIndex] = word;
    barrier();
    const uint other = words[lane];
    barrier();
    return other;
}

vkr_hook_state vkr_hook_swap(uint lane, vkr_hook_state state)
{
    return vkr_hook_state(vkr_hook_swap_word(lane, state.word, 777u));
}

void vkr_hook_put_word(uint i, uint word, uint k)
{
    results[i + k] = word;
}

void vkr_hook_put(uint i, const vkr_hook_state state)
{
    vkr_hook_put_word(i, state.word, 777u);
}

uint vkr_hook_get_word(uint k)
{
    return results[k];
}

vkr_hook_state vkr_hook_get()
{
    return vkr_hook_state(vkr_hook_get_word(777u));
}

void main()
{
    vkr_hook_state state = vkr_hook_get();
    for (uint i = gl_GlobalInvocationID.x; i < count; i += 64)
        state = vkr_hook_combine(state, vkr_hook_load(i));
    for (uint lane = 1; lane < 64; lane *= 2)
        state = vkr_hook_combine(state, vkr_hook_swap(gl_LocalInvocationIndex ^ lane, state));
    vkr_hook_put(gl_WorkGroupID.x * vkr_hook_words(), state);
}
