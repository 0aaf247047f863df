/* SPDX-License-Identifier: MIT */
/*
 * autocontrast IN.png OUT.png: the picture with its contrast stretched, so that the least of its
 * values becomes black and the greatest white.
 *
 * One command buffer uploads the pixels, reduces them to their least and greatest values, and draws
 * the picture with a fragment shader that reads these two where the library wrote them. The host
 * neither sees them nor waits for them.
 *
 * - Red, green and blue share one stretch, so that hues stay; a photograph with a colour cast keeps
 *   it. Alpha does not count and does not change, but the colours of transparent pixels do count.
 * - A picture whose values are all the same stays as it is.
 * - Grey and colour, with and without alpha, up to 8 bits per channel. The output has 8, and the
 *   channels of the input (a palette becomes colours). libpng turns other gammas into sRGB.
 * - The pixels go up as floats: every device can reduce and sample these, but not every one bytes.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or the output failed,
 * and with 2 for a bad usage or input.
 */
#define VOLK_IMPLEMENTATION
#include <volk.h>
#include <png.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "vkreduce/vkreduce.h"

enum { FAILED = 1, BAD_INPUT = 2 };

#define PIXEL (4 * sizeof(float)) /* R, G, B, A */

/* ---- Errors: one sentence, and the end ---- */

#define DIE(status, ...) (fprintf(stderr, "autocontrast: " __VA_ARGS__), exit(status))
#define CHECK(call) check((call), #call)

static void check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        DIE(FAILED, "%.*s failed with VkResult %d\n", (int)strcspn(call, "("), call, (int)result);
}

static void on_message(void *data, VkrResult result, const char *sentence)
{
    (void)data, (void)result;
    fprintf(stderr, "autocontrast: %s\n", sentence);
}

/* on_message has said what was wrong. */
static void check_vkr(VkrResult result)
{
    if (result != VKR_SUCCESS)
        exit(FAILED);
}

/* ---- PNG ---- */

typedef struct picture {
    uint32_t width;
    uint32_t height;
    size_t pixels;
    uint32_t format; /* of the file: PNG_FORMAT_FLAG_ALPHA and _COLOR */
    unsigned char *rgba;
} picture;

static picture read_png(const char *name)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, name))
        DIE(BAD_INPUT, "%s cannot be read: %s\n", name, png.message);
    if (png.format & PNG_FORMAT_FLAG_LINEAR)
        DIE(BAD_INPUT, "%s has 16 bits per channel; this program takes 8 at most\n", name);
    picture p = {png.width, png.height, (size_t)png.width * png.height,
                 png.format & (PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR), NULL};
    if (p.pixels > SIZE_MAX / 4 || !(p.rgba = malloc(4 * p.pixels)))
        DIE(FAILED, "there is no memory for %u x %u pixels\n", p.width, p.height);
    png.format = PNG_FORMAT_RGBA;
    if (!png_image_finish_read(&png, NULL, p.rgba, 0, NULL))
        DIE(BAD_INPUT, "%s is no whole PNG picture: %s\n", name, png.message);
    return p;
}

/* Leaves the channels of the file. */
static void drop_channels(const picture *p)
{
    const uint32_t last = PNG_IMAGE_PIXEL_CHANNELS(p->format) - 1;
    const unsigned char *from = p->rgba;
    unsigned char *to = p->rgba;
    for (size_t i = 0; i < p->pixels; i++, from += 4)
        for (uint32_t c = 0; c <= last; c++)
            *to++ = from[c == last && p->format & PNG_FORMAT_FLAG_ALPHA ? 3 : c];
}

