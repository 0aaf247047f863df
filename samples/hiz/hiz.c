/* SPDX-License-Identifier: MIT */
/*
 * hiz: finds which of 100,000 boxes of a city are hidden behind 10,000 that are drawn, on the GPU.
 *
 * One command buffer, without a picture to look at and without the host:
 *
 *     draw      the 10,000 boxes: depths, and which box each pixel shows
 *     pyramid   the library makes nine levels above the depths, each texel with the least and the
 *               greatest depth of all pixels under it, also where sizes are odd
 *     test      a shader compares each of the 100,000 boxes, on the level where few texels cover
 *               it, with the greatest depth there
 *     compact   the library lists the visible ones, and writes how many into ..
 *     draw      .. the indirect draw of these, into another picture
 *
 * The rules of the test are in hiz.h and in integers, so that a CPU gets the same verdicts. The
 * program checks this: levels and verdicts must be equal, and no box that can be seen may be called
 * hidden: neither one that a pixel of the first picture shows, nor one that is nearer than its
 * depth at some pixel, which the CPU finds out in floating point, box by box and pixel by pixel.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or the output failed,
 * with 2 for a bad usage, and with 3 if one of the checks fails.
 */
#include "app.h"
#include "city.h"
#include "scene.h"

const char app_name[] = "hiz";

/* ---- The command buffer ---- */

static const use written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_IMAGE_LAYOUT_GENERAL};

/* Draws either the first boxes or, if there are indirect arguments from the GPU, the visible
 * ones. */
static void draw(VkCommandBuffer cmd, const scene *s, const image *ids, const image *depth,
                 const buffer *indices)
{
    transition(cmd, ids, &nothing, &drawn);
    transition(cmd, depth, &nothing, &depth_drawn);
    begin_drawing(cmd, ids, depth, VK_ATTACHMENT_LOAD_OP_CLEAR);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->draw_pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set.handle,
                            0, NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &indices->handle, (VkDeviceSize[1]){0});
    if (indices == &s->visible)
        vkCmdDrawIndirect(cmd, s->draw.handle, 0, 1, 0);
    else
        vkCmdDraw(cmd, CORNERS, DRAWN, 0, 0);
    vkCmdEndRendering(cmd);
}

/* Lets the library make the levels above the depths, which the test reads next, and then a copy. */
static void make_pyramid(VkCommandBuffer cmd, const scene *s, VkrRecorder recorder)
{
    VkrImage levels[LEVELS];
    for (uint32_t k = 0; k < LEVELS; k++)
        levels[k] = (VkrImage){.image = s->levels.handle,
                               .view = s->level_views[k],
                               .viewType = VK_IMAGE_VIEW_TYPE_2D,
                               .format = LEVEL_FORMAT,
                               .layout = VK_IMAGE_LAYOUT_GENERAL,
                               .range = {VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, 1},
                               .extent = {(uint32_t)side_of(WIDTH, (int)k + 1),
                                          (uint32_t)side_of(HEIGHT, (int)k + 1), 1}};
    VkrPyramidInfo pyramid = {.label = "depths",
                              .ops = VKR_OP_MIN | VKR_OP_MAX,
                              .source = {.image = s->depth.handle,
                                         .view = s->depth.view,
                                         .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                         .format = DEPTH_FORMAT,
                                         .layout = depth_read.layout,
                                         .range = s->depth.range,
                                         .extent = {WIDTH, HEIGHT, 1}},
                              .levels = levels,
                              .levelCount = LEVELS};
    VkrEndInfo end = {.commandBuffer = cmd,
                      .consumerStages =
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                      .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdPyramid(recorder, &pyramid));
    check_vkr(vkrEnd(recorder, &end));
}

static void test(VkCommandBuffer cmd, const scene *s)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->test_pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set.handle, 0,
                            NULL);
    vkCmdDispatch(cmd, (BOXES + LOCAL_SIZE - 1) / LOCAL_SIZE, 1, 1);
}

