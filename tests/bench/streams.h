/* SPDX-License-Identifier: MIT */
/* Stream reduction as of 2007 and today: streams.c has the arms, stream_steps.c times the steps of
 * an operation, geometry.c compacts with a geometry shader. measure.c measures them like all
 * others. */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include "state.h"

/* ---- streams.c ---- */

/* The arms of --streams, besides bare reads and copies. */
const arm *streams_arms(uint32_t *count);

/* The size at which block sizes, shares and steps are varied. */
uint64_t streams_sweep(const settings *s);

/* Adds the size that is measured only on GPUs. */
void streams_add_sizes(settings *s, const gpu *g);

/* The buffers must exist; streams_close may follow a failure. */
int streams_open(bench *b);
void streams_close(bench *b);

/* Whether an arm cannot be measured because the device lacks geometry shaders or timestamps. */
bool streams_lack(const bench *b, const arm *a);

/* The shared scratch memory, if it is large enough for the recorder's operations. */
VkrBufferRange streams_scratch(const bench *b, VkrRecorder recorder);

/* ---- stream_steps.c ---- */

/* Creates a context whose recordings have timestamps around the dispatches of one step. The
 * library's pipeline names identify the kernels. */
int stream_steps_open(bench *b);
void stream_steps_close(bench *b);
VkrContext stream_steps_context(const bench *b);

/* Called before and after vkrEnd. The second sets a->intervals. */
void stream_steps_begin(const bench *b, const arm *a);
int stream_steps_end(arm *a);

/* The time of the step in the last submit that has executed. */
int stream_steps_read(const bench *b, const arm *a, double *milliseconds);

extern const char *const stream_step_names[STREAM_STEPS];

/* ---- geometry.c ---- */

int geometry_open(bench *b);
void geometry_close(bench *b);

/* NULL, or what the device lacks, in words that follow its name. */
const char *geometry_lacks(const bench *b);

/* Whether n elements exceed the maximum that can be captured at once. */
bool geometry_beyond(const bench *b, uint64_t n);

/* The device of the geometry shader. */
VkrHost geometry_host(const bench *b);

void geometry_record(const bench *b, const arm *a, uint64_t n);

/* Does the same as measure_again. */
int geometry_again(const bench *b, const arm *a, VkDeviceSize size);

#endif
