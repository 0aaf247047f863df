/* SPDX-License-Identifier: MIT */
/* The Vulkan of a trace: the stub with the limits of a trace_device. Its objects occupy memory of
 * the fixture's heap, and its commands become the fixture's dispatches and fills. */
#ifndef VKR_TESTS_TRACE_VULKAN_H
#define VKR_TESTS_TRACE_VULKAN_H

#include "trace.h"

/* Resets all state. */
void trace_vulkan_start(const trace_device *device);

/* Restarts the count of barriers at 0. */
void trace_vulkan_clear(void);

#define MAX_OBJECTS 4096u

/* object_block allocates an object's block from the heap; the others add an object to the live
 * ones, and remove and free it (trace.c). */
void *object_block(const VkAllocationCallbacks *allocator);
void keep_object(const char *type, uint64_t handle, void *block);
void drop_object(const char *type, uint64_t handle, const VkAllocationCallbacks *allocator);

#define OR(value, fallback) ((value) ? (value) : (fallback))

/* Replaces the stub's limits by the device's (trace.c). */
void set_limits(const trace_device *device, VkPhysicalDeviceProperties *properties);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL trace_vulkan_function(VkInstance instance,
                                                               const char *name);

#endif
