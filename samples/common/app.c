/* SPDX-License-Identifier: MIT */
#define VOLK_IMPLEMENTATION
#include "app.h"
#include <string.h>

/* ---- Errors ---- */

void check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        DIE(FAILED, "%.*s failed with VkResult %d\n", (int)strcspn(call, "("), call, (int)result);
}

static void on_message(void *data, VkrResult result, const char *sentence)
{
    (void)data, (void)result;
    fprintf(stderr, "%s: %s\n", app_name, sentence);
}

void check_vkr(VkrResult result)
{
    if (result != VKR_SUCCESS)
        exit(FAILED);
}

/* ---- Device ---- */

/* Whether the device can draw and reduce. Stores the device and its properties in *g. */
static bool is_suitable(gpu *g, VkPhysicalDevice physical)
{
    const VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkPhysicalDeviceDynamicRenderingFeatures rendering = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
    VkPhysicalDeviceVulkan12Features v12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = &rendering};
    VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &v12};
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;

    g->physical = physical;
    vkGetPhysicalDeviceProperties(physical, &g->properties);
    if (g->properties.apiVersion < VK_API_VERSION_1_3)
        return false;
    vkGetPhysicalDeviceFeatures2(physical, &features);
    g->many_draws =
        features.features.multiDrawIndirect && features.features.drawIndirectFirstInstance;
    g->counted_draws = g->many_draws && v12.drawIndirectCount;
    const VkrDeviceRequirementsInfo asked = {.instance = g->instance,
                                             .physicalDevice = physical,
                                             .apiVersion = VK_API_VERSION_1_3,
                                             .getInstanceProcAddr = vkGetInstanceProcAddr,
                                             .message = on_message};
    check_vkr(vkrGetDeviceRequirements(&asked, &g->needs));
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (g->family = 0; g->family < count; g->family++)
        if ((families[g->family].queueFlags & both) == both)
            return rendering.dynamicRendering && g->needs.usable;
    return false;
}

/* Whether the device has the index `wanted`, or `wanted` in its name; NULL matches any device. */
static bool is_wanted(const gpu *g, uint32_t index, const char *wanted)
{
    char *end;
    if (!wanted)
        return true;
    unsigned long number = strtoul(wanted, &end, 10);
    return *wanted >= '0' && *wanted <= '9' && *end == '\0'
               ? number == index
               : strstr(g->properties.deviceName, wanted) != NULL;
}

static void choose_device(gpu *g, const char *wanted)
{
    VkPhysicalDevice found[64];
    uint32_t count = 64, i = 0;
    CHECK(vkEnumeratePhysicalDevices(g->instance, &count, found));
    while (i < count && !(is_suitable(g, found[i]) && is_wanted(g, i, wanted)))
        i++;
    if (i == count)
        DIE(FAILED,
            "none of %u devices %s%s%shas Vulkan 1.3 and a queue for graphics and compute\n", count,
            wanted ? "is '" : "", wanted ? wanted : "", wanted ? "' and " : "");
    vkGetPhysicalDeviceMemoryProperties(g->physical, &g->memory);
}

static VkDeviceSize find_largest_buffer(const gpu *g)
{
    VkPhysicalDeviceMaintenance4Properties a = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
    VkPhysicalDeviceMaintenance3Properties b = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &a};
    VkPhysicalDeviceProperties2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &b};
    vkGetPhysicalDeviceProperties2(g->physical, &all);
    return a.maxBufferSize < b.maxMemoryAllocationSize ? a.maxBufferSize
                                                       : b.maxMemoryAllocationSize;
}

