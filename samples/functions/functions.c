/* SPDX-License-Identifier: MIT */
/*
 * Functions of an application in the library's kernels: a reduction finds the box of a mesh by its
 * indices, another one the best pair of two arrays, a third one that pair and the sum of all costs
 * by a monoid, and a compaction lists the bounding spheres that a camera sees. The results are
 * compared with what plain C computes.
 */
#include <math.h>
#include <string.h>
#include "app.h"

const char app_name[] = "functions";

enum { INDICES = 60000, VERTICES = 10000, PAIRS = 50000, SPHERES = 100000 };
enum { INDEX, POSITION, GAIN, COST, SPHERE, CAMERA, INPUTS };

static const VkDeviceSize sizes[INPUTS] = {
    [INDEX] = INDICES * 4, [POSITION] = VERTICES * 12, [GAIN] = PAIRS * 4,
    [COST] = PAIRS * 4,    [SPHERE] = SPHERES * 16,    [CAMERA] = 6 * 16};

static const uint32_t code[] =
#include "functions.comp.inc"
    ;

typedef struct scene {
    buffer inputs[INPUTS];
    buffer box, best, offer, seen, draw;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkrModule module;
} scene;

/* ---- Recordings ---- */

/* Records the minima of x, y and z, followed by the maxima. */
static void record_box(VkrRecorder recorder, const scene *s)
{
    const VkrHook corner = {.module = s->module, .name = "corner", .set = s->set};
    const VkrMap map = {.hook = &corner};
    const VkrReduceInfo reduce = {.label = "box",
                                  .ops = VKR_OP_MIN | VKR_OP_MAX,
                                  .input = {.map = &map},
                                  .count = INDICES,
                                  .output = {s->box.handle, 0, 6 * sizeof(float)}};
    check_vkr(vkrCmdReduce(recorder, &reduce));
}

/* Records the index of the greatest score. */
static void record_best(VkrRecorder recorder, const scene *s)
{
    const VkrHook score = {.module = s->module, .name = "score", .set = s->set};
    const VkrMap map = {.hook = &score};
    const VkrReduceInfo reduce = {.label = "best pair",
                                  .ops = VKR_OP_ARGMAX,
                                  .input = {.map = &map},
                                  .count = PAIRS,
                                  .output = {s->best.handle, 0, sizeof(uint32_t)}};
    check_vkr(vkrCmdReduce(recorder, &reduce));
}

/* Records the best offer: a score, an index, and the sum of all costs. */
static void record_offer(VkrRecorder recorder, const scene *s)
{
    const VkrHook offer = {.module = s->module, .name = "offer", .set = s->set};
    const VkrMonoid monoid = {
        .hook = &offer, .combine = "better", .identity = "no_offer", .commutative = VK_TRUE};
    const VkrReduceInfo reduce = {.label = "offer",
                                  .count = PAIRS,
                                  .output = {s->offer.handle, 0, 3 * sizeof(uint32_t)},
                                  .monoid = &monoid};
    check_vkr(vkrCmdReduce(recorder, &reduce));
}

/* Records the indices of all spheres that are seen, and their number as an instance count. */
static void record_seen(VkrRecorder recorder, const scene *s)
{
    const VkrHook is_seen = {.module = s->module, .name = "is_seen", .set = s->set};
    const VkrCountOutput instances = {.kind = VKR_COUNT_STORED,
                                      .buffer = s->draw.handle,
                                      .offset = offsetof(VkDrawIndirectCommand, instanceCount)};
    const VkrCompactInfo compact = {
        .label = "seen spheres",
        .count = SPHERES,
        .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = {.hook = &is_seen}},
        .keptIndices = {.buffer = s->seen.handle, .size = SPHERES * sizeof(uint32_t)},
        .countOutputCount = 1,
        .countOutputs = &instances};
    check_vkr(vkrCmdCompact(recorder, &compact));
}

static void record_all(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s)
{
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrBegin(recorder));
    record_box(recorder, s);
    record_best(recorder, s);
    record_offer(recorder, s);
    record_seen(recorder, s);
    check_vkr(vkrEnd(recorder, &end));
}

/* ---- The scene ---- */

