/* SPDX-License-Identifier: MIT */
/* What follows from constants: values of 32-bit integers and booleans of a SPIR-V module. */
#ifndef VKR_SPIRV_FOLD_H
#define VKR_SPIRV_FOLD_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of an id. */
typedef struct vkr_value {
    uint32_t value; /* of a specialisation constant that is still to come: its number */
    bool known;
    bool folds;  /* a type, of values that can be known */
    bool chosen; /* a constant that can be specialised */
} vkr_value;

/* Takes note of an instruction outside functions: a type, or a constant, given the values of
 * specialisation constants 0 to count - 1; others have the module's own. */
void vkr_fold_global(vkr_value *values, const uint32_t *instruction, const uint32_t *constants,
                     uint32_t count);

/* Takes note of the result of an instruction, where it follows from what is known. */
void vkr_fold(vkr_value *values, const uint32_t *instruction);

#endif
