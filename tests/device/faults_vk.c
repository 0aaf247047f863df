/* SPDX-License-Identifier: MIT */
#include "faults_vk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define GARBAGE(Type) ((Type)(uintptr_t)0xbad0bad0u)

#define ENTRY_ROW(function, is_courtesy, ...)                                                      \
    [ENTRY_##function] = {.name = #function, .courtesy = is_courtesy, .documented = {__VA_ARGS__}},
const faults_entry faults_entries[FAULTS_ENTRY_COUNT] = {FAULTS_ENTRIES(ENTRY_ROW)};

faults_state faults;

#define NAME(result)                                                                               \
    {                                                                                              \
        result, #result                                                                            \
    }
static const struct {
    VkResult result;
    const char *name;
} names[] = {
    NAME(VK_INCOMPLETE),
    NAME(VK_TIMEOUT),
    NAME(VK_ERROR_MEMORY_MAP_FAILED),
    NAME(VK_PIPELINE_COMPILE_REQUIRED),
    NAME(VK_ERROR_OUT_OF_HOST_MEMORY),
    NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY),
    NAME(VK_ERROR_DEVICE_LOST),
    NAME(VK_ERROR_LAYER_NOT_PRESENT),
    NAME(VK_ERROR_FRAGMENTED_POOL),
    NAME(VK_ERROR_UNKNOWN),
    NAME(VK_ERROR_OUT_OF_POOL_MEMORY),
    NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE),
    NAME(VK_ERROR_FRAGMENTATION),
    NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS),
    NAME(VK_ERROR_VALIDATION_FAILED_EXT),
    NAME(VK_ERROR_INVALID_SHADER_NV),
};

const char *faults_result_name(VkResult result)
{
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (names[i].result == result)
            return names[i].name;
    return "VkResult -12345";
}

void faults_trouble(const char *format, ...)
{
    va_list arguments;
    if (faults.trouble[0])
        return;
    va_start(arguments, format);
    vsnprintf(faults.trouble, sizeof faults.trouble, format, arguments);
    va_end(arguments);
}

/* ---- The heap ---- */

/* The header of every block. */
typedef struct block {
    void *start; /* for free() */
    size_t size;
    uint64_t mark;
} block;
#define LIVE_MARK 0x5a5a1234c3c3f00du

static bool in_driver; /* a call of the driver is under way */
static bool is_hit;    /* that call contained the plan's allocation */

static block *block_of(void *pointer, const char *callback)
{
    block *b = (block *)pointer - 1;
    if (b->mark == LIVE_MARK)
        return b;
    faults_trouble("%s got a pointer that is no live block", callback);
    return NULL;
}

static bool is_denied(void)
{
    if (faults.allocations++ != faults.plan.allocation)
        return false;
    faults.fired++;
    is_hit = in_driver;
    return true;
}

static VKAPI_ATTR void *VKAPI_CALL allocate(void *data, size_t size, size_t alignment,
                                            VkSystemAllocationScope scope)
{
    (void)data;
    (void)scope;
    if (is_denied())
        return NULL;
    const size_t room = (sizeof(block) + alignment - 1) / alignment * alignment;
    void *start;
    if (posix_memalign(&start, alignment < sizeof(void *) ? sizeof(void *) : alignment,
                       room + size))
        abort();
    char *pointer = (char *)start + room;
    memset(pointer, 0xa5, size);
    *((block *)(void *)pointer - 1) = (block){start, size, LIVE_MARK};
    faults.blocks++;
    return pointer;
}

static VKAPI_ATTR void VKAPI_CALL release(void *data, void *pointer)
{
    (void)data;
    block *b = pointer ? block_of(pointer, "pfnFree") : NULL;
    if (!b)
        return;
    b->mark = 0;
    faults.blocks--;
    free(b->start);
}

/* Always moves the block, so that nobody relies on the old address. */
static VKAPI_ATTR void *VKAPI_CALL reallocate(void *data, void *old, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    const block *b = old ? block_of(old, "pfnReallocation") : NULL;
    void *pointer = allocate(data, size, alignment, scope);
    if (pointer && b) {
        memcpy(pointer, old, b->size < size ? b->size : size);
        release(data, old);
    }
    return pointer;
}

const VkAllocationCallbacks faults_heap = {
    .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = release};

static const VkAllocationCallbacks *checked(const VkAllocationCallbacks *callbacks,
                                            const char *function)
{
    const bool right = faults.heap ? callbacks && callbacks->pfnFree == release : !callbacks;
    if (!right)
        faults_trouble("%s does not get the context's callbacks", function);
    return callbacks;
}

/* ---- What lives ---- */

/* A pipeline that outlives contexts, and what it was made from. */
static struct twin {
    uint32_t group;
    uint64_t code; /* a hash: the words themselves are gone by then */
    size_t size;
    uint32_t constants[16];
    VkPipeline pipeline;
} twins[192];

