/* SPDX-License-Identifier: MIT */
/* Declarations that pack.c and pack_code.c share. */
#ifndef VKR_PACK_H
#define VKR_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../src/spirv/grammar.h"

typedef struct module {
    char name[64];
    uint32_t *words;
    uint32_t count;
    uint32_t *shared; /* of each id: 1 + the number of its declaration, or 0 */
} module;

/* The first word of instructions, and the number of instructions with it. */
typedef struct start {
    uint32_t word;
    uint32_t count;
} start;

/* What the numbers of an archive stand for. */
typedef struct code {
    start *starts; /* vkr_starts, the most frequent first */
    uint32_t start_count;
    uint32_t start_capacity;
    uint32_t shared_count; /* declarations */
} code;

/* `fail` ends the program with a message; `allocate` does so if there is no memory. */
void fail(const char *format, ...);
void *allocate(size_t count, size_t size);

/* Chooses the code for modules, and sets their `shared`; free_code frees what the code holds. */
void make_code(module *modules, uint32_t count, code *c);
void free_code(code *c);

/* The number of a first word that occurs. */
uint32_t find_start(const code *c, uint32_t word);

static inline bool is_id(vkr_word kind)
{
    return kind == VKR_WORD_ID || kind == VKR_WORD_TYPE || kind == VKR_WORD_RESULT;
}

#endif
