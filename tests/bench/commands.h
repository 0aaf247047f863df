/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "device/gpu.h"

/* Allocates a command buffer from the device's pool. */
int commands_allocate(const gpu *g, VkCommandBuffer *commands);

/* Records a barrier for all memory. */
void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags before, VkAccessFlags written,
                    VkPipelineStageFlags after, VkAccessFlags access);

#endif
