/* SPDX-License-Identifier: MIT */
/*
 * Stream reduction by a geometry shader, as in the paper: elements are vertices of points, the
 * shader emits those that are kept, nothing is rasterized, and transform feedback captures the
 * emitted ones in a vertex buffer and counts their bytes.
 *
 * It has a device and buffers of its own: once llvmpipe has used a framebuffer, it takes timestamps
 * at the next barrier instead of where they are recorded, which would falsify the times of all
 * other arms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "buffers.h"
#include "commands.h"
#include "measure.h"
#include "moves.h"
#include "status.h"
#include "streams.h"

static const uint32_t vertex_code[] =
#include "geometry_vert.inc"
    ;
static const uint32_t geometry_code[] =
#include "geometry_geom.inc"
    ;

struct geometry {
    const char *lacks;
    VkDeviceSize most; /* maximum number of bytes of a capture */
    VkDevice device;
    VkrHost host; /* of that device */
    VkrHostMemory data, copy, copied;
    VkBuffer vertices; /* in the memory of `data` .. */
    VkBuffer packed;   /* .. and of `copy`, with usages that these buffers lack */
    VkRenderPass pass; /* without attachments */
    VkFramebuffer frame;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

/* ---- The device ---- */

static bool has_extension(VkPhysicalDevice physical)
{
    uint32_t count = 0;
    bool found = false;
    if (vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *all = calloc(count, sizeof *all);
    if (all != NULL &&
        vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all) == VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(all[i].extensionName, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME) == 0;
    free(all);
    return found;
}

static bool draws(const gpu *g)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = COUNT_OF(families);
    vkGetPhysicalDeviceQueueFamilyProperties(g->vulkan.physicalDevice, &count, families);
    return (families[g->vulkan.queueFamily].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
}

static const char *missing(const gpu *g, VkDeviceSize *most)
{
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &feedback};
    VkPhysicalDeviceTransformFeedbackPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    if (!draws(g))
        return "has a queue without graphics";
    if (!has_extension(g->vulkan.physicalDevice))
        return "lacks VK_EXT_transform_feedback";
    vkGetPhysicalDeviceFeatures2(g->vulkan.physicalDevice, &features);
    vkGetPhysicalDeviceProperties2(g->vulkan.physicalDevice, &properties);
    *most = limits.maxTransformFeedbackBufferSize;
    if (!features.features.geometryShader)
        return "lacks geometryShader";
    return feedback.transformFeedback ? NULL : "lacks transformFeedback";
}

/* Loads Vulkan's functions from the instance, so that they serve both devices. */
static int open_device(bench *b)
{
    static const char *const extension = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME;
    const float priority = 1.0f;
    VkrHostVulkan own = b->gpu.vulkan;
    const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .transformFeedback = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = own.queueFamily,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &feedback,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &extension,
                                     .pEnabledFeatures = &features};
    volkLoadInstance(own.instance);
    const int status = gpu_check(
        vkCreateDevice(own.physicalDevice, &info, NULL, &b->geometry->device), "vkCreateDevice");
    if (status != STATUS_DONE)
        return status;
    own.context = NULL;
    own.device = b->geometry->device;
    vkGetDeviceQueue(own.device, own.queueFamily, 0, &own.queue);
    /* Without messages, since the library would note what the device leaves out. */
    return gpu_status(vkrCreateHost(
        &(VkrHostInfo){.flags = VKR_HOST_TIMESTAMPS_BIT | VKR_HOST_NO_CACHE_BIT, .vulkan = &own},
        &b->geometry->host));
}

const char *geometry_lacks(const bench *b)
{
    return b->geometry->lacks;
}

bool geometry_beyond(const bench *b, uint64_t n)
{
    return 4 * n > b->geometry->most;
}

/* ---- Buffers ---- */

