/* SPDX-License-Identifier: MIT */
/* The cases: a name, and the call of cases.c that records it. */
#ifndef VKR_ISA_TABLE_H
#define VKR_ISA_TABLE_H

static const VkrMap log2_luminance = {
    .weights = VKR_LUMINANCE_WEIGHTS, .bias = 1e-6f, .function = VKR_MAP_LOG2};

#define ALL ((VkrSegments){.kind = VKR_SEGMENTS_NONE})
#define EACH(KIND, n) ((VkrSegments){.kind = VKR_SEGMENTS_##KIND, .length = (n)})
#define OFFSETS                                                                                    \
    ((VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,                                                   \
                   .offsets = {isa_buffer(3), 0, 4 * (count / 16 + 1)}})
#define KEYS ((VkrSegments){.kind = VKR_SEGMENTS_KEYS, .keys = view(3, VKR_TYPE_U32, 1)})
#define FLAGS(FORMAT)                                                                              \
    ((VkrSegments){.kind = VKR_SEGMENTS_FLAGS,                                                     \
                   .flags = {.format = VKR_FLAGS_##FORMAT, .range = isa_range(3)}})
/* The width is that of a buffer; an image has its own. */
#define TILES(width)                                                                               \
    ((VkrSegments){                                                                                \
        .kind = VKR_SEGMENTS_TILES, .length = (width), .tileWidth = 16, .tileHeight = 16})
#define MINMAX (VKR_OP_MIN | VKR_OP_MAX)
#define FUSED (MINMAX | VKR_OP_SUM | VKR_OP_ARGMIN)
#define EVERYTHING                                                                                 \
    (FUSED | VKR_OP_PRODUCT | VKR_OP_MEAN | VKR_OP_SUMSQ | VKR_OP_L1 | VKR_OP_L2 | VKR_OP_ABSMAX | \
     VKR_OP_ARGMAX)
#define RUN VKR_DETERMINISM_RUN
#define DEVICE VKR_DETERMINISM_DEVICE
#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define RGBA16F VK_FORMAT_R16G16B16A16_SFLOAT

#define CASES(X)                                                                                   \
    X(reduce_f32_sum, reduce(VKR_OP_SUM, VKR_TYPE_F32, 1, RUN))                                    \
    X(reduce_f32_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F32, 1, DEVICE))                          \
    X(reduce_f32x3_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F32, 3, DEVICE))                        \
    X(reduce_f16_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F16, 1, DEVICE))                          \
    X(reduce_f64_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F64, 1, DEVICE))                          \
    X(reduce_f32_minmax, reduce(MINMAX, VKR_TYPE_F32, 1, RUN))                                     \
    X(reduce_f32_argmin, reduce(VKR_OP_ARGMIN, VKR_TYPE_F32, 1, RUN))                              \
    X(reduce_f32_fused, reduce(FUSED, VKR_TYPE_F32, 1, RUN))                                       \
    X(reduce_f32_mean, reduce(VKR_OP_MEAN, VKR_TYPE_F32, 1, RUN))                                  \
    X(reduce_f32_l2, reduce(VKR_OP_L2, VKR_TYPE_F32, 1, RUN))                                      \
    X(reduce_f32_stddev, reduce(VKR_OP_STDDEV, VKR_TYPE_F32, 1, RUN))                              \
    X(reduce_f32_logsumexp, reduce(VKR_OP_LOGSUMEXP, VKR_TYPE_F32, 1, RUN))                        \
    X(reduce_f32_subgroup, reduce_by(VKR_REDUCE_SUBGROUP, VKR_OP_SUM, VKR_TYPE_F32))               \
    X(reduce_f32_tree, reduce_by(VKR_REDUCE_TREE, VKR_OP_SUM, VKR_TYPE_F32))                       \
    X(reduce_f32x3_minmax, reduce(MINMAX, VKR_TYPE_F32, 3, RUN))                                   \
    X(reduce_f32x4_all_device, reduce(EVERYTHING, VKR_TYPE_F32, 4, DEVICE))                        \
    X(reduce_f16x4_all_device, reduce(EVERYTHING, VKR_TYPE_F16, 4, DEVICE))                        \
    X(reduce_i32_sum, reduce(VKR_OP_SUM, VKR_TYPE_I32, 1, RUN))                                    \
    X(reduce_u8_sum, reduce(VKR_OP_SUM, VKR_TYPE_U8, 1, RUN))                                      \
    X(reduce_u8_minmax, reduce(MINMAX, VKR_TYPE_U8, 1, RUN))                                       \
    X(reduce_u8x4_minmax, reduce(MINMAX, VKR_TYPE_U8, 4, RUN))                                     \
    X(reduce_f16_sum, reduce(VKR_OP_SUM, VKR_TYPE_F16, 1, RUN))                                    \
    X(reduce_f16_minmax, reduce(MINMAX, VKR_TYPE_F16, 1, RUN))                                     \
    X(reduce_bf16_sum, reduce(VKR_OP_SUM, VKR_TYPE_BF16, 1, RUN))                                  \
    X(reduce_bf16_minmax, reduce(MINMAX, VKR_TYPE_BF16, 1, RUN))                                   \
    X(reduce_f64_sum, reduce(VKR_OP_SUM, VKR_TYPE_F64, 1, RUN))                                    \
    X(reduce_f64_minmax, reduce(MINMAX, VKR_TYPE_F64, 1, RUN))                                     \
    X(image_rgba8_minmax, image(MINMAX, RGBA8, NULL, ALL))                                         \
    X(image_rgba8_sum, image(VKR_OP_SUM, RGBA8, NULL, ALL))                                        \
    X(image_rgba16f_log2, image(VKR_OP_MEAN, RGBA16F, &log2_luminance, ALL))                       \
    X(rows_8, segments(MINMAX, VKR_TYPE_F32, 1, EACH(ROWS, 8)))                                    \
    X(rows_8_sum, segments(VKR_OP_SUM, VKR_TYPE_F32, 1, EACH(ROWS, 8)))                            \
    X(rows_64_sum, segments(VKR_OP_SUM, VKR_TYPE_F32, 1, EACH(ROWS, 64)))                          \
    X(rows_64, segments(MINMAX, VKR_TYPE_F32, 1, EACH(ROWS, 64)))                                  \
    X(rows_4096, segments(MINMAX, VKR_TYPE_F32, 1, EACH(ROWS, 4096)))                              \
    X(rows_65536_f32x4, segments(VKR_OP_SUM, VKR_TYPE_F32, 4, EACH(ROWS, 65536)))                  \
    X(columns_1024, segments(VKR_OP_SUM, VKR_TYPE_F32, 1, EACH(COLUMNS, 1024)))                    \
    X(columns_u8x4, segments(MINMAX, VKR_TYPE_U8, 4, EACH(COLUMNS, 1024)))                         \
    X(columns_f32x4, segments(VKR_OP_SUM, VKR_TYPE_F32, 4, EACH(COLUMNS, 1024)))                   \
    X(windows_64, segments(VKR_OP_MAX, VKR_TYPE_F32, 1, EACH(WINDOWS, 64)))                        \
    X(windows_1024, segments(VKR_OP_MIN, VKR_TYPE_F32, 1, EACH(WINDOWS, 1024)))                    \
    X(offsets, segments(MINMAX, VKR_TYPE_F32, 1, OFFSETS))                                         \
    X(offsets_f32x3, segments(MINMAX, VKR_TYPE_F32, 3, OFFSETS))                                   \
    X(runs_u32_sum, runs(VKR_OP_SUM, VKR_TYPE_U32))                                                \
    X(runs_f32_sum, runs(VKR_OP_SUM, VKR_TYPE_F32))                                                \
    X(runs_i32_max, runs(VKR_OP_MAX, VKR_TYPE_I32))                                                \
    X(keys_f32_sum, segments(VKR_OP_SUM, VKR_TYPE_F32, 1, KEYS))                                   \
    X(tiles_f32, segments(MINMAX, VKR_TYPE_F32, 1, TILES(16384)))                                  \
    X(tiles_u8x4, segments(MINMAX, VKR_TYPE_U8, 4, TILES(16384)))                                  \
    X(tiles_rgba8, image(MINMAX, RGBA8, NULL, TILES(0)))                                           \
    X(scan_u32_sum, scan(VKR_TYPE_U32, 0, RUN))                                                    \
    X(scan_u32_two_passes, scan_by(VKR_SCAN_REDUCE_THEN_SCAN, VKR_TYPE_U32))                       \
    X(scan_f32_sum, scan(VKR_TYPE_F32, 0, RUN))                                                    \
    X(scan_f32_two_passes, scan_by(VKR_SCAN_REDUCE_THEN_SCAN, VKR_TYPE_F32))                       \
    X(scan_f32_sum_device, scan(VKR_TYPE_F32, 0, DEVICE))                                          \
    X(scan_u8_sum, scan(VKR_TYPE_U8, 0, RUN))                                                      \
    X(scan_u8_exclusive, scan(VKR_TYPE_U8, VKR_SCAN_EXCLUSIVE_BIT, RUN))                           \
    X(scan_f32_masked, scan_masked(VKR_TYPE_F32))                                                  \
    X(scan_u8_masked, scan_masked(VKR_TYPE_U8))                                                    \
    X(scan_u32_flags, scan_segments(VKR_OP_SUM, VKR_TYPE_U32, FLAGS(U32)))                         \
    X(scan_u32_bytes, scan_segments(VKR_OP_SUM, VKR_TYPE_U32, FLAGS(U8)))                          \
    X(scan_u8_flags, scan_segments(VKR_OP_SUM, VKR_TYPE_U8, FLAGS(U8)))                            \
    X(scan_f32_flags, scan_segments(VKR_OP_SUM, VKR_TYPE_F32, FLAGS(BITS)))                        \
    X(scan_i32_max_flags, scan_segments(VKR_OP_MAX, VKR_TYPE_I32, FLAGS(BITS)))                    \
    X(scan_u32_keys, scan_segments(VKR_OP_SUM, VKR_TYPE_U32, KEYS))                                \
    X(scan_f32_keys, scan_segments(VKR_OP_SUM, VKR_TYPE_F32, KEYS))                                \
    X(scan_u32_rows, scan_segments(VKR_OP_SUM, VKR_TYPE_U32, EACH(ROWS, 100)))                     \
    X(scan_f32_columns, scan_segments(VKR_OP_SUM, VKR_TYPE_F32, EACH(COLUMNS, 1024)))              \
    X(scan_u8_columns, scan_segments(VKR_OP_SUM, VKR_TYPE_U8, EACH(COLUMNS, 1024)))                \
    X(scan_i32_max_columns, scan_segments(VKR_OP_MAX, VKR_TYPE_I32, EACH(COLUMNS, 1024)))          \
    X(scan_f32_narrow, scan_segments(VKR_OP_SUM, VKR_TYPE_F32, EACH(COLUMNS, 16)))                 \
    X(scan_f64_columns, scan_segments(VKR_OP_SUM, VKR_TYPE_F64, EACH(COLUMNS, 8)))                 \
    X(compact, compact(VKR_PREDICATE_COMPARE, KEPT))                                               \
    X(compact_indices, compact(VKR_PREDICATE_COMPARE, KEPT | INDICES))                             \
    X(compact_payload, compact(VKR_PREDICATE_COMPARE, PAYLOAD))                                    \
    X(compact_scatter, compact_by(VKR_COMPACT_SCAN_SCATTER, VKR_PREDICATE_COMPARE, KEPT))          \
    X(compact_single, compact_by(VKR_COMPACT_SINGLE_PASS, VKR_PREDICATE_COMPARE, KEPT))            \
    X(partition, compact(VKR_PREDICATE_COMPARE, KEPT | REJECTED))                                  \
    X(compact_bytes, compact_beside(VKR_FLAGS_U8))                                                 \
    X(compact_words, compact_beside(VKR_FLAGS_U32))                                                \
    X(unique, compact(VKR_PREDICATE_UNIQUE, KEPT))                                                 \
    X(unique_lengths, compact(VKR_PREDICATE_UNIQUE, KEPT | LENGTHS))                               \
    X(histogram_f32, histogram(VKR_TYPE_F32, VKR_BINS_EVEN, 256))                                  \
    X(histogram_f32_4096, histogram(VKR_TYPE_F32, VKR_BINS_EVEN, 4096))                            \
    X(histogram_f32_log2, histogram(VKR_TYPE_F32, VKR_BINS_LOG2, 256))                             \
    X(histogram_f16, histogram(VKR_TYPE_F16, VKR_BINS_EVEN, 256))                                  \
    X(histogram_bf16, histogram(VKR_TYPE_BF16, VKR_BINS_EVEN, 256))                                \
    X(histogram_u8, histogram(VKR_TYPE_U8, VKR_BINS_INTEGERS, 256))                                \
    X(quantile, quantile(256))                                                                     \
    X(sort_u32, sort(VKR_SORT_AUTO, VKR_TYPE_U32, WITHOUT, ALL))                                   \
    X(sort_u32_payload, sort(VKR_SORT_AUTO, VKR_TYPE_U32, CARRYING, ALL))                          \
    X(sort_f32_indices, sort(VKR_SORT_AUTO, VKR_TYPE_F32, INDEXED, ALL))                           \
    X(sort_u64, sort(VKR_SORT_AUTO, VKR_TYPE_U64, WITHOUT, ALL))                                   \
    X(sort_u32_rows, sort(VKR_SORT_AUTO, VKR_TYPE_U32, CARRYING, EACH(ROWS, 3000)))                \
    X(sort_u32_long, sort(VKR_SORT_AUTO, VKR_TYPE_U32, WITHOUT, EACH(ROWS, 10000)))                \
    X(sort_u32_short, sort(VKR_SORT_AUTO, VKR_TYPE_U32, CARRYING, EACH(ROWS, 64)))                 \
    X(sort_u32_columns, sort(VKR_SORT_AUTO, VKR_TYPE_U32, CARRYING, EACH(COLUMNS, 1024)))          \
    X(sort_u64_columns, sort(VKR_SORT_AUTO, VKR_TYPE_U64, WITHOUT, EACH(COLUMNS, 1024)))           \
    X(sort_sweep_u32, sort(VKR_SORT_ONESWEEP, VKR_TYPE_U32, CARRYING, ALL))                        \
    X(top_100, top(100, ALL))                                                                      \
    X(top_rows, top(8, EACH(ROWS, 1024)))                                                          \
    X(top_offsets, top_offsets(8))                                                                 \
    X(expand, expand())                                                                            \
    X(select_1, select_ranks(VKR_TYPE_F32, 1, ALL))                                                \
    X(select_16, select_ranks(VKR_TYPE_F32, 16, ALL))                                              \
    X(select_rows, select_ranks(VKR_TYPE_F32, 1, EACH(ROWS, 1024)))                                \
    X(select_offsets, select_offsets(4))                                                           \
    X(select_short, select_ranks(VKR_TYPE_U64, 3, EACH(ROWS, 9)))                                  \
    X(merge_u32, merge(VKR_TYPE_U32, true))                                                        \
    X(merge_u8, merge(VKR_TYPE_U8, false))                                                         \
    X(merge_f64, merge(VKR_TYPE_F64, true))                                                        \
    X(softmax, apply(VKR_APPLY_SOFTMAX, VKR_TYPE_F32, ALL))                                        \
    X(softmax_rows, apply(VKR_APPLY_SOFTMAX, VKR_TYPE_F32, EACH(ROWS, 4096)))                      \
    X(softmax_short, apply(VKR_APPLY_SOFTMAX, VKR_TYPE_F16, EACH(ROWS, 100)))                      \
    X(softmax_offsets, apply_offsets(VKR_APPLY_SOFTMAX))                                           \
    X(log_softmax_rows, apply(VKR_APPLY_LOG_SOFTMAX, VKR_TYPE_F32, EACH(ROWS, 1000)))              \
    X(share_rows, apply(VKR_APPLY_SHARE, VKR_TYPE_BF16, EACH(ROWS, 1024)))                         \
    X(standardised, apply(VKR_APPLY_STANDARDISED, VKR_TYPE_F32, ALL))                              \
    X(rescaled_rows, apply(VKR_APPLY_RESCALED, VKR_TYPE_F32, EACH(ROWS, 8)))                       \
    X(bounds_u32, bounds(VKR_TYPE_U32))                                                            \
    X(map_f32, map("scaled"))                                                                      \
    X(predicate_f32, predicate("is_kept"))                                                         \
    X(fold_sum, fold(additions, "take", 1, ALL))                                                   \
    X(fold_chain, fold(chains, "take", 1, ALL))                                                    \
    X(fold_box, fold(boxes, "corner", 3, ALL))                                                     \
    X(fold_box_rows, fold(boxes, "corner", 3, EACH(ROWS, 8)))                                      \
    X(fold_sum_columns, fold(additions, "take", 1, EACH(COLUMNS, 1024)))                           \
    X(fold_sum_windows, fold(chains, "take", 1, EACH(WINDOWS, 1024)))                              \
    X(sweep_sum, sweep(chains, "take"))                                                            \
    X(pyramid_r32f, pyramid(VKR_OP_MAX, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SFLOAT))               \
    X(pyramid_pair, pyramid(MINMAX, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT))                \
    X(pyramid_rgba8, pyramid(VKR_OP_MEAN, RGBA8, RGBA8))                                           \
    X(pyramid_rgba16f, pyramid(VKR_OP_MEAN, RGBA16F, RGBA16F))

#endif
