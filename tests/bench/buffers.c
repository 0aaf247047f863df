/* SPDX-License-Identifier: MIT */
#include "buffers.h"
#include <stdio.h>
#include "read.h"
#include "status.h"

int buffer_write(const gpu *g, const gpu_buffer *buffer, void *bytes, uint64_t size)
{
    const input in = {.name = "values",
                      .source = SOURCE_MEMORY,
                      .file = -1,
                      .memory = bytes,
                      .type = VKR_TYPE_U8,
                      .components = 1,
                      .size = size};
    return gpu_upload(g, buffer, &in);
}

int buffer_create_filled(const gpu *g, gpu_buffer *buffer, void *bytes, uint64_t size)
{
    int status = gpu_buffer_create(g, buffer, size, MEMORY_DEVICE);
    return status == STATUS_DONE ? buffer_write(g, buffer, bytes, size) : status;
}

VkrView buffer_view(const arm *a, const gpu_buffer *buffer, uint64_t n)
{
    VkrView view = {.buffer = buffer->buffer, .size = 4 * n, .type = a->type};
    if (!a->storage_only)
        view.texels = buffer->texels;
    return view;
}

int outputs_create(bench *b, VkDeviceSize size)
{
    int status = gpu_buffer_create(&b->gpu, &b->copy, size, MEMORY_UNMAPPED);
    return status == STATUS_DONE ? gpu_buffer_create(&b->gpu, &b->copied, size, MEMORY_READBACK)
                                 : status;
}

int sizes_fit(bench *b, uint64_t total, uint64_t largest)
{
    settings *s = &b->settings;
    uint32_t kept = 0;
    const uint64_t most = least(least(gpu_device_memory(b->gpu.chosen) / 2 / total,
                                      b->gpu.chosen->max_allocation / largest),
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
