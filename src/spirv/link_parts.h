/* SPDX-License-Identifier: MIT */
/* What the files of the linker share. */
#ifndef VKR_SPIRV_LINK_PARTS_H
#define VKR_SPIRV_LINK_PARTS_H

#include "layout.h"
#include "link.h"

/* Flags of an id. */
enum {
    VKR_LINK_NEEDED = 1 << 0, /* a user's: it becomes part of the kernel */
    VKR_LINK_DECORATED = 1 << 1,
    VKR_LINK_LATE = 1 << 2,  /* a kernel's global: made of the state's placeholder */
    VKR_LINK_GONE = 1 << 3,  /* a kernel's: defined in a body that is replaced */
    VKR_LINK_LISTED = 1 << 4 /* a kernel's variable: in the entry point's interface */
};

/* A user's module. */
typedef struct vkr_link_module {
    const vkr_hooks *hooks;
    uint32_t *map;  /* by id: the new id, or 0 */
    uint8_t *flags; /* by id */
} vkr_link_module;

/* Instructions that have been written and can stand for equal ones: a hash table of their indices
 * in the output. */
typedef struct vkr_link_table {
    uint32_t *slots; /* 0: empty */
    uint32_t mask;   /* the number of slots, which is a power of two, less 1 */
} vkr_link_table;

enum { VKR_MAX_WORD_FUNCTIONS = 16 };

/* A kernel's function that moves a state by words: it calls `word` for each of them. */
typedef struct vkr_word_function {
    uint32_t function, word; /* the ids of their OpFunctions */
} vkr_word_function;

/* The state of the hooks that are linked. */
typedef struct vkr_link_state {
    uint32_t placeholder;          /* the id of the kernel's struct VkrHookState, or 0 */
    const vkr_link_module *module; /* of T; NULL if the links have no state */
    vkr_state layout;
    uint32_t function_count;
    vkr_word_function functions[VKR_MAX_WORD_FUNCTIONS];
    uint32_t counter;                          /* the kernel's function vkr_hook_words, or 0 */
    uint32_t uint_id, uvec2_id, float_id;      /* types in the result */
    uint32_t numbers[VKR_MAX_STATE_WORDS + 1]; /* constants */
} vkr_link_state;

/* Types and constants in the result, for numbers as their bits; 0 if no link needs them. */
typedef struct vkr_link_bits {
    uint32_t vectors[5]; /* by components: uint, uvec2 .. */
    uint32_t numbers[2];
} vkr_link_bits;

/* A function's parameters. */
typedef struct vkr_parameters {
    uint32_t count;
    uint32_t ids[VKR_MAX_HOOK_PARAMETERS];
    uint32_t types[VKR_MAX_HOOK_PARAMETERS];
    uint32_t values[VKR_MAX_HOOK_PARAMETERS]; /* the types of what pointers point to; or `types` */
} vkr_parameters;

typedef struct vkr_linker {
    const vkr_link_info *info;
    vkr_module kernel;
    uint8_t *flags;               /* by id of the kernel */
    uint32_t weak[VKR_MAX_LINKS]; /* the kernel's functions that get new bodies */
    uint32_t module_count;
    vkr_link_module modules[VKR_MAX_LINKS];
    vkr_link_table table;
    vkr_link_state state;
    vkr_link_bits bits;
    uint32_t version;
    uint32_t next_id;
    uint32_t *start; /* of the output */
    vkr_writer out;
} vkr_linker;

/* ---- link_needs.c ---- */

/* Marks what the links need of a user's module, and gives it new ids. */
void vkr_mark_needs(vkr_linker *linker, vkr_link_module *module);

/* ---- link_write.c ---- */

/* Whether an instruction decorates its first operand, or a member of it. */
bool vkr_is_decoration(uint32_t opcode);

/* Whether linking leaves a user's declaration or decoration out. */
bool vkr_is_unlinked(const vkr_link_module *module, const uint32_t *instruction);

/* Write a global of the kernel, or of a user's module unless there is an equal one already. */
void vkr_write_kernels(vkr_linker *linker, const uint32_t *instruction);
void vkr_write_users(vkr_linker *linker, const vkr_link_module *module,
                     const uint32_t *instruction);

/* Writes the functions of a user's module that are needed. */
void vkr_write_functions(vkr_linker *linker, const vkr_link_module *module);

/* Writes a type or a constant with a new id unless there is an equal one. The first word has the
 * opcode; the word of the result is set. Returns the id. */
uint32_t vkr_write_shared(vkr_linker *linker, const uint32_t *words, uint32_t count);

/* ---- link_body.c ---- */

/* Reads the parameters of a function, starting at its OpFunction. Returns false if there are too
 * many. */
bool vkr_read_parameters(const vkr_module *module, const uint32_t *function,
                         vkr_parameters *parameters);

/* Writes the head of a function of the kernel: all before its first block; and starts that. */
void vkr_write_head(vkr_linker *linker, const uint32_t *function);

/* Writes the value of a parameter of the kernel's function. Returns its id. */
uint32_t vkr_write_value(vkr_linker *linker, const vkr_parameters *parameters, uint32_t number);

/* Writes a weak function of the kernel, whose body calls the user's function of a link. */
void vkr_write_body(vkr_linker *linker, uint32_t link);

/* ---- link_bits.c ---- */

/* Whether a type of the kernel is a uvec4, which stands for the bits of numbers. */
bool vkr_is_bits(const vkr_linker *linker, uint32_t type);

/* Writes the types and constants that conversions need, if a link has any. */
void vkr_write_bit_types(vkr_linker *linker);

/* Write what turns bits into a value of a user's type, and the other way round. Return its id. */
uint32_t vkr_write_of_bits(vkr_linker *linker, const vkr_link_module *module, uint32_t type,
                           uint32_t value);
uint32_t vkr_write_as_bits(vkr_linker *linker, const vkr_link_module *module, uint32_t type,
                           uint32_t value);

/* ---- link_words.c ---- */

/* Finds the placeholder, the state of the links, and the functions that move it by words. Returns
 * false if the kernel or the links are not made for that. */
bool vkr_find_state(vkr_linker *linker);

/* Writes the types and constants that the functions on words need. */
void vkr_write_word_types(vkr_linker *linker);

/* Writes the kernel's function if it moves a state by words, or counts them. Returns false if it
 * does neither. */
bool vkr_write_word_body(vkr_linker *linker, const uint32_t *function);

#endif
