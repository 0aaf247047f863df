/* SPDX-License-Identifier: MIT */
#include "scene.h"
#include <string.h>

static const uint32_t vertex_code[] =
#include "splats.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "splats.frag.inc"
    ;
static const uint32_t functions_code[] =
#include "splats_functions.comp.inc"
    ;

static void check_device(const gpu *g, const model *m)
{
    const VkDeviceSize range = g->properties.limits.maxStorageBufferRange;
    const VkDeviceSize bytes = range < g->largest_buffer ? range : g->largest_buffer;
    VkFormatProperties found;
    vkGetPhysicalDeviceFormatProperties(g->physical, FLOAT_FORMAT, &found);
    if (!(found.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT))
        DIE(FAILED, "%s cannot blend floats of 32 bits\n", g->properties.deviceName);
    if (m->count > bytes / sizeof(Shape))
        DIE(FAILED, "%s has no buffers for %u splats\n", g->properties.deviceName, m->count);
}

static void create_buffers(const gpu *g, scene *s, const model *m)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags copied = storage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    const VkDeviceSize list = s->count * sizeof(uint32_t);
    s->spheres = create_buffer(g, s->count * sizeof(vec4), storage, ON_HOST);
    s->shapes = create_buffer(g, s->count * sizeof(Shape), storage, ON_HOST);
    s->view = create_buffer(g, sizeof(View), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, ON_HOST);
    s->draw = create_buffer(g, sizeof(VkDrawIndirectCommand),
                            storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, ON_HOST);
    s->keys = create_buffer(g, list, copied, ON_DEVICE);
    s->outlines = create_buffer(g, s->count * sizeof(Outline), storage, ON_DEVICE);
    s->order = create_buffer(g, list, copied, ON_DEVICE);
    s->boxes = create_buffer(g, s->count * sizeof(Box), storage, ON_DEVICE);
    s->readback = create_buffer(g, PIXELS * sizeof(vec4) + 2 * list,
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    memcpy(s->spheres.map, m->spheres, s->count * sizeof(vec4));
    memcpy(s->shapes.map, m->shapes, s->count * sizeof(Shape));
    /* The library writes the number of instances. */
    *(VkDrawIndirectCommand *)s->draw.map = (VkDrawIndirectCommand){.vertexCount = 4};
}

/* The library's kernels and the shaders use the same set. */
static void create_set(const gpu *g, scene *s)
{
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    const descriptor rows[BINDINGS] = {
        [SPHERES] = {storage, both, .data = &s->spheres},
        [SHAPES] = {storage, both, .data = &s->shapes},
        [VIEWS] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, both, .data = &s->view},
        [KEYS] = {storage, both, .data = &s->keys},
        [OUTLINES] = {storage, both, .data = &s->outlines},
        [ORDER] = {storage, both, .data = &s->order},
        [BOXES] = {storage, both, .data = &s->boxes}};
    s->set = create_descriptors(g, rows, BINDINGS);
}

static void create_pipeline(const gpu *g, scene *s)
{
    const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1, .pSetLayouts = &s->set.layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    const draw_info draw = {
        s->layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        .over = true,
        .format = FLOAT_FORMAT,
        .size = s->target.size,
    };
    s->pipeline = create_draw_pipeline(g, &draw);
}

scene create_scene(const gpu *g, const model *m)
{
    const VkQueryPoolCreateInfo times = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = STAGES + 1};
    scene s = {.count = m->count, .timed = g->properties.limits.timestampComputeAndGraphics};
    check_device(g, m);
    s.target = create_image(g, (VkExtent2D){WIDTH, HEIGHT}, 1, FLOAT_FORMAT,
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    create_buffers(g, &s, m);
    create_set(g, &s);
    create_pipeline(g, &s);
    CHECK(vkCreateQueryPool(g->device, &times, NULL, &s.times));
    const VkrModuleInfo module = {.label = "splats",
                                  .code = functions_code,
                                  .codeSize = sizeof functions_code,
                                  .setLayout = s.set.layout};
    check_vkr(vkrCreateModule(g->context, &module, &s.functions));
    return s;
}

void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *buffers[] = {&s->spheres, &s->shapes,   &s->view,  &s->draw,    &s->keys,
                               &s->order,   &s->outlines, &s->boxes, &s->readback};
    vkrDestroyModule(s->functions);
    vkDestroyQueryPool(g->device, s->times, NULL);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    destroy_image(g, &s->target);
    destroy_descriptors(g, &s->set);
    vkDestroyPipeline(g->device, s->pipeline, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
}
