/* SPDX-License-Identifier: MIT */
/* Modules of functions, and descriptor sets for them. */
#ifndef VKR_TESTS_HOOKS_SET_H
#define VKR_TESTS_HOOKS_SET_H

#include "reduce_case.h"

/* Reads FOLDER/NAME.spv. Returns its words, which are to be freed, or NULL. */
uint32_t *hooks_read_code(const char *folder, const char *name, size_t *size);

/* A set of storage buffers, at most 4, at bindings 0, 1, .. */
typedef struct hooks_set {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} hooks_set;

bool hooks_open_set(const harness *h, const VkBuffer *buffers, uint32_t count, hooks_set *s);
void hooks_close_set(const harness *h, hooks_set *s);

/* Creates a module of FOLDER/NAME.spv, or fails the test. */
VkrModule hooks_open_module(harness *h, VkrContext context, const char *folder, const char *name,
                            VkDescriptorSetLayout layout);

#endif