/* Lets the library list the visible boxes, for a draw. */
static void list_visible(VkCommandBuffer cmd, const scene *s, VkrRecorder recorder)
{
    const VkDeviceSize size = BOXES * sizeof(uint32_t);
    const VkrCountOutput instances = {VKR_COUNT_STORED, s->draw.handle,
                                      offsetof(VkDrawIndirectCommand, instanceCount), 1};
    VkrCompactInfo compact = {
        .label = "visible",
        .input = {.buffer = s->verdicts.handle, .size = size, .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_EQUAL, .a.u = VISIBLE},
        .keptIndices = {.buffer = s->visible.handle, .size = size, .type = VKR_TYPE_U32},
        .countOutputCount = 1,
        .countOutputs = &instances};
    VkrEndInfo end = {
        .commandBuffer = cmd,
        .consumerStages = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
                          VK_PIPELINE_STAGE_TRANSFER_BIT,
        .consumerAccess = VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                          VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdCompact(recorder, &compact));
    check_vkr(vkrEnd(recorder, &end));
}

static void copy_image(VkCommandBuffer cmd, const scene *s, const image *from, VkImageLayout layout,
                       int copy)
{
    VkBufferImageCopy regions[LEVELS];
    for (uint32_t k = 0; k < from->range.levelCount; k++)
        regions[k] = (VkBufferImageCopy){
            .bufferOffset = s->offsets[copy] + (k > 0 ? 8 * texels_below((int)k + 1) : 0),
            .imageSubresource = {from->range.aspectMask, k, 0, 1},
            .imageExtent = {(uint32_t)side_of((int)from->size.width, (int)k),
                            (uint32_t)side_of((int)from->size.height, (int)k), 1}};
    vkCmdCopyImageToBuffer(cmd, from->handle, layout, s->readback.handle, from->range.levelCount,
                           regions);
}

static void copy_everything(VkCommandBuffer cmd, const scene *s)
{
    const struct {
        const image *from;
        const use *before; /* NULL: it needs no barrier */
        int copy;
    } images[] = {{&s->ids, &drawn, IDS},
                  {&s->depth, &depth_read, DEPTHS},
                  {&s->levels, NULL, PYRAMID},
                  {&s->shown, &drawn, SHOWN},
                  {&s->shown_depth, &depth_drawn, SHOWN_DEPTHS}};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        if (images[i].before)
            transition(cmd, images[i].from, images[i].before, &copied_from);
        copy_image(cmd, s, images[i].from,
                   images[i].before ? copied_from.layout : VK_IMAGE_LAYOUT_GENERAL, images[i].copy);
    }
    vkCmdCopyBuffer(cmd, s->verdicts.handle, s->readback.handle, 1,
                    &(VkBufferCopy){0, s->offsets[VERDICTS], BOXES * sizeof(uint32_t)});
    vkCmdCopyBuffer(cmd, s->draw.handle, s->readback.handle, 1,
                    &(VkBufferCopy){0, s->offsets[COUNT], sizeof(VkDrawIndirectCommand)});
    wait_for(cmd, &copied_to, &read_by_host);
}

static void record(VkCommandBuffer cmd, VkrRecorder recorder, const void *data)
{
    const scene *s = data;
    static const use listed = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
        VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT, VK_IMAGE_LAYOUT_GENERAL};
    static const use read_next = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_GENERAL};
    const VkDrawIndirectCommand none = {.vertexCount = CORNERS};
    vkCmdUpdateBuffer(cmd, s->draw.handle, 0, sizeof none, &none);
    wait_for(cmd, &copied_to, &listed);
    transition(cmd, &s->levels, &nothing, &written);

    draw(cmd, s, &s->ids, &s->depth, &s->all);
    transition(cmd, &s->depth, &depth_drawn, &depth_read);
    make_pyramid(cmd, s, recorder);
    test(cmd, s);
    wait_for(cmd, &written, &read_next);
    list_visible(cmd, s, recorder);
    draw(cmd, s, &s->shown, &s->shown_depth, &s->visible);
    copy_everything(cmd, s);
}

int main(int argc, char **argv)
{
    const app_options o = parse_options(argc, argv);
    gpu g = {0};
    open_gpu(&g, o.device);
    const scene s = create_scene(&g);
    run_commands(&g, record, &s);

    const void *copies[COPIES];
    for (uint32_t i = 0; i < COPIES; i++)
        copies[i] = (const char *)s.readback.map + s.offsets[i];
    const VkDrawIndirectCommand *again = copies[COUNT];
    const outcome found = {s.boxes.map,          copies[IDS],          copies[DEPTHS],
                           copies[PYRAMID],      copies[VERDICTS],     copies[SHOWN],
                           copies[SHOWN_DEPTHS], &again->instanceCount};
    const bool right = check_outcome(&found);
    paint_outcome(&found, o.out);
    destroy_scene(&g, &s);
    close_gpu(&g);
    return right ? 0 : DIFFERENT;
}
