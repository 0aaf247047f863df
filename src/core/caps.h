/* SPDX-License-Identifier: MIT */
/* What the planners need to know of a device. */
#ifndef VKR_CAPS_H
#define VKR_CAPS_H

#include "device.h"

/* Bytes of a wide load, and of the widest load. Descriptors start at multiples of VKR_MAX_PACK. */
#define VKR_PACK 16u
#define VKR_MAX_PACK 32u

/* Plain data, so that planners run without a device. */
typedef struct vkr_caps {
    VkrFeatureFlags features;
    VkrGroupPath group_path;
    uint32_t subgroup_size; /* as the device reports it */
    /* The subgroup size for which shared memory is sized: at most 4, since some devices run
     * subgroups that are smaller than the size that they report. */
    uint32_t min_subgroup_size;
    uint32_t max_subgroup_size;  /* a workgroup whose size is a multiple of it has full subgroups */
    uint32_t full_subgroup_size; /* min size of a full subgroup; 0: unknown */
    uint32_t sure_subgroup_size; /* size of every full subgroup; 0: unknown */
    VkDeviceSize max_range;
    uint32_t max_groups[3];
    /* Of a draw of mesh tasks: in dimension 0, and of all draws whose rows are that long; 0: there
     * are no mesh tasks. */
    uint32_t max_tasks;
    uint64_t max_all_tasks;
    uint32_t max_workgroup_size; /* a power of two */
    uint32_t multiprocessors;    /* each runs several workgroups at once; 0: unknown */
    uint32_t max_shared_memory;
    uint32_t max_storage_images;  /* of a dispatch */
    uint32_t max_storage_buffers; /* the same, with those of an application's set */
    uint32_t granule;             /* minStorageBufferOffsetAlignment, at least VKR_MAX_PACK */
    uint32_t uniform_granule;     /* minUniformBufferOffsetAlignment, at least VKR_PACK */
    uint32_t spirv_version;       /* the highest one, as in a module's header */
    VkPhysicalDeviceType device_type;
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t driver_build; /* computed from the driver's version and its pipeline cache's UUID */
    bool wide_indices;     /* as VkrTestHooks::wideIndices */
    uint32_t muted_tile;   /* as VkrTestHooks::mutedTile */
    bool large_sorts;      /* as VkrTestHooks::largeSorts */
    bool grid_coordinates; /* as VkrTestHooks::gridCoordinates */
    bool modules_as_built; /* VkrTestHooks::modulesAsBuilt, or a driver that needs it */
    /* Subgroups scan sums and products only, whatever the driver announces: Metal has no other
     * scans, and none by which segments could find their starts. Drivers on top of another API
     * announce VK_KHR_portability_subset. */
    bool scans_add_only;
    /* A second pass over elements starts with the last ones, which the first has read last, so that
     * caches still hold them. CPUs read ahead instead, past the end of a workgroup's share: a scan
     * of 2^22 elements took 1.04 times as long backwards. */
    bool goes_back;
    /* Kernels load packs as words of 64 bits, if there are such kernels: CPU drivers move one word
     * of one invocation at a time, and this halves the number of words. */
    bool u64_packs;
} vkr_caps;

/* The extensions and features that the application says it enabled on its device. The API version
 * is the lower one of the application's and the device's. */
bool vkr_has_extension(const VkrContextInfo *info, const char *name);
VkrFeatureFlags vkr_enabled_features(const VkrContextInfo *info, uint32_t version);

/* The capabilities that the context of `info` may use. */
vkr_caps vkr_derive_caps(const VkrContextInfo *info, const vkr_device_facts *facts);

#endif
