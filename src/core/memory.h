/* SPDX-License-Identifier: MIT */
/* Host memory, and types of device memory. */
#ifndef VKR_MEMORY_H
#define VKR_MEMORY_H

#include "base.h"

/* The context's VkAllocationCallbacks, or NULL. */
const VkAllocationCallbacks *vkr_allocator(const struct VkrContext_T *context);

/* Host memory from these callbacks. New bytes are zeros. NULL means out of memory: then vkr_grow
 * keeps the old block. vkr_free ignores NULL. */
void *vkr_alloc(const struct VkrContext_T *context, size_t size);
void *vkr_grow(const struct VkrContext_T *context, void *old, size_t old_size, size_t new_size);
void vkr_free(const struct VkrContext_T *context, void *pointer);

/* Finds the first allowed memory type with all needed and all wanted properties, or else the first
 * one with all needed properties. Fails with a message if there is none. */
VkrResult vkr_choose_memory_type(const struct VkrContext_T *context, uint32_t allowed,
                                 VkMemoryPropertyFlags needed, VkMemoryPropertyFlags wanted,
                                 uint32_t *type);

#endif
