/* SPDX-License-Identifier: MIT */
/* Segments between offsets that tests of selections draw. */
#ifndef VKR_TEST_RAGGED_H
#define VKR_TEST_RAGGED_H

#include "engine.h"

/* Fills the offsets of `rows` segments of `count` elements. The segments are all empty, of equal
 * length, which `even` asks for, tiny except for a giant one, or of random length; some end past
 * the elements. */
void ragged_fill(test_request *t, const VkrSegments *segments, uint32_t rows, uint32_t count,
                 bool even);

uint64_t ragged_offset(const VkrSegments *segments, uint64_t i);

#endif
