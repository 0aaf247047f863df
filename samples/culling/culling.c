/* SPDX-License-Identifier: MIT */
/*
 * culling: draws, of the 100,000 instances of a town, few more than those that a camera sees, on
 * the GPU.
 *
 * Each frame is one command buffer, and the host learns nothing:
 *
 *     draw      what the last frame may have seen: most of this one's picture
 *     pyramid   the library finds the least and the greatest depths of what is drawn
 *     compact   the library keeps the instances that may be seen: a function of this program tests
 *               their bounding spheres against the view and the pyramid. What it returns is kept,
 *               too: a bit for each instance, for the next frame. Another function stores a draw
 *               command for each instance that is kept, for the next frame; and one for this frame,
 *               which is empty if the last one knew the instance
 *     draw      the new ones
 *
 * So nothing that is visible is missing, however the camera moves. The program checks this: it
 * draws each frame again with every instance, and compares all pixels and depths.
 *
 * Needs Vulkan 1.3 for dynamic rendering, and draws whose instances do not start at 0. Where a
 * buffer cannot hold the number of draws, all commands that no instance needs are empty. Exits with
 * 0, with 1 where Vulkan or the output failed, with 2 for a bad usage, and with 3 if one of the
 * checks fails.
 */
#include "app.h"
#include <string.h>
#include "check.h"
#include "measure.h"
#include "plan.h"
#include "scene.h"

const char app_name[] = "culling";

static const use written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_IMAGE_LAYOUT_GENERAL};
static const use drawn_over = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                               VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                   VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                               VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
/* How commands and bits are used later in a frame, and by the next one. */
static const use listed = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                               VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                               VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                           VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                               VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT,
                           VK_IMAGE_LAYOUT_UNDEFINED};

/* ---- Drawing ---- */

static void begin(VkCommandBuffer cmd, const scene *s, VkAttachmentLoadOp load)
{
    begin_drawing(cmd, &s->target, &s->depth, load);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->draw);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1,
                            &s->frames[0].set.handle, 0, NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.handle, (VkDeviceSize[1]){0});
    vkCmdBindIndexBuffer(cmd, s->indices.handle, 0, VK_INDEX_TYPE_UINT16);
}

/* Draws what the GPU has listed. */
static void draw_listed(VkCommandBuffer cmd, const scene *s, VkAttachmentLoadOp load,
                        const buffer *commands, const buffer *number)
{
    const uint32_t stride = sizeof(VkDrawIndexedIndirectCommand);
    begin(cmd, s, load);
    if (s->counted_draws)
        vkCmdDrawIndexedIndirectCount(cmd, commands->handle, 0, number->handle, 0, INSTANCES,
                                      stride);
    else
        vkCmdDrawIndexedIndirect(cmd, commands->handle, 0, INSTANCES, stride);
    vkCmdEndRendering(cmd);
}

static void clear_and_draw_all(VkCommandBuffer cmd, const scene *s)
{
    const Mesh *m = ((const View *)s->view.map)->meshes;
    begin(cmd, s, VK_ATTACHMENT_LOAD_OP_CLEAR);
    for (uint32_t i = 0; i < MESHES; i++)
        vkCmdDrawIndexed(cmd, m[i].index_count, m[i + 1].first_instance - m[i].first_instance,
                         m[i].first_index, m[i].vertex_offset, m[i].first_instance);
    vkCmdEndRendering(cmd);
}

/* Copies the picture and its depths, starting at `copy`. */
static void copy_picture(VkCommandBuffer cmd, const scene *s, uint32_t copy)
{
    const image *images[] = {&s->target, &s->depth};
    transition(cmd, &s->target, &drawn, &copied_from);
    transition(cmd, &s->depth, &depth_drawn, &copied_from);
    for (uint32_t i = 0; i < 2; i++) {
        const VkBufferImageCopy region = {
            .bufferOffset = (VkDeviceSize)(copy + i) * 4 * PIXELS,
            .imageSubresource = {images[i]->range.aspectMask, 0, 0, 1},
            .imageExtent = {WIDTH, HEIGHT, 1}};
        vkCmdCopyImageToBuffer(cmd, images[i]->handle, copied_from.layout, s->readback.handle, 1,
                               &region);
    }
}

/* ---- Culling ---- */

