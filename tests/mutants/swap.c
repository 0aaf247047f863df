/* SPDX-License-Identifier: MIT */
/*
 * A layer that passes the driver other modules than the program does, so that a mutant of a shader
 * needs no build of the library. VKR_SWAP=FROM=TO[:FROM=TO..] names files of SPIR-V: modules with
 * the words of FROM become those of TO. One instance and one device at a time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define MAX_SWAPS 64u

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
    VkShaderModuleCreateInfo other = *info;
    for (uint32_t i = 0; i < swaps; i++) {
        if (from[i].size == info->codeSize &&
            memcmp(from[i].words, info->pCode, info->codeSize) == 0) {
            other.codeSize = to[i].size;
            other.pCode = to[i].words;
            break;
        }
    }
    return next_create(device, &other, allocator, module);
}

/* Creates the instance through the link that the loader has chained for this layer, which the next
 * layer must not find any more. */
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
    if (result == VK_SUCCESS)
        next_create = (PFN_vkCreateShaderModule)next_device(*device, "vkCreateShaderModule");
    return result;
}

/* ---- Names ---- */

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_device_proc;
    if (strcmp(name, "vkCreateShaderModule") == 0)
        return (PFN_vkVoidFunction)create_module;
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
