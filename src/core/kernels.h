/* SPDX-License-Identifier: MIT */
/* The embedded SPIR-V modules. */
#ifndef VKR_KERNELS_H
#define VKR_KERNELS_H

#include "base.h"

/* An embedded SPIR-V module (generated, shaders.c). */
typedef struct vkr_kernel {
    const char *name; /* such as "reduce_w32_i_arithmetic" */
    const uint32_t *code;
    size_t size; /* bytes */
} vkr_kernel;
extern const vkr_kernel vkr_kernels[];
extern const uint32_t vkr_kernel_count;

#endif
