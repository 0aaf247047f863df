/* SPDX-License-Identifier: MIT */
#include "host_many.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

many_device many_devices[MANY_MAX];
uint32_t many_count, many_version;
VkPhysicalDeviceFeatures many_enabled;
many_limits many_limit;
many_memory many_used;

/* The addresses of these stand for the devices. */
static char tokens[MANY_MAX];
static VkPhysicalDevice actual;

static PFN_vkVoidFunction next(VkInstance instance, const char *name)
{
    return vkGetInstanceProcAddr(instance, name);
}

uint32_t many_index(VkPhysicalDevice physical)
{
    const char *token = (const char *)(const void *)physical;
    return (uint32_t)(token - tokens);
}

static struct real_functions {
    PFN_vkCreateDevice CreateDevice;
    PFN_vkEnumerateDeviceExtensionProperties EnumerateDeviceExtensionProperties;
    PFN_vkEnumeratePhysicalDevices EnumeratePhysicalDevices;
    PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
    PFN_vkGetPhysicalDeviceFeatures2 GetPhysicalDeviceFeatures2;
    PFN_vkGetPhysicalDeviceMemoryProperties GetPhysicalDeviceMemoryProperties;
    PFN_vkGetPhysicalDeviceProperties GetPhysicalDeviceProperties;
    PFN_vkGetPhysicalDeviceProperties2 GetPhysicalDeviceProperties2;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties GetPhysicalDeviceQueueFamilyProperties;
} real;

/* ---- In place of the loader's functions ---- */

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_version(uint32_t *version)
{
    *version = many_version;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_devices(VkInstance instance, uint32_t *count,
                                                        VkPhysicalDevice *devices)
{
    uint32_t one = 1;
    const VkResult result = real.EnumeratePhysicalDevices(instance, &one, &actual);
    if (result < 0)
        return result;
    const bool fits = devices == NULL || *count >= many_count;
    *count = fits ? many_count : *count;
    for (uint32_t i = 0; devices != NULL && i < *count; i++)
        devices[i] = (VkPhysicalDevice)(void *)&tokens[i];
    return fits ? VK_SUCCESS : VK_INCOMPLETE;
}

static void change(VkPhysicalDevice physical, VkPhysicalDeviceProperties *properties)
{
    const many_device *device = &many_devices[many_index(physical)];
    snprintf(properties->deviceName, sizeof properties->deviceName, "%s", device->name);
    properties->deviceType = device->type;
    if (device->too_old)
        properties->apiVersion = VK_API_VERSION_1_0;
}

static VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical,
                                             VkPhysicalDeviceProperties *out)
{
    real.GetPhysicalDeviceProperties(actual, out);
    change(physical, out);
}

static VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical,
                                              VkPhysicalDeviceProperties2 *out)
{
    const VkDeviceSize most = many_limit.most;
    real.GetPhysicalDeviceProperties2(actual, out);
    change(physical, &out->properties);
    for (VkBaseOutStructure *s = out->pNext; s != NULL && most != 0; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES)
            ((VkPhysicalDeviceMaintenance3Properties *)s)->maxMemoryAllocationSize = most;
        else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES)
            ((VkPhysicalDeviceMaintenance4Properties *)s)->maxBufferSize = most;
}

static VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice physical,
                                            VkPhysicalDeviceFeatures2 *out)
{
    (void)physical;
    real.GetPhysicalDeviceFeatures2(actual, out);
}

static VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice physical,
                                         VkPhysicalDeviceMemoryProperties *out)
{
    const VkDeviceSize size = many_limit.memory;
    (void)physical;
    real.GetPhysicalDeviceMemoryProperties(actual, out);
    for (uint32_t i = 0; i < out->memoryHeapCount && size != 0; i++)
        out->memoryHeaps[i].size = size;
}