/* Creates a buffer with another usage in the memory of an existing one. */
static int alias(struct geometry *y, const VkrHostMemory *of, VkBufferUsageFlags usage,
                 VkBuffer *buffer)
{
    VkMemoryRequirements has, needs;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = of->bufferSize, .usage = usage};
    VkResult result = vkCreateBuffer(y->device, &info, NULL, buffer);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkCreateBuffer");
    vkGetBufferMemoryRequirements(y->device, of->buffer, &has);
    vkGetBufferMemoryRequirements(y->device, *buffer, &needs);
    if (needs.size > has.size || (has.memoryTypeBits & ~needs.memoryTypeBits) != 0) {
        y->lacks = "needs separate memory for vertex buffers";
        return STATUS_DONE;
    }
    result = vkBindBufferMemory(y->device, *buffer, of->memory, 0);
    return gpu_check(result, "vkBindBufferMemory");
}

static int create_buffers(struct geometry *y, const bench *b)
{
    int status = gpu_status(vkrHostAlloc(y->host, b->in.size, VKR_HOST_MEMORY_DEVICE, &y->data));
    if (status == STATUS_DONE)
        status = gpu_upload(y->host, &y->data, &b->in);
    if (status == STATUS_DONE)
        status =
            gpu_status(vkrHostAlloc(y->host, b->copy.size, VKR_HOST_MEMORY_UNMAPPED, &y->copy));
    if (status == STATUS_DONE)
        status =
            gpu_status(vkrHostAlloc(y->host, b->copy.size, VKR_HOST_MEMORY_READBACK, &y->copied));
    if (status == STATUS_DONE)
        status = alias(y, &y->data, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, &y->vertices);
    return status == STATUS_DONE
               ? alias(y, &y->copy,
                       VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                           VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT,
                       &y->packed)
               : status;
}

/* ---- The pipeline ---- */

static int create_frame(struct geometry *y, VkDevice device)
{
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    VkResult result = vkCreateRenderPass(device, &pass, NULL, &y->pass);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkCreateRenderPass");
    const VkFramebufferCreateInfo frame = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = y->pass,
                                           .width = 1,
                                           .height = 1,
                                           .layers = 1};
    result = vkCreateFramebuffer(device, &frame, NULL, &y->frame);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkCreateFramebuffer");
    const VkPushConstantRange push = {VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(float)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    result = vkCreatePipelineLayout(device, &layout, NULL, &y->layout);
    return gpu_check(result, "vkCreatePipelineLayout");
}

static int create_stage(VkDevice device, VkShaderStageFlagBits stage, const uint32_t *code,
                        size_t size, VkPipelineShaderStageCreateInfo *made)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    *made = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .pName = "main"};
    const VkResult result = vkCreateShaderModule(device, &info, NULL, &made->module);
    return gpu_check(result, "vkCreateShaderModule");
}

static int create_pipeline(struct geometry *y, VkDevice device,
                           const VkPipelineShaderStageCreateInfo *stages)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(float), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_SFLOAT, 0};
    const VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = 1,
        .pVertexAttributeDescriptions = &attribute};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1.0f};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &vertices,
                                               .pInputAssemblyState = &assembly,
                                               .pRasterizationState = &raster,
                                               .layout = y->layout,
                                               .renderPass = y->pass};
    const VkResult result =
        vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &y->pipeline);
    return gpu_check(result, "vkCreateGraphicsPipelines");
}

static int create_program(struct geometry *y, VkDevice device)
{
    VkPipelineShaderStageCreateInfo stages[2] = {0};
    int status = create_stage(device, VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code,
                              &stages[0]);
    if (status == STATUS_DONE)
        status = create_stage(device, VK_SHADER_STAGE_GEOMETRY_BIT, geometry_code,
                              sizeof geometry_code, &stages[1]);
    if (status == STATUS_DONE)
        status = create_pipeline(y, device, stages);
    for (size_t i = 0; i < COUNT_OF(stages); i++)
        vkDestroyShaderModule(device, stages[i].module, NULL);
    return status;
}

