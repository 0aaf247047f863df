/* SPDX-License-Identifier: MIT */
#include "stub_inside.h"

#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define MAX_BUFFERS 4096u

static struct {
    stub_options options;
    uint32_t creations;
    uint32_t fail_at; /* successful creations before the failure; UINT32_MAX: no failure */
    VkResult failure;
    uint32_t objects;
    uint32_t buffers;
    uint32_t sets;
    uint32_t pipelines;
    VkPipelineShaderStageCreateFlags stage_flags;
    uint32_t others;
    uint32_t memory_type;
    uint32_t memory_types; /* bit mask of the allowed types */
    struct {
        VkBuffer buffer;
        VkDeviceSize size;
        VkDeviceMemory memory;
        void *data;       /* the mapped memory */
    } bound[MAX_BUFFERS]; /* the most recently created buffers */
} stub;

uint32_t stub_counts[CALL_COUNT];
bool stub_is_brief;

/* Tests create thousands of contexts. By default glibc returns their large blocks to the system,
 * and getting them back would take most of the time. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 25);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

void stub_start(const stub_options *options)
{
    keep_memory();
    memset(&stub, 0, sizeof stub);
    memset(stub_counts, 0, sizeof stub_counts);
    stub_is_brief = options->brief;
    stub_clear();
    stub.options = *options;
    stub.fail_at = UINT32_MAX;
    stub.memory_types = 3;
}

uint32_t stub_creations(void)
{
    return stub.creations;
}

uint32_t stub_objects(void)
{
    return stub.objects;
}

void stub_fail(uint32_t nth, VkResult result)
{
    stub.fail_at = stub.creations + nth;
    stub.failure = result;
}

VkPipelineShaderStageCreateFlags stub_stage_flags(void)
{
    return stub.stage_flags;
}

uint32_t stub_memory_type(void)
{
    return stub.memory_type;
}

void stub_allow_memory_types(uint32_t bits)
{
    stub.memory_types = bits;
}

/* ---- The device ---- */

static void get_limits(VkPhysicalDeviceProperties *properties)
{
    const uint32_t groups = stub.options.group_limit;
    *properties = (VkPhysicalDeviceProperties){
        /* The build that a profile names is derived from this and the UUID; the values here make it
         * 0. */
        .driverVersion = 7,
        .pipelineCacheUUID = {7},
        .apiVersion = VK_API_VERSION_1_1,
        .deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
        .deviceName = "stub",
        .limits = {.maxStorageBufferRange = 1u << 27,
                   .maxPushConstantsSize = 128,
                   .maxMemoryAllocationCount = 4096,
                   .maxBoundDescriptorSets = 4,
                   .maxPerStageDescriptorStorageBuffers = 16,
                   .maxPerStageDescriptorStorageImages = 16,
                   .maxDescriptorSetStorageImages = 96,
                   .maxPerStageResources = 128,
                   .maxDescriptorSetStorageBuffers = 24,
                   .maxComputeSharedMemorySize = 32768,
                   .maxComputeWorkGroupCount = {groups, groups, groups},
                   .maxComputeWorkGroupInvocations = 1024,
                   .maxComputeWorkGroupSize = {1024, 1024, 64},
                   .minUniformBufferOffsetAlignment = STUB_UNIFORM_GRANULE,
                   .minStorageBufferOffsetAlignment = stub.options.granule}};
}

static VKAPI_ATTR void VKAPI_CALL
do_vkGetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties)
{
    ENTER(vkGetPhysicalDeviceProperties);
    get_limits(properties);
}

