/* SPDX-License-Identifier: MIT */
#include "tiles.h"
#include <stddef.h>

static const uint32_t vertex_code[] =
#include "splats_tiles.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "splats_tiles.frag.inc"
    ;
static const uint32_t keys_code[] =
#include "splats_keys.comp.inc"
    ;

_Static_assert(TILES < 1u << TILE_BITS, "a key has the number of a tile, or the one after all");

/* ---- Objects ---- */

/* Most splats are seen in few tiles, but some may be in all. */
static uint32_t room_for(uint32_t splats)
{
    const uint64_t most = (uint64_t)splats * TILES, few = 8 * (uint64_t)splats + (1u << 20);
    return (uint32_t)(most < few ? most : few);
}

static void create_buffers(const gpu *g, tiles *t)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags copied = storage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    const VkDeviceSize list = t->capacity * sizeof(uint32_t);
    const VkDeviceSize starts = (TILES + 1) * sizeof(uint32_t);
    t->sources = create_buffer(g, list, storage, ON_DEVICE);
    t->ranks = create_buffer(g, list, storage, ON_DEVICE);
    t->pairs = create_buffer(g, list, storage, ON_DEVICE);
    t->sorted = create_buffer(g, list, storage, ON_DEVICE);
    t->listed = create_buffer(g, list, copied, ON_DEVICE);
    t->starts = create_buffer(g, starts, copied, ON_DEVICE);
    t->firsts = create_buffer(g, starts, storage, ON_HOST);
    t->numbers =
        create_buffer(g, sizeof(Numbers), storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, ON_HOST);
    t->readback = create_buffer(g, starts + list, VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    for (uint32_t i = 0; i <= TILES; i++)
        ((uint32_t *)t->firsts.map)[i] = i << DEPTH_BITS;
}

tiles create_tiles(const gpu *g, const scene *s)
{
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkShaderStageFlags made = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkShaderStageFlags shown = VK_SHADER_STAGE_FRAGMENT_BIT;
    tiles t = {.capacity = room_for(s->count)};
    create_buffers(g, &t);
    const descriptor rows[TILE_BINDINGS] = {
        [TILE_KEYS] = {storage, made, .data = &s->keys},
        [TILE_BOXES] = {storage, made, .data = &s->boxes},
        [TILE_SOURCES] = {storage, made, .data = &t.sources},
        [TILE_RANKS] = {storage, made, .data = &t.ranks},
        [TILE_NUMBERS] = {storage, made, .data = &t.numbers},
        [TILE_PAIRS] = {storage, made, .data = &t.pairs},
        [TILE_OUTLINES] = {storage, shown, .data = &s->outlines},
        [TILE_STARTS] = {storage, shown, .data = &t.starts},
        [TILE_LISTED] = {storage, shown, .data = &t.listed}};
    t.set = create_descriptors(g, rows, TILE_BINDINGS);
    const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1, .pSetLayouts = &t.set.layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &t.layout));
    const draw_info draw = {
        t.layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .format = FLOAT_FORMAT,
        .size = s->target.size,
    };
    t.draw = create_draw_pipeline(g, &draw);
    t.keys = create_compute_pipeline(g, t.layout, keys_code, sizeof keys_code);
    return t;
}

void destroy_tiles(const gpu *g, const tiles *t)
{
    const buffer *buffers[] = {&t->sources, &t->ranks,  &t->pairs,  &t->numbers, &t->sorted,
                               &t->listed,  &t->firsts, &t->starts, &t->readback};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    destroy_descriptors(g, &t->set);
    vkDestroyPipeline(g->device, t->draw, NULL);
    vkDestroyPipeline(g->device, t->keys, NULL);
    vkDestroyPipelineLayout(g->device, t->layout, NULL);
}

/* ---- Commands ---- */

static VkrView words(const buffer *b, uint64_t count)
{
    return (VkrView){.buffer = b->handle, .size = count * sizeof(uint32_t), .type = VKR_TYPE_U32};
}

