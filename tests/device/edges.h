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
#define UNTOUCHED 32u      /* words behind results that are checked */
#define OFFSET 4u          /* bytes before inputs, so that no load is aligned */

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

/* The first ends the recording, which can be submitted any number of times then; the second also
 * submits it once. */
void record(const work *w);
void close_work(const work *w);
void run(const work *w);

/* A view of words of a buffer, and one of the input's words from OFFSET on. */
VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset, uint32_t count);
const uint32_t *input_words(void);

/* Checks that the words of the output from `offset` on are those of `right`, and that those behind
 * them are not written. */
void expect(const char *what, VkDeviceSize offset, const uint32_t *right, uint32_t count);

/* The device's best group path. */
VkrGroupPath best_group_path(void);

/* Add their tests to a list. Return how many. */
#define MAX_EDGES 64u
size_t reduce_edges(struct CMUnitTest *tests);
size_t float_edges(struct CMUnitTest *tests);
size_t scan_edges(struct CMUnitTest *tests);
size_t compact_edges(struct CMUnitTest *tests);

#endif
