/* SPDX-License-Identifier: MIT */
/*
 * boxblur IN.png OUT.png: blurs a picture by boxes of any size, which take the same time.
 *
 * One command buffer gives each channel of each pixel a word, makes a summed-area table of these by
 * two scans in place, and computes the mean of each box from four entries of the table (F. C. Crow,
 * "Summed-Area Tables for Texture Mapping", 1984).
 *
 * - The box of a pixel has all pixels that are at most a radius away in both directions. At the
 *   edges of the picture it has those that are there. The mean is rounded to nearest, halves up.
 * - --radius R is the radius of all pixels. With --focus ROW, row ROW stays sharp, and the radius
 *   grows with the distance from it, to R at the farthest row: the look of a tilted lens.
 * - Red, green, blue and alpha are blurred alike, each for itself, so the colours of transparent
 *   pixels count.
 * - Sums are exact. Those of a picture of up to MOST_PIXELS pixels are below 2^32; larger ones are
 *   refused.
 * - Grey and colour, with and without alpha, up to 8 bits per channel. The output has 8, and the
 *   channels of the input (a palette becomes colours).
 * - With --verify plain C computes the same, and compares each byte.
 *
 * Exits with 0, with 1 where Vulkan or the output failed, with 2 for a bad usage or input, and with
 * 3 where --verify found a difference.
 */
#include "boxblur.h"
#include <inttypes.h>
#include <string.h>

const char app_name[] = "boxblur";

#define MOST_PIXELS (UINT32_MAX / 255) /* 16,843,009, such as 4,104 x 4,104 */
#define PIXEL (4 * sizeof(uint32_t))   /* R, G, B, A */

/* ---- Options ---- */

typedef struct options {
    const char *names[2]; /* IN, OUT */
    const char *device;
    uint32_t radius;
    uint32_t focus;
    bool focused;
    bool verify;
} options;

static const char usage[] = "usage: boxblur IN.png OUT.png [--radius R] [--focus ROW] [--verify] "
                            "[--device INDEX|NAME-PART]\n";

static uint32_t parse_number(const char *option, const char *text)
{
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || number > UINT32_MAX)
        DIE(BAD_INPUT, "%s is '%s'; it must be a whole number from 0 to %" PRIu32 "\n", option,
            text, UINT32_MAX);
    return (uint32_t)number;
}

static options parse(int argc, char **argv)
{
    options o = {.radius = 8};
    uint32_t names = 0;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (strcmp(name, "--verify") == 0) {
            o.verify = true;
            continue;
        }
        if (strncmp(name, "--", 2) != 0) {
            if (names < 2)
                o.names[names] = name;
            names++;
            continue;
        }
        const char *value = argv[++i];
        const bool focus = strcmp(name, "--focus") == 0, radius = strcmp(name, "--radius") == 0;
        if (!value || !*value || !(focus || radius || strcmp(name, "--device") == 0))
            DIE(BAD_INPUT, "%s is not an option, or lacks its value; see boxblur --help\n", name);
        if (focus)
            o.focused = true;
        if (focus || radius)
            *(focus ? &o.focus : &o.radius) = parse_number(name, value);
        else
            o.device = value;
    }
    if (names != 2)
        DIE(BAD_INPUT, "%s", usage);
    return o;
}

/* ---- Sizes ---- */

static void check_input(const options *o, const picture *p)
{
    if (p->pixels > MOST_PIXELS)
        DIE(BAD_INPUT, "%s has %u x %u pixels; sums of 32 bits hold %" PRIu32 " pixels at most\n",
            o->names[0], p->width, p->height, MOST_PIXELS);
    if (o->focused && o->focus >= p->height)
        DIE(BAD_INPUT, "--focus is %" PRIu32 "; %s has rows 0 to %u\n", o->focus, o->names[0],
            p->height - 1);
}

static void check_device(const gpu *g, const picture *p)
{
    const VkPhysicalDeviceLimits *most = &g->properties.limits;
    if (p->pixels * PIXEL > most->maxStorageBufferRange || p->pixels * PIXEL > g->largest_buffer ||
        (p->width - 1) / SIDE >= most->maxComputeWorkGroupCount[0] ||
        (p->height - 1) / SIDE >= most->maxComputeWorkGroupCount[1])
        DIE(FAILED, "%u x %u pixels are more than %s can blur\n", p->width, p->height,
            g->properties.deviceName);
}

/* Sets the radius of each row. One that reaches over the whole picture suffices, and is small
 * enough for the shader to add to a position. */
static void choose_radii(const options *o, const picture *p, uint32_t *radii)
{
    const uint32_t most = p->width > p->height ? p->width : p->height;
    const uint32_t below = p->height - 1 - o->focus;
    const uint32_t farthest = o->focus > below ? o->focus : below;
    for (uint32_t y = 0; y < p->height; y++) {
        const uint64_t distance = y > o->focus ? y - o->focus : o->focus - y;
        uint64_t radius = o->radius;
        if (o->focused)
            radius = farthest > 0 ? radius * distance / farthest : 0;
        radii[y] = radius < most ? (uint32_t)radius : most;
    }
}

/* ---- The scene ---- */

static const uint32_t unpack_code[] =
#include "boxblur_unpack.comp.inc"
    ;
