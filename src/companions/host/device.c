/* SPDX-License-Identifier: MIT */
/* The Vulkan objects that hosts share. */
#include <stdio.h>
#include <string.h>

#include "inside.h"

/* ---- What is given ---- */

/* Objects that are given need those from which they were made. */
static VkrResult check_given(const host_voice *voice, const VkrHostVulkan *v)
{
    const struct {
        bool given;
        const char *field, *needs;
        bool has;
    } rows[] = {
        {v->context != NULL, "context", "queue", v->queue != NULL},
        {v->queue != NULL, "queue", "device", v->device != NULL},
        {v->device != NULL, "device", "queue", v->queue != NULL},
        {v->device != NULL, "device", "physicalDevice", v->physicalDevice != NULL},
        {v->physicalDevice != NULL, "physicalDevice", "instance", v->instance != NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        HOST_MUST(voice, !rows[i].given || rows[i].has,
                  "vulkan.%s is NULL, but must be given with vulkan.%s.", rows[i].needs,
                  rows[i].field);
    return VKR_SUCCESS;
}

/* ---- The device ---- */

/* Finds a queue family with compute, preferably with timestamps. */
static VkrResult find_family(host_device *d)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof families[0];
    bool found = false;
    d->system.GetPhysicalDeviceQueueFamilyProperties(d->vulkan.physicalDevice, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bits = families[i].timestampValidBits;
        const bool better = !found || bits > d->timestamp_bits;
        if (d->vulkan.queue != VK_NULL_HANDLE
                ? i != d->vulkan.queueFamily
                : !better || (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)
            continue;
        found = true;
        d->vulkan.queueFamily = i;
        d->timestamp_bits = bits;
    }
    HOST_MUST(&d->voice, found || d->vulkan.queue == VK_NULL_HANDLE,
              "vulkan.queueFamily is %u, but must be a family of '%s', which has %u.",
              (unsigned)d->vulkan.queueFamily, d->described.name, (unsigned)count);
    return found
               ? VKR_SUCCESS
               : host_fail(&d->voice, VKR_ERROR_UNSUPPORTED,
                           "'%s' has no compute queue; choose another device.", d->described.name);
}

/* Enables the library's features, and those that the caller asks for. */
static void ask_features(host_device *d, const VkPhysicalDeviceFeatures *asked)
{
    VkBool32 *to = (VkBool32 *)&d->requirements.features.features;
    const VkBool32 *from = (const VkBool32 *)asked;
    for (size_t i = 0; asked != NULL && i < sizeof *asked / sizeof *from; i++)
        to[i] = to[i] || from[i];
}

static VkrResult create_device(host_device *d, const VkrHostInfo *info)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = d->vulkan.queueFamily,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const char *extensions[VKR_MAX_EXTENSIONS + 1];
    uint32_t count = d->requirements.extensionCount;
    memcpy(extensions, d->requirements.extensions, sizeof d->requirements.extensions);
    if (d->described.importAlignment != 0)
        extensions[count++] = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
    ask_features(d, info->features);
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &d->requirements.features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = count,
                                       .ppEnabledExtensionNames = extensions};
    HOST_VK(&d->voice, d->system.CreateDevice(d->vulkan.physicalDevice, &create, d->allocator,
                                              &d->vulkan.device));
    d->owns_device = true;
    return VKR_SUCCESS;
}

