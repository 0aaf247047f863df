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
#include "app.h"
#include <png.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include "particles.h"

const char app_name[] = "particles";

#define IN_FLIGHT 2u /* frames */
#define PICTURES 5u
#define EXPOSURE 350000.0f /* brightness of a particle times the number of particles */

static const VkExtent2D picture_size = {1280, 720};

/* ---- Options ---- */

typedef struct options {
    uint32_t frames;
    uint32_t particles; /* the maximum number */
    const char *out;
    const char *device;
    bool verify;
} options;

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

/* ---- The same on the CPU ---- */

/* The counts that the GPU computes. */
typedef struct counts {
    uint32_t survivors;
    uint32_t live; /* survivors and newborn */
    VkDispatchIndirectCommand move;
    VkDrawIndirectCommand draw;
} counts;

typedef struct outcome {
    counts counts;
    uint64_t checksum; /* of all live particles in their order */
} outcome;

static uint64_t add_particle(uint64_t sum, const Particle *p)
{
    uint32_t words[sizeof *p / sizeof(uint32_t)];
    memcpy(words, p, sizeof *p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

static uint32_t candidates_of(const options *o)
{
    return (o->particles + EMIT_PER - 1) / EMIT_PER;
}

/* Simulates one frame; returns the number of particles after it. */
static uint32_t simulate_frame(const options *o, uint32_t frame, Particle *particles, counts *c)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < c->live; i++) {
        Particle p = moved(particles[i], frame);
        if (p.life != 0)
            particles[live++] = p;
    }
    c->survivors = live;
    for (uint32_t i = 0; i < candidates_of(o); i++) {
        Particle p = emitted(i, frame);
        if (p.life != 0 && live < o->particles)
            particles[live++] = p;
    }
    return live;
}

static outcome simulate(const gpu *g, const options *o, uint32_t *full)
{
    const uint32_t most = g->properties.limits.maxComputeWorkGroupCount[0];
    outcome result = {0};
    counts *c = &result.counts;
    Particle *particles = malloc(o->particles * sizeof *particles);
    if (!particles)
        DIE(FAILED, "there is no memory for %u particles\n", o->particles);
    *full = 0;
    for (uint32_t frame = 0; frame < o->frames; frame++) {
        c->live = simulate_frame(o, frame, particles, c);
        *full += c->live == o->particles;
    }
    for (uint32_t i = 0; i < c->live; i++)
        result.checksum = add_particle(result.checksum, &particles[i]);
    const uint32_t groups = (c->live + LOCAL_SIZE - 1) / LOCAL_SIZE;
    c->move = (VkDispatchIndirectCommand){groups < most ? groups : most,
                                          groups > most ? (groups + most - 1) / most : 1, 1};
    c->draw = (VkDrawIndirectCommand){c->live, 1, 0, 0};
    free(particles);
    return result;
}

/* ---- What is on the GPU ---- */

static const uint32_t move_code[] =
#include "particles_move.comp.inc"
    ;
static const uint32_t emit_code[] =
#include "particles_emit.comp.inc"
    ;
static const uint32_t vertex_code[] =
#include "particles.vert.inc"
    ;
static const uint32_t fragment_code[] =
#include "particles.frag.inc"
    ;

enum { POSITION, VELOCITY, COLOUR, LIFE, ARRAYS, COUNTS = ARRAYS, BINDINGS };

static const uint32_t entry_size[ARRAYS] = {8, 8, 4, 4};

/* A set of particles. */
typedef struct particles {
    uint32_t capacity;
    buffer arrays[ARRAYS];
    VkDescriptorSet set;
} particles;

/* The push constants of the shaders. */
typedef struct push {
    uint32_t frame;
    uint32_t candidates;
} push;

typedef struct scene {
    particles sets[2]; /* the frames alternate between them .. */
    particles newborn; /* .. and add from the candidates here */
    buffer counts;
    image target;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkPipelineLayout layout;
    VkPipelineLayout draw_layout;
    VkPipeline move;
    VkPipeline emit;
    VkPipeline draw;
    float exposure;
} scene;

