/* SPDX-License-Identifier: MIT */
/* The capabilities of a device that the library may use: those that the caller enabled and
 * allows. */
#include "caps.h"

#include <string.h>

#include "features.h"
#include "vkreduce/testing.h"

#define MAX_WORKGROUP 1024u
#define MIN_SUBGROUP 4u

/* ---- What is enabled ---- */

bool vkr_has_extension(const VkrContextInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (strcmp(info->enabledExtensions[i], name) == 0)
            return true;
    }
    return false;
}

VkrFeatureFlags vkr_enabled_features(const VkrContextInfo *info, uint32_t version)
{
    /* Push descriptors are the only feature without a structure in the chain. */
    VkrFeatureFlags features = VKR_FEATURE_PUSH_DESCRIPTOR;
    features |= vkr_read_features(info->enabledFeatureChain, info->enabledFeatures);
    for (uint32_t bit = 0; bit < VKR_FEATURE_BITS; bit++) {
        const char *extension = vkr_feature_extension((VkrFeature)(1u << bit), version);
        if (extension && !vkr_has_extension(info, extension))
            features &= ~(1u << bit);
    }
    return features;
}

static VkrFeatureFlags used_features(const VkrContextInfo *info, uint32_t version)
{
    VkrFeatureFlags features = vkr_enabled_features(info, version);
    features &= ~info->limits.disabledFeatures;
    if (!(features & VKR_FEATURE_INT64))
        features &= ~(VkrFeatureFlags)VKR_FEATURE_FLOAT64;
    return features;
}

/* ---- What the planners need to know ---- */

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t largest_workgroup(const VkPhysicalDeviceLimits *device)
{
    uint32_t most =
        smaller(device->maxComputeWorkGroupInvocations, device->maxComputeWorkGroupSize[0]);
    uint32_t size = MAX_WORKGROUP;
    while (size > 1 && size > most)
        size /= 2;
    return size;
}

/* A draw whose last row is not full has all of that row, so the rows must fit as a rectangle. */
static void limit_tasks(const VkrLimits *limits, vkr_caps *caps)
{
    const uint32_t *most = limits->maxTaskWorkGroupCount;
    const uint32_t total = limits->maxTaskWorkGroupTotalCount;
    caps->max_tasks = smaller(most[0], total);
    if (caps->max_tasks)
        caps->max_all_tasks = (uint64_t)caps->max_tasks * smaller(most[1], total / caps->max_tasks);
}

/* The SPIR-V that a version of Vulkan supports without extensions. */
static uint32_t spirv_version(uint32_t version)
{
    return version >= VK_API_VERSION_1_3   ? 0x10600
           : version >= VK_API_VERSION_1_2 ? 0x10500
                                           : 0x10300;
}

/* Some drivers report the same version in all their builds; the UUID of their pipeline cache tells
 * the builds apart. */
static uint32_t driver_build(const VkPhysicalDeviceProperties *properties)
{
    uint32_t build = properties->driverVersion;
    for (size_t i = 0; i < VK_UUID_SIZE; i += sizeof build) {
        uint32_t word;
        memcpy(&word, properties->pipelineCacheUUID + i, sizeof word);
        build ^= word;
    }
    return build;
}

/* Whether this processor, on which CPU drivers run shaders, has registers of 64 bytes. To extract
 * one lane's 64-bit word from such a register, drivers store the whole register and load the word
 * again. That is so slow that halving the number of words does not pay off. */
static bool has_wide_registers(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx512f") != 0;
#else
    return false;
#endif
}

/* Workarounds for faulty drivers, by vendor. */
static const struct quirk {
    uint32_t vendor_id;
    bool modules_as_built;
} quirks[] = {
    {0x10000, true}, /* Khronos' own number, which no device has: for the tests of this table */
};

