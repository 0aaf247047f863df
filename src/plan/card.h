/* SPDX-License-Identifier: MIT */
/*
 * Cards: everything that C and GLSL have to agree on about a family of kernels, stated once, in
 * shaders/cards/. A card is a file of rows, which both languages include; card.glsl defines what
 * the rows become in GLSL; this header turns them into names in C, cards.c into tables, and names.c
 * into text.
 *
 *   VKR_CARD, VKR_NAME   C's names: vkr_reduce_push, VKR_REDUCE_CONST_OPS
 *   WORKGROUP(default)   the specialisation constant of the number of invocations, which has id 0
 *   SHARED, CONSTANT(name, id, type, default)
 *                        a specialisation constant: one that many cards share, or the card's own
 *   UNUSED(id)           an id that the kernels of the card do not have
 *   SHARED_FLAG, FLAG(name, bit)
 *                        a bit of the constant FLAGS, likewise
 *   PUSH(name), PUSH4, PUSH_ARRAY(name, length)
 *                        a push constant: a word, four words, several words
 *   PUSH_WALK(name, role), PUSH_WALK_OF(name, role, kernels)
 *                        a word that vkr_set_window fills from a walk, for all kernels or for some
 *   UNIFORM(name), UNIFORM4, UNIFORM_WALK
 *                        a field of the uniforms, whose layout is std140: UNIFORM4 come first
 *   BUFFER, COHERENT(name, number, kernels, type, variable)
 *                        a storage buffer at a binding number, and its elements in GLSL
 *   VIEW, COHERENT_VIEW(number, type, variable)
 *                        the same bytes as other elements: GLSL's alone
 *   TEXELS(kernels), SAMPLED_IMAGE, STORAGE_IMAGE(name, number, kernels, variable)
 *   UNIFORM_BLOCK(kernels, struct)
 *                        other bindings; `struct` declares the uniforms
 *   SLOT(name, binding, access, touch, base, stride)
 *                        one way to fill a binding (vkr_slot): C's alone. Access is READ, WRITE,
 *                        CHANGE, or DECLARED by another slot; touch is ITEMS, GRANULES or WINDOW
 *                        (vkr_touch); base and stride are AT(push constant), IN_UNIFORMS(uniform),
 *                        or 0 for none
 *   KERNEL(name, bit, card, constants, given)
 *                        a member of the family, how many of the constants it has, and which of
 *                        them the walk supplies
 *
 * `kernels` are the members that have a binding: ALL, IN(name), ~IN(name). The names of slots and
 * of a vkr_card are written out in their rows; others get the card's prefix in C, none in GLSL.
 */
#ifndef VKR_PLAN_CARD_H
#define VKR_PLAN_CARD_H

#include <stddef.h>

#include "../core/step.h"

/* A field of the push constants, or of the uniforms, whose words are numbered after them. It is 1 +
 * the number of the field's first word, so that 0 stands for no field. */
#define VKR_FIELD(type, field) (uint8_t)(1 + offsetof(struct type, field) / 4)
#define VKR_UNIFORM_FIELD(type, field)                                                             \
    (uint8_t)(1 + (VKR_MAX_PUSH + offsetof(struct type, field)) / 4)

/* Which part of a descriptor counts as touched by a dispatch. Validation layers count all of it,
 * and a descriptor starts at a multiple of the granule, so slots of neighbouring dispatches that
 * can share a granule say so. */
typedef enum vkr_touch {
    VKR_TOUCH_ITEMS,
    VKR_TOUCH_GRANULES, /* everything from the descriptor's start */
    VKR_TOUCH_WINDOW,   /* the items; everything unless they start with item 0 */
} vkr_touch;

/* How one binding of a kernel is filled. A binding that is used in two ways has two slots. */
typedef struct vkr_slot {
    uint32_t binding;
    VkAccessFlags access; /* 0: another slot declares it */
    vkr_touch touch;
    uint8_t base; /* the field that holds the position of the dispatch's item 0 in the descriptor */
    uint8_t stride; /* the field that holds the distance between items */
} vkr_slot;

