/* SPDX-License-Identifier: MIT */
/* What a recorded dispatch touches, and whether that is allowed: shared by reduce.c and
 * touch.c. */
#ifndef VKR_TESTS_PLANS_REDUCE_H
#define VKR_TESTS_PLANS_REDUCE_H

#include "trace.h"

#define MAX_OPERATIONS 4u
#define MAX_RANGES 8u

typedef struct range {
    VkBuffer buffer;
    uint64_t offset;
    uint64_t size;
    bool write;
} range;

/* `count` values that lie `stride` bytes apart. */
typedef struct row {
    VkBuffer buffer;
    uint64_t offset;
    uint64_t stride;
    uint64_t count;
} row;

typedef struct touched {
    uint32_t count;
    range ranges[MAX_RANGES];
    row taken; /* partials that it reads, and those that it writes; count 0: none */
    row left;
} touched;

/* The requests of the recording, by label. */
extern struct plan {
    VkrContextProperties device;
    uint32_t count;
    VkrReduceInfo infos[MAX_OPERATIONS];
    VkrReduceLayout layouts[MAX_OPERATIONS];
    uint32_t partial_size[MAX_OPERATIONS]; /* 0: not known yet */
} plan;

uint64_t at_least_1(uint64_t value);
uint64_t stride_of(const VkrView *view);
uint64_t elements_of(const VkrReduceInfo *info);

/* Whether a dispatch reads the caller's elements, rather than partials or values that have replaced
 * elements. */
bool reads_input(const trace_dispatch *dispatch);

/* Returns what a dispatch touches, and checks that it lies inside descriptors and views. */
touched touch_all(const trace_dispatch *dispatch);

/* Checks a dispatch against the device's limits and the request. */
void check_dispatch(const trace_dispatch *dispatch);

#endif
