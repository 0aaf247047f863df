/* SPDX-License-Identifier: MIT */
/* Stream reduction as of 2007 and today: streams.c has the arms, stream_steps.c times the steps of
 * one, geometry.c packs by a geometry shader. measure.c measures them as it does all others. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include "parts.h"

/* ---- streams.c ---- */

/* The arms of --streams, besides bare reads and copies. */
const arm *streams_arms(uint32_t *count);

/* The size at which blocks, shares and steps are varied. */
uint64_t streams_sweep(const settings *s);

/* Adds sizes that only GPUs take. */
void streams_add_sizes(settings *s, const gpu *g);

/* The buffers must be there; streams_close may follow a failure. */
int streams_open(bench *b);
void streams_close(bench *b);

/* Whether an arm cannot be measured on this device: no geometry shader, or no timestamps. */
bool streams_lack(const bench *b, const arm *a);

/* The common scratch memory, where the operations that a recorder has collected fit it. */
VkrBufferRange streams_scratch(const bench *b, VkrRecorder recorder);

/* ---- stream_steps.c ---- */

/* A context of its own, whose recordings have timestamps around the dispatches of one step. Kernels
 * are known by the names that the library gives its pipelines. */
int stream_steps_open(bench *b);
void stream_steps_close(bench *b);
VkrContext stream_steps_context(const bench *b);

/* Go before and behind vkrEnd. The second sets a->intervals. */
void stream_steps_begin(const bench *b, const arm *a);
int stream_steps_end(arm *a);

/* The time of the step in the submit that has just executed. */
int stream_steps_read(const bench *b, const arm *a, double *milliseconds);

extern const char *const stream_step_names[STREAM_STEPS];

/* ---- geometry.c ---- */

int geometry_open(bench *b);
void geometry_close(bench *b);

/* NULL, or what the device lacks. */
const char *geometry_lacks(const bench *b);

/* Whether n elements are more than can be captured at a time. */
bool geometry_beyond(const bench *b, uint64_t n);

/* What executes its commands. */
const gpu *geometry_gpu(const bench *b);

void geometry_record(const bench *b, const arm *a, uint64_t n);

/* As measure_again. */
int geometry_again(const bench *b, const arm *a, VkDeviceSize size);

#endif
