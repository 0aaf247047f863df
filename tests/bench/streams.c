/* SPDX-License-Identifier: MIT */
/* Stream reduction by every method: the arms, and what they need besides the data. */
#include "streams.h"
#include <stdio.h>
#include <string.h>
#include "array.h"
#include "status.h"

#define MAX_ARMS 192u
#define USUAL_SHARE 60u /* percentage of elements that is kept */
#define SWEEP_SIZE (UINT64_C(1) << 22)
#define GPU_SIZE (UINT64_C(1) << 26)
#define MIN_BLOCK 8u
#define MAX_BLOCK 1024u
#define USUAL_BLOCK 64u  /* what 0 stands for */
#define HYBRID_BLOCK 16u /* minimum for which the hybrid scan differs from the others */

/* ---- Arms ---- */

typedef struct stream_list {
    arm arms[MAX_ARMS];
    uint32_t count;
} stream_list;

static void append(arm *a, const char *word)
{
    strncat(a->name, " ", sizeof a->name - strlen(a->name) - 1);
    strncat(a->name, word, sizeof a->name - strlen(a->name) - 1);
}

/* Names an arm, such as "compact 60 f32 roger b64 for elements". */
static void name_stream(arm *a)
{
    const VkrStreamOptions *o = &a->stream;
    char block[16];
    snprintf(a->op, sizeof a->op, "compact %u", a->share);
    snprintf(a->name, sizeof a->name, "%s%s%s f32 %s", stream_step_names[a->step],
             a->step == STEP_ALL ? "" : " step of ", a->op,
             a->geometry ? "geometry-shader" : vkrCompactAlgorithmName(a->algorithm));
    snprintf(block, sizeof block, "b%u", o->block);
    if (o->block != 0)
        append(a, block);
    if (o->search != VKR_STREAM_SEARCH_DEFAULT)
        append(a, vkrStreamSearchName(o->search));
    if (o->concatenation != VKR_CONCATENATION_SEGMENTS)
        append(a, vkrConcatenationName(o->concatenation));
    if (o->blockScan != VKR_BLOCK_SCAN_HILLIS_STEELE)
        append(a, vkrBlockScanName(o->blockScan));
}

static void add(stream_list *list, arm a)
{
    a.kind = ARM_COMPACT;
    a.type = VKR_TYPE_F32;
    if (a.share == 0)
        a.share = USUAL_SHARE;
    name_stream(&a);
    if (list->count < MAX_ARMS)
        list->arms[list->count++] = a;
}

/* Adds every method with its defaults. HORN is the slowest, and its time does not depend on the
 * share, so it has only one share. */
static void add_methods(stream_list *list, uint32_t share, bool sweep)
{
    for (uint32_t i = 0; i < VKR_COMPACT_ALGORITHM_COUNT; i++)
        if (i != VKR_COMPACT_HORN || !sweep)
            add(list, (arm){.algorithm = (VkrCompactAlgorithm)i, .share = share, .sweep = sweep});
    add(list, (arm){.geometry = true, .share = share, .sweep = sweep});
}

/* Adds the searches and concatenations that are not the defaults. */
static void add_optimizations(stream_list *list)
{
    static const VkrStreamOptions others[] = {
        {.search = VKR_STREAM_SEARCH_FOR},
        {.concatenation = VKR_CONCATENATION_ELEMENTS},
        {.search = VKR_STREAM_SEARCH_FOR, .concatenation = VKR_CONCATENATION_ELEMENTS},
    };
    for (size_t i = 0; i < COUNT_OF(others); i++)
        add(list, (arm){.algorithm = VKR_COMPACT_ROGER, .stream = others[i]});
    for (uint32_t i = VKR_COMPACT_HORN; i <= VKR_COMPACT_BLELLOCH_GATHER; i++)
        add(list, (arm){.algorithm = (VkrCompactAlgorithm)i,
                        .stream = {.search = VKR_STREAM_SEARCH_WHILE},
                        .sweep = true});
    add(list, (arm){.algorithm = VKR_COMPACT_ROGER_SEQUENTIAL,
                    .stream = {.concatenation = VKR_CONCATENATION_ELEMENTS},
                    .sweep = true});
}

static void add_block(stream_list *list, uint32_t block)
{
    const VkrStreamOptions blocks = {.block = block};
    if (block != USUAL_BLOCK) {
        add(list, (arm){.algorithm = VKR_COMPACT_ROGER, .stream = blocks});
        add(list,
            (arm){.algorithm = VKR_COMPACT_ROGER_SEQUENTIAL, .stream = blocks, .sweep = true});
    }
    for (uint32_t k = VKR_BLOCK_SCAN_BLELLOCH; k < VKR_BLOCK_SCAN_COUNT; k++)
        if (k != VKR_BLOCK_SCAN_HYBRID || block >= HYBRID_BLOCK)
            add(list, (arm){.algorithm = VKR_COMPACT_ROGER,
                            .stream = {.block = block, .blockScan = (VkrBlockScan)k},
                            .sweep = true});
    for (uint32_t step = STEP_MARKS; step < STREAM_STEPS; step++)
        add(list, (arm){.algorithm = VKR_COMPACT_ROGER,
                        .stream = blocks,
                        .step = (stream_step)step,
                        .sweep = true});
}

const arm *streams_arms(uint32_t *count)
{
    static stream_list list;
    if (list.count == 0) {
        add_methods(&list, USUAL_SHARE, false);
        add_optimizations(&list);
        for (uint32_t block = MIN_BLOCK; block <= MAX_BLOCK; block *= 2)
            add_block(&list, block);
        for (uint32_t share = 10; share < 100; share += 10)
            if (share != USUAL_SHARE)
                add_methods(&list, share, true);
    }
    *count = list.count;
    return list.arms;
}

/* ---- Sizes ---- */

uint64_t streams_sweep(const settings *s)
{
    for (uint32_t i = 0; i < s->size_count; i++)
        if (s->sizes[i] == SWEEP_SIZE)
            return SWEEP_SIZE;
    return s->sizes[s->size_count - 1];
}

void streams_add_sizes(settings *s, const gpu *g)
{
    if (s->all_sizes && g->chosen.type != VK_PHYSICAL_DEVICE_TYPE_CPU)
        s->sizes[s->size_count++] = GPU_SIZE;
}

/* ---- Resources ---- */

int streams_open(bench *b)
{
    /* Most arms need two words per element; blocks of 8 need an eighth more. */
    int status = gpu_status(vkrHostAlloc(b->gpu.host, 3 * b->in.size + (1u << 20),
                                         VKR_HOST_MEMORY_UNMAPPED, &b->scratch));
    if (status == STATUS_DONE)
        status = geometry_open(b);
    return status == STATUS_DONE ? stream_steps_open(b) : status;
}

void streams_close(bench *b)
{
    stream_steps_close(b);
    geometry_close(b);
    vkrHostFree(b->gpu.host, &b->scratch);
}

bool streams_lack(const bench *b, const arm *a)
{
    return a->geometry ? geometry_lacks(b) != NULL
                       : a->step != STEP_ALL && b->gpu.vulkan.timestampBits == 0;
}

VkrBufferRange streams_scratch(const bench *b, VkrRecorder recorder)
{
    VkDeviceSize size;
    if (vkrGetScratchSize(recorder, &size) != VKR_SUCCESS || size > b->scratch.size)
        return (VkrBufferRange){0};
    return (VkrBufferRange){b->scratch.buffer, 0, b->scratch.size};
}
