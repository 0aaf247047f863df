/* SPDX-License-Identifier: MIT */
/* The parameters of a scan. */
#ifndef RUNNER_SCAN_REQUEST_H
#define RUNNER_SCAN_REQUEST_H

#include "commands/scan/options.h"
#include "input/segments.h"

typedef struct scan_request {
    const scan_options *opts;
    input in;
    segments segments;
    VkrScanInfo info; /* the part that all chunks share */
    VkrType result;
    unsigned char initial[VKR_MAX_COMPONENTS * 8];
} scan_request;

/* Reads the operator, the input and the segments. scan_request_close may follow a failure. */
int scan_request_open(scan_request *r, const operands *given, const scan_options *opts);
void scan_request_close(scan_request *r);

/* Completes the request for an open device. */
int scan_request_complete(scan_request *r, const gpu *g);

/* The size in bytes of an element's results. */
static inline uint64_t scan_result_size(const scan_request *r)
{
    return (uint64_t)vkrTypeSize(r->result) * r->in.components;
}

/* Returns the number of elements in a chunk, and sets *first to the lowest one. Chunks are numbered
 * in the order of the scan. */
static inline uint64_t scan_cut(const scan_request *r, uint64_t chunk, uint64_t size,
                                uint64_t *first)
{
    uint64_t done = chunk * size;
    uint64_t left = r->in.count - done;
    uint64_t count = left < size ? left : size;
    *first = (r->info.flags & VKR_SCAN_REVERSE_BIT) != 0 ? left - count : done;
    return count;
}

#endif