static VkPipeline create_compute(const gpu *g, VkPipelineLayout layout, const uint32_t *code,
                                 size_t size)
{
    VkPipeline pipeline;
    VkComputePipelineCreateInfo info = {
        VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = create_stage(g, &(shader){VK_SHADER_STAGE_COMPUTE_BIT, code, size}),
        .layout = layout};
    CHECK(vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(g->device, info.stage.module, NULL);
    return pipeline;
}

static void create_layouts(const gpu *g, scene *s)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           NULL, 0, BINDINGS, bindings};
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3 * BINDINGS};
    VkDescriptorPoolCreateInfo pool = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 3, 1, &size};
    CHECK(vkCreateDescriptorSetLayout(g->device, &set, NULL, &s->set_layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool, NULL, &s->pool));

    VkPushConstantRange told = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push)};
    VkPushConstantRange exposed = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof s->exposure};
    VkPipelineLayoutCreateInfo compute = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &s->set_layout, 1, &told};
    VkPipelineLayoutCreateInfo draw = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 0, NULL, 1, &exposed};
    CHECK(vkCreatePipelineLayout(g->device, &compute, NULL, &s->layout));
    CHECK(vkCreatePipelineLayout(g->device, &draw, NULL, &s->draw_layout));
}

static void create_pipelines(const gpu *g, scene *s)
{
    VkVertexInputBindingDescription bindings[] = {
        {0, entry_size[POSITION], VK_VERTEX_INPUT_RATE_VERTEX},
        {1, entry_size[COLOUR], VK_VERTEX_INPUT_RATE_VERTEX},
        {2, entry_size[LIFE], VK_VERTEX_INPUT_RATE_VERTEX}};
    VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_SINT, 0},
                                                      {1, 1, VK_FORMAT_R8G8B8A8_UNORM, 0},
                                                      {2, 2, VK_FORMAT_R32_UINT, 0}};
    draw_info draw = {
        s->draw_layout,
        .vertex = {VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof vertex_code},
        .fragment = {VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof fragment_code},
        .input = {.vertexBindingDescriptionCount = 3,
                  .pVertexBindingDescriptions = bindings,
                  .vertexAttributeDescriptionCount = 3,
                  .pVertexAttributeDescriptions = attributes},
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .add = true,
        .size = s->target.size,
    };
    s->draw = create_draw_pipeline(g, &draw);
    s->move = create_compute(g, s->layout, move_code, sizeof move_code);
    s->emit = create_compute(g, s->layout, emit_code, sizeof emit_code);
}

static particles create_particles(const gpu *g, const scene *s, uint32_t capacity)
{
    particles p = {.capacity = capacity};
    VkDescriptorBufferInfo infos[BINDINGS] = {[COUNTS] = {s->counts.handle, 0, VK_WHOLE_SIZE}};
    VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                       s->pool, 1, &s->set_layout};
    for (uint32_t i = 0; i < ARRAYS; i++) {
        p.arrays[i] =
            create_buffer(g, (VkDeviceSize)capacity * entry_size[i],
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                          ON_DEVICE);
        infos[i] = (VkDescriptorBufferInfo){p.arrays[i].handle, 0, VK_WHOLE_SIZE};
    }
    CHECK(vkAllocateDescriptorSets(g->device, &set, &p.set));
    VkWriteDescriptorSet write = {
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = p.set, .descriptorCount = BINDINGS,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = infos};
    vkUpdateDescriptorSets(g->device, 1, &write, 0, NULL);
    return p;
}

static void destroy_particles(const gpu *g, const particles *p)
{
    for (uint32_t i = 0; i < ARRAYS; i++)
        destroy_buffer(g, &p->arrays[i]);
}

