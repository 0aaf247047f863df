/* SPDX-License-Identifier: MIT */
#ifndef VKR_TESTS_COMPACT_CALLED_H
#define VKR_TESTS_COMPACT_CALLED_H

#include "compact_case.h"

void test_called(void **state);

#endif
