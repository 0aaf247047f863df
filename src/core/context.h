/* SPDX-License-Identifier: MIT */
/* A context from inside. */
#ifndef VKR_CONTEXT_H
#define VKR_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "caps.h"
#include "commands.h"

/* VK_EXT_debug_utils, whose commands are asked of the instance; set where debug_utils is. */
typedef struct vkr_debug {
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label;
} vkr_debug;

/* A row per operation, without and with texels, and value size of 1, 2, 4 and 8 bytes. */
#define VKR_VALUE_SIZES 4u
typedef VkrTuning vkr_tunings[VKR_OPERATION_COUNT][2 * VKR_VALUE_SIZES];

#define VKR_PIPELINE_LISTS 1024u

struct vkr_pipeline; /* pipeline.c: one compiled variant, in a list under the context's lock */

/* What a call had to leave behind because the device may still use it. It is destroyed with the
 * context. */
typedef struct vkr_leftover {
    void (*destroy)(VkrContext context, void *data); /* NULL: there is nothing */
    void *data;
} vkr_leftover;

struct VkrContext_T {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    void *loader; /* of dlopen, or NULL */
    vkr_commands vk;
    bool debug_utils;
    vkr_debug debug;
    VkPipelineCache pipeline_cache;
    bool has_allocator;
    VkAllocationCallbacks allocator;
    PFN_vkrMessage message;
    void *message_data;
    VkrForwardProgress forward_progress;
    atomic_bool lost; /* a Vulkan call found the device lost; never cleared */
    vkr_caps caps;
    vkr_tunings tunings;
    VkPhysicalDeviceMemoryProperties memory;
    VkDescriptorSetLayout set_layout; /* storage buffers, and texels behind them; compute stage */
    VkPipelineLayout pipeline_layout; /* that set, and VKR_MAX_PUSH bytes of push constants */
    pthread_mutex_t lock;             /* guards pipelines */
    struct vkr_pipeline *pipelines[VKR_PIPELINE_LISTS]; /* by a hash of their variants */
    vkr_leftover leftover;
};

#endif
