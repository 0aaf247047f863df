/* SPDX-License-Identifier: MIT */
/*
 * shadows: fits shadow maps to what is seen, on the GPU (sample distribution shadow maps, Lauritzen
 * et al. 2011).
 *
 * One command buffer, in which the host learns nothing:
 *
 *     draw      the depths that the camera sees
 *     reduce    the library finds the least and the greatest of them
 *     split     a shader splits what is between them into four cascades
 *     reduce    the library finds the boxes of the cascades in the light: functions of this program
 *               compute the point that a pixel shows from its depth, and unite boxes
 *     draw      the shadow map of each cascade; the vertex shader fits it to the box
 *     shade     the picture
 *
 * The last two steps also come with four fixed cascades, which cover all that the camera could see.
 * Afterwards the CPU computes the bounds from the depths again, checks that each pixel is inside of
 * its map, and compares how many texels of shadow maps there are for each metre.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or the output failed,
 * with 2 for a bad usage, and with 3 if one of the checks fails.
 */
#include "app.h"
#include <stddef.h>
#include <string.h>
#include "scene.h"

const char app_name[] = "shadows";

/* ---- Drawing ---- */

static void bind(VkCommandBuffer cmd, const scene *s, VkPipelineBindPoint point,
                 VkPipeline pipeline, Turn turn)
{
    vkCmdBindPipeline(cmd, point, pipeline);
    vkCmdBindDescriptorSets(cmd, point, s->layout, 0, 1, &s->set.handle, 0, NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       sizeof turn, &turn);
}

static void draw_solids(VkCommandBuffer cmd, const scene *s, VkPipeline pipeline, Turn turn)
{
    bind(cmd, s, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline, turn);
    vkCmdDraw(cmd, SOLID_VERTICES, s->solid_count, 0, 0);
    vkCmdEndRendering(cmd);
}

static void draw_depths(VkCommandBuffer cmd, const scene *s)
{
    transition(cmd, &s->faces, &nothing, &drawn);
    transition(cmd, &s->depth, &nothing, &depth_drawn);
    begin_drawing(cmd, &s->faces, &s->depth, VK_ATTACHMENT_LOAD_OP_CLEAR);
    draw_solids(cmd, s, s->draw, (Turn){0});
    transition(cmd, &s->faces, &drawn, &computed);
    transition(cmd, &s->depth, &depth_drawn, &depth_read);
}

static void draw_maps(VkCommandBuffer cmd, const scene *s, uint32_t kind)
{
    /* Shading with the maps of the other kind may still read them. */
    static const use before = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    for (uint32_t k = 0; k < CASCADES; k++) {
        transition(cmd, &s->maps[k], &before, &depth_drawn);
        begin_drawing(cmd, NULL, &s->maps[k], VK_ATTACHMENT_LOAD_OP_CLEAR);
        draw_solids(cmd, s, s->draw_map, (Turn){kind, k});
        transition(cmd, &s->maps[k], &depth_drawn, &depth_read);
    }
}

static void copy_image(VkCommandBuffer cmd, const scene *s, const image *from, uint32_t copy)
{
    const VkBufferImageCopy region = {.bufferOffset = (VkDeviceSize)copy * 4 * PIXELS,
                                      .imageSubresource = {from->range.aspectMask, 0, 0, 1},
                                      .imageExtent = {WIDTH, HEIGHT, 1}};
    vkCmdCopyImageToBuffer(cmd, from->handle, copied_from.layout, s->readback.handle, 1, &region);
}

static void shade(VkCommandBuffer cmd, const scene *s, uint32_t kind)
{
    static const use before = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    transition(cmd, &s->target, &before, &computed);
    bind(cmd, s, VK_PIPELINE_BIND_POINT_COMPUTE, s->shade, (Turn){kind, 0});
    vkCmdDispatch(cmd, (WIDTH + LOCAL_SIDE - 1) / LOCAL_SIDE,
                  (HEIGHT + LOCAL_SIDE - 1) / LOCAL_SIDE, 1);
    transition(cmd, &s->target, &computed, &copied_from);
    copy_image(cmd, s, &s->target, PICTURE + kind);
}

