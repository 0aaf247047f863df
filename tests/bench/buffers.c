/* SPDX-License-Identifier: MIT */
#include "buffers.h"
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
