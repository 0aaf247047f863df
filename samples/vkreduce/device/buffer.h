/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_BUFFER_H
#define RUNNER_BUFFER_H

#include "device/gpu.h"
#include "input/input.h"

typedef enum gpu_memory {
    MEMORY_DEVICE,   /* device memory, mapped where possible */
    MEMORY_UNMAPPED, /* device memory, never mapped */
    MEMORY_UPLOAD,   /* mapped, for the host to write */
    MEMORY_RESULT,   /* device memory, mapped where the host reads it fast */
    MEMORY_READBACK, /* mapped, for the host to read */
    MEMORY_KINDS
} gpu_memory;

typedef struct gpu_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *map; /* NULL: the host cannot see it */
    VkDeviceSize size;
    VkrTexels texels; /* a view of the whole buffer, if the device allows it */
} gpu_buffer;

/* A storage buffer of at least `size` bytes. */
int gpu_buffer_create(const gpu *g, gpu_buffer *b, VkDeviceSize size, gpu_memory kind);
void gpu_buffer_destroy(const gpu *g, gpu_buffer *b);

/* Fills the buffer with the input's values, and waits. */
int gpu_upload(const gpu *g, const gpu_buffer *b, const input *in);

/* Records a copy, and makes it visible to the operations that follow. */
void gpu_copy(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize offset,
              VkDeviceSize size);

/* Records a copy for the host to read. */
void gpu_copy_back(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize size);

#endif
