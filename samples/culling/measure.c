/* SPDX-License-Identifier: MIT */
/* Measures a compaction whose predicate is a function against one that reads flags which a shader
 * has stored before. */
#include "measure.h"
#include <string.h>
#include <time.h>

#define TOWNS 10u /* in the same place */
#define MANY (TOWNS * INSTANCES)
#define RUNS 15u

static const uint32_t flags_code[] =
#include "culling_flags.comp.inc"
    ;

enum { BY_FUNCTION, BY_FLAGS, WAYS };

typedef struct trial {
    buffer spheres;
    buffer flags;
    buffer kept[WAYS];
    buffer counts; /* a u32 of each way */
    descriptor_set set;
    VkPipelineLayout layout;
    VkPipeline store;
    VkrModule functions;
} trial;

static trial create_trial(const gpu *g, const scene *s)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkDescriptorType storage_type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkDeviceSize list = MANY * sizeof(uint32_t);
    trial t = {.spheres = create_buffer(g, MANY * sizeof(vec4), storage, ON_HOST),
               .flags = create_buffer(g, list, storage, ON_DEVICE),
               .kept = {create_buffer(g, list, storage, ON_HOST),
                        create_buffer(g, list, storage, ON_HOST)},
               .counts = create_buffer(g, WAYS * sizeof(uint32_t), storage, ON_HOST),
               .functions = s->functions};
    for (uint32_t i = 0; i < TOWNS; i++)
        memcpy((vec4 *)t.spheres.map + (size_t)i * INSTANCES, s->spheres.map,
               INSTANCES * sizeof(vec4));
    descriptor rows[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++) /* as in the scene's sets, or unused */
        rows[i] = (descriptor){storage_type, SET_STAGES, .data = &t.spheres};
    rows[VIEWS] = (descriptor){VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, SET_STAGES, .data = &s->view};
    rows[PYRAMID] = (descriptor){VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, SET_STAGES,
                                 .texels = &s->pyramid, .layout = VK_IMAGE_LAYOUT_GENERAL};
    rows[FLAGS].data = &t.flags;
    t.set = create_descriptors(g, rows, BINDINGS);
    const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1, .pSetLayouts = &t.set.layout};
    CHECK(vkCreatePipelineLayout(g->device, &layout, NULL, &t.layout));
    t.store = create_compute_pipeline(g, t.layout, flags_code, sizeof flags_code);
    return t;
}

static void destroy_trial(const gpu *g, const trial *t)
{
    const buffer *buffers[] = {&t->spheres, &t->flags, &t->kept[0], &t->kept[1], &t->counts};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        destroy_buffer(g, buffers[i]);
    vkDestroyPipeline(g->device, t->store, NULL);
    vkDestroyPipelineLayout(g->device, t->layout, NULL);
    destroy_descriptors(g, &t->set);
}

static void store_flags(VkCommandBuffer cmd, const trial *t)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, t->store);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, t->layout, 0, 1, &t->set.handle, 0,
                            NULL);
    vkCmdDispatch(cmd, (MANY + LOCAL_SIZE - 1) / LOCAL_SIZE, 1, 1);
    wait_for(cmd, &computed, &computed);
}

static void record_way(VkCommandBuffer cmd, VkrRecorder recorder, const trial *t, uint32_t way)
{
    const VkrHook is_visible = {.module = t->functions, .name = "is_visible", .set = t->set.handle};
    const VkrFlagView by[WAYS] = {
        [BY_FUNCTION] = {.hook = &is_visible},
        [BY_FLAGS] = {.range = {t->flags.handle, 0, MANY * sizeof(uint32_t)}}};
    const VkrCountOutput count = {VKR_COUNT_STORED, t->counts.handle, way * sizeof(uint32_t), 1};
    const VkrCompactInfo compact = {
        .count = MANY,
        .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = by[way]},
        .keptIndices = {.buffer = t->kept[way].handle, .size = MANY * sizeof(uint32_t)},
        .countOutputCount = 1,
        .countOutputs = &count};
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    if (way == BY_FLAGS)
        store_flags(cmd, t);
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdCompact(recorder, &compact));
    check_vkr(vkrEnd(recorder, &end));
}

/* Returns milliseconds from the submission to its end. */
static double run_way(const gpu *g, VkCommandBuffer cmd, VkrRecorder recorder, const trial *t,
                      uint32_t way)
{
    struct timespec start, end;
    begin_commands(cmd);
    record_way(cmd, recorder, t, way);
    timespec_get(&start, TIME_UTC);
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));
    timespec_get(&end, TIME_UTC);
    check_vkr(vkrReset(recorder));
    return 1e3 * (double)(end.tv_sec - start.tv_sec) + 1e-6 * (double)(end.tv_nsec - start.tv_nsec);
}

bool measure(const gpu *g, const scene *s)
{
    const trial t = create_trial(g, s);
    double best[WAYS] = {1e9, 1e9};
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);
    VkrRecorder recorder;
    check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &recorder));
    for (uint32_t i = 0; i < RUNS * WAYS; i++) {
        const double time = run_way(g, cmd, recorder, &t, i % WAYS);
        best[i % WAYS] = time < best[i % WAYS] ? time : best[i % WAYS];
    }
    const uint32_t *number = t.counts.map;
    const bool same = number[BY_FUNCTION] == number[BY_FLAGS] &&
                      memcmp(t.kept[BY_FUNCTION].map, t.kept[BY_FLAGS].map,
                             number[BY_FLAGS] * sizeof(uint32_t)) == 0;
    printf("of %u instances, %u and %u are kept, which is %s\n", MANY, number[BY_FUNCTION],
           number[BY_FLAGS], same ? "the same" : "wrong");
    printf("by the function %.2f ms, by flags of a shader %.2f ms: %.2f of the time\n",
           best[BY_FUNCTION], best[BY_FLAGS], best[BY_FUNCTION] / best[BY_FLAGS]);
    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g->device, pool, NULL);
    destroy_trial(g, &t);
    return same;
}
