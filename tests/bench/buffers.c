/* SPDX-License-Identifier: MIT */
#include "buffers.h"
#include <stdio.h>
#include "read.h"
#include "status.h"

int buffer_write(const gpu *g, const VkrHostMemory *buffer, void *bytes, uint64_t size)
{
    const input in = {.name = "values",
                      .source = SOURCE_MEMORY,
                      .file = -1,
                      .memory = bytes,
                      .type = VKR_TYPE_U8,
                      .components = 1,
                      .size = size};
    return gpu_upload(g->host, buffer, &in);
}

int buffer_create_filled(const gpu *g, VkrHostMemory *buffer, void *bytes, uint64_t size)
{
    int status = gpu_status(vkrHostAlloc(g->host, size, VKR_HOST_MEMORY_DEVICE, buffer));
    return status == STATUS_DONE ? buffer_write(g, buffer, bytes, size) : status;
}

int buffer_fetch(VkrHost host, const VkrHostMemory *from, const VkrHostMemory *to, uint64_t size)
{
    VkrResult result = vkrHostBegin(host);
    if (result == VKR_SUCCESS)
        result = vkrHostEnd(host);
    if (result == VKR_SUCCESS)
        result = vkrHostCopyOut(host, from, to, size);
    return gpu_status(result == VKR_SUCCESS ? vkrHostRun(host) : result);
}

VkrView buffer_view(const arm *a, const VkrHostMemory *buffer, uint64_t n)
{
    VkrView view = {.buffer = buffer->buffer, .size = 4 * n, .type = a->type};
    if (!a->storage_only)
        view.texels = buffer->texels;
    return view;
}

int outputs_create(bench *b, VkDeviceSize size)
{
    int status = gpu_status(vkrHostAlloc(b->gpu.host, size, VKR_HOST_MEMORY_UNMAPPED, &b->copy));
    return status == STATUS_DONE
               ? gpu_status(vkrHostAlloc(b->gpu.host, size, VKR_HOST_MEMORY_READBACK, &b->copied))
               : status;
}

int sizes_fit(bench *b, uint64_t total, uint64_t largest)
{
    settings *s = &b->settings;
    uint32_t kept = 0;
    const uint64_t most =
        least(least(b->gpu.chosen.memorySize / 2 / total, b->gpu.chosen.maxBufferSize / largest),
              reader_reach(&b->gpu) / 4);
    for (uint32_t i = 0; i < s->size_count; i++) {
        if (s->sizes[i] <= most) {
            s->sizes[kept++] = s->sizes[i];
            b->in.size = 4 * s->sizes[i] > b->in.size ? 4 * s->sizes[i] : b->in.size;
        } else {
            printf("left out: %llu elements; the maximum on this device is %llu\n",
                   (unsigned long long)s->sizes[i], (unsigned long long)most);
        }
    }
    s->size_count = kept;
    return kept > 0 ? STATUS_DONE
                    : fail(STATUS_USAGE, "--sizes: the maximum on this device is %llu elements",
                           (unsigned long long)most);
}
