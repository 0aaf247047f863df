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

/* The number of objects that live. */
uint32_t trace_vulkan_objects(void);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL trace_vulkan_function(VkInstance instance,
                                                               const char *name);

#endif
