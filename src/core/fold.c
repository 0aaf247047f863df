/* SPDX-License-Identifier: MIT */
#include "fold.h"
#include "spirv.h"

enum {
    OP_TYPE_BOOL = 20,
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT_FALSE = 42,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_OP = 52,
    SPEC_ID = 1,
    OP_I_ADD = 128,
    OP_I_SUB = 130,
    OP_I_MUL = 132,
    OP_U_DIV = 134,
    OP_U_MOD = 137,
    OP_LOGICAL_EQUAL = 164,
    OP_LOGICAL_NOT_EQUAL = 165,
    OP_LOGICAL_OR = 166,
    OP_LOGICAL_AND = 167,
    OP_LOGICAL_NOT = 168,
    OP_SELECT = 169,
    OP_I_EQUAL = 170,
    OP_I_NOT_EQUAL = 171,
    OP_U_GREATER_THAN = 172,
    OP_U_GREATER_THAN_EQUAL = 174,
    OP_U_LESS_THAN = 176,
    OP_U_LESS_THAN_EQUAL = 178,
    OP_SHIFT_RIGHT_LOGICAL = 194,
    OP_SHIFT_LEFT_LOGICAL = 196,
    OP_BITWISE_OR = 197,
    OP_BITWISE_XOR = 198,
    OP_BITWISE_AND = 199,
    OP_NOT = 200
};

static const vkr_value unknown = {0};

static vkr_value known(uint32_t value)
{
    return (vkr_value){.value = value, .known = true};
}

/* What two known operands give. */
static vkr_value combine(uint32_t opcode, uint32_t a, uint32_t b)
{
    switch (opcode) {
    case OP_I_ADD:
        return known(a + b);
    case OP_I_SUB:
        return known(a - b);
    case OP_I_MUL:
        return known(a * b);
    case OP_U_DIV:
        return b ? known(a / b) : unknown;
    case OP_U_MOD:
        return b ? known(a % b) : unknown;
    case OP_LOGICAL_OR:
    case OP_BITWISE_OR:
        return known(a | b);
    case OP_LOGICAL_AND:
    case OP_BITWISE_AND:
        return known(a & b);
    case OP_BITWISE_XOR:
        return known(a ^ b);
    case OP_LOGICAL_EQUAL:
    case OP_I_EQUAL:
        return known(a == b);
    case OP_LOGICAL_NOT_EQUAL:
    case OP_I_NOT_EQUAL:
        return known(a != b);
    case OP_U_GREATER_THAN:
        return known(a > b);
    case OP_U_GREATER_THAN_EQUAL:
        return known(a >= b);
    case OP_U_LESS_THAN:
        return known(a < b);
    case OP_U_LESS_THAN_EQUAL:
        return known(a <= b);
    case OP_SHIFT_RIGHT_LOGICAL:
        return b < 32 ? known(a >> b) : unknown;
    case OP_SHIFT_LEFT_LOGICAL:
        return b < 32 ? known(a << b) : unknown;
    default:
        return unknown;
    }
}

/* The result of an operation with `count` operands, of which some may be unknown. */
static vkr_value result(const vkr_value *values, uint32_t opcode, const uint32_t *operands,
                        uint32_t count)
{
    const vkr_value *a = count > 0 ? &values[operands[0]] : &unknown;
    const vkr_value *b = count > 1 ? &values[operands[1]] : &unknown;
    if (opcode == OP_LOGICAL_NOT || opcode == OP_NOT)
        return a->known ? known(opcode == OP_NOT ? ~a->value : !a->value) : unknown;
    if (opcode == OP_SELECT)
        return a->known && count > 2 ? values[operands[a->value ? 1 : 2]] : unknown;
    if (opcode == OP_LOGICAL_AND && ((a->known && !a->value) || (b->known && !b->value)))
        return known(0);
    if (opcode == OP_LOGICAL_OR && ((a->known && a->value) || (b->known && b->value)))
        return known(1);
    return a->known && b->known ? combine(opcode, a->value, b->value) : unknown;
}

static void note(vkr_value *values, const uint32_t *w, vkr_value value)
{
    if (value.known && values[w[1]].folds) {
        values[w[2]].known = true;
        values[w[2]].value = value.value;
    }
}

/* A constant's value: its own, unless it is one of those that are given. */
static vkr_value chosen(const vkr_value *constant, uint32_t own, const uint32_t *constants,
                        uint32_t count)
{
    return known(constant->chosen && constant->value < count ? constants[constant->value] : own);
}

void vkr_fold_global(vkr_value *values, const uint32_t *w, const uint32_t *constants,
                     uint32_t count)
{
    const uint32_t opcode = vkr_opcode_of(w), length = vkr_length_of(w);
    switch (opcode) {
    case OP_TYPE_BOOL:
        values[w[1]].folds = true;
        break;
    case OP_TYPE_INT:
        values[w[1]].folds = w[2] == 32;
        break;
    case OP_DECORATE: /* comes before what it decorates */
        if (length == 4 && w[2] == SPEC_ID) {
            values[w[1]].chosen = true;
            values[w[1]].value = w[3];
        }
        break;
    case OP_CONSTANT_TRUE:
    case OP_CONSTANT_FALSE:
        note(values, w, known(opcode == OP_CONSTANT_TRUE));
        break;
    case OP_SPEC_CONSTANT_TRUE:
    case OP_SPEC_CONSTANT_FALSE:
        note(values, w,
             known(chosen(&values[w[2]], opcode == OP_SPEC_CONSTANT_TRUE, constants, count).value !=
                   0));
        break;
    case OP_CONSTANT:
        note(values, w, known(w[3]));
        break;
    case OP_SPEC_CONSTANT:
        note(values, w, chosen(&values[w[2]], w[3], constants, count));
        break;
    case OP_SPEC_CONSTANT_OP:
        note(values, w, result(values, w[3], w + 4, length - 4));
        break;
    default:
        break;
    }
}

void vkr_fold(vkr_value *values, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w), length = vkr_length_of(w);
    if (opcode == OP_COPY_OBJECT)
        note(values, w, values[w[3]]);
    if (opcode >= OP_I_ADD && opcode <= OP_NOT && length > 3 && values[w[1]].folds)
        note(values, w, result(values, opcode, w + 3, length - 3));
}
