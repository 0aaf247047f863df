/* SPDX-License-Identifier: MIT */
/* What the rows of operations.h read, as the host sees it: for the functions that check outputs. */
#ifndef VKR_TESTS_OPERATIONS_DATA_H
#define VKR_TESTS_OPERATIONS_DATA_H

#include "operations.h"

/* Elements first, first + step, .. */
typedef struct operation_span {
    uint32_t first, step, count;
} operation_span;

const uint32_t *operation_other_words(const operation_data *data, size_t offset);
const void *operation_slot(const operation_run *run, const operation_data *data, uint32_t slot);

/* Whether an output has a word at an offset. */
bool operation_is_word(const char *output, VkDeviceSize offset, uint32_t right);

/* The number of elements, after the count of the GPU. */
uint32_t operation_counted(const operation_run *run, const operation_row *row,
                           const operation_data *data);

/* The segment of a reduction that comes after another one; the first one comes after {0}. Returns
 * false if there is none. */
bool operation_next_segment(const operation_run *run, const operation_row *row,
                            const operation_data *data, uint32_t index, operation_span *s);

/* Whether a segment of a scan or a sort starts at an element. */
bool operation_starts_at(const operation_run *run, const operation_row *row,
                         const operation_data *data, uint32_t i);

#endif