int geometry_open(bench *b)
{
    struct geometry *y = b->geometry = calloc(1, sizeof *y);
    if (y == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    y->lacks = missing(&b->gpu, &y->most);
    int status = STATUS_DONE;
    if (y->lacks == NULL)
        status = open_device(b);
    if (status == STATUS_DONE && y->lacks == NULL)
        status = create_buffers(y, b);
    if (status == STATUS_DONE && y->lacks == NULL)
        status = create_frame(y, y->device);
    if (status == STATUS_DONE && y->lacks == NULL)
        status = create_program(y, y->device);
    if (y->lacks != NULL)
        printf("left out: the geometry shader, since '%s' %s\n", b->gpu.chosen.name, y->lacks);
    return status;
}

static void close_device(struct geometry *y)
{
    const VkDevice device = y->device;
    vkDestroyPipeline(device, y->pipeline, NULL);
    vkDestroyPipelineLayout(device, y->layout, NULL);
    vkDestroyFramebuffer(device, y->frame, NULL);
    vkDestroyRenderPass(device, y->pass, NULL);
    vkDestroyBuffer(device, y->packed, NULL);
    vkDestroyBuffer(device, y->vertices, NULL);
    vkrHostFree(y->host, &y->copied);
    vkrHostFree(y->host, &y->copy);
    vkrHostFree(y->host, &y->data);
    vkrDestroyHost(y->host);
    vkDestroyDevice(device, NULL);
}

void geometry_close(bench *b)
{
    if (b->geometry != NULL && b->geometry->device != VK_NULL_HANDLE)
        close_device(b->geometry);
    free(b->geometry);
}

VkrHost geometry_host(const bench *b)
{
    return b->geometry->host;
}

/* ---- Recording ---- */

#define FILL VK_PIPELINE_STAGE_TRANSFER_BIT
#define CAPTURE VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT
#define CAPTURE_WRITE                                                                              \
    (VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |                                                  \
     VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT)

void geometry_record(const bench *b, const arm *a, uint64_t n)
{
    const struct geometry *y = b->geometry;
    const float limit = share_limit(a->share);
    const VkDeviceSize start = 0, size = 4 * n, counter = moves_offset(a, n, MOVED_KINDS);
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = y->pass,
                                        .framebuffer = y->frame,
                                        .renderArea = {.extent = {1, 1}}};
    memory_barrier(a->commands, FILL, VK_ACCESS_TRANSFER_WRITE_BIT,
                   CAPTURE | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                   CAPTURE_WRITE | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
    vkCmdBeginRenderPass(a->commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(a->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, y->pipeline);
    vkCmdPushConstants(a->commands, y->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof limit,
                       &limit);
    vkCmdBindVertexBuffers(a->commands, 0, 1, &y->vertices, &start);
    vkCmdBindTransformFeedbackBuffersEXT(a->commands, 0, 1, &y->packed, &start, &size);
    vkCmdBeginTransformFeedbackEXT(a->commands, 0, 0, NULL, NULL);
    vkCmdDraw(a->commands, (uint32_t)n, 1, 0, 0);
    vkCmdEndTransformFeedbackEXT(a->commands, 0, 1, &y->packed, &counter);
    vkCmdEndRenderPass(a->commands);
    memory_barrier(a->commands, CAPTURE, CAPTURE_WRITE, FILL | CAPTURE,
                   VK_ACCESS_TRANSFER_READ_BIT | CAPTURE_WRITE);
}

int geometry_again(const bench *b, const arm *a, VkDeviceSize size)
{
    struct geometry *y = b->geometry;
    int status = gpu_status(vkrHostBegin(y->host));
    if (status != STATUS_DONE)
        return status;
    vkCmdFillBuffer(vkrHostCommands(y->host), y->copy.buffer, 0, size, STALE);
    if ((status = gpu_status(vkrHostRun(y->host))) != STATUS_DONE ||
        (status = gpu_submit(a->host)) != STATUS_DONE ||
        (status = buffer_fetch(y->host, &y->copy, &y->copied, size)) != STATUS_DONE)
        return status;
    memcpy(b->copied.data, y->copied.data, (size_t)size);
    return STATUS_DONE;
}
