/* SPDX-License-Identifier: MIT */
/* Finds what hooks may not use, for hooks.c. */
#ifndef VKR_SPIRV_HOOK_CHECK_H
#define VKR_SPIRV_HOOK_CHECK_H

#include "hooks.h"

/* Flags of an id. */
enum {
    VKR_HOOK_IN_SET = 1 << 0,       /* a variable in the descriptor set VKR_HOOK_SET */
    VKR_HOOK_IN_OTHER_SET = 1 << 1, /* a variable in any other set */
    VKR_HOOK_BUILT_IN = 1 << 2,
    VKR_HOOK_BY_ID = 1 << 3,   /* decorated by another id, which is not supported */
    VKR_HOOK_ENTRY = 1 << 4,   /* a function: an entry point's */
    VKR_HOOK_STORED = 1 << 5,  /* a Private variable: functions store it, and entry points do not */
    VKR_HOOK_FOLLOWS = 1 << 6, /* a function: its calls are being followed */
    VKR_HOOK_LISTED = 1 << 7   /* a function: it is in the list of functions */
};

/* Sets the members `wrong` and `calls` of all ids. The module has been read, and nothing else is
 * known of its ids. */
void vkr_mark_hooks(vkr_hooks *hooks);

/* Whether hooks may have an instruction of this opcode. */
bool vkr_is_hook_opcode(uint32_t opcode);

/* Whether linking leaves an instruction of a function out, since it has no effect on results. */
bool vkr_is_left_out(const vkr_module *module, const uint32_t *instruction);

/* Whether linking leaves an extension out, since it leaves out all that needs it. */
bool vkr_is_idle_extension(const char *name);

/* The index of the OpFunction to which an instruction belongs. */
uint32_t vkr_function_at(const vkr_hooks *hooks, uint32_t at);

/* The first operand of an instruction of a function that a hook may not use: a global that is
 * marked, or an id that is not defined before. Returns 0 if there is none. */
uint32_t vkr_wrong_operand(const vkr_hooks *hooks, uint32_t at);

/* Whether the arguments of an OpFunctionCall suit the function's type. */
bool vkr_suits_call(const vkr_module *module, const uint32_t *call);

#endif
