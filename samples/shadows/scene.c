/* SPDX-License-Identifier: MIT */
#include "scene.h"

static const uint32_t vertex_code[] =
#include "shadows.vert.inc"
    ;
static const uint32_t map_vertex_code[] =
#include "shadows_map.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "face.frag.inc"
    ;
static const uint32_t functions_code[] =
#include "shadows_functions.comp.inc"
    ;
static const uint32_t split_code[] =
#include "shadows_split.comp.inc"
    ;
static const uint32_t shade_code[] =
#include "shadows_shade.comp.inc"
    ;

static void create_images(const gpu *g, scene *s)
{
    const VkExtent2D size = {WIDTH, HEIGHT}, map_size = {MAP_SIDE, MAP_SIDE};
    const VkImageUsageFlags sampled_depth =
        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    s->faces = create_image(g, size, 1, FACE_FORMAT,
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    s->depth = create_image(g, size, 1, DEPTH_FORMAT, sampled_depth | copied);
    s->target = create_image(g, size, 1, TARGET_FORMAT, VK_IMAGE_USAGE_STORAGE_BIT | copied);
    for (uint32_t k = 0; k < CASCADES; k++)
        s->maps[k] = create_image(g, map_size, 1, DEPTH_FORMAT, sampled_depth);
}

static void create_buffers(const gpu *g, scene *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    s->view = create_buffer(g, sizeof(View), storage, ON_HOST);
    s->solids = create_buffer(g, MAX_SOLIDS * sizeof(Solid), storage, ON_HOST);
    s->cascades = create_buffer(g, 2 * sizeof(Cascades), storage, ON_HOST);
    s->readback = create_buffer(g, COPIES * 4 * PIXELS, VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    s->solid_count = make_town(s->solids.map);
    make_view(s->view.map, s->solids.map, s->solid_count);
    make_fixed(s->cascades.map, s->view.map);
}

static void create_sets(const gpu *g, scene *s)
{
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkDescriptorType texture = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    const VkShaderStageFlags compute = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | compute;
    descriptor rows[6 + CASCADES] = {
        {storage, both, .data = &s->view},
        {storage, both, .data = &s->cascades},
        {texture, compute, .texels = &s->depth, .layout = depth_read.layout},
        {storage, both, .data = &s->solids},
        {texture, compute, .texels = &s->faces, .layout = computed.layout},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, compute, .texels = &s->target,
         .layout = computed.layout}};
    for (uint32_t k = 0; k < CASCADES; k++)
        rows[6 + k] = (descriptor){texture, compute, NULL, &s->maps[k], depth_read.layout};
    s->set = create_descriptors(g, rows, 6 + CASCADES);
    s->functions_set = create_descriptors(g, rows, 3);
}

static void create_pipelines(const gpu *g, scene *s)
{
    const VkPushConstantRange told = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                      sizeof(Turn)};
    const VkPipelineLayoutCreateInfo layout = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &s->set.layout, 1, &told};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    draw_info draw = {
        s->layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth = true,
        .format = FACE_FORMAT,
        .size = s->faces.size,
    };
    s->draw = create_draw_pipeline(g, &draw);
    draw.vertex = (shader){VK_SHADER_STAGE_VERTEX_BIT, map_vertex_code, sizeof map_vertex_code};
    draw.fragment = (shader){0};
    draw.size = s->maps[0].size;
    s->draw_map = create_draw_pipeline(g, &draw);
    s->split = create_compute_pipeline(g, s->layout, split_code, sizeof split_code);
    s->shade = create_compute_pipeline(g, s->layout, shade_code, sizeof shade_code);
}

scene create_scene(const gpu *g)
{
    scene s = {0};
    check_formats(g, false);
    create_images(g, &s);
    create_buffers(g, &s);
    create_sets(g, &s);
    create_pipelines(g, &s);
    const VkrModuleInfo module = {.label = "shadows",
                                  .code = functions_code,
                                  .codeSize = sizeof functions_code,
                                  .setLayout = s.functions_set.layout};
    check_vkr(vkrCreateModule(g->context, &module, &s.functions));
    return s;
}

void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *buffers[] = {&s->view, &s->solids, &s->cascades, &s->readback};
    const image *images[] = {&s->faces, &s->depth, &s->target};
    const VkPipeline pipelines[] = {s->draw, s->draw_map, s->split, s->shade};
    vkrDestroyModule(s->functions);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        destroy_image(g, images[i]);
    for (size_t i = 0; i < CASCADES; i++)
        destroy_image(g, &s->maps[i]);
    for (size_t i = 0; i < sizeof pipelines / sizeof pipelines[0]; i++)
        vkDestroyPipeline(g->device, pipelines[i], NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    destroy_descriptors(g, &s->set);
    destroy_descriptors(g, &s->functions_set);
}
