/* SPDX-License-Identifier: MIT */
/* State of one row of scans while it runs. */
#ifndef VKR_TESTS_SCAN_RUN_H
#define VKR_TESTS_SCAN_RUN_H

#include "scan_case.h"

/* Numbers of elements: of a workgroup, of its share if there are several, of a tile, and of a
 * window. */
typedef struct edges {
    uint64_t w, share, tile, window;
} edges;

typedef struct row_run {
    scan_test *t;
    const scan_row *row;
    VkrType result;
    uint32_t element, written; /* bytes of an element of the input, and of the output */
    scan_case cases[MAX_CASES];
    uint32_t case_count;
    VkrRecorder recorder;
    VkrContextProperties properties;
    edges edges;
    /* In thin rows all cases load and store in the same way, so that they need fewer pipelines. */
    bool alike, packed, aligned, texels;
    VkrBufferRange scratch;
    char text[360];
} row_run;

void scan_describe_row(const scan_row *row, char *text, size_t size);
void scan_fill_initial(row_run *r, scan_case *c);
edges scan_find_edges(const row_run *r);
void scan_add_cases(row_run *r);
VkrSegments scan_case_segments(const row_run *r, const scan_case *c);
void scan_report(row_run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void scan_collect(row_run *r);
void scan_choose_scratch(row_run *r);
void scan_end_recording(scan_test *t, VkrRecorder recorder, limits_row limits,
                        VkrBufferRange scratch);

#endif
