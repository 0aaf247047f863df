/* SPDX-License-Identifier: MIT */
/* Scans whose results are known. */
#ifndef VKR_TESTS_SCAN_KNOWN_H
#define VKR_TESTS_SCAN_KNOWN_H

#include "scan_case.h"

bool serves(const scan_row *row);
void test_chain(void **state);
void test_side_by_side(void **state);
void test_pieces(void **state);
void test_levels(void **state);
void test_figure(void **state);
void test_masks(void **state);
void test_refusals(void **state);

extern scan_test test;

#endif
