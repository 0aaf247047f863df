/* SPDX-License-Identifier: MIT */
/*
 * splats: draws a scene of 200,000 Gaussians, of which each frame sorts those that are seen.
 *
 * Each frame is one command buffer, and the host learns nothing:
 *
 *     compact   the library keeps the splats that a function of this program finds in the view, and
 *               calls another one for each of them, which stores the key of its depth and its
 *               outline in the picture. Their number goes into the arguments of the draw
 *     sort      the library orders these keys, as many as there are, the farthest ones first
 *     draw      a rectangle for each splat in this order, blended over those before
 *
 * With --draw tiles, a list of splats for each tile takes the place of rectangles (tiles.c):
 *
 *     expand    the library repeats each splat for the tiles in which it is seen
 *     sort      and orders these pairs by tile, and by depth in each tile
 *     bounds    and finds where the list of each tile starts
 *     draw      each pixel blends the list of its tile
 *
 * By default a sort compares 16 bits of a key; all 32 cost twice as much, and order more.
 *
 * The CPU culls, sorts and blends each frame, too: the lists and orders must be equal, and colours
 * within 1/255.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or the output failed,
 * with 2 for a bad usage or a bad file, and with 3 if one of the checks fails.
 */
#include "app.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include "check.h"
#include "report.h"
#include "scene.h"
#include "tiles.h"

const char app_name[] = "splats";

/* ---- Options ---- */

typedef struct options {
    const char *out;
    const char *device;
    const char *ply;
    uint32_t frames; /* of the camera's path, equally far from each other */
    bool all_bits;   /* of keys are compared */
    bool tiled;      /* pixels blend the lists of tiles */
} options;

static const char usage[] =
    "usage: splats [--out DIR] [--ply FILE.ply] [--draw rectangles|tiles] [--bits 16|32]\n"
    "              [--frames 1..60] [--device INDEX|NAME-PART]\n"
    "DIR, where the pictures go, is the current folder by default.\n";

static uint32_t parse_frames(const char *text)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > FRAMES)
        DIE(BAD_INPUT, "--frames is '%s', but must be a number from 1 to %u\n", text, FRAMES);
    return (uint32_t)value;
}

static bool parse_bits(const char *text)
{
    if (strcmp(text, "16") != 0 && strcmp(text, "32") != 0)
        DIE(BAD_INPUT, "--bits is '%s', but must be 16 or 32\n", text);
    return *text == '3';
}

static bool parse_draw(const char *text)
{
    if (strcmp(text, "rectangles") != 0 && strcmp(text, "tiles") != 0)
        DIE(BAD_INPUT, "--draw is '%s', but must be rectangles or tiles\n", text);
    return *text == 't';
}

static options parse(int argc, char **argv)
{
    options o = {.out = ".", .frames = FRAMES};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        const char *value = argv[++i];
        if (!value || !*value)
            DIE(BAD_INPUT, "%s is not an option, or lacks its value\n%s", name, usage);
        if (strcmp(name, "--out") == 0)
            o.out = value;
        else if (strcmp(name, "--device") == 0)
            o.device = value;
        else if (strcmp(name, "--ply") == 0)
            o.ply = value;
        else if (strcmp(name, "--frames") == 0)
            o.frames = parse_frames(value);
        else if (strcmp(name, "--bits") == 0)
            o.all_bits = parse_bits(value);
        else if (strcmp(name, "--draw") == 0)
            o.tiled = parse_draw(value);
        else
            DIE(BAD_INPUT, "%s is not an option\n%s", name, usage);
    }
    if (o.tiled && o.all_bits)
        DIE(BAD_INPUT, "--bits is 32, but must be 16 with --draw tiles: the number of a tile takes "
                       "the others\n");
    if (mkdir(o.out, 0777) != 0 && errno != EEXIST)
        DIE(FAILED, "%s cannot be made: %s\n", o.out, strerror(errno));
    return o;
}

/* ---- A frame ---- */

static const use blended = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                            VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                            VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};

