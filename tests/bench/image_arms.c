/* SPDX-License-Identifier: MIT */
/* Reductions and tiles of images, compared with a bare kernel that fetches the same texels; and
 * pyramids, compared with a chain of blits. */
#include <string.h>
#include "array.h"
#include "buffers.h"
#include "commands.h"
#include "images.h"
#include "measure.h"
#include "mode.h"
#include "report.h"
#include "status.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)
#define MAX_BENCH_ARMS 128u

static const VkrOpFlags reduced[] = {PAIR, VKR_OP_SUM};
static const VkrOpFlags levels_of_depth[] = {VKR_OP_MEAN, VKR_OP_MIN, VKR_OP_MAX, PAIR};

static const picture *picture_of(const bench *b, const arm *a)
{
    return &b->images->pictures[a->image.picture];
}

/* ---- Arms ---- */

static const char *name_of_ops(VkrOpFlags ops)
{
    return ops == PAIR ? "min,max" : vkrOpName((VkrOp)ops);
}

static void add(bench *b, image_shape shape, VkrOpFlags ops)
{
    const picture *p = &b->images->pictures[shape.picture];
    arm a = {.kind = shape.work >= IMAGE_REDUCE ? ARM_IMAGES
                     : shape.work == IMAGE_BLIT ? ARM_COPY
                                                : ARM_READ,
             .type = VKR_TYPE_F32,
             .info = {.ops = ops},
             .image = shape};
    static const char *const works[] = {"fetch",  "fetch chunk", "blit",
                                        "reduce", "tiles",       "pyramid"};
    snprintf(a.op, sizeof a.op, "%s", works[shape.work]);
    snprintf(a.name, sizeof a.name, "%s%s%s %s %ux%u%s%s", a.op,
             shape.work >= IMAGE_REDUCE ? " " : "",
             shape.work >= IMAGE_REDUCE ? name_of_ops(ops) : "", p->name, p->size.width,
             p->size.height, shape.work == IMAGE_PYRAMID ? " " : "",
             shape.work == IMAGE_PYRAMID ? vkrPyramidAlgorithmName(shape.algorithm) : "");
    (void)mode_add(b, &a, texels_of(p->size));
}

static void add_arms(bench *b, uint32_t i)
{
    const bool depth = b->images->pictures[i].depth;
    add(b, (image_shape){IMAGE_FETCH, i, VKR_PYRAMID_AUTO}, PAIR);
    add(b, (image_shape){IMAGE_FETCH_CHUNK, i, VKR_PYRAMID_AUTO}, PAIR);
    if (!depth)
        add(b, (image_shape){IMAGE_BLIT, i, VKR_PYRAMID_AUTO}, VKR_OP_MEAN);
    for (uint32_t k = 0; k < COUNT_OF(reduced); k++)
        add(b, (image_shape){IMAGE_REDUCE, i, VKR_PYRAMID_AUTO}, reduced[k]);
    for (uint32_t k = 0; k < COUNT_OF(reduced); k++)
        add(b, (image_shape){IMAGE_TILES, i, VKR_PYRAMID_AUTO}, reduced[k]);
    for (uint32_t k = 0; k < (depth ? COUNT_OF(levels_of_depth) : 1); k++)
        for (uint32_t algorithm = 0; algorithm < VKR_PYRAMID_ALGORITHM_COUNT; algorithm++)
            add(b, (image_shape){IMAGE_PYRAMID, i, (VkrPyramidAlgorithm)algorithm},
                levels_of_depth[k]);
}

static int create_arms(bench *b)
{
    const int status = mode_allocate(b, MAX_BENCH_ARMS);
    for (uint32_t i = 0; i < PICTURES && status == STATUS_DONE; i++)
        add_arms(b, i);
    return status == STATUS_DONE ? mode_check(b) : status;
}

/* ---- Outputs ---- */

static bool leaves_levels(const arm *a)
{
    return a->image.work == IMAGE_PYRAMID || a->image.work == IMAGE_BLIT;
}