static VkrResult load_functions(host_device *d)
{
#define LOAD(name)                                                                                 \
    d->name = (PFN_vk##name)d->system.GetDeviceProcAddr(d->vulkan.device, "vk" #name);             \
    if (d->name == NULL)                                                                           \
        return host_fail(&d->voice, VKR_ERROR_UNSUPPORTED,                                         \
                         "vkGetDeviceProcAddr returns NULL for vk%s, but must return it.", #name);
    HOST_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    if (d->owns_device && d->described.importAlignment != 0)
        d->GetMemoryHostPointerPropertiesEXT =
            (PFN_vkGetMemoryHostPointerPropertiesEXT)d->system.GetDeviceProcAddr(
                d->vulkan.device, "vkGetMemoryHostPointerPropertiesEXT");
    if (d->GetMemoryHostPointerPropertiesEXT == NULL)
        d->described.importAlignment = 0;
    return VKR_SUCCESS;
}

/* ---- The context ---- */

static void on_message(void *data, VkrResult result, const char *sentence)
{
    const host_device *d = data;
    if (d->voice.message != NULL)
        d->voice.message(d->voice.data, result, sentence);
}

VkrResult host_create_context(host_device *d, const VkrContextInfo *settings, VkrContext *made)
{
    VkrContextInfo context = settings != NULL ? *settings : (VkrContextInfo){0};
    context.instance = d->vulkan.instance;
    context.physicalDevice = d->vulkan.physicalDevice;
    context.device = d->vulkan.device;
    context.apiVersion = d->vulkan.apiVersion;
    if (context.getInstanceProcAddr == NULL)
        context.getInstanceProcAddr = d->vulkan.getInstanceProcAddr;
    context.allocator = d->allocator;
    context.message = on_message;
    context.messageData = d;
    if (d->owns_device) {
        context.enabledFeatureChain = &d->requirements.features;
        context.enabledFeatures = NULL;
        context.enabledExtensionCount = d->requirements.extensionCount;
        context.enabledExtensions = d->requirements.extensions;
    }
    if (d->cache != VK_NULL_HANDLE)
        context.pipelineCache = d->cache;
    return vkrCreateContext(&context, made);
}

/* ---- All of it ---- */

static VkrResult open_objects(host_device *d, const VkrHostInfo *info)
{
    host_system *s = &d->system;
    uint32_t index;
    HOST_TRY(check_given(&d->voice, &d->vulkan));
    HOST_TRY(host_open_system(s, &d->voice, info));
    d->vulkan.getInstanceProcAddr = s->get;
    d->vulkan.instance = s->instance;
    d->vulkan.apiVersion = s->api_version;
    if (d->vulkan.physicalDevice == VK_NULL_HANDLE)
        HOST_TRY(host_choose(s, &d->voice, info, &d->vulkan.physicalDevice, &index));
    host_describe(s, d->vulkan.physicalDevice, &d->described);
    s->GetPhysicalDeviceMemoryProperties(d->vulkan.physicalDevice, &d->memory);
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    s->GetPhysicalDeviceProperties2(d->vulkan.physicalDevice, &properties);
    d->limits = properties.properties.limits;
    HOST_TRY(find_family(d));
    if (d->vulkan.device == VK_NULL_HANDLE) {
        const VkrDeviceRequirementsInfo asked = {.instance = s->instance,
                                                 .physicalDevice = d->vulkan.physicalDevice,
                                                 .apiVersion = s->api_version,
                                                 .getInstanceProcAddr = s->get,
                                                 .message = on_message,
                                                 .messageData = d};
        HOST_TRY(vkrGetDeviceRequirements(&asked, &d->requirements));
        if (!d->requirements.usable)
            return host_fail(&d->voice, VKR_ERROR_UNSUPPORTED,
                             "'%s' lacks requirements that vkrGetHostDevices names; choose another "
                             "device.",
                             d->described.name);
        HOST_TRY(create_device(d, info));
    }
    HOST_TRY(load_functions(d));
    if (d->vulkan.queue == VK_NULL_HANDLE)
        d->GetDeviceQueue(d->vulkan.device, d->vulkan.queueFamily, 0, &d->vulkan.queue);
    if ((d->flags & VKR_HOST_UNMAPPED_BIT) != 0)
        d->described.importAlignment = 0;
    if (d->vulkan.context != NULL)
        return VKR_SUCCESS;
    if (d->owns_device)
        host_open_cache(d, info);
    HOST_TRY(host_create_context(d, info->context, &d->vulkan.context));
    d->owns_context = true;
    return VKR_SUCCESS;
}

VkrResult host_open_device(host_device *d, const VkrHostInfo *info)
{
    *d = (host_device){.hosts = 1,
                       .flags = info->flags,
                       .voice = {"vkrCreateHost", info->message, info->messageData}};
    if (info->vulkan != NULL)
        d->vulkan = *info->vulkan;
    if (info->allocator != NULL) {
        d->callbacks = *info->allocator;
        d->allocator = &d->callbacks;
    }
    if (!host_create_lock(&d->lock))
        return host_fail(&d->voice, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no lock.");
    const VkrResult result = open_objects(d, info);
    if (result != VKR_SUCCESS)
        host_close_device(d);
    return result;
}

void host_close_device(host_device *d)
{
    if (!d->abandoned) {
        if (d->owns_context)
            vkrDestroyContext(d->vulkan.context);
        host_close_cache(d);
        if (d->owns_device && d->DestroyDevice != NULL)
            d->DestroyDevice(d->vulkan.device, d->allocator);
        host_close_system(&d->system);
    }
    host_destroy_lock(&d->lock);
}
