/* SPDX-License-Identifier: MIT */
/* Modules of functions, and the descriptor set of two buffers that they read. */
#ifndef VKR_TESTS_HOOKS_SET_H
#define VKR_TESTS_HOOKS_SET_H

#include "harness.h"

typedef struct hooks_set {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} hooks_set;

bool hooks_open_set(const harness *h, const harness_buffer *first, const harness_buffer *second,
                    hooks_set *set);
void hooks_close_set(const harness *h, hooks_set *set);

/* Creates a module of folder/name.spv, or fails the test. */
VkrModule hooks_open_module(harness *h, VkrContext context, const char *folder, const char *name,
                            VkDescriptorSetLayout layout);

#endif
