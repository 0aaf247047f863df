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
 * The rules of the test are in hiz.h and in integers, so that a CPU gets the same verdicts. It does
 * here: levels and verdicts must be equal, and no box that can be seen may be called hidden: neither
 * one that a pixel of the first picture shows, nor one that is nearer than its depth at some pixel,
 * which the CPU finds out in floating point, box by box and pixel by pixel.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or the output failed,
 * with 2 for a bad usage, and with 3 if one of the checks fails.
 */
#include "app.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "city.h"

const char app_name[] = "hiz";

#define ID_FORMAT VK_FORMAT_R32_UINT
#define LEVEL_FORMAT VK_FORMAT_R32G32_SFLOAT

/* ---- Options ---- */

typedef struct options {
    const char *out;
    const char *device;
} options;

static const char usage[] = "usage: hiz [--out DIR] [--device INDEX|NAME-PART]\n"
                            "DIR, where the pictures go, is the current one.\n";

static options parse(int argc, char **argv)
{
    options o = {.out = "."};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        const char *value = argv[++i];
        if (!value)
            DIE(BAD_INPUT, "%s is not an option, or lacks its value\n%s", name, usage);
        if (strcmp(name, "--out") == 0)
            o.out = value;
        else if (strcmp(name, "--device") == 0)
            o.device = value;
        else
            DIE(BAD_INPUT, "%s is not an option\n%s", name, usage);
    }
    return o;
}

/* ---- What is on the GPU ---- */

static const uint32_t vertex_code[] =
#include "hiz.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "hiz.frag.inc"
    ;
static const uint32_t test_code[] =
#include "hiz_test.comp.inc"
    ;

/* What is copied to the host, one after the other. */
enum { IDS, DEPTHS, PYRAMID, VERDICTS, SHOWN, SHOWN_DEPTHS, COUNT, COPIES };

typedef struct scene {
    buffer boxes;
    buffer all; /* the indices of the boxes that are drawn first */
    image ids;
    image depth;
    image levels; /* the pyramid .. */
    VkImageView level_views[LEVELS];
    buffer verdicts;
    buffer visible; /* the indices of these .. */
    buffer draw;    /* .. and the arguments of their draw */
    image shown;
    image shown_depth;
    buffer readback;
    VkDeviceSize offsets[COPIES + 1];
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline draw_pipeline;
    VkPipeline test_pipeline;
} scene;

static void check_formats(const gpu *g)
{
    static const struct {
        VkFormat format;
        VkFormatFeatureFlags needed;
        const char *name;
    } rows[] = {
        {DEPTH_FORMAT,
         VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
         "depths of 32 bits"},
        {LEVEL_FORMAT, VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT,
         "pairs of floats that shaders write"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        VkFormatProperties found;
        vkGetPhysicalDeviceFormatProperties(g->physical, rows[i].format, &found);
        if (rows[i].needed & ~found.optimalTilingFeatures)
            DIE(FAILED, "%s has no %s\n", g->properties.deviceName, rows[i].name);
    }
}

static void create_images(const gpu *g, scene *s)
{
    const VkExtent2D size = {WIDTH, HEIGHT};
    const VkExtent2D half = {(uint32_t)side_of(WIDTH, 1), (uint32_t)side_of(HEIGHT, 1)};
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageUsageFlags tested = VK_IMAGE_USAGE_SAMPLED_BIT | copied;
    s->ids = create_image(g, size, 1, ID_FORMAT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | copied);
    s->shown = create_image(g, size, 1, ID_FORMAT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | copied);
    s->depth = create_image(g, size, 1, DEPTH_FORMAT,
                            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | tested);
    s->shown_depth = create_image(g, size, 1, DEPTH_FORMAT,
                                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | copied);
    s->levels = create_image(g, half, LEVELS, LEVEL_FORMAT, VK_IMAGE_USAGE_STORAGE_BIT | tested);
    for (uint32_t k = 0; k < LEVELS; k++) {
        VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = s->levels.handle, .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = LEVEL_FORMAT,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, 1}};
        CHECK(vkCreateImageView(g->device, &info, NULL, &s->level_views[k]));
    }
}

static void create_buffers(const gpu *g, scene *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkBufferUsageFlags copied = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    const VkDeviceSize list = BOXES * sizeof(uint32_t), pixels = PIXELS * sizeof(uint32_t);
    const VkDeviceSize sizes[COPIES] = {[IDS] = pixels,
                                        [DEPTHS] = pixels,
                                        [PYRAMID] = 8 * texels_below(LEVELS + 1),
                                        [VERDICTS] = list,
                                        [SHOWN] = pixels,
                                        [SHOWN_DEPTHS] = pixels,
                                        [COUNT] = sizeof(VkDrawIndirectCommand)};
    for (uint32_t i = 0; i < COPIES; i++)
        s->offsets[i + 1] = s->offsets[i] + (sizes[i] + 15) / 16 * 16;
    s->readback = create_buffer(g, s->offsets[COPIES], VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    s->boxes = create_buffer(g, BOXES * sizeof(Box), storage, ON_HOST);
    s->all = create_buffer(g, list, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, ON_HOST);
    s->verdicts = create_buffer(g, list, storage | copied, ON_DEVICE);
    s->visible = create_buffer(g, list, storage | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, ON_DEVICE);
    s->draw = create_buffer(g, sizeof(VkDrawIndirectCommand),
                            storage | copied | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            ON_DEVICE);
    make_city(s->boxes.map);
    for (uint32_t i = 0; i < DRAWN; i++)
        ((uint32_t *)s->all.map)[i] = i;
}

static void create_set(const gpu *g, scene *s)
{
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkDescriptorType texture = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSetLayoutBinding bindings[] = {{0, storage, 1, stages, NULL},
                                               {1, storage, 1, stages, NULL},
                                               {2, texture, 1, stages, NULL},
                                               {3, texture, 1, stages, NULL}};
    VkDescriptorPoolSize sizes[] = {{storage, 2}, {texture, 2}};
    VkDescriptorSetLayoutCreateInfo layout_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 4, bindings};
    VkDescriptorPoolCreateInfo pool_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 2, sizes};
    CHECK(vkCreateDescriptorSetLayout(g->device, &layout_info, NULL, &s->set_layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool_info, NULL, &s->pool));
    VkDescriptorSetAllocateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                            s->pool, 1, &s->set_layout};
    CHECK(vkAllocateDescriptorSets(g->device, &set_info, &s->set));

    VkDescriptorBufferInfo buffers[] = {{s->boxes.handle, 0, VK_WHOLE_SIZE},
                                        {s->verdicts.handle, 0, VK_WHOLE_SIZE}};
    VkDescriptorImageInfo images[] = {
        {VK_NULL_HANDLE, s->depth.view, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL},
        {VK_NULL_HANDLE, s->levels.view, VK_IMAGE_LAYOUT_GENERAL}};
    VkWriteDescriptorSet writes[] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, s->set, 0, 0, 2,
                                      storage, NULL, buffers, NULL},
                                     {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, s->set, 2, 0, 2,
                                      texture, images, NULL, NULL}};
    vkUpdateDescriptorSets(g->device, 2, writes, 0, NULL);
}