/* Records the pyramid of what is drawn. */
static void make_pyramid(VkrRecorder recorder, const scene *s)
{
    VkrImage levels[LEVELS];
    for (uint32_t k = 0; k < LEVELS; k++)
        levels[k] = (VkrImage){.image = s->pyramid.handle,
                               .view = s->level_views[k],
                               .viewType = VK_IMAGE_VIEW_TYPE_2D,
                               .format = PYRAMID_FORMAT,
                               .layout = VK_IMAGE_LAYOUT_GENERAL,
                               .range = {VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, 1},
                               .extent = {WIDTH >> (k + 1), HEIGHT >> (k + 1), 1}};
    const VkrPyramidInfo pyramid = {.label = "depths",
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
    check_vkr(vkrCmdPyramid(recorder, &pyramid));
}

/* Records the test of all instances, and the draws of those that pass it. */
static void cull(VkrRecorder recorder, const scene *s, const memory *now)
{
    const VkrUse levels = {.image = s->pyramid.handle,
                           .subresource = s->pyramid.range,
                           .access = VK_ACCESS_SHADER_READ_BIT};
    const VkrUse commands[] = {
        {now->commands.handle, 0, COMMANDS_SIZE, .access = VK_ACCESS_SHADER_WRITE_BIT},
        {s->new_commands.handle, 0, COMMANDS_SIZE, .access = VK_ACCESS_SHADER_WRITE_BIT}};
    const VkrHook is_visible = {s->functions, "is_visible", now->set.handle, 1, &levels};
    const VkrHook list_draw = {s->functions, "list_draw", now->set.handle, 2, commands};
    const VkrCountOutput number = {.kind = VKR_COUNT_STORED, .buffer = now->number.handle};
    const VkrCompactInfo compact = {
        .label = "visible",
        .count = INSTANCES,
        .predicate = {.kind = VKR_PREDICATE_FLAGS,
                      .flags = {.format = VKR_FLAGS_BITS,
                                .range = {now->bits.handle, 0, BITS_SIZE},
                                .hook = &is_visible}},
        .sink = &list_draw,
        .countOutputCount = 1,
        .countOutputs = &number};
    check_vkr(vkrCmdCompact(recorder, &compact));
}

/* Empties all commands, where the number of draws must be the same in each frame: those that this
 * frame writes and, since no frame has written them yet, those that the first one draws. */
static void empty_commands(VkCommandBuffer cmd, const scene *s, uint32_t frame)
{
    static const use emptied = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                    VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                                VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
                                VK_IMAGE_LAYOUT_UNDEFINED};
    if (s->counted_draws)
        return;
    vkCmdFillBuffer(cmd, s->frames[frame % 2].commands.handle, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(cmd, s->new_commands.handle, 0, VK_WHOLE_SIZE, 0);
    if (frame == 0)
        vkCmdFillBuffer(cmd, s->frames[1].commands.handle, 0, VK_WHOLE_SIZE, 0);
    wait_for(cmd, &copied_to, &emptied);
}

static void list_visible(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s,
                         const memory *now)
{
    const VkrEndInfo end = {
        .commandBuffer = cmd, .consumerStages = listed.stages, .consumerAccess = listed.access};
    check_vkr(vkrBegin(recorder));
    make_pyramid(recorder, s);
    cull(recorder, s, now);
    check_vkr(vkrEnd(recorder, &end));
}

/* ---- A frame ---- */

static void record_frame(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, uint32_t frame)
{
    const memory *now = &s->frames[frame % 2], *before = &s->frames[1 - frame % 2];
    transition(cmd, &s->target, &nothing, &drawn);
    transition(cmd, &s->depth, &nothing, &depth_drawn);
    transition(cmd, &s->pyramid, &nothing, &written);
    empty_commands(cmd, s, frame);

    draw_listed(cmd, s, VK_ATTACHMENT_LOAD_OP_CLEAR, &before->commands, &before->number);
    transition(cmd, &s->depth, &depth_drawn, &depth_read);
    list_visible(cmd, recorder, s, now);
    transition(cmd, &s->target, &drawn, &drawn_over);
    transition(cmd, &s->depth, &depth_read, &depth_drawn);
    draw_listed(cmd, s, VK_ATTACHMENT_LOAD_OP_LOAD, &s->new_commands, &now->number);
    copy_picture(cmd, s, COLOURS);
    const VkBufferCopy all = {0, COPIES_SIZE, COMMANDS_SIZE};
    vkCmdCopyBuffer(cmd, s->new_commands.handle, s->readback.handle, 1, &all);
}

/* Records the same picture with every instance. */
static void record_reference(VkCommandBuffer cmd, const scene *s)
{
    static const use depth_copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED};
    transition(cmd, &s->target, &depth_copied, &drawn);
    transition(cmd, &s->depth, &depth_copied, &depth_drawn);
    clear_and_draw_all(cmd, s);
    copy_picture(cmd, s, ALL_COLOURS);
    wait_for(cmd, &copied_to, &read_by_host);
}

