/* SPDX-License-Identifier: MIT */
/*
 * Stream reduction by a geometry shader, as the document has it: elements are vertices of points,
 * the shader emits those that are kept, nothing is rasterized, and transform feedback captures what
 * is emitted in a vertex buffer. A counter says how many bytes that are.
 */
#include <stdlib.h>
#include <string.h>
#include "streams.h"

static const uint32_t vertex_code[] =
#include "geometry_vert.inc"
    ;
static const uint32_t geometry_code[] =
#include "geometry_geom.inc"
    ;

struct geometry {
    const char *lacks;
    VkDeviceSize most; /* bytes of a capture */
    VkBuffer vertices; /* the memory of `data` .. */
    VkBuffer packed;   /* .. and of `copy`, with the usages that these buffers lack */
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
        return "its queue has no graphics";
    if (!has_extension(g->chosen->physical))
        return "it has no VK_EXT_transform_feedback";
    vkGetPhysicalDeviceFeatures2(g->chosen->physical, &features);
    vkGetPhysicalDeviceProperties2(g->chosen->physical, &properties);
    *most = limits.maxTransformFeedbackBufferSize;
    if (!features.features.geometryShader)
        return "it has no geometryShader";
    return feedback.transformFeedback ? NULL : "it has no transformFeedback";
}

/* Creates a device with what the library needs, and with geometry shaders and transform feedback. */
static int create_device(gpu *g)
{
    const VkrDeviceRequirements *needs = &g->chosen->requirements;
    const char *extensions[VKR_MAX_EXTENSIONS + 1];
    const float priority = 1.0f;
    VkPhysicalDeviceFeatures2 features = needs->features;
    VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .pNext = features.pNext,
        .transformFeedback = VK_TRUE};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = g->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    features.pNext = &feedback;
    features.features.geometryShader = VK_TRUE;
    memcpy(extensions, needs->extensions, needs->extensionCount * sizeof extensions[0]);
    extensions[needs->extensionCount] = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = needs->extensionCount + 1,
                                     .ppEnabledExtensionNames = extensions};
    const VkResult result = vkCreateDevice(g->chosen->physical, &info, NULL, &g->device);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDevice");
    volkLoadDevice(g->device);
    vkGetDeviceQueue(g->device, g->family, 0, &g->queue);
    return STATUS_DONE;
}

int geometry_open_device(bench *b)
{
    struct geometry *y = b->geometry = calloc(1, sizeof *y);
    if (y == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    y->lacks = missing(&b->gpu, &y->most);
    if (y->lacks != NULL) {
        printf("left out: the geometry shader, since of '%s' %s\n",
               b->gpu.chosen->properties.deviceName, y->lacks);
        return STATUS_DONE;
    }
    gpu again = {.list = b->gpu.list,
                 .chosen = b->gpu.chosen,
                 .family = b->gpu.family,
                 .timestamp_bits = b->gpu.timestamp_bits};
    const VkDevice device = b->gpu.device;
    vkrDestroyContext(b->gpu.context);
    gpu_lane_close(&b->gpu);
    vkDestroyDevice(device, NULL);
    b->gpu = again;
    int status = create_device(&b->gpu);
    again = b->gpu;
    if (status == STATUS_DONE)
        status = gpu_lane_open(&b->gpu, &again);
    return status == STATUS_DONE ? gpu_create_context(&b->gpu, NULL, 0, &b->gpu.context) : status;
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

/* A buffer of other usage in the memory of one. */
static int alias(const bench *b, const gpu_buffer *of, VkBufferUsageFlags usage, VkBuffer *buffer)
{
    VkMemoryRequirements has, needs;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = of->size, .usage = usage};
    VkResult result = vkCreateBuffer(b->gpu.device, &info, NULL, buffer);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateBuffer");
    vkGetBufferMemoryRequirements(b->gpu.device, of->buffer, &has);
    vkGetBufferMemoryRequirements(b->gpu.device, *buffer, &needs);
    if (needs.size > has.size || (has.memoryTypeBits & ~needs.memoryTypeBits) != 0) {
        b->geometry->lacks = "its vertex buffers need memory of their own";
        return STATUS_DONE;
    }
    result = vkBindBufferMemory(b->gpu.device, *buffer, of->memory, 0);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkBindBufferMemory");
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
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
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
    struct geometry *y = b->geometry;
    int status = STATUS_DONE;
    if (y->lacks == NULL)
        status = alias(b, &b->data, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, &y->vertices);
    if (status == STATUS_DONE && y->lacks == NULL)
        status = alias(b, &b->copy,
                       VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                           VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT,
                       &y->packed);
    if (status == STATUS_DONE && y->lacks == NULL)
        status = create_frame(y, b->gpu.device);
    return status == STATUS_DONE && y->lacks == NULL ? create_program(y, b->gpu.device) : status;
}

void geometry_close(bench *b)
{
    struct geometry *y = b->geometry;
    if (y == NULL)
        return;
    if (b->gpu.device != VK_NULL_HANDLE) {
        vkDestroyPipeline(b->gpu.device, y->pipeline, NULL);
        vkDestroyPipelineLayout(b->gpu.device, y->layout, NULL);
        vkDestroyFramebuffer(b->gpu.device, y->frame, NULL);
        vkDestroyRenderPass(b->gpu.device, y->pass, NULL);
        vkDestroyBuffer(b->gpu.device, y->packed, NULL);
        vkDestroyBuffer(b->gpu.device, y->vertices, NULL);
    }
    free(y);
}

/* ---- Recording ---- */

/* What other arms wrote to the same memory comes before, and what reads it comes after. */
static void wait_for(VkCommandBuffer commands, VkPipelineStageFlags before,
                     VkAccessFlags written, VkPipelineStageFlags after, VkAccessFlags access)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = written,
                                    .dstAccessMask = access};
    vkCmdPipelineBarrier(commands, before, after, 0, 1, &memory, 0, NULL, 0, NULL);
}

#define OTHERS (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)
#define OTHERS_WRITE (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT)
#define CAPTURE VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT
#define CAPTURE_WRITE                                                                              \
    (VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT)

void geometry_record(const bench *b, const arm *a, uint64_t n)
{
    const struct geometry *y = b->geometry;
    const float limit = share_limit(a->share);
    const VkDeviceSize start = 0, size = 4 * n, counter = moves_offset(a, n, MOVED_KINDS);
    const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = y->pass,
                                        .framebuffer = y->frame,
                                        .renderArea = {.extent = {1, 1}}};
    wait_for(a->commands, OTHERS, OTHERS_WRITE, CAPTURE | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
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
    wait_for(a->commands, CAPTURE, CAPTURE_WRITE, OTHERS,
             VK_ACCESS_TRANSFER_READ_BIT | OTHERS_WRITE);
}
