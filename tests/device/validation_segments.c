/* SPDX-License-Identifier: MIT */
/* Reductions of segments of every kind, in one recording. */
#include <stdio.h>

#include "validation.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define SLOT (40u << 10)
#define OFFSETS_AT (BUFFER_SIZE / 2)
#define ALGORITHMS 5u

/* Short segments, empty ones, one for a workgroup, and a giant one. */
static const uint32_t lengths[] = {1, 2, 0, 3, 12500, 1, 300, 7, 100, 0, 86};

static const struct {
    VkrSegmentKind kind;
    uint32_t length;
    uint32_t count; /* elements */
} kinds[] = {
    {VKR_SEGMENTS_ROWS, 1300, 13000},
    {VKR_SEGMENTS_COLUMNS, 50, 13000},
    {VKR_SEGMENTS_WINDOWS, 100, 700},
    {VKR_SEGMENTS_OFFSETS, 0, 13000},
};

static VkrReduceAlgorithm algorithm_of(const scenario *t, uint32_t i)
{
    const VkrReduceAlgorithm all[ALGORITHMS] = {VKR_REDUCE_AUTO, VKR_REDUCE_LANES, VKR_REDUCE_MERGE,
                                                VKR_REDUCE_GROUPS, VKR_REDUCE_SPLIT};
    return t->algorithm != VKR_REDUCE_AUTO ? t->algorithm : all[i];
}

/* At level DEVICE all algorithms divide segments like the tree, so one is enough. */
static uint32_t algorithms_of(const scenario *t)
{
    const bool one = t->algorithm != VKR_REDUCE_AUTO || t->determinism == VKR_DETERMINISM_DEVICE;
    return one ? 1 : ALGORITHMS;
}

static VkrReduceInfo segments_info(const scenario *t, uint32_t kind, uint32_t i)
{
    const bool words = t->type != VKR_TYPE_F32;
    return (VkrReduceInfo){
        .label = t->name,
        .ops = VKR_OP_SUM | VKR_OP_MAX,
        .input = {.buffer = buffers[words ? WORDS : FLOATS].buffer,
                  .size = 4 * (VkDeviceSize)kinds[kind].count,
                  .type = words ? VKR_TYPE_U32 : VKR_TYPE_F32},
        .count = VKR_COUNT_ALL,
        .output = {buffers[OUTPUT].buffer, (i * LENGTH(kinds) + kind) * SLOT, SLOT},
        .determinism = t->determinism,
        .algorithm = algorithm_of(t, i),
        .segments = {.kind = kinds[kind].kind,
                     .length = kinds[kind].length,
                     .offsets = {buffers[WORDS].buffer, OFFSETS_AT, 4 * (LENGTH(lengths) + 1)}},
    };
}

void record_segments(session *s, const scenario *t)
{
    const VkrEndInfo end = {
        .commandBuffer = device.cmd,
        .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT,
    };
    uint32_t *words = buffers[WORDS].data;
    uint32_t *offsets = words + OFFSETS_AT / 4;
    float *floats = buffers[FLOATS].data;
    for (uint32_t i = 0; i < OFFSETS_AT / 4; i++) {
        words[i] = i * 2654435761u >> 20;
        floats[i] = (float)words[i];
    }
    offsets[0] = 0;
    for (uint32_t i = 0; i < LENGTH(lengths); i++)
        offsets[i + 1] = offsets[i] + lengths[i];
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    for (uint32_t i = 0; i < algorithms_of(t); i++) {
        for (uint32_t kind = 0; kind < LENGTH(kinds); kind++) {
            const VkrReduceInfo info = segments_info(t, kind, i);
            assert_int_equal(vkrCmdReduce(s->recorder, &info), VKR_SUCCESS);
        }
    }
    assert_int_equal(vkrEnd(s->recorder, &end), VKR_SUCCESS);
}

/* Sums stay below 2^24, so they are exact. */
static void check_segment(const scenario *t, uint32_t kind, uint32_t i, uint32_t segment)
{
    const uint32_t *words = buffers[WORDS].data;
    const uint32_t *offsets = words + OFFSETS_AT / 4;
    const uint32_t length = kinds[kind].length;
    uint32_t first = segment * length, stride = 1, end = first + length;
    uint32_t sum = 0, most = 0;
    if (kinds[kind].kind == VKR_SEGMENTS_OFFSETS) {
        first = offsets[segment];
        end = offsets[segment + 1];
    } else if (kinds[kind].kind == VKR_SEGMENTS_COLUMNS) {
        first = segment;
        stride = length;
        end = kinds[kind].count;
    } else if (kinds[kind].kind == VKR_SEGMENTS_WINDOWS) {
        first = segment;
        end = first + length;
    }
    for (uint32_t k = first; k < end; k += stride) {
        sum += words[k];
        most = words[k] > most ? words[k] : most;
    }
    const char *slot = (const char *)buffers[COPY].data + (i * LENGTH(kinds) + kind) * SLOT;
    if (t->type == VKR_TYPE_F32) {
        const float *found = (const float *)(const void *)slot + 2 * (size_t)segment;
        assert_true(found[1] == (float)sum && (first == end || found[0] == (float)most));
    } else {
        const uint32_t *found = (const uint32_t *)(const void *)slot + 2 * (size_t)segment;
        assert_int_equal(found[0], most);
        assert_int_equal(found[1], sum);
    }
}

void check_segments(const scenario *t)
{
    for (uint32_t i = 0; i < algorithms_of(t); i++) {
        for (uint32_t kind = 0; kind < LENGTH(kinds); kind++) {
            const uint32_t count = kinds[kind].count, length = kinds[kind].length;
            const uint32_t segments = kinds[kind].kind == VKR_SEGMENTS_ROWS      ? count / length
                                      : kinds[kind].kind == VKR_SEGMENTS_COLUMNS ? length
                                      : kinds[kind].kind == VKR_SEGMENTS_WINDOWS
                                          ? count - length + 1
                                          : LENGTH(lengths);
            for (uint32_t segment = 0; segment < segments; segment++)
                check_segment(t, kind, i, segment);
        }
    }
}