/* Under another name first, so that OUT.png is a whole picture or not there at all. */
static void write_png(const picture *p, const char *name)
{
    struct stat existing;
    if (lstat(name, &existing) == 0 && !S_ISREG(existing.st_mode))
        DIE(FAILED, "%s cannot be replaced: it is no regular file\n", name);
    char temporary[PATH_MAX];
    if (snprintf(temporary, sizeof temporary, "%s.%ld.tmp", name, (long)getpid()) >= PATH_MAX)
        DIE(FAILED, "%s cannot be written: its name is too long\n", name);

    drop_channels(p);
    png_image png = {
        .version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = p->format};
    if (!png_image_write_to_file(&png, temporary, 0, p->rgba, 0, NULL))
        DIE(FAILED, "%s cannot be written: %s\n", name, png.message);
    if (rename(temporary, name) != 0) {
        int error = errno;
        remove(temporary);
        DIE(FAILED, "%s cannot be replaced: %s\n", name, strerror(error));
    }
}

/* ---- Device ---- */

typedef struct gpu {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t family;
    VkDevice device;
    VkQueue queue;
    VkPhysicalDeviceDynamicRenderingFeatures rendering;
    VkrDeviceRequirements needs;
    VkrContext context;
} gpu;

/* Whether the device can draw and reduce; keeps what is then needed of it. */
static bool is_suitable(gpu *g, VkPhysicalDevice physical)
{
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &g->rendering};
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;

    g->physical = physical;
    vkGetPhysicalDeviceProperties(physical, &g->properties);
    if (g->properties.apiVersion < VK_API_VERSION_1_3)
        return false;
    g->rendering.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES;
    vkGetPhysicalDeviceFeatures2(physical, &features);
    check_vkr(vkrGetDeviceRequirements(g->instance, physical, VK_API_VERSION_1_3,
                                       vkGetInstanceProcAddr, &g->needs));
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (g->family = 0; g->family < count; g->family++)
        if ((families[g->family].queueFlags & both) == both)
            return g->rendering.dynamicRendering && g->needs.usable;
    return false;
}

static void open_gpu(gpu *g)
{
    VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                          .pApplicationInfo = &app};
    VkPhysicalDevice found[64];
    uint32_t count = 64, i = 0;
    CHECK(volkInitialize());
    CHECK(vkCreateInstance(&instance_info, NULL, &g->instance));
    volkLoadInstance(g->instance);
    CHECK(vkEnumeratePhysicalDevices(g->instance, &count, found));
    while (i < count && !is_suitable(g, found[i]))
        i++;
    if (i == count)
        DIE(FAILED, "none of %u devices has Vulkan 1.3 and a queue for graphics and compute\n",
            count);
    vkGetPhysicalDeviceMemoryProperties(g->physical, &g->memory);

    /* What the library asks for, and what this program does. */
    g->rendering.pNext = &g->needs.features;
    VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = g->family, .queueCount = 1,
                                          .pQueuePriorities = &(float){1.0f}};
    VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &g->rendering,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue_info,
                                      .enabledExtensionCount = g->needs.extensionCount,
                                      .ppEnabledExtensionNames = g->needs.extensions};
    CHECK(vkCreateDevice(g->physical, &device_info, NULL, &g->device));
    volkLoadDevice(g->device);
    vkGetDeviceQueue(g->device, g->family, 0, &g->queue);

    VkrContextInfo context_info = {g->instance,
                                   g->physical,
                                   g->device,
                                   .apiVersion = VK_API_VERSION_1_3,
                                   .enabledFeatureChain = &g->rendering,
                                   .enabledExtensionCount = g->needs.extensionCount,
                                   .enabledExtensions = g->needs.extensions,
                                   .message = on_message};
    check_vkr(vkrCreateContext(&context_info, &g->context));
}

/* The largest allocations are of the pixels as floats. */
static void check_size(const gpu *g, const picture *p)
{
    VkPhysicalDeviceMaintenance4Properties buffer = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
    VkPhysicalDeviceMaintenance3Properties memory = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &buffer};
    VkPhysicalDeviceProperties2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &memory};
    const VkPhysicalDeviceLimits *most = &g->properties.limits;
    vkGetPhysicalDeviceProperties2(g->physical, &all);
    if (p->width > most->maxImageDimension2D || p->width > most->maxFramebufferWidth ||
        p->height > most->maxImageDimension2D || p->height > most->maxFramebufferHeight ||
        p->pixels * PIXEL > buffer.maxBufferSize ||
        p->pixels * PIXEL > memory.maxMemoryAllocationSize)
        DIE(FAILED, "%u x %u pixels are more than %s can draw\n", p->width, p->height,
            g->properties.deviceName);
}

