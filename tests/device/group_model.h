/* SPDX-License-Identifier: MIT */
/* The scalar model of shaders/vkreduce/group.glsl. */
#ifndef VKR_TESTS_GROUP_MODEL_H
#define VKR_TESTS_GROUP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_SIZE 256u /* maximum number of invocations in a workgroup */
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- group_values.c ---- */

/* The numbers are those of group.glsl and group_operator.glsl. */
typedef enum group_path_id { ARITHMETIC = 1, SHUFFLE, SHARED } group_path_id;
typedef enum op_id { DIGITS, SUM, PRODUCT, MIN, MAX, AND, OR, XOR, ARGMIN, ARGMAX, OPS } op_id;
typedef struct value_type {
    const char *name;
    uint32_t bytes;
    bool is_float, is_signed;
} value_type;

#define TYPES 7
extern const char *const op_names[OPS];
extern const value_type types[TYPES];
extern const value_type *const digits;

typedef struct value {
    uint64_t bits;
    uint32_t index; /* for argmin and argmax */
} value;

bool is_arg(op_id op);
bool is_nan(const value_type *t, value v);
value value_of(const value_type *t, uint64_t bits, uint32_t index);
value combine(const value_type *t, op_id op, value a, value b);
value identity_of(const value_type *t, op_id op);

/* The input of invocation i of a workgroup. Ordered: every order of additions rounds
 * differently. */
value input_of(const value_type *t, op_id op, uint32_t group, uint32_t i, bool ordered);

/* ---- group_model.c ---- */

typedef struct test_case {
    const value_type *type;
    group_path_id group_path;
    op_id op;
    uint32_t size, width; /* of the workgroup, and of a row */
    uint32_t rows;        /* the shader's maximum */
    uint32_t forms;       /* FORMS, or FEW_FORMS */
    bool ordered;         /* also compare with the order that group.glsl specifies */
} test_case;

/* The results of one invocation, in the order in which group.comp stores them. */
enum {
    REDUCE,
    EXCLUSIVE,
    TOTAL_E,
    LEAD,
    INCLUSIVE,
    TOTAL_I,
    ROW_REDUCE,
    ROW_INCLUSIVE,
    ROW_EXCLUSIVE,
    ROW_TOTAL,
    FIRST,
    ROWS_EXCLUSIVE,
    ROWS_TOTAL
};
#define FORMS 13u
#define FEW_FORMS 4u
extern const char *const form_names[FORMS];

/* lead needs a commutative operator and, in shared memory, a power of two. */
bool leads(const test_case *c);

/* The expected results of a workgroup's invocations, form by form. */
void expect(const test_case *c, const value *in, value out[][FORMS]);

#endif
