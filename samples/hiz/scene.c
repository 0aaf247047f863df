/* SPDX-License-Identifier: MIT */
#include "scene.h"
#include "city.h"

static const uint32_t vertex_code[] =
#include "hiz.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "face.frag.inc"
    ;
static const uint32_t test_code[] =
#include "hiz_test.comp.inc"
    ;

static void create_images(const gpu *g, scene *s)
{
    const VkExtent2D size = {WIDTH, HEIGHT};
    const VkExtent2D half = {(uint32_t)side_of(WIDTH, 1), (uint32_t)side_of(HEIGHT, 1)};
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageUsageFlags tested = VK_IMAGE_USAGE_SAMPLED_BIT | copied;
    s->ids = create_image(g, size, 1, ID_FORMAT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | copied);
    s->shown = create_image(g, size, 1, ID_FORMAT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | copied);
    s->depth = create_image(g, size, 1, DEPTH_FORMAT,
                            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | tested);
    s->shown_depth = create_image(g, size, 1, DEPTH_FORMAT,
                                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | copied);
    s->levels = create_image(g, half, LEVELS, LEVEL_FORMAT, VK_IMAGE_USAGE_STORAGE_BIT | tested);
    for (uint32_t k = 0; k < LEVELS; k++) {
        VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = s->levels.handle, .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = LEVEL_FORMAT,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, 1}};
        CHECK(vkCreateImageView(g->device, &info, NULL, &s->level_views[k]));
    }
}

static void create_buffers(const gpu *g, scene *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags copied = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    const VkDeviceSize list = BOXES * sizeof(uint32_t), pixels = PIXELS * sizeof(uint32_t);
    const VkDeviceSize sizes[COPIES] = {[IDS] = pixels,
                                        [DEPTHS] = pixels,
                                        [PYRAMID] = 8 * texels_below(LEVELS + 1),
                                        [VERDICTS] = list,
                                        [SHOWN] = pixels,
                                        [SHOWN_DEPTHS] = pixels,
                                        [COUNT] = sizeof(VkDrawIndirectCommand)};
    for (uint32_t i = 0; i < COPIES; i++)
        s->offsets[i + 1] = s->offsets[i] + (sizes[i] + 15) / 16 * 16;
    s->readback = create_buffer(g, s->offsets[COPIES], VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    s->boxes = create_buffer(g, BOXES * sizeof(Box), storage, ON_HOST);
    s->all = create_buffer(g, list, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, ON_HOST);
    s->verdicts = create_buffer(g, list, storage | copied, ON_DEVICE);
    s->visible = create_buffer(g, list, storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, ON_DEVICE);
    s->draw = create_buffer(g, sizeof(VkDrawIndirectCommand),
                            storage | copied | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            ON_DEVICE);
    make_city(s->boxes.map);
    for (uint32_t i = 0; i < DRAWN; i++)
        ((uint32_t *)s->all.map)[i] = i;
}

static descriptor_set describe(const gpu *g, const scene *s)
{
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    const descriptor rows[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, stages, .data = &s->boxes},
                               {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, stages, .data = &s->verdicts},
                               {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, stages, .texels = &s->depth,
                                .layout = depth_read.layout},
                               {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, stages, .texels = &s->levels,
                                .layout = VK_IMAGE_LAYOUT_GENERAL}};
    return create_descriptors(g, rows, sizeof rows / sizeof rows[0]);
}

static void create_pipelines(const gpu *g, scene *s)
{
    VkVertexInputBindingDescription binding = {0, sizeof(uint32_t), VK_VERTEX_INPUT_RATE_INSTANCE};
    VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1, .pSetLayouts = &s->set.layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    draw_info draw = {
        s->layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .input = {.vertexBindingDescriptionCount = 1,
                  .pVertexBindingDescriptions = &binding,
                  .vertexAttributeDescriptionCount = 1,
                  .pVertexAttributeDescriptions = &attribute},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth = true,
        .format = ID_FORMAT,
        .size = {WIDTH, HEIGHT},
    };
    s->draw_pipeline = create_draw_pipeline(g, &draw);
    s->test_pipeline = create_compute_pipeline(g, s->layout, test_code, sizeof test_code);
}

scene create_scene(const gpu *g)
{
    scene s = {0};
    check_formats(g, true);
    create_images(g, &s);
    create_buffers(g, &s);
    s.set = describe(g, &s);
    create_pipelines(g, &s);
    return s;
}

void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *buffers[] = {&s->boxes,   &s->all,  &s->verdicts,
                               &s->visible, &s->draw, &s->readback};
    const image *images[] = {&s->ids, &s->depth, &s->levels, &s->shown, &s->shown_depth};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    for (uint32_t k = 0; k < LEVELS; k++)
        vkDestroyImageView(g->device, s->level_views[k], NULL);
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        destroy_image(g, images[i]);
    vkDestroyPipeline(g->device, s->draw_pipeline, NULL);
    vkDestroyPipeline(g->device, s->test_pipeline, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    destroy_descriptors(g, &s->set);
}