static scene create_scene(const gpu *g, const options *o)
{
    const float exposure = EXPOSURE / (float)o->particles;
    scene s = {.exposure = exposure < 1 ? exposure : 1};
    s.counts =
        create_buffer(g, sizeof(counts),
                      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                      ON_DEVICE);
    s.target = create_image(g, picture_size, 1, TARGET_FORMAT,
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    create_layouts(g, &s);
    create_pipelines(g, &s);
    for (uint32_t i = 0; i < 2; i++)
        s.sets[i] = create_particles(g, &s, o->particles);
    s.newborn = create_particles(g, &s, candidates_of(o));
    return s;
}

static void destroy_scene(const gpu *g, const scene *s)
{
    VkPipeline pipelines[] = {s->move, s->emit, s->draw};
    for (uint32_t i = 0; i < 3; i++)
        vkDestroyPipeline(g->device, pipelines[i], NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    vkDestroyPipelineLayout(g->device, s->draw_layout, NULL);
    vkDestroyDescriptorPool(g->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, s->set_layout, NULL);
    destroy_particles(g, &s->sets[0]);
    destroy_particles(g, &s->sets[1]);
    destroy_particles(g, &s->newborn);
    destroy_buffer(g, &s->counts);
    destroy_image(g, &s->target);
}

/* ---- A frame ---- */

/* How particles and counts are used after a compaction: by the frame's draw and the next frame's
 * move. */
static const use consumed = {
    VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
    VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT |
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    VK_IMAGE_LAYOUT_GENERAL};
/* How the frame before may still use the picture: it may be drawing or copying it. */
static const use drawn_before = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                     VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_IMAGE_LAYOUT_UNDEFINED};

static VkrBufferRange whole(const particles *p, uint32_t array)
{
    return (VkrBufferRange){p->arrays[array].handle, 0,
                            (VkDeviceSize)p->capacity * entry_size[array]};
}

static VkrView lives_of(const particles *p)
{
    VkrBufferRange life = whole(p, LIFE);
    return (VkrView){.buffer = life.buffer,
                     .offset = life.offset,
                     .size = life.size,
                     .type = VKR_TYPE_U32,
                     .components = 1};
}

/* Lets the library move the particles that are alive from `from` to `to`. */
static void compact(VkrRecorder recorder, const particles *from, const particles *to,
                    VkrCompactInfo *info)
{
    VkrPayload payloads[LIFE];
    for (uint32_t i = 0; i < LIFE; i++)
        payloads[i] =
            (VkrPayload){.size = entry_size[i], .source = whole(from, i), .target = whole(to, i)};
    info->input = lives_of(from);
    info->count = VKR_COUNT_ALL;
    info->predicate.kind = VKR_PREDICATE_NONZERO;
    info->kept = lives_of(to);
    info->payloadCount = LIFE;
    info->payloads = payloads;
    check_vkr(vkrCmdCompact(recorder, info));
}

static void compact_all(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s,
                        const particles *now, const particles *next)
{
    const VkBuffer counted = s->counts.handle;
    const VkrCountOutput survivors = {VKR_COUNT_STORED, counted, offsetof(counts, survivors), 1};
    const VkrCountOutput live[] = {
        {VKR_COUNT_STORED, counted, offsetof(counts, live), 1},
        {VKR_COUNT_STORED, counted, offsetof(counts, draw.vertexCount), 1},
        {VKR_COUNT_DISPATCH, counted, offsetof(counts, move), LOCAL_SIZE}};
    VkrCompactInfo keep = {.label = "survivors",
                           .gpuCount = {counted, offsetof(counts, live), VKR_TYPE_U32},
                           .countOutputCount = 1,
                           .countOutputs = &survivors};
    VkrCompactInfo append = {.label = "newborn",
                             .append = {counted, offsetof(counts, survivors), VKR_TYPE_U32},
                             .countOutputCount = 3,
                             .countOutputs = live};
    VkrEndInfo end = {
        .commandBuffer = cmd, .consumerStages = consumed.stages, .consumerAccess = consumed.access};
    check_vkr(vkrBegin(recorder));
    compact(recorder, now, next, &keep);
    compact(recorder, &s->newborn, next, &append);
    check_vkr(vkrEnd(recorder, &end));
}

static void shade(VkCommandBuffer cmd, const scene *s, VkPipeline pipeline, const particles *p,
                  const push *told)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &p->set, 0, NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof *told, told);
}

static void draw(VkCommandBuffer cmd, const scene *s, const particles *p)
{
    const VkBuffer vertices[] = {p->arrays[POSITION].handle, p->arrays[COLOUR].handle,
                                 p->arrays[LIFE].handle};
    transition(cmd, &s->target, &drawn_before, &drawn);
    begin_drawing(cmd, &s->target, NULL, VK_ATTACHMENT_LOAD_OP_CLEAR);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->draw);
    vkCmdBindVertexBuffers(cmd, 0, 3, vertices, (VkDeviceSize[3]){0});
    vkCmdPushConstants(cmd, s->draw_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof s->exposure,
                       &s->exposure);
    vkCmdDrawIndirect(cmd, s->counts.handle, offsetof(counts, draw), 1, 0);
    vkCmdEndRendering(cmd);
}

