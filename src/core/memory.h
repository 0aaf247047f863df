/* SPDX-License-Identifier: MIT */
/* Host memory, and types of device memory. */
#ifndef VKR_MEMORY_H
#define VKR_MEMORY_H

#include "base.h"

/* The context's VkAllocationCallbacks, or NULL. */
const VkAllocationCallbacks *vkr_allocator(const struct VkrContext_T *context);

/* Host memory through them: zeroed; NULL when out of memory. vkr_grow keeps the old contents,
 * and the old block where it fails. vkr_free takes NULL. */
void *vkr_alloc(const struct VkrContext_T *context, size_t size);
void *vkr_grow(const struct VkrContext_T *context, void *old, size_t old_size, size_t new_size);
void vkr_free(const struct VkrContext_T *context, void *pointer);

/* The first allowed memory type with all that is needed and wanted, or else with what is needed;
 * fails with a sentence where there is none. */
VkrResult vkr_choose_memory_type(const struct VkrContext_T *context, uint32_t allowed,
                                 VkMemoryPropertyFlags needed, VkMemoryPropertyFlags wanted,
                                 uint32_t *type);

#endif
