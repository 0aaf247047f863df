/* SPDX-License-Identifier: MIT */
#include "trace_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

/* Vulkan determines the signatures. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define MAX_SETS (2 * MAX_DISPATCHES)
#define GARBAGE 0xdead /* the handle that a failed creation returns */

typedef struct descriptors {
    VkDescriptorBufferInfo buffers[TRACE_BINDINGS];
    VkBufferView texels;
    uint32_t images;
    uint32_t uniforms[TRACE_UNIFORMS];
} descriptors;

/* The device's properties, and the current bindings while commands are recorded. */
static struct {
    trace_device device;
    struct {
        uint32_t constant_count;
        uint32_t constants[TRACE_CONSTANTS];
        char kernel[TRACE_KERNEL];
    } pipelines[MAX_OBJECTS];
    descriptors sets[MAX_SETS];
    trace_dispatch next;
} fake;

void trace_vulkan_start(const trace_device *device)
{
    const stub_options options = {.push_descriptors = !device->pools,
                                  .granule = OR(device->granule, 64u),
                                  .group_limit = 65535,
                                  .brief = true};
    fake.device = *device;
    memset(&fake.next, 0, sizeof fake.next);
    stub_start(&options);
}

void trace_vulkan_clear(void)
{
    fake.next.epoch = 0;
    stub_clear();
}

/* ---- Objects: those of the stub, each with a block of the heap ---- */

#define STUB(name) ((PFN_##name)stub_get_device_proc_addr(HANDLE(VkDevice), #name))

#define CREATE(function, Type, Info)                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL do_##function(                                           \
        VkDevice device, const Info *info, const VkAllocationCallbacks *allocator, Type *object)   \
    {                                                                                              \
        void *block = object_block(allocator);                                                     \
        *object = (Type)(uintptr_t)GARBAGE;                                                        \
        if (!block)                                                                                \
            return VK_ERROR_OUT_OF_HOST_MEMORY;                                                    \
        const VkResult result = STUB(function)(device, info, allocator, object);                   \
        if (result)                                                                                \
            allocator->pfnFree(allocator->pUserData, block);                                       \
        else                                                                                       \
            keep_object(#Type, (uint64_t)*object, block);                                          \
        return result;                                                                             \
    }
CREATE(vkCreateBuffer, VkBuffer, VkBufferCreateInfo)
CREATE(vkAllocateMemory, VkDeviceMemory, VkMemoryAllocateInfo)
CREATE(vkCreateShaderModule, VkShaderModule, VkShaderModuleCreateInfo)
CREATE(vkCreateDescriptorSetLayout, VkDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo)
CREATE(vkCreatePipelineLayout, VkPipelineLayout, VkPipelineLayoutCreateInfo)
CREATE(vkCreateDescriptorPool, VkDescriptorPool, VkDescriptorPoolCreateInfo)

#define DESTROY(function, Type)                                                                    \
    static VKAPI_ATTR void VKAPI_CALL do_##function(VkDevice device, Type object,                  \
                                                    const VkAllocationCallbacks *allocator)        \
    {                                                                                              \
        if (object)                                                                                \
            drop_object(#Type, (uint64_t)object, allocator);                                       \
        STUB(function)(device, object, allocator);                                                 \
    }
DESTROY(vkDestroyBuffer, VkBuffer)
DESTROY(vkFreeMemory, VkDeviceMemory)
DESTROY(vkDestroyShaderModule, VkShaderModule)
DESTROY(vkDestroyDescriptorSetLayout, VkDescriptorSetLayout)
DESTROY(vkDestroyPipelineLayout, VkPipelineLayout)
DESTROY(vkDestroyDescriptorPool, VkDescriptorPool)
DESTROY(vkDestroyPipeline, VkPipeline)

static VKAPI_ATTR VkResult VKAPI_CALL
do_vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                            const VkComputePipelineCreateInfo *infos,
                            const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    assert_int_equal(count, 1);
    void *block = object_block(allocator);
    if (!block)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result =
        STUB(vkCreateComputePipelines)(device, cache, count, infos, allocator, pipelines);
    if (result) {
        allocator->pfnFree(allocator->pUserData, block);
        return result;
    }
    const VkSpecializationInfo *specialization = infos->stage.pSpecializationInfo;
    assert_true((uint64_t)*pipelines < MAX_OBJECTS);
    assert_true(specialization->dataSize <= sizeof fake.pipelines[0].constants);
    fake.pipelines[(uint64_t)*pipelines].constant_count = (uint32_t)specialization->dataSize / 4;
    memcpy(fake.pipelines[(uint64_t)*pipelines].constants, specialization->pData,
           specialization->dataSize);
    keep_object("VkPipeline", (uint64_t)*pipelines, block);
    return VK_SUCCESS;
}

