/* SPDX-License-Identifier: MIT */
/*
 * Recordings of two common tasks: the bounds of a mesh, and a counting sort. The results of both
 * are compared with what plain C computes.
 */
#include <stddef.h>
#include <string.h>
#include "app.h"

const char app_name[] = "tasks";

/* ---- Bounds of a mesh ---- */

#define VERTICES 10000u

typedef struct vertex {
    float position[3];
    float normal[3];
    uint32_t colour;
} vertex;

/* Records the minima of x, y and z, followed by the maxima. */
static void record_bounds(VkCommandBuffer cmd, VkrRecorder recorder, VkBuffer vertices,
                          VkBuffer bounds)
{
    const VkrReduceInfo reduce = {.label = "bounds",
                                  .ops = VKR_OP_MIN | VKR_OP_MAX,
                                  .input = {.buffer = vertices,
                                            .offset = offsetof(vertex, position),
                                            .bufferSize = VERTICES * sizeof(vertex),
                                            .type = VKR_TYPE_F32,
                                            .components = 3,
                                            .stride = sizeof(vertex)},
                                  .count = VKR_COUNT_ALL,
                                  .output = {bounds, 0, 6 * sizeof(float)}};
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdReduce(recorder, &reduce));
    check_vkr(vkrEnd(recorder, &end));
}

static void submit(const gpu *g, VkCommandBuffer cmd)
{
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));
}

static void find_bounds(const gpu *g, VkCommandBuffer cmd, VkrRecorder recorder)
{
    const buffer mesh =
        create_buffer(g, VERTICES * sizeof(vertex), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    const buffer bounds =
        create_buffer(g, 6 * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    float expected[6] = {1e9f, 1e9f, 1e9f, -1e9f, -1e9f, -1e9f};
    vertex *vertices = mesh.map;
    for (uint32_t i = 0; i < VERTICES; i++) {
        vertices[i] = (vertex){.normal = {1000, 1000, 1000}};
        for (uint32_t c = 0; c < 3; c++) {
            const float x = (float)(i * (i + c) % 997) / (float)(c + 1) - 500;
            vertices[i].position[c] = x;
            expected[c] = x < expected[c] ? x : expected[c];
            expected[3 + c] = x > expected[3 + c] ? x : expected[3 + c];
        }
    }
    begin_commands(cmd);
    record_bounds(cmd, recorder, mesh.handle, bounds.handle);
    submit(g, cmd);
    if (memcmp(bounds.map, expected, sizeof expected) != 0)
        DIE(DIFFERENT, "the bounds are wrong\n");
    const float *found = bounds.map;
    printf("bounds: %g %g %g to %g %g %g\n", (double)found[0], (double)found[1], (double)found[2],
           (double)found[3], (double)found[4], (double)found[5]);
    destroy_buffer(g, &mesh);
    destroy_buffer(g, &bounds);
}

/* ---- Counting sort ---- */

enum { KEYS = 10000, BUCKETS = 256, LOCAL_SIZE = 64 };

static const uint32_t scatter_code[] =
#include "scatter.comp.inc"
    ;

typedef enum array { KEY, COUNT, START, SORTED, ARRAYS } array;

/* The number of u32 in each array. */
static const uint32_t lengths[ARRAYS] = {KEYS, BUCKETS, BUCKETS, KEYS};

typedef struct sorter {
    buffer arrays[ARRAYS];
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline scatter;
} sorter;

static VkrBufferRange range_of(const sorter *s, array a)
{
    return (VkrBufferRange){s->arrays[a].handle, 0, lengths[a] * sizeof(uint32_t)};
}

static VkrView view_of(const sorter *s, array a)
{
    return (VkrView){
        .buffer = s->arrays[a].handle, .size = lengths[a] * sizeof(uint32_t), .type = VKR_TYPE_U32};
}

/* Records a sort: lists the indices of the keys in the order of the keys. */
static void record_sort(VkCommandBuffer cmd, VkrRecorder recorder, const sorter *s)
{
    const VkrHistogramInfo histogram = {.label = "counts",
                                        .input = view_of(s, KEY),
                                        .count = VKR_COUNT_ALL,
                                        .bins = {.kind = VKR_BINS_INTEGERS, .count = BUCKETS},
                                        .counts = range_of(s, COUNT)};
    const VkrScanInfo scan = {.label = "starts",
                              .op = VKR_OP_SUM,
                              .flags = VKR_SCAN_EXCLUSIVE_BIT,
                              .input = view_of(s, COUNT),
                              .output = view_of(s, START),
                              .count = VKR_COUNT_ALL};
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .consumerAccess =
                                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdHistogram(recorder, &histogram));
    check_vkr(vkrCmdScan(recorder, &scan)); /* reads the counts, so it runs after the histogram */
    check_vkr(vkrEnd(recorder, &end));

    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->scatter);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 0, NULL);
    vkCmdDispatch(cmd, (KEYS + LOCAL_SIZE - 1) / LOCAL_SIZE, 1, 1);
}

