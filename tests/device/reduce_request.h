/* SPDX-License-Identifier: MIT */
/* What a request of reductions has of its own. */
#ifndef VKR_TESTS_REDUCE_REQUEST_H
#define VKR_TESTS_REDUCE_REQUEST_H

#include "engine.h"

/* The choices that determine which pipelines are compiled. Counts, offsets, strides and data vary
 * within a row. */
typedef struct reduce_row {
    VkrType type;
    VkrOpFlags ops;
    uint32_t components;
    VkrType accumulator;
    VkrNan nan;
    bool sample; /* VKR_REDUCE_SAMPLE_BIT */
    VkrDeterminism determinism;
    VkrReduceAlgorithm algorithm;
    uint32_t workgroup_size;
    VkrType gpu_count; /* UNDEFINED: the host's */
    bool consume;
    bool packs; /* loads 16 bytes at once where the views allow it */
} reduce_row;

typedef struct reduce_request {
    reduce_row row;
    uint64_t capacity; /* the host's count */
    bool meets_packs;  /* loads packs, so that all requests of the row share a pipeline */
    VkrReduceLayout layout;
    VkrReduceInfo info;
} reduce_request;

/* The layouts of a row: counts at edges; and, for drivers that compile slowly, only small or only
 * large ones. */
enum { REDUCE_EDGES = 22, REDUCE_SMALL = 20, REDUCE_LARGE = 14 };
#define REDUCE_LAYOUTS (REDUCE_EDGES + REDUCE_SMALL + REDUCE_LARGE)

/* Places a request whose row, limits and tuning are known. */
void reduce_place(test_request *t);

/* Parts of it: what the row alone says of `info`; an input of `capacity` elements, whose address
 * has this remainder by the size of the widest load (`all`: no elements beyond them); a texel view
 * of the first input; and, when all else of `info` is there, the GPU's count and the output. */
void reduce_begin(test_request *t);
VkrView reduce_place_input(test_request *t, VkDeviceSize stride, VkDeviceSize phase, bool all);
void reduce_place_texels(test_request *t);
void reduce_place_output(test_request *t, VkDeviceSize alignment);

VkrResult reduce_record(VkrRecorder recorder, const test_request *t);
void reduce_print(const test_request *t);
bool reduce_may_refuse(const test_request *t);
bool reduce_must_refuse(const test_request *t);

/* ---- reduce_expect.c ---- */

/* Expects the results of a segment with these elements; and the elements of a request from `first`
 * on. */
void reduce_expect_results(const test_request *t, const VkrReduceInfo *info,
                           const VkrReduceLayout *layout, const oracle_reduce_info *oracle,
                           uint64_t segment);
oracle_reduce_info reduce_oracle(const test_request *t, uint64_t first);

void reduce_fill(test_request *t);
void reduce_expect(test_request *t);

/* The same of requests with segments. With this many of them, most are tiny. */
#define SEGMENTS_MANY 1000000u
void segments_fill(test_request *t);
void segments_expect(test_request *t);

#endif
