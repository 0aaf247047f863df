/* SPDX-License-Identifier: MIT */
#include "stub.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define FUNCTIONS(X)                                                                               \
    X(vkGetInstanceProcAddr)                                                                       \
    X(vkGetDeviceProcAddr)                                                                         \
    X(vkGetPhysicalDeviceProperties)                                                               \
    X(vkGetPhysicalDeviceProperties2)                                                              \
    X(vkGetPhysicalDeviceFeatures2)                                                                \
    X(vkGetPhysicalDeviceMemoryProperties)                                                         \
    X(vkEnumerateDeviceExtensionProperties)                                                        \
    X(vkGetBufferMemoryRequirements)                                                               \
    X(vkUpdateDescriptorSets)                                                                      \
    X(vkSetDebugUtilsObjectNameEXT)                                                                \
    X(vkCreateBuffer)                                                                              \
    X(vkAllocateMemory)                                                                            \
    X(vkBindBufferMemory)                                                                          \
    X(vkMapMemory)                                                                                 \
    X(vkCreateShaderModule)                                                                        \
    X(vkCreateDescriptorSetLayout)                                                                 \
    X(vkCreatePipelineLayout)                                                                      \
    X(vkCreateComputePipelines)                                                                    \
    X(vkCreateDescriptorPool)                                                                      \
    X(vkAllocateDescriptorSets)                                                                    \
    X(vkDestroyBuffer)                                                                             \
    X(vkFreeMemory)                                                                                \
    X(vkDestroyShaderModule)                                                                       \
    X(vkDestroyDescriptorSetLayout)                                                                \
    X(vkDestroyPipelineLayout)                                                                     \
    X(vkDestroyPipeline)                                                                           \
    X(vkDestroyDescriptorPool)                                                                     \
    X(vkCmdPipelineBarrier)                                                                        \
    X(vkCmdFillBuffer)                                                                             \
    X(vkCmdBindPipeline)                                                                           \
    X(vkCmdBindDescriptorSets)                                                                     \
    X(vkCmdPushDescriptorSetKHR)                                                                   \
    X(vkCmdPushConstants)                                                                          \
    X(vkCmdDispatch)                                                                               \
    X(vkCmdDispatchIndirect)                                                                       \
    X(vkCmdBeginDebugUtilsLabelEXT)                                                                \
    X(vkCmdEndDebugUtilsLabelEXT)

#define CALL(name) CALL_##name,
enum call { FUNCTIONS(CALL) CALL_COUNT };

#define MOST_BUFFERS 64u

static struct {
    stub_options options;
    uint32_t calls[CALL_COUNT];
    uint32_t creations;
    uint32_t fail_at; /* creations until the failure; UINT32_MAX: none */
    VkResult failure;
    uint32_t objects;
    uint32_t buffers;
    uint32_t sets;
    uint32_t pipelines;
    VkPipelineShaderStageCreateFlags stage_flags;
    uint32_t others;
    uint32_t memory_type;
    uint32_t memory_types; /* allowed */
    struct {
        VkBuffer buffer;
        VkDeviceSize size;
        VkDeviceMemory memory;
        void *data;        /* where it is mapped */
    } bound[MOST_BUFFERS]; /* the buffers created last */
    char text[64 * 1024];
    size_t length;
} stub;

/* ---- Text ---- */

static void write_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void write_text(const char *format, ...)
{
    const size_t room = sizeof stub.text - stub.length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(stub.text + stub.length, room, format, arguments);
    va_end(arguments);
    stub.length += (size_t)length < room ? (size_t)length : room - 1;
}

typedef struct bit_name {
    uint32_t bit;
    const char *name;
} bit_name;

static const bit_name stage_names[] = {
    {VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, "indirect"},
    {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, "compute"},
    {VK_PIPELINE_STAGE_TRANSFER_BIT, "transfer"},
    {VK_PIPELINE_STAGE_HOST_BIT, "host"},
    {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, "fragment"},
};

