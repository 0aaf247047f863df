/* SPDX-License-Identifier: MIT */
/* What the tests of libvkreduce-mpi share. */
#ifndef VKR_TESTS_MPI_RANKS_H
#define VKR_TESTS_MPI_RANKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "reduce_case.h"

#include "vkreduce/mpi.h"

/* How a whole is cut into the shares of the ranks. */
typedef enum share_kind {
    SHARES_RANDOM,          /* mostly at odd elements */
    SHARES_SOME,            /* every other rank has none */
    SHARES_ONE,             /* all of it is the middle rank's */
    SHARES_BLOCKS,          /* multiples of VKR_SCAN_BLOCK, but for the end of the whole */
    SHARES_BLOCKS_REVERSED, /* the same, but for its start */
} share_kind;

typedef struct share {
    uint64_t first, count;
} share;

typedef struct ranks {
    harness h;
    VkrContext context;
    VkrMpi mpi;
    int rank, count;
    uint64_t seed;
    int failures;       /* in this test, on this rank */
    char sentence[512]; /* the last one of libvkreduce-mpi */
    harness_buffer input, input2, output;
} ranks;

extern ranks test;

share cut_whole(share_kind kind, uint64_t whole);

/* Fills memory with a whole, the same on each rank. The caller frees it. */
void *make_whole(distribution data, VkrType type, uint32_t components, uint64_t whole);

/* Copies a share to a buffer at an odd place, with elements that are `stride` bytes apart. */
VkrView place_share(const harness_buffer *buffer, const void *whole, share s, VkrType type,
                    uint32_t components, VkDeviceSize stride);

/* Counts a failure unless the condition holds, and prints what is wrong. */
#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test.failures++;                                                                       \
            fprintf(stderr, "# rank %d of %d: %s:%d: ", test.rank, test.count, __FILE__,           \
                    __LINE__);                                                                     \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\n");                                                                 \
        }                                                                                          \
    } while (0)

void test_reductions(void);
void test_scans(void);
void test_counts(void);
void test_errors(void);

#endif
