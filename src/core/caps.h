/* SPDX-License-Identifier: MIT */
/* What the planners need to know of a device. */
#ifndef VKR_CAPS_H
#define VKR_CAPS_H

#include "device.h"

/* Bytes of a wide load, and of the widest one. Descriptors start at multiples of VKR_MAX_PACK. */
#define VKR_PACK 16u
#define VKR_MAX_PACK 32u

/* Plain data, so that planners run without a device. */
typedef struct vkr_caps {
    VkrFeatureFlags features;
    VkrGroupPath group_path;
    uint32_t subgroup_size; /* as the device reports it */
    /* What shared memory is sized for: at most 4, since some devices run subgroups that are smaller
     * than the size they report. */
    uint32_t min_subgroup_size;
    uint32_t max_subgroup_size;  /* a workgroup that is a multiple of it has full subgroups */
    uint32_t full_subgroup_size; /* the minimum that every full subgroup has; 0: not known */
    uint32_t sure_subgroup_size; /* the size that every full subgroup has; 0: not known */
    VkDeviceSize max_range;
    uint32_t max_groups[3];
    uint32_t max_workgroup_size; /* a power of two */
    uint32_t max_shared_memory;
    uint32_t max_storage_images; /* of a dispatch */
    uint32_t granule;            /* minStorageBufferOffsetAlignment, at least VKR_MAX_PACK */
    uint32_t uniform_granule;    /* minUniformBufferOffsetAlignment, at least VKR_PACK */
    VkPhysicalDeviceType device_type;
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t driver_build; /* made of the driver's version and its pipeline cache's UUID */
    bool wide_indices;     /* as VkrTestHooks::wideIndices */
    uint32_t muted_tile;   /* as VkrTestHooks::mutedTile */
    bool grid_coordinates; /* as VkrTestHooks::gridCoordinates */
    bool modules_as_built; /* as VkrTestHooks::modulesAsBuilt, or since the driver needs it */
    /* Kernels take packs by words of 64 bits, if there are such kernels: CPU drivers move a word of
     * one invocation at a time, and then have half as many. */
    bool u64_packs;
} vkr_caps;

/* What the application says that it has enabled on its device, the API version being the lower one
 * of its own and the device's. */
bool vkr_has_extension(const VkrContextInfo *info, const char *name);
VkrFeatureFlags vkr_enabled_features(const VkrContextInfo *info, uint32_t version);

/* What the context of `info` may use of its device. */
vkr_caps vkr_derive_caps(const VkrContextInfo *info, const vkr_device_facts *facts);

#endif
