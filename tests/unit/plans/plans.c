/* SPDX-License-Identifier: MIT */
#include "plans.h"

TEST_MAIN("plans", CASE(test_layouts), CASE(test_results), CASE(test_segment_layouts),
          CASE(test_segment_indices), CASE(test_mapped_layouts), CASE(test_scan_types),
          CASE(test_names), CASE(test_open_views), CASE(test_nothing), CASE(test_formats),
          CASE(test_image_uses), CASE(test_mask_uses), CASE(test_mask_ends),
          CASE(test_histogram_uses), CASE(test_pyramid_extents), CASE(test_pyramid_counts),
          CASE(test_pyramid_same), CASE(test_pyramid_recursive), CASE(test_pyramid_single),
          CASE(test_pyramid_hybrid), CASE(test_square_counts), CASE(test_square_recursion),
          CASE(test_histogram_pipelines), CASE(test_stream_whole), CASE(test_stream_blocks),
          CASE(test_stream_groups), CASE(test_scan_levels), CASE(test_metal_scans),
          CASE(test_whole_groups), CASE(test_second_pass), CASE(test_look_back),
          CASE(test_flags_beside), CASE(test_run_lengths))
