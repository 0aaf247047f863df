/* SPDX-License-Identifier: MIT */
/* Constant folding of the 32-bit integers and booleans of a SPIR-V module. */
#ifndef VKR_SPIRV_FOLD_H
#define VKR_SPIRV_FOLD_H

#include <stdbool.h>
#include <stdint.h>

/* The known properties of an id. */
typedef struct vkr_value {
    uint32_t value; /* before the definition of a specialisation constant: its constant id */
    bool known;
    bool folds;  /* a type whose values can be folded */
    bool chosen; /* a specialisation constant */
} vkr_value;

/* Records an instruction outside functions: a type or a constant. Specialisation constants 0 to
 * count - 1 have the given values, all others the default values of the module. */
void vkr_fold_global(vkr_value *values, const uint32_t *instruction, const uint32_t *constants,
                     uint32_t count);

/* Records the result of an instruction if it follows from known values. */
void vkr_fold(vkr_value *values, const uint32_t *instruction);

#endif
