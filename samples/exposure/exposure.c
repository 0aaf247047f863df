/* SPDX-License-Identifier: MIT */
/*
 * exposure: 120 frames whose exposure follows the scene, without the host.
 *
 * The light jumps three times. Each frame is one command buffer, and the host waits for nothing
 * that a frame has found out:
 *
 *     draw      light, of any strength, into an image of floats
 *     meter     the library counts log2 of the luminance of each pixel in 256 bins, where the
 *               middle of the image weighs most, and takes the mean of what is between the 10th and
 *               the 95th percentile
 *     adapt     a shader moves the exposure, which stays in a buffer, some way towards what this
 *               mean asks for: quickly where it has become brighter, slowly where darker
 *     show      another one applies exposure and a tone curve, and stores eight bits per channel
 *
 * Two frames are in flight, with a recorder each. All pipelines are compiled before the first one.
 *
 * The rules are in exposure.h. After the last frame the program repeats everything on the CPU: the
 * exposures of all frames must agree within 2^-15 of a stop, and of some frames, which it writes as
 * pictures, all bins exactly and each pixel within one step of 255. A plot shows both exposures.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or an output failed
 * (the plot needs gnuplot), with 2 for a bad usage or input, and with 3 if the CPU disagrees.
 */
#include "app.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "scene.h"

const char app_name[] = "exposure";

#define IN_FLIGHT 2u /* frames */

/* ---- Options ---- */

typedef struct options {
    const char *out;
    const char *hdr;
    const char *device;
} options;

static const char usage[] =
    "usage: exposure [--out DIR] [--hdr FILE.hdr] [--device INDEX|NAME-PART]\n"
    "DIR, where the pictures and the plot go, is the current folder by default. Without a "
    "Radiance file, the program renders two scenes.\n";

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
        if (!value || !*value)
            DIE(BAD_INPUT, "%s is not an option, or lacks its value\n%s", name, usage);
        if (strcmp(name, "--out") == 0)
            o.out = value;
        else if (strcmp(name, "--hdr") == 0)
            o.hdr = value;
        else if (strcmp(name, "--device") == 0)
            o.device = value;
        else
            DIE(BAD_INPUT, "%s is not an option\n%s", name, usage);
    }
    return o;
}

/* ---- A frame ---- */

/* How the frame before may still use the image of light, the target and the buffers. */
static const use light_before = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                                 VK_IMAGE_LAYOUT_UNDEFINED};
static const use target_before = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                      VK_PIPELINE_STAGE_TRANSFER_BIT,
                                  VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED};
static const use buffers_before = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                       VK_PIPELINE_STAGE_TRANSFER_BIT,
                                   VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED};

static void draw(VkCommandBuffer cmd, const scene *s)
{
    transition(cmd, &s->light, &light_before, &drawn);
    begin_drawing(cmd, &s->light, NULL, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->draw);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set.handle,
                            0, NULL);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRendering(cmd);
    transition(cmd, &s->light, &drawn, &metered);
}

static VkrImage readable(const image *i, VkFormat format)
{
    return (VkrImage){.image = i->handle,
                      .view = i->view,
                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                      .format = format,
                      .layout = metered.layout, /* SHADER_READ_ONLY_OPTIMAL, on entry */
                      .range = i->range,        /* one level, one aspect */
                      .extent = {i->size.width, i->size.height, 1}};
}

