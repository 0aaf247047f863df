/* SPDX-License-Identifier: MIT */
/* What the files of the linker share. */
#ifndef VKR_SPIRV_LINK_PARTS_H
#define VKR_SPIRV_LINK_PARTS_H

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

typedef struct vkr_linker {
    const vkr_link_info *info;
    vkr_module kernel;
    uint8_t *flags;               /* by id of the kernel */
    uint32_t weak[VKR_MAX_LINKS]; /* the kernel's functions that get new bodies */
    uint32_t module_count;
    vkr_link_module modules[VKR_MAX_LINKS];
    vkr_link_table table;
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

/* ---- link_body.c ---- */

/* Writes a weak function of the kernel, whose body calls the user's function of a link. */
void vkr_write_body(vkr_linker *linker, uint32_t link);

#endif
