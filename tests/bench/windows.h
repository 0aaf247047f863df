/* SPDX-License-Identifier: MIT */
/* --windows: sums of every window of W elements, W at a time. */
#ifndef BENCH_WINDOWS_H
#define BENCH_WINDOWS_H

#include <stdio.h>
#include "kernel.h"
#include "state.h"

#define WINDOW_GROUP 256u    /* invocations of a workgroup, as in windows.comp */
#define WINDOW_BATCHES 64u   /* windows per invocation, from memory */
#define WINDOW_MADE 2048u    /* values per invocation, made in registers */
#define WINDOW_HEAD 256u     /* bytes before the sums, which hold the subgroup size */
#define WINDOW_VALUES 2048u  /* elements are integers below it, so that all sums are exact */
#define WINDOW_MAX_LANES 32u /* maximum of W */

struct windows {
    uint32_t lanes;      /* W */
    uint32_t processors; /* multiprocessors, or cores */
    uint32_t most;       /* maximum number of windows from memory per dispatch */
    kernel_layout layout;
    VkDescriptorSet sets[WINDOW_TYPES];
    VkPipeline pipelines[WINDOW_TYPES][2][WINDOW_FORMS];
    VkrHostMemory data[WINDOW_TYPES];
    uint32_t *values; /* the elements */
    uint32_t *sums;   /* expected sums: from memory, then of values made in registers */
};

extern const VkrType window_types[WINDOW_TYPES];

/* Measures sums of windows instead of all other arms. windows_close may follow a failure. */
int windows_measure(bench *b, FILE *json);
void windows_close(bench *b);

/* The number of sums that an arm writes. */
uint32_t windows_count(const row *r);

/* ---- verify_windows.c ---- */

/* The first computes the elements and the sums; the second writes the elements as a type. */
bool windows_expect(struct windows *w);
void windows_write(const struct windows *w, uint32_t type, void *elements);

/* Compares the sums of an arm in `copied`. */
void windows_verify(const bench *b, row *r);

#endif