/* Lists the splats that are seen. The sort reads keys and their number, the draw outlines. */
static void cull(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, bool tiled)
{
    const VkrUse listed[] = {
        {s->keys.handle, 0, s->count * sizeof(uint32_t), .access = VK_ACCESS_SHADER_WRITE_BIT},
        {s->outlines.handle, 0, s->count * sizeof(Outline), .access = VK_ACCESS_SHADER_WRITE_BIT},
        {s->boxes.handle, 0, s->count * sizeof(Box), .access = VK_ACCESS_SHADER_WRITE_BIT}};
    const VkrHook is_seen = {.module = s->functions, .name = "is_seen", .set = s->set.handle};
    const VkrHook project = {s->functions, tiled ? "project_to_tiles" : "project", s->set.handle,
                             tiled ? 3 : 2, listed};
    const VkrCountOutput number = {VKR_COUNT_STORED, s->draw.handle,
                                   offsetof(VkDrawIndirectCommand, instanceCount), 1};
    const VkrCompactInfo compact = {
        .label = "seen",
        .count = s->count,
        .predicate = {.kind = VKR_PREDICATE_FLAGS,
                      .flags = {.format = VKR_FLAGS_BITS, .hook = &is_seen}},
        .sink = &project,
        .countOutputCount = 1,
        .countOutputs = &number};
    const VkrEndInfo end = {
        .commandBuffer = cmd,
        .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                          VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                          VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                          VK_PIPELINE_STAGE_HOST_BIT,
        .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdCompact(recorder, &compact));
    check_vkr(vkrEnd(recorder, &end));
}

/* Lists the positions of splats, from the farthest to the nearest one. */
static void order(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, const options *o)
{
    const VkDeviceSize list = s->count * sizeof(uint32_t);
    const VkrSortInfo depths = {
        .label = "depths",
        .flags = VKR_SORT_DESCENDING_BIT,
        .keys = {.buffer = s->keys.handle, .size = list, .type = VKR_TYPE_U32},
        .count = s->count,
        .gpuCount = {s->draw.handle, offsetof(VkDrawIndirectCommand, instanceCount), VKR_TYPE_U32},
        .beginBit = o->all_bits ? 0 : KEY_BEGIN,
        .endBit = o->all_bits ? 32 : KEY_END,
        .indices = {.buffer = s->order.handle, .size = list, .type = VKR_TYPE_U32}};
    const VkrEndInfo end = {
        .commandBuffer = cmd,
        .consumerStages = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdSort(recorder, &depths));
    check_vkr(vkrEnd(recorder, &end));
}

static void draw(VkCommandBuffer cmd, const scene *s, const tiles *t)
{
    transition(cmd, &s->target, &nothing, &blended);
    begin_drawing(cmd, &s->target, NULL, VK_ATTACHMENT_LOAD_OP_CLEAR);
    if (t) {
        draw_tiles(cmd, t);
    } else {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
        vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1,
                                &s->set.handle, 0, NULL);
        vkCmdDrawIndirect(cmd, s->draw.handle, 0, 1, 0);
    }
    vkCmdEndRendering(cmd);
}

/* Copies what the host checks. */
static void copy(VkCommandBuffer cmd, const scene *s, const tiles *t)
{
    const VkDeviceSize pixels = PIXELS * sizeof(vec4), list = s->count * sizeof(uint32_t);
    const VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {WIDTH, HEIGHT, 1}};
    transition(cmd, &s->target, &blended, &copied_from);
    vkCmdCopyImageToBuffer(cmd, s->target.handle, copied_from.layout, s->readback.handle, 1, &all);
    vkCmdCopyBuffer(cmd, s->keys.handle, s->readback.handle, 1, &(VkBufferCopy){0, pixels, list});
    if (t)
        copy_tiles(cmd, t);
    else
        vkCmdCopyBuffer(cmd, s->order.handle, s->readback.handle, 1,
                        &(VkBufferCopy){0, pixels + list, list});
    wait_for(cmd, &copied_to, &read_by_host);
}

static void note_time(VkCommandBuffer cmd, const scene *s, uint32_t query)
{
    if (s->timed)
        vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, s->times, query);
}