static void close_gpu(gpu *g)
{
    vkrDestroyContext(g->context);
    vkDestroyDevice(g->device, NULL);
    vkDestroyInstance(g->instance, NULL);
}

/* ---- Memory ---- */

static VkDeviceMemory allocate(const gpu *g, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags flags)
{
    uint32_t type = 0;
    VkDeviceMemory memory;
    while (type < g->memory.memoryTypeCount &&
           (!(needs->memoryTypeBits >> type & 1) ||
            (g->memory.memoryTypes[type].propertyFlags & flags) != flags))
        type++;
    VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs->size, type};
    if (type == g->memory.memoryTypeCount)
        DIE(FAILED, "the device has no memory of the kind 0x%x\n", flags);
    CHECK(vkAllocateMemory(g->device, &info, NULL, &memory));
    return memory;
}

typedef struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *map; /* where the host sees it */
} buffer;

static buffer create_buffer(const gpu *g, VkDeviceSize size, VkBufferUsageFlags usage,
                            VkMemoryPropertyFlags flags)
{
    buffer b = {0};
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    CHECK(vkCreateBuffer(g->device, &info, NULL, &b.handle));
    vkGetBufferMemoryRequirements(g->device, b.handle, &needs);
    b.memory = allocate(g, &needs, flags);
    CHECK(vkBindBufferMemory(g->device, b.handle, b.memory, 0));
    if (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        CHECK(vkMapMemory(g->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
    return b;
}

static void destroy_buffer(const gpu *g, const buffer *b)
{
    vkDestroyBuffer(g->device, b->handle, NULL);
    vkFreeMemory(g->device, b->memory, NULL);
}

typedef struct image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
} image;

static const VkImageSubresourceRange whole_image = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

static image create_image(const gpu *g, const picture *p, VkFormat format, VkImageUsageFlags usage)
{
    image i;
    VkMemoryRequirements needs;
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = format,
                              .extent = {p->width, p->height, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = usage};
    CHECK(vkCreateImage(g->device, &info, NULL, &i.handle));
    vkGetImageMemoryRequirements(g->device, i.handle, &needs);
    i.memory = allocate(g, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    CHECK(vkBindImageMemory(g->device, i.handle, i.memory, 0));
    VkImageViewCreateInfo view = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = i.handle,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format,
                                  .subresourceRange = whole_image};
    CHECK(vkCreateImageView(g->device, &view, NULL, &i.view));
    return i;
}

static void destroy_image(const gpu *g, const image *i)
{
    vkDestroyImageView(g->device, i->view, NULL);
    vkDestroyImage(g->device, i->handle, NULL);
    vkFreeMemory(g->device, i->memory, NULL);
}

/* ---- Pipeline ---- */

static const uint32_t vertex_code[] =
#include "autocontrast.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "autocontrast.frag.inc"
    ;

/* Everything that the command buffer names. */
typedef struct scene {
    VkExtent2D size;
    VkDeviceSize bytes; /* of the pixels as floats */
    buffer staging;     /* the pixels as floats, from the host .. */
    buffer pixels;      /* .. for the reduction .. */
    image source;       /* .. and for the fragment shader */
    buffer extremes;    /* what the reduction leaves: least R, G, B, and greatest R, G, B */
    image target;       /* the stretched picture .. */
    buffer readback;    /* .. for the host */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} scene;

#define TARGET_FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define EXTREMES_SIZE (6 * sizeof(float))

static void create_set(const gpu *g, scene *s)
{
    const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    const VkShaderStageFlags stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    VkDescriptorSetLayoutBinding bindings[] = {{0, types[0], 1, stage, NULL},
                                               {1, types[1], 1, stage, NULL}};
    VkDescriptorPoolSize sizes[] = {{types[0], 1}, {types[1], 1}};
    VkDescriptorSetLayoutCreateInfo layout_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 2, bindings};
    VkDescriptorPoolCreateInfo pool_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 2, sizes};
    CHECK(vkCreateDescriptorSetLayout(g->device, &layout_info, NULL, &s->set_layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool_info, NULL, &s->pool));
    VkDescriptorSetAllocateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                            s->pool, 1, &s->set_layout};
    CHECK(vkAllocateDescriptorSets(g->device, &set_info, &s->set));

    VkDescriptorImageInfo source = {.imageView = s->source.view,
                                    .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkDescriptorBufferInfo extremes = {s->extremes.handle, 0, EXTREMES_SIZE};
    VkWriteDescriptorSet writes[] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, s->set, 0, 0, 1,
                                      types[0], &source, NULL, NULL},
                                     {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, s->set, 1, 0, 1,
                                      types[1], NULL, &extremes, NULL}};
    vkUpdateDescriptorSets(g->device, 2, writes, 0, NULL);
}

