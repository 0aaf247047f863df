/* SPDX-License-Identifier: MIT */
/* The data of a case of compactions, which compact_data.c generates. */
#ifndef VKR_TESTS_COMPACT_RUN_H
#define VKR_TESTS_COMPACT_RUN_H

#include "compact_case.h"

void compact_fill_case(row_run *r, compact_case *c);

#endif