static void create_set(const gpu *g, sorter *s)
{
    static const array bound[] = {KEY, START, SORTED};
    VkDescriptorSetLayoutBinding bindings[3];
    VkDescriptorBufferInfo infos[3];
    for (uint32_t i = 0; i < 3; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
        infos[i] = (VkDescriptorBufferInfo){s->arrays[bound[i]].handle, 0, VK_WHOLE_SIZE};
    }
    const VkDescriptorSetLayoutCreateInfo layout = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 3, bindings};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3};
    const VkDescriptorPoolCreateInfo pool = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
    CHECK(vkCreateDescriptorSetLayout(g->device, &layout, NULL, &s->set_layout));
    CHECK(vkCreateDescriptorPool(g->device, &pool, NULL, &s->pool));
    const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL,
                                             s->pool, 1, &s->set_layout};
    CHECK(vkAllocateDescriptorSets(g->device, &set, &s->set));
    const VkWriteDescriptorSet write = {
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = s->set, .descriptorCount = 3,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = infos};
    vkUpdateDescriptorSets(g->device, 1, &write, 0, NULL);
}

static sorter create_sorter(const gpu *g)
{
    const shader scatter = {VK_SHADER_STAGE_COMPUTE_BIT, scatter_code, sizeof scatter_code};
    sorter s = {0};
    for (array a = KEY; a < ARRAYS; a++)
        s.arrays[a] = create_buffer(g, lengths[a] * sizeof(uint32_t),
                                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    create_set(g, &s);
    const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1, .pSetLayouts = &s.set_layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &s.layout));
    const VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = create_stage(g, &scatter),
                                              .layout = s.layout};
    CHECK(vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &info, NULL, &s.scatter));
    vkDestroyShaderModule(g->device, info.stage.module, NULL);
    return s;
}

static void destroy_sorter(const gpu *g, const sorter *s)
{
    vkDestroyPipeline(g->device, s->scatter, NULL);
    vkDestroyPipelineLayout(g->device, s->layout, NULL);
    vkDestroyDescriptorPool(g->device, s->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, s->set_layout, NULL);
    for (array a = KEY; a < ARRAYS; a++)
        destroy_buffer(g, &s->arrays[a]);
}

/* Each index occurs once, and no key is less than the one before. */
static bool is_sorted(const uint32_t *keys, const uint32_t *sorted)
{
    bool seen[KEYS] = {false};
    for (uint32_t i = 0; i < KEYS; i++) {
        if (sorted[i] >= KEYS || seen[sorted[i]])
            return false;
        if (i > 0 && keys[sorted[i]] < keys[sorted[i - 1]])
            return false;
        seen[sorted[i]] = true;
    }
    return true;
}

static void sort_keys(const gpu *g, VkCommandBuffer cmd, VkrRecorder recorder)
{
    const sorter s = create_sorter(g);
    uint32_t *keys = s.arrays[KEY].map;
    for (uint32_t i = 0; i < KEYS; i++)
        keys[i] = i * i % 997 % BUCKETS;
    begin_commands(cmd);
    record_sort(cmd, recorder, &s);
    wait_for(cmd, &computed, &read_by_host);
    submit(g, cmd);
    if (!is_sorted(keys, s.arrays[SORTED].map))
        DIE(DIFFERENT, "the keys are not sorted\n");
    printf("counting sort: %d keys in %d buckets\n", KEYS, BUCKETS);
    destroy_sorter(g, &s);
}

int main(void)
{
    gpu g = {0};
    VkCommandBuffer cmds[2];
    VkrRecorder recorder;
    open_gpu(&g, NULL);
    VkCommandPool pool = create_commands(&g, 2, cmds);
    check_vkr(vkrCreateRecorder(g.context, &(VkrRecorderInfo){0}, &recorder));
    find_bounds(&g, cmds[0], recorder);
    check_vkr(vkrReset(recorder));
    sort_keys(&g, cmds[1], recorder);
    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g.device, pool, NULL);
    close_gpu(&g);
    return 0;
}
