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
    bool is_signed;           /* a signed integer or a bfloat: VKR_CONST_SIGNED */
    VkrFeatureFlags features; /* the features that elements of this type need */
    VkrType accumulator;      /* the default one */
    VkrType wide;             /* the other accumulator, UNDEFINED if there is none */
    VkrType unsigned_type;    /* the unsigned type of the same size; for floats the type itself */
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

/* A part of the state of a reduction (shaders/vkreduce/operators/list.h) and its contents. */
typedef struct vkr_part_info {
    uint32_t bit; /* VKR_PART_* */
    uint32_t keys, indices, sums, squares;
} vkr_part_info;

typedef enum vkr_op_elements {
    VKR_OP_OF_ALL,
    VKR_OP_OF_INTEGERS,
    VKR_OP_OF_F32, /* floats with an accumulator of f32 */
} vkr_op_elements;

typedef struct vkr_op_info {
    const char *name;
    vkr_result_kind result;
    vkr_op_elements elements;
    bool ordered;  /* for floats the order of evaluation changes the result */
    bool in_place; /* partial results can stand in for elements (VKR_REDUCE_CONSUME_INPUT_BIT) */
} vkr_op_info;

extern const vkr_type_info vkr_types[VKR_TYPE_COUNT];
extern const vkr_op_info vkr_ops[VKR_OP_BITS];
extern const uint32_t vkr_op_parts[VKR_OP_BITS][2]; /* for integers and for floats: VKR_PART_* */
extern const vkr_part_info vkr_parts[];
extern const uint32_t vkr_part_count;

/* The name of a kind, in messages and on the command line. */
const char *vkr_segment_kind_name(VkrSegmentKind kind);

#endif