static const bit_name access_names[] = {
    {VK_ACCESS_INDIRECT_COMMAND_READ_BIT, "command"},
    {VK_ACCESS_SHADER_READ_BIT, "read"},
    {VK_ACCESS_SHADER_WRITE_BIT, "write"},
    {VK_ACCESS_TRANSFER_READ_BIT, "copy-read"},
    {VK_ACCESS_TRANSFER_WRITE_BIT, "copy-write"},
    {VK_ACCESS_HOST_READ_BIT, "host-read"},
};

static void write_bits(const bit_name *names, size_t count, uint32_t bits)
{
    const char *separator = "";
    for (size_t i = 0; i < count; i++) {
        if (bits & names[i].bit) {
            write_text("%s%s", separator, names[i].name);
            separator = "|";
            bits &= ~names[i].bit;
        }
    }
    if (bits)
        write_text("%s0x%x", separator, bits);
}

static void write_scope(VkPipelineStageFlags stages, VkAccessFlags access)
{
    write_bits(stage_names, ARRAY_SIZE(stage_names), stages);
    write_text("(");
    write_bits(access_names, ARRAY_SIZE(access_names), access);
    write_text(")");
}

static char buffer_name(VkBuffer buffer)
{
    const uintptr_t value = (uintptr_t)buffer;
    return value > ' ' && value < 127 ? (char)value : '?';
}

static void write_descriptors(uint32_t count, const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < writes[i].descriptorCount; k++) {
            const VkDescriptorBufferInfo *info = &writes[i].pBufferInfo[k];
            write_text(" %u=%c+%" PRIu64 ":%" PRIu64, writes[i].dstBinding + k,
                       buffer_name(info->buffer), info->offset, info->range);
        }
    }
    write_text("\n");
}

/* Tests create thousands of contexts. By default glibc returns the large blocks of each of them to
 * the system, and most of the time goes into getting them back. */
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
    stub.options = *options;
    stub.fail_at = UINT32_MAX;
    stub.memory_types = 3;
}

const char *stub_text(void)
{
    return stub.text;
}

void stub_clear(void)
{
    stub.length = 0;
    stub.text[0] = '\0';
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

#define ENTER(name) stub.calls[CALL_##name]++

static void get_limits(VkPhysicalDeviceProperties *properties)
{
    const uint32_t groups = stub.options.group_limit;
    *properties = (VkPhysicalDeviceProperties){
        /* The build that a profile names is made from this and the UUID, here such that it is 0. */
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
    (void)device;
    ENTER(vkGetPhysicalDeviceProperties);
    get_limits(properties);
}

static VKAPI_ATTR void VKAPI_CALL
do_vkGetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties)
{
    (void)device;
    ENTER(vkGetPhysicalDeviceProperties2);
    get_limits(&properties->properties);
    for (VkBaseOutStructure *next = properties->pNext; next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
            VkPhysicalDeviceSubgroupProperties *subgroup = (void *)next;
            subgroup->subgroupSize = 32;
            subgroup->supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
            subgroup->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT |
                                            VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
                                            VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
        }
    }
}

static VKAPI_ATTR void VKAPI_CALL
do_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2 *features)
{
    (void)device;
    ENTER(vkGetPhysicalDeviceFeatures2);
    features->features = (VkPhysicalDeviceFeatures){.shaderInt64 = VK_TRUE};
}

static VKAPI_ATTR void VKAPI_CALL do_vkGetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory)
{
    (void)device;
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
    (void)device;
    (void)layer;
    ENTER(vkEnumerateDeviceExtensionProperties);
    if (properties && *count > 0)
        properties[0] = (VkExtensionProperties){VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, 2};
    *count = 1;
    return VK_SUCCESS;
}

/* ---- Objects ---- */

/* The handle that a failed creation leaves behind. */
#define GARBAGE 0xdead

static VkResult create(enum call call, uint64_t *object, uint64_t handle)
{
    stub.calls[call]++;
    *object = GARBAGE;
    if (stub.creations++ == stub.fail_at)
        return stub.failure;
    *object = handle;
    stub.objects++;
    return VK_SUCCESS;
}

