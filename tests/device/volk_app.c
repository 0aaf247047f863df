/* SPDX-License-Identifier: MIT */
/* An application that uses volk, linked with the static and with the shared library: the functions
 * that the library loads must not collide with the application's globals. */
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <stdio.h>
#include <string.h>
#include "vkreduce/vkreduce.h"

#define MAX_DEVICES 16

static unsigned tests, failures;

static void check(int good, const char *what, const char *device)
{
    tests++;
    failures += !good;
    printf("%sok %u - %s%s%s\n", good ? "" : "not ", tests, what, *device ? ": " : "", device);
}

static void print_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    printf("# %s: %s\n", vkrResultName(result), sentence);
}

/* Whether the library finds the same requirements through volk's loader and through its own. */
static int requirements_agree(VkInstance instance, VkPhysicalDevice device,
                              VkrDeviceRequirements *own)
{
    VkrDeviceRequirementsInfo info = {.instance = instance,
                                      .physicalDevice = device,
                                      .getInstanceProcAddr = vkGetInstanceProcAddr,
                                      .message = print_message};
    VkrDeviceRequirements system;

    if (vkrGetDeviceRequirements(&info, own) != VKR_SUCCESS)
        return 0;
    info.getInstanceProcAddr = NULL;
    if (vkrGetDeviceRequirements(&info, &system) != VKR_SUCCESS)
        return 0;
    return own->usable && system.usable && own->requirementCount == system.requirementCount &&
           own->extensionCount == system.extensionCount;
}

static VkrResult use_device(VkInstance instance, VkPhysicalDevice physical_device,
                            const VkrDeviceRequirements *requirements)
{
    const float priority = 1;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkDeviceCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &requirements->features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = requirements->extensionCount,
        .ppEnabledExtensionNames = requirements->extensions,
    };
    VkrContextInfo info = {
        .instance = instance,
        .physicalDevice = physical_device,
        .apiVersion = VK_API_VERSION_1_1,
        .enabledFeatureChain = create.pNext,
        .enabledExtensionCount = create.enabledExtensionCount,
        .enabledExtensions = create.ppEnabledExtensionNames,
        .getInstanceProcAddr = vkGetInstanceProcAddr,
        .message = print_message,
    };
    VkrContext context = NULL;
    VkrContextProperties properties = {0};
    VkrResult result;

    if (vkCreateDevice(physical_device, &create, NULL, &info.device) != VK_SUCCESS)
        return VKR_ERROR_VULKAN;
    volkLoadDevice(info.device);
    result = vkrCreateContext(&info, &context);
    if (result == VKR_SUCCESS) {
        vkrGetContextProperties(context, &properties);
        if (!properties.maxStorageBufferRange || !vkrIsTypeSupported(context, VKR_TYPE_F32))
            result = VKR_ERROR_UNSUPPORTED;
    }
    vkrDestroyContext(context);
    vkDestroyDevice(info.device, NULL);
    return result;
}

int main(void)
{
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_1,
    };
    VkInstanceCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice devices[MAX_DEVICES];
    uint32_t count = MAX_DEVICES;

    if (volkInitialize() != VK_SUCCESS || vkCreateInstance(&create, NULL, &instance) != VK_SUCCESS)
        goto done;
    volkLoadInstance(instance);
    if (vkEnumeratePhysicalDevices(instance, &count, devices) < 0)
        count = 0;
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        VkrDeviceRequirements requirements;
        PFN_vkCreateBuffer before = vkCreateBuffer;

        vkGetPhysicalDeviceProperties(devices[i], &properties);
        check(requirements_agree(instance, devices[i], &requirements), "requirements",
              properties.deviceName);
        check(vkCreateBuffer == before, "the application's volk is untouched",
              properties.deviceName);
        check(use_device(instance, devices[i], &requirements) == VKR_SUCCESS, "context",
              properties.deviceName);
    }
    vkDestroyInstance(instance, NULL);
done:
    check(tests > 0, "at least one device", "");
    printf("1..%u\n", tests);
    return failures != 0;
}