static void create_pipelines(const gpu *g, scene *s)
{
    VkVertexInputBindingDescription binding = {0, sizeof(uint32_t), VK_VERTEX_INPUT_RATE_INSTANCE};
    VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1, .pSetLayouts = &s->set_layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    draw_info draw = {
        s->layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .input = {.vertexBindingDescriptionCount = 1,
                  .pVertexBindingDescriptions = &binding,
                  .vertexAttributeDescriptionCount = 1,
                  .pVertexAttributeDescriptions = &attribute},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .depth = true,
        .format = ID_FORMAT,
        .size = {WIDTH, HEIGHT},
    };
    s->draw_pipeline = create_draw_pipeline(g, &draw);
    VkComputePipelineCreateInfo test = {
        VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage =
            create_stage(g, &(shader){VK_SHADER_STAGE_COMPUTE_BIT, test_code, sizeof test_code}),
        .layout = s->layout};
    CHECK(vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &test, NULL, &s->test_pipeline));
    vkDestroyShaderModule(g->device, test.stage.module, NULL);
}

static void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *buffers[] = {&s->boxes,   &s->all,  &s->verdicts,
                               &s->visible, &s->draw, &s->readback};
    const image *images[] = {&s->ids, &s->depth, &s->levels, &s->shown, &s->shown_depth};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    for (uint32_t k = 0; k < LEVELS; k++)
        vkDestroyImageView(g->device, s->level_views[k], NULL);
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        destroy_image(g, images[i]);
    vkDestroyPipeline(g->device, s->draw_pipeline, NULL);
    vkDestroyPipeline(g->device, s->test_pipeline, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    vkDestroyDescriptorPool(g->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, s->set_layout, NULL);
}

/* ---- The command buffer ---- */

static const use tested = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                           VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
static const use written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_IMAGE_LAYOUT_GENERAL};

/* Draws either the first boxes or, by arguments that the GPU wrote, those that are visible. */
static void draw(VkCommandBuffer cmd, const scene *s, const image *ids, const image *depth,
                 const buffer *indices)
{
    transition(cmd, ids, &nothing, &drawn);
    transition(cmd, depth, &nothing, &depth_drawn);
    begin_drawing(cmd, ids, depth, VK_ATTACHMENT_LOAD_OP_CLEAR);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->draw_pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &indices->handle, (VkDeviceSize[1]){0});
    if (indices == &s->visible)
        vkCmdDrawIndirect(cmd, s->draw.handle, 0, 1, 0);
    else
        vkCmdDraw(cmd, CORNERS, DRAWN, 0, 0);
    vkCmdEndRendering(cmd);
}

/* The library's part, first: levels above the depths. The test reads them next, and then a copy. */
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
                                         .layout = tested.layout,
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
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 0, NULL);
    vkCmdDispatch(cmd, (BOXES + LOCAL_SIZE - 1) / LOCAL_SIZE, 1, 1);
}

/* The library's part, second: a list of the visible boxes, for a draw. */
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
                  {&s->depth, &tested, DEPTHS},
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

static void record(VkCommandBuffer cmd, const scene *s, VkrRecorder recorder)
{
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
    transition(cmd, &s->depth, &depth_drawn, &tested);
    make_pyramid(cmd, s, recorder);
    test(cmd, s);
    wait_for(cmd, &written, &read_next);
    list_visible(cmd, s, recorder);
    draw(cmd, s, &s->shown, &s->shown_depth, &s->visible);
    copy_everything(cmd, s);
}

/* Records, submits once and waits. */
static void run(const gpu *g, const scene *s)
{
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);
    VkrRecorder recorder;
    check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &recorder));

    begin_commands(cmd);
    record(cmd, s, recorder);
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));

    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g->device, pool, NULL);
}

int main(int argc, char **argv)
{
    const options o = parse(argc, argv);
    gpu g = {0};
    scene s = {0};
    if (mkdir(o.out, 0777) != 0 && errno != EEXIST)
        DIE(FAILED, "%s cannot be made: %s\n", o.out, strerror(errno));
    open_gpu(&g, o.device);
    check_formats(&g);
    create_images(&g, &s);
    create_buffers(&g, &s);
    create_set(&g, &s);
    create_pipelines(&g, &s);
    run(&g, &s);

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