static VkrReduceInfo reduction_of(const bench *b, const arm *a)
{
    VkrReduceInfo info = {.label = a->name,
                          .ops = a->info.ops,
                          .input = {.image = &picture_of(b, a)->source.levels[0]},
                          .count = VKR_COUNT_ALL};
    if (a->image.work == IMAGE_TILES)
        info.segments = (VkrSegments){
            .kind = VKR_SEGMENTS_TILES, .tileWidth = IMAGE_TILE, .tileHeight = IMAGE_TILE};
    return info;
}

/* Finds the size of the outputs, and the places of the results. */
static int find_results(const bench *b, arm *a)
{
    const picture *p = picture_of(b, a);
    if (leaves_levels(a)) {
        const image_levels *chain = chain_of(b->images, a);
        for (uint32_t k = 0; k < chain->count; k++)
            a->size += (VkDeviceSize)chain->levels[k].extent.width *
                       chain->levels[k].extent.height * (p->depth ? 4 * chain->channels : 4);
    } else if (a->image.work < IMAGE_BLIT) {
        const uint32_t rows = rows_of_fetch(b->images, p->size);
        a->groups = (p->size.height + rows - 1) / rows;
        a->size = 8 * sizeof(float) * a->groups;
    } else {
        VkrReduceLayout layout;
        const VkrReduceInfo info = reduction_of(b, a);
        const int status = gpu_status(vkrGetReduceLayout(b->gpu.vulkan.context, &info, &layout));
        if (status != STATUS_DONE)
            return status;
        memcpy(a->results, layout.results, sizeof a->results);
        a->stride = layout.stride;
        a->size = layout.size;
    }
    return STATUS_DONE;
}

/* ---- Recording ---- */

static void record_fetch(const bench *b, const arm *a)
{
    const picture *p = picture_of(b, a);
    const uint32_t push[] = {p->size.width, p->size.height, rows_of_fetch(b->images, p->size)};
    kernel_dispatch(&b->images->layout, a->commands,
                    b->images->fetches[a->image.work == IMAGE_FETCH_CHUNK], p->set, push,
                    a->groups);
}

static VkOffset3D end_of(const VkrImage *level)
{
    return (VkOffset3D){(int32_t)level->extent.width, (int32_t)level->extent.height, 1};
}

static void record_blits(const bench *b, const arm *a)
{
    const image_levels *chain = chain_of(b->images, a);
    const VkrImage *from = &picture_of(b, a)->source.levels[0];
    for (uint32_t k = 0; k < chain->count; k++) {
        const VkrImage *to = &chain->levels[k];
        const VkImageBlit blit = {
            .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, from->range.baseMipLevel, 0, 1},
            .srcOffsets = {[1] = end_of(from)},
            .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, to->range.baseMipLevel, 0, 1},
            .dstOffsets = {[1] = end_of(to)}};
        vkCmdBlitImage(a->commands, from->image, from->layout, to->image, to->layout, 1, &blit,
                       VK_FILTER_LINEAR);
        memory_barrier(a->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
        from = to;
    }
}

static void record(const bench *b, const arm *a, uint64_t n)
{
    (void)n;
    (a->image.work == IMAGE_BLIT ? record_blits : record_fetch)(b, a);
}

static VkrResult collect(const bench *b, const arm *a, uint64_t n)
{
    const image_levels *chain = chain_of(b->images, a);
    const VkrPyramidInfo pyramid = {.label = a->name,
                                    .ops = a->info.ops,
                                    .source = picture_of(b, a)->source.levels[0],
                                    .levels = chain->levels,
                                    .levelCount = chain->count,
                                    .algorithm = a->image.algorithm};
    VkrReduceInfo reduction = reduction_of(b, a);
    (void)n;
    reduction.output = (VkrBufferRange){b->copy.buffer, 0, b->copy.size};
    return a->image.work == IMAGE_PYRAMID ? vkrCmdPyramid(a->recorder, &pyramid)
                                          : vkrCmdReduce(a->recorder, &reduction);
}

/* ---- Measuring ---- */

