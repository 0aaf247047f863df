/* SPDX-License-Identifier: MIT */
/*
 * A layer that replaces shader modules, so that a mutant of a shader needs no build of the library.
 * VKR_SWAP=FROM=TO[:FROM=TO..] names files of SPIR-V: a pipeline whose module is FROM, or what the
 * library makes of FROM for the pipeline's constants, is created from TO instead. It supports one
 * instance and one device at a time.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "../../src/spirv/inline.h"
#include "../../src/spirv/prune.h"

#define MAX_SWAPS 64u
#define MAX_MODULES 64u /* number of modules that are remembered */

typedef struct code {
    uint32_t *words;
    size_t size;
} code;

static code from[MAX_SWAPS], to[MAX_SWAPS];
static uint32_t swaps;
static VkInstance the_instance;
static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static PFN_vkCreateShaderModule next_create;
static PFN_vkDestroyShaderModule next_destroy;
static PFN_vkCreateComputePipelines next_pipelines;

/* The modules that were created last; a pipeline is created from each soon afterwards. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    VkShaderModule handle;
    code code;
} modules[MAX_MODULES];
static uint32_t next_module;

/* ---- Files ---- */

static code read_code(const char *name)
{
    code c = {0};
    FILE *file = fopen(name, "rb");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        c.size = (size_t)ftell(file);
        c.words = malloc(c.size);
        rewind(file);
    }
    if (c.words == NULL || fread(c.words, 1, c.size, file) != c.size) {
        fprintf(stderr, "swap: %s cannot be read\n", name);
        abort();
    }
    fclose(file);
    return c;
}

static void read_swaps(void)
{
    const char *variable = getenv("VKR_SWAP");
    char *list = strdup(variable != NULL ? variable : "");
    char *rest = NULL;
    for (char *entry = strtok_r(list, ":", &rest); entry != NULL && swaps < MAX_SWAPS;
         entry = strtok_r(NULL, ":", &rest)) {
        char *target = strchr(entry, '=');
        if (target == NULL)
            continue;
        *target = '\0';
        from[swaps] = read_code(entry);
        to[swaps++] = read_code(target + 1);
    }
    free(list);
}

static void free_swaps(void)
{
    while (swaps > 0) {
        free(from[--swaps].words);
        free(to[swaps].words);
    }
}

/* ---- Vulkan ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *module)
{
    const VkResult result = next_create(device, info, allocator, module);
    code copy = {malloc(info->codeSize), info->codeSize};
    if (result != VK_SUCCESS || copy.words == NULL) {
        free(copy.words);
        return result;
    }
    memcpy(copy.words, info->pCode, info->codeSize);
    pthread_mutex_lock(&lock);
    const uint32_t i = next_module++ % MAX_MODULES;
    free(modules[i].code.words);
    modules[i].handle = *module;
    modules[i].code = copy;
    pthread_mutex_unlock(&lock);
    return result;
}

/* Whether a module is a swap's FROM, as the library rewrites it for these constants. */
static bool is_left_of(uint32_t swap, const VkSpecializationInfo *constants, const code *module)
{
    size_t count = from[swap].size / sizeof(uint32_t);
    const size_t prunes = vkr_prune_size(from[swap].words, count);
    const size_t inlines = vkr_inline_size(from[swap].words, count);
    char *memory = malloc(prunes + inlines);
    if (memory == NULL)
        abort();
    const uint32_t *left =
        vkr_prune(from[swap].words, &count, constants->pData, constants->mapEntryCount, memory);
    void *again = NULL;
    if (left != NULL) {
        left = vkr_inline(left, &count, memory + prunes, inlines);
        again = malloc(vkr_prune_size(left, count));
        if (again == NULL)
            abort();
        left = vkr_prune(left, &count, constants->pData, constants->mapEntryCount, again);
    }
    if (left == NULL) /* the library uses the module as it was built */
        left = from[swap].words;
    const bool same =
        count * sizeof(uint32_t) == module->size && memcmp(left, module->words, module->size) == 0;
    free(again);
    free(memory);
    return same;
}

/* The swap for a pipeline's stage, or MAX_SWAPS. */
static uint32_t swap_of(const VkPipelineShaderStageCreateInfo *stage)
{
    uint32_t found = MAX_SWAPS;
    pthread_mutex_lock(&lock);
    for (uint32_t m = 0; m < MAX_MODULES && stage->pSpecializationInfo != NULL; m++) {
        if (modules[m].handle != stage->module || modules[m].code.words == NULL)
            continue;
        for (uint32_t i = 0; i < swaps; i++)
            if (is_left_of(i, stage->pSpecializationInfo, &modules[m].code))
                found = i;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* Calls for several pipelines are passed on, since the library creates one at a time. */
static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines)
{
    const uint32_t i = count == 1 ? swap_of(&infos->stage) : MAX_SWAPS;
    if (i == MAX_SWAPS)
        return next_pipelines(device, cache, count, infos, allocator, pipelines);
    VkComputePipelineCreateInfo other = *infos;
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = to[i].size,
                                           .pCode = to[i].words};
    VkResult result = next_create(device, &info, NULL, &other.stage.module);
    if (result != VK_SUCCESS)
        return result;
    result = next_pipelines(device, cache, 1, &other, allocator, pipelines);
    next_destroy(device, other.stage.module, NULL);
    return result;
}

/* Takes this layer's link from the list that the loader has chained, so that the next layer finds
 * its own one first. */
static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
    while (link != NULL && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                            link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
    if (link == NULL)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    free_swaps();
    read_swaps();
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)next_instance(VK_NULL_HANDLE, "vkCreateInstance");
    const VkResult result = create(info, allocator, instance);
    the_instance = *instance;
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)info->pNext;
    while (link != NULL && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                            link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)(uintptr_t)link->pNext;
    if (link == NULL)
        return VK_ERROR_INITIALIZATION_FAILED;
    const VkLayerDeviceLink *own = link->u.pLayerInfo;
    link->u.pLayerInfo = own->pNext;
    next_device = own->pfnNextGetDeviceProcAddr;
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)own->pfnNextGetInstanceProcAddr(the_instance, "vkCreateDevice");
    const VkResult result = create(physical, info, allocator, device);
    if (result == VK_SUCCESS) {
        next_create = (PFN_vkCreateShaderModule)next_device(*device, "vkCreateShaderModule");
        next_destroy = (PFN_vkDestroyShaderModule)next_device(*device, "vkDestroyShaderModule");
        next_pipelines =
            (PFN_vkCreateComputePipelines)next_device(*device, "vkCreateComputePipelines");
    }
    return result;
}

/* ---- Names ---- */

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_device_proc;
    if (strcmp(name, "vkCreateShaderModule") == 0)
        return (PFN_vkVoidFunction)create_module;
    if (strcmp(name, "vkCreateComputePipelines") == 0)
        return (PFN_vkVoidFunction)create_pipelines;
    return next_device(device, name);
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } rows[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_proc},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkCreateShaderModule", (PFN_vkVoidFunction)create_module},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(name, rows[i].name) == 0)
            return rows[i].function;
    return next_instance != NULL ? next_instance(instance, name) : NULL;
}

VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    if (interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = get_instance_proc;
    interface->pfnGetDeviceProcAddr = get_device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
