/* SPDX-License-Identifier: MIT */
#include "stub_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "freeze.h"
#include "stub.h"

/* Vulkan determines the signatures. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define HANDLE(Type) ((Type)(uintptr_t)1)
#define MOST_BYTES ((VkDeviceSize)1 << 40)

/* ---- Devices ---- */

typedef struct stub_device {
    uint32_t range; /* maxStorageBufferRange */
    uint32_t granule;
    uint32_t groups; /* maxComputeWorkGroupCount */
    uint32_t workgroup, shared;
    VkSubgroupFeatureFlags subgroups;
    bool cpu;
    bool pools; /* no push descriptors */
    bool words; /* elements of 32 bits only */
    VkrForwardProgress progress;
} stub_device;

#define BALLOTS VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT
#define SHUFFLES BALLOTS | VK_SUBGROUP_FEATURE_SHUFFLE_BIT
#define ALL SHUFFLES | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT

static const stub_device devices[TEST_STUBS] = {
    /* A GPU, once with progress and once without; an old one; a mobile one; two processors. */
    {1u << 30, 16, 65535, 1024, 49152, ALL, .progress = VKR_FORWARD_PROGRESS_OCCUPANCY},
    {1u << 27, 64, INT32_MAX, 1024, 32768, ALL, .progress = VKR_FORWARD_PROGRESS_NONE},
    {1u << 27, 256, 65535, 128, 16384, BALLOTS, .pools = true, .words = true},
    {65536, 4, 65535, 256, 16384, SHUFFLES, .pools = true},
    {UINT32_MAX, 1, 65535, 1024, 32768, ALL, .cpu = true},
    {1u << 27, 16, 65535, 256, 32768, BALLOTS, .cpu = true, .words = true},
};

static const stub_device *device;

static void set_properties(VkPhysicalDeviceProperties *properties)
{
    VkPhysicalDeviceLimits *limits = &properties->limits;
    properties->apiVersion = VK_API_VERSION_1_2;
    if (device->cpu)
        properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    limits->maxStorageBufferRange = device->range;
    limits->minTexelBufferOffsetAlignment = 16;
    limits->maxTexelBufferElements = 1u << 27;
    limits->maxImageDimension2D = limits->maxImageDimension3D = 16384;
    limits->maxImageArrayLayers = 2048;
    limits->maxComputeWorkGroupCount[0] = device->groups;
    limits->maxComputeWorkGroupInvocations = device->workgroup;
    limits->maxComputeSharedMemorySize = device->shared;
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical,
                                                 VkPhysicalDeviceProperties *properties)
{
    ((PFN_vkGetPhysicalDeviceProperties)stub_get_instance_proc_addr(
        NULL, "vkGetPhysicalDeviceProperties"))(physical, properties);
    set_properties(properties);
}

static VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice physical,
                                                  VkPhysicalDeviceProperties2 *properties)
{
    ((PFN_vkGetPhysicalDeviceProperties2)stub_get_instance_proc_addr(
        NULL, "vkGetPhysicalDeviceProperties2"))(physical, properties);
    set_properties(&properties->properties);
    for (VkBaseOutStructure *next = properties->pNext; next != NULL; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
            ((VkPhysicalDeviceSubgroupProperties *)next)->supportedOperations = device->subgroups;
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physical,
                                               VkPhysicalDeviceFeatures2 *features)
{
    const VkBool32 all = !device->words;
    features->features =
        (VkPhysicalDeviceFeatures){.shaderInt64 = all,
                                   .shaderFloat64 = all,
                                   .shaderStorageImageExtendedFormats = VK_TRUE,
                                   .shaderStorageImageWriteWithoutFormat = VK_TRUE};
    for (VkBaseOutStructure *next = features->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES)
            ((VkPhysicalDevice8BitStorageFeatures *)next)->storageBuffer8BitAccess = all;
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES)
            ((VkPhysicalDevice16BitStorageFeatures *)next)->storageBuffer16BitAccess = all;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL get_extensions(VkPhysicalDevice physical, const char *layer,
                                                     uint32_t *count,
                                                     VkExtensionProperties *properties)
{
    if (properties != NULL && *count != 0)
        properties[0] = (VkExtensionProperties){VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, 2};
    *count = device->pools ? 0 : 1;
    return VK_SUCCESS;
}

/* ---- Objects that the engine creates itself ---- */

static uint64_t handles;

#define CREATE(function, Type, Info)                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL function(                                                \
        VkDevice of, const Info *info, const VkAllocationCallbacks *allocator, Type *object)       \
    {                                                                                              \
        *object = (Type)(uintptr_t)++handles;                                                      \
        return VK_SUCCESS;                                                                         \
    }
