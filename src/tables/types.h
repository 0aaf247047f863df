/* SPDX-License-Identifier: MIT */
/* The tables of element types and operators. */
#ifndef VKR_TYPES_H
#define VKR_TYPES_H

#include "../core/base.h"

typedef struct vkr_type_info {
    const char *name;
    uint32_t size;
    bool is_float;
    uint32_t fraction;        /* bits of a float's fraction */
    bool is_signed;           /* a signed integer, or a bfloat: VKR_CONST_SIGNED */
    VkrFeatureFlags features; /* what a device must have for elements of this type */
    VkrType accumulator;      /* the default one */
    VkrType wide;             /* the other accumulator, UNDEFINED if there is none */
    VkrType unsigned_type;    /* of the same size; a float's is itself */
} vkr_type_info;

typedef enum vkr_result_kind {
    VKR_RESULT_ELEMENT, /* the element type */
    VKR_RESULT_ELEMENT_UNSIGNED,
    VKR_RESULT_ACCUMULATOR,
    VKR_RESULT_ACCUMULATOR_UNSIGNED,
    VKR_RESULT_REAL,  /* f32 or f64 */
    VKR_RESULT_INDEX, /* u32 or u64 */
    VKR_RESULT_COUNT, /* u64 */
} vkr_result_kind;

/* What a partial result holds for an operator, as the rows of VKR_ROWS in operator.glsl do. */
typedef enum vkr_state_kind {
    VKR_STATE_NONE,
    VKR_STATE_KEY,   /* as wide as an element, but at least a word */
    VKR_STATE_ARG,   /* a key and an index */
    VKR_STATE_SUM,   /* an accumulator */
    VKR_STATE_COUNT, /* as wide as an index; of floats only */
    /* Of integers, sums that do not wrap (long.glsl); of floats, the state of `shares`. */
    VKR_STATE_TOTAL,
    VKR_STATE_SQUARES,
    VKR_STATE_KIND_COUNT
} vkr_state_kind;

typedef struct vkr_op_info {
    const char *name;
    vkr_result_kind result;
    vkr_state_kind state;
    VkrOpFlags shares; /* the operator whose state it uses for floats, or 0 */
    bool integers_only;
    bool ordered;  /* for floats, the order of evaluation changes the result */
    bool in_place; /* partial results can stand in for elements (VKR_REDUCE_CONSUME_INPUT_BIT) */
} vkr_op_info;

extern const vkr_type_info vkr_types[VKR_TYPE_COUNT];
extern const vkr_op_info vkr_ops[VKR_OP_BITS];

#endif
