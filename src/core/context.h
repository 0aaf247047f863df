/* SPDX-License-Identifier: MIT */
/* A context from inside, and what planners need to know of its device. */
#ifndef VKR_CONTEXT_H
#define VKR_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "base.h"
#include "commands.h"

/* Bytes of a load in packs, and of the widest one: a descriptor's start is a multiple of it. */
#define VKR_PACK 16u
#define VKR_MAX_PACK 32u

/* What the planners need to know of a device: plain data, so that they run without one. */
typedef struct vkr_caps {
    VkrFeatureFlags features;
    VkrRung rung;
    uint32_t subgroup_size; /* as reported */
    uint32_t
        min_subgroup_size; /* for sizing shared memory; never above 4, since reports are wrong */
    uint32_t max_subgroup_size;  /* for full subgroups */
    uint32_t sure_subgroup_size; /* of a workgroup that is one full subgroup; 0: not known */
    VkDeviceSize max_range;
    uint32_t max_groups[3];
    uint32_t max_workgroup_size; /* power of two */
    uint32_t max_shared_memory;
    uint32_t granule; /* minStorageBufferOffsetAlignment, at least VKR_MAX_PACK */
    VkPhysicalDeviceType device_type;
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t driver_build; /* its version, and its pipeline cache's UUID */
    bool wide_indices;     /* whatever the count */
    uint32_t muted_tile;   /* as VkrLimits::mutedTile */
} vkr_caps;

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

struct vkr_pipeline;  /* pipeline.c: one compiled variant, in a list under the context's lock */
struct vkr_self_test; /* selftest.c: what vkrSelfTest uses */

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
    struct vkr_self_test *self_test; /* one that did not end: the device may still use it */
};

#endif
