/* SPDX-License-Identifier: MIT */
/*
 * A state of an application's type, which is the only part of the states of a kernel that is built
 * with -DVKR_LINKED. Its row consists of weak functions, which the linker replaces by those of the
 * application (src/spirv/link.h). In place of operators the constant OPS has what a kernel must
 * know about these functions (VKR_LINKED_* of numbers.h).
 */
#ifndef VKR_OPERATORS_HOOK_GLSL
#define VKR_OPERATORS_HOOK_GLSL

const uint VKR_LINKED_WORDS = VKR_OPS & VKR_LINKED_MASK; /* of a state */
/* Components that `finish` returns, which results consist of; 0: results are states. */
const uint VKR_LINKED_RESULT = VKR_OPS >> VKR_LINKED_RESULT_SHIFT & VKR_LINKED_MASK;
/* Words of the element that `load` takes; 0: it takes none. */
const uint VKR_LINKED_ELEMENT = VKR_OPS >> VKR_LINKED_ELEMENT_SHIFT & VKR_LINKED_MASK;
const uint VKR_WIDEN = VKR_OPS >> VKR_LINKED_WIDEN_SHIFT & VKR_LINKED_MASK;
#include "../../cards/widen.h"
#include "../widen.glsl"

/* Several elements of small states become states before the first of these is combined. */
const bool VKR_SMALL = VKR_LINKED_WORDS <= 2u;

/* No operator of the library is among them. */
#define VKR_HAS(users) ((users) == ~0u)

struct VkrElement {
    uvec4 words; /* 0 where `load` takes no element */
    uvec2 index;
};

/* ---- Weak functions ---- */

/* Stands for the application's type. */
struct vkr_hook_state {
    uint word;
};

vkr_hook_state vkr_hook_load(const uvec4 element, const uint i)
{
    return vkr_hook_state(element.x + i);
}

vkr_hook_state vkr_hook_combine(const vkr_hook_state a, const vkr_hook_state b)
{
    return vkr_hook_state(a.word ^ b.word);
}

/* It is not a constant, which would remain in the module with the wrong type. */
vkr_hook_state vkr_hook_identity()
{
    return vkr_hook_state(gl_LocalInvocationIndex);
}

/* The bits of what the application's function returns. */
uvec4 vkr_hook_finish(const vkr_hook_state state)
{
    return uvec4(state.word);
}

/* ---- The row ---- */

#define vkr_take_hook_combine vkr_hook_combine
#define VKR_ROW_LINKED(ROW)                                                                        \
    ROW(linked, vkr_hook_state, ~0u, vkr_hook_identity(), vkr_hook_load(e.words, e.index.x),       \
        hook_combine, whole)

#endif
