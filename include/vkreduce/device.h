/* SPDX-License-Identifier: MIT */
/* vkreduce/device.h: what a device must have; and the context, which stands for one VkDevice. */
#ifndef VKREDUCE_DEVICE_H
#define VKREDUCE_DEVICE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What the library uses of a device ---- */

/* The features that the library can use. */
typedef enum VkrFeature {
    VKR_FEATURE_PUSH_DESCRIPTOR = 1 << 0,
    VKR_FEATURE_SUBGROUP_SIZE_CONTROL = 1 << 1, /* pipelines know their true subgroup size */
    VKR_FEATURE_STORAGE_8BIT = 1 << 2,          /* i8, u8 */
    VKR_FEATURE_STORAGE_16BIT = 1 << 3,         /* i16, u16, f16, bf16 */
    /* Integers in sorts, merges, selections and bounds do not need the first, except for maps. */
    VKR_FEATURE_INT64 = 1 << 4,   /* i64, u64 */
    VKR_FEATURE_FLOAT64 = 1 << 5, /* f64, together with INT64 */
    /* WRITE_WITHOUT_FORMAT allows levels of pyramids of any format. Without it, EXTENDED_FORMATS
     * allows formats beyond those that every device can write. */
    VKR_FEATURE_WRITE_WITHOUT_FORMAT = 1 << 6,
    VKR_FEATURE_EXTENDED_FORMATS = 1 << 7,
    VKR_FEATURE_MAX_ENUM = 0x7fffffff
} VkrFeature;
#define VKR_FEATURE_BITS 8u
typedef uint32_t VkrFeatureFlags;

/* The group path: how the invocations of a workgroup exchange values, from best to worst. A context
 * uses the best path that its device has. */
typedef enum VkrGroupPath {
    VKR_GROUP_PATH_AUTO = 0,
    VKR_GROUP_PATH_ARITHMETIC = 1, /* subgroup arithmetic and shuffle */
    VKR_GROUP_PATH_SHUFFLE = 2,    /* subgroup shuffle */
    VKR_GROUP_PATH_SHARED = 3,     /* shared memory */
    VKR_GROUP_PATH_COUNT = 4,
    VKR_GROUP_PATH_MAX_ENUM = 0x7fffffff
} VkrGroupPath;

/*
 * Whether a waiting workgroup may rely on the others to advance. Correct results never depend on
 * it: a workgroup waits for a bounded time and then does the others' work itself. This setting says
 * whether waiting pays off.
 */
typedef enum VkrForwardProgress {
    VKR_FORWARD_PROGRESS_AUTO = 0, /* the single-pass algorithms can be asked for; AUTO algorithms
                                    * choose them where the tuning says that they are faster */
    VKR_FORWARD_PROGRESS_NONE = 1, /* asking for one is an error, and AUTO algorithms never choose
                                    * one */
    VKR_FORWARD_PROGRESS_OCCUPANCY = 2, /* a workgroup that has started keeps running: AUTO
                                         * algorithms choose them wherever they are possible */
    VKR_FORWARD_PROGRESS_MAX_ENUM = 0x7fffffff
} VkrForwardProgress;

/* ---- Requirements ---- */

typedef struct VkrRequirement {
    VkrFeature feature; /* 0 for a requirement that no VkrFeature stands for */
    const char *name;   /* the Vulkan feature, limit or extension */
    VkBool32 available;
    VkBool32 required;   /* without it vkrCreateContext fails */
    const char *without; /* one sentence: the effect if it is missing */
} VkrRequirement;

#define VKR_MAX_REQUIREMENTS 16u
#define VKR_MAX_EXTENSIONS 8u

/*
 * What to enable on a device so that the library can use all of it. `features` heads a chain that
 * can be passed as VkDeviceCreateInfo::pNext as it is; only features that are available are set in
 * it. The chain points into this very structure, so do not copy it. An application that has its own
 * chain keeps it and calls vkrEnableFeatures instead: Vulkan forbids, for example, to chain both
 * VkPhysicalDeviceVulkan12Features and VkPhysicalDevice8BitStorageFeatures.
 */
typedef struct VkrDeviceRequirements {
    VkBool32 usable; /* everything that is required is available */
    uint32_t extensionCount;
    const char *extensions[VKR_MAX_EXTENSIONS];
    uint32_t requirementCount;
    VkrRequirement requirements[VKR_MAX_REQUIREMENTS];
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroupSizeControl;
} VkrDeviceRequirements;

typedef struct VkrDeviceRequirementsInfo {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    /* What the application asks for in VkApplicationInfo: at least 1.1; 0 is 1.1. */
    uint32_t apiVersion;
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; /* NULL: the system's Vulkan loader */
    PFN_vkrMessage message;                        /* optional */
    void *messageData;
} VkrDeviceRequirementsInfo;

/*
 * Returns what to enable, before the device is created. A device that lacks a requirement is not an
 * error: `usable` is VK_FALSE then, and the requirements say why. Thread-safe.
 */
VKR_API VkrResult vkrGetDeviceRequirements(const VkrDeviceRequirementsInfo *info,
                                           VkrDeviceRequirements *requirements);

/* ---- Features in the application's own chain ---- */

