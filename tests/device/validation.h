/* SPDX-License-Identifier: MIT */
/* The parts of a scenario of validation.c. */
#ifndef VKR_TESTS_VALIDATION_H
#define VKR_TESTS_VALIDATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness.h"

#define BUFFER_SIZE (1u << 20)

enum { FLOATS, WORDS, OUTPUT, COPY, SCRATCH, BUFFERS };

extern harness device;
extern harness_buffer buffers[BUFFERS]; /* OUTPUT becomes COPY */

/* Barriers from `from` to `to` lose `from`, or lead to `instead`; binding 0 becomes smaller, or
 * stands for unused ones too. */
typedef struct plant {
    VkPipelineStageFlags from;
    VkPipelineStageFlags to;
    VkPipelineStageFlags instead;
    uint32_t shrink; /* divisor */
    bool repeat;
    const char *report;
} plant;

typedef struct session {
    VkrContext context;
    VkrRecorder recorder;
    VkDeviceSize spacing; /* between outputs */
} session;

typedef struct scenario {
    const char *name;
    void (*record)(session *, const struct scenario *);
    VkrReduceAlgorithm algorithm;
    VkrScanAlgorithm scan;
    VkrCompactAlgorithm compact;
    VkrType type;
    uint32_t flags; /* of the operation */
    VkrDeterminism determinism;
    VkrLimits limits;
    VkrTuning tuning;                       /* of 4-byte values; without a size: the built-in one */
    void (*check)(const struct scenario *); /* of what was copied; NULL: none */
    uint32_t submits;                       /* 0: 1 */
    bool recorded_only;                     /* in command buffers of its own */
    bool full;                              /* not of the default tier */
    plant fault;                            /* its report is NULL: none */
} scenario;

/* ---- validation_segments.c ---- */

/* Records segments of every kind, with the scenario's algorithm or, where that is AUTO, with each
 * algorithm. */
void record_segments(session *s, const scenario *t);
void check_segments(const scenario *t);

/* ---- validation_pairs.c ---- */

void record_pairs(session *s, const scenario *t);

#endif
