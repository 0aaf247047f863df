/* SPDX-License-Identifier: MIT */
#include "commands/grouping.h"
#include <stdlib.h>
#include <string.h>
#include "status.h"

/* ---- Elements ---- */

static uint64_t element_size(const input *in)
{
    return (uint64_t)vkrTypeSize(in->type) * in->components;
}

int grouping_pack(input *in)
{
    const uint64_t element = element_size(in), size = in->count * element;
    const uint64_t portion = least(in->count, 65536), pitch = input_pitch(in);
    if (in->offset == 0 && in->stride == element && in->size == size)
        return STATUS_DONE;
    unsigned char *values = malloc((size_t)size + 1);
    unsigned char *part = malloc((size_t)input_span(in, portion) + 1);
    int status = values != NULL && part != NULL
                     ? STATUS_DONE
                     : fail(STATUS_VULKAN, "%s: out of memory", in->name);
    for (uint64_t first = 0; first < in->count && status == STATUS_DONE; first += portion) {
        const uint64_t count = least(in->count - first, portion);
        status = input_load(in, first, count, part);
        for (uint64_t i = 0; i < count && status == STATUS_DONE; i++)
            memcpy(values + (first + i) * element, part + i * pitch, (size_t)element);
    }
    free(part);
    if (status != STATUS_DONE) {
        free(values);
        return status;
    }
    input_use_memory(in, values, size);
    in->offset = 0;
    in->stride = element;
    return STATUS_DONE;
}

/* ---- Buffers ---- */

void grouping_add(grouping *g, const input *in)
{
    g->count = in->count;
    g->sizes[g->input_count++] = (uint32_t)element_size(in);
}

int grouping_check(const grouping *g, const task *t, const char *text)
{
    const uint64_t range = t->gpu.limits.maxStorageBufferRange;
    for (uint32_t i = 0; i < g->input_count; i++)
        if (g->count > range / g->sizes[i])
            return fail(STATUS_USAGE,
                        "--by is '%s'; it moves %llu elements of %u bytes, but '%s' moves at most "
                        "%llu bytes; --runs takes runs of equal keys where they are",
                        text, (unsigned long long)g->count, g->sizes[i], t->gpu.chosen.name,
                        (unsigned long long)range);
    return STATUS_DONE;
}

uint64_t grouping_bytes(const grouping *g, const segments *s)
{
    uint64_t size = vkrTypeSize(s->file.type) + sizeof(uint32_t);
    for (uint32_t i = 0; i < g->input_count; i++)
        size += g->sizes[i];
    return s->groups ? g->count * size : 0;
}

int grouping_create(grouping *g, const task *t, const segments *s)
{
    g->by_value = s->by_value;
    int status = gpu_status(vkrHostAlloc(t->gpu.host, g->count * vkrTypeSize(s->file.type) + 1,
                                         VKR_HOST_MEMORY_UNMAPPED, &g->keys));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(t->gpu.host, g->count * sizeof(uint32_t) + 1,
                                         VKR_HOST_MEMORY_READBACK, &g->indices));
    for (uint32_t i = 0; i < g->input_count && status == STATUS_DONE; i++)
        status = gpu_status(vkrHostAlloc(t->gpu.host, g->count * g->sizes[i] + 1,
                                         VKR_HOST_MEMORY_UNMAPPED, &g->moved[i]));
    return status;
}

void grouping_close(grouping *g, const task *t)
{
    vkrHostFree(t->gpu.host, &g->keys);
    vkrHostFree(t->gpu.host, &g->indices);
    for (uint32_t i = 0; i < GROUPING_INPUTS; i++)
        vkrHostFree(t->gpu.host, &g->moved[i]);
}

/* ---- The sort ---- */

static VkrView indices_of(const grouping *g)
{
    return (VkrView){.buffer = g->indices.buffer,
                     .size = g->count * sizeof(uint32_t),
                     .type = VKR_TYPE_U32,
                     .components = 1};
}

VkrResult grouping_sort(const grouping *g, VkrRecorder recorder, VkrView keys,
                        const VkBuffer *sources, VkrGpuCount gpu_count)
{
    VkrPayload payloads[GROUPING_INPUTS] = {0};
    for (uint32_t i = 0; i < g->input_count; i++)
        payloads[i] = (VkrPayload){.size = g->sizes[i],
                                   .source = {sources[i], 0, g->count * g->sizes[i]},
                                   .target = {g->moved[i].buffer, 0, g->count * g->sizes[i]}};
    const VkrSortInfo info = {.label = "the groups of --by",
                              .flags = g->by_value ? VKR_SORT_BY_VALUE_BIT : 0u,
                              .keys = keys,
                              .count = g->count,
                              .gpuCount = gpu_count,
                              .sorted = {.buffer = g->keys.buffer,
                                         .size = g->count * vkrTypeSize(keys.type),
                                         .type = keys.type,
                                         .components = 1},
                              .indices = indices_of(g),
                              .payloadCount = g->input_count,
                              .payloads = g->input_count > 0 ? payloads : NULL};
    return g->count > 0 ? vkrCmdSort(recorder, &info) : VKR_SUCCESS;
}

VkrResult grouping_return(const grouping *g, VkrRecorder recorder, VkBuffer source, VkBuffer target,
                          uint32_t size, VkrGpuCount gpu_count)
{
    const VkrPayload results = {.size = size,
                                .source = {source, 0, g->count * size},
                                .target = {target, 0, g->count * size}};
    VkrSortInfo info = {.label = "the order of the input",
                        .keys = indices_of(g),
                        .count = g->count,
                        .gpuCount = gpu_count,
                        .payloadCount = 1,
                        .payloads = &results};
    while (info.endBit < 32 && g->count > UINT64_C(1) << info.endBit)
        info.endBit++;
    info.endBit += info.endBit == 0;
    return g->count > 0 ? vkrCmdSort(recorder, &info) : VKR_SUCCESS;
}
