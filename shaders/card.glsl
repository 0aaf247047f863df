/* SPDX-License-Identifier: MIT */
/*
 * Makes the GLSL side of the cards that follow: specialisation constants VKR_NAME, flags
 * VKR_FLAG_NAME, the fields push.name and uniforms.name, and buffers and images under the names
 * that the card gives them. A kernel defines the types that its card names, and includes the card,
 * before it includes anything that uses these. src/plan/card.h explains the rows of a card.
 *
 * Bindings may alias (an output can be the input, and unused bindings of a dispatch share a place),
 * so none is restrict or readonly. Data that workgroups exchange is coherent. No kernel loads from
 * a binding of the caller's output or stores to one of an input, since the caller's synchronisation
 * relies on that. A module only has the rows of its card that its kernel uses.
 */
#ifndef VKR_CARD_GLSL
#define VKR_CARD_GLSL

#define VKR_GLSL
#include "numbers.h"

#define BEGIN_CONSTANTS
#define WORKGROUP(value)                                                                           \
    layout(local_size_x_id = VKR_CONST_WORKGROUP) in;                                              \
    layout(constant_id = VKR_CONST_WORKGROUP) const uint VKR_WORKGROUP = value;
#define SHARED(name, id, type, value) layout(constant_id = id) const type VKR_##name = value;
#define CONSTANT(name, id, type, value) layout(constant_id = id) const type VKR_##name = value;
#define UNUSED(id)
#define END_CONSTANTS

#define BEGIN_FLAGS
#define SHARED_FLAG(name, bit) const uint VKR_FLAG_##name = 1u << bit;
#define FLAG(name, bit) const uint VKR_FLAG_##name = 1u << bit;
#define END_FLAGS

#define BEGIN_PUSH struct VkrPushFields {
#define PUSH(name) uint name;
#define PUSH4(name) uvec4 name;
#define PUSH_ARRAY(name, length) uint name[length];
#define PUSH_WALK(name, role) uint name;
#define PUSH_WALK_OF(name, role, kernels) uint name;
#define END_PUSH                                                                                   \
    }                                                                                              \
    ;                                                                                              \
    layout(push_constant) uniform VkrPush                                                          \
    {                                                                                              \
        VkrPushFields push;                                                                        \
    };

#define BEGIN_UNIFORMS struct VkrUniformFields {
#define UNIFORM(name) uint name;
#define UNIFORM4(name) uvec4 name;
#define UNIFORM_WALK(name, role) uint name;
#define END_UNIFORMS                                                                               \
    }                                                                                              \
    ;                                                                                              \
    layout(set = 0, binding = VKR_BINDING_UNIFORMS, std140) uniform VkrUniforms                    \
    {                                                                                              \
        VkrUniformFields uniforms;                                                                 \
    };

#define BEGIN_BINDINGS
#define BUFFER(name, number, kernels, type, variable) VIEW(number, type, variable)
#define COHERENT(name, number, kernels, type, variable) COHERENT_VIEW(number, type, variable)
#define VIEW(number, type, variable)                                                               \
    layout(set = 0, binding = number, std430) buffer VkrBuffer_##variable                          \
    {                                                                                              \
        type variable[];                                                                           \
    };
#define COHERENT_VIEW(number, type, variable)                                                      \
    layout(set = 0, binding = number, std430) coherent buffer VkrBuffer_##variable                 \
    {                                                                                              \
        type variable[];                                                                           \
    };
#define UNIFORM_BLOCK(kernels, type)
/* Modules that load neither texels nor an image must not need their capabilities. */
#if VKR_LOADS == VKR_LOADS_TEXEL
#define TEXELS(kernels)                                                                            \
    layout(set = 0, binding = VKR_BINDING_TEXELS) uniform utextureBuffer vkr_texels;
#else
#define TEXELS(kernels)
#endif
#if VKR_LOADS >= VKR_LOADS_2D
#define SAMPLED_IMAGE(name, number, kernels, variable)                                             \
    layout(set = 0, binding = number) uniform VkrSampledImage variable;
#define STORAGE_IMAGE(name, number, kernels, variable)                                             \
    layout(set = 0, binding = number) writeonly uniform VkrStorageImage variable;
#else
#define SAMPLED_IMAGE(name, number, kernels, variable)
#define STORAGE_IMAGE(name, number, kernels, variable)
#endif
#define END_BINDINGS

#define BEGIN_SLOTS
#define SLOT(name, binding, access, touch, base, stride)
#define END_SLOTS
#define KERNEL(name, bit, card, constants, given)

#endif
