/* SPDX-License-Identifier: MIT */
/* What the parts of the program edges share: three buffers, and one recording at a time. */
#ifndef VKR_TESTS_EDGES_H
#define VKR_TESTS_EDGES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define ELEMENTS 3001u
#define MANY 20011u        /* more than SMALL_RANGE holds */
#define SMALL_RANGE 65536u /* bytes */
#define UNTOUCHED 32u      /* words behind results that are looked at */
#define OFFSET 4u          /* of inputs: no alignment helps */

extern harness h;
extern harness_buffer input, output, extra;

/* One recording, of a context of its own. */
typedef struct work {
    VkrContext context;
    VkrRecorder recorder;
} work;

/* Shares of 64 bytes, so that few elements take many workgroups. */
VkrTuning shares(uint32_t workgroup, VkrLoadOrder order, VkrLoadPath path);

/* Begins to collect, and fills the output with POISON. */
work open_work(const VkrLimits *limits, const VkrTuning *tuning);

/* Ends the recording, which can be submitted any number of times then; or submits it once. */
void record(const work *w);
void close_work(const work *w);
void run(const work *w);

/* Words of a buffer; those of the input that stand at OFFSET. */
VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset, uint32_t count);
const uint32_t *input_words(void);

/* Words of the output from `offset` on are those of `right`, and those behind them not written. */
void expect(const char *what, VkDeviceSize offset, const uint32_t *right, uint32_t count);

/* The device's own. */
VkrGroupPath best_group_path(void);

/* Add their tests to a list. Return how many. */
#define MAX_EDGES 32u
size_t reduce_edges(struct CMUnitTest *tests);
size_t float_edges(struct CMUnitTest *tests);
size_t scan_edges(struct CMUnitTest *tests);
size_t compact_edges(struct CMUnitTest *tests);

#endif
