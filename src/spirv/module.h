/* SPDX-License-Identifier: MIT */
/* Reads SPIR-V modules for rewriting, and writes the results. */
#ifndef VKR_SPIRV_MODULE_H
#define VKR_SPIRV_MODULE_H

#include "grammar.h"

typedef struct vkr_module {
    const uint32_t *words;
    size_t count;
    uint32_t bound;        /* all ids are less */
    uint32_t *definitions; /* by id: the index of the instruction that defines it, or 0 */
    size_t failed; /* the index of the instruction that cannot be read; `count` if there is none */
} vkr_module;

/* The bound of a module; 0 if its header is invalid, or the bound exceeds the limit of SPIR-V. */
uint32_t vkr_bound_of(const uint32_t *words, size_t count);

/*
 * Reads a module whose bound is not 0. `definitions` has one element for each id below the bound,
 * all 0. Returns false if the module cannot be rewritten: it is malformed, or has something that
 * the passes do not support, such as an instruction that is not in Khronos' tables, or groups of
 * decorations. On success every instruction has a valid length, each id is below the bound, each
 * function consists of parameters and blocks, and branch targets are labels. The caller must ensure
 * that the module is valid in all other respects.
 */
bool vkr_read_module(const uint32_t *words, size_t count, uint32_t *definitions,
                     vkr_module *module);

/* Starts reading the operands of an instruction of a module, whose types give the length of
 * literals. */
void vkr_start_module_operands(vkr_operands *operands, const vkr_module *module,
                               const uint32_t *instruction);

/* The opcode of the instruction that defines an id; OpNop if there is none. */
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

/* Whether an instruction only annotates its first operand, so it can be removed with that. */
static inline bool vkr_is_annotation(uint32_t opcode)
{
    return opcode == SpvOpName || opcode == SpvOpDecorate || opcode == SpvOpDecorateId ||
           opcode == SpvOpDecorateString;
}

/* ---- Writing ---- */

typedef struct vkr_writer {
    uint32_t *to;
    size_t room;
    bool fails; /* there was too little room, or the output would be invalid */
} vkr_writer;

/* Copies words. Returns their new position, or NULL. */
uint32_t *vkr_write(vkr_writer *out, const uint32_t *words, uint32_t count);

/* Writes an instruction: its opcode and its operands. */
void vkr_write_new(vkr_writer *out, const uint32_t *words, uint32_t count);
#define VKR_WRITE(out, ...)                                                                        \
    vkr_write_new(out, (const uint32_t[]){__VA_ARGS__},                                            \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

#endif
