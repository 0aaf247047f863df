/* SPDX-License-Identifier: MIT */
/* Buffers of inputs, which the host fills, and of outputs. */
#ifndef BENCH_BUFFERS_H
#define BENCH_BUFFERS_H

#include "state.h"

/* Writes bytes to the start of a buffer, and waits; the second creates the buffer first. */
int buffer_write(const gpu *g, const VkrHostMemory *buffer, void *bytes, uint64_t size);
int buffer_create_filled(const gpu *g, VkrHostMemory *buffer, void *bytes, uint64_t size);

/* Copies to the start of a buffer that the host reads, and waits. */
int buffer_fetch(VkrHost host, const VkrHostMemory *from, const VkrHostMemory *to, uint64_t size);

/* Describes n elements of a buffer as an arm's input. */
VkrView buffer_view(const arm *a, const VkrHostMemory *buffer, uint64_t n);

/* Creates `copy` and `copied`. */
int outputs_create(bench *b, VkDeviceSize size);

/* Keeps the sizes for which `total` bytes for each element fit half of the device's memory,
 * `largest` bytes fit one buffer, and four bytes the reach of the bare kernels. Sets the size of
 * the data. */
int sizes_fit(bench *b, uint64_t total, uint64_t largest);

#endif
