/* SPDX-License-Identifier: MIT */
#ifndef VKR_TESTS_LEVELS_H
#define VKR_TESTS_LEVELS_H

#include "unit.h"

void test_random_bytes(void **state);
void test_random_ranges(void **state);

#endif
