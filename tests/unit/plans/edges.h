/* SPDX-License-Identifier: MIT */
/* Requests of all operations by a few numbers (edges_requests.c), for tests of what happens at the
 * edges of what numbers can hold. */
#ifndef VKR_TESTS_EDGES_H
#define VKR_TESTS_EDGES_H

#include "random.h"

#define FAR ((uint64_t)1 << 62) /* bytes of a view */

/* The numbers of a request; those that an operation does not have are ignored. */
typedef struct edge_request {
    VkrType type;
    uint64_t count;
    uint64_t length; /* of rows; 0: one row */
    uint64_t offset, size, stride;
    uint64_t k;
} edge_request;

/* An operation, with its default algorithm. A device with the limits that Vulkan guarantees
 * supports every request without strides whose count is below these. */
typedef struct edge_operation {
    const char *name;
    VkrResult (*call)(const edge_request *r);
    uint64_t below, below_wide; /* of 64-bit elements */
    bool divides;               /* if count is a multiple of length */
} edge_operation;

extern const edge_operation edge_operations[];
extern const size_t edge_operation_count;

#endif
