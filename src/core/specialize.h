/* SPDX-License-Identifier: MIT */
/* The modules of kernels: unpacked, linked with the function of an application, and reduced to what
 * their specialisation constants need. */
#ifndef VKR_SPECIALIZE_H
#define VKR_SPECIALIZE_H

#include "step.h"

/* What a driver answers to the module of a kernel and to its pipeline. */
typedef struct vkr_answer {
    VkShaderModule module;
    VkResult result;
    const char *call; /* the function of Vulkan that returned it */
} vkr_answer;

/* Creates the module of a variant. Fails only if the driver was not asked; `answer` says what it
 * answered. */
VkrResult vkr_create_kernel(VkrContext context, const vkr_variant *variant, vkr_answer *answer);

#endif
