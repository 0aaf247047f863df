/* SPDX-License-Identifier: MIT */
/*
 * particles: a pinwheel of up to a million sparks, which lives on the GPU for 300 frames.
 *
 * The number of particles is decided on the GPU and stays there. The host records every frame in
 * the same way, whatever the counts are, and waits only for the frame before the last, whose
 * command buffer it records again. Each frame goes from one of two sets of particles to the other:
 *
 *     move      a shader moves and ages the living, dispatched indirectly; those whose life is over
 *               or that left the picture get life 0
 *     emit      another one makes candidates for new particles, not all of which are born
 *     compact   the library moves those that live, position, velocity and colour alongside, to the
 *               front of the other set, and counts the survivors ..
 *     append    .. after which, at a position that only the GPU knows, it appends the newborn, as
 *               many as there is room for; from the new count it makes the arguments of ..
 *     draw      .. the indirect draw of all of them as points, and of the next frame's move
 *
 * Both compactions are collected in one recording: the library puts the barriers between them.
 *
 * The rules are in particles.h and in integers, so that a CPU gets the same particles in the same
 * order, bit for bit. With --verify this program simulates once more on the CPU and compares the
 * final counts and a checksum of all the state. A few frames are copied out as pictures.
 *
 * Needs Vulkan 1.3 for dynamic rendering. Exits with 0, with 1 where Vulkan or the output failed,
 * with 2 for a bad usage, and with 3 if the CPU's particles are different.
 */
#include <png.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "scene.h"

const char app_name[] = "particles";

#define IN_FLIGHT 2u /* frames */
#define PICTURES 5u

/* ---- Options ---- */

static const char usage[] =
    "usage: particles [--frames N] [--particles N] [--out DIR] [--device INDEX|NAME-PART] "
    "[--verify]\n"
    "300 frames of up to 1000000 particles; DIR, where the pictures go, is the current folder by "
    "default.\n";

static uint32_t parse_count(const char *name, const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > 100000000)
        DIE(BAD_INPUT, "%s is '%s', but must be a number from 1 to 100000000\n", name, text);
    return (uint32_t)value;
}

static options parse(int argc, char **argv)
{
    options o = {.frames = 300, .particles = 1000000, .out = "."};
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
        const char *value = argv[++i];
        if (!value || !*value)
            DIE(BAD_INPUT, "%s is not an option, or lacks its value\n%s", name, usage);
        if (strcmp(name, "--frames") == 0)
            o.frames = parse_count(name, value);
        else if (strcmp(name, "--particles") == 0)
            o.particles = parse_count(name, value);
        else if (strcmp(name, "--out") == 0)
            o.out = value;
        else if (strcmp(name, "--device") == 0)
            o.device = value;
        else
            DIE(BAD_INPUT, "%s is not an option\n%s", name, usage);
    }
    return o;
}

/* ---- The frames ---- */

/* The objects of a frame in flight. */
typedef struct slot {
    VkCommandBuffer cmd;
    VkFence fence;
    VkrRecorder recorder;
    buffer pixels;    /* the copy of its picture .. */
    uint32_t picture; /* .. which shows the state after this many frames; 0: none */
} slot;

static void create_slots(const gpu *g, slot *slots, VkCommandPool *pool)
{
    VkFenceCreateInfo signalled = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL,
                                   VK_FENCE_CREATE_SIGNALED_BIT};
    VkCommandBuffer cmds[IN_FLIGHT];
    *pool = create_commands(g, IN_FLIGHT, cmds);
    for (uint32_t i = 0; i < IN_FLIGHT; i++) {
        slots[i] = (slot){.cmd = cmds[i]};
        CHECK(vkCreateFence(g->device, &signalled, NULL, &slots[i].fence));
        check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &slots[i].recorder));
        slots[i].pixels = create_buffer(g, 4ull * picture_size.width * picture_size.height,
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
    }
}