static VKAPI_ATTR void VKAPI_CALL
do_vkGetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties)
{
    ENTER(vkGetPhysicalDeviceProperties2);
    get_limits(&properties->properties);
    for (VkBaseOutStructure *next = properties->pNext; next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
            VkPhysicalDeviceSubgroupProperties *subgroup = (void *)next;
            subgroup->subgroupSize = 32;
            subgroup->supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
            subgroup->supportedOperations =
                VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
                VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL
do_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features)
{
    ENTER(vkGetPhysicalDeviceFeatures2);
    features->features = (VkPhysicalDeviceFeatures){.shaderInt64 = VK_TRUE};
}

static VKAPI_ATTR void VKAPI_CALL do_vkGetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory)
{
    ENTER(vkGetPhysicalDeviceMemoryProperties);
    const VkMemoryPropertyFlags mapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    *memory = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 2,
        .memoryTypes = {{mapped, 0},
                        {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                             (stub.options.host_visible ? mapped : 0u),
                         0}},
        .memoryHeapCount = 1,
        .memoryHeaps = {{1u << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}};
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkEnumerateDeviceExtensionProperties(
    VkPhysicalDevice device, const char *layer, uint32_t *count, VkExtensionProperties *properties)
{
    ENTER(vkEnumerateDeviceExtensionProperties);
    if (properties && *count > 0)
        properties[0] = (VkExtensionProperties){VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, 2};
    *count = 1;
    return VK_SUCCESS;
}

/* ---- Objects ---- */

/* The handle that a failed creation returns. */
#define GARBAGE 0xdead

static VkResult create(enum stub_call call, uint64_t *object, uint64_t handle)
{
    stub_counts[call]++;
    *object = GARBAGE;
    if (stub.creations++ == stub.fail_at)
        return stub.failure;
    *object = handle;
    stub.objects++;
    return VK_SUCCESS;
}

static void destroy(enum stub_call call, bool exists)
{
    stub_counts[call]++;
    stub.objects -= exists;
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkCreateBuffer(VkDevice device,
                                                        const VkBufferCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkBuffer *buffer)
{
    uint64_t handle;
    const VkResult result = create(CALL_vkCreateBuffer, &handle, 'a' + stub.buffers % 26);
    *buffer = (VkBuffer)(uintptr_t)handle;
    if (result == VK_SUCCESS) {
        stub.bound[stub.buffers % MAX_BUFFERS].buffer = *buffer;
        stub.bound[stub.buffers % MAX_BUFFERS].size = info->size;
        stub.buffers++;
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL do_vkGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                                   VkMemoryRequirements *needs)
{
    ENTER(vkGetBufferMemoryRequirements);
    *needs =
        (VkMemoryRequirements){.size = 4096, .alignment = 16, .memoryTypeBits = stub.memory_types};
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkAllocateMemory(VkDevice device,
                                                          const VkMemoryAllocateInfo *info,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkDeviceMemory *memory)
{
    uint64_t handle;
    const VkResult result = create(CALL_vkAllocateMemory, &handle, 1000 + stub.others++);
    stub.memory_type = info->memoryTypeIndex;
    *memory = (VkDeviceMemory)(uintptr_t)handle;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkBindBufferMemory(VkDevice device, VkBuffer buffer,
                                                            VkDeviceMemory memory,
                                                            VkDeviceSize offset)
{
    ENTER(vkBindBufferMemory);
    for (uint32_t i = 0; i < MAX_BUFFERS; i++)
        if (stub.bound[i].buffer == buffer && !stub.bound[i].memory)
            stub.bound[i].memory = memory;
    return stub.creations++ == stub.fail_at ? stub.failure : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkMapMemory(VkDevice device, VkDeviceMemory memory,
                                                     VkDeviceSize offset, VkDeviceSize size,
                                                     VkMemoryMapFlags flags, void **data)
{
    ENTER(vkMapMemory);
    if (stub.creations++ == stub.fail_at)
        return stub.failure;
    for (uint32_t i = 0; i < MAX_BUFFERS; i++)
        if (stub.bound[i].memory == memory)
            *data = stub.bound[i].data = calloc(1, (size_t)stub.bound[i].size);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL do_vkFreeMemory(VkDevice device, VkDeviceMemory memory,
                                                  const VkAllocationCallbacks *allocator)
{
    destroy(CALL_vkFreeMemory, memory != VK_NULL_HANDLE);
    for (uint32_t i = 0; i < MAX_BUFFERS; i++) {
        if (memory == VK_NULL_HANDLE || stub.bound[i].memory != memory)
            continue;
        free(stub.bound[i].data);
        memset(&stub.bound[i], 0, sizeof stub.bound[i]);
    }
}

const void *stub_data(VkBuffer buffer)
{
    for (uint32_t i = 0; i < MAX_BUFFERS; i++)
        if (stub.bound[i].buffer == buffer && stub.bound[i].data)
            return stub.bound[i].data;
    return NULL;
}

/* The first arguments of most functions that create objects. */
#define CREATE(function, Type, Info)                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL do_##function(                                           \
        VkDevice device, const Info *info, const VkAllocationCallbacks *allocator, Type *object)   \
    {                                                                                              \
        (void)device;                                                                              \
        (void)info;                                                                                \
        (void)allocator;                                                                           \
        uint64_t handle;                                                                           \
        const VkResult result = create(CALL_##function, &handle, 1000 + stub.others++);            \
        *object = (Type)(uintptr_t)handle;                                                         \
        return result;                                                                             \
    }
CREATE(vkCreateShaderModule, VkShaderModule, VkShaderModuleCreateInfo)
CREATE(vkCreateDescriptorSetLayout, VkDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo)
CREATE(vkCreatePipelineLayout, VkPipelineLayout, VkPipelineLayoutCreateInfo)
CREATE(vkCreateDescriptorPool, VkDescriptorPool, VkDescriptorPoolCreateInfo)

#define DESTROY(function, Type)                                                                    \
    static VKAPI_ATTR void VKAPI_CALL do_##function(VkDevice device, Type object,                  \
                                                    const VkAllocationCallbacks *allocator)        \
    {                                                                                              \
        (void)device;                                                                              \
        (void)allocator;                                                                           \
        destroy(CALL_##function, object != VK_NULL_HANDLE);                                        \
    }
DESTROY(vkDestroyBuffer, VkBuffer)
DESTROY(vkDestroyShaderModule, VkShaderModule)
DESTROY(vkDestroyDescriptorSetLayout, VkDescriptorSetLayout)
DESTROY(vkDestroyPipelineLayout, VkPipelineLayout)
DESTROY(vkDestroyPipeline, VkPipeline)
DESTROY(vkDestroyDescriptorPool, VkDescriptorPool)

static VKAPI_ATTR VkResult VKAPI_CALL
do_vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                            const VkComputePipelineCreateInfo *infos,
                            const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t handle;
        stub.stage_flags = infos[i].stage.flags;
        const VkResult result = create(CALL_vkCreateComputePipelines, &handle, stub.pipelines + 1u);
        pipelines[i] = VK_NULL_HANDLE;
        if (result != VK_SUCCESS)
            return result;
        pipelines[i] = (VkPipeline)(uintptr_t)handle;
        stub.pipelines++;
    }
    return VK_SUCCESS;
}

/* Sets are freed with their pool and are not counted as objects. */
static VKAPI_ATTR VkResult VKAPI_CALL do_vkAllocateDescriptorSets(
    VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets)
{
    for (uint32_t i = 0; i < info->descriptorSetCount; i++) {
        uint64_t handle;
        const VkResult result = create(CALL_vkAllocateDescriptorSets, &handle, stub.sets + 1u);
        sets[i] = VK_NULL_HANDLE;
        if (result != VK_SUCCESS)
            return result;
        sets[i] = (VkDescriptorSet)(uintptr_t)handle;
        stub.objects--;
        stub.sets++;
    }
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
do_vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
    ENTER(vkSetDebugUtilsObjectNameEXT);
    return VK_SUCCESS;
}

/* ---- Look-up ---- */

#define do_vkGetInstanceProcAddr stub_get_instance_proc_addr
#define do_vkGetDeviceProcAddr stub_get_device_proc_addr
static const stub_function functions[] = {FUNCTIONS(ROW)};

/* The function for a call, in the order of enum stub_call. */
static const stub_function *function_of(uint32_t call)
{
    const uint32_t own = ARRAY_SIZE(functions);
    return call < own ? &functions[call] : &stub_commands[call - own];
}

static uint32_t find(const char *name)
{
    for (uint32_t i = 0; i < CALL_COUNT; i++)
        if (strcmp(function_of(i)->name, name) == 0)
            return i;
    return CALL_COUNT;
}

uint32_t stub_calls(const char *function)
{
    const uint32_t call = find(function);
    return call < CALL_COUNT ? stub_counts[call] : UINT32_MAX;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL stub_get_instance_proc_addr(VkInstance instance,
                                                                     const char *name)
{
    const uint32_t call = find(name);
    return call < CALL_COUNT ? function_of(call)->function : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL stub_get_device_proc_addr(VkDevice device,
                                                                   const char *name)
{
    return stub_get_instance_proc_addr(NULL, name);
}