static void record_frame(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, const tiles *t,
                         const options *o)
{
    vkCmdResetQueryPool(cmd, s->times, 0, STAGES + 1);
    note_time(cmd, s, CULLED);
    cull(cmd, recorder, s, t != NULL);
    note_time(cmd, s, CULLED + 1);
    if (t)
        list_splats(cmd, recorder, s, t);
    else
        order(cmd, recorder, s, o);
    note_time(cmd, s, SORTED + 1);
    draw(cmd, s, t);
    note_time(cmd, s, DRAWN + 1);
    copy(cmd, s, t);
}

/* ---- All frames ---- */

/* Reads the milliseconds of each stage. */
static void read_times(const gpu *g, const scene *s, double times[STAGES])
{
    uint64_t at[STAGES + 1] = {0};
    if (s->timed)
        CHECK(vkGetQueryPoolResults(g->device, s->times, 0, STAGES + 1, sizeof at, at, sizeof at[0],
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    for (uint32_t k = 0; k < STAGES; k++)
        times[k] =
            1e-6 * (double)g->properties.limits.timestampPeriod * (double)(at[k + 1] - at[k]);
}

static outcome outcome_of(const scene *s, const tiles *t)
{
    const vec4 *pixels = s->readback.map;
    const uint32_t *keys = (const uint32_t *)(pixels + PIXELS);
    const VkDrawIndirectCommand *command = s->draw.map;
    outcome o = {.count = command->instanceCount, .keys = keys, .pixels = pixels};
    if (t) {
        o.numbers = t->numbers.map;
        o.starts = t->readback.map;
        o.listed = o.starts + TILES + 1;
    } else {
        o.order = keys + s->count;
    }
    return o;
}

/* Draws, and checks, the frames. Makes a picture of the first one, and one in which its splats are
 * not sorted. */
static findings run(const gpu *g, const scene *s, const tiles *t, const model *m, const options *o,
                    double times[FRAMES][STAGES], picture pictures[2])
{
    findings all = {.splats = (uint64_t)o->frames * m->count};
    reference r = create_reference(m);
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);
    VkrRecorder recorder;
    check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &recorder));
    for (uint32_t i = 0; i < o->frames; i++) {
        move_camera(s->view.map, i * FRAMES / o->frames);
        begin_commands(cmd);
        record_frame(cmd, recorder, s, t, o);
        submit_commands(g, cmd, VK_NULL_HANDLE);
        order_splats(&r, m, s->view.map, o->all_bits ? 0 : KEY_BEGIN, o->all_bits ? 32 : KEY_END);
        blend_splats(&r, m, s->view.map, r.order);
        CHECK(vkQueueWaitIdle(g->queue));
        check_vkr(vkrReset(recorder));
        read_times(g, s, times[i]);
        const outcome found = outcome_of(s, t);
        check_frame(&found, &r, &all);
        if (i > 0)
            continue;
        pictures[0] = paint(found.pixels);
        blend_splats(&r, m, s->view.map, NULL);
        pictures[1] = paint((const vec4 *)r.pixels);
    }
    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g->device, pool, NULL);
    free_reference(&r);
    return all;
}

int main(int argc, char **argv)
{
    const options o = parse(argc, argv);
    const model m = o.ply ? read_ply(o.ply) : make_garden();
    gpu g = {0};
    open_gpu(&g, o.device);
    const scene s = create_scene(&g, &m);
    const tiles t = o.tiled ? create_tiles(&g, &s) : (tiles){0};
    double times[FRAMES][STAGES];
    picture pictures[2];
    const findings all = run(&g, &s, o.tiled ? &t : NULL, &m, &o, times, pictures);
    const bool right = check_findings(&all);
    if (s.timed)
        print_times(times, o.frames);
    save_png(&pictures[0], o.out, "frame");
    save_png(&pictures[1], o.out, "unsorted");
    if (o.tiled)
        destroy_tiles(&g, &t);
    destroy_scene(&g, &s);
    close_gpu(&g);
    free_model(&m);
    return right ? 0 : DIFFERENT;
}
