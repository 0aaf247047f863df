/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "scene.h"

static const uint32_t vertex_code[] =
#include "exposure.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "exposure.frag.inc"
    ;
static const uint32_t adapt_code[] =
#include "exposure_adapt.comp.inc"
    ;
static const uint32_t tone_code[] =
#include "exposure_tone.comp.inc"
    ;

const use read_by_draw = {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
const use metered = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};

static VkDeviceSize pixels_of(const scene *s)
{
    return (VkDeviceSize)s->size.width * s->size.height;
}

VkDeviceSize place_of_counts(const scene *s, uint32_t kept)
{
    return sizeof(State) + kept * (sizeof((Meter *)0)->counts + 4 * pixels_of(s));
}

VkDeviceSize place_of_pixels(const scene *s, uint32_t kept)
{
    return place_of_counts(s, kept) + sizeof((Meter *)0)->counts;
}

/* ---- Images and buffers ---- */

static void check_size(const gpu *g, const radiance *r)
{
    const VkPhysicalDeviceLimits *most = &g->properties.limits;
    const uint64_t kept = SHOWN * (uint64_t)r->width * r->height * 4;
    if (r->width > most->maxImageDimension2D || r->height > most->maxImageDimension2D ||
        r->width > most->maxFramebufferWidth || r->height > most->maxFramebufferHeight ||
        kept > g->largest_buffer / 2)
        DIE(FAILED, "%u x %u pixels are more than %s can draw\n", r->width, r->height,
            g->properties.deviceName);
}

static void create_resources(const gpu *g, scene *s)
{
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    const VkBufferUsageFlags storage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    for (int i = 0; i < PICTURES; i++)
        s->pictures[i] = create_image(g, s->size, 1, LIGHT_FORMAT, copied);
    s->weights = create_image(g, s->size, 1, WEIGHT_FORMAT, copied);
    s->light = create_image(g, s->size, 1, LIGHT_FORMAT,
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    s->target = create_image(g, s->size, 1, TARGET_FORMAT,
                             VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    s->meter = create_buffer(g, sizeof(Meter), storage, ON_DEVICE);
    s->state =
        create_buffer(g, sizeof(State), storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_DEVICE);
    s->kept =
        create_buffer(g, place_of_counts(s, SHOWN), VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
}

/* ---- Descriptors and pipelines ---- */

static descriptor_set describe(const gpu *g, const scene *s)
{
    const VkDescriptorType texture = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkShaderStageFlags draw = VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkShaderStageFlags compute = VK_SHADER_STAGE_COMPUTE_BIT;
    const descriptor rows[] = {
        {texture, draw, .texels = &s->pictures[0], .layout = read_by_draw.layout},
        {texture, draw, .texels = &s->pictures[1], .layout = read_by_draw.layout},
        {texture, compute, .texels = &s->light, .layout = metered.layout},
        {storage, compute, .data = &s->meter},
        {storage, compute, .data = &s->state},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, compute, .texels = &s->target,
         .layout = computed.layout}};
    return create_descriptors(g, rows, sizeof rows / sizeof rows[0]);
}

static void create_pipelines(const gpu *g, scene *s)
{
    VkPushConstantRange told = {VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                sizeof(Instant)};
    VkPipelineLayoutCreateInfo layout = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &s->set.layout, 1, &told};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    draw_info draw = {
        s->layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .format = LIGHT_FORMAT,
        .size = s->size,
    };
    s->draw = create_draw_pipeline(g, &draw);
    s->adapt = create_compute_pipeline(g, s->layout, adapt_code, sizeof adapt_code);
    s->tone = create_compute_pipeline(g, s->layout, tone_code, sizeof tone_code);
}

/* ---- What is there before the first frame ---- */

static void upload(VkCommandBuffer cmd, const scene *s, const image *to, const buffer *from,
                   VkDeviceSize offset, const use *next)
{
    VkBufferImageCopy texels = {.bufferOffset = offset,
                                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {s->size.width, s->size.height, 1}};
    transition(cmd, to, &nothing, &copied_to);
    vkCmdCopyBufferToImage(cmd, from->handle, to->handle, copied_to.layout, 1, &texels);
    transition(cmd, to, &copied_to, next);
}

static void fill(const gpu *g, const scene *s, const radiance pictures[PICTURES],
                 const uint8_t *weights)
{
    const VkDeviceSize bytes = 4 * sizeof(float) * pixels_of(s);
    const buffer staging = create_buffer(g, PICTURES * bytes + pixels_of(s),
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT, ON_HOST);
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);
    begin_commands(cmd);
    for (int i = 0; i < PICTURES; i++) {
        memcpy((char *)staging.map + (size_t)i * bytes, pictures[i].rgba, bytes);
        upload(cmd, s, &s->pictures[i], &staging, (VkDeviceSize)i * bytes, &read_by_draw);
    }
    memcpy((char *)staging.map + PICTURES * bytes, weights, pixels_of(s));
    upload(cmd, s, &s->weights, &staging, PICTURES * bytes, &metered);
    vkCmdFillBuffer(cmd, s->state.handle, 0, VK_WHOLE_SIZE, 0);
    wait_for(cmd, &copied_to, &computed);
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));
    vkDestroyCommandPool(g->device, pool, NULL);
    destroy_buffer(g, &staging);
}

scene create_scene(const gpu *g, const radiance pictures[PICTURES], const uint8_t *weights)
{
    scene s = {.size = {pictures[0].width, pictures[0].height}};
    check_size(g, &pictures[0]);
    create_resources(g, &s);
    s.set = describe(g, &s);
    create_pipelines(g, &s);
    fill(g, &s, pictures, weights);
    return s;
}

void destroy_scene(const gpu *g, const scene *s)
{
    const image *images[] = {&s->pictures[0], &s->pictures[1], &s->weights, &s->light, &s->target};
    const buffer *buffers[] = {&s->meter, &s->state, &s->kept};
    const VkPipeline pipelines[] = {s->draw, s->adapt, s->tone};
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        destroy_image(g, images[i]);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    for (size_t i = 0; i < sizeof pipelines / sizeof pipelines[0]; i++)
        vkDestroyPipeline(g->device, pipelines[i], NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    destroy_descriptors(g, &s->set);
}
