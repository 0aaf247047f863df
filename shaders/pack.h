/* SPDX-License-Identifier: MIT */
/* Declarations that pack.c and pack_code.c share. */
#ifndef VKR_PACK_H
#define VKR_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../src/spirv/grammar.h"
#include "archive.h"

typedef struct module {
    char name[64];
    uint32_t *words;
    uint32_t count;
} module;

/* The first word of instructions, and the number of instructions with it. */
typedef struct start {
    uint32_t word;
    uint32_t count;
} start;

/* The code of the numbers of modules: vkr_written, and vkr_starts with the most frequent first. */
typedef struct code {
    uint16_t operands[VKR_ARCHIVE_OPCODES];
    start *starts;
    uint32_t count;
    uint32_t capacity; /* of starts */
} code;

/* `fail` ends the program with a message; `allocate` does so if there is no memory. */
void fail(const char *format, ...);
void *allocate(size_t count, size_t size);

/* Chooses the code for modules; free_code frees its memory. */
void make_code(const module *modules, uint32_t count, code *c);
void free_code(code *c);

static inline uint32_t slot_of(uint32_t operand)
{
    return operand < VKR_ARCHIVE_OPERANDS ? operand : VKR_ARCHIVE_OPERANDS;
}

/* The ways of archive.h to write an operand. */
typedef enum way { WAY_PLAIN, WAY_DISTANCE, WAY_CHANGE, WAY_COUNT } way;

/* The values on which distances and changes depend, at an operand of a module. */
typedef struct context {
    uint32_t base;
    uint32_t last[VKR_ARCHIVE_OPCODES][VKR_ARCHIVE_OPERANDS + 1];
} context;

void start_module(context *c);

/* The number that is written for operand k of an instruction. */
uint32_t number_of(const context *c, const uint32_t *instruction, uint32_t k, way how);

/* Moves past operand k, which may be the instruction's result. */
void pass_operand(context *c, const uint32_t *instruction, uint32_t k);

/* The index of a first word that occurs in the modules. */
uint32_t find_start(const code *c, uint32_t word);

#endif
