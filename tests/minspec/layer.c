/* SPDX-License-Identifier: MIT */
/* The layer between the loader and the driver: one instance and one device at a time. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "minspec.h"
#include <vulkan/vk_layer.h>

minspec_functions minspec_next;
static VkInstance the_instance;
static atomic_uint refusals;

VkResult minspec_refuse(VkResult result, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    atomic_fetch_add(&refusals, 1);
    fprintf(stderr, "# minspec: refused: %s\n", text);
    return result;
}

static uint32_t VKAPI_CALL take_refusals(void)
{
    return atomic_exchange(&refusals, 0);
}

/* ---- Physical device ---- */

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical,
                                                 VkPhysicalDeviceProperties *properties)
{
    minspec_next.GetPhysicalDeviceProperties(physical, properties);
    minspec_lower_properties(properties);
}

VKAPI_ATTR void VKAPI_CALL minspec_get_properties2(VkPhysicalDevice physical,
                                                   VkPhysicalDeviceProperties2 *properties)
{
    minspec_next.GetPhysicalDeviceProperties2(physical, properties);
    minspec_lower_properties(&properties->properties);
    minspec_lower_properties_chain(properties->pNext);
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physical,
                                               VkPhysicalDeviceFeatures *features)
{
    minspec_next.GetPhysicalDeviceFeatures(physical, features);
    minspec_lower_features(features);
}

VKAPI_ATTR void VKAPI_CALL minspec_get_features2(VkPhysicalDevice physical,
                                                 VkPhysicalDeviceFeatures2 *features)
{
    minspec_next.GetPhysicalDeviceFeatures2(physical, features);
    minspec_lower_features(&features->features);
    minspec_lower_features_chain(features->pNext);
}

static VKAPI_ATTR void VKAPI_CALL get_families(VkPhysicalDevice physical, uint32_t *count,
                                               VkQueueFamilyProperties *families)
{
    minspec_next.GetPhysicalDeviceQueueFamilyProperties(physical, count, families);
    for (uint32_t i = 0; families != NULL && i < *count && !minspec_has_timestamps(); i++)
        families[i].timestampValidBits = 0;
}

static VKAPI_ATTR void VKAPI_CALL get_families2(VkPhysicalDevice physical, uint32_t *count,
                                                VkQueueFamilyProperties2 *families)
{
    minspec_next.GetPhysicalDeviceQueueFamilyProperties2(physical, count, families);
    for (uint32_t i = 0; families != NULL && i < *count && !minspec_has_timestamps(); i++)
        families[i].queueFamilyProperties.timestampValidBits = 0;
}

static VKAPI_ATTR VkResult VKAPI_CALL get_extensions(VkPhysicalDevice physical, const char *layer,
                                                     uint32_t *count, VkExtensionProperties *out)
{
    VkExtensionProperties *list = NULL;
    uint32_t all = 0;
    VkResult result = VK_SUCCESS;
    if (layer == NULL)
        result = minspec_list_extensions(physical, &list, &all);
    else if (strcmp(layer, MINSPEC_LAYER) != 0)
        return minspec_next.EnumerateDeviceExtensionProperties(physical, layer, count, out);
    if (result == VK_SUCCESS && out != NULL) {
        result = *count < all ? VK_INCOMPLETE : VK_SUCCESS;
        all = *count < all ? *count : all;
        for (uint32_t i = 0; i < all; i++)
            out[i] = list[i];
    }
    *count = all;
    free(list);
    return result;
}

/* ---- Instance ---- */

/* Removes this layer's link from the loader's chain, so that the next layer finds its own. */
static PFN_vkGetInstanceProcAddr take_instance_link(const VkInstanceCreateInfo *info)
{
    for (const VkBaseInStructure *base = info->pNext; base != NULL; base = base->pNext) {
        VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)base;
        if (base->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
            link->function != VK_LAYER_LINK_INFO)
            continue;
        const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
        link->u.pLayerInfo = link->u.pLayerInfo->pNext;
        return get;
    }
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *instance)
{
    const PFN_vkGetInstanceProcAddr get = take_instance_link(info);
    if (get == NULL || minspec_next.GetInstanceProcAddr != NULL || !minspec_read_environment())
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance");
    const VkResult result = create(info, allocator, instance);
    if (result != VK_SUCCESS)
        return result;
    the_instance = *instance;
    minspec_next.GetInstanceProcAddr = get;
#define LOAD(name) minspec_next.name = (PFN_vk##name)get(*instance, "vk" #name);
    MINSPEC_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance,
                                                   const VkAllocationCallbacks *allocator)
{
    minspec_next.DestroyInstance(instance, allocator);
    minspec_next = (minspec_functions){0};
}

