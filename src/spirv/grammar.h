/* SPDX-License-Identifier: MIT */
/*
 * What the words of a SPIR-V instruction are: ids or literals. The tables come from Khronos'
 * grammar, and opcodes from Khronos' header, so that nothing here is a list of its own.
 */
#ifndef VKR_SPIRV_GRAMMAR_H
#define VKR_SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

enum {
    VKR_SPIRV_HEADER = 5,         /* words */
    VKR_SPIRV_BOUND = 3,          /* the word of the header that all ids are below */
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
    VKR_WORD_END,     /* there are no more operands */
    VKR_WORD_UNKNOWN, /* the instruction is not in the tables, or not as they say */
    VKR_WORD_LITERAL,
    VKR_WORD_TYPE, /* the id of the result's type */
    VKR_WORD_RESULT,
    VKR_WORD_ID
} vkr_word;

/* The operands of an instruction, one word after the other. */
typedef struct vkr_operands {
    const uint32_t *instruction;
    uint32_t at;         /* the word that comes next; those after it are not read */
    uint32_t case_words; /* how many words a literal of OpSwitch takes: 1 unless it is set */
    /* The rest belongs to vkr_next_word. */
    const uint8_t *next;   /* elements of the signature that are left */
    const uint8_t *repeat; /* where those start that repeat, once one was met */
    uint8_t last;          /* the element of the word that came last */
    uint32_t more;         /* words of that element that follow */
    uint32_t bits, twice;  /* whose parameters follow */
} vkr_operands;

void vkr_start_operands(vkr_operands *operands, const uint32_t *instruction);
vkr_word vkr_next_word(vkr_operands *operands);

/* The word of an instruction that is the id of its result, or 0. */
uint32_t vkr_result_word(uint32_t opcode);

#endif
