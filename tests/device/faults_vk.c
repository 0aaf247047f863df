/* SPDX-License-Identifier: MIT */
#include "faults_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define GARBAGE(Type) ((Type)(uintptr_t)0xbad0bad0u)

#define ENTRY_ROW(function, is_courtesy, ...)                                                      \
    [ENTRY_##function] = {.name = #function, .courtesy = is_courtesy, .documented = {__VA_ARGS__}},
const faults_entry faults_entries[FAULTS_ENTRY_COUNT] = {FAULTS_ENTRIES(ENTRY_ROW)};

faults_state faults;

/* ---- Functions with a VkResult ---- */

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice physical_device,
                                                           const char *layer, uint32_t *count,
                                                           VkExtensionProperties *properties)
{
    const VkResult result = faults_inject(ENTRY_vkEnumerateDeviceExtensionProperties);
    if (result == VK_INCOMPLETE && properties)
        --*count; /* as if an extension had appeared after the caller asked for the number */
    if (result == VK_SUCCESS || result == VK_INCOMPLETE)
        return vkEnumerateDeviceExtensionProperties(physical_device, layer, count, properties);
    *count = 0xbad0bad0u;
    return result;
}

#define CREATE(function, Info, Type)                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL faulty_##function(                                       \
        VkDevice device, const Info *info, const VkAllocationCallbacks *callbacks, Type *out)      \
    {                                                                                              \
        VkResult result = faults_inject(ENTRY_##function);                                         \
        *out = GARBAGE(Type);                                                                      \
        faults_check_callbacks(callbacks, #function);                                              \
        if (result == VK_SUCCESS)                                                                  \
            result = THROUGH(function, function(device, info, callbacks, out));                    \
        if (result == VK_SUCCESS)                                                                  \
            faults_born(#Type, (uint64_t)*out);                                                    \
        return result;                                                                             \
    }
CREATE(vkCreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout)
CREATE(vkCreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout)
CREATE(vkCreateBuffer, VkBufferCreateInfo, VkBuffer)
CREATE(vkAllocateMemory, VkMemoryAllocateInfo, VkDeviceMemory)
CREATE(vkCreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool)
CREATE(vkCreateShaderModule, VkShaderModuleCreateInfo, VkShaderModule)
CREATE(vkCreateBufferView, VkBufferViewCreateInfo, VkBufferView)
CREATE(vkCreateFence, VkFenceCreateInfo, VkFence)

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkShaderModule *module)
{
    const VkResult result = faulty_vkCreateShaderModule(device, info, callbacks, module);
    if (result == VK_SUCCESS)
        faults_find("VkShaderModule", (uint64_t)*module)->code = faults_hash(info);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *callbacks,
                                                       VkPipeline *pipelines)
{
    const VkResult result = faults_inject(ENTRY_vkCreateComputePipelines);
    *pipelines = VK_NULL_HANDLE; /* as the specification requires */
    faults_check_callbacks(callbacks, "vkCreateComputePipelines");
    if (count != 1)
        faults_trouble("vkCreateComputePipelines gets something that the test does not know");
    if (result != VK_SUCCESS)
        return result;
    const VkPipeline twin = faults_twin(device, cache, infos);
    return twin ? THROUGH(vkCreateComputePipelines, faults_hand_out(twin, pipelines))
                : VK_ERROR_UNKNOWN;
}

static VKAPI_ATTR VkResult VKAPI_CALL bind_memory(VkDevice device, VkBuffer buffer,
                                                  VkDeviceMemory memory, VkDeviceSize offset)
{
    const VkResult result = faults_inject(ENTRY_vkBindBufferMemory);
    return result == VK_SUCCESS ? vkBindBufferMemory(device, buffer, memory, offset) : result;
}

/* Drivers crash when a command runs out of memory, so command pools do not use the plan's heap. */
static VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice device,
                                                  const VkCommandPoolCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks,
                                                  VkCommandPool *pool)
{
    VkResult result = faults_inject(ENTRY_vkCreateCommandPool);
    *pool = GARBAGE(VkCommandPool);
    faults_check_callbacks(callbacks, "vkCreateCommandPool");
    if (result == VK_SUCCESS)
        result = vkCreateCommandPool(device, info, NULL, pool);
    if (result == VK_SUCCESS)
        faults_born("VkCommandPool", (uint64_t)*pool);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_pool(VkDevice device, VkCommandPool pool,
                                               const VkAllocationCallbacks *callbacks)
{
    faults_check_callbacks(callbacks, "vkDestroyCommandPool");
    if (faults_dies("VkCommandPool", (uint64_t)pool))
        vkDestroyCommandPool(device, pool, NULL);
}

/* These functions fail before the driver is called. */
#define PASS(function, parameters, arguments)                                                      \
    static VKAPI_ATTR VkResult VKAPI_CALL faulty_##function parameters                             \
    {                                                                                              \
        const VkResult result = faults_inject(ENTRY_##function);                                   \
        return result == VK_SUCCESS ? THROUGH(function, function arguments) : result;              \
    }
PASS(vkMapMemory,
     (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
      VkMemoryMapFlags flags, void **data),
     (device, memory, offset, size, flags, data))
PASS(vkAllocateCommandBuffers,
     (VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers),
     (device, info, buffers))
PASS(vkResetCommandPool, (VkDevice device, VkCommandPool pool, VkCommandPoolResetFlags flags),
     (device, pool, flags))
PASS(vkBeginCommandBuffer, (VkCommandBuffer cmd, const VkCommandBufferBeginInfo *info), (cmd, info))
PASS(vkEndCommandBuffer, (VkCommandBuffer cmd), (cmd))
PASS(vkResetFences, (VkDevice device, uint32_t count, const VkFence *fences),
     (device, count, fences))
PASS(vkQueueSubmit, (VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence),
     (queue, count, infos, fence))

/* Waits for the driver to finish, since resources of a lost device are freed next. */
static VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count,
                                                      const VkFence *fences, VkBool32 all,
                                                      uint64_t timeout)
{
    const VkResult waited = vkWaitForFences(device, count, fences, all, timeout);
    const VkResult result = faults_inject(ENTRY_vkWaitForFences);
    return result == VK_SUCCESS ? waited : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_sets(VkDevice device,
                                                    const VkDescriptorSetAllocateInfo *info,
                                                    VkDescriptorSet *sets)
{
    const VkResult result = faults_inject(ENTRY_vkAllocateDescriptorSets);
    if (result == VK_SUCCESS)
        return THROUGH(vkAllocateDescriptorSets, vkAllocateDescriptorSets(device, info, sets));
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        sets[i] = VK_NULL_HANDLE; /* as the specification requires */
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device,
                                               const VkDebugUtilsObjectNameInfoEXT *info)
{
    (void)device;
    if (!info->objectHandle || !info->pObjectName)
        faults_trouble("vkSetDebugUtilsObjectNameEXT gets no object or no name");
    return faults_inject(ENTRY_vkSetDebugUtilsObjectNameEXT);
}

/* ---- Functions that cannot fail ---- */

#define DESTROY(function, Type)                                                                    \
    static VKAPI_ATTR void VKAPI_CALL watched_##function(VkDevice device, Type object,             \
                                                         const VkAllocationCallbacks *callbacks)   \
    {                                                                                              \
        faults_check_callbacks(callbacks, #function);                                              \
        if (faults_dies(#Type, (uint64_t)object))                                                  \
            function(device, object, callbacks);                                                   \
    }
DESTROY(vkDestroyDescriptorSetLayout, VkDescriptorSetLayout)
DESTROY(vkDestroyPipelineLayout, VkPipelineLayout)
DESTROY(vkDestroyShaderModule, VkShaderModule)
DESTROY(vkDestroyBuffer, VkBuffer)
DESTROY(vkFreeMemory, VkDeviceMemory)
DESTROY(vkDestroyDescriptorPool, VkDescriptorPool)
DESTROY(vkDestroyBufferView, VkBufferView)
DESTROY(vkDestroyFence, VkFence)

static VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice device, VkPipeline pipeline,
                                                   const VkAllocationCallbacks *callbacks)
{
    (void)device;
    faults_check_callbacks(callbacks, "vkDestroyPipeline");
    faults_dies("VkPipeline", (uint64_t)pipeline);
}

#define COMMAND(function, parameters, arguments)                                                   \
    static VKAPI_ATTR void VKAPI_CALL counted_##function parameters                                \
    {                                                                                              \
        faults.commands++;                                                                         \
        function arguments;                                                                        \
    }
COMMAND(vkCmdFillBuffer,
        (VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
         uint32_t data),
        (cmd, buffer, offset, size, data))
COMMAND(vkCmdPipelineBarrier,
        (VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
         VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
         uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
         const VkImageMemoryBarrier *images),
        (cmd, from, to, flags, memory_count, memory, buffer_count, buffers, image_count, images))
COMMAND(vkCmdBindDescriptorSets,
        (VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t first,
         uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count,
         const uint32_t *offsets),
        (cmd, point, layout, first, count, sets, offset_count, offsets))
COMMAND(vkCmdPushDescriptorSetKHR,
        (VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t set,
         uint32_t count, const VkWriteDescriptorSet *writes),
        (cmd, point, layout, set, count, writes))
COMMAND(vkCmdPushConstants,
        (VkCommandBuffer cmd, VkPipelineLayout layout, VkShaderStageFlags stages, uint32_t offset,
         uint32_t size, const void *values),
        (cmd, layout, stages, offset, size, values))
COMMAND(vkCmdDispatch, (VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z), (cmd, x, y, z))

static VKAPI_ATTR void VKAPI_CALL bind_pipeline(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                                VkPipeline pipeline)
{
    faults.commands++;
    if (faults_find("VkPipeline", (uint64_t)pipeline))
        vkCmdBindPipeline(cmd, point, pipeline);
    else
        faults_trouble("vkCmdBindPipeline gets a pipeline that does not live");
}

static VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT *info)
{
    (void)cmd;
    (void)info;
    faults.commands++;
}

static VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer cmd)
{
    (void)cmd;
    faults.commands++;
}

/* Replaces every function that is not listed above. */
static VKAPI_ATTR void VKAPI_CALL unknown(void)
{
    printf("Bail out! The library calls a function that tests/device/faults_vk.c does not know.\n");
    fflush(stdout);
    abort();
}

/* ---- The function table ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device,
                                                                     const char *name);

#define ROW(function, replacement)                                                                 \
    {                                                                                              \
#function, (PFN_vkVoidFunction)(replacement)                                               \
    }
#define NAMED(prefix, function) ROW(function, prefix##_##function)
static const struct {
    const char *name;
    PFN_vkVoidFunction function; /* NULL: the driver's own */
} functions[] = {
    ROW(vkEnumerateDeviceExtensionProperties, enumerate_extensions),
    NAMED(faulty, vkCreateDescriptorSetLayout),
    NAMED(faulty, vkCreatePipelineLayout),
    ROW(vkCreateShaderModule, create_module),
    ROW(vkCreateComputePipelines, create_pipelines),
    NAMED(faulty, vkCreateBuffer),
    NAMED(faulty, vkAllocateMemory),
    ROW(vkBindBufferMemory, bind_memory),
    NAMED(faulty, vkCreateDescriptorPool),
    ROW(vkAllocateDescriptorSets, allocate_sets),
    ROW(vkSetDebugUtilsObjectNameEXT, set_name),
    NAMED(watched, vkDestroyDescriptorSetLayout),
    NAMED(watched, vkDestroyPipelineLayout),
    NAMED(watched, vkDestroyShaderModule),
    NAMED(watched, vkDestroyBuffer),
    NAMED(watched, vkFreeMemory),
    NAMED(watched, vkDestroyDescriptorPool),
    NAMED(faulty, vkMapMemory),
    NAMED(faulty, vkCreateBufferView),
    ROW(vkCreateCommandPool, create_pool),
    NAMED(faulty, vkAllocateCommandBuffers),
    NAMED(faulty, vkCreateFence),
    NAMED(faulty, vkResetCommandPool),
    NAMED(faulty, vkBeginCommandBuffer),
    NAMED(faulty, vkEndCommandBuffer),
    NAMED(faulty, vkResetFences),
    NAMED(faulty, vkQueueSubmit),
    ROW(vkWaitForFences, wait_for_fences),
    NAMED(watched, vkDestroyBufferView),
    ROW(vkDestroyCommandPool, destroy_pool),
    NAMED(watched, vkDestroyFence),
    ROW(vkDestroyPipeline, destroy_pipeline),
    NAMED(counted, vkCmdFillBuffer),
    NAMED(counted, vkCmdPipelineBarrier),
    NAMED(counted, vkCmdBindDescriptorSets),
    NAMED(counted, vkCmdPushDescriptorSetKHR),
    NAMED(counted, vkCmdPushConstants),
    NAMED(counted, vkCmdDispatch),
    ROW(vkCmdBindPipeline, bind_pipeline),
    ROW(vkCmdBeginDebugUtilsLabelEXT, begin_label),
    ROW(vkCmdEndDebugUtilsLabelEXT, end_label),
    ROW(vkGetDeviceProcAddr, get_device_proc_addr),
    ROW(vkGetPhysicalDeviceProperties, NULL),
    ROW(vkGetPhysicalDeviceProperties2, NULL),
    ROW(vkGetPhysicalDeviceFeatures2, NULL),
    ROW(vkGetPhysicalDeviceMemoryProperties, NULL),
    ROW(vkGetPhysicalDeviceQueueFamilyProperties, NULL),
    ROW(vkGetBufferMemoryRequirements, NULL),
    ROW(vkUpdateDescriptorSets, NULL),
};

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faults_get_instance_proc_addr(VkInstance instance,
                                                                       const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function ? functions[i].function
                                         : vkGetInstanceProcAddr(instance, name);
    return unknown;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device,
                                                                     const char *name)
{
    const PFN_vkVoidFunction function = faults_get_instance_proc_addr(VK_NULL_HANDLE, name);
    return function ? function : vkGetDeviceProcAddr(device, name);
}

/* ---- Lives ---- */

void faults_start(const harness *h, const faults_plan *plan)
{
    faults_device = h->device;
    faults = (faults_state){.plan = *plan,
                            .heap = faults.heap,
                            .group = faults.group,
                            .objects = faults.objects,
                            .blocks = faults.blocks};
}
