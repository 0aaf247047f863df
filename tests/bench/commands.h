/* SPDX-License-Identifier: MIT */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "device/gpu.h"

/* Records a barrier for all memory. */
void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags before, VkAccessFlags written,
                    VkPipelineStageFlags after, VkAccessFlags access);

#endif
