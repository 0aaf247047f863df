/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the program edges: three buffers, and one recording at a time. */
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
#define MANY 20011u        /* more than fit into SMALL_RANGE */
#define SMALL_RANGE 65536u /* bytes */
#define UNTOUCHED 32u      /* words after the results that are checked */
#define OFFSET 4u          /* bytes before inputs, so that no load is aligned */

extern harness h;
extern harness_buffer input, output, extra;

/* A recording in a context of its own. */
typedef struct work {
    VkrContext context;
    VkrRecorder recorder;
} work;

/* A tuning row with shares of 64 bytes, so that few elements need many workgroups. */
VkrTuning shares(uint32_t workgroup, VkrLoadOrder order, VkrLoadPath path);

/* Begins a recording, and fills the output with POISON. */
work open_work(const VkrLimits *limits, const VkrTuning *tuning);

/* record ends the recording, which can then be submitted any number of times; the other function
 * also submits it once. */
void record(const work *w);
void close_work(const work *w);
void run(const work *w);

/* A view of words of a buffer; and a view of the input's words starting at OFFSET. */
VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset, uint32_t count);
const uint32_t *input_words(void);

/* Checks that the output's words starting at `offset` equal `right`, and that the words after them
 * are unchanged. */
void expect(const char *what, VkDeviceSize offset, const uint32_t *right, uint32_t count);

/* The device's best group path. */
VkrGroupPath best_group_path(void);

/* Each adds its tests to a list and returns their number. */
#define MAX_EDGES 120u
size_t reduce_edges(struct CMUnitTest *tests);
size_t float_edges(struct CMUnitTest *tests);
size_t scan_edges(struct CMUnitTest *tests);
size_t compact_edges(struct CMUnitTest *tests);
size_t element_edges(struct CMUnitTest *tests);

#endif
