/* SPDX-License-Identifier: MIT */
/* The internals of a context. */
#ifndef VKR_CONTEXT_H
#define VKR_CONTEXT_H

#include <stdatomic.h>

#include "caps.h"
#include "commands.h"
#include "system.h"

/* The commands of VK_EXT_debug_utils, which belong to the instance. They are set if debug_utils
 * is. */
typedef struct vkr_debug {
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label;
} vkr_debug;

/* Each operation has a row for each value size of 1, 2, 4 and 8 bytes: first those for views
 * without texels, then those for views with texels (vkr_tuning_index). */
#define VKR_VALUE_SIZES 4u
typedef VkrTuning vkr_tunings[VKR_OPERATION_COUNT][2 * VKR_VALUE_SIZES];
typedef uint32_t vkr_policies[VKR_POLICY_COUNT][VKR_MAX_POLICY_FIELDS];

#define VKR_PIPELINE_LISTS 1024u

struct vkr_pipeline; /* one compiled variant of a kernel (pipeline.c) */
struct vkr_layout;   /* layout.h */

/* Objects that a call could not destroy because the device may still use them. They are destroyed
 * with the context. */
typedef struct vkr_leftover {
    void (*destroy)(VkrContext context, void *data); /* NULL: no objects */
    void *data;
} vkr_leftover;

struct VkrContext_T {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    void *loader; /* of vkr_open_loader, or NULL */
    vkr_commands vk;
    bool debug_utils;
    vkr_debug debug;
    VkPipelineCache pipeline_cache;
    bool has_allocator;
    VkAllocationCallbacks allocator;
    PFN_vkrMessage message;
    void *message_data;
    VkrForwardProgress forward_progress;
    atomic_bool lost;         /* a Vulkan call has returned VK_ERROR_DEVICE_LOST; never cleared */
    atomic_bool noted_count;  /* vkr_note_count has noted a count of 0 */
    atomic_uint noted_unused; /* what vkr_note_unused has noted, as bits */
    atomic_bool
        noted_fallback;  /* a kernel stands in for one that the driver refused (pipeline.c) */
    atomic_uint refused; /* 1 + the last kernel that the driver refused and none replaced, or 0 */
    vkr_caps caps;
    vkr_tunings tunings;
    vkr_policies policies;
    VkPhysicalDeviceMemoryProperties memory;
    vkr_lock lock;                                      /* guards `layouts` and `pipelines` */
    struct vkr_layout *layouts;                         /* the newest one comes first */
    struct vkr_pipeline *pipelines[VKR_PIPELINE_LISTS]; /* lists by a hash of the variants */
    vkr_leftover leftover;
};

#endif
