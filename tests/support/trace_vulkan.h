/* SPDX-License-Identifier: MIT */
/* The Vulkan of a trace: the stub's, with the limits of a trace_device, whose objects take memory
 * of the fixture's heap, and whose commands become the fixture's dispatches and fills. */
#ifndef VKR_TESTS_TRACE_VULKAN_H
#define VKR_TESTS_TRACE_VULKAN_H

#include "trace.h"

/* Forgets everything and starts anew. */
void trace_vulkan_start(const trace_device *device);

/* Counts barriers from 0 again. */
void trace_vulkan_clear(void);

#define MAX_OBJECTS 4096u

/* The heap's block for an object; and what objects there are (trace.c). */
void *object_block(const VkAllocationCallbacks *allocator);
void keep_object(const char *type, uint64_t handle, void *block);
void drop_object(const char *type, uint64_t handle, const VkAllocationCallbacks *allocator);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL trace_vulkan_function(VkInstance instance,
                                                               const char *name);

#endif
