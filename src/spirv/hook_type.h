/* SPDX-License-Identifier: MIT */
/* The types of hooks and their texts, for hooks.c. */
#ifndef VKR_SPIRV_HOOK_TYPE_H
#define VKR_SPIRV_HOOK_TYPE_H

#include "hooks.h"
#include "sentence.h"

/* What a parameter's type stands for: the type itself, or what a pointer to Function storage points
 * to. */
uint32_t vkr_value_type(const vkr_hooks *hooks, uint32_t type);

/* Whether a function has this signature. Sets the type of its state, or 0. */
bool vkr_has_signature(const vkr_hooks *hooks, uint32_t function, const vkr_signature *signature,
                       uint32_t *state);

/* Writes why a function lacks a signature: "keep must be bool keep(uint), but it returns a float".
 */
void vkr_say_signature(vkr_sentence *sentence, const vkr_hooks *hooks,
                       const vkr_hook_function *function, const vkr_signature *signature);

#endif
