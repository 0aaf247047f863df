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
    const char *weak; /* the weak function of call.comp that it replaces */
} vkr_function;

struct VkrModule_T {
    VkrContext context;
    VkDescriptorSetLayout set_layout; /* or VK_NULL_HANDLE */
    char *label;                      /* "" without one */
    vkr_hooks hooks;                  /* of the copy of the code */
    uint32_t function_count;
    vkr_function *functions;
    void *memory; /* the copy of the code, and what reading it needs */
};

/* Finds the function of a hook. Without one of this kind, returns NULL and writes a sentence of at
 * most VKR_HOOK_SENTENCE bytes. */
const vkr_function *vkr_function_of(const VkrHook *hook, VkrHookKind kind, char *sentence);

#endif
