/* SPDX-License-Identifier: MIT */
/* The objects on the device. */
#include "scene.h"

#define EXPOSURE 350000.0f /* brightness of a particle times the number of particles */

const VkExtent2D picture_size = {1280, 720};

const uint32_t entry_size[ARRAYS] = {8, 8, 4, 4};

static const uint32_t move_code[] =
#include "particles_move.comp.inc"
    ;
static const uint32_t emit_code[] =
#include "particles_emit.comp.inc"
    ;
static const uint32_t vertex_code[] =
#include "particles.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "particles.frag.inc"
    ;

static void create_layouts(const gpu *g, scene *s)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           NULL, 0, BINDINGS, bindings};
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3 * BINDINGS};
    VkDescriptorPoolCreateInfo pool = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 3, 1, &size};
    CHECK(vkCreateDescriptorSetLayout(g->device, &set, NULL, &s->set_layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool, NULL, &s->pool));

    VkPushConstantRange told = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push)};
    VkPushConstantRange exposed = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof s->exposure};
    VkPipelineLayoutCreateInfo compute = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &s->set_layout, 1, &told};
    VkPipelineLayoutCreateInfo draw = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 0, NULL, 1, &exposed};
    CHECK(vkCreatePipelineLayout(g->device, &compute, NULL, &s->layout));
    CHECK(vkCreatePipelineLayout(g->device, &draw, NULL, &s->draw_layout));
}

static void create_pipelines(const gpu *g, scene *s)
{
    VkVertexInputBindingDescription bindings[] = {
        {0, entry_size[POSITION], VK_VERTEX_INPUT_RATE_VERTEX},
        {1, entry_size[COLOUR], VK_VERTEX_INPUT_RATE_VERTEX},
        {2, entry_size[LIFE], VK_VERTEX_INPUT_RATE_VERTEX}};
    VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_SINT, 0},
                                                      {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0},
                                                      {2, 2, VK_FORMAT_R32_UINT, 0}};
    draw_info draw = {
        s->draw_layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .input = {.vertexBindingDescriptionCount = 3,
                  .pVertexBindingDescriptions = bindings,
                  .vertexAttributeDescriptionCount = 3,
                  .pVertexAttributeDescriptions = attributes},
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .add = true,
        .size = s->target.size,
    };
    s->draw = create_draw_pipeline(g, &draw);
    s->move = create_compute_pipeline(g, s->layout, move_code, sizeof move_code);
    s->emit = create_compute_pipeline(g, s->layout, emit_code, sizeof emit_code);
}

static particles create_particles(const gpu *g, const scene *s, uint32_t capacity)
{
    particles p = {.capacity = capacity};
    VkDescriptorBufferInfo infos[BINDINGS] = {[COUNTS] = {s->counts.handle, 0, VK_WHOLE_SIZE}};
    VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                       s->pool, 1, &s->set_layout};
    for (uint32_t i = 0; i < ARRAYS; i++) {
        p.arrays[i] =
            create_buffer(g, (VkDeviceSize)capacity * entry_size[i],
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                          ON_DEVICE);
        infos[i] = (VkDescriptorBufferInfo){p.arrays[i].handle, 0, VK_WHOLE_SIZE};
    }
    CHECK(vkAllocateDescriptorSets(g->device, &set, &p.set));
    VkWriteDescriptorSet write = {
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = p.set, .descriptorCount = BINDINGS,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = infos};
    vkUpdateDescriptorSets(g->device, 1, &write, 0, NULL);
    return p;
}

static void destroy_particles(const gpu *g, const particles *p)
{
    for (uint32_t i = 0; i < ARRAYS; i++)
        destroy_buffer(g, &p->arrays[i]);
}

scene create_scene(const gpu *g, const options *o)
{
    const float exposure = EXPOSURE / (float)o->particles;
    scene s = {.exposure = exposure < 1 ? exposure : 1};
    s.counts =
        create_buffer(g, sizeof(counts),
                      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                      ON_DEVICE);
    s.target = create_image(g, picture_size, 1, TARGET_FORMAT,
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    create_layouts(g, &s);
    create_pipelines(g, &s);
    for (uint32_t i = 0; i < 2; i++)
        s.sets[i] = create_particles(g, &s, o->particles);
    s.newborn = create_particles(g, &s, candidates_of(o));
    return s;
}

void destroy_scene(const gpu *g, const scene *s)
{
    VkPipeline pipelines[] = {s->move, s->emit, s->draw};
    for (uint32_t i = 0; i < 3; i++)
        vkDestroyPipeline(g->device, pipelines[i], NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    vkDestroyPipelineLayout(g->device, s->draw_layout, NULL);
    vkDestroyDescriptorPool(g->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, s->set_layout, NULL);
    destroy_particles(g, &s->sets[0]);
    destroy_particles(g, &s->sets[1]);
    destroy_particles(g, &s->newborn);
    destroy_buffer(g, &s->counts);
    destroy_image(g, &s->target);
}