static VkPipelineShaderStageCreateInfo create_stage(const gpu *g, VkShaderStageFlagBits stage,
                                                    const uint32_t *code, size_t size)
{
    VkPipelineShaderStageCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = stage, .pName = "main"};
    VkShaderModuleCreateInfo module = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = size, .pCode = code};
    CHECK(vkCreateShaderModule(g->device, &module, NULL, &info.module));
    return info;
}

static void create_pipeline(const gpu *g, scene *s)
{
    VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1, .pSetLayouts = &s->set_layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));

    VkPipelineShaderStageCreateInfo stages[] = {
        create_stage(g, VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code),
        create_stage(g, VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code)};
    VkPipelineVertexInputStateCreateInfo vertices = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkViewport viewport = {0, 0, (float)s->size.width, (float)s->size.height, 0, 1};
    VkRect2D scissor = {.extent = s->size};
    VkPipelineViewportStateCreateInfo view = {
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    VkPipelineMultisampleStateCreateInfo samples = {
        VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState overwrite = {.colorWriteMask = 0xf};
    VkPipelineColorBlendStateCreateInfo blend = {
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1,
        .pAttachments = &overwrite};
    VkPipelineRenderingCreateInfo rendering = {
        VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &(VkFormat){TARGET_FORMAT}};
    VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = 2,
                                         .pStages = stages,
                                         .pVertexInputState = &vertices,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &view,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pColorBlendState = &blend,
                                         .layout = s->layout};
    CHECK(vkCreateGraphicsPipelines(g->device, VK_NULL_HANDLE, 1, &info, NULL, &s->pipeline));
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyShaderModule(g->device, stages[i].module, NULL);
}

