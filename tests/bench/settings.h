/* SPDX-License-Identifier: MIT */
/* The command line. */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_SIZES 32u
#define MAX_WORKGROUPS 16u
#define MAX_RUNS 99u

typedef struct settings {
    const char *device;
    const char *json; /* file, or NULL */
    bool help;
    bool quick;
    bool all_reads; /* also the bare kernels for other classes of devices */
    /* Each of these modes replaces the usual operations; the first two keep the bare reads: */
    bool segments;   /* sums of segments */
    bool streams;    /* stream reduction by every method */
    bool windows;    /* sums of windows */
    bool recordings; /* the host's time for long recordings */
    bool images;     /* reductions, tiles and pyramids of images */
    bool histograms;
    bool ordered;   /* sorts, selections, searches, expansions, work by key */
    bool all_sizes; /* neither --sizes nor --quick is given */
    uint64_t runs;
    uint64_t warm_ups; /* untimed runs */
    uint64_t budget;   /* seconds per arm over all sizes */
    uint64_t busy;     /* ms for which the device is kept busy before each timed run */
    bool busy_given;   /* otherwise the device decides (busy.h) */
    uint64_t sizes[MAX_SIZES];
    uint32_t size_count;
    uint64_t workgroups[MAX_WORKGROUPS]; /* workgroup sizes of the reductions; 0: tuned */
    uint32_t workgroup_count;
    char **filters;
    uint32_t filter_count;
} settings;

/* Parses options. The filters move to the front of argv. */
int settings_parse(settings *s, int argc, char **argv);

#endif