static struct object {
    const char *kind;
    uint64_t handle;
    uint64_t code; /* of a shader module: hash_of_code */
    void *block;   /* that the driver would hold for a pipeline, or NULL */
} objects[1024];
static uint32_t twin_count;
static VkDevice twins_device;

static struct object *find(const char *kind, uint64_t handle)
{
    for (uint32_t i = 0; i < faults.objects; i++)
        if (objects[i].handle == handle && strcmp(objects[i].kind, kind) == 0)
            return &objects[i];
    return NULL;
}

static struct object *born(const char *kind, uint64_t handle)
{
    if (faults.objects == ARRAY_SIZE(objects))
        abort();
    struct object *object = &objects[faults.objects++];
    *object = (struct object){.kind = kind, .handle = handle};
    return object;
}

/* Notes that an object is destroyed. Returns whether the driver may see the call. */
static bool dies(const char *kind, uint64_t handle)
{
    struct object *object = find(kind, handle);
    if (handle == 0)
        return false;
    if (!object) {
        faults_trouble("a %s is destroyed that does not live", kind);
        return false;
    }
    release(NULL, object->block);
    *object = objects[--faults.objects];
    return true;
}

/* ---- Functions with a VkResult ---- */

/* Returns VK_SUCCESS, or the code that the call must fail with. */
static VkResult inject(uint32_t entry)
{
    const faults_plan *plan = &faults.plan;
    const uint32_t n = faults.calls[entry]++;
    faults.all_calls++;
    if (entry != plan->entry || n < plan->nth || (n > plan->nth && !plan->forever))
        return VK_SUCCESS;
    faults.fired++;
    return plan->result;
}

static VkResult through(const char *function, VkResult result)
{
    if (is_hit) {
        faults.driver_call = function;
        faults.driver_result = result;
    }
    in_driver = is_hit = false;
    return result;
}

/* Calls the driver. Failures of the heap during the call count as the driver's. */
#define THROUGH(function, call) (in_driver = true, through(#function, call))

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice physical_device,
                                                           const char *layer, uint32_t *count,
                                                           VkExtensionProperties *properties)
{
    const VkResult result = inject(ENTRY_vkEnumerateDeviceExtensionProperties);
    if (result == VK_INCOMPLETE && properties)
        --*count; /* as if an extension had appeared since the caller asked for the number */
    if (result == VK_SUCCESS || result == VK_INCOMPLETE)
        return vkEnumerateDeviceExtensionProperties(physical_device, layer, count, properties);
    *count = 0xbad0bad0u;
    return result;
}

