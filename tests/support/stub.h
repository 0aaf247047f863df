/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan implementation without a device, reached through vkGetInstanceProcAddr. It creates
 * handles without objects, counts calls, fails on request, and writes every command as a line of
 * text.
 *
 * In the text, letters name buffers: a handle below 128 is printed as that character
 * ((VkBuffer)(uintptr_t)'A' is the test's own), and buffers created through the stub are a, b, c,
 * ... Descriptor sets and pipelines are numbered from 1 in the order of their creation.
 */
#ifndef VKR_TESTS_STUB_H
#define VKR_TESTS_STUB_H

#include <stdbool.h>
#include <stdint.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

typedef struct stub_options {
    bool push_descriptors;
    uint32_t granule;     /* minStorageBufferOffsetAlignment */
    uint32_t group_limit; /* maxComputeWorkGroupCount, all dimensions */
    bool brief;           /* only barriers, fills and dispatches become text */
    bool host_visible;    /* the host can map memory of the device */
} stub_options;

/* Resets all state of the stub. */
void stub_start(const stub_options *options);

/* The commands since the last stub_clear, one per line. */
const char *stub_text(void);
void stub_clear(void);

/* The number of calls of one function, such as "vkCreateBuffer", since stub_start. */
uint32_t stub_calls(const char *function);
/* The number of calls of all functions that create, allocate or bind something; and the number of
 * live objects. */
uint32_t stub_creations(void);
uint32_t stub_objects(void);

/* The flags of the last pipeline's stage. */
VkPipelineShaderStageCreateFlags stub_stage_flags(void);

/* The memory type of the last allocation. Type 1 is the device-local one. */
uint32_t stub_memory_type(void);

/* Sets the memory types allowed for all later buffers: bits of types 0 and 1. */
void stub_allow_memory_types(uint32_t bits);

/* The host's writes to a buffer, or NULL if it is not mapped. */
const void *stub_data(VkBuffer buffer);
#define STUB_UNIFORM_GRANULE 64u /* minUniformBufferOffsetAlignment */

/* Makes the nth creation from now (0 is the next one) return `result` and create nothing. */
void stub_fail(uint32_t nth, VkResult result);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL stub_get_instance_proc_addr(VkInstance instance,
                                                                     const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL stub_get_device_proc_addr(VkDevice device,
                                                                   const char *name);

#endif
