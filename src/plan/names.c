/* SPDX-License-Identifier: MIT */
/* The names of the rows of cards (card.h), as text (vkr_step::names). */
#include "card.h"

#define TEXT(value) #value
#define ENTRY(kind, number, name) kind TEXT(number) " " #name "\n"
#define WORD(kind, name) kind " " #name "\n"

#define WORKGROUP(value)
#define CONSTANT(name, id, type, value) ENTRY("c", id, name)
#define UNUSED(id)
#define END_CONSTANTS

#define BEGIN_FLAGS
#define FLAG(name, bit) ENTRY("f", bit, name)
#define END_FLAGS

#define BEGIN_PUSH
#define PUSH(name) WORD("p", name)
#define PUSH4(name) ENTRY("p", 4, name)
#define PUSH_ARRAY(name, length) ENTRY("p", length, name)
#define PUSH_WALK(name, role) WORD("p", name)
#define PUSH_WALK_OF(name, role, kernels) WORD("p", name)
#define END_PUSH

#define BEGIN_UNIFORMS
#define UNIFORM(name) WORD("u", name)
#define UNIFORM4(name) ENTRY("u", 4, name)
#define UNIFORM_WALK(name, role) WORD("u", name)
#define END_UNIFORMS

/* The rows that cards share, and the uniforms of images, which cards without uniforms of their own
 * have. */
#define SHARED(name, id, type, value) ENTRY("c", id, name)
#define SHARED_FLAG(name, bit) ENTRY("f", bit, name)
const char vkr_shared_names[] = ENTRY("c", VKR_CONST_WORKGROUP, WORKGROUP)
    VKR_WALK_CONSTANTS VKR_REDUCTION_CONSTANTS VKR_WALK_FLAGS VKR_OPERATOR_FLAGS
#include "../../shaders/cards/image.h"
    ;
#undef SHARED
#undef SHARED_FLAG
#define SHARED(name, id, type, value)
#define SHARED_FLAG(name, bit)

#define BEGIN_CONSTANTS const char VKR_CARD(card_names)[] = ""

#define BEGIN_BINDINGS
#define BUFFER(name, number, kernels, type, variable) ENTRY("b", number, name)
#define COHERENT(name, number, kernels, type, variable) ENTRY("b", number, name)
#define VIEW(number, type, variable)
#define COHERENT_VIEW(number, type, variable)
#define TEXELS(kernels) ENTRY("t", VKR_BINDING_TEXELS, TEXELS)
#define SAMPLED_IMAGE(name, number, kernels, variable) ENTRY("i", number, name)
#define STORAGE_IMAGE(name, number, kernels, variable) ENTRY("o", number, name)
#define UNIFORM_BLOCK(kernels, type) ENTRY("b", VKR_BINDING_UNIFORMS, UNIFORMS)
#define END_BINDINGS

#define BEGIN_SLOTS
#define SLOT(name, binding, access, touch, base, stride)
#define END_SLOTS ;
#define KERNEL(name, bit, card, constants, given)

#include "../../shaders/cards/all.h"
