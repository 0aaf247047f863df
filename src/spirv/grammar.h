/* SPDX-License-Identifier: MIT */
/*
 * Classifies the words of a SPIR-V instruction as ids or literals. The tables come from Khronos'
 * grammar and the opcodes from Khronos' header, so there is no hand-written list here.
 */
#ifndef VKR_SPIRV_GRAMMAR_H
#define VKR_SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

enum {
    VKR_SPIRV_HEADER = 5,         /* words */
    VKR_SPIRV_BOUND = 3,          /* the header's word with the bound of all ids */
    VKR_SPIRV_MAX_BOUND = 4194304 /* "Universal Limits" of the specification */
};

static inline uint32_t vkr_opcode_of(const uint32_t *instruction)
{
    return instruction[0] & SpvOpCodeMask;
}

static inline uint32_t vkr_length_of(const uint32_t *instruction)
{
    return instruction[0] >> SpvWordCountShift;
}

/* The first word of an instruction. */
static inline uint32_t vkr_first_word(uint32_t opcode, uint32_t length)
{
    return length << SpvWordCountShift | opcode;
}

typedef enum vkr_word {
    VKR_WORD_END,     /* no more operands */
    VKR_WORD_UNKNOWN, /* the instruction is not in the tables, or contradicts them */
    VKR_WORD_LITERAL,
    VKR_WORD_TYPE, /* the id of the result's type */
    VKR_WORD_RESULT,
    VKR_WORD_ID
} vkr_word;

/* The operands of an instruction, one word after the other. */
typedef struct vkr_operands {
    const uint32_t *instruction;
    uint32_t at;         /* the next word; later words are not read */
    uint32_t case_words; /* words of a literal of OpSwitch: 1 unless it is set */
    /* The other members are the state of vkr_next_word. */
    const uint8_t *next;   /* remaining elements of the signature */
    const uint8_t *repeat; /* the first element that repeats, once it was met */
    uint8_t last;          /* the element of the previous word */
    uint32_t more;         /* remaining words of that element */
    uint32_t bits, twice;  /* bits whose parameters follow */
} vkr_operands;

void vkr_start_operands(vkr_operands *operands, const uint32_t *instruction);
vkr_word vkr_next_word(vkr_operands *operands);

/* The word of an instruction that is the id of its result, or 0. */
uint32_t vkr_result_word(uint32_t opcode);

#endif