/* Leaves out an arm that would exceed its budget, as algorithms for GPUs do on a CPU. */
static int rehearse(const bench *b, const arm *a, row *r)
{
    double start = 0.0;
    int status = STATUS_DONE;
    /* Drivers may compile in the first run. */
    for (uint32_t i = 0; i < 2 && status == STATUS_DONE; i++) {
        start = now_ns();
        status = gpu_submit(a->host);
    }
    const double runs = (double)(b->settings.runs + 1);
    if (a->kind == ARM_IMAGES && (now_ns() - start) * runs > (double)b->settings.budget * 1e9)
        r->verdict = VERDICT_BUDGET;
    return status;
}

static double least_ns(const bench *b, const arm *a)
{
    double least = 0.0;
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const arm *other = &b->arms[i];
        const bool like =
            a->image.work >= IMAGE_PYRAMID || a->image.work == IMAGE_BLIT
                ? other->image.work == IMAGE_BLIT &&
                      texels_of(picture_of(b, other)->size) == texels_of(picture_of(b, a)->size)
                : other->image.work < IMAGE_BLIT && other->image.picture == a->image.picture;
        if (like && (least == 0.0 || row_ns(&b->rows[i]) < least))
            least = row_ns(&b->rows[i]);
    }
    return least;
}

/* Runs an arm once more, over stale levels, and copies these to `copied`. */
static int run_again(const bench *b, const arm *a)
{
    const image_levels *chain = chain_of(b->images, a);
    const VkClearColorValue stale = {.float32 = {0.3f, 0.3f, 0.3f, 0.3f}};
    VkDeviceSize offset = 0;
    if (!leaves_levels(a))
        return measure_again(b, a, a->size);
    int status = gpu_status(vkrHostBegin(b->gpu.host));
    if (status != STATUS_DONE)
        return status;
    vkCmdClearColorImage(
        vkrHostCommands(b->gpu.host), chain->image.image, VK_IMAGE_LAYOUT_GENERAL, &stale, 1,
        &(VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, chain->count, 0, 1});
    if ((status = gpu_status(vkrHostRun(b->gpu.host))) != STATUS_DONE ||
        (status = gpu_submit(a->host)) != STATUS_DONE ||
        (status = gpu_status(vkrHostBegin(b->gpu.host))) != STATUS_DONE)
        return status;
    for (uint32_t k = 0; k < chain->count; k++) {
        const VkExtent3D extent = chain->levels[k].extent;
        const VkBufferImageCopy copy = {.bufferOffset = offset,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, k, 0, 1},
                                        .imageExtent = extent};
        vkCmdCopyImageToBuffer(vkrHostCommands(b->gpu.host), chain->image.image,
                               VK_IMAGE_LAYOUT_GENERAL, b->copied.buffer, 1, &copy);
        offset += (VkDeviceSize)extent.width * extent.height * (chain->channels == 2 ? 8 : 4);
    }
    return gpu_status(vkrHostRun(b->gpu.host));
}

static int finish(bench *b, row *r)
{
    r->bytes = (double)(4 * r->n + r->arm->size);
    r->ratios[RATIO_FETCH] = least_ns(b, r->arm) / row_ns(r);
    const int status = run_again(b, r->arm);
    if (status == STATUS_DONE)
        images_verify(b, r);
    return status;
}

int images_measure(bench *b, FILE *json)
{
    static const mode steps = {.collect = collect,
                               .record = record,
                               .rehearse = rehearse,
                               .finish = finish,
                               .report = report_images};
    static const VkExtent2D usual[] = {{4096, 4096}, {1920, 1080}},
                            quick[] = {{256, 256}, {120, 67}};
    VkDeviceSize most = 0;
    int status = images_create(b, b->settings.quick ? quick : usual);
    if (status == STATUS_DONE)
        status = create_arms(b);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++) {
        status = find_results(b, &b->arms[i]);
        most = b->arms[i].size > most ? b->arms[i].size : most;
    }
    if (status == STATUS_DONE)
        status = outputs_create(b, most);
    if (status == STATUS_DONE)
        status = images_describe(b);
    return status == STATUS_DONE ? mode_measure(b, &steps, json) : status;
}