static const uint32_t *copy_of(const scene *s, uint32_t copy)
{
    return (const uint32_t *)s->readback.map + (size_t)copy * PIXELS;
}

/* How many instances the commands of a frame draw that the last frame did not know. */
static uint64_t count_added(const scene *s, const memory *now)
{
    const VkDrawIndexedIndirectCommand *c = (const void *)copy_of(s, COPIES);
    const uint32_t number = s->counted_draws ? *(const uint32_t *)now->number.map : INSTANCES;
    uint64_t added = 0;
    for (uint32_t i = 0; i < number && i < INSTANCES; i++)
        added += c[i].instanceCount;
    return added;
}

/* Makes a picture of a frame, and a plan of what it draws. */
static void make_pictures(const scene *s, const memory *now, picture pictures[2])
{
    static const unsigned char sky[4] = {150, 180, 222, 255};
    const float *depths = (const float *)copy_of(s, DEPTHS);
    for (uint32_t i = 0; i < 2; i++)
        pictures[i] = create_picture(WIDTH, HEIGHT);
    memcpy(pictures[0].rgba, copy_of(s, COLOURS), 4 * PIXELS);
    for (size_t i = 0; i < PIXELS; i++)
        if (depths[i] == 1.0f)
            memcpy(pictures[0].rgba + 4 * i, sky, 4);
    draw_plan(&pictures[1], s->view.map, s->spheres.map, s->shapes.map, now->bits.map);
}

static findings run(const gpu *g, const scene *s, picture pictures[2])
{
    findings all = {0};
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);
    VkrRecorder recorder;
    check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &recorder));
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        const memory *now = &s->frames[frame % 2], *before = &s->frames[1 - frame % 2];
        move_camera(s->view.map, frame);
        begin_commands(cmd);
        record_frame(cmd, recorder, s, frame);
        record_reference(cmd, s);
        submit_commands(g, cmd, VK_NULL_HANDLE);
        CHECK(vkQueueWaitIdle(g->queue));
        check_vkr(vkrReset(recorder));
        const outcome o = {copy_of(s, COLOURS),
                           copy_of(s, DEPTHS),
                           copy_of(s, ALL_COLOURS),
                           copy_of(s, ALL_DEPTHS),
                           before->bits.map,
                           now->bits.map,
                           *(const uint32_t *)now->number.map,
                           count_added(s, now)};
        check_frame(&o, &all);
        if (frame == SHOWN_FRAME)
            make_pictures(s, now, pictures);
    }
    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g->device, pool, NULL);
    return all;
}

int main(int argc, char **argv)
{
    enum { EMPTY_DRAWS = 1, MEASURE = 2 };
    static const char *const flags[] = {"--empty-draws", "--measure", NULL};
    const app_options o = parse_flags(argc, argv, flags);
    gpu g = {0};
    open_gpu(&g, o.device);
    if (!g.many_draws || g.properties.limits.maxDrawIndirectCount < INSTANCES)
        DIE(FAILED, "%s cannot draw so many times by one command\n", g.properties.deviceName);
    scene s = create_scene(&g);
    s.counted_draws = g.counted_draws && !(o.flags & EMPTY_DRAWS);
    picture pictures[2] = {{0}};
    const findings all = run(&g, &s, pictures);
    bool right = check_findings(&all);
    if (o.flags & MEASURE)
        right &= measure(&g, &s);
    save_png(&pictures[0], o.out, "frame");
    save_png(&pictures[1], o.out, "plan");
    destroy_scene(&g, &s);
    close_gpu(&g);
    return right ? 0 : DIFFERENT;
}
