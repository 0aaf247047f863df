/* SPDX-License-Identifier: MIT */
/*
 * rewrite MODULE.spv (rewrite.spvasm): checks what rewriting makes of invalid modules, and of
 * constants. prune.sh checks what it makes of valid modules.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/spirv/fold.h"
#include "../../src/spirv/inline.h"
#include "../../src/spirv/module.h"
#include "../../src/spirv/prune.h"

#define MAX_COUNT 4096u

static uint32_t right[MAX_COUNT]; /* a valid module */
static size_t right_count;

static void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    assert_non_null(memory);
    return memory;
}

/* Whether a module can be read. It is copied, so that sanitizers notice reads past its end. */
static bool can_read(const uint32_t *words, size_t count)
{
    uint32_t *copy = allocate(count * sizeof *copy);
    memcpy(copy, words, count * sizeof *copy);
    uint32_t *definitions = calloc(vkr_bound_of(copy, count) + 1u, sizeof *definitions);
    vkr_module module;
    assert_non_null(definitions);
    const bool can =
        vkr_bound_of(copy, count) != 0 && vkr_read_module(copy, count, definitions, &module);
    free(definitions);
    free(copy);
    return can;
}

/* Prunes and inlines a module, and returns whether it was supported. If the module is valid, it
 * must be possible to read the result. */
static bool rewrite(const uint32_t *words, size_t count, bool is_valid)
{
    const uint32_t constant = 1;
    uint32_t *copy = allocate(count * sizeof *copy);
    memcpy(copy, words, count * sizeof *copy);
    void *memory = allocate(vkr_prune_size(copy, count));
    const uint32_t *pruned = vkr_prune(copy, &count, &constant, 1, memory);
    assert_memory_equal(copy, words, count * sizeof *copy);
    if (pruned) {
        const size_t size = vkr_inline_size(pruned, count);
        void *more = allocate(size);
        assert_true(!is_valid || can_read(pruned, count));
        const uint32_t *inlined = vkr_inline(pruned, &count, more, size);
        assert_true(!is_valid || can_read(inlined, count));
        free(more);
    }
    free(memory);
    free(copy);
    return pruned != NULL;
}

/* Copies the valid module to `words`, and returns its first instruction with an opcode. */
static uint32_t *find(uint32_t *words, uint32_t opcode)
{
    memcpy(words, right, right_count * sizeof *words);
    for (size_t at = VKR_SPIRV_HEADER; at < right_count; at += vkr_length_of(words + at))
        if (vkr_opcode_of(words + at) == opcode)
            return words + at;
    fail_msg("there is no instruction %u", opcode);
    return NULL;
}

/* ---- Wrong modules ---- */

TEST(test_right)
{
    assert_true(can_read(right, right_count));
    assert_true(rewrite(right, right_count, true));
}

/* Wrong modules: in the first instruction with this opcode, this word has this wrong value. */
static const struct {
    const char *what;
    uint32_t opcode, word, wrong;
} wrongs[] = {
    {"an instruction of no words", SpvOpFMul, 0, SpvOpFMul},
    {"an instruction past the end", SpvOpFMul, 0, 0xffff0000u | SpvOpFMul},
    {"an instruction of a word more", SpvOpFMul, 0, 6u << 16 | SpvOpFMul},
    {"an instruction of a word less", SpvOpFMul, 0, 4u << 16 | SpvOpFMul},
    {"an opcode that there is not", SpvOpFMul, 0, 5u << 16 | 0xfff0u},
    {"an opcode between those that there are", SpvOpFMul, 0, 5u << 16 | 9u},
    {"an id beyond the bound", SpvOpFMul, 3, 1u << 20},
    {"no id", SpvOpFMul, 3, 0},
    {"a type beyond the bound", SpvOpFMul, 1, ~0u},
    {"a result beyond the bound", SpvOpFMul, 2, ~0u},
    {"a bit of a set without a meaning", SpvOpLoad, 4, 0x40000002u},
    {"a bit of a set without its parameter", SpvOpStore, 3, 0x0au},
    {"a string without an end", SpvOpName, 3, 0x61616161u},
    {"a function that does not end", SpvOpFunctionEnd, 0, 1u << 16 | SpvOpNop},
    {"a block that does not end", SpvOpReturn, 0, 1u << 16 | SpvOpNop},
    {"a block that ends twice", SpvOpBranch, 0, 2u << 16 | SpvOpLabel},
    {"a call of what is no function", SpvOpFunctionCall, 3, 1},
    {"a branch to what is no label", SpvOpBranch, 1, 1},
    {"an entry point that is no function", SpvOpEntryPoint, 2, 1},
    {"a switch by what is no integer", SpvOpSwitch, 1, 1},
    {"a set of instructions that is none", SpvOpExtInst, 3, 3},
};

