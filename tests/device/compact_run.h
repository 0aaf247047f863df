/* SPDX-License-Identifier: MIT */
/* Records and compares a row of compactions, and generates its data. */
#ifndef VKR_TESTS_COMPACT_RUN_H
#define VKR_TESTS_COMPACT_RUN_H

#include "compact_case.h"

void compact_fill_case(row_run *r, compact_case *c);

#endif