static VKAPI_ATTR void VKAPI_CALL families(VkPhysicalDevice physical, uint32_t *count,
                                           VkQueueFamilyProperties *out)
{
    (void)physical;
    real.GetPhysicalDeviceQueueFamilyProperties(actual, count, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char *layer,
                                                 uint32_t *count, VkExtensionProperties *out)
{
    (void)physical;
    return real.EnumerateDeviceExtensionProperties(actual, layer, count, out);
}

/* ---- Memory of the device that was made last ---- */

static PFN_vkAllocateMemory allocate_memory;
static PFN_vkFreeMemory free_memory;
static struct {
    VkDeviceMemory handle;
    VkDeviceSize size;
} allocated[256];

static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice owner, const VkMemoryAllocateInfo *info,
                                               const VkAllocationCallbacks *callbacks,
                                               VkDeviceMemory *out)
{
    const VkDeviceSize size = info->allocationSize;
    size_t i = 0;
    if (many_limit.memory != 0 && size > many_limit.memory - many_used.now)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const VkResult result = allocate_memory(owner, info, callbacks, out);
    while (i + 1 < ARRAY_SIZE(allocated) && allocated[i].size != 0)
        i++;
    if (result == VK_SUCCESS) {
        allocated[i].handle = *out;
        allocated[i].size = size;
        many_used.now += size;
    }
    many_used.peak = many_used.now > many_used.peak ? many_used.now : many_used.peak;
    many_used.largest = size > many_used.largest ? size : many_used.largest;
    return result;
}

static VKAPI_ATTR void VKAPI_CALL release(VkDevice owner, VkDeviceMemory memory,
                                          const VkAllocationCallbacks *callbacks)
{
    for (size_t i = 0; i < ARRAY_SIZE(allocated) && memory != VK_NULL_HANDLE; i++)
        if (allocated[i].handle == memory) {
            many_used.now -= allocated[i].size;
            allocated[i].handle = VK_NULL_HANDLE;
            allocated[i].size = 0;
        }
    free_memory(owner, memory, callbacks);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice owner, const char *name)
{
    const PFN_vkVoidFunction function = real.GetDeviceProcAddr(owner, name);
    if (strcmp(name, "vkAllocateMemory") == 0) {
        allocate_memory = (PFN_vkAllocateMemory)function;
        return (PFN_vkVoidFunction)allocate;
    }
    if (strcmp(name, "vkFreeMemory") == 0) {
        free_memory = (PFN_vkFreeMemory)function;
        return (PFN_vkVoidFunction)release;
    }
    return function;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkDevice *out)
{
    const VkPhysicalDeviceFeatures2 *features = info->pNext;
    (void)physical;
    many_used = (many_memory){0};
    many_enabled = features->features;
    return real.CreateDevice(actual, info, callbacks, out);
}

PFN_vkVoidFunction many_get(VkInstance instance, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction mine;
        size_t real;
    } rows[] = {
#define ROW(function, mine)                                                                        \
    {"vk" #function, (PFN_vkVoidFunction)(mine), offsetof(struct real_functions, function)}
        ROW(CreateDevice, create_device),
        ROW(EnumerateDeviceExtensionProperties, extensions),
        ROW(EnumeratePhysicalDevices, enumerate_devices),
        ROW(GetDeviceProcAddr, get_device),
        ROW(GetPhysicalDeviceFeatures2, features2),
        ROW(GetPhysicalDeviceMemoryProperties, memory),
        ROW(GetPhysicalDeviceProperties, properties),
        ROW(GetPhysicalDeviceProperties2, properties2),
        ROW(GetPhysicalDeviceQueueFamilyProperties, families),
    };
    const PFN_vkVoidFunction function = next(instance, name);
    if (many_version != 0 && strcmp(name, "vkEnumerateInstanceVersion") == 0)
        return (PFN_vkVoidFunction)enumerate_version;
    for (size_t i = 0; i < ARRAY_SIZE(rows) && function != NULL; i++)
        if (strcmp(rows[i].name, name) == 0) {
            memcpy((char *)&real + rows[i].real, &function, sizeof function);
            return rows[i].mine;
        }
    return function;
}
