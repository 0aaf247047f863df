/* SPDX-License-Identifier: MIT */
/* Tuning rows as text. */
#ifndef VKR_TESTS_PROFILE_H
#define VKR_TESTS_PROFILE_H

#include "trace.h"

#define MAX_TEXT 4096
#define ROWS (8 * VKR_OPERATION_COUNT)

/* The stub's device has ids and a driver version of 0, and subgroups of 32. */
#define HEAD "vkreduce-profile 2\ndevice 0 0 0 32\n"
#define ROW "reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0\n"
#define SCAN_ROW "scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 256 1\n"

/* Creates a context with a profile in an array of exactly `size` bytes, so that sanitizers notice
 * reads past its end. */
VkrResult load(const char *text, size_t size);

/* Creates a context with this profile, which must be valid, and a recorder. */
void open_with(const char *text);

/* Writes rows as a profile, and returns its length. */
size_t write_rows(const VkrTuning *rows, uint32_t count, char text[MAX_TEXT]);

/* The rows of all operations, sizes and views. */
void get_rows(VkrTuning rows[ROWS]);

/* policies.c */
void test_policies(void **state);
void test_refused_policies(void **state);

/* refused.c */
void test_refused(void **state);
void test_torn(void **state);
void test_fuzzed(void **state);

#endif