typedef struct VkrEnableFeaturesInfo {
    const VkrDeviceRequirements *requirements; /* from vkrGetDeviceRequirements */
    /* The application's structures, as they will be in VkDeviceCreateInfo::pNext, and what will be
     * VkDeviceCreateInfo::pEnabledFeatures; either may be NULL. Vulkan forbids `features` where the
     * chain has VkPhysicalDeviceFeatures2. */
    void *chain;
    VkPhysicalDeviceFeatures *features;
    PFN_vkrMessage message; /* optional */
    void *messageData;
} VkrEnableFeaturesInfo;

/*
 * In structures that the application provides, sets the bits of all features that the device has
 * and the library can use: in VkPhysicalDeviceFeatures2 or `features`, and in
 * VkPhysicalDeviceVulkan11Features, -12Features, -13Features or those of one extension each
 * (16BitStorage, 8BitStorage, SubgroupSizeControl). No other bit changes, and no structure is added
 * or removed. `missing`, which may be NULL, receives the features for which there is no structure;
 * where there are any, a note names them and the structures that hold them. A chain that Vulkan
 * forbids, such as one with two structures for one bit, is an error, and nothing is set then.
 * The application itself enables the extensions of VkrDeviceRequirements. Thread-safe.
 */
VKR_API VkrResult vkrEnableFeatures(const VkrEnableFeaturesInfo *info, VkrFeatureFlags *missing);

/* ---- Context ---- */

typedef enum VkrContextFlagBits {
    /* VK_EXT_debug_utils is enabled on the instance: labels and object names are set. */
    VKR_CONTEXT_DEBUG_UTILS_BIT = 1 << 0,
    VKR_CONTEXT_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrContextFlagBits;

/* Limits below those that the device reports: for drivers that report more than they support, and
 * to try the limits of other devices. 0 keeps the device's value. */
typedef struct VkrLimits {
    VkDeviceSize maxStorageBufferRange; /* at least 65,536 */
    uint32_t maxComputeWorkGroupCount;  /* of dimension 0; dimension 1 keeps the device's */
    VkrGroupPath groupPath;             /* the best one to use */
    VkrFeatureFlags disabledFeatures;
    /* What VKR_COUNT_MESH_TASKS needs, and the library does not ask the device for: these members
     * of VkPhysicalDeviceMeshShaderPropertiesEXT, or, for draws without a task shader, those named
     * maxMeshWorkGroup.. there. All 0: there are no mesh tasks. */
    uint32_t maxTaskWorkGroupCount[3];
    uint32_t maxTaskWorkGroupTotalCount;
} VkrLimits;

struct VkrTestHooks; /* testing.h */

typedef struct VkrContextInfo {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    uint32_t apiVersion; /* as in VkrDeviceRequirementsInfo */
    uint32_t flags;      /* VkrContextFlagBits */
    /* What was enabled on the device: the VkDeviceCreateInfo::pNext chain (or NULL, and then
     * VkDeviceCreateInfo::pEnabledFeatures), and its extensions. The library uses only what is
     * named here. A note names each feature that the device has and the library could use but that
     * is not named here, unless limits.disabledFeatures has it. */
    const void *enabledFeatureChain;
    const VkPhysicalDeviceFeatures *enabledFeatures;
    uint32_t enabledExtensionCount;
    const char *const *enabledExtensions;
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; /* NULL: the system's Vulkan loader */
    VkPipelineCache pipelineCache;                 /* optional; outlives the context; not
                                                    * externally synchronised */
    const VkAllocationCallbacks *allocator; /* optional; copied; for host and Vulkan objects */
    PFN_vkrMessage message;                 /* optional */
    void *messageData;
    VkrForwardProgress forwardProgress;
    VkrLimits limits;
    /* Optional: the text of vkrWriteProfile, which replaces the built-in tuning. A profile that is
     * malformed (VKR_ERROR_INVALID_ARGUMENT) or of another device, driver build or subgroup size
     * (VKR_ERROR_UNSUPPORTED) is refused. */
    const char *profile;
    size_t profileSize;                   /* without a terminating zero */
    const struct VkrTestHooks *testHooks; /* NULL outside the library's own tests; copied */
} VkrContextInfo;

typedef struct VkrContextProperties {
    VkrFeatureFlags features;
    VkrGroupPath groupPath;
    uint32_t subgroupSize;              /* as the device reports it; nothing relies on it */
    VkDeviceSize maxStorageBufferRange; /* after VkrLimits; a multiple of granule */
    uint32_t maxComputeWorkGroupCount[3];
    uint32_t maxWorkgroupSize; /* the maximum of VkrReduceInfo::workgroupSize */
    VkDeviceSize granule;      /* minStorageBufferOffsetAlignment, at least 32 */
    VkBool32 documents; /* whether the build has the historical scans and stream reduction (option
                         * `documents`) */
} VkrContextProperties;

/*
 * The handles in `info` must outlive the context; the context does not own them. All functions that
 * take a context may be called from any thread. Fails with VKR_ERROR_UNSUPPORTED on a device that
 * lacks a requirement. Destroy the context after all its recorders; NULL is ignored.
 */
VKR_API VkrResult vkrCreateContext(const VkrContextInfo *info, VkrContext *context);
VKR_API void vkrDestroyContext(VkrContext context);
VKR_API void vkrGetContextProperties(VkrContext context, VkrContextProperties *properties);

/* Whether elements and accumulators can have a type with this context. It depends on the device,
 * and on what this build of the library has (its option `types`). */
VKR_API VkBool32 vkrIsTypeSupported(VkrContext context, VkrType type);

VKR_API const char *vkrGroupPathName(VkrGroupPath groupPath);

#ifdef __cplusplus
}
#endif

#endif
