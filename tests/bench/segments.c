/* SPDX-License-Identifier: MIT */
/* Sums of segments: the offsets, and the operations. */
#include "segments.h"
#include <stdlib.h>
#include "buffers.h"
#include "status.h"

/* Makes segments of 0 to 7 elements, except for one after the first quarter of the elements, which
 * has half of them. Returns the number of segments. `offsets` is NULL or has room for one more. */
static uint64_t make_offsets(uint64_t n, uint32_t *offsets)
{
    uint64_t count = 0;
    bool giant = false;
    for (uint64_t at = 0; at < n; count++) {
        uint64_t left = n - at, length = ((uint32_t)count * 0x9e3779b1u) >> 29;
        if (!giant && at >= n / 4) {
            length = n / 2;
            giant = true;
        }
        if (offsets != NULL)
            offsets[count] = (uint32_t)at;
        at += length < left ? length : left;
    }
    if (offsets != NULL)
        offsets[count] = (uint32_t)n;
    return count;
}

int segment_sums_open(bench *b)
{
    uint64_t most = 0; /* for the largest size, which needs the most */
    for (uint32_t i = 0; i < b->arm_count; i++)
        if (b->arms[i].info.segments.kind == VKR_SEGMENTS_OFFSETS)
            most = make_offsets(b->in.size / 4, NULL) + 1;
    if (most == 0)
        return STATUS_DONE;
    b->segments = calloc(1, sizeof *b->segments);
    if (b->segments != NULL)
        b->segments->host_offsets = malloc(sizeof(uint32_t) * (size_t)most);
    if (b->segments == NULL || b->segments->host_offsets == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    return gpu_status(vkrHostAlloc(b->gpu.host, sizeof(uint32_t) * most, VKR_HOST_MEMORY_DEVICE,
                                   &b->segments->offsets));
}

void segment_sums_close(bench *b)
{
    if (b->segments == NULL)
        return;
    vkrHostFree(b->gpu.host, &b->segments->offsets);
    free(b->segments->host_offsets);
    free(b->segments);
}

int segment_sums_prepare(bench *b, uint64_t n)
{
    struct segments *s = b->segments;
    if (s == NULL)
        return STATUS_DONE;
    s->count = make_offsets(n, s->host_offsets);
    return buffer_write(&b->gpu, &s->offsets, s->host_offsets, sizeof(uint32_t) * (s->count + 1));
}

uint64_t segment_sums_count(const arm *a, uint64_t n)
{
    uint64_t length = a->info.segments.length;
    switch (a->info.segments.kind) {
    case VKR_SEGMENTS_ROWS:
        return n / length;
    case VKR_SEGMENTS_COLUMNS:
        return length;
    case VKR_SEGMENTS_WINDOWS:
        return n < length ? 0 : n - length + 1;
    default:
        return make_offsets(n, NULL);
    }
}

bool segment_sums_misfit(const arm *a, uint64_t n)
{
    uint64_t length = a->info.segments.length;
    return n < length || (a->info.segments.kind != VKR_SEGMENTS_WINDOWS && n % length != 0);
}

VkrResult segment_sums_collect(const bench *b, const arm *a, uint64_t n)
{
    VkrReduceLayout layout;
    VkrReduceInfo info = a->info;
    info.label = a->name;
    info.input = buffer_view(a, &b->data, n);
    info.count = VKR_COUNT_ALL;
    if (info.segments.kind == VKR_SEGMENTS_OFFSETS) {
        info.segments.length = 0; /* of the arm; the lengths are those between offsets */
        info.segments.offsets = (VkrBufferRange){b->segments->offsets.buffer, 0,
                                                 sizeof(uint32_t) * (b->segments->count + 1)};
    }
    VkrResult result = vkrGetReduceLayout(b->gpu.vulkan.context, &info, &layout);
    if (result != VKR_SUCCESS)
        return result;
    info.output = (VkrBufferRange){b->copy.buffer, 0, layout.size};
    return vkrCmdReduce(a->recorder, &info);
}
