/* SPDX-License-Identifier: MIT */
/* Tests of the linker for users' functions. */
#ifndef VKR_TESTS_LINK_H
#define VKR_TESTS_LINK_H

#include "unit.h"

#include "../../../src/spirv/hooks.h"
#include "../../../src/spirv/link.h"

/* Modules, in the order of the program's arguments. */
typedef enum module_name {
    KERNEL,
    HOOKS,
    EXPORTS,
    ELEMENTS,
    WRONG,
    STATE_KERNEL,
    STATES,
    MODULE_COUNT
} module_name;

#define WEAK_NUMBER 777u /* occurs only in the bodies of weak functions */

typedef struct words {
    uint32_t *words;
    size_t count;
} words;

extern words modules[MODULE_COUNT];

void *allocate(size_t size);

/* A copy of a module, so that sanitizers notice reads past its end. */
words copy_words(words from);

/* A module that vkr_read_hooks has read. Its memory is to be freed. */
typedef struct read_module {
    words copy;
    void *memory;
    vkr_hooks hooks;
    bool can_read;
    char sentence[VKR_HOOK_SENTENCE];
} read_module;

void read_words(words from, read_module *to);
void free_module(read_module *module);

/* Types of signatures, as initialisers. */
#define TYPE_VOID                                                                                  \
    {                                                                                              \
        VKR_HOOK_VOID, 0, 0                                                                        \
    }
#define TYPE_BOOL                                                                                  \
    {                                                                                              \
        VKR_HOOK_BOOL, 0, 1                                                                        \
    }
#define TYPE_UINT                                                                                  \
    {                                                                                              \
        VKR_HOOK_UINT, 32, 1                                                                       \
    }
#define TYPE_INT                                                                                   \
    {                                                                                              \
        VKR_HOOK_INT, 32, 1                                                                        \
    }
#define TYPE_FLOAT                                                                                 \
    {                                                                                              \
        VKR_HOOK_FLOAT, 32, 1                                                                      \
    }
#define TYPE_STATE                                                                                 \
    {                                                                                              \
        VKR_HOOK_STATE, 0, 0                                                                       \
    }

extern const vkr_signature is_predicate, is_float_load, is_uint_load, is_sink;

/* Checks that a module is valid. */
void validate(const uint32_t *linked, size_t count, const char *what);

uint32_t count_opcode(const uint32_t *linked, size_t count, uint32_t opcode);

/* Whether an instruction of a function has a constant with this number, or this float, or a
 * composite of it, as an operand. */
bool uses(const uint32_t *linked, size_t count, uint32_t number);

/* Prunes and inlines a linked module for a value of its constant 0, and checks the result: it is
 * valid, uses this number unless that is 0, and has no calls if inlining can do that. */
void check_rewritten(const uint32_t *linked, size_t count, uint32_t constant, uint32_t number,
                     bool can_inline, const char *what);

/* ---- states.c ---- */

EXTERN_TEST(test_states);
EXTERN_TEST(test_wrong_states);

/* ---- wrong.c ---- */

EXTERN_TEST(test_wrong_modules);
EXTERN_TEST(test_wrong_functions);
EXTERN_TEST(test_wrong_signatures);
EXTERN_TEST(test_missing);
EXTERN_TEST(test_support);
EXTERN_TEST(test_cut);
EXTERN_TEST(test_nested);

#endif
