/* SPDX-License-Identifier: MIT */
#include "scene.h"
#include <string.h>

static const uint32_t vertex_code[] =
#include "culling.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "culling.frag.inc"
    ;
static const uint32_t functions_code[] =
#include "culling.comp.inc"
    ;

static void create_images(const gpu *g, scene *s)
{
    const VkExtent2D size = {WIDTH, HEIGHT}, half = {WIDTH / 2, HEIGHT / 2};
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    s->target =
        create_image(g, size, 1, TARGET_FORMAT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | copied);
    s->depth = create_image(g, size, 1, DEPTH_FORMAT,
                            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                VK_IMAGE_USAGE_SAMPLED_BIT | copied);
    s->pyramid = create_image(g, half, LEVELS, PYRAMID_FORMAT,
                              VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    for (uint32_t k = 0; k < LEVELS; k++) {
        VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = s->pyramid.handle, .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = PYRAMID_FORMAT,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, 1}};
        CHECK(vkCreateImageView(g->device, &info, NULL, &s->level_views[k]));
    }
}

static void create_buffers(const gpu *g, scene *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags indirect = storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    const VkBufferUsageFlags filled = indirect | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    s->spheres = create_buffer(g, INSTANCES * sizeof(vec4), storage, ON_HOST);
    s->shapes = create_buffer(g, INSTANCES * sizeof(Shape), storage, ON_HOST);
    s->view = create_buffer(g, sizeof(View), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, ON_HOST);
    s->vertices =
        create_buffer(g, MAX_VERTICES * sizeof(vec3), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, ON_HOST);
    s->indices =
        create_buffer(g, MAX_INDICES * sizeof(uint16_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT, ON_HOST);
    for (uint32_t i = 0; i < 2; i++) {
        memory *m = &s->frames[i];
        m->bits = create_buffer(g, BITS_SIZE, storage, ON_HOST);
        m->commands = create_buffer(g, COMMANDS_SIZE, filled, ON_DEVICE);
        m->number = create_buffer(g, sizeof(uint32_t), indirect, ON_HOST);
        memset(m->bits.map, 0, BITS_SIZE); /* before the first frame nothing was seen */
        memset(m->number.map, 0, sizeof(uint32_t));
    }
    s->new_commands =
        create_buffer(g, COMMANDS_SIZE, filled | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, ON_DEVICE);
    s->readback =
        create_buffer(g, COPIES_SIZE + COMMANDS_SIZE, VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    View *view = s->view.map;
    make_town(s->spheres.map, s->shapes.map, view->meshes);
    make_meshes(s->vertices.map, s->indices.map, view->meshes);
}

/* The sets of the two frames, which both the library's kernels and the shaders use. */
static void create_sets(const gpu *g, scene *s)
{
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkShaderStageFlags both = SET_STAGES;
    for (uint32_t i = 0; i < 2; i++) {
        memory *now = &s->frames[i];
        const memory *before = &s->frames[1 - i];
        const descriptor rows[BINDINGS] = {
            [SPHERES] = {storage, both, .data = &s->spheres},
            [SHAPES] = {storage, both, .data = &s->shapes},
            [VIEWS] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, both, .data = &s->view},
            [PYRAMID] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, both, .texels = &s->pyramid,
                         .layout = VK_IMAGE_LAYOUT_GENERAL},
            [SEEN_BEFORE] = {storage, both, .data = &before->bits},
            [COMMANDS] = {storage, both, .data = &now->commands},
            [NEW_COMMANDS] = {storage, both, .data = &s->new_commands}};
        now->set = create_descriptors(g, rows, BINDINGS);
    }
}

static void create_pipelines(const gpu *g, scene *s)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(vec3), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription corner = {0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0};
    const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &s->frames[0].set.layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    const draw_info draw = {
        s->layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .input = {.vertexBindingDescriptionCount = 1,
                  .pVertexBindingDescriptions = &binding,
                  .vertexAttributeDescriptionCount = 1,
                  .pVertexAttributeDescriptions = &corner},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth = true,
        .size = s->target.size,
    };
    s->draw = create_draw_pipeline(g, &draw);
}

scene create_scene(const gpu *g)
{
    scene s = {0};
    check_formats(g, true);
    create_images(g, &s);
    create_buffers(g, &s);
    create_sets(g, &s);
    create_pipelines(g, &s);
    const VkrModuleInfo module = {.label = "culling",
                                  .code = functions_code,
                                  .codeSize = sizeof functions_code,
                                  .setLayout = s.frames[0].set.layout};
    check_vkr(vkrCreateModule(g->context, &module, &s.functions));
    return s;
}

void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *buffers[] = {&s->spheres, &s->shapes,       &s->view,    &s->vertices,
                               &s->indices, &s->new_commands, &s->readback};
    const image *images[] = {&s->target, &s->depth, &s->pyramid};
    vkrDestroyModule(s->functions);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    for (uint32_t i = 0; i < 2; i++) {
        destroy_buffer(g, &s->frames[i].bits);
        destroy_buffer(g, &s->frames[i].commands);
        destroy_buffer(g, &s->frames[i].number);
        destroy_descriptors(g, &s->frames[i].set);
    }
    for (uint32_t k = 0; k < LEVELS; k++)
        vkDestroyImageView(g->device, s->level_views[k], NULL);
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        destroy_image(g, images[i]);
    vkDestroyPipeline(g->device, s->draw, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
}
