/* SPDX-License-Identifier: MIT */
/* All operations of the engine. */
#include "engine.h"

extern const test_operation test_apply, test_bin, test_bounds, test_by_key, test_compact,
    test_expand, test_find, test_histogram, test_images, test_merge, test_monoids, test_pyramid,
    test_reduce, test_scan, test_segments, test_select, test_sort, test_streams, test_topk;

const test_operation *const test_operations[] = {
    &test_apply,   &test_bin,     &test_bounds,    &test_by_key, &test_compact,
    &test_expand,  &test_find,    &test_histogram, &test_images, &test_merge,
    &test_monoids, &test_pyramid, &test_reduce,    &test_scan,   &test_segments,
    &test_select,  &test_sort,    &test_streams,   &test_topk,   NULL};
