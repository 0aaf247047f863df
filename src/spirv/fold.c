/* SPDX-License-Identifier: MIT */
#include "fold.h"
#include "grammar.h"

static const vkr_value unknown = {0};

static vkr_value known(uint32_t value)
{
    return (vkr_value){.value = value, .known = true};
}

/* Folds an operation of two known operands. */
static vkr_value combine(uint32_t opcode, uint32_t a, uint32_t b)
{
    switch (opcode) {
    case SpvOpIAdd:
        return known(a + b);
    case SpvOpISub:
        return known(a - b);
    case SpvOpIMul:
        return known(a * b);
    case SpvOpUDiv:
        return b ? known(a / b) : unknown;
    case SpvOpUMod:
        return b ? known(a % b) : unknown;
    case SpvOpLogicalOr:
    case SpvOpBitwiseOr:
        return known(a | b);
    case SpvOpLogicalAnd:
    case SpvOpBitwiseAnd:
        return known(a & b);
    case SpvOpBitwiseXor:
        return known(a ^ b);
    case SpvOpLogicalEqual:
    case SpvOpIEqual:
        return known(a == b);
    case SpvOpLogicalNotEqual:
    case SpvOpINotEqual:
        return known(a != b);
    case SpvOpUGreaterThan:
        return known(a > b);
    case SpvOpUGreaterThanEqual:
        return known(a >= b);
    case SpvOpULessThan:
        return known(a < b);
    case SpvOpULessThanEqual:
        return known(a <= b);
    case SpvOpShiftRightLogical:
        return b < 32 ? known(a >> b) : unknown;
    case SpvOpShiftLeftLogical:
        return b < 32 ? known(a << b) : unknown;
    default:
        return unknown;
    }
}

/* The result of an operation with `count` operands, of which some may be unknown. */
static vkr_value result(const vkr_value *values, uint32_t opcode, const uint32_t *operands,
                        uint32_t count)
{
    if (opcode < SpvOpIAdd || opcode > SpvOpNot) /* between these, all operands are ids */
        return unknown;
    const vkr_value *a = count > 0 ? &values[operands[0]] : &unknown;
    const vkr_value *b = count > 1 ? &values[operands[1]] : &unknown;
    if (opcode == SpvOpLogicalNot || opcode == SpvOpNot)
        return a->known ? known(opcode == SpvOpNot ? ~a->value : !a->value) : unknown;
    if (opcode == SpvOpSelect)
        return a->known && count > 2 ? values[operands[a->value ? 1 : 2]] : unknown;
    if (opcode == SpvOpLogicalAnd && ((a->known && !a->value) || (b->known && !b->value)))
        return known(0);
    if (opcode == SpvOpLogicalOr && ((a->known && a->value) || (b->known && b->value)))
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

/* A constant's value: the given one if there is one, else its own. */
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
    case SpvOpTypeBool:
        values[w[1]].folds = true;
        break;
    case SpvOpTypeInt:
        values[w[1]].folds = w[2] == 32;
        break;
    case SpvOpDecorate: /* comes before its target */
        if (length == 4 && w[2] == SpvDecorationSpecId) {
            values[w[1]].chosen = true;
            values[w[1]].value = w[3];
        }
        break;
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
        note(values, w, known(opcode == SpvOpConstantTrue));
        break;
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
        note(values, w,
             known(chosen(&values[w[2]], opcode == SpvOpSpecConstantTrue, constants, count).value !=
                   0));
        break;
    case SpvOpConstant:
        note(values, w, known(w[3]));
        break;
    case SpvOpSpecConstant:
        note(values, w, chosen(&values[w[2]], w[3], constants, count));
        break;
    case SpvOpSpecConstantOp:
        note(values, w, result(values, w[3], w + 4, length - 4));
        break;
    default:
        break;
    }
}

void vkr_fold(vkr_value *values, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w), length = vkr_length_of(w);
    if (opcode == SpvOpCopyObject)
        note(values, w, values[w[3]]);
    else if (opcode >= SpvOpIAdd && opcode <= SpvOpNot && values[w[1]].folds)
        note(values, w, result(values, opcode, w + 3, length - 3));
}