/* The value with which vkr_set_window fills a field. */
typedef enum vkr_role {
    VKR_ROLE_NONE,
    VKR_ROLE_CAPACITY_LOW, /* elements of the whole operation, as far as the host knows */
    VKR_ROLE_CAPACITY_HIGH,
    VKR_ROLE_FIRST_LOW, /* index of the window's first element */
    VKR_ROLE_FIRST_HIGH,
    VKR_ROLE_COUNT,   /* elements of the window */
    VKR_ROLE_GROUPS,  /* workgroups that have work */
    VKR_ROLE_ITEMS,   /* units, or elements, per invocation */
    VKR_ROLE_LEAD,    /* elements that the window's first unit lacks at its start */
    VKR_ROLE_HEAD,    /* elements before the window's first unit */
    VKR_ROLE_LOAD,    /* the number of the first wide load in the card's first slot */
    VKR_ROLE_LOAD2,   /* the same in the second slot */
    VKR_ROLE_ROW,     /* of a grid: the first row of the window's box */
    VKR_ROLE_ROWS,    /* the number of its rows */
    VKR_ROLE_PART,    /* the first part of its first row */
    VKR_ROLE_CELL,    /* the number of its first part in the whole grid */
    VKR_ROLE_CELLS,   /* the number of its parts */
    VKR_ROLE_ANY_LOW, /* the first item that VKR_SPAN_ANY binds */
    VKR_ROLE_ANY_HIGH,
    VKR_ROLE_ANY_COUNT,
    VKR_ROLES
} vkr_role;

typedef struct vkr_filled {
    uint8_t role; /* VKR_ROLE_NONE: the end of the list */
    uint8_t field;
    uint8_t kernels; /* the kernels for which it is filled */
} vkr_filled;

typedef struct vkr_binding {
    uint8_t number;
    uint8_t kind;    /* vkr_kind */
    uint8_t kernels; /* the family's kernels that have it, one bit each */
    uint8_t size;    /* bytes of uniforms */
} vkr_binding;

/* The description of a kernel for the C side. Of its modules only those that load texels bind
 * texels. */
typedef struct vkr_card {
    const vkr_slot *slots;
    const vkr_binding *bindings;
    const vkr_filled *filled;
    const char *names; /* of its rows (vkr_step) */
    uint8_t binding_count;
    uint8_t kernel; /* its bit */
    uint8_t constant_count;
    uint8_t push_size;
    uint16_t given; /* bits of the constants that the walk supplies */
} vkr_card;

/* ---- Names ---- */

#define VKR_CLOSE                                                                                  \
    }                                                                                              \
    ;
#define SHARED(name, id, type, value) VKR_NAME(CONST_##name) = id,
#define CONSTANT(name, id, type, value) VKR_NAME(CONST_##name) = id,
#define WORKGROUP(value)
#define UNUSED(id)

/* Names of rows that many cards share: VKR_CONST_OPS, VKR_FLAG_CANONICAL. */
#define VKR_NAME(name) VKR_##name
#define SHARED_FLAG(name, bit) VKR_NAME(FLAG_##name) = 1 << bit,
enum { VKR_REDUCTION_CONSTANTS VKR_WALK_CONSTANTS };
enum { VKR_WALK_FLAGS VKR_OPERATOR_FLAGS };
#undef SHARED_FLAG
#undef VKR_NAME

/* For each card: structs of push constants and of uniforms, which steps and passes hold as words
 * (VKR_PUSH), and enumerations of everything else. */
#define BEGIN_CONSTANTS enum {
#define END_CONSTANTS                                                                              \
    VKR_NAME(CONSTANT_COUNT)                                                                       \
    VKR_CLOSE
