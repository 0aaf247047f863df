/* SPDX-License-Identifier: MIT */
/* --windows, --images, --histograms and --ordered: modes in which each arm has one row, in place of
 * one per size. */
#ifndef BENCH_MODE_H
#define BENCH_MODE_H

#include <stdio.h>
#include "state.h"

typedef struct mode {
    /* Whether an arm cannot have n elements; NULL: none is too large. */
    bool (*is_beyond)(const bench *b, const arm *a, uint64_t n);
    /* Hands the operation of an arm of the library to its recorder. */
    VkrResult (*collect)(const bench *b, const arm *a, uint64_t n);
    /* Records what is not timed, before an arm; or NULL. */
    void (*precede)(const bench *b, const arm *a, uint64_t n);
    bool shares_scratch; /* the arms use `scratch`, which is created for them */
    /* Records the commands of every other arm. */
    void (*record)(const bench *b, const arm *a, uint64_t n);
    /* Runs an arm before all are timed, and may leave it out; or NULL. */
    int (*rehearse)(const bench *b, const arm *a, row *r);
    /* Computes bytes and ratios of a measured row, and verifies its results. */
    int (*finish)(bench *b, row *r);
    void (*report)(const bench *b);
} mode;

/* Allocates arms and rows. Then mode_add adds an arm of n elements if the filters select it, and
 * mode_check returns an error if a filter selects none. */
int mode_allocate(bench *b, uint32_t most);
bool mode_add(bench *b, const arm *a, uint64_t n);
int mode_check(bench *b);

/* Records, measures, verifies and reports all arms. */
int mode_measure(bench *b, const mode *m, FILE *json);

#endif
