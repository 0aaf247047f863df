/* SPDX-License-Identifier: MIT */
/* The operations of the test `progress`, and their buffers. */
#ifndef VKR_TESTS_PROGRESS_H
#define VKR_TESTS_PROGRESS_H

#include "reduce_case.h"

#define PROGRESS_MAX_TILES 100000u

/* `words` is the size of the input, the output and the expected output in words, `count` the number
 * of elements. `looks` is the policy of a sort (src/tables/policies/sort.h), or 0. */
typedef struct operation_row {
    const char *name;
    VkrResult (*collect)(VkrRecorder recorder, uint32_t words);
    /* Replaces 0xcd bytes by the expected output. NULL: all runs must give the same bits. */
    void (*expect)(uint32_t words, uint32_t count);
    uint32_t max_tiles;
    bool held;      /* a tile is loaded at once, by packs, and stays in registers */
    uint32_t muted; /* some drivers take long to compile it: one geometry, and this muted tile */
    uint32_t looks;
    bool chosen; /* a row of the tuning asks for a single pass, which is never refused */
} operation_row;

#define PROGRESS_OPERATIONS 14
extern const operation_row operations[PROGRESS_OPERATIONS];

/* Words, floats, keys with runs of many lengths, and what operations write; and the words that they
 * should have written. */
extern harness_buffer input, floats, runs, output;
extern uint32_t *expected;

/* Where operations other than sorts read how many elements they have; or none. */
extern VkrGpuCount gpu_count;

#endif