TEST(test_wrong)
{
    for (size_t i = 0; i < ARRAY_SIZE(wrongs); i++) {
        uint32_t words[MAX_COUNT];
        find(words, wrongs[i].opcode)[wrongs[i].word] = wrongs[i].wrong;
        if (can_read(words, right_count) || rewrite(words, right_count, false))
            fail_msg("%s is not noticed", wrongs[i].what);
    }
}

TEST(test_defined_twice)
{
    uint32_t words[MAX_COUNT];
    uint32_t *w = find(words, SpvOpFMul);
    w[2] = find(words, SpvOpFMul)[3];
    assert_false(can_read(words, right_count));
}

TEST(test_header)
{
    static const uint32_t bounds[] = {0, VKR_SPIRV_MAX_BOUND + 1, ~0u};
    uint32_t words[MAX_COUNT];
    memcpy(words, right, sizeof words);
    assert_false(rewrite(words, VKR_SPIRV_HEADER, false));
    for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
        words[VKR_SPIRV_BOUND] = bounds[i];
        assert_false(rewrite(words, right_count, false));
    }
    words[0] = 0;
    assert_int_equal(vkr_bound_of(words, right_count), 0);
}

/* A module that is cut off anywhere is refused. */
TEST(test_cut)
{
    for (size_t count = 0; count < right_count; count++)
        assert_false(rewrite(right, count, false));
}

/* Each of these values replaces every word in turn. A module that can be read nevertheless must not
 * crash the rewriting. */
TEST(test_any_word)
{
    uint32_t known = 0;
    for (size_t at = VKR_SPIRV_HEADER; at < right_count; at++) {
        const uint32_t values[] = {0,
                                   1,
                                   ~0u,
                                   right[VKR_SPIRV_BOUND] - 1,
                                   right[at] + 1,
                                   right[at] - 1,
                                   right[at] + (1u << 16),
                                   right[at] ^ 0x80u};
        for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
            uint32_t words[MAX_COUNT];
            memcpy(words, right, right_count * sizeof *words);
            words[at] = values[i];
            known += rewrite(words, right_count, false);
        }
    }
    print_message("# %u modules of wrong words could be read\n", known);
    assert_true(known > 100);
}

/* Rewriting ends even if a function calls itself. */
TEST(test_recursion)
{
    uint32_t words[MAX_COUNT];
    uint32_t *call = find(words, SpvOpFunctionCall);
    const uint32_t function = call[3];
    memcpy(words, right, right_count * sizeof *words);
    for (size_t at = (size_t)(call - words); at < right_count; at += vkr_length_of(words + at)) {
        uint32_t *w = words + at;
        if (vkr_opcode_of(w) != SpvOpExtInst || w[1] == 0 || vkr_length_of(w) != 6)
            continue;
        /* of(n, x) in place of Sqrt(x) */
        const uint32_t argument = w[5];
        w[0] = vkr_first_word(SpvOpFunctionCall, 6);
        w[3] = function;
        w[4] = call[4];
        w[5] = argument;
    }
    assert_true(rewrite(words, right_count, false));
}

/* ---- What follows from constants ---- */

enum { A = 10, B, C, RESULT, UINT, BOOL, IDS }; /* ids */

static const struct {
    uint32_t opcode, type, operands;
    uint32_t a, b; /* 99: not known */
    uint32_t wanted;
} folds[] = {
    {SpvOpIAdd, UINT, 2, ~0u, 3, 2},
    {SpvOpISub, UINT, 2, 3, 5, ~1u},
    {SpvOpIMul, UINT, 2, 0x10001, 0x10001, 0x20001},
    {SpvOpUDiv, UINT, 2, 17, 5, 3},
    {SpvOpUDiv, UINT, 2, 17, 0, 99},
    {SpvOpUMod, UINT, 2, 17, 5, 2},
    {SpvOpUMod, UINT, 2, 17, 0, 99},
    {SpvOpSDiv, UINT, 2, 17, 5, 99},
    {SpvOpIAdd, UINT, 2, 99, 5, 99},
    {SpvOpIAdd, UINT, 2, 5, 99, 99},
    {SpvOpLogicalEqual, BOOL, 2, 0, 0, 1},
    {SpvOpLogicalNotEqual, BOOL, 2, 0, 1, 1},
    {SpvOpLogicalOr, BOOL, 2, 0, 0, 0},
    {SpvOpLogicalOr, BOOL, 2, 99, 1, 1},
    {SpvOpLogicalOr, BOOL, 2, 0, 99, 99},
    {SpvOpLogicalAnd, BOOL, 2, 1, 1, 1},
    {SpvOpLogicalAnd, BOOL, 2, 0, 99, 0},
    {SpvOpLogicalAnd, BOOL, 2, 99, 1, 99},
    {SpvOpLogicalNot, BOOL, 1, 1, 0, 0},
    {SpvOpLogicalNot, BOOL, 1, 99, 0, 99},
    {SpvOpSelect, UINT, 3, 1, 7, 7},
    {SpvOpSelect, UINT, 3, 0, 7, 5}, /* C is 5 */
    {SpvOpSelect, UINT, 3, 1, 99, 99},
    {SpvOpSelect, UINT, 3, 99, 7, 99},
    {SpvOpIEqual, BOOL, 2, 7, 7, 1},
    {SpvOpINotEqual, BOOL, 2, 7, 7, 0},
    {SpvOpUGreaterThan, BOOL, 2, ~0u, 1, 1},
    {SpvOpUGreaterThanEqual, BOOL, 2, 1, 2, 0},
    {SpvOpULessThan, BOOL, 2, 1, ~0u, 1},
    {SpvOpULessThanEqual, BOOL, 2, 2, 1, 0},
    {SpvOpSLessThan, BOOL, 2, 1, 2, 99},
    {SpvOpShiftRightLogical, UINT, 2, ~0u, 31, 1},
    {SpvOpShiftLeftLogical, UINT, 2, 3, 31, 0x80000000u},
    {SpvOpShiftLeftLogical, UINT, 2, 3, 32, 99},
    {SpvOpBitwiseOr, UINT, 2, 5, 3, 7},
    {SpvOpBitwiseXor, UINT, 2, 5, 3, 6},
    {SpvOpBitwiseAnd, UINT, 2, 5, 3, 1},
    {SpvOpNot, UINT, 1, 5, 0, ~5u},
    {SpvOpCompositeExtract, UINT, 2, 5, ~0u, 99}, /* its second operand is a literal */
};

