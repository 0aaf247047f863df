/* SPDX-License-Identifier: MIT */
/* The list of the system's devices. */
#ifndef RUNNER_DEVICE_LIST_H
#define RUNNER_DEVICE_LIST_H

#include "types.h"

#define API_VERSION VK_API_VERSION_1_3

typedef struct gpu_device {
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceSize max_allocation; /* maximum size of a buffer */
    char driver[2 * VK_MAX_DRIVER_NAME_SIZE];
    VkrDeviceRequirements requirements; /* must not be moved: it points into itself */
} gpu_device;

typedef struct gpu_list {
    VkInstance instance;
    gpu_device *devices;
    uint32_t count;
} gpu_list;

/* Lists at least one device, or fails. gpu_list_close may follow a failed gpu_list_open. */
int gpu_list_open(gpu_list *list);
void gpu_list_close(gpu_list *list);
VkDeviceSize gpu_device_memory(const gpu_device *device);

/* Chooses the device that --device names, or the best one without --device. Of several that are
 * equally good, the ranks of a machine (ranks.h) take turns. */
int gpu_choose(const gpu_list *list, const char *wanted, uint32_t *index);

/* The first prints a sentence for a failed Vulkan call; the second does so only if the call failed;
 * the third returns the status of a library call, which has already printed its own sentence,
 * unless it repeats an earlier error; the fourth returns the same and never prints. */
int gpu_fail(VkResult result, const char *call);
int gpu_check(VkResult result, const char *call);
int gpu_status(VkrResult result);
int gpu_result_status(VkrResult result);

#endif
