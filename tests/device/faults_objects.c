/* SPDX-License-Identifier: MIT */
#include "faults_objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

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

static bool in_driver; /* a call of the driver is in progress */
static bool is_hit;    /* the plan's allocation occurred during that call */

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

/* Always moves the block, so that code that relies on the old address fails. */
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

const VkAllocationCallbacks *faults_check_callbacks(const VkAllocationCallbacks *callbacks,
                                                    const char *function)
{
    const bool right = faults.heap ? callbacks && callbacks->pfnFree == release : !callbacks;
    if (!right)
        faults_trouble("%s does not get the context's callbacks", function);
    return callbacks;
}

/* ---- Live objects ---- */

/* A pipeline that outlives contexts, and the info it was created from. */
static struct twin {
    uint32_t group;
    uint64_t code; /* a hash, since the words themselves are freed */
    size_t size;
    uint32_t constants[16];
    VkPipeline pipeline;
} twins[256];

static faults_object objects[1024];
static uint32_t twin_count;
VkDevice faults_device;

faults_object *faults_find(const char *kind, uint64_t handle)
{
    for (uint32_t i = 0; i < faults.objects; i++)
        if (objects[i].handle == handle && strcmp(objects[i].kind, kind) == 0)
            return &objects[i];
    return NULL;
}

faults_object *faults_born(const char *kind, uint64_t handle)
{
    if (faults.objects == ARRAY_SIZE(objects))
        abort();
    faults_object *object = &objects[faults.objects++];
    *object = (faults_object){.kind = kind, .handle = handle};
    return object;
}

bool faults_dies(const char *kind, uint64_t handle)
{
    faults_object *object = faults_find(kind, handle);
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

/* ---- Calls ---- */

VkResult faults_inject(uint32_t entry)
{
    const faults_plan *plan = &faults.plan;
    const uint32_t n = faults.calls[entry]++;
    faults.all_calls++;
    if (entry != plan->entry || n < plan->nth || (n > plan->nth && !plan->forever))
        return VK_SUCCESS;
    faults.fired++;
    return plan->result;
}

VkResult faults_through(const char *function, VkResult result)
{
    if (is_hit) {
        faults.driver_call = function;
        faults.driver_result = result;
    }
    in_driver = is_hit = false;
    return result;
}

void faults_enter_driver(void)
{
    in_driver = true;
}

/* ---- Pipelines ---- */

uint64_t faults_hash(const VkShaderModuleCreateInfo *info)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < info->codeSize / sizeof(uint32_t); i++)
        hash = (hash ^ info->pCode[i]) * 1099511628211u;
    return hash;
}

VkPipeline faults_twin(VkDevice device, VkPipelineCache cache,
                       const VkComputePipelineCreateInfo *info)
{
    const VkSpecializationInfo *constants = info->stage.pSpecializationInfo;
    const faults_object *module = faults_find("VkShaderModule", (uint64_t)info->stage.module);
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

VkResult faults_hand_out(VkPipeline twin, VkPipeline *pipeline)
{
    void *own = NULL;
    if (faults.heap) {
        own = allocate(NULL, 64, 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
        if (!own)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    faults_born("VkPipeline", (uint64_t)twin)->block = own;
    *pipeline = twin;
    return VK_SUCCESS;
}

void faults_close(void)
{
    while (twin_count > 0)
        vkDestroyPipeline(faults_device, twins[--twin_count].pipeline, NULL);
}
