/* SPDX-License-Identifier: MIT */
/* SPIR-V modules that can be rewritten, and the writing of others. */
#ifndef VKR_SPIRV_MODULE_H
#define VKR_SPIRV_MODULE_H

#include "grammar.h"

typedef struct vkr_module {
    const uint32_t *words;
    size_t count;
    uint32_t bound;        /* all ids are below it */
    uint32_t *definitions; /* by id: the word of the instruction that it is the result of, or 0 */
} vkr_module;

/* The bound of a module; 0 where its header is none, or the bound is beyond what SPIR-V allows. */
uint32_t vkr_bound_of(const uint32_t *words, size_t count);

/*
 * Reads a module whose bound is not 0. `definitions` has room for as many numbers, all 0. Returns
 * false where the module cannot be rewritten: it is malformed, or has what the passes over it do
 * not know, such as an instruction that is not in Khronos' tables, or groups of decorations. After
 * that every instruction can be relied on to be as long as it has to be, each id to be below the
 * bound, each function to consist of parameters and blocks, and targets to be labels. It remains
 * the caller's to see that the module is valid in all other respects.
 */
bool vkr_read_module(const uint32_t *words, size_t count, uint32_t *definitions,
                     vkr_module *module);

/* The operands of an instruction of a module, whose types say how long literals are. */
void vkr_start_module_operands(vkr_operands *operands, const vkr_module *module,
                               const uint32_t *instruction);

/* The opcode of the instruction that an id is the result of; OpNop where there is none. */
static inline uint32_t vkr_defined_by(const vkr_module *module, uint32_t id)
{
    return module->definitions[id] ? vkr_opcode_of(module->words + module->definitions[id])
                                   : SpvOpNop;
}

/* The id of an instruction's result, or 0. */
static inline uint32_t vkr_result_of(const uint32_t *instruction)
{
    const uint32_t word = vkr_result_word(vkr_opcode_of(instruction));
    return word ? instruction[word] : 0;
}

/* Whether an instruction only says something about its first operand, without which it can go. */
static inline bool vkr_is_about(uint32_t opcode)
{
    return opcode == SpvOpName || opcode == SpvOpDecorate || opcode == SpvOpDecorateId ||
           opcode == SpvOpDecorateString;
}

/* ---- Writing ---- */

typedef struct vkr_writer {
    uint32_t *to;
    size_t room;
    bool fails; /* there was too little room, or what was to be written was found to be wrong */
} vkr_writer;

/* Copies words. Returns where they went, or NULL. */
uint32_t *vkr_write(vkr_writer *out, const uint32_t *words, uint32_t count);

/* Writes an instruction: its opcode and its operands. */
void vkr_write_new(vkr_writer *out, const uint32_t *words, uint32_t count);
#define VKR_WRITE(out, ...)                                                                        \
    vkr_write_new(out, (const uint32_t[]){__VA_ARGS__},                                            \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#endif
