/* SPDX-License-Identifier: MIT */
/* What the planners need to know of a device. */
#ifndef VKR_CAPS_H
#define VKR_CAPS_H

#include "device.h"

/* Bytes of a load in packs, and of the widest one: a descriptor's start is a multiple of it. */
#define VKR_PACK 16u
#define VKR_MAX_PACK 32u

/* Plain data, so that planners run without a device. */
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

/* What the context of `info` may use of its device. */
vkr_caps vkr_derive_caps(const VkrContextInfo *info, const vkr_device_facts *facts);

#endif