static void destroy(enum call call, bool exists)
{
    stub.calls[call]++;
    stub.objects -= exists;
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkCreateBuffer(VkDevice device,
                                                        const VkBufferCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkBuffer *buffer)
{
    (void)device;
    (void)allocator;
    uint64_t handle;
    const VkResult result = create(CALL_vkCreateBuffer, &handle, 'a' + stub.buffers % 26);
    *buffer = (VkBuffer)(uintptr_t)handle;
    if (result == VK_SUCCESS) {
        stub.bound[stub.buffers % MOST_BUFFERS].buffer = *buffer;
        stub.bound[stub.buffers % MOST_BUFFERS].size = info->size;
        stub.buffers++;
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL do_vkGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                                   VkMemoryRequirements *needs)
{
    (void)device;
    (void)buffer;
    ENTER(vkGetBufferMemoryRequirements);
    *needs =
        (VkMemoryRequirements){.size = 4096, .alignment = 16, .memoryTypeBits = stub.memory_types};
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkAllocateMemory(VkDevice device,
                                                          const VkMemoryAllocateInfo *info,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkDeviceMemory *memory)
{
    (void)device;
    (void)allocator;
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
    (void)device;
    (void)offset;
    ENTER(vkBindBufferMemory);
    for (uint32_t i = 0; i < MOST_BUFFERS; i++)
        if (stub.bound[i].buffer == buffer && !stub.bound[i].memory)
            stub.bound[i].memory = memory;
    return stub.creations++ == stub.fail_at ? stub.failure : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkMapMemory(VkDevice device, VkDeviceMemory memory,
                                                     VkDeviceSize offset, VkDeviceSize size,
                                                     VkMemoryMapFlags flags, void **data)
{
    (void)device;
    (void)offset;
    (void)size;
    (void)flags;
    ENTER(vkMapMemory);
    if (stub.creations++ == stub.fail_at)
        return stub.failure;
    for (uint32_t i = 0; i < MOST_BUFFERS; i++)
        if (stub.bound[i].memory == memory)
            *data = stub.bound[i].data = calloc(1, stub.bound[i].size);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL do_vkFreeMemory(VkDevice device, VkDeviceMemory memory,
                                                  const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
    destroy(CALL_vkFreeMemory, memory != VK_NULL_HANDLE);
    for (uint32_t i = 0; i < MOST_BUFFERS; i++) {
        if (memory == VK_NULL_HANDLE || stub.bound[i].memory != memory)
            continue;
        free(stub.bound[i].data);
        memset(&stub.bound[i], 0, sizeof stub.bound[i]);
    }
}

const void *stub_data(VkBuffer buffer)
{
    for (uint32_t i = 0; i < MOST_BUFFERS; i++)
        if (stub.bound[i].buffer == buffer && stub.bound[i].data)
            return stub.bound[i].data;
    return NULL;
}

/* The four arguments of most functions that create. */
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
    (void)device;
    (void)cache;
    (void)allocator;
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

/* Sets die with their pool and are not counted as objects. */
static VKAPI_ATTR VkResult VKAPI_CALL do_vkAllocateDescriptorSets(
    VkDevice device, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets)
{
    (void)device;
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

static VKAPI_ATTR void VKAPI_CALL do_vkUpdateDescriptorSets(VkDevice device, uint32_t write_count,
                                                            const VkWriteDescriptorSet *writes,
                                                            uint32_t copy_count,
                                                            const VkCopyDescriptorSet *copies)
{
    (void)device;
    (void)copy_count;
    (void)copies;
    ENTER(vkUpdateDescriptorSets);
    if (!stub.options.brief && write_count > 0) {
        write_text("update set %" PRIuPTR ":", (uintptr_t)writes[0].dstSet);
        write_descriptors(write_count, writes);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL
do_vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
    (void)device;
    (void)info;
    ENTER(vkSetDebugUtilsObjectNameEXT);
    return VK_SUCCESS;
}

/* ---- Commands ---- */

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPipelineBarrier(
    VkCommandBuffer cmd, VkPipelineStageFlags source, VkPipelineStageFlags destination,
    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
    const VkImageMemoryBarrier *images)
{
    (void)cmd;
    (void)buffers;
    (void)images;
    ENTER(vkCmdPipelineBarrier);
    write_text("barrier ");
    write_scope(source, memory_count ? memory[0].srcAccessMask : 0);
    write_text(" -> ");
    write_scope(destination, memory_count ? memory[0].dstAccessMask : 0);
    if (flags || memory_count != 1 || buffer_count || image_count)
        write_text(" and more");
    write_text("\n");
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdFillBuffer(VkCommandBuffer cmd, VkBuffer buffer,
                                                     VkDeviceSize offset, VkDeviceSize size,
                                                     uint32_t data)
{
    (void)cmd;
    ENTER(vkCmdFillBuffer);
    write_text("fill %c+%" PRIu64 ":%" PRIu64 " %u\n", buffer_name(buffer), offset, size, data);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBindPipeline(VkCommandBuffer cmd,
                                                       VkPipelineBindPoint point,
                                                       VkPipeline pipeline)
{
    (void)cmd;
    (void)point;
    ENTER(vkCmdBindPipeline);
    if (!stub.options.brief)
        write_text("pipeline %" PRIuPTR "\n", (uintptr_t)pipeline);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBindDescriptorSets(
    VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t first,
    uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
    (void)cmd;
    (void)point;
    (void)layout;
    (void)offset_count;
    (void)offsets;
    ENTER(vkCmdBindDescriptorSets);
    for (uint32_t i = 0; !stub.options.brief && i < count; i++)
        write_text("set %u: %" PRIuPTR "\n", first + i, (uintptr_t)sets[i]);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPushDescriptorSetKHR(VkCommandBuffer cmd,
                                                               VkPipelineBindPoint point,
                                                               VkPipelineLayout layout,
                                                               uint32_t set, uint32_t count,
                                                               const VkWriteDescriptorSet *writes)
{
    (void)cmd;
    (void)point;
    (void)layout;
    ENTER(vkCmdPushDescriptorSetKHR);
    if (!stub.options.brief) {
        write_text("push %u:", set);
        write_descriptors(count, writes);
    }
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPushConstants(VkCommandBuffer cmd,
                                                        VkPipelineLayout layout,
                                                        VkShaderStageFlags stages, uint32_t offset,
                                                        uint32_t size, const void *values)
{
    (void)cmd;
    (void)layout;
    (void)stages;
    ENTER(vkCmdPushConstants);
    if (stub.options.brief)
        return;
    write_text("constants %u:", offset);
    for (uint32_t i = 0; i < size / 4; i++) {
        uint32_t word;
        memcpy(&word, (const char *)values + 4 * i, 4);
        write_text(" %u", word);
    }
    write_text("\n");
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdDispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y,
                                                   uint32_t z)
{
    (void)cmd;
    ENTER(vkCmdDispatch);
    write_text("dispatch %u %u %u\n", x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdDispatchIndirect(VkCommandBuffer cmd, VkBuffer buffer,
                                                           VkDeviceSize offset)
{
    (void)cmd;
    ENTER(vkCmdDispatchIndirect);
    write_text("dispatch %c+%" PRIu64 "\n", buffer_name(buffer), offset);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer cmd,
                                                                  const VkDebugUtilsLabelEXT *label)
{
    (void)cmd;
    ENTER(vkCmdBeginDebugUtilsLabelEXT);
    write_text("begin %s\n", label->pLabelName);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer cmd)
{
    (void)cmd;
    ENTER(vkCmdEndDebugUtilsLabelEXT);
    write_text("end\n");
}

/* ---- Look-up ---- */

#define do_vkGetInstanceProcAddr stub_get_instance_proc_addr
#define do_vkGetDeviceProcAddr stub_get_device_proc_addr
#define ROW(name) {#name, (PFN_vkVoidFunction)do_##name},
static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} functions[] = {FUNCTIONS(ROW)};

static PFN_vkVoidFunction find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return NULL;
}

uint32_t stub_calls(const char *function)
{
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
        if (strcmp(functions[i].name, function) == 0)
            return stub.calls[i];
    return UINT32_MAX;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL stub_get_instance_proc_addr(VkInstance instance,
                                                                     const char *name)
{
    (void)instance;
    return find(name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL stub_get_device_proc_addr(VkDevice device,
                                                                   const char *name)
{
    (void)device;
    return find(name);
}