static void create_scene(const gpu *g, const picture *p, scene *s)
{
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags own = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

    *s = (scene){.size = {p->width, p->height}, .bytes = p->pixels * PIXEL};
    s->staging = create_buffer(g, s->bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, host);
    s->pixels = create_buffer(g, s->bytes, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, own);
    s->extremes = create_buffer(g, EXTREMES_SIZE, storage, own);
    s->readback = create_buffer(g, 4 * p->pixels, VK_BUFFER_USAGE_TRANSFER_DST_BIT, host);
    s->source = create_image(g, p, VK_FORMAT_R32G32B32A32_SFLOAT,
                             VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    s->target = create_image(g, p, TARGET_FORMAT,
                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    create_set(g, s);
    create_pipeline(g, s);
    for (size_t i = 0; i < 4 * p->pixels; i++)
        ((float *)s->staging.map)[i] = (float)p->rgba[i] / 255.0f;
}

static void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *buffers[] = {&s->staging, &s->pixels, &s->extremes, &s->readback};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    destroy_image(g, &s->source);
    destroy_image(g, &s->target);
    vkDestroyPipeline(g->device, s->pipeline, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    vkDestroyDescriptorPool(g->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, s->set_layout, NULL);
}

/* ---- The command buffer ---- */

/* What an image is used for, from one barrier to the next. */
typedef struct use {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout;
} use;

static const use nothing = {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED};
static const use copied_to = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
static const use sampled = {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
static const use drawn = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                          VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                          VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
static const use copied_from = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT,
                                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};

static void transition(VkCommandBuffer cmd, const image *i, const use *from, const use *to)
{
    VkImageMemoryBarrier barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .srcAccessMask = from->access,
                                    .dstAccessMask = to->access,
                                    .oldLayout = from->layout,
                                    .newLayout = to->layout,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = i->handle,
                                    .subresourceRange = whole_image};
    vkCmdPipelineBarrier(cmd, from->stages, to->stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void wait_for_copy(VkCommandBuffer cmd, VkPipelineStageFlags stages, VkAccessFlags access)
{
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_TRANSFER_WRITE_BIT,
                               access};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, stages, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
}

static void draw(VkCommandBuffer cmd, const scene *s)
{
    VkRenderingAttachmentInfo attachment = {
        VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = s->target.view,
        .imageLayout = drawn.layout, .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea.extent = s->size,
                                 .layerCount = 1, .colorAttachmentCount = 1,
                                 .pColorAttachments = &attachment};
    vkCmdBeginRendering(cmd, &rendering);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRendering(cmd);
}

static void record(VkCommandBuffer cmd, const scene *s, VkrRecorder recorder)
{
    VkBufferCopy bytes = {0, 0, s->bytes};
    VkBufferImageCopy texels = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {s->size.width, s->size.height, 1}};
    transition(cmd, &s->source, &nothing, &copied_to);
    transition(cmd, &s->target, &nothing, &drawn);
    vkCmdCopyBuffer(cmd, s->staging.handle, s->pixels.handle, 1, &bytes);
    vkCmdCopyBufferToImage(cmd, s->staging.handle, s->source.handle, copied_to.layout, 1, &texels);
    wait_for_copy(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    transition(cmd, &s->source, &copied_to, &sampled);

    /* The library's part: R, G and B of every pixel, past its A. */
    VkrReduceInfo reduce = {.label = "extremes",
                            .ops = VKR_OP_MIN | VKR_OP_MAX,
                            .input = {s->pixels.handle, 0, s->bytes, VKR_TYPE_F32, 3, PIXEL},
                            .count = VKR_COUNT_ALL,
                            .output = {s->extremes.handle, 0, EXTREMES_SIZE}};
    VkrEndInfo end = {.commandBuffer = cmd,
                      .consumerStages = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                      .consumerAccess = VK_ACCESS_SHADER_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdReduce(recorder, &reduce));
    check_vkr(vkrEnd(recorder, &end));

    draw(cmd, s);
    transition(cmd, &s->target, &drawn, &copied_from);
    vkCmdCopyImageToBuffer(cmd, s->target.handle, copied_from.layout, s->readback.handle, 1,
                           &texels);
    wait_for_copy(cmd, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

/* Records, submits once and waits. */
static void run(const gpu *g, const scene *s)
{
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkrRecorder recorder;
    VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = g->family};
    CHECK(vkCreateCommandPool(g->device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo cmd_info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL,
                                            pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    CHECK(vkAllocateCommandBuffers(g->device, &cmd_info, &cmd));
    check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &recorder));

    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
                           .pCommandBuffers = &cmd};
    CHECK(vkBeginCommandBuffer(cmd, &begin));
    record(cmd, s, recorder);
    CHECK(vkEndCommandBuffer(cmd));
    CHECK(vkQueueSubmit(g->queue, 1, &submit, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(g->queue));

    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g->device, pool, NULL);
}

int main(int argc, char **argv)
{
    gpu g = {0};
    scene s;
    if (argc != 3)
        DIE(BAD_INPUT, "usage: autocontrast IN.png OUT.png\n");
    picture p = read_png(argv[1]);
    open_gpu(&g);
    check_size(&g, &p);
    create_scene(&g, &p, &s);
    run(&g, &s);
    memcpy(p.rgba, s.readback.map, 4 * p.pixels);
    destroy_scene(&g, &s);
    close_gpu(&g);
    write_png(&p, argv[2]);
    free(p.rgba);
    return 0;
}