/* ---- Fitting ---- */

/* A member of the fitted cascades, by its offset. */
static VkrBufferRange fitted(const scene *s, size_t offset, size_t size)
{
    return (VkrBufferRange){s->cascades.handle, FITTED * sizeof(Cascades) + offset, size};
}

/* Records one reduction, whose results shaders read next. */
static void reduce(VkCommandBuffer cmd, VkrRecorder recorder, const VkrReduceInfo *info)
{
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                                              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .consumerAccess = VK_ACCESS_SHADER_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdReduce(recorder, info));
    check_vkr(vkrEnd(recorder, &end));
}

/* Lets the library find the range of the depths. */
static void find_range(VkCommandBuffer cmd, const scene *s, VkrRecorder recorder)
{
    const VkrHook seen = {s->functions, "seen", s->functions_set.handle, 0, NULL};
    const VkrMap map = {.hook = &seen};
    const VkrReduceInfo info = {.label = "range of depths",
                                .ops = VKR_OP_MIN,
                                .input = {.map = &map},
                                .count = PIXELS,
                                .output = fitted(s, offsetof(Cascades, seen), 2 * sizeof(float))};
    reduce(cmd, recorder, &info);
}

/* Lets the library find the boxes of all cascades: functions of this program say what the boxes of
 * a pixel are, and unite boxes. */
static void find_boxes(VkCommandBuffer cmd, const scene *s, VkrRecorder recorder)
{
    const VkrHook boxes_of = {s->functions, "boxes_of", s->functions_set.handle, 0, NULL};
    const VkrMonoid boxes = {&boxes_of, "united", "no_boxes", .commutative = VK_TRUE};
    const VkrReduceInfo info = {.label = "boxes of cascades",
                                .count = PIXELS,
                                .monoid = &boxes,
                                .output =
                                    fitted(s, offsetof(Cascades, boxes), CASCADES * sizeof(vec4))};
    reduce(cmd, recorder, &info);
}

static void split(VkCommandBuffer cmd, const scene *s)
{
    bind(cmd, s, VK_PIPELINE_BIND_POINT_COMPUTE, s->split, (Turn){0});
    vkCmdDispatch(cmd, 1, 1, 1);
    wait_for(cmd, &computed, &computed);
}

/* ---- Everything ---- */

static void record(VkCommandBuffer cmd, VkrRecorder recorder, const void *data)
{
    static const use written = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    const scene *s = data;
    draw_depths(cmd, s);
    find_range(cmd, s, recorder);
    split(cmd, s);
    find_boxes(cmd, s, recorder);
    for (uint32_t kind = FIXED; kind <= FITTED; kind++) {
        draw_maps(cmd, s, kind);
        shade(cmd, s, kind);
    }
    transition(cmd, &s->depth, &depth_read, &copied_from);
    copy_image(cmd, s, &s->depth, DEPTHS);
    wait_for(cmd, &written, &read_by_host);
}

static const void *copy_of(const scene *s, uint32_t copy)
{
    return (const char *)s->readback.map + (size_t)copy * 4 * PIXELS;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"fixed", "fitted"};
    const app_options o = parse_options(argc, argv);
    gpu g = {0};
    open_gpu(&g, o.device);
    const scene s = create_scene(&g);
    run_commands(&g, record, &s);
    const outcome found = {s.view.map, copy_of(&s, DEPTHS), s.cascades.map};
    const bool right = check_outcome(&found);
    for (uint32_t kind = FIXED; kind <= FITTED; kind++) {
        picture p = create_picture(WIDTH, HEIGHT);
        memcpy(p.rgba, copy_of(&s, PICTURE + kind), 4 * PIXELS);
        save_png(&p, o.out, names[kind]);
    }
    destroy_scene(&g, &s);
    close_gpu(&g);
    return right ? 0 : DIFFERENT;
}
