/* SPDX-License-Identifier: MIT */
/* Says why a module or a function cannot be used, for hooks.c. */
#ifndef VKR_SPIRV_HOOK_SAY_H
#define VKR_SPIRV_HOOK_SAY_H

#include "hooks.h"
#include "sentence.h"

/* Writes what is wrong with a module that vkr_read_module has refused. */
void vkr_say_unread(vkr_sentence *sentence, const vkr_module *module);

/* Writes what a function or one that it calls has but must not have. There is such a thing. */
void vkr_say_wrong(vkr_sentence *sentence, const vkr_hooks *hooks,
                   const vkr_hook_function *function);

#endif
