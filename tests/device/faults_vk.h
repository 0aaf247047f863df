/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan layer between the library and a driver. It passes calls on, counts calls, commands and
 * live objects, and fails on request. A failed call, unless it waits, does not reach the driver,
 * and returns garbage where the specification leaves outputs undefined. An error of the library (an
 * object destroyed twice, or without the context's callbacks) is described in `trouble`.
 *
 * Pipelines live as long as the program, and a context that creates one again gets the same one. So
 * drivers that compile at the first dispatch compile once, and thousands of contexts are
 * affordable.
 */
#ifndef VKR_TESTS_FAULTS_VK_H
#define VKR_TESTS_FAULTS_VK_H

#include <stdbool.h>
#include <stdint.h>
#include "harness.h"

/* Every function with a VkResult that the library calls (tests/unit/faults.py checks that none is
 * missing), whether the library continues after its failure, and its codes other than VK_SUCCESS in
 * the registry. */
#define FAULTS_ENTRIES(X)                                                                          \
    X(vkEnumerateDeviceExtensionProperties, false, VK_INCOMPLETE, VK_ERROR_OUT_OF_HOST_MEMORY,     \
      VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_LAYER_NOT_PRESENT)                                   \
    X(vkCreateDescriptorSetLayout, false, VK_ERROR_OUT_OF_HOST_MEMORY,                             \
      VK_ERROR_OUT_OF_DEVICE_MEMORY)                                                               \
    X(vkCreatePipelineLayout, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY)   \
    X(vkCreateShaderModule, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,     \
      VK_ERROR_INVALID_SHADER_NV)                                                                  \
    X(vkCreateComputePipelines, false, VK_PIPELINE_COMPILE_REQUIRED, VK_ERROR_OUT_OF_HOST_MEMORY,  \
      VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_INVALID_SHADER_NV)                                   \
    X(vkCreateBuffer, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,           \
      VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)                                                     \
    X(vkAllocateMemory, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,         \
      VK_ERROR_INVALID_EXTERNAL_HANDLE, VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)                   \
    X(vkBindBufferMemory, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,       \
      VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)                                                     \
    X(vkCreateDescriptorPool, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,   \
      VK_ERROR_FRAGMENTATION)                                                                      \
    X(vkAllocateDescriptorSets, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, \
      VK_ERROR_FRAGMENTED_POOL, VK_ERROR_OUT_OF_POOL_MEMORY)                                       \
    X(vkMapMemory, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,              \
      VK_ERROR_MEMORY_MAP_FAILED)                                                                  \
    X(vkCreateBufferView, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY)       \
    X(vkCreateCommandPool, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY)      \
    X(vkAllocateCommandBuffers, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY) \
    X(vkCreateFence, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY)            \
    X(vkResetCommandPool, false, VK_ERROR_OUT_OF_DEVICE_MEMORY)                                    \
    X(vkBeginCommandBuffer, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY)     \
    X(vkEndCommandBuffer, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY)       \
    X(vkResetFences, false, VK_ERROR_OUT_OF_DEVICE_MEMORY)                                         \
    X(vkQueueSubmit, false, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,            \
      VK_ERROR_DEVICE_LOST)                                                                        \
    X(vkWaitForFences, false, VK_TIMEOUT, VK_ERROR_OUT_OF_HOST_MEMORY,                             \
      VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST)                                         \
    X(vkSetDebugUtilsObjectNameEXT, true, VK_ERROR_OUT_OF_HOST_MEMORY,                             \
      VK_ERROR_OUT_OF_DEVICE_MEMORY)

#define FAULTS_ENUM(function, ...) ENTRY_##function,
enum faults_entry_index { FAULTS_ENTRIES(FAULTS_ENUM) FAULTS_ENTRY_COUNT };

typedef struct faults_entry {
    const char *name;
    bool courtesy;
    VkResult documented[6]; /* ends with the first VK_SUCCESS */
} faults_entry;
extern const faults_entry faults_entries[FAULTS_ENTRY_COUNT];

/* The fault in one life of a context. */
typedef struct faults_plan {
    uint32_t entry; /* FAULTS_ENTRY_COUNT: none */
    uint32_t nth;   /* the first call of the entry that fails, counted from 0 */
    bool forever;   /* so do all later ones */
    VkResult result;
    uint32_t allocation; /* the host allocation that fails, counted from 0; UINT32_MAX: none */
} faults_plan;
#define FAULTS_NONE ((faults_plan){.entry = FAULTS_ENTRY_COUNT, .allocation = UINT32_MAX})

typedef struct faults_state {
    faults_plan plan;
    bool heap;      /* the context uses faults_heap */
    uint32_t group; /* contexts of one group share pipelines: their layouts must be equal */

    uint32_t calls[FAULTS_ENTRY_COUNT];
    uint32_t all_calls;
    uint32_t fired;
    uint32_t commands; /* vkCmd* */
    uint32_t objects;  /* live objects */
    uint32_t allocations;
    int64_t blocks;          /* live blocks of the heap */
    const char *driver_call; /* the call during which the plan's allocation failed, or NULL */
    VkResult driver_result;  /* of that call */
    char trouble[256];       /* the first error, or "" */
} faults_state;
extern faults_state faults;

/* The name in vulkan.h of a code that a plan can have. */
const char *faults_result_name(VkResult result);

/* Begins a life: all counts are 0, except those of live objects. */
void faults_start(const harness *h, const faults_plan *plan);

/* Destroys the pipelines. */
void faults_close(void);

void faults_trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For VkrContextInfo and vkrGetDeviceRequirements. Every instance has VK_EXT_debug_utils. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faults_get_instance_proc_addr(VkInstance instance,
                                                                       const char *name);
extern const VkAllocationCallbacks faults_heap;

#endif
