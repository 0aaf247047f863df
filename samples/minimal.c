/* SPDX-License-Identifier: MIT */
/* Finds the minimum and the maximum of a buffer, in an application that creates its own device. */
#define VOLK_IMPLEMENTATION
#include <volk.h>
#include <stdio.h>
#include <stdlib.h>
#include "vkreduce/vkreduce.h"

#define COUNT 1000u
#define RESULTS 4096u /* offset of the results in the buffer, in bytes */
#define HOST (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define CHECK(call) ((call) >= 0 ? (void)0 : (fprintf(stderr, "failed: %s\n", #call), exit(1)))

static void say(void *data, VkrResult result, const char *sentence)
{
    fprintf(stderr, "%s: %s\n", vkrResultName(result), sentence);
    (void)data;
}

int main(void)
{
    /* The application: its instance and device, and a queue of family 0. */
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkrContext context;
    uint32_t one = 1, type = 0;
    VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
    VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                          .pApplicationInfo = &app};
    CHECK(volkInitialize());
    CHECK(vkCreateInstance(&instance_info, NULL, &instance));
    volkLoadInstance(instance);
    CHECK(vkEnumeratePhysicalDevices(instance, &one, &physical) < 0 || one == 0 ? -1 : 0);
    VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueCount = 1, .pQueuePriorities = &(float){1.0f}};

    /* A device with all features enabled that the library can use, and a context for it. */
    VkrDeviceRequirements requirements; /* it points into itself: do not copy it */
    VkrDeviceRequirementsInfo asked = {.instance = instance,
                                       .physicalDevice = physical,
                                       .apiVersion = app.apiVersion,
                                       .getInstanceProcAddr = vkGetInstanceProcAddr,
                                       .message = say};
    CHECK(vkrGetDeviceRequirements(&asked, &requirements));
    CHECK(requirements.usable ? 0 : -1); /* requirements.requirements says what is missing */
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &requirements.features,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue_info,
                                      .enabledExtensionCount = requirements.extensionCount,
                                      .ppEnabledExtensionNames = requirements.extensions};
    CHECK(vkCreateDevice(physical, &device_info, NULL, &device));
    VkrContextInfo context_info = {.instance = instance,
                                   .physicalDevice = physical,
                                   .device = device,
                                   .apiVersion = app.apiVersion,
                                   .enabledFeatureChain = &requirements.features,
                                   .enabledExtensionCount = requirements.extensionCount,
                                   .enabledExtensions = requirements.extensions,
                                   .getInstanceProcAddr = vkGetInstanceProcAddr,
                                   .message = say};
    CHECK(vkrCreateContext(&context_info, &context));
    volkLoadDevice(device);
    vkGetDeviceQueue(device, 0, 0, &queue);

    /* The application's buffer, in host-visible memory: a thousand values, and then the results. */
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkMemoryRequirements needs;
    VkPhysicalDeviceMemoryProperties types;
    float *data, values[COUNT];
    VkBufferCreateInfo buffer_info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 2 * RESULTS,
                                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    CHECK(vkCreateBuffer(device, &buffer_info, NULL, &buffer));
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    vkGetPhysicalDeviceMemoryProperties(physical, &types);
    while (!(needs.memoryTypeBits >> type & 1) || ~types.memoryTypes[type].propertyFlags & HOST)
        type++;
    VkMemoryAllocateInfo memory_info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size,
                                        type};
    CHECK(vkAllocateMemory(device, &memory_info, NULL, &memory));
    CHECK(vkBindBufferMemory(device, buffer, memory, 0));
    CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&data));
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = (float)(i * i % 997) - 300.5f;

    /* The application's command buffer, into which the library records its work. */
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkrRecorder recorder;
    VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL, 0, 0};
    CHECK(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo cmd_info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL,
                                            pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkAllocateCommandBuffers(device, &cmd_info, &cmd));
    CHECK(vkBeginCommandBuffer(cmd, &begin_info));

    /* The application writes the values, and its own barrier makes them visible to the library. */
    VkMemoryBarrier written = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_TRANSFER_WRITE_BIT,
                               VK_ACCESS_SHADER_READ_BIT};
    vkCmdUpdateBuffer(cmd, buffer, 0, sizeof values, values);
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         0, 1, &written, 0, NULL, 0, NULL);

    VkrReduceInfo reduce = {
        .ops = VKR_OP_MIN | VKR_OP_MAX,
        .input = {.buffer = buffer, .size = COUNT * sizeof(float), .type = VKR_TYPE_F32},
        .count = VKR_COUNT_ALL,
        .output = {buffer, RESULTS, 2 * sizeof(float)}};
    VkrEndInfo end = {.commandBuffer = cmd,
                      .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    CHECK(vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder));
    CHECK(vkrBegin(recorder));
    CHECK(vkrCmdReduce(recorder, &reduce));
    CHECK(vkrEnd(recorder, &end));

    /* The application submits, waits, and reads two floats. */
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
                           .pCommandBuffers = &cmd};
    CHECK(vkEndCommandBuffer(cmd));
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(queue));
    printf("min %g, max %g\n", (double)data[RESULTS / 4], (double)data[RESULTS / 4 + 1]);

    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyBuffer(device, buffer, NULL);
    vkFreeMemory(device, memory, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return 0;
}
