/* SPDX-License-Identifier: MIT */
/* Bare reads and copies of the data. The kernels see the buffers through windows no larger than a
 * descriptor's range. */
#ifndef BENCH_READ_H
#define BENCH_READ_H

#include "state.h"

#define READ_WINDOWS 8u    /* maximum */
#define READ_GROUPS 16384u /* maximum over all windows; each group writes two words */
#define SLOT_SIZE (8u * READ_GROUPS)

/* The maximum number of bytes that the windows of a device cover. */
uint64_t reader_reach(const gpu *g);

/* Whether a device supports loads of a form. */
bool reader_has(const gpu *g, load_form form);

/* The buffers must exist; reader_close may follow a failure. */
int reader_open(bench *b);
void reader_close(bench *b);
int reader_pipeline(const bench *b, const read_shape *shape, VkPipeline *pipeline);

/* Records a bare kernel that writes to the arm's slot, and sets arm->groups. */
void reader_record(const bench *b, arm *a, uint64_t n);

#endif
