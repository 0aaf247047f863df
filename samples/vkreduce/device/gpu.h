/* SPDX-License-Identifier: MIT */
/* An open device: a host of libvkreduce-host, and Vulkan's functions for what it leaves to others,
 * such as images. */
#ifndef RUNNER_GPU_H
#define RUNNER_GPU_H

#include <stdbool.h>
#include "device/sentence.h"
#include "input/input.h"
#include "types.h"
#include "vkreduce/host.h"

typedef struct gpu {
    VkrHost host;
    VkrHostVulkan vulkan; /* its objects */
    VkrHostDevice chosen; /* its device */
    VkPhysicalDeviceLimits limits;
} gpu;

typedef struct device_options {
    const char *device;  /* --device; NULL: the best one */
    const char *profile; /* the name of a file; NULL: none */
} device_options;

/* gpu_close may follow a failed gpu_open. `unmapped`: the host does not see the device's memory. */
int gpu_open(gpu *g, const device_options *options, bool unmapped);
void gpu_close(gpu *g);

/* Creates a host on the device of another, with commands of its own, to work while those of the
 * other are executed. `operations`: it takes the time of each operation. */
int gpu_share(VkrHost with, bool operations, VkrHost *host);

/* Submits what a host has recorded, once more too, and waits; and reads how long that took. */
int gpu_submit(VkrHost host);
int gpu_read_clock(VkrHost host, double *milliseconds);

/* Lists the devices, or only the one of a name; the caller frees the list. *first becomes the index
 * of its first one. */
int gpu_list(const char *wanted, VkrHostDevice **devices, uint32_t *count, uint32_t *first);

/* Names the file that the library's messages on functions are about; NULL: none. */
void gpu_set_subject(const char *file);

/* Fills memory with the input's values, and waits. */
int gpu_upload(VkrHost host, const VkrHostMemory *memory, const input *in);

/* Reads the text of a profile from a file; the caller frees it. */
int profile_read(const char *name, char **text, size_t *size);

#endif