/* A pair for each tile of each splat, in the order of the splats. */
static void expand(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, const tiles *t)
{
    const VkrCountOutput numbers[] = {
        {VKR_COUNT_KEPT, t->numbers.handle, offsetof(Numbers, found), 1},
        {VKR_COUNT_STORED, t->numbers.handle, offsetof(Numbers, stored), 1},
        {VKR_COUNT_DISPATCH, t->numbers.handle, offsetof(Numbers, groups), KEYS_GROUP}};
    const VkrExpandInfo pairs = {
        .label = "pairs",
        .counts = {.buffer = s->boxes.handle,
                   .offset = offsetof(Box, count),
                   .size = s->count * sizeof(Box),
                   .stride = sizeof(Box),
                   .type = VKR_TYPE_U32},
        .count = s->count,
        .gpuCount = {s->draw.handle, offsetof(VkDrawIndirectCommand, instanceCount), VKR_TYPE_U32},
        .sources = words(&t->sources, t->capacity),
        .ranks = words(&t->ranks, t->capacity),
        .countOutputCount = sizeof numbers / sizeof numbers[0],
        .countOutputs = numbers};
    const VkrEndInfo end = {
        .commandBuffer = cmd,
        .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                          VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_HOST_BIT,
        .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                          VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdExpand(recorder, &pairs));
    check_vkr(vkrEnd(recorder, &end));
}

/* Puts the pairs in the order of their keys, and finds where those of each tile start. */
static void sort(VkCommandBuffer cmd, VkrRecorder recorder, const tiles *t)
{
    const VkDeviceSize list = t->capacity * sizeof(uint32_t);
    const VkrGpuCount stored = {t->numbers.handle, offsetof(Numbers, stored), VKR_TYPE_U32};
    const VkrPayload splats = {.size = sizeof(uint32_t),
                               .source = {t->sources.handle, 0, list},
                               .target = {t->listed.handle, 0, list}};
    const VkrSortInfo keys = {.label = "keys",
                              .keys = words(&t->pairs, t->capacity),
                              .count = t->capacity,
                              .gpuCount = stored,
                              .beginBit = 0,
                              .endBit = DEPTH_BITS + TILE_BITS,
                              .sorted = words(&t->sorted, t->capacity),
                              .payloadCount = 1,
                              .payloads = &splats};
    const VkrBoundsInfo starts = {.label = "starts",
                                  .sorted = words(&t->sorted, t->capacity),
                                  .count = t->capacity,
                                  .gpuCount = stored,
                                  .values = words(&t->firsts, TILES + 1),
                                  .valueCount = TILES + 1,
                                  .lower = words(&t->starts, TILES + 1)};
    const VkrEndInfo end = {
        .commandBuffer = cmd,
        .consumerStages = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdSort(recorder, &keys));
    check_vkr(vkrCmdBounds(recorder, &starts));
    check_vkr(vkrEnd(recorder, &end));
}

void list_splats(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, const tiles *t)
{
    expand(cmd, recorder, s, t);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, t->keys);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, t->layout, 0, 1, &t->set.handle, 0,
                            NULL);
    vkCmdDispatchIndirect(cmd, t->numbers.handle, offsetof(Numbers, groups));
    wait_for(cmd, &computed, &computed);
    sort(cmd, recorder, t);
}

void draw_tiles(VkCommandBuffer cmd, const tiles *t)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->draw);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->layout, 0, 1, &t->set.handle,
                            0, NULL);
    vkCmdDraw(cmd, 3, 1, 0, 0);
}

void copy_tiles(VkCommandBuffer cmd, const tiles *t)
{
    const VkDeviceSize list = t->capacity * sizeof(uint32_t);
    const VkDeviceSize starts = (TILES + 1) * sizeof(uint32_t);
    vkCmdCopyBuffer(cmd, t->starts.handle, t->readback.handle, 1, &(VkBufferCopy){0, 0, starts});
    vkCmdCopyBuffer(cmd, t->listed.handle, t->readback.handle, 1, &(VkBufferCopy){0, starts, list});
}