static void fold(size_t row, bool is_constant, vkr_value *values)
{
    const uint32_t length = 3 + is_constant + folds[row].operands;
    const uint32_t b = folds[row].opcode == SpvOpCompositeExtract ? folds[row].b : B;
    values[UINT].folds = values[BOOL].folds = true;
    values[A] = (vkr_value){.value = folds[row].a, .known = folds[row].a != 99};
    values[B] = (vkr_value){.value = folds[row].b, .known = folds[row].b != 99};
    values[C] = (vkr_value){.value = 5, .known = true};
    if (is_constant)
        vkr_fold_global(values,
                        (const uint32_t[]){vkr_first_word(SpvOpSpecConstantOp, length),
                                           folds[row].type, RESULT, folds[row].opcode, A, b, C},
                        NULL, 0);
    else
        vkr_fold(values, (const uint32_t[]){vkr_first_word(folds[row].opcode, length),
                                            folds[row].type, RESULT, A, b, C});
}

TEST(test_folds)
{
    for (size_t i = 0; i < 2 * ARRAY_SIZE(folds); i++) {
        vkr_value values[IDS] = {0};
        fold(i / 2, i % 2, values);
        const uint32_t found = values[RESULT].known ? values[RESULT].value : 99;
        if (found != folds[i / 2].wanted)
            fail_msg("row %zu: found %u", i / 2, found);
    }
}

/* A constant has the value that is given, or else its own. Constants of other sizes are not
 * known. */
TEST(test_constants)
{
    static const uint32_t given[] = {7, 0, 9};
    vkr_value values[IDS] = {0};
    const uint32_t rows[][5] = {
        {vkr_first_word(SpvOpTypeInt, 4), UINT, 32, 0},
        {vkr_first_word(SpvOpTypeBool, 2), BOOL},
        {vkr_first_word(SpvOpTypeInt, 4), A, 64, 0},
        {vkr_first_word(SpvOpDecorate, 4), B, SpvDecorationSpecId, 2},
        {vkr_first_word(SpvOpDecorate, 4), C, SpvDecorationSpecId, 1},
        {vkr_first_word(SpvOpDecorate, 4), RESULT, SpvDecorationSpecId, 3},
        {vkr_first_word(SpvOpSpecConstant, 4), UINT, B, 1},
        {vkr_first_word(SpvOpSpecConstantTrue, 3), BOOL, C},
        {vkr_first_word(SpvOpSpecConstant, 4), UINT, RESULT, 4},
        {vkr_first_word(SpvOpConstant, 5), A, 0, 5, 6},
        {vkr_first_word(SpvOpConstantFalse, 3), BOOL, 1},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        vkr_fold_global(values, rows[i], given, ARRAY_SIZE(given));
    assert_true(values[B].known && values[B].value == 9);
    assert_true(values[C].known && values[C].value == 0);
    assert_true(values[RESULT].known && values[RESULT].value == 4);
    assert_true(values[1].known && values[1].value == 0);
    assert_false(values[0].known);
}

/* ---- The program ---- */

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),     cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_header),    cmocka_unit_test(test_defined_twice),
        cmocka_unit_test(test_cut),       cmocka_unit_test(test_any_word),
        cmocka_unit_test(test_recursion), cmocka_unit_test(test_folds),
        cmocka_unit_test(test_constants),
    };
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file)
        return 2;
    right_count = fread(right, sizeof right[0], MAX_COUNT, file);
    fclose(file);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