#define BEGIN_FLAGS enum {
#define SHARED_FLAG(name, bit)
#define FLAG(name, bit) VKR_NAME(FLAG_##name) = 1 << bit,
#define END_FLAGS VKR_NAME(FLAG_NONE) = 0 VKR_CLOSE
#define BEGIN_PUSH struct VKR_MAY_ALIAS VKR_CARD(push) {
#define PUSH(name) uint32_t name;
#define PUSH4(name) uint32_t name[4];
#define PUSH_ARRAY(name, length) uint32_t name[length];
#define PUSH_WALK(name, role) uint32_t name;
#define PUSH_WALK_OF(name, role, kernels) uint32_t name;
#define END_PUSH                                                                                   \
    VKR_CLOSE                                                                                      \
    _Static_assert(sizeof(struct VKR_CARD(push)) <= VKR_MAX_PUSH, "push constants fit a step");
#define BEGIN_UNIFORMS struct VKR_MAY_ALIAS VKR_CARD(uniforms) {
#define UNIFORM(name) uint32_t name;
#define UNIFORM4(name) uint32_t name[4];
#define UNIFORM_WALK(name, role) uint32_t name;
#define END_UNIFORMS                                                                               \
    VKR_CLOSE                                                                                      \
    _Static_assert(sizeof(struct VKR_CARD(uniforms)) <= VKR_MAX_UNIFORMS, "uniforms fit a step");
#define BEGIN_BINDINGS enum {
#define BUFFER(name, number, kernels, type, variable) VKR_NAME(BINDING_##name) = number,
#define COHERENT(name, number, kernels, type, variable) VKR_NAME(BINDING_##name) = number,
#define SAMPLED_IMAGE(name, number, kernels, variable) VKR_NAME(BINDING_##name) = number,
#define STORAGE_IMAGE(name, number, kernels, variable) VKR_NAME(BINDING_##name) = number,
#define VIEW(number, type, variable)
#define COHERENT_VIEW(number, type, variable)
#define TEXELS(kernels)
#define UNIFORM_BLOCK(kernels, type)
#define END_BINDINGS VKR_CLOSE
#define BEGIN_SLOTS enum {
#define SLOT(name, binding, access, touch, base, stride) name,
#define END_SLOTS                                                                                  \
    VKR_NAME(SLOTS)                                                                                \
    VKR_CLOSE                                                                                      \
    extern const char VKR_CARD(card_names)[];
#define KERNEL(name, bit, card, constants, given)                                                  \
    enum { VKR_IN_##name = 1 << bit };                                                             \
    extern const vkr_card card;

#include "../../shaders/cards/image.h"
#include "../../shaders/cards/moved.h"
struct VKR_MAY_ALIAS vkr_moved_push {
    VKR_MOVED_PUSH
};
#include "../../shaders/cards/all.h"

/* Names of rows that many cards share. */
extern const char vkr_shared_names[];

#undef SHARED
#undef CONSTANT
#undef WORKGROUP
#undef UNUSED
#undef BEGIN_CONSTANTS
#undef END_CONSTANTS
#undef BEGIN_FLAGS
#undef SHARED_FLAG
#undef FLAG
#undef END_FLAGS
#undef BEGIN_PUSH
#undef PUSH
#undef PUSH4
#undef PUSH_ARRAY
#undef PUSH_WALK
#undef PUSH_WALK_OF
#undef END_PUSH
#undef BEGIN_UNIFORMS
#undef UNIFORM
#undef UNIFORM4
#undef UNIFORM_WALK
#undef END_UNIFORMS
#undef BEGIN_BINDINGS
#undef BUFFER
#undef COHERENT
#undef SAMPLED_IMAGE
#undef STORAGE_IMAGE
#undef VIEW
#undef COHERENT_VIEW
#undef TEXELS
#undef UNIFORM_BLOCK
#undef END_BINDINGS
#undef BEGIN_SLOTS
#undef SLOT
#undef END_SLOTS
#undef KERNEL

#endif