/* ---- Device ---- */

static VkLayerDeviceLink *take_device_link(const VkDeviceCreateInfo *info)
{
    for (const VkBaseInStructure *base = info->pNext; base != NULL; base = base->pNext) {
        VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)base;
        if (base->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
            link->function != VK_LAYER_LINK_INFO)
            continue;
        VkLayerDeviceLink *own = link->u.pLayerInfo;
        link->u.pLayerInfo = own->pNext;
        return own;
    }
    return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkDevice *device)
{
    minspec_device enabled;
    const VkLayerDeviceLink *link = take_device_link(info);
    VkResult result = minspec_check_device(physical, info, &enabled);
    if (result == VK_SUCCESS && (link == NULL || minspec_next.GetDeviceProcAddr != NULL))
        result = VK_ERROR_INITIALIZATION_FAILED;
    if (result != VK_SUCCESS)
        return result;
    const PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)link->pfnNextGetInstanceProcAddr(the_instance, "vkCreateDevice");
    const PFN_vkGetDeviceProcAddr get = link->pfnNextGetDeviceProcAddr;
    result = create(physical, info, allocator, device);
    if (result != VK_SUCCESS)
        return result;
    minspec_enabled = enabled;
    minspec_next.GetDeviceProcAddr = get;
#define LOAD(name) minspec_next.name = (PFN_vk##name)get(*device, "vk" #name);
    MINSPEC_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return result;
}

/* This is the last chance to make the program fail. */
static VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device,
                                                 const VkAllocationCallbacks *allocator)
{
    if (minspec_missed_gap())
        minspec_refuse(VK_SUCCESS, "no pipeline has met the gap of the compiler");
    const uint32_t left = take_refusals();
    minspec_next.DestroyDevice(device, allocator);
    minspec_next.GetDeviceProcAddr = NULL;
    minspec_free_modules();
    fprintf(stderr, "# minspec: refused in all: %u\n", left);
    if (left == 0)
        return;
    fflush(NULL);
    _Exit(1);
}

/* ---- Names ---- */

typedef struct named {
    const char *name;
    PFN_vkVoidFunction function;
} named;

static PFN_vkVoidFunction find(const named *rows, const char *name)
{
    while (rows->name != NULL && strcmp(rows->name, name) != 0)
        rows++;
    return rows->function;
}

static PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char *name)
{
    static const named rows[] = {
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_proc},
        {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
        {MINSPEC_TAKE_REFUSALS, (PFN_vkVoidFunction)take_refusals},
        {NULL, NULL},
    };
    if (strcmp(name, "vkCmdPushDescriptorSetKHR") == 0 && !minspec_enabled.push_descriptors)
        return NULL;
    PFN_vkVoidFunction function = find(rows, name);
    if (function == NULL)
        function = minspec_device_function(name);
    return function != NULL ? function : minspec_next.GetDeviceProcAddr(device, name);
}

static PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char *name)
{
    static const named rows[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_proc},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
        {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)get_properties},
        {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)minspec_get_properties2},
        {"vkGetPhysicalDeviceProperties2KHR", (PFN_vkVoidFunction)minspec_get_properties2},
        {"vkGetPhysicalDeviceFeatures", (PFN_vkVoidFunction)get_features},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)minspec_get_features2},
        {"vkGetPhysicalDeviceFeatures2KHR", (PFN_vkVoidFunction)minspec_get_features2},
        {"vkGetPhysicalDeviceQueueFamilyProperties", (PFN_vkVoidFunction)get_families},
        {"vkGetPhysicalDeviceQueueFamilyProperties2", (PFN_vkVoidFunction)get_families2},
        {"vkGetPhysicalDeviceQueueFamilyProperties2KHR", (PFN_vkVoidFunction)get_families2},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)get_extensions},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
        {NULL, NULL},
    };
    PFN_vkVoidFunction function = find(rows, name);
    if (function == NULL)
        function = minspec_device_function(name);
    if (function != NULL || minspec_next.GetInstanceProcAddr == NULL)
        return function;
    return minspec_next.GetInstanceProcAddr(instance, name);
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
