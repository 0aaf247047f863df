/* SPDX-License-Identifier: MIT */
#include "host_many.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

many_device many_devices[MANY_MAX];
uint32_t many_count, many_version;
VkPhysicalDeviceFeatures many_enabled;

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
    real.GetPhysicalDeviceProperties2(actual, out);
    change(physical, &out->properties);
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
    (void)physical;
    real.GetPhysicalDeviceMemoryProperties(actual, out);
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

static VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                                    const VkDeviceCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks,
                                                    VkDevice *out)
{
    const VkPhysicalDeviceFeatures2 *features = info->pNext;
    (void)physical;
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