void open_gpu(gpu *g, const char *wanted)
{
    VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                          .pApplicationInfo = &app};
    CHECK(volkInitialize());
    CHECK(vkCreateInstance(&instance_info, NULL, &g->instance));
    volkLoadInstance(g->instance);
    choose_device(g, wanted);
    g->largest_buffer = find_largest_buffer(g);

    /* The features that this program needs; the library adds those that it can use. */
    VkPhysicalDeviceVulkan13Features v13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                            .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceVulkan12Features v12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = &v13, .drawIndirectCount = g->counted_draws};
    VkPhysicalDeviceVulkan11Features v11 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &v12};
    VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &v11,
                                          .features.multiDrawIndirect = g->many_draws,
                                          .features.drawIndirectFirstInstance = g->many_draws};
    check_vkr(vkrEnableFeatures(&(VkrEnableFeaturesInfo){.requirements = &g->needs,
                                                         .chain = &features,
                                                         .message = on_message},
                                NULL));
    VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = g->family, .queueCount = 1,
                                          .pQueuePriorities = &(float){1.0f}};
    VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &features,
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
                                   .enabledFeatureChain = &features,
                                   .enabledExtensionCount = g->needs.extensionCount,
                                   .enabledExtensions = g->needs.extensions,
                                   .message = on_message};
    check_vkr(vkrCreateContext(&context_info, &g->context));
}

void close_gpu(gpu *g)
{
    vkrDestroyContext(g->context);
    vkDestroyDevice(g->device, NULL);
    vkDestroyInstance(g->instance, NULL);
}

void check_formats(const gpu *g, bool pairs)
{
    static const struct {
        VkFormat format;
        VkFormatFeatureFlags needed;
        const char *name;
    } rows[] = {
        {DEPTH_FORMAT,
         VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
         "depths of 32 bits"},
        {PAIR_FORMAT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
         "pairs of floats that shaders write"}};
    for (size_t i = 0; i < (pairs ? 2 : 1); i++) {
        VkFormatProperties found;
        vkGetPhysicalDeviceFormatProperties(g->physical, rows[i].format, &found);
        if (rows[i].needed & ~found.optimalTilingFeatures)
            DIE(FAILED, "%s has no %s\n", g->properties.deviceName, rows[i].name);
    }
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
        DIE(FAILED, "the device has no memory type for this that is %s\n",
            (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0 ? "local to it"
                                                               : "visible to the host");
    CHECK(vkAllocateMemory(g->device, &info, NULL, &memory));
    return memory;
}

buffer create_buffer(const gpu *g, VkDeviceSize size, VkBufferUsageFlags usage,
                     VkMemoryPropertyFlags where)
{
    buffer b = {0};
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    CHECK(vkCreateBuffer(g->device, &info, NULL, &b.handle));
    vkGetBufferMemoryRequirements(g->device, b.handle, &needs);
    b.memory = allocate(g, &needs, where);
    CHECK(vkBindBufferMemory(g->device, b.handle, b.memory, 0));
    if (where & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        CHECK(vkMapMemory(g->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
    return b;
}

void destroy_buffer(const gpu *g, const buffer *b)
{
    vkDestroyBuffer(g->device, b->handle, NULL);
    vkFreeMemory(g->device, b->memory, NULL);
}

image create_image(const gpu *g, VkExtent2D size, uint32_t levels, VkFormat format,
                   VkImageUsageFlags usage)
{
    image i = {
        .size = size,
        .range = {format == DEPTH_FORMAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0,
                  levels, 0, 1}};
    VkMemoryRequirements needs;
    VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = format,
                              .extent = {size.width, size.height, 1},
                              .mipLevels = levels,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = usage};
    CHECK(vkCreateImage(g->device, &info, NULL, &i.handle));
    vkGetImageMemoryRequirements(g->device, i.handle, &needs);
    i.memory = allocate(g, &needs, ON_DEVICE);
    CHECK(vkBindImageMemory(g->device, i.handle, i.memory, 0));
    VkImageViewCreateInfo view = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = i.handle,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format,
                                  .subresourceRange = i.range};
    CHECK(vkCreateImageView(g->device, &view, NULL, &i.view));
    return i;
}

void destroy_image(const gpu *g, const image *i)
{
    vkDestroyImageView(g->device, i->view, NULL);
    vkDestroyImage(g->device, i->handle, NULL);
    vkFreeMemory(g->device, i->memory, NULL);
}

/* ---- Drawing ---- */

VkPipelineShaderStageCreateInfo create_stage(const gpu *g, const shader *s)
{
    VkPipelineShaderStageCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = s->stage, .pName = "main"};
    VkShaderModuleCreateInfo module = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = s->size, .pCode = s->code};
    CHECK(vkCreateShaderModule(g->device, &module, NULL, &info.module));
    return info;
}

