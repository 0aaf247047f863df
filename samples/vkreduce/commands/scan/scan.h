/* SPDX-License-Identifier: MIT */
/* The parts of the command scan: scan.c runs it, verify_scan.c compares. */
#ifndef RUNNER_SCAN_H
#define RUNNER_SCAN_H

#include "commands/scan/options.h"
#include "device/pipe.h"
#include "input/segments.h"
#include "output/output.h"

typedef struct scan_job {
    const scan_options *opts;
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
    /* The first element of the chunk that was loaded last, the number of its elements, and how many
     * of them continue the chunk before. */
    uint64_t first, loaded, continued;
    bool starts; /* its element 0 starts a segment */
    bool stored; /* the output is written */
} scan_job;

/* Returns the number of a chunk's elements, and their first one: chunks come in the order of the
 * scan. */
static inline uint64_t scan_cut(const scan_job *j, uint64_t chunk, uint64_t size, uint64_t *first)
{
    uint64_t done = chunk * size;
    uint64_t left = j->in.count - done;
    uint64_t count = left < size ? left : size;
    *first = (j->info.flags & VKR_SCAN_REVERSE_BIT) != 0 ? left - count : done;
    return count;
}

/* Compares the output and the total with the input, which is read once more. */
int verify_scan(scan_job *j);

/* The total: `components` values of the result type. */
const void *scan_total(const scan_job *j);

#endif
