/* SPDX-License-Identifier: MIT */
/* What pack.c and pack_code.c share. */
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

/* The first word of instructions, and how many there are of them. */
typedef struct start {
    uint32_t word;
    uint32_t count;
} start;

/* What the numbers of modules stand for: vkr_written and vkr_starts, the most frequent first. */
typedef struct code {
    uint16_t operands[VKR_ARCHIVE_OPCODES];
    start *starts;
    uint32_t count;
    uint32_t capacity; /* of starts */
} code;

/* These two end the program where there is a mistake or no memory. */
void fail(const char *format, ...);
void *allocate(size_t count, size_t size);

/* Chooses the code for modules; free_code frees what it holds. */
void make_code(const module *modules, uint32_t count, code *c);
void free_code(code *c);

static inline uint32_t slot_of(uint32_t operand)
{
    return operand < VKR_ARCHIVE_OPERANDS ? operand : VKR_ARCHIVE_OPERANDS;
}

/* The ways of archive.h to write an operand. */
typedef enum way { WAY_PLAIN, WAY_DISTANCE, WAY_CHANGE, WAY_COUNT } way;

/* What distances and changes depend on, at an operand of a module. */
typedef struct context {
    uint32_t base;
    uint32_t last[VKR_ARCHIVE_OPCODES][VKR_ARCHIVE_OPERANDS + 1];
} context;

void start_module(context *c);

/* The number that is written for operand k of an instruction. */
uint32_t number_of(const context *c, const uint32_t *instruction, uint32_t k, way how);

/* Goes on behind operand k, which may be the instruction's result. */
void pass_operand(context *c, const uint32_t *instruction, uint32_t k);

/* The number of a first word that occurs. */
uint32_t find_start(const code *c, uint32_t word);

#endif