/* Collects what the library does: from the image of light to its trimmed mean. */
static void collect(VkrRecorder recorder, const scene *s)
{
    const VkBuffer meter = s->meter.handle;
    const VkrImage light = readable(&s->light, LIGHT_FORMAT);
    const VkrImage weights = readable(&s->weights, WEIGHT_FORMAT);
    const VkrMap brightness = {.weights = VKR_LUMINANCE_WEIGHTS, .function = VKR_MAP_LOG2};
    const VkrBufferRange counts = {meter, offsetof(Meter, counts), sizeof((Meter *)0)->counts};
    const VkrBufferRange edges = {meter, offsetof(Meter, edges), sizeof((Meter *)0)->edges};
    const VkrBufferRange mean = {meter, offsetof(Meter, mean), sizeof((Meter *)0)->mean};
    const VkrHistogramInfo histogram = {.label = "brightness",
                                        .input = {.image = &light, .map = &brightness},
                                        .count = VKR_COUNT_ALL,
                                        .bins = {.kind = VKR_BINS_EVEN,
                                                 .count = BINS,
                                                 .low.value = DARKEST,
                                                 .high.value = BRIGHTEST},
                                        .weights.image = &weights,
                                        .counts = counts,
                                        .edges = edges};
    const VkrQuantileInfo quantile = {.label = "trimmed mean",
                                      .binCount = BINS,
                                      .counts = counts,
                                      .edges = edges,
                                      .trim = {TRIM_DARK, TRIM_BRIGHT},
                                      .trimmedMean = mean};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdHistogram(recorder, &histogram));
    check_vkr(vkrCmdQuantile(recorder, &quantile));
}

static void meter(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s)
{
    const VkrEndInfo end = {
        .commandBuffer = cmd,
        .flags = VKR_END_NO_COMPILE_BIT,
        .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
        .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT};
    collect(recorder, s);
    check_vkr(vkrEnd(recorder, &end));
}

static void adapt_and_show(VkCommandBuffer cmd, const scene *s)
{
    transition(cmd, &s->target, &target_before, &computed);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set.handle, 0,
                            NULL);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->adapt);
    vkCmdDispatch(cmd, 1, 1, 1);
    wait_for(cmd, &computed, &computed);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->tone);
    vkCmdDispatch(cmd, (s->size.width + TONE_SIDE - 1) / TONE_SIDE,
                  (s->size.height + TONE_SIDE - 1) / TONE_SIDE, 1);
}

/* Copies the results that the host reads after the last frame. */
static void keep(VkCommandBuffer cmd, const scene *s, uint32_t frame)
{
    uint32_t i = 0;
    while (i < SHOWN && shown_frames[i] != frame)
        i++;
    if (i == SHOWN)
        return;
    VkBufferCopy counts = {offsetof(Meter, counts), place_of_counts(s, i),
                           sizeof((Meter *)0)->counts};
    VkBufferImageCopy texels = {.bufferOffset = place_of_pixels(s, i),
                                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {s->size.width, s->size.height, 1}};
    transition(cmd, &s->target, &computed, &copied_from);
    vkCmdCopyBuffer(cmd, s->meter.handle, s->kept.handle, 1, &counts);
    vkCmdCopyImageToBuffer(cmd, s->target.handle, copied_from.layout, s->kept.handle, 1, &texels);
}

static void record_frame(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, uint32_t frame)
{
    const Instant now = instant_of(frame);
    const VkShaderStageFlags told = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    wait_for(cmd, &buffers_before, &computed);
    vkCmdPushConstants(cmd, s->layout, told, 0, sizeof now, &now);
    draw(cmd, s);
    meter(cmd, recorder, s);
    vkCmdPushConstants(cmd, s->layout, told, 0, sizeof now, &now); /* vkrEnd invalidates them */
    adapt_and_show(cmd, s);
    keep(cmd, s, frame);
}

/* ---- The host's side of it ---- */

/* The objects of a frame in flight. */
typedef struct slot {
    VkCommandBuffer cmd;
    VkFence fence;
    VkrRecorder recorder;
} slot;

static VkCommandPool create_slots(const gpu *g, const scene *s, slot *slots)
{
    VkFenceCreateInfo signalled = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL,
                                   VK_FENCE_CREATE_SIGNALED_BIT};
    VkCommandBuffer cmds[IN_FLIGHT];
    VkCommandPool pool = create_commands(g, IN_FLIGHT, cmds);
    for (uint32_t i = 0; i < IN_FLIGHT; i++) {
        slots[i] = (slot){.cmd = cmds[i]};
        CHECK(vkCreateFence(g->device, &signalled, NULL, &slots[i].fence));
        check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &slots[i].recorder));
        collect(slots[i].recorder, s); /* never ended: it only compiles what frames need */
        check_vkr(vkrPrepare(slots[i].recorder));
    }
    return pool;
}