static uint32_t random_word(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* A multiple of 1/16, so that no sum or product of a test is rounded. */
static float random_number(uint32_t *state, int32_t range)
{
    return (float)((int32_t)(random_word(state) % (32u * (uint32_t)range)) - 16 * range) / 16.0f;
}

static void fill_scene(const scene *s)
{
    static const float planes[6][4] = {{1, 0, 0, 20},  {-1, 0, 0, 25}, {0, 1, 0, 30},
                                       {0, -1, 0, 10}, {0, 0, 1, 50},  {0, 0, -1, 50}};
    uint32_t state = 1;
    uint32_t *index = s->inputs[INDEX].map;
    float *position = s->inputs[POSITION].map, *gain = s->inputs[GAIN].map;
    float *cost = s->inputs[COST].map, *sphere = s->inputs[SPHERE].map;
    for (uint32_t i = 0; i < INDICES; i++)
        index[i] = random_word(&state) % (VERTICES / 2); /* half of the vertices is not drawn */
    for (uint32_t i = 0; i < 3 * VERTICES; i++)
        position[i] = random_number(&state, i < 3 * VERTICES / 2 ? 100 : 1000);
    for (uint32_t i = 0; i < PAIRS; i++) {
        gain[i] = random_number(&state, 1000);
        cost[i] = (float)(1u << random_word(&state) % 8); /* division is exact */
    }
    for (uint32_t i = 0; i < 4 * SPHERES; i++)
        sphere[i] = i % 4 == 3 ? fabsf(random_number(&state, 2)) : random_number(&state, 100);
    memcpy(s->inputs[CAMERA].map, planes, sizeof planes);
}

static void create_set(const gpu *g, scene *s)
{
    VkDescriptorSetLayoutBinding bindings[INPUTS];
    VkDescriptorBufferInfo infos[INPUTS];
    VkWriteDescriptorSet writes[INPUTS];
    const VkDescriptorSetLayoutCreateInfo layout = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, INPUTS, bindings};
    const VkDescriptorPoolSize pool_sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, INPUTS - 1},
                                               {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 2, pool_sizes};
    for (uint32_t i = 0; i < INPUTS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){
            i, i == CAMERA ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    CHECK(vkCreateDescriptorSetLayout(g->device, &layout, NULL, &s->set_layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool, NULL, &s->pool));
    const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                             s->pool, 1, &s->set_layout};
    CHECK(vkAllocateDescriptorSets(g->device, &set, &s->set));
    for (uint32_t i = 0; i < INPUTS; i++) {
        infos[i] = (VkDescriptorBufferInfo){s->inputs[i].handle, 0, VK_WHOLE_SIZE};
        writes[i] = (VkWriteDescriptorSet){VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = s->set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = bindings[i].descriptorType,
                                           .pBufferInfo = &infos[i]};
    }
    vkUpdateDescriptorSets(g->device, INPUTS, writes, 0, NULL);
}

static scene create_scene(const gpu *g)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    scene s = {.box = create_buffer(g, 6 * sizeof(float), storage, ON_HOST),
               .best = create_buffer(g, sizeof(uint32_t), storage, ON_HOST),
               .offer = create_buffer(g, 3 * sizeof(uint32_t), storage, ON_HOST),
               .seen = create_buffer(g, SPHERES * sizeof(uint32_t), storage, ON_HOST),
               .draw = create_buffer(g, sizeof(VkDrawIndirectCommand),
                                     storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, ON_HOST)};
    for (uint32_t i = 0; i < INPUTS; i++)
        s.inputs[i] = create_buffer(
            g, sizes[i], i == CAMERA ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT : storage, ON_HOST);
    create_set(g, &s);
    const VkrModuleInfo module = {
        .label = "functions", .code = code, .codeSize = sizeof code, .setLayout = s.set_layout};
    check_vkr(vkrCreateModule(g->context, &module, &s.module));
    fill_scene(&s);
    return s;
}

static void destroy_scene(const gpu *g, const scene *s)
{
    vkrDestroyModule(s->module);
    vkDestroyDescriptorPool(g->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, s->set_layout, NULL);
    for (uint32_t i = 0; i < INPUTS; i++)
        destroy_buffer(g, &s->inputs[i]);
    destroy_buffer(g, &s->box);
    destroy_buffer(g, &s->best);
    destroy_buffer(g, &s->offer);
    destroy_buffer(g, &s->seen);
    destroy_buffer(g, &s->draw);
}

