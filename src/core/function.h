/* SPDX-License-Identifier: MIT */
/* Modules of users' functions, and the functions in them that can be hooks. */
#ifndef VKR_FUNCTION_H
#define VKR_FUNCTION_H

#include "../spirv/link.h"
#include "base.h"
#include "vkreduce/module.h"

/* A function that can be a hook. */
typedef struct vkr_function {
    VkrModule module;
    VkrHookInfo info;
    vkr_hook hook;
    const char *weak;                /* the weak function of the kernel that it replaces */
    const struct vkr_monoid *monoid; /* of which it is `load`, or NULL */
} vkr_function;

/* ---- Monoids: functions that share a type of states ---- */

/* The functions other than `load`, each with the weak function of kernels that it replaces. */
enum { VKR_MONOID_COMBINE, VKR_MONOID_IDENTITY, VKR_MONOID_FINISH, VKR_MONOID_FUNCTIONS };

typedef struct vkr_monoid {
    struct vkr_monoid *next;
    vkr_function load;
    uint32_t words; /* of a state */
    uint32_t other_count;
    vkr_link_row others[VKR_MONOID_FUNCTIONS];
    vkr_hook_type result; /* what finish returns; VKR_HOOK_STATE without it */
} vkr_monoid;

/* ---- Modules ---- */

struct VkrModule_T {
    VkrContext context;
    VkDescriptorSetLayout set_layout; /* or VK_NULL_HANDLE */
    char *label;                      /* "" without one */
    vkr_hooks hooks;                  /* of the copy of the code */
    bool has_loops;
    uint32_t function_count;
    vkr_function *functions;
    vkr_monoid *monoids; /* that operations have used; context->lock guards the list */
    void *memory;        /* the copy of the code, and what reading it needs */
};

/* The type of a function's result (0), or of its parameter of this number; void without one. */
vkr_hook_type vkr_type_in(const vkr_hooks *hooks, uint32_t function, uint32_t number);

/* Whether an element, or a result, can have a type, whose numbers have at most `max_bits`. */
bool vkr_is_number(vkr_hook_type type, uint32_t max_bits);

/* The type of the components; UNDEFINED for a bool, and for nothing. */
VkrType vkr_type_of_components(vkr_hook_type type);

/* The kind of hook, other than a load, that can have such a result. */
VkrHookKind vkr_kind_of(vkr_hook_type result);

/* The signature of a hook of this kind that is the most like a function's. */
vkr_signature vkr_signature_like(const vkr_hooks *hooks, uint32_t function, VkrHookKind kind);

/* The signature of a monoid's load that is the most like a function's: with an element, if that has
 * two parameters. */
vkr_signature vkr_signature_of_load(const vkr_hooks *hooks, uint32_t function);

/* Finds the function of a hook. Without one of this kind, returns NULL and writes a sentence of at
 * most VKR_HOOK_SENTENCE bytes. */
const vkr_function *vkr_function_of(const VkrHook *hook, VkrHookKind kind, char *sentence);

#endif
