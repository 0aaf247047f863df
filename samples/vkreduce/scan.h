/* SPDX-License-Identifier: MIT */
/* The parts of the command scan: scan.c runs it, verify_scan.c compares. */
#ifndef SCAN_COMMAND_H
#define SCAN_COMMAND_H

#include "flags.h"
#include "task.h"

typedef struct scan_job {
    task task;
    input in;
    segments segments;
    output out;
    VkrScanInfo info; /* what all chunks have in common */
    VkrType result;
    unsigned char initial[VKR_MAX_COMPONENTS * 8];
    uint64_t chunk; /* elements */
    gpu_buffer totals, count;
    pipe pipe;
    /* Of the chunk that was loaded last: its elements, those of them that go on with the chunk
     * before, and whether element 0 starts a segment. */
    uint64_t first, loaded, continued;
    bool starts;
    bool stored; /* the output is written */
} scan_job;

/* The chunk's elements: chunks come in the order of the scan. */
static inline uint64_t scan_cut(const scan_job *j, uint64_t chunk, uint64_t size, uint64_t *first)
{
    uint64_t done = chunk * size;
    uint64_t left = j->in.count - done;
    uint64_t count = left < size ? left : size;
    *first = (j->info.flags & VKR_SCAN_REVERSE_BIT) != 0 ? left - count : done;
    return count;
}

/* What is in the output and the total, against the input, which is read once more. */
int verify_scan(scan_job *j);

/* `components` values of the result type. */
const void *scan_total(const scan_job *j);

#endif