/* Starts without particles. Writes all arguments of the draw; later, the library changes only the
 * number of vertices. */
static void start(VkCommandBuffer cmd, const scene *s)
{
    const counts none = {.move = {0, 1, 1}, .draw.instanceCount = 1};
    vkCmdUpdateBuffer(cmd, s->counts.handle, 0, sizeof none, &none);
    wait_for(cmd, &copied_to, &consumed);
}

static void record_frame(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, uint32_t frame)
{
    const particles *now = &s->sets[frame & 1], *next = &s->sets[~frame & 1];
    const push told = {frame, s->newborn.capacity};

    /* The frame before ends with a barrier for its results; this one is for what it still reads. */
    wait_for(cmd, &consumed, &computed);
    shade(cmd, s, s->move, now, &told);
    vkCmdDispatchIndirect(cmd, s->counts.handle, offsetof(counts, move));
    shade(cmd, s, s->emit, &s->newborn, &told);
    vkCmdDispatch(cmd, (told.candidates + LOCAL_SIZE - 1) / LOCAL_SIZE, 1, 1);
    wait_for(cmd, &computed, &computed);
    compact_all(cmd, recorder, s, now, next);
    draw(cmd, s, next);
}

/* ---- The host's side of it ---- */

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
            start(at->cmd, s);
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

/* ---- The end ---- */

static outcome summarise(const counts *c, const unsigned char *const arrays[ARRAYS])
{
    outcome result = {.counts = *c};
    for (size_t i = 0; i < c->live; i++) {
        Particle p;
        memcpy(&p.x, arrays[POSITION] + 8 * i, 8);
        memcpy(&p.vx, arrays[VELOCITY] + 8 * i, 8);
        memcpy(&p.colour, arrays[COLOUR] + 4 * i, 4);
        memcpy(&p.life, arrays[LIFE] + 4 * i, 4);
        result.checksum = add_particle(result.checksum, &p);
    }
    return result;
}

/* Copies the last frame's particles and all counts to the host. */
static outcome read_outcome(const gpu *g, const options *o, const scene *s)
{
    const particles *last = &s->sets[o->frames & 1];
    const unsigned char *maps[BINDINGS];
    buffer copies[BINDINGS];
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);

    begin_commands(cmd);
    wait_for(cmd, &computed, &copied_from);
    for (uint32_t i = 0; i < BINDINGS; i++) {
        const VkDeviceSize size = i == COUNTS ? sizeof(counts) : whole(last, i).size;
        const VkBuffer source = i == COUNTS ? s->counts.handle : last->arrays[i].handle;
        copies[i] = create_buffer(g, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
        maps[i] = copies[i].map;
        vkCmdCopyBuffer(cmd, source, copies[i].handle, 1, &(VkBufferCopy){0, 0, size});
    }
    wait_for(cmd, &copied_to, &read_by_host);
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));

    outcome result = summarise((const counts *)copies[COUNTS].map, maps);
    for (uint32_t i = 0; i < BINDINGS; i++)
        destroy_buffer(g, &copies[i]);
    vkDestroyCommandPool(g->device, pool, NULL);
    return result;
}

static void print_outcome(const char *where, const outcome *result)
{
    const counts *c = &result->counts;
    printf("%s: %u particles, %u of them newborn; next %u x %u x %u groups, %u vertices; "
           "checksum %016llx\n",
           where, c->live, c->live - c->survivors, c->move.x, c->move.y, c->move.z,
           c->draw.vertexCount, (unsigned long long)result->checksum);
}

static int verify(const gpu *g, const options *o, const outcome *result)
{
    uint32_t full;
    outcome expected = simulate(g, o, &full);
    print_outcome("CPU", &expected);
    printf("The number was at its limit of %u after %u of %u frames.\n", o->particles, full,
           o->frames);
    if (memcmp(&result->counts, &expected.counts, sizeof(counts)) == 0 &&
        result->checksum == expected.checksum)
        return 0;
    printf("They are different.\n");
    return DIFFERENT;
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
