/* SPDX-License-Identifier: MIT */
/* Random devices and views for tests on the stub. */
#ifndef VKR_TESTS_RANDOM_H
#define VKR_TESTS_RANDOM_H

#include "trace.h"

#define ONE_OF(seed, ...)                                                                          \
    (((const uint64_t[]){                                                                          \
        __VA_ARGS__})[random_below(seed, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))])

static inline uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline bool is_float(VkrType type)
{
    return type >= VKR_TYPE_F16;
}

trace_device random_device(uint64_t *seed);

/* A view of buffer A, B or C that needs up to about `windows` windows of the device's range. */
VkrView random_view(uint64_t *seed, const VkrContextProperties *device, VkrType type,
                    uint32_t components, uint64_t windows);

#endif
