/* SPDX-License-Identifier: MIT */
/* A module with two functions: float load(uint i) { return float(i); } and
 * bool keep(uint i) { return i != 0; }. */
#ifndef VKR_TESTS_HOOK_CODE_H
#define VKR_TESTS_HOOK_CODE_H

#include <spirv/unified1/spirv.h>
#include <stdint.h>

#define HOOK_OP(opcode, words) ((uint32_t)(words) << SpvWordCountShift | SpvOp##opcode)
#define HOOK_TEXT(a, b, c, d)                                                                      \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define HOOK_VERSION 1      /* the word of the header with the version */
#define HOOK_CAPABILITY 6   /* the word with the capability */
#define HOOK_DECORATIONS 31 /* the word before which decorations belong */

/* clang-format off */
enum { VOID = 1, MAIN_TYPE, MAIN, MAIN_BLOCK, UINT, FLOAT, BOOL, LOAD_TYPE, LOAD, LOAD_INDEX,
       LOAD_BLOCK, LOADED, KEEP_TYPE, KEEP, KEEP_INDEX, KEEP_BLOCK, ZERO, KEPT, HOOK_BOUND };

static const uint32_t hook_code[] = {
    SpvMagicNumber, 0x10000, 0, HOOK_BOUND, 0,
    HOOK_OP(Capability, 2), SpvCapabilityShader,
    HOOK_OP(MemoryModel, 3), SpvAddressingModelLogical, SpvMemoryModelGLSL450,
    HOOK_OP(EntryPoint, 5), SpvExecutionModelGLCompute, MAIN, HOOK_TEXT('m', 'a', 'i', 'n'), 0,
    HOOK_OP(ExecutionMode, 6), MAIN, SpvExecutionModeLocalSize, 1, 1, 1,
    HOOK_OP(Name, 5), LOAD, HOOK_TEXT('l', 'o', 'a', 'd'), HOOK_TEXT('(', 'u', '1', ';'), 0,
    HOOK_OP(Name, 5), KEEP, HOOK_TEXT('k', 'e', 'e', 'p'), HOOK_TEXT('(', 'u', '1', ';'), 0,
    HOOK_OP(TypeVoid, 2), VOID,
    HOOK_OP(TypeFunction, 3), MAIN_TYPE, VOID,
    HOOK_OP(TypeInt, 4), UINT, 32, 0,
    HOOK_OP(TypeFloat, 3), FLOAT, 32,
    HOOK_OP(TypeBool, 2), BOOL,
    HOOK_OP(TypeFunction, 4), LOAD_TYPE, FLOAT, UINT,
    HOOK_OP(TypeFunction, 4), KEEP_TYPE, BOOL, UINT,
    HOOK_OP(Constant, 4), UINT, ZERO, 0,
    HOOK_OP(Function, 5), VOID, MAIN, 0, MAIN_TYPE,
    HOOK_OP(Label, 2), MAIN_BLOCK,
    HOOK_OP(Return, 1),
    HOOK_OP(FunctionEnd, 1),
    HOOK_OP(Function, 5), FLOAT, LOAD, 0, LOAD_TYPE,
    HOOK_OP(FunctionParameter, 3), UINT, LOAD_INDEX,
    HOOK_OP(Label, 2), LOAD_BLOCK,
    HOOK_OP(ConvertUToF, 4), FLOAT, LOADED, LOAD_INDEX,
    HOOK_OP(ReturnValue, 2), LOADED,
    HOOK_OP(FunctionEnd, 1),
    HOOK_OP(Function, 5), BOOL, KEEP, 0, KEEP_TYPE,
    HOOK_OP(FunctionParameter, 3), UINT, KEEP_INDEX,
    HOOK_OP(Label, 2), KEEP_BLOCK,
    HOOK_OP(INotEqual, 5), BOOL, KEPT, KEEP_INDEX, ZERO,
    HOOK_OP(ReturnValue, 2), KEPT,
    HOOK_OP(FunctionEnd, 1),
};
/* clang-format on */

#endif