/* ---- Device ---- */

static VKAPI_ATTR void VKAPI_CALL
do_vkGetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties)
{
    STUB(vkGetPhysicalDeviceProperties)(device, properties);
    set_limits(&fake.device, properties);
}

static VKAPI_ATTR void VKAPI_CALL
do_vkGetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties)
{
    STUB(vkGetPhysicalDeviceProperties2)(device, properties);
    set_limits(&fake.device, &properties->properties);
    for (VkBaseOutStructure *next = properties->pNext; next; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV) {
            VkPhysicalDeviceShaderSMBuiltinsPropertiesNV *found = (void *)next;
            assert_int_not_equal(fake.device.sm_count, 0);
            found->shaderSMCount = fake.device.sm_count;
        }
        if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
            continue;
        VkPhysicalDeviceSubgroupProperties *subgroup = (void *)next;
        if (fake.device.group_path >= VKR_GROUP_PATH_SHUFFLE)
            subgroup->supportedOperations &= ~(uint32_t)VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
        if (fake.device.group_path >= VKR_GROUP_PATH_SHARED)
            subgroup->supportedOperations &= ~(uint32_t)VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL do_vkEnumerateDeviceExtensionProperties(
    VkPhysicalDevice device, const char *layer, uint32_t *count, VkExtensionProperties *properties)
{
    const uint32_t room = properties ? *count : 0;
    const VkResult result =
        STUB(vkEnumerateDeviceExtensionProperties)(device, layer, count, properties);
    const char *const more[] = {fake.device.metal ? "VK_KHR_portability_subset" : NULL,
                                fake.device.sm_count != 0 ? VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME
                                                          : NULL};
    for (uint32_t i = 0; i < ARRAY_SIZE(more); i++) {
        if (more[i] != NULL && room > *count)
            strcpy(properties[*count].extensionName, more[i]);
        *count += more[i] != NULL;
    }
    return result;
}

/* ---- Commands ---- */

static void keep_uniforms(descriptors *set, const VkWriteDescriptorSet *write)
{
    const VkDescriptorBufferInfo *info = write->pBufferInfo;
    const uint8_t *data = stub_data(info->buffer);
    assert_int_equal(write->dstBinding, VKR_BINDING_UNIFORMS);
    assert_int_equal(info->offset % STUB_UNIFORM_GRANULE, 0);
    assert_in_range(info->range, 4, sizeof set->uniforms);
    assert_non_null(data);
    memcpy(set->uniforms, data + info->offset, (size_t)info->range);
}

static void keep_bindings(descriptors *set, uint32_t count, const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(writes[i].descriptorCount, 1);
        if (writes[i].descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER) {
            assert_int_equal(writes[i].dstBinding, VKR_BINDING_TEXELS);
            set->texels = *writes[i].pTexelBufferView;
            continue;
        }
        if (writes[i].descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) {
            keep_uniforms(set, &writes[i]);
            continue;
        }
        /* Tests of commands do not depend on which image is bound. */
        if (writes[i].descriptorType == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
            writes[i].descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) {
            assert_true(writes[i].pImageInfo->imageView != VK_NULL_HANDLE);
            set->images++;
            continue;
        }
        assert_int_equal(writes[i].descriptorType, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
        assert_in_range(writes[i].dstBinding, 0, TRACE_BINDINGS - 1);
        set->buffers[writes[i].dstBinding] = *writes[i].pBufferInfo;
    }
}

static void take_set(const descriptors *set)
{
    memcpy(fake.next.bindings, set->buffers, sizeof fake.next.bindings);
    fake.next.texels = set->texels;
    fake.next.images = set->images;
    memcpy(fake.next.uniforms, set->uniforms, sizeof fake.next.uniforms);
}

static VKAPI_ATTR void VKAPI_CALL do_vkUpdateDescriptorSets(VkDevice device, uint32_t count,
                                                            const VkWriteDescriptorSet *writes,
                                                            uint32_t copy_count,
                                                            const VkCopyDescriptorSet *copies)
{
    STUB(vkUpdateDescriptorSets)(device, count, writes, copy_count, copies);
    assert_true((uint64_t)writes->dstSet < MAX_SETS);
    fake.sets[(uint64_t)writes->dstSet] = (descriptors){0}; /* one update per dispatch */
    keep_bindings(&fake.sets[(uint64_t)writes->dstSet], count, writes);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPushDescriptorSetKHR(VkCommandBuffer cmd,
                                                               VkPipelineBindPoint point,
                                                               VkPipelineLayout layout,
                                                               uint32_t set, uint32_t count,
                                                               const VkWriteDescriptorSet *writes)
{
    fixture.commands++;
    descriptors pushed = {0};
    keep_bindings(&pushed, count, writes);
    take_set(&pushed);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBindDescriptorSets(
    VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t first,
    uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
    assert_int_equal(first, 0);
    assert_int_equal(count, 1);
    fixture.commands++;
    take_set(&fake.sets[(uint64_t)sets[0]]);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBindPipeline(VkCommandBuffer cmd,
                                                       VkPipelineBindPoint point,
                                                       VkPipeline pipeline)
{
    fixture.commands++;
    assert_true((uint64_t)pipeline < MAX_OBJECTS);
    fake.next.constant_count = fake.pipelines[(uint64_t)pipeline].constant_count;
    memcpy(fake.next.constants, fake.pipelines[(uint64_t)pipeline].constants,
           sizeof fake.next.constants);
    memcpy(fake.next.kernel, fake.pipelines[(uint64_t)pipeline].kernel, sizeof fake.next.kernel);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPushConstants(VkCommandBuffer cmd,
                                                        VkPipelineLayout layout,
                                                        VkShaderStageFlags stages, uint32_t offset,
                                                        uint32_t size, const void *values)
{
    fixture.commands++;
    assert_int_equal(offset, 0);
    assert_in_range(size, 4, sizeof fake.next.words);
    memset(fake.next.words, 0, sizeof fake.next.words);
    memcpy(fake.next.words, values, size);
    fake.next.push_size = size;
}

/* A pipeline has the name of its kernel. */
static VKAPI_ATTR VkResult VKAPI_CALL
do_vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE)
        snprintf(fake.pipelines[info->objectHandle].kernel, TRACE_KERNEL, "%s", info->pObjectName);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer cmd,
                                                                  const VkDebugUtilsLabelEXT *label)
{
    fixture.commands++;
    fake.next.operation = (uint32_t)strtoul(label->pLabelName, NULL, 10);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer cmd)
{
    fixture.commands++;
}

/* No step of any recording may bind a larger range than the device or the context's limits
 * allow. */
static void check_ranges(const trace_dispatch *dispatch)
{
    const uint64_t device = OR(fake.device.range, 1u << 27);
    const uint64_t lowered = OR(fake.device.limits.maxStorageBufferRange, device);
    const uint64_t most = device < lowered ? device : lowered;
    for (uint32_t i = 0; i < TRACE_BINDINGS; i++)
        if (dispatch->bindings[i].buffer && dispatch->bindings[i].range > most)
            fail_msg("%s: binding %u is %llu bytes, above %llu", dispatch->kernel, i,
                     (unsigned long long)dispatch->bindings[i].range, (unsigned long long)most);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdDispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y,
                                                   uint32_t z)
{
    fixture.commands++;
    assert_true(fixture.dispatch_count < MAX_DISPATCHES);
    trace_dispatch *dispatch = &fixture.dispatches[fixture.dispatch_count++];
    *dispatch = fake.next;
    dispatch->groups[0] = x;
    dispatch->groups[1] = y;
    dispatch->groups[2] = z;
    check_ranges(dispatch);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPipelineBarrier(
    VkCommandBuffer cmd, VkPipelineStageFlags source, VkPipelineStageFlags destination,
    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
    const VkImageMemoryBarrier *images)
{
    const VkAccessFlags reads_writes = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    fixture.commands++;
    fixture.made_visible |= memory->dstAccessMask;
    assert_int_equal(memory_count, 1);
    assert_int_equal(buffer_count + image_count, 0);
    if (!(destination & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) ||
        (memory->dstAccessMask & reads_writes) != reads_writes)
        return;
    if ((source & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) &&
        (memory->srcAccessMask & VK_ACCESS_SHADER_WRITE_BIT))
        fake.next.epoch++;
    if ((source & VK_PIPELINE_STAGE_TRANSFER_BIT) &&
        (memory->srcAccessMask & VK_ACCESS_TRANSFER_WRITE_BIT))
        fake.next.filled = true;
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdFillBuffer(VkCommandBuffer cmd, VkBuffer buffer,
                                                     VkDeviceSize offset, VkDeviceSize size,
                                                     uint32_t data)
{
    fixture.commands++;
    assert_int_equal(data, 0);
    assert_true(fixture.fill_count < ARRAY_SIZE(fixture.fills));
    fixture.fills[fixture.fill_count++] = (VkrBufferRange){buffer, offset, size};
    fake.next.filled = false;
}

/* ---- Look-up ---- */

static PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device, const char *name);

/* clang-format off */
#define do_vkGetDeviceProcAddr get_device_function
#define ROW(name) {#name, (PFN_vkVoidFunction)do_##name}
static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} functions[] = {
    ROW(vkGetDeviceProcAddr), ROW(vkGetPhysicalDeviceProperties),
    ROW(vkEnumerateDeviceExtensionProperties),
    ROW(vkGetPhysicalDeviceProperties2), ROW(vkCreateBuffer), ROW(vkAllocateMemory),
    ROW(vkCreateShaderModule), ROW(vkCreateDescriptorSetLayout), ROW(vkCreatePipelineLayout),
    ROW(vkCreateDescriptorPool), ROW(vkCreateComputePipelines), ROW(vkDestroyBuffer),
    ROW(vkFreeMemory), ROW(vkDestroyShaderModule), ROW(vkDestroyDescriptorSetLayout),
    ROW(vkDestroyPipelineLayout), ROW(vkDestroyDescriptorPool), ROW(vkDestroyPipeline),
    ROW(vkUpdateDescriptorSets), ROW(vkCmdPushDescriptorSetKHR), ROW(vkCmdBindDescriptorSets),
    ROW(vkCmdBindPipeline), ROW(vkCmdPushConstants), ROW(vkSetDebugUtilsObjectNameEXT),
    ROW(vkCmdBeginDebugUtilsLabelEXT), ROW(vkCmdEndDebugUtilsLabelEXT), ROW(vkCmdDispatch),
    ROW(vkCmdPipelineBarrier), ROW(vkCmdFillBuffer),
};
/* clang-format on */

static PFN_vkVoidFunction VKAPI_CALL get_device_function(VkDevice device, const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return stub_get_device_proc_addr(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL trace_vulkan_function(VkInstance instance,
                                                               const char *name)
{
    if (fake.device.no_functions || (fake.device.no_debug_utils && strstr(name, "DebugUtils")))
        return NULL;
    return get_device_function(HANDLE(VkDevice), name);
}
