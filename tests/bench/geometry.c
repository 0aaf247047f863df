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
#include "commands.h"
#include "device/submit.h"
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
    gpu gpu;           /* without a context */
    gpu_buffer data, copy, copied;
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
    vkGetPhysicalDeviceQueueFamilyProperties(g->chosen->physical, &count, families);
    return (families[g->family].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
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
    if (!has_extension(g->chosen->physical))
        return "lacks VK_EXT_transform_feedback";
    vkGetPhysicalDeviceFeatures2(g->chosen->physical, &features);
    vkGetPhysicalDeviceProperties2(g->chosen->physical, &properties);
    *most = limits.maxTransformFeedbackBufferSize;
    if (!features.features.geometryShader)
        return "lacks geometryShader";
    return feedback.transformFeedback ? NULL : "lacks transformFeedback";
}

static int create_device(gpu *g)
{
    static const char *const extension = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME;
    const float priority = 1.0f;
    const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .transformFeedback = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = g->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &feedback,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &extension,
                                     .pEnabledFeatures = &features};
    const VkResult result = vkCreateDevice(g->chosen->physical, &info, NULL, &g->device);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDevice");
    vkGetDeviceQueue(g->device, g->family, 0, &g->queue);
    return STATUS_DONE;
}

/* Loads Vulkan's functions from the instance, so that they serve both devices. */
static int open_device(bench *b)
{
    gpu own = {.list = b->gpu.list,
               .chosen = b->gpu.chosen,
               .family = b->gpu.family,
               .timestamp_bits = b->gpu.timestamp_bits};
    volkLoadInstance(b->gpu.list.instance);
    int status = create_device(&own);
    b->geometry->gpu = own;
    return status == STATUS_DONE ? gpu_lane_open(&b->geometry->gpu, &own) : status;
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
static int alias(struct geometry *y, const gpu_buffer *of, VkBufferUsageFlags usage,
                 VkBuffer *buffer)
{
    VkMemoryRequirements has, needs;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = of->size, .usage = usage};
    VkResult result = vkCreateBuffer(y->gpu.device, &info, NULL, buffer);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateBuffer");
    vkGetBufferMemoryRequirements(y->gpu.device, of->buffer, &has);
    vkGetBufferMemoryRequirements(y->gpu.device, *buffer, &needs);
    if (needs.size > has.size || (has.memoryTypeBits & ~needs.memoryTypeBits) != 0) {
        y->lacks = "needs separate memory for vertex buffers";
        return STATUS_DONE;
    }
    result = vkBindBufferMemory(y->gpu.device, *buffer, of->memory, 0);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkBindBufferMemory");
}

static int create_buffers(struct geometry *y, const bench *b)
{
    int status = gpu_buffer_create(&y->gpu, &y->data, b->in.size, MEMORY_DEVICE);
    if (status == STATUS_DONE)
        status = gpu_upload(&y->gpu, &y->data, &b->in);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&y->gpu, &y->copy, b->copy.size, MEMORY_UNMAPPED);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&y->gpu, &y->copied, b->copy.size, MEMORY_READBACK);
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
        return gpu_fail(result, "vkCreateRenderPass");
    const VkFramebufferCreateInfo frame = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = y->pass,
                                           .width = 1,
                                           .height = 1,
                                           .layers = 1};
    result = vkCreateFramebuffer(device, &frame, NULL, &y->frame);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateFramebuffer");
    const VkPushConstantRange push = {VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(float)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    result = vkCreatePipelineLayout(device, &layout, NULL, &y->layout);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreatePipelineLayout");
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
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateShaderModule");
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
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateGraphicsPipelines");
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
        status = create_frame(y, y->gpu.device);
    if (status == STATUS_DONE && y->lacks == NULL)
        status = create_program(y, y->gpu.device);
    if (y->lacks != NULL)
        printf("left out: the geometry shader, since '%s' %s\n",
               b->gpu.chosen->properties.deviceName, y->lacks);
    return status;
}

static void close_device(struct geometry *y)
{
    const VkDevice device = y->gpu.device;
    vkDestroyPipeline(device, y->pipeline, NULL);
    vkDestroyPipelineLayout(device, y->layout, NULL);
    vkDestroyFramebuffer(device, y->frame, NULL);
    vkDestroyRenderPass(device, y->pass, NULL);
    vkDestroyBuffer(device, y->packed, NULL);
    vkDestroyBuffer(device, y->vertices, NULL);
    gpu_buffer_destroy(&y->gpu, &y->copied);
    gpu_buffer_destroy(&y->gpu, &y->copy);
    gpu_buffer_destroy(&y->gpu, &y->data);
    gpu_lane_close(&y->gpu);
    vkDestroyDevice(device, NULL);
}

void geometry_close(bench *b)
{
    if (b->geometry != NULL && b->geometry->gpu.device != VK_NULL_HANDLE)
        close_device(b->geometry);
    free(b->geometry);
}

const gpu *geometry_gpu(const bench *b)
{
    return &b->geometry->gpu;
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
    gpu own = y->gpu;
    own.commands = a->commands;
    int status = gpu_begin(&y->gpu);
    if (status != STATUS_DONE)
        return status;
    vkCmdFillBuffer(y->gpu.commands, y->copy.buffer, 0, size, STALE);
    if ((status = gpu_end(&y->gpu)) != STATUS_DONE ||
        (status = gpu_submit(&y->gpu)) != STATUS_DONE ||
        (status = gpu_submit(&own)) != STATUS_DONE || (status = gpu_begin(&y->gpu)) != STATUS_DONE)
        return status;
    gpu_copy_back(&y->gpu, &y->copy, &y->copied, size);
    if ((status = gpu_end(&y->gpu)) != STATUS_DONE || (status = gpu_submit(&y->gpu)) != STATUS_DONE)
        return status;
    memcpy(b->copied.map, y->copied.map, (size_t)size);
    return STATUS_DONE;
}
