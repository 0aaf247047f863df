/* SPDX-License-Identifier: MIT */
/* The commands of a frame. */
#include <stddef.h>
#include "particles.h"
#include "scene.h"

/* How particles and counts are used after a compaction: by the frame's draw and the next frame's
 * move. */
static const use consumed = {
    VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
    VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT |
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    VK_IMAGE_LAYOUT_GENERAL};
/* How the frame before may still use the picture: it may be drawing or copying it. */
static const use drawn_before = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                     VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED};

VkrBufferRange whole(const particles *p, uint32_t array)
{
    return (VkrBufferRange){p->arrays[array].handle, 0,
                            (VkDeviceSize)p->capacity * entry_size[array]};
}

static VkrView lives_of(const particles *p)
{
    VkrBufferRange life = whole(p, LIFE);
    return (VkrView){.buffer = life.buffer,
                     .offset = life.offset,
                     .size = life.size,
                     .type = VKR_TYPE_U32,
                     .components = 1};
}

/* Lets the library move the particles that are alive from `from` to `to`. */
static void compact(VkrRecorder recorder, const particles *from, const particles *to,
                    VkrCompactInfo *info)
{
    VkrPayload payloads[LIFE];
    for (uint32_t i = 0; i < LIFE; i++)
        payloads[i] =
            (VkrPayload){.size = entry_size[i], .source = whole(from, i), .target = whole(to, i)};
    info->input = lives_of(from);
    info->count = VKR_COUNT_ALL;
    info->predicate.kind = VKR_PREDICATE_NONZERO;
    info->kept = lives_of(to);
    info->payloadCount = LIFE;
    info->payloads = payloads;
    check_vkr(vkrCmdCompact(recorder, info));
}

static void compact_all(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s,
                        const particles *now, const particles *next)
{
    const VkBuffer counted = s->counts.handle;
    const VkrCountOutput survivors = {VKR_COUNT_STORED, counted, offsetof(counts, survivors), 1};
    const VkrCountOutput live[] = {
        {VKR_COUNT_STORED, counted, offsetof(counts, live), 1},
        {VKR_COUNT_STORED, counted, offsetof(counts, draw.vertexCount), 1},
        {VKR_COUNT_DISPATCH, counted, offsetof(counts, move), LOCAL_SIZE}};
    VkrCompactInfo keep = {.label = "survivors",
                           .gpuCount = {counted, offsetof(counts, live), VKR_TYPE_U32},
                           .countOutputCount = 1,
                           .countOutputs = &survivors};
    VkrCompactInfo append = {.label = "newborn",
                             .append = {counted, offsetof(counts, survivors), VKR_TYPE_U32},
                             .countOutputCount = 3,
                             .countOutputs = live};
    VkrEndInfo end = {
        .commandBuffer = cmd, .consumerStages = consumed.stages, .consumerAccess = consumed.access};
    check_vkr(vkrBegin(recorder));
    compact(recorder, now, next, &keep);
    compact(recorder, &s->newborn, next, &append);
    check_vkr(vkrEnd(recorder, &end));
}

static void shade(VkCommandBuffer cmd, const scene *s, VkPipeline pipeline, const particles *p,
                  const push *told)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &p->set, 0, NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof *told, told);
}

static void draw(VkCommandBuffer cmd, const scene *s, const particles *p)
{
    const VkBuffer vertices[] = {p->arrays[POSITION].handle, p->arrays[COLOUR].handle,
                                 p->arrays[LIFE].handle};
    transition(cmd, &s->target, &drawn_before, &drawn);
    begin_drawing(cmd, &s->target, NULL, VK_ATTACHMENT_LOAD_OP_CLEAR);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->draw);
    vkCmdBindVertexBuffers(cmd, 0, 3, vertices, (VkDeviceSize[3]){0});
    vkCmdPushConstants(cmd, s->draw_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof s->exposure,
                       &s->exposure);
    vkCmdDrawIndirect(cmd, s->counts.handle, offsetof(counts, draw), 1, 0);
    vkCmdEndRendering(cmd);
}

/* Starts without particles. Writes all arguments of the draw; later, the library changes only the
 * number of vertices. */
void record_start(VkCommandBuffer cmd, const scene *s)
{
    const counts none = {.move = {0, 1, 1}, .draw.instanceCount = 1};
    vkCmdUpdateBuffer(cmd, s->counts.handle, 0, sizeof none, &none);
    wait_for(cmd, &copied_to, &consumed);
}

void record_frame(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, uint32_t frame)
{
    const particles *now = &s->sets[frame & 1], *next = &s->sets[~frame & 1];
    const push told = {frame, s->newborn.capacity};

    /* The frame before ends with a barrier for its results; this one is for what it still reads. */
    wait_for(cmd, &consumed, &computed);
    shade(cmd, s, s->move, now, &told);
    vkCmdDispatchIndirect(cmd, s->counts.handle, offsetof(counts, move));
    shade(cmd, s, s->emit, &s->newborn, &told);
    vkCmdDispatch(cmd, (told.candidates + LOCAL_SIZE - 1) / LOCAL_SIZE, 1, 1);
    wait_for(cmd, &computed, &computed);
    compact_all(cmd, recorder, s, now, next);
    draw(cmd, s, next);
}