static struct quirk quirk_of(uint32_t vendor_id)
{
    for (size_t i = 0; i < sizeof quirks / sizeof quirks[0]; i++)
        if (quirks[i].vendor_id == vendor_id)
            return quirks[i];
    return (struct quirk){.vendor_id = vendor_id};
}

vkr_caps vkr_derive_caps(const VkrContextInfo *info, const vkr_device_facts *facts)
{
    const VkPhysicalDeviceLimits *device = &facts->properties.limits;
    const VkrLimits *limits = &info->limits;
    const VkrTestHooks hooks = info->testHooks ? *info->testHooks : (VkrTestHooks){0};
    vkr_caps caps = {
        .features = used_features(info, facts->version),
        .spirv_version = spirv_version(facts->version),
        .group_path = limits->groupPath ? limits->groupPath : facts->group_path,
        .subgroup_size = facts->subgroup_size,
        .min_subgroup_size = smaller(MIN_SUBGROUP, facts->min_subgroup_size),
        .max_subgroup_size = facts->max_subgroup_size,
        .max_groups = {device->maxComputeWorkGroupCount[0], device->maxComputeWorkGroupCount[1],
                       device->maxComputeWorkGroupCount[2]},
        .max_workgroup_size = largest_workgroup(device),
        .multiprocessors = facts->multiprocessors,
        .max_shared_memory = device->maxComputeSharedMemorySize,
        .max_storage_images = smaller(device->maxPerStageDescriptorStorageImages,
                                      device->maxDescriptorSetStorageImages),
        .max_storage_buffers = smaller(device->maxPerStageDescriptorStorageBuffers,
                                       device->maxDescriptorSetStorageBuffers),
        .granule = (uint32_t)device->minStorageBufferOffsetAlignment,
        .uniform_granule = (uint32_t)device->minUniformBufferOffsetAlignment,
        .device_type = facts->properties.deviceType,
        .vendor_id = facts->properties.vendorID,
        .device_id = facts->properties.deviceID,
        .driver_build = driver_build(&facts->properties),
        .wide_indices = hooks.wideIndices,
        .muted_tile = hooks.mutedTile,
        .large_sorts = hooks.largeSorts,
        .grid_coordinates = hooks.gridCoordinates,
        .scans_add_only = facts->portability_subset,
        .modules_as_built =
            hooks.modulesAsBuilt || quirk_of(facts->properties.vendorID).modules_as_built,
    };
    caps.u64_packs = caps.device_type == VK_PHYSICAL_DEVICE_TYPE_CPU &&
                     (caps.features & VKR_FEATURE_INT64) != 0 && hooks.packBits != 32 &&
                     (hooks.packBits == 64 || !has_wide_registers());
    caps.goes_back = caps.device_type != VK_PHYSICAL_DEVICE_TYPE_CPU || hooks.goesBack;
    /* If pipelines can require full subgroups, the subgroup size is known where it cannot vary. */
    if (caps.features & VKR_FEATURE_SUBGROUP_SIZE_CONTROL)
        caps.full_subgroup_size = facts->min_subgroup_size;
    if (caps.full_subgroup_size == facts->max_subgroup_size)
        caps.sure_subgroup_size = facts->max_subgroup_size;
    if (!caps.min_subgroup_size)
        caps.min_subgroup_size = 1;
    if (caps.granule < VKR_MAX_PACK)
        caps.granule = VKR_MAX_PACK;
    if (caps.uniform_granule < VKR_PACK)
        caps.uniform_granule = VKR_PACK;
    if (hooks.storageImages)
        caps.max_storage_images = hooks.storageImages;
    if (limits->maxComputeWorkGroupCount)
        caps.max_groups[0] = limits->maxComputeWorkGroupCount;
    limit_tasks(limits, &caps);
    VkDeviceSize range = limits->maxStorageBufferRange ? limits->maxStorageBufferRange
                                                       : device->maxStorageBufferRange;
    caps.max_range = range / caps.granule * caps.granule;
    return caps;
}
