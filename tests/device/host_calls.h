/* SPDX-License-Identifier: MIT */
/* What the tests of calls for one array share. */
#ifndef VKR_TESTS_HOST_CALLS_H
#define VKR_TESTS_HOST_CALLS_H

#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkreduce/host.h"

/* Which host a case uses, how many elements it has, and VkrHostXInfo::chunkSize. */
typedef struct call_case {
    VkrHost host;
    const char *name; /* of the host */
    uint64_t count;
    VkDeviceSize chunk;
    VkrType type;
} call_case;

/* Runs a test for all hosts, counts and chunk sizes with each of some types that the device has; a
 * list ends with VKR_TYPE_UNDEFINED. */
void each_case(const VkrType *types, void (*test)(const call_case *));

extern VkrHost host;        /* one of those */
extern char sentence[8192]; /* the last message */

/* Memory whose neighbouring bytes are checked when it is dropped. It starts at a multiple of 8, and
 * not of more. All bytes are 0xa5. */
void *take(size_t size);
void drop(void *memory);

/* Memory with what a map makes of elements: packed floats. */
void *take_mapped(const VkrMap *map, VkrType type, uint32_t components, const void *data,
                  size_t stride, uint64_t count);

/* Elements of a type: small numbers, floats with fractions, some of them equal. */
void fill(VkrType type, void *data, uint64_t count);

/* Compares memory, and prints where it differs. */
void assert_same(const call_case *c, const char *what, const void *actual, const void *expected,
                 size_t size);

EXTERN_TEST(test_reduce);
EXTERN_TEST(test_reduce_masked);
EXTERN_TEST(test_scan);
EXTERN_TEST(test_scan_masked);
EXTERN_TEST(test_sort);
EXTERN_TEST(test_sort_keys);
EXTERN_TEST(test_merge);
EXTERN_TEST(test_topk);
EXTERN_TEST(test_select);
EXTERN_TEST(test_expand);
EXTERN_TEST(test_bounds);
EXTERN_TEST(test_compact);
EXTERN_TEST(test_histogram);
EXTERN_TEST(test_apply);
EXTERN_TEST(test_wrong);
EXTERN_TEST(test_too_large);

#endif
