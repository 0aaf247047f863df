/* SPDX-License-Identifier: MIT */
/* Words of SPIR-V modules. */
#ifndef VKR_SPIRV_H
#define VKR_SPIRV_H

#include <stdint.h>

enum {
    VKR_SPIRV_HEADER = 5, /* words */
    VKR_SPIRV_BOUND = 3   /* the word of the header that all ids are below */
};

enum vkr_opcode {
    OP_NAME = 5,
    OP_EXT_INST = 12,
    OP_ENTRY_POINT = 15,
    OP_TYPE_VOID = 19,
    OP_TYPE_INT = 21,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_FUNCTION_END = 56,
    OP_FUNCTION_CALL = 57,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_COPY_OBJECT = 83,
    OP_PHI = 245,
    OP_LOOP_MERGE = 246,
    OP_SELECTION_MERGE = 247,
    OP_LABEL = 248,
    OP_BRANCH = 249,
    OP_BRANCH_CONDITIONAL = 250,
    OP_SWITCH = 251,
    OP_RETURN = 253,
    OP_RETURN_VALUE = 254,
    OP_UNREACHABLE = 255
};

static inline uint32_t vkr_opcode_of(const uint32_t *instruction)
{
    return instruction[0] & 0xffff;
}

static inline uint32_t vkr_length_of(const uint32_t *instruction)
{
    return instruction[0] >> 16;
}

#endif
