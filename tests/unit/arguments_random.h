/* SPDX-License-Identifier: MIT */
/* Random devices and views for tests on the stub. */
#ifndef VKR_TESTS_ARGUMENTS_RANDOM_H
#define VKR_TESTS_ARGUMENTS_RANDOM_H

#include "arguments_trace.h"

#define ONE_OF(seed, ...)                                                                          \
    (((const uint64_t[]){                                                                          \
        __VA_ARGS__})[random_below(seed, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))])

trace_device random_device(uint64_t *seed);

/* A window on A, B or C that takes up to about so many windows of the device's range. */
VkrView random_view(uint64_t *seed, const VkrContextProperties *device, VkrType type,
                    uint32_t components, uint64_t windows);

#endif