static void finish(VkCommandBuffer cmd, const gpu *g, const scene *s)
{
    begin_commands(cmd);
    wait_for(cmd, &computed, &copied_from);
    vkCmdCopyBuffer(cmd, s->state.handle, s->kept.handle, 1, &(VkBufferCopy){0, 0, sizeof(State)});
    wait_for(cmd, &copied_to, &read_by_host);
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));
}

static void run(const gpu *g, const scene *s)
{
    slot slots[IN_FLIGHT];
    VkCommandPool pool = create_slots(g, s, slots);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        slot *at = &slots[frame % IN_FLIGHT];
        CHECK(vkWaitForFences(g->device, 1, &at->fence, VK_TRUE, UINT64_MAX));
        CHECK(vkResetFences(g->device, 1, &at->fence));
        if (frame >= IN_FLIGHT) /* in the first frames there is nothing to reset */
            check_vkr(vkrReset(at->recorder));
        begin_commands(at->cmd);
        record_frame(at->cmd, at->recorder, s, frame);
        submit_commands(g, at->cmd, at->fence);
    }
    CHECK(vkQueueWaitIdle(g->queue));
    finish(slots[0].cmd, g, s);
    for (uint32_t i = 0; i < IN_FLIGHT; i++) {
        vkDestroyFence(g->device, slots[i].fence, NULL);
        vkrDestroyRecorder(slots[i].recorder);
    }
    vkDestroyCommandPool(g->device, pool, NULL);
}

/* ---- The end ---- */

static int report(const gpu *g, const scene *s, const radiance *pictures, const uint8_t *weights,
                  const char *folder)
{
    const char *kept = s->kept.map;
    outcome o = {.pictures = pictures, .weights = weights, .state = (const void *)kept};
    for (uint32_t i = 0; i < SHOWN; i++) {
        o.counts[i] = (const void *)(kept + place_of_counts(s, i));
        o.rgba[i] = (const void *)(kept + place_of_pixels(s, i));
    }
    const verdict v = check_outcome(&o);
    write_frames(&o, folder);
    const bool plotted = write_plot(&o, &v, folder);
    const bool right = v.exposure_error <= EXPOSURE_TOLERANCE && v.bins + v.pixels == 0;
    printf("%s: of %d frames, exposures differ from the CPU's by at most %.2g stops (%.2g are "
           "allowed); of %d frames, %zu of %d bins and %zu of %zu pixels differ\n",
           g->properties.deviceName, FRAMES, v.exposure_error, EXPOSURE_TOLERANCE, SHOWN, v.bins,
           SHOWN * BINS, v.pixels, (size_t)SHOWN * s->size.width * s->size.height);
    return !right ? DIFFERENT : plotted ? 0 : FAILED;
}

int main(int argc, char **argv)
{
    const options o = parse(argc, argv);
    radiance pictures[PICTURES];
    gpu g = {0};
    if (mkdir(o.out, 0777) != 0 && errno != EEXIST)
        DIE(FAILED, "%s cannot be made: %s\n", o.out, strerror(errno));
    if (o.hdr)
        load_picture(o.hdr, pictures);
    else
        make_pictures(pictures);
    uint8_t *weights = malloc((size_t)pictures[0].width * pictures[0].height);
    if (!weights)
        DIE(FAILED, "out of memory\n");
    make_weights(pictures[0].width, pictures[0].height, weights);

    open_gpu(&g, o.device);
    const scene s = create_scene(&g, pictures, weights);
    run(&g, &s);
    const int status = report(&g, &s, pictures, weights, o.out);
    destroy_scene(&g, &s);
    close_gpu(&g);
    free_pictures(pictures);
    free(weights);
    return status;
}