static const uint32_t mean_code[] =
#include "boxblur_mean.comp.inc"
    ;

/* All objects that the command buffer refers to. */
typedef struct scene {
    uint32_t size[2];
    buffer pixels; /* from the host */
    buffer table;
    buffer radii;   /* from the host */
    buffer blurred; /* for the host */
    descriptor_set set;
    VkPipelineLayout layout;
    VkPipeline unpack;
    VkPipeline mean;
} scene;

static void create_pipelines(const gpu *g, scene *s)
{
    const VkPushConstantRange size = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof s->size};
    const VkPipelineLayoutCreateInfo layout = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
        .pSetLayouts = &s->set.layout, .pushConstantRangeCount = 1, .pPushConstantRanges = &size};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s->layout));
    s->unpack = create_compute_pipeline(g, s->layout, unpack_code, sizeof unpack_code);
    s->mean = create_compute_pipeline(g, s->layout, mean_code, sizeof mean_code);
}

static void create_scene(const gpu *g, const options *o, const picture *p, scene *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    *s = (scene){.size = {p->width, p->height}};
    s->pixels = create_buffer(g, 4 * p->pixels, storage, ON_HOST);
    s->table = create_buffer(g, PIXEL * p->pixels, storage, ON_DEVICE);
    s->radii = create_buffer(g, 4 * (VkDeviceSize)p->height, storage, ON_HOST);
    s->blurred = create_buffer(g, 4 * p->pixels, storage, ON_HOST);
    const buffer *const bound[] = {&s->pixels, &s->table, &s->radii, &s->blurred};
    descriptor rows[4];
    for (uint32_t i = 0; i < 4; i++)
        rows[i] = (descriptor){.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               .stages = VK_SHADER_STAGE_COMPUTE_BIT,
                               .data = bound[i]};
    s->set = create_descriptors(g, rows, 4);
    create_pipelines(g, s);
    memcpy(s->pixels.map, p->rgba, 4 * p->pixels);
    choose_radii(o, p, s->radii.map);
}

static void destroy_scene(const gpu *g, const scene *s)
{
    const buffer *const buffers[] = {&s->pixels, &s->table, &s->radii, &s->blurred};
    for (uint32_t i = 0; i < 4; i++)
        destroy_buffer(g, buffers[i]);
    destroy_descriptors(g, &s->set);
    vkDestroyPipeline(g->device, s->unpack, NULL);
    vkDestroyPipeline(g->device, s->mean, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
}

/* ---- The command buffer ---- */

static void dispatch(VkCommandBuffer cmd, const scene *s, VkPipeline pipeline)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set.handle, 0,
                            NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof s->size, s->size);
    vkCmdDispatch(cmd, (s->size[0] - 1) / SIDE + 1, (s->size[1] - 1) / SIDE + 1, 1);
}

/* Turns rows of `width` values into a summed-area table, in place. */
static void sum_areas(VkrRecorder recorder, const VkrView *table, uint64_t width)
{
    VkrScanInfo scan = {.label = "summed areas",
                        .op = VKR_OP_SUM,
                        .input = *table,
                        .output = *table,
                        .count = VKR_COUNT_ALL,
                        .segments = {.kind = VKR_SEGMENTS_ROWS, .length = width}};
    check_vkr(vkrCmdScan(recorder, &scan));
    scan.segments.kind = VKR_SEGMENTS_COLUMNS;
    check_vkr(vkrCmdScan(recorder, &scan));
}

static const use written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                            VK_IMAGE_LAYOUT_UNDEFINED};

static void record(VkCommandBuffer cmd, VkrRecorder recorder, const void *data)
{
    const scene *s = data;
    const VkrView table = {.buffer = s->table.handle,
                           .size = PIXEL * s->size[0] * s->size[1],
                           .type = VKR_TYPE_U32,
                           .components = 4};
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .consumerAccess = VK_ACCESS_SHADER_READ_BIT};
    dispatch(cmd, s, s->unpack);
    wait_for(cmd, &written, &computed); /* scans in place read and write */
    check_vkr(vkrBegin(recorder));
    sum_areas(recorder, &table, s->size[0]);
    check_vkr(vkrEnd(recorder, &end));
    dispatch(cmd, s, s->mean);
    wait_for(cmd, &written, &read_by_host);
}

static void check_result(const picture *p, const scene *s)
{
    const size_t differences = check_blur(p, s->radii.map, s->blurred.map);
    if (differences > 0)
        DIE(DIFFERENT, "%zu of %zu bytes differ from those of plain C\n", differences,
            4 * p->pixels);
    printf("all %zu bytes are those of plain C\n", 4 * p->pixels);
}

int main(int argc, char **argv)
{
    gpu g = {0};
    scene s;
    const options o = parse(argc, argv);
    picture p = read_png(o.names[0]);
    check_input(&o, &p);
    open_gpu(&g, o.device);
    check_device(&g, &p);
    create_scene(&g, &o, &p, &s);
    run_commands(&g, record, &s);
    if (o.verify)
        check_result(&p, &s);
    memcpy(p.rgba, s.blurred.map, 4 * p.pixels);
    destroy_scene(&g, &s);
    close_gpu(&g);
    write_png(&p, o.names[1]);
    free(p.rgba);
    return 0;
}
