/* SPDX-License-Identifier: MIT */
/* A loader that lists several devices, which are all the test's one under other names, of other
 * kinds and with less memory; and which features were enabled on the last device that was made. */
#ifndef VKR_TESTS_HOST_MANY_H
#define VKR_TESTS_HOST_MANY_H

#include <stdbool.h>
#include <volk.h>

typedef struct many_device {
    const char *name;
    VkPhysicalDeviceType type;
    bool too_old; /* of Vulkan 1.0, so that it is not usable */
} many_device;

/* Bytes of each heap of all devices, and of the largest allocation and buffer; 0: as many as there
 * are. A heap that is full refuses more. */
typedef struct many_limits {
    VkDeviceSize memory, most;
} many_limits;
extern many_limits many_limit;

/* Of the last device that was made: allocated bytes, the most at a time, and of one allocation. */
typedef struct many_memory {
    VkDeviceSize now, peak, largest;
} many_memory;
extern many_memory many_used;

#define MANY_MAX 8u
extern many_device many_devices[MANY_MAX];
extern uint32_t many_count;
extern VkPhysicalDeviceFeatures many_enabled;
extern uint32_t many_version; /* of the loader; 0: its own */

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL many_get(VkInstance instance, const char *name);

/* The number in many_devices of a device that the library got. */
uint32_t many_index(VkPhysicalDevice physical);

#endif
