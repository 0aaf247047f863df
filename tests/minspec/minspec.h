/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan layer that turns any device into the smallest one that the specification allows: it
 * announces the minimum limits, offers only what the library asks for, takes away from that what
 * the environment says, and refuses what such a device would refuse. tests/support/harness.h says
 * how to run a test on it. Environment:
 *
 *     VKR_TEST_TAKE         names in the table of announce.c, or "all" or "nothing"
 *     VKR_TEST_LOWER        numbers such as "range=65536,groups=7": limits below the minimum
 *     VKR_TEST_DEVICE_TYPE  "discrete" or "integrated": what the device says it is
 *
 * Each refusal is a line on stderr. A refused function that returns a VkResult fails; one that
 * returns nothing still goes to the device. A program that destroys its device before it has
 * fetched all refusals (MINSPEC_TAKE_REFUSALS) ends there, with status 1.
 */
#ifndef VKR_TESTS_MINSPEC_H
#define VKR_TESTS_MINSPEC_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#define MINSPEC_LAYER "VK_LAYER_VKREDUCE_minspec"

/* A function that vkGetDeviceProcAddr also finds: it returns the number of refusals since its last
 * call. */
#define MINSPEC_TAKE_REFUSALS "vkTakeRefusalsVKREDUCE"
typedef uint32_t(VKAPI_PTR *PFN_minspec_take_refusals)(void);

/* ---- announce.c: what the device says of itself ---- */

typedef enum minspec_take {
    TAKE_ARITHMETIC,
    TAKE_SHUFFLE,
    TAKE_INT64,
    TAKE_FLOAT64,
    TAKE_STORAGE8,
    TAKE_STORAGE16,
    TAKE_PUSH_DESCRIPTORS,
    TAKE_SIZE_CONTROL,
    TAKE_TIMESTAMPS,
    TAKE_SCANS,   /* subgroup scans that Metal lacks are announced but do not compile */
    TAKE_GROUPS,  /* the same of all subgroup arithmetic */
    TAKE_MODULES, /* and the compiler already fails when a module is created */
    TAKE_COUNT
} minspec_take;

/* Reads the environment. Returns false, after a message, if it is not understood. */
bool minspec_read_environment(void);

void minspec_lower_properties(VkPhysicalDeviceProperties *properties);
void minspec_lower_features(VkPhysicalDeviceFeatures *features);

/* Lowers the properties in a chain; structures that a device of Vulkan 1.1 does not know stay as
 * they are. */
void minspec_lower_properties_chain(void *chain);
void minspec_lower_features_chain(void *chain);

bool minspec_offers_extension(const char *name);
bool minspec_has_timestamps(void);

/* Whether the compiler lacks something that the device announces, and whether that shows when a
 * module is created, rather than a pipeline. */
bool minspec_lacks_scans(void);
bool minspec_lacks_groups(void);
bool minspec_compiles_modules(void);

/* ---- spirv.c: what a module needs ---- */

/* What a module needs once its constants are known. */
typedef struct minspec_needs {
    uint32_t local_size[3];
    uint64_t shared_bytes;
} minspec_needs;

/* Reads a module. Returns false, after a message, if it is not SPIR-V that the layer can read. */
bool minspec_read_module(const uint32_t *code, size_t words, const VkSpecializationInfo *constants,
                         minspec_needs *needs);

/* Whether a module has subgroup arithmetic, or only such scans of it as Metal lacks: those of
 * anything but sums and products. */
bool minspec_has_arithmetic(const uint32_t *code, size_t words, bool scans_only);

/* Calls `each` for every capability. */
void minspec_each_capability(const uint32_t *code, size_t words,
                             void (*each)(uint32_t capability, void *data), void *data);

/* ---- device.c: what a device is created with ---- */

/* The device: its limits as announced, and what was enabled. */
typedef struct minspec_device {
    VkPhysicalDeviceLimits limits;
    VkSubgroupFeatureFlags operations;
    uint32_t max_subgroup_size; /* with size control */
    VkBool32 int64, float64, storage8, storage16, size_control, push_descriptors;
} minspec_device;
extern minspec_device minspec_enabled;

/* The driver's list without what the device does not offer; the caller frees it. */
VkResult minspec_list_extensions(VkPhysicalDevice physical, VkExtensionProperties **list,
                                 uint32_t *count);

/* Checks whether a device can be created with an info, and finds what it then has. */
VkResult minspec_check_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              minspec_device *device);

/* ---- commands.c: what is done with a device ---- */

/* A function of the layer, or NULL if the name goes to the next one. */
PFN_vkVoidFunction minspec_device_function(const char *name);

void minspec_free_modules(void);

/* Whether the compiler was to fail, and no pipeline made it fail since the last call. */
bool minspec_missed_gap(void);

/* ---- layer.c: between the loader and the driver ---- */

#define MINSPEC_INSTANCE_FUNCTIONS(row)                                                            \
    row(DestroyInstance) row(GetPhysicalDeviceProperties) row(GetPhysicalDeviceProperties2)        \
        row(GetPhysicalDeviceFeatures) row(GetPhysicalDeviceFeatures2)                             \
            row(EnumerateDeviceExtensionProperties) row(GetPhysicalDeviceQueueFamilyProperties)    \
                row(GetPhysicalDeviceQueueFamilyProperties2)
#define MINSPEC_DEVICE_FUNCTIONS(row)                                                              \
    row(DestroyDevice) row(CreateShaderModule) row(DestroyShaderModule)                            \
        row(CreateComputePipelines) row(CreateDescriptorSetLayout) row(CreatePipelineLayout)       \
            row(CreateBufferView) row(UpdateDescriptorSets) row(CmdPushDescriptorSetKHR)           \
                row(CmdDispatch) row(CmdPushConstants)
#define MINSPEC_MEMBER(name) PFN_vk##name name;

/* The next functions of the chain: the driver's, or another layer's. */
typedef struct minspec_functions {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
    PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
    MINSPEC_INSTANCE_FUNCTIONS(MINSPEC_MEMBER)
    MINSPEC_DEVICE_FUNCTIONS(MINSPEC_MEMBER)
} minspec_functions;
extern minspec_functions minspec_next;

VKAPI_ATTR void VKAPI_CALL minspec_get_properties2(VkPhysicalDevice physical,
                                                   VkPhysicalDeviceProperties2 *properties);
VKAPI_ATTR void VKAPI_CALL minspec_get_features2(VkPhysicalDevice physical,
                                                 VkPhysicalDeviceFeatures2 *features);

/* Prints the sentence, counts it, and returns `result`. */
VkResult minspec_refuse(VkResult result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