CREATE(create_image, VkImage, VkImageCreateInfo)
CREATE(create_image_view, VkImageView, VkImageViewCreateInfo)
CREATE(create_buffer_view, VkBufferView, VkBufferViewCreateInfo)

#define DESTROY(function, Type)                                                                    \
    static VKAPI_ATTR void VKAPI_CALL function(VkDevice of, Type object,                           \
                                               const VkAllocationCallbacks *allocator)             \
    {                                                                                              \
    }
DESTROY(destroy_image, VkImage)
DESTROY(destroy_image_view, VkImageView)
DESTROY(destroy_buffer_view, VkBufferView)

static VKAPI_ATTR VkResult VKAPI_CALL get_image_format(VkPhysicalDevice physical, VkFormat format,
                                                       VkImageType type, VkImageTiling tiling,
                                                       VkImageUsageFlags usage,
                                                       VkImageCreateFlags flags,
                                                       VkImageFormatProperties *properties)
{
    *properties = (VkImageFormatProperties){.maxExtent = {16384, 16384, 2048},
                                            .maxMipLevels = 15,
                                            .maxArrayLayers = 2048,
                                            .sampleCounts = VK_SAMPLE_COUNT_1_BIT};
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL get_image_needs(VkDevice of, VkImage image,
                                                  VkMemoryRequirements *needs)
{
    *needs = (VkMemoryRequirements){.size = 4096, .alignment = 16, .memoryTypeBits = 1};
}

static VKAPI_ATTR VkResult VKAPI_CALL bind_image(VkDevice of, VkImage image, VkDeviceMemory memory,
                                                 VkDeviceSize offset)
{
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL reset_pool(VkDevice of, VkDescriptorPool pool,
                                                 VkDescriptorPoolResetFlags flags)
{
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_commands(VkDevice of,
                                                        const VkCommandBufferAllocateInfo *info,
                                                        VkCommandBuffer *commands)
{
    *commands = HANDLE(VkCommandBuffer);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL free_commands(VkDevice of, VkCommandPool pool, uint32_t count,
                                                const VkCommandBuffer *commands)
{
}

static VKAPI_ATTR VkResult VKAPI_CALL begin_commands(VkCommandBuffer cmd,
                                                     const VkCommandBufferBeginInfo *info)
{
    stub_clear(); /* nobody reads the text of commands */
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL end_commands(VkCommandBuffer cmd)
{
    return VK_SUCCESS;
}

/* ---- Look-up: these functions, or else those of the stub ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice of, const char *name);

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_proc(VkInstance instance, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } functions[] = {
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_proc},
        {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)get_properties},
        {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)get_properties2},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)get_features},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)get_extensions},
        {"vkGetPhysicalDeviceImageFormatProperties", (PFN_vkVoidFunction)get_image_format},
        {"vkGetImageMemoryRequirements", (PFN_vkVoidFunction)get_image_needs},
        {"vkBindImageMemory", (PFN_vkVoidFunction)bind_image},
        {"vkCreateImage", (PFN_vkVoidFunction)create_image},
        {"vkCreateImageView", (PFN_vkVoidFunction)create_image_view},
        {"vkCreateBufferView", (PFN_vkVoidFunction)create_buffer_view},
        {"vkDestroyImage", (PFN_vkVoidFunction)destroy_image},
        {"vkDestroyImageView", (PFN_vkVoidFunction)destroy_image_view},
        {"vkDestroyBufferView", (PFN_vkVoidFunction)destroy_buffer_view},
        {"vkResetDescriptorPool", (PFN_vkVoidFunction)reset_pool},
        {"vkAllocateCommandBuffers", (PFN_vkVoidFunction)allocate_commands},
        {"vkFreeCommandBuffers", (PFN_vkVoidFunction)free_commands},
        {"vkBeginCommandBuffer", (PFN_vkVoidFunction)begin_commands},
        {"vkEndCommandBuffer", (PFN_vkVoidFunction)end_commands},
    };
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return stub_get_instance_proc_addr(instance, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice of, const char *name)
{
    return get_proc(NULL, name);
}

/* ---- What recorders have collected ---- */

static bool say_use(const char *what, const VkrUse *use)
{
    printf("# %" PRIu64 " bytes at %" PRIu64 " of buffer %c %s\n", (uint64_t)use->size,
           (uint64_t)use->offset, (char)(uintptr_t)use->buffer, what);
    return false;
}

/* A recording writes what is written by one of its requests, and reads what exists, or what a texel
 * view has beyond it. */
static bool check_use(const test_recording *r, uint32_t begin, uint32_t end, const VkrUse *use)
{
    const arena *a = use->buffer == rig.written.buffer.buffer ? &rig.written : &rig.given;
    const VkDeviceSize last = use->offset + use->size;
    if (use->image != VK_NULL_HANDLE)
        return true;
    if (use->buffer != a->buffer.buffer || last > a->used + GUARD)
        return say_use("are used, which no request has", use);
    if ((use->access & VK_ACCESS_SHADER_WRITE_BIT) == 0)
        return true;
    for (uint32_t i = begin; i < end; i++) {
        const VkDeviceSize first = r->requests[i].first / device->granule * device->granule;
        if (a == &rig.written && use->offset >= first && last <= r->requests[i].end)
            return true;
    }
    return say_use("are written, which is no output", use);
}

static bool inspect(const test_recording *r, uint32_t begin, uint32_t end, VkrRecorder recorder)
{
    static VkrUse uses[4096];
    uint32_t count = ARRAY_SIZE(uses);
    const char *violation = access_violation(recorder);
    if (violation != NULL)
        printf("# %s\n", violation);
    freeze_steps(recorder);
    if (violation != NULL ||
        !harness_check(&rig.h, vkrGetUses(recorder, &count, uses), "vkrGetUses"))
        return false;
    rig.cases += count;
    for (uint32_t i = 0; i < count; i++)
        if (!check_use(r, begin, end, &uses[i]))
            return false;
    return true;
}

/* ---- The rig ---- */

/* Descriptors begin at a granule, and those of different places must not meet. */
static arena arena_of(char letter, const char *name)
{
    return (arena){.name = name,
                   .more = device->granule,
                   .buffer = {.buffer = (VkBuffer)(uintptr_t)letter, .size = MOST_BYTES}};
}

void test_open_stub(uint32_t number)
{
    device = &devices[number];
    stub_start(&(stub_options){.push_descriptors = !device->pools,
                               .granule = device->granule,
                               .group_limit = 65535,
                               .brief = true});
    volkInitializeCustom(get_proc);
    volkLoadInstance(HANDLE(VkInstance));
    volkLoadDevice(HANDLE(VkDevice));
    rig = (test_rig){.h = {.api_version = VK_API_VERSION_1_2,
                           .loader = limits_proc,
                           .forward_progress = device->progress,
                           .instance = HANDLE(VkInstance),
                           .physical_device = HANDLE(VkPhysicalDevice),
                           .device = HANDLE(VkDevice),
                           .cmd = HANDLE(VkCommandBuffer)},
                     .given = arena_of('A', "given"),
                     .written = arena_of('B', "written"),
                     .scratch = arena_of('C', "scratch"),
                     .inspect = inspect};
    rig.contexts.h = &rig.h;
    vkGetPhysicalDeviceProperties(rig.h.physical_device, &rig.h.properties);
    const VkrDeviceRequirementsInfo asked = {.instance = rig.h.instance,
                                             .physicalDevice = rig.h.physical_device,
                                             .apiVersion = rig.h.api_version,
                                             .getInstanceProcAddr = get_proc};
    assert_int_equal(vkrGetDeviceRequirements(&asked, &rig.h.requirements), VKR_SUCCESS);
    assert_true(rig.h.requirements.usable);
    rig.device = device_abilities(&rig.h);
    assert_true(test_open_sets());
}

void test_close_stub(void)
{
    (void)count_pipelines();
    close_contexts(&rig.contexts);
    test_close_sets();
    assert_int_equal(stub_objects(), 0);
}
