/* SPDX-License-Identifier: MIT */
/* Modules of users' functions, and the functions in them that can be hooks. */
#ifndef VKR_FUNCTION_H
#define VKR_FUNCTION_H

#include "../spirv/link.h"
#include "base.h"
#include "vkreduce/module.h"

#define VKR_WEAK_NAME 24u /* bytes */

/* A function that takes the index of an element. */
typedef struct vkr_function {
    VkrModule module;
    VkrHookInfo info;
    vkr_hook hook;
    char weak[VKR_WEAK_NAME];        /* the weak function of the kernel that it replaces */
    const struct vkr_monoid *monoid; /* of which it is `load` (monoid.h), or NULL */
} vkr_function;

struct VkrModule_T {
    VkrContext context;
    VkDescriptorSetLayout set_layout; /* or VK_NULL_HANDLE */
    char *label;                      /* "" without one */
    vkr_hooks hooks;                  /* of the copy of the code */
    uint32_t function_count;
    vkr_function *functions;
    struct vkr_monoid *monoids; /* that operations have used; context->lock guards the list */
    void *memory; /* the copy of the code, and what reading it needs */
};

/* The type of what a function returns. */
vkr_hook_type vkr_type_of_result(const vkr_hooks *hooks, uint32_t function);

/* Names the weak function for results of a type: vkr_hook_finish_uvec2, where `start` is
 * "vkr_hook_finish_". Returns false if
 * there are none. */
bool vkr_name_weak(vkr_hook_type type, const char *start, char weak[VKR_WEAK_NAME]);

/* The type of the components of a result, or UNDEFINED. */
VkrType vkr_type_of_kind(vkr_hook_kind kind);

/* Finds the function of a hook. Without one that can be a hook, returns NULL and writes a sentence
 * of at most VKR_HOOK_SENTENCE bytes; `wants_bool` says whether a predicate is wanted. */
const vkr_function *vkr_function_of(const VkrHook *hook, bool wants_bool, char *sentence);

#endif