VkPipeline create_draw_pipeline(const gpu *g, const draw_info *d)
{
    VkPipeline pipeline;
    const uint32_t count = d->fragment.code ? 2 : 1;
    VkPipelineShaderStageCreateInfo stages[2] = {create_stage(g, &d->vertex)};
    if (count == 2)
        stages[1] = create_stage(g, &d->fragment);
    VkPipelineVertexInputStateCreateInfo input = d->input;
    input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = d->topology};
    VkViewport viewport = {0, 0, (float)d->size.width, (float)d->size.height, 0, 1};
    VkRect2D scissor = {.extent = d->size};
    VkPipelineViewportStateCreateInfo view = {
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    VkPipelineMultisampleStateCreateInfo samples = {
        VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkBlendFactor one = VK_BLEND_FACTOR_ONE;
    const VkBlendFactor rest = d->over ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : one;
    VkPipelineColorBlendAttachmentState colours = {
        d->add || d->over, one, rest, VK_BLEND_OP_ADD, one, rest, VK_BLEND_OP_ADD, 0xf};
    VkPipelineColorBlendStateCreateInfo blend = {
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = count - 1,
        .pAttachments = &colours};
    VkPipelineDepthStencilStateCreateInfo nearer = {
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO, .depthTestEnable = d->depth,
        .depthWriteEnable = d->depth, .depthCompareOp = VK_COMPARE_OP_LESS};
    VkPipelineRenderingCreateInfo rendering = {
        VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .colorAttachmentCount = count - 1,
        .pColorAttachmentFormats =
            &(VkFormat){d->format == VK_FORMAT_UNDEFINED ? TARGET_FORMAT : d->format},
        .depthAttachmentFormat = d->depth ? DEPTH_FORMAT : VK_FORMAT_UNDEFINED};
    VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pNext = &rendering,
                                         .stageCount = count,
                                         .pStages = stages,
                                         .pVertexInputState = &input,
                                         .pInputAssemblyState = &assembly,
                                         .pViewportState = &view,
                                         .pRasterizationState = &raster,
                                         .pMultisampleState = &samples,
                                         .pDepthStencilState = &nearer,
                                         .pColorBlendState = &blend,
                                         .layout = d->layout};
    CHECK(vkCreateGraphicsPipelines(g->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    for (uint32_t i = 0; i < count; i++)
        vkDestroyShaderModule(g->device, stages[i].module, NULL);
    return pipeline;
}

void begin_drawing(VkCommandBuffer cmd, const image *target, const image *depth,
                   VkAttachmentLoadOp load)
{
    VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = target ? target->view : VK_NULL_HANDLE,
                                            .imageLayout = drawn.layout, .loadOp = load,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingAttachmentInfo depths = {
        VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = depth ? depth->view : VK_NULL_HANDLE,
        .imageLayout = depth_drawn.layout,
        .loadOp = load == VK_ATTACHMENT_LOAD_OP_LOAD ? load : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue.depthStencil.depth = 1};
    VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea.extent = target ? target->size : depth->size,
                                 .layerCount = 1,
                                 .colorAttachmentCount = target ? 1 : 0,
                                 .pColorAttachments = &attachment,
                                 .pDepthAttachment = depth ? &depths : NULL};
    vkCmdBeginRendering(cmd, &rendering);
}
