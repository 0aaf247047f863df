/* SPDX-License-Identifier: MIT */
/* Tests of the plans for chosen requests. */
#ifndef VKR_TESTS_PLANS_H
#define VKR_TESTS_PLANS_H

#include "../requests.h"
#include "trace.h"

/* layouts.c */
void test_layouts(void **state);
void test_results(void **state);
void test_segment_layouts(void **state);
void test_segment_indices(void **state);
void test_mapped_layouts(void **state);
void test_scan_types(void **state);
void test_names(void **state);
/* views.c */
void test_open_views(void **state);
void test_nothing(void **state);
void test_formats(void **state);
/* uses.c */
void test_image_uses(void **state);
void test_mask_uses(void **state);
void test_mask_ends(void **state);
void test_histogram_uses(void **state);
/* pyramids.c */
void test_pyramid_extents(void **state);
void test_pyramid_counts(void **state);
void test_pyramid_same(void **state);
void test_pyramid_recursive(void **state);
void test_pyramid_single(void **state);
void test_pyramid_hybrid(void **state);
/* squares.c */
void test_square_counts(void **state);
void test_square_recursion(void **state);
/* histograms.c */
void test_histogram_pipelines(void **state);
/* streams.c */
void test_stream_whole(void **state);
void test_stream_blocks(void **state);
void test_stream_groups(void **state);
/* levels.c */
void test_scan_levels(void **state);
/* whole.c */
void test_whole_groups(void **state);
void test_second_pass(void **state);
void test_look_back(void **state);
void test_flags_beside(void **state);
/* runs.c */
void test_run_lengths(void **state);
/* metal.c */
void test_metal_scans(void **state);

#endif
