/* SPDX-License-Identifier: MIT */
/* Long recordings: recordings.c runs them, verify_recordings.c verifies the results. */
#ifndef BENCH_RECORDINGS_H
#define BENCH_RECORDINGS_H

#include <stdio.h>
#include "state.h"

#define RECORDING_ROWS 9u
#define RECORDING_WINDOW 65536u /* window size of a compaction in bytes: the minimum of a context */
#define RECORDING_KEPT_FROM 0x66666666u

typedef enum recording_shape {
    RECORDING_INDEPENDENT,
    RECORDING_CHAINED,
    RECORDING_WINDOWS,
    RECORDING_SHAPES
} recording_shape;

/* What is timed: three parts of recording, and the execution. */
enum { TIME_COLLECT, TIME_USES, TIME_END, TIME_SUBMIT, TIMES };

typedef struct recording {
    char name[48];
    recording_shape shape;
    uint32_t count; /* operations, or windows */
    double times[TIMES][MAX_RUNS];
    double medians[TIMES];
    verdict verdict;
} recording;

typedef struct recordings {
    recording rows[RECORDING_ROWS];
    uint32_t row_count;
    VkDeviceSize slot;     /* distance between results in bytes */
    VkrHostMemory source;  /* random words */
    VkrHostMemory results; /* output of the operations; initially a copy of the source */
    VkrHostMemory readback;
    uint32_t *words; /* the source */
    VkrContext windowed;
    VkrRecorder recorders[2]; /* of the default context, and of the one with small windows */
} recordings;

/* Measures long recordings instead of all arms. */
int recordings_measure(const bench *b, FILE *json);

/* Compares the words that a row wrote. */
void recordings_verify(uint32_t *found, const recordings *r, recording *entry);

#endif
