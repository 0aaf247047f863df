/* SPDX-License-Identifier: MIT */
/*
 * autocontrast IN.png OUT.png: stretches the contrast of a picture, so that the minimum of its
 * values becomes black and the maximum white.
 *
 * One command buffer uploads the pixels, reduces them to their minimum and maximum, and draws the
 * picture with a fragment shader that reads these two where the library wrote them. The host
 * neither sees them nor waits for them.
 *
 * - Red, green and blue share one stretch, so that hues stay; a photograph with a colour cast keeps
 *   it. Alpha does not count and does not change, but the colours of transparent pixels do count.
 * - A picture whose values are all the same stays as it is.
 * - Grey and colour, with and without alpha, up to 8 bits per channel. The output has 8, and the
 *   channels of the input (a palette becomes colours). libpng turns other gammas into sRGB.
 * - The pixels are uploaded as floats: every device can reduce and sample floats, but not every
 *   device can do that with bytes.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or the output failed,
 * and with 2 for a bad usage or input.
 */
#include "app.h"
#include <string.h>

const char app_name[] = "autocontrast";

#define PIXEL (4 * sizeof(float)) /* R, G, B, A */

/* Checks that the largest allocations, which hold the pixels as floats, are possible. */
static void check_size(const gpu *g, const picture *p)
{
    const VkPhysicalDeviceLimits *most = &g->properties.limits;
    if (p->width > most->maxImageDimension2D || p->width > most->maxFramebufferWidth ||
        p->height > most->maxImageDimension2D || p->height > most->maxFramebufferHeight ||
        p->pixels * PIXEL > g->largest_buffer)
        DIE(FAILED, "%u x %u pixels are more than %s can draw\n", p->width, p->height,
            g->properties.deviceName);
}

/* ---- Pipeline ---- */

static const uint32_t vertex_code[] =
#include "autocontrast.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "autocontrast.frag.inc"
    ;

/* All objects that the command buffer refers to. */
typedef struct scene {
    VkDeviceSize bytes; /* of the pixels as floats */
    buffer staging;     /* the pixels as floats, from the host .. */
    buffer pixels;      /* .. for the reduction .. */
    image source;       /* .. and for the fragment shader */
    buffer extremes;    /* the results: the minima of R, G, B, then the maxima */
    image target;       /* the stretched picture .. */
    buffer readback;    /* .. for the host */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
} scene;

#define EXTREMES_SIZE (6 * sizeof(float))

static void create_set(const gpu *g, scene *s)
{
    const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    const VkShaderStageFlags stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    VkDescriptorSetLayoutBinding bindings[] = {{0, types[0], 1, stage, NULL},
                                               {1, types[1], 1, stage, NULL}};
    VkDescriptorPoolSize sizes[] = {{types[0], 1}, {types[1], 1}};
    VkDescriptorSetLayoutCreateInfo layout_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 2, bindings};
    VkDescriptorPoolCreateInfo pool_info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 2, sizes};
    CHECK(vkCreateDescriptorSetLayout(g->device, &layout_info, NULL, &s->set_layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool_info, NULL, &s->pool));
    VkDescriptorSetAllocateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                            s->pool, 1, &s->set_layout};
    CHECK(vkAllocateDescriptorSets(g->device, &set_info, &s->set));

    VkDescriptorImageInfo source = {.imageView = s->source.view,
                                    .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkDescriptorBufferInfo extremes = {s->extremes.handle, 0, EXTREMES_SIZE};
    VkWriteDescriptorSet writes[] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, s->set, 0, 0, 1,
                                      types[0], &source, NULL, NULL},
                                     {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, NULL, s->set, 1, 0, 1,
                                      types[1], NULL, &extremes, NULL}};
    vkUpdateDescriptorSets(g->device, 2, writes, 0, NULL);
}

