/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "device/gpu.h"
#include "device/sentence.h"
#include "status.h"

/* Finds a queue family with compute, preferably with timestamps; UINT32_MAX if there is none. */
static uint32_t find_family(VkPhysicalDevice physical, uint32_t *timestamp_bits)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof families[0];
    uint32_t found = UINT32_MAX;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)
            continue;
        if (found == UINT32_MAX || families[i].timestampValidBits > *timestamp_bits) {
            found = i;
            *timestamp_bits = families[i].timestampValidBits;
        }
    }
    return found;
}

static int create_device(gpu *g)
{
    const VkrDeviceRequirements *needs = &g->chosen->requirements;
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = g->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &needs->features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = needs->extensionCount,
                               .ppEnabledExtensionNames = needs->extensions};
    VkResult result = vkCreateDevice(g->chosen->physical, &info, NULL, &g->device);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDevice");
    volkLoadDevice(g->device);
    vkGetDeviceQueue(g->device, g->family, 0, &g->queue);
    return STATUS_DONE;
}

static int create_commands(gpu *g)
{
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = g->family};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 2};
    int status =
        gpu_check(vkCreateCommandPool(g->device, &pool, NULL, &g->pool), "vkCreateCommandPool");
    if (status != STATUS_DONE)
        return status;
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = g->pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    status = gpu_check(vkAllocateCommandBuffers(g->device, &commands, &g->commands),
                       "vkAllocateCommandBuffers");
    if (status == STATUS_DONE)
        status = gpu_check(vkCreateFence(g->device, &fence, NULL, &g->fence), "vkCreateFence");
    if (status == STATUS_DONE && g->timestamp_bits != 0)
        status = gpu_check(vkCreateQueryPool(g->device, &queries, NULL, &g->queries),
                           "vkCreateQueryPool");
    return status;
}

static const char *subject; /* the file of functions */

void gpu_set_subject(const char *file)
{
    subject = file;
}

/* Whether a message is about functions. */
static bool is_on_functions(const char *sentence)
{
    static const char *const words[] = {"vkrCreateModule", "hook", "monoid", "parameter of"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(sentence, words[i]) != NULL)
            return true;
    return false;
}

static void on_message(void *data, VkrResult result, const char *sentence)
{
    char text[1024];
    (void)data;
    sentence_of_options(sentence, text, sizeof text);
    if (subject != NULL && is_on_functions(sentence))
        (void)fail(gpu_result_status(result), "%s: %s", subject, text);
    else
        (void)fail(gpu_result_status(result), "%s", text);
}

int gpu_create_context(const gpu *g, const char *profile, size_t size, VkrContext *context)
{
    const VkrDeviceRequirements *needs = &g->chosen->requirements;
    VkrContextInfo info = {.instance = g->list.instance,
                           .physicalDevice = g->chosen->physical,
                           .device = g->device,
                           .apiVersion = API_VERSION,
                           .enabledFeatureChain = &needs->features,
                           .enabledExtensionCount = needs->extensionCount,
                           .enabledExtensions = needs->extensions,
                           .getInstanceProcAddr = vkGetInstanceProcAddr,
                           .message = on_message,
                           .profile = profile,
                           .profileSize = size};
    const int status = gpu_status(vkrCreateContext(&info, context));
    return status == STATUS_DONE || profile != NULL ? status : STATUS_VULKAN;
}

int gpu_open(gpu *g, const char *wanted)
{
    uint32_t index;
    int status = gpu_list_open(&g->list);
    if (status != STATUS_DONE || (status = gpu_choose(&g->list, wanted, &index)) != STATUS_DONE)
        return status;
    g->chosen = &g->list.devices[index];
    if (!g->chosen->requirements.usable)
        return fail(STATUS_VULKAN,
                    "'%s' lacks requirements that vkreduce devices lists; choose another --device",
                    g->chosen->properties.deviceName);
    g->family = find_family(g->chosen->physical, &g->timestamp_bits);
    if (g->family == UINT32_MAX)
        return fail(STATUS_VULKAN, "'%s' has no compute queue; choose another --device",
                    g->chosen->properties.deviceName);
    if ((status = create_device(g)) != STATUS_DONE || (status = create_commands(g)) != STATUS_DONE)
        return status;
    return gpu_create_context(g, NULL, 0, &g->context);
}

int gpu_lane_open(gpu *lane, const gpu *g)
{
    *lane = *g;
    lane->pool = VK_NULL_HANDLE;
    lane->queries = VK_NULL_HANDLE;
    lane->fence = VK_NULL_HANDLE;
    return create_commands(lane);
}

void gpu_lane_close(gpu *lane)
{
    if (lane->device != VK_NULL_HANDLE) {
        vkDestroyQueryPool(lane->device, lane->queries, NULL);
        vkDestroyFence(lane->device, lane->fence, NULL);
        vkDestroyCommandPool(lane->device, lane->pool, NULL);
    }
    *lane = (gpu){0};
}

void gpu_close(gpu *g)
{
    vkrDestroyContext(g->context);
    gpu_list list = g->list;
    VkDevice device = g->device;
    gpu_lane_close(g);
    if (device != VK_NULL_HANDLE)
        vkDestroyDevice(device, NULL);
    gpu_list_close(&list);
}