static void destroy_slots(const gpu *g, const slot *slots, VkCommandPool pool)
{
    for (uint32_t i = 0; i < IN_FLIGHT; i++) {
        vkDestroyFence(g->device, slots[i].fence, NULL);
        vkrDestroyRecorder(slots[i].recorder);
        destroy_buffer(g, &slots[i].pixels);
    }
    vkDestroyCommandPool(g->device, pool, NULL);
}

/* Whether a picture is taken after `frames` frames: there are PICTURES in all, the last one after
 * the last frame. */
static bool has_picture(const options *o, uint32_t frames)
{
    const uint64_t all = o->frames;
    return frames * (uint64_t)PICTURES / all != (frames - 1) * (uint64_t)PICTURES / all;
}

static void copy_picture(const scene *s, const slot *at)
{
    VkBufferImageCopy texels = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .imageExtent = {s->target.size.width, s->target.size.height, 1}};
    transition(at->cmd, &s->target, &drawn, &copied_from);
    vkCmdCopyImageToBuffer(at->cmd, s->target.handle, copied_from.layout, at->pixels.handle, 1,
                           &texels);
    wait_for(at->cmd, &copied_to, &read_by_host);
}

static void save_picture(const options *o, const slot *at)
{
    picture p = {picture_size.width, picture_size.height,
                 (size_t)picture_size.width * picture_size.height, PNG_FORMAT_FLAG_COLOR,
                 at->pixels.map};
    char name[PATH_MAX];
    if (snprintf(name, sizeof name, "%s/particles-%04u.png", o->out, at->picture) >= PATH_MAX)
        DIE(FAILED, "%s is too long a name\n", o->out);
    write_png(&p, name);
    printf("%s\n", name);
    fflush(stdout);
}

/* Waits until the GPU has finished the slot's frame. */
static void wait_for_slot(const gpu *g, const options *o, slot *at)
{
    CHECK(vkWaitForFences(g->device, 1, &at->fence, VK_TRUE, UINT64_MAX));
    if (at->picture != 0)
        save_picture(o, at);
    at->picture = 0;
}

static void run(const gpu *g, const options *o, const scene *s)
{
    VkCommandPool pool;
    slot slots[IN_FLIGHT];
    create_slots(g, slots, &pool);
    for (uint32_t frame = 0; frame < o->frames; frame++) {
        slot *at = &slots[frame % IN_FLIGHT];
        wait_for_slot(g, o, at);
        CHECK(vkResetFences(g->device, 1, &at->fence));
        check_vkr(vkrReset(at->recorder));
        begin_commands(at->cmd);
        if (frame == 0)
            record_start(at->cmd, s);
        record_frame(at->cmd, at->recorder, s, frame);
        if (has_picture(o, frame + 1)) {
            copy_picture(s, at);
            at->picture = frame + 1;
        }
        submit_commands(g, at->cmd, at->fence);
    }
    for (uint32_t i = 0; i < IN_FLIGHT; i++)
        wait_for_slot(g, o, &slots[(o->frames + i) % IN_FLIGHT]);
    destroy_slots(g, slots, pool);
}

static void check_size(const gpu *g, const options *o)
{
    const VkDeviceSize range = g->properties.limits.maxStorageBufferRange;
    const VkDeviceSize most = range < g->largest_buffer ? range : g->largest_buffer;
    if (o->particles > most / entry_size[POSITION])
        DIE(FAILED, "%u particles are more than fit a buffer of %s\n", o->particles,
            g->properties.deviceName);
    if (mkdir(o->out, 0777) != 0 && errno != EEXIST)
        DIE(FAILED, "%s cannot be made: %s\n", o->out, strerror(errno));
}

int main(int argc, char **argv)
{
    const options o = parse(argc, argv);
    gpu g = {0};
    open_gpu(&g, o.device);
    check_size(&g, &o);
    const scene s = create_scene(&g, &o);
    run(&g, &o, &s);
    const outcome result = read_outcome(&g, &o, &s);
    print_outcome("GPU", &result);
    destroy_scene(&g, &s);
    const int status = o.verify ? verify(&g, &o, &result) : 0;
    close_gpu(&g);
    return status;
}