static void create_pipeline(const gpu *g, scene *s)
{
    VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1, .pSetLayouts = &s->set_layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    draw_info draw = {
        s->layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .size = s->target.size,
    };
    s->pipeline = create_draw_pipeline(g, &draw);
}

static void create_scene(const gpu *g, const picture *p, scene *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

    const VkExtent2D size = {p->width, p->height};

    *s = (scene){.bytes = p->pixels * PIXEL};
    s->staging = create_buffer(g, s->bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, ON_HOST);
    s->pixels = create_buffer(g, s->bytes, storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_DEVICE);
    s->extremes = create_buffer(g, EXTREMES_SIZE, storage, ON_DEVICE);
    s->readback = create_buffer(g, 4 * p->pixels, VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    s->source = create_image(g, size, 1, VK_FORMAT_R32G32B32A32_SFLOAT,
                             VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    s->target = create_image(g, size, 1, TARGET_FORMAT,
                             VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    create_set(g, s);
    create_pipeline(g, s);
    for (size_t i = 0; i < 4 * p->pixels; i++)
        ((float *)s->staging.map)[i] = (float)p->rgba[i] / 255.0f;
}

static void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *buffers[] = {&s->staging, &s->pixels, &s->extremes, &s->readback};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    destroy_image(g, &s->source);
    destroy_image(g, &s->target);
    vkDestroyPipeline(g->device, s->pipeline, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    vkDestroyDescriptorPool(g->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, s->set_layout, NULL);
}

/* ---- The command buffer ---- */

static void draw(VkCommandBuffer cmd, const scene *s)
{
    begin_drawing(cmd, &s->target, NULL, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRendering(cmd);
}

static void record(VkCommandBuffer cmd, const scene *s, VkrRecorder recorder)
{
    VkBufferCopy bytes = {0, 0, s->bytes};
    VkBufferImageCopy texels = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {s->target.size.width, s->target.size.height, 1}};
    transition(cmd, &s->source, &nothing, &copied_to);
    transition(cmd, &s->target, &nothing, &drawn);
    vkCmdCopyBuffer(cmd, s->staging.handle, s->pixels.handle, 1, &bytes);
    vkCmdCopyBufferToImage(cmd, s->staging.handle, s->source.handle, copied_to.layout, 1, &texels);
    wait_for(cmd, &copied_to, &computed);
    transition(cmd, &s->source, &copied_to, &sampled);

    /* Lets the library reduce R, G and B of every pixel; the stride skips A. */
    VkrReduceInfo reduce = {.label = "extremes",
                            .ops = VKR_OP_MIN | VKR_OP_MAX,
                            .input = {.buffer = s->pixels.handle,
                                      .size = s->bytes,
                                      .type = VKR_TYPE_F32,
                                      .components = 3,
                                      .stride = PIXEL},
                            .count = VKR_COUNT_ALL,
                            .output = {s->extremes.handle, 0, EXTREMES_SIZE}};
    VkrEndInfo end = {.commandBuffer = cmd,
                      .consumerStages = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                      .consumerAccess = VK_ACCESS_SHADER_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdReduce(recorder, &reduce));
    check_vkr(vkrEnd(recorder, &end));

    draw(cmd, s);
    transition(cmd, &s->target, &drawn, &copied_from);
    vkCmdCopyImageToBuffer(cmd, s->target.handle, copied_from.layout, s->readback.handle, 1,
                           &texels);
    wait_for(cmd, &copied_to, &read_by_host);
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
    gpu g = {0};
    scene s;
    if (argc != 3)
        DIE(BAD_INPUT, "usage: autocontrast IN.png OUT.png\n");
    picture p = read_png(argv[1]);
    open_gpu(&g, NULL);
    check_size(&g, &p);
    create_scene(&g, &p, &s);
    run(&g, &s);
    memcpy(p.rgba, s.readback.map, 4 * p.pixels);
    destroy_scene(&g, &s);
    close_gpu(&g);
    write_png(&p, argv[2]);
    free(p.rgba);
    return 0;
}
