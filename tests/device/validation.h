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

#define COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define BUFFER_SIZE (1u << 20)
#define SCRATCH_SIZE (4u << 20)
#define COUNT 100000u /* elements: several workgroups, levels and windows */
#define FEW 64u       /* elements: one workgroup of one dispatch */
#define SMALL_RANGE 65536u
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { FLOATS, WORDS, OUTPUT, COPY, SCRATCH, BUFFERS };

extern harness device;
extern harness_buffer buffers[BUFFERS]; /* OUTPUT is copied to COPY */
extern VkBufferView texels;             /* a view of all floats */
extern uint32_t plants;                 /* how often the planted fault took effect */

/* A fault: barriers from `from` to `to` lose `from`, or lead to `instead`; or binding 0 becomes
 * smaller; or unused bindings get the buffer of binding 0. */
typedef struct plant {
    VkPipelineStageFlags from;
    VkPipelineStageFlags to;
    VkPipelineStageFlags instead;
    uint32_t shrink; /* divides the size of binding 0 */
    bool repeat;
    const char *report;
} plant;

typedef struct session {
    VkrContext context;
    VkrRecorder recorder;
    VkDeviceSize spacing; /* distance between outputs */
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
    void (*check)(const struct scenario *); /* checks the copied outputs; NULL: no check */
    uint32_t submits;                       /* 0: 1 */
    bool recorded_only;                     /* each in its own command buffer */
    bool full;                              /* only in a full run */
    plant fault;                            /* no fault if its report is NULL */
} scenario;

/* ---- validation_rows.c ---- */

/* The last row has no name. */
extern const scenario sync_rows[], gpu_rows[];

/* ---- validation_reductions.c ---- */

VkrReduceInfo reduction(const session *s, const scenario *t, uint64_t count, uint32_t slot);
void collect(session *s, const VkrReduceInfo *info);

/* The consumer copies the outputs. */
void end(session *s, bool own_scratch);

void record_one(session *s, const scenario *t);
void record_chain(session *s, const scenario *t);
void record_several(session *s, const scenario *t);
void record_overwritten_input(session *s, const scenario *t);
void record_overwritten_output(session *s, const scenario *t);
void record_through_texels(session *s, const scenario *t);
void record_filled_texels(session *s, const scenario *t);
void record_pieces(session *s, const scenario *t);

/* ---- validation_moves.c ---- */

void record_scans(session *s, const scenario *t);
void record_compactions(session *s, const scenario *t);
void record_moved_texels(session *s, const scenario *t);

/* ---- validation_segments.c ---- */

/* Records segments of every kind with the scenario's algorithm, or for AUTO with each algorithm. */
void record_segments(session *s, const scenario *t);
void check_segments(const scenario *t);

/* ---- validation_pairs.c ---- */

void record_pairs(session *s, const scenario *t);

#endif
