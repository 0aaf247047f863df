/* SPDX-License-Identifier: MIT */
/*
 * Small fixed requests with known answers, chosen so that any single wrong line of a kernel changes
 * a result: counts on the GPU near the host's, heads and tails of loads, workgroups of several
 * subgroups on every group path, initial values, windows, and the ends of segments and outputs.
 * Nothing is random, so they detect the same faults whatever rows other tests draw.
 */
#include <string.h>

#include "edges.h"

#define BUFFER_BYTES (1u << 20)
#define POISON 0xcdcdcdcdu

harness h;
harness_buffer input, output, extra;

/* ---- One recording ---- */

VkrTuning shares(uint32_t workgroup, VkrLoadOrder order, VkrLoadPath path)
{
    return (VkrTuning){.workgroupSize = workgroup,
                       .treeWorkgroupSize = 64,
                       .minBytes = 64,
                       .maxBytes = 64,
                       .maxGroups = 1,
                       .order = order,
                       .path = path,
                       .flight = 1,
                       .tileBytes = 64};
}

work open_work(const VkrLimits *limits, const VkrTuning *tuning)
{
    const VkrRecorderInfo info = {.label = "edges"};
    work w;
    assert_true(harness_tuned_context(&h, limits, tuning, NULL, &w.context));
    assert_true(harness_check(&h, vkrCreateRecorder(w.context, &info, &w.recorder), "recorder"));
    assert_true(harness_check(&h, vkrBegin(w.recorder), "vkrBegin"));
    memset(output.data, 0xcd, BUFFER_BYTES);
    return w;
}

void record(const work *w)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(w->recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
}

void close_work(const work *w)
{
    vkrDestroyRecorder(w->recorder);
    vkrDestroyContext(w->context);
}

void run(const work *w)
{
    record(w);
    assert_true(harness_submit(&h));
    close_work(w);
}

VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset, uint32_t count)
{
    return (VkrView){.buffer = buffer->buffer,
                     .offset = offset,
                     .size = 4 * (VkDeviceSize)count,
                     .type = VKR_TYPE_U32};
}

const uint32_t *input_words(void)
{
    return (const uint32_t *)((const char *)input.data + OFFSET);
}

void expect(const char *what, VkDeviceSize offset, const uint32_t *right, uint32_t count)
{
    const uint32_t *words = (const uint32_t *)((const char *)output.data + offset);
    for (uint32_t i = 0; i < count + UNTOUCHED; i++) {
        const uint32_t wanted = i < count ? right[i] : POISON;
        if (words[i] != wanted)
            fail_msg("%s: word %u of %u is 0x%x, but should be 0x%x", what, i, count, words[i],
                     wanted);
    }
}

VkrGroupPath best_group_path(void)
{
    VkrContext context;
    VkrContextProperties properties;
    assert_true(harness_context(&h, NULL, &context));
    vkrGetContextProperties(context, &properties);
    vkrDestroyContext(context);
    return properties.groupPath;
}

static int open_all(void **state)
{
    (void)state;
    if (!harness_create_buffer(&h, BUFFER_BYTES, &input) ||
        !harness_create_buffer(&h, BUFFER_BYTES, &output) ||
        !harness_create_buffer(&h, BUFFER_BYTES, &extra))
        return -1;
    uint32_t *words = input.data;
    for (uint32_t i = 0; i < BUFFER_BYTES / 4; i++)
        words[i] = (i + 1) * 2654435769u >> 7;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    harness_destroy_buffer(&h, &extra);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[MAX_EDGES] = {{0}};
    size_t count = reduce_edges(tests);
    count += float_edges(tests + count);
    count += scan_edges(tests + count);
    count += compact_edges(tests + count);
    count += element_edges(tests + count);
    assert_true(count <= MAX_EDGES);
    return harness_run(&h, "edges", tests, count, open_all, close_all);
}
