/* SPDX-License-Identifier: MIT */
/* An open device with a context of the library. */
#ifndef RUNNER_GPU_H
#define RUNNER_GPU_H

#include "device/list.h"

typedef struct gpu {
    gpu_list list;
    const gpu_device *chosen;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    uint32_t timestamp_bits; /* 0: the queue has no timestamps */
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkQueryPool queries; /* two timestamps */
    VkFence fence;
    VkrContext context;
} gpu;

/* gpu_close may follow a failed gpu_open. */
int gpu_open(gpu *g, const char *wanted);
void gpu_close(gpu *g);

/* Names the file that the library's messages on functions are about; NULL: none. */
void gpu_set_subject(const char *file);

/* Creates another context on the same device, with the text of a profile or none (NULL). */
int gpu_create_context(const gpu *g, const char *profile, size_t size, VkrContext *context);

/* Gives the open device a context with the profile in a file; with NULL nothing happens. */
int profile_use(gpu *g, const char *name);

/* Opens the same device with commands, timestamps and a fence of its own, to work while another
 * lane executes. gpu_lane_close may follow a failed gpu_lane_open, and must be called before
 * gpu_close. */
int gpu_lane_open(gpu *lane, const gpu *g);
void gpu_lane_close(gpu *lane);

#endif