/* ---- Checks ---- */

static void check_box(const scene *s)
{
    const uint32_t *index = s->inputs[INDEX].map;
    const float *position = s->inputs[POSITION].map, *found = s->box.map;
    float expected[6] = {1e9f, 1e9f, 1e9f, -1e9f, -1e9f, -1e9f};
    for (uint32_t i = 0; i < INDICES; i++)
        for (uint32_t c = 0; c < 3; c++) {
            const float x = position[3 * index[i] + c];
            expected[c] = fminf(expected[c], x);
            expected[3 + c] = fmaxf(expected[3 + c], x);
        }
    if (memcmp(found, expected, sizeof expected) != 0)
        DIE(DIFFERENT, "the box is wrong\n");
    printf("box: %g %g %g to %g %g %g\n", (double)found[0], (double)found[1], (double)found[2],
           (double)found[3], (double)found[4], (double)found[5]);
}

static void check_best(const scene *s)
{
    const float *gain = s->inputs[GAIN].map, *cost = s->inputs[COST].map;
    const uint32_t found = *(const uint32_t *)s->best.map;
    uint32_t expected = 0;
    for (uint32_t i = 1; i < PAIRS; i++)
        if (gain[i] / cost[i] > gain[expected] / cost[expected])
            expected = i;
    if (found != expected)
        DIE(DIFFERENT, "the best pair is %u, not %u\n", expected, found);
    printf("best pair: %u, score %g\n", found, (double)(gain[found] / cost[found]));
}

static void check_offer(const scene *s)
{
    const float *gain = s->inputs[GAIN].map, *cost = s->inputs[COST].map;
    const uint32_t best = *(const uint32_t *)s->best.map;
    struct {
        float score;
        uint32_t pair;
        float costs;
    } found;
    double costs = 0;
    memcpy(&found, s->offer.map, sizeof found);
    for (uint32_t i = 0; i < PAIRS; i++)
        costs += (double)cost[i];
    if (found.pair != best || found.score != gain[best] / cost[best] ||
        (double)found.costs != costs)
        DIE(DIFFERENT, "the offer is wrong\n");
    printf("offer: pair %u, all pairs cost %g\n", found.pair, costs);
}

static void check_seen(const scene *s)
{
    const VkDrawIndirectCommand *draw = s->draw.map;
    const float *sphere = s->inputs[SPHERE].map, *plane = s->inputs[CAMERA].map;
    const uint32_t *found = s->seen.map;
    uint32_t number = 0;
    for (uint32_t i = 0; i < SPHERES; i++, sphere += 4) {
        bool is_seen = true;
        for (uint32_t p = 0; p < 6 && is_seen; p++) {
            const float *n = plane + 4 * p;
            const float distance = n[0] * sphere[0] + n[1] * sphere[1] + n[2] * sphere[2] + n[3];
            is_seen = distance >= -sphere[3];
        }
        if (is_seen && (number >= draw->instanceCount || found[number++] != i))
            DIE(DIFFERENT, "sphere %u is seen, but not listed at its place\n", i);
    }
    if (number != draw->instanceCount)
        DIE(DIFFERENT, "%u spheres are listed, but %u are seen\n", draw->instanceCount, number);
    printf("seen: %u of %d spheres\n", number, SPHERES);
}

int main(void)
{
    gpu g = {0};
    VkCommandBuffer cmd;
    VkrRecorder recorder;
    open_gpu(&g, NULL);
    VkCommandPool pool = create_commands(&g, 1, &cmd);
    check_vkr(vkrCreateRecorder(g.context, &(VkrRecorderInfo){0}, &recorder));
    const scene s = create_scene(&g);
    begin_commands(cmd);
    record_all(cmd, recorder, &s);
    submit_commands(&g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g.queue));
    check_box(&s);
    check_best(&s);
    check_offer(&s);
    check_seen(&s);
    vkrDestroyRecorder(recorder);
    destroy_scene(&g, &s);
    vkDestroyCommandPool(g.device, pool, NULL);
    close_gpu(&g);
    return 0;
}