#define CREATE(function, Info, Type)                                                               \
    static VKAPI_ATTR VkResult VKAPI_CALL faulty_##function(                                       \
        VkDevice device, const Info *info, const VkAllocationCallbacks *callbacks, Type *out)      \
    {                                                                                              \
        VkResult result = inject(ENTRY_##function);                                                \
        *out = GARBAGE(Type);                                                                      \
        checked(callbacks, #function);                                                             \
        if (result == VK_SUCCESS)                                                                  \
            result = THROUGH(function, function(device, info, callbacks, out));                    \
        if (result == VK_SUCCESS)                                                                  \
            born(#Type, (uint64_t)*out);                                                           \
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

/* FNV-1a, by words: what tells kernels apart. */
static uint64_t hash_of_code(const VkShaderModuleCreateInfo *info)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < info->codeSize / sizeof(uint32_t); i++)
        hash = (hash ^ info->pCode[i]) * 1099511628211u;
    return hash;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkShaderModule *module)
{
    const VkResult result = faulty_vkCreateShaderModule(device, info, callbacks, module);
    if (result == VK_SUCCESS)
        find("VkShaderModule", (uint64_t)*module)->code = hash_of_code(info);
    return result;
}

static VkPipeline get_twin(VkDevice device, VkPipelineCache cache,
                           const VkComputePipelineCreateInfo *info)
{
    const VkSpecializationInfo *constants = info->stage.pSpecializationInfo;
    const struct object *module = find("VkShaderModule", (uint64_t)info->stage.module);
    if (!module || constants->dataSize > sizeof twins[0].constants ||
        twin_count == ARRAY_SIZE(twins)) {
        faults_trouble("vkCreateComputePipelines gets something that the test does not know");
        return VK_NULL_HANDLE;
    }
    struct twin *wanted = &twins[twin_count];
    *wanted =
        (struct twin){.group = faults.group, .code = module->code, .size = constants->dataSize};
    memcpy(wanted->constants, constants->pData, constants->dataSize);
    for (uint32_t i = 0; i < twin_count; i++)
        if (twins[i].group == wanted->group && twins[i].code == wanted->code &&
            twins[i].size == wanted->size &&
            memcmp(twins[i].constants, wanted->constants, wanted->size) == 0)
            return twins[i].pipeline;
    if (vkCreateComputePipelines(device, cache, 1, info, NULL, &wanted->pipeline) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    twin_count++;
    return wanted->pipeline;
}

/* Stands for the driver, which would allocate the pipeline on the context's heap. */
static VkResult hand_out(VkPipeline twin, VkPipeline *pipeline)
{
    void *own = NULL;
    if (faults.heap) {
        own = allocate(NULL, 64, 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
        if (!own)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    born("VkPipeline", (uint64_t)twin)->block = own;
    *pipeline = twin;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *callbacks,
                                                       VkPipeline *pipelines)
{
    const VkResult result = inject(ENTRY_vkCreateComputePipelines);
    *pipelines = VK_NULL_HANDLE; /* the specification says so */
    checked(callbacks, "vkCreateComputePipelines");
    if (count != 1)
        faults_trouble("vkCreateComputePipelines gets something that the test does not know");
    if (result != VK_SUCCESS)
        return result;
    const VkPipeline twin = get_twin(device, cache, infos);
    return twin ? THROUGH(vkCreateComputePipelines, hand_out(twin, pipelines)) : VK_ERROR_UNKNOWN;
}

static VKAPI_ATTR VkResult VKAPI_CALL bind_memory(VkDevice device, VkBuffer buffer,
                                                  VkDeviceMemory memory, VkDeviceSize offset)
{
    const VkResult result = inject(ENTRY_vkBindBufferMemory);
    return result == VK_SUCCESS ? vkBindBufferMemory(device, buffer, memory, offset) : result;
}

/* Drivers crash where memory for a command runs out, so command pools do not use the plan's
 * heap. */
static VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice device,
                                                  const VkCommandPoolCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks,
                                                  VkCommandPool *pool)
{
    VkResult result = inject(ENTRY_vkCreateCommandPool);
    *pool = GARBAGE(VkCommandPool);
    checked(callbacks, "vkCreateCommandPool");
    if (result == VK_SUCCESS)
        result = vkCreateCommandPool(device, info, NULL, pool);
    if (result == VK_SUCCESS)
        born("VkCommandPool", (uint64_t)*pool);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_pool(VkDevice device, VkCommandPool pool,
                                               const VkAllocationCallbacks *callbacks)
{
    checked(callbacks, "vkDestroyCommandPool");
    if (dies("VkCommandPool", (uint64_t)pool))
        vkDestroyCommandPool(device, pool, NULL);
}

/* These functions fail before the driver is called. */
#define PASS(function, parameters, arguments)                                                      \
    static VKAPI_ATTR VkResult VKAPI_CALL faulty_##function parameters                             \
    {                                                                                              \
        const VkResult result = inject(ENTRY_##function);                                          \
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

/* Waits until the driver has ended the work, since what a lost device uses is freed. */
static VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count,
                                                      const VkFence *fences, VkBool32 all,
                                                      uint64_t timeout)
{
    const VkResult waited = vkWaitForFences(device, count, fences, all, timeout);
    const VkResult result = inject(ENTRY_vkWaitForFences);
    return result == VK_SUCCESS ? waited : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_sets(VkDevice device,
                                                    const VkDescriptorSetAllocateInfo *info,
                                                    VkDescriptorSet *sets)
{
    const VkResult result = inject(ENTRY_vkAllocateDescriptorSets);
    if (result == VK_SUCCESS)
        return THROUGH(vkAllocateDescriptorSets, vkAllocateDescriptorSets(device, info, sets));
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        sets[i] = VK_NULL_HANDLE; /* the specification says so */
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device,
                                               const VkDebugUtilsObjectNameInfoEXT *info)
{
    (void)device;
    if (!info->objectHandle || !info->pObjectName)
        faults_trouble("vkSetDebugUtilsObjectNameEXT gets no object or no name");
    return inject(ENTRY_vkSetDebugUtilsObjectNameEXT);
}

/* ---- Functions that cannot fail ---- */

#define DESTROY(function, Type)                                                                    \
    static VKAPI_ATTR void VKAPI_CALL watched_##function(VkDevice device, Type object,             \
                                                         const VkAllocationCallbacks *callbacks)   \
    {                                                                                              \
        checked(callbacks, #function);                                                             \
        if (dies(#Type, (uint64_t)object))                                                         \
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
    checked(callbacks, "vkDestroyPipeline");
    dies("VkPipeline", (uint64_t)pipeline);
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
    if (find("VkPipeline", (uint64_t)pipeline))
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

/* Stands for every function that has no place above. */
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
    twins_device = h->device;
    faults = (faults_state){.plan = *plan,
                            .heap = faults.heap,
                            .group = faults.group,
                            .objects = faults.objects,
                            .blocks = faults.blocks};
}

void faults_close(void)
{
    while (twin_count > 0)
        vkDestroyPipeline(twins_device, twins[--twin_count].pipeline, NULL);
}
