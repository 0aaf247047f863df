/* SPDX-License-Identifier: MIT */
#include "maps_cases.h"

#define RANGE (VKR_OP_MIN | VKR_OP_MAX)
#define ARGS (VKR_OP_ARGMIN | VKR_OP_ARGMAX)
#define RGBA8 &image_formats[0]
#define D32 &image_formats[1]
#define R8U &image_formats[4]
#define RGBA32I &image_formats[5]
#define TILES VKR_SEGMENTS_TILES
#define LUMINANCE .mapped = true, .map = {.weights = VKR_LUMINANCE_WEIGHTS}
#define LOG_LUMINANCE                                                                              \
    .mapped = true, .map = {.weights = VKR_LUMINANCE_WEIGHTS, 0x1p-10f, VKR_MAP_LOG2}
#define PLAIN(f) .mapped = true, .map = {.function = (f)}
#define SIZE(w, h, l) .width = (w), .height = (h), .layers = (l)
#define TILE(w, h) .kind = TILES, .tile_width = (w), .tile_height = (h)

/* clang-format off */
const map_case map_cases[] = {
    /* Every element by itself: tiles of 1 x 1. */
    {"each log2", NULL, VKR_TYPE_F32, 1, SIZE(700, 300, 1), TILE(1, 1), .ops = VKR_OP_MIN,
     PLAIN(VKR_MAP_LOG2)},
    {"each sqrt", NULL, VKR_TYPE_F32, 1, SIZE(700, 300, 1), TILE(1, 1), .ops = VKR_OP_MAX,
     .mapped = true, .map = {{0x1p40f}, 0.0f, VKR_MAP_SQRT}},
    {"each abs of two", NULL, VKR_TYPE_F32, 2, SIZE(300, 300, 1), TILE(1, 1), .ops = VKR_OP_MIN,
     .mapped = true, .map = {{1.5f, -0.25f}, 3.0f, VKR_MAP_ABS}},
    {"each log2 of an image", &image_formats[2], 0, 1, SIZE(211, 150, 1), TILE(1, 1),
     .ops = VKR_OP_MIN, PLAIN(VKR_MAP_LOG2)},
    {"each sum of bytes", NULL, VKR_TYPE_I8, 4, SIZE(97, 31, 1), TILE(1, 1), .ops = VKR_OP_MAX,
     .mapped = true, .map = {{1.0f, 0.5f, 0.25f, -8.0f}, -1.0f, VKR_MAP_NONE}},
    {"each of u32", NULL, VKR_TYPE_U32, 1, SIZE(97, 131, 1), TILE(1, 1), .ops = VKR_OP_MIN,
     PLAIN(VKR_MAP_NONE), .stride = 12},
    {"each of i32", NULL, VKR_TYPE_I32, 2, SIZE(97, 131, 1), TILE(1, 1), .ops = VKR_OP_MIN,
     .mapped = true, .map = {{0.0f, 1.0f}, 0.0f, VKR_MAP_ABS}},
    {"each of f16", NULL, VKR_TYPE_F16, 3, SIZE(97, 131, 1), TILE(1, 1), .ops = VKR_OP_MIN,
     LUMINANCE},
    {"each of bf16", NULL, VKR_TYPE_BF16, 2, SIZE(97, 131, 1), TILE(1, 1), .ops = VKR_OP_MIN,
     .mapped = true, .map = {{1.5f, -0.25f}, 3.0f, VKR_MAP_ABS}},
    {"each of RGBA32I", RGBA32I, 0, 4, SIZE(51, 40, 2), TILE(1, 1), .ops = VKR_OP_MAX,
     .mapped = true, .map = {{1.0f, 0.5f, 0.25f, -8.0f}, 7.0f, VKR_MAP_SQRT}},
    {"each of u16 rows", NULL, VKR_TYPE_U16, 1, SIZE(97, 31, 1), .kind = VKR_SEGMENTS_ROWS,
     .tile_width = 1, .tile_height = 1, .ops = VKR_OP_MIN, PLAIN(VKR_MAP_SQRT)},
    /* Maps. */
    {"luminance", RGBA8, 0, 4, SIZE(257, 130, 1), .ops = RANGE | ARGS | VKR_OP_MEAN, LUMINANCE},
    {"log luminance", RGBA8, 0, 4, SIZE(257, 130, 3), .ops = VKR_OP_SUM | VKR_OP_MEAN,
     LOG_LUMINANCE, .determinism = VKR_DETERMINISM_DEVICE},
    {"tiles of luminance", RGBA8, 0, 3, SIZE(131, 75, 1), TILE(16, 16), .ops = RANGE | VKR_OP_MEAN,
     LUMINANCE},
    {"bytes of RGB", NULL, VKR_TYPE_U8, 3, SIZE(301, 203, 1), .ops = RANGE | ARGS, LUMINANCE},
    {"windows of RGB", NULL, VKR_TYPE_U8, 3, SIZE(301, 203, 1), .ops = RANGE | VKR_OP_SUM,
     LUMINANCE, .limits = LIMITS_SHARED_SMALL, .gpu_count = VKR_TYPE_U32},
    {"far apart", NULL, VKR_TYPE_U8, 3, SIZE(80, 95, 1), .ops = RANGE | ARGS, LUMINANCE,
     .limits = LIMITS_SHARED_SMALL, .stride = 1001},
    {"rows of f32", NULL, VKR_TYPE_F32, 1, SIZE(64, 75, 1), .kind = VKR_SEGMENTS_ROWS,
     .tile_width = 64, .tile_height = 1, .ops = RANGE | VKR_OP_NAN, PLAIN(VKR_MAP_LOG2)},
    /* Masks. */
    {"f32 and flags", NULL, VKR_TYPE_F32, 1, SIZE(401, 203, 1),
     .ops = RANGE | ARGS | VKR_OP_MEAN | VKR_OP_COUNT | VKR_OP_NAN, .mask = MASK_U32},
    {"u8 and bytes", NULL, VKR_TYPE_U8, 1, SIZE(401, 203, 1),
     .ops = RANGE | ARGS | VKR_OP_MEAN | VKR_OP_COUNT | VKR_OP_XOR, .mask = MASK_U8},
    {"u16x3 and bits", NULL, VKR_TYPE_U16, 3, SIZE(401, 203, 1), .ops = RANGE | VKR_OP_SUM,
     .mask = MASK_BITS, .gpu_count = VKR_TYPE_U64},
    {"strides", NULL, VKR_TYPE_I16, 1, SIZE(201, 103, 1), .ops = VKR_OP_SUM | VKR_OP_COUNT,
     .mask = MASK_BITS, .stride = 6, .algorithm = VKR_REDUCE_TREE},
    {"doubles", NULL, VKR_TYPE_F64, 1, SIZE(401, 53, 1), .ops = RANGE | VKR_OP_MEAN,
     .mask = MASK_BITS, .algorithm = VKR_REDUCE_SUBGROUP},
    {"f16 in windows", NULL, VKR_TYPE_F16, 1, SIZE(401, 203, 1),
     .ops = VKR_OP_ABSMAX | VKR_OP_COUNT, .mask = MASK_U32, .limits = LIMITS_SHARED_SMALL},
    {"bf16 in windows", NULL, VKR_TYPE_BF16, 1, SIZE(401, 203, 1),
     .ops = VKR_OP_MAX | VKR_OP_NAN, .mask = MASK_U32, .limits = LIMITS_SHARED_SMALL},
    {"level device", NULL, VKR_TYPE_F32, 1, SIZE(401, 203, 1), .ops = VKR_OP_SUM | VKR_OP_SUMSQ,
     .mask = MASK_BITS, .determinism = VKR_DETERMINISM_DEVICE},
    {"dot", NULL, VKR_TYPE_I32, 2, SIZE(401, 53, 1), .ops = VKR_OP_DOT | VKR_OP_COUNT,
     .mask = MASK_BITS},
    {"recursive", NULL, VKR_TYPE_I32, 1, SIZE(401, 53, 1), .ops = VKR_OP_MIN | VKR_OP_PRODUCT,
     .mask = MASK_U32, .algorithm = VKR_REDUCE_RECURSIVE},
    {"nothing kept", NULL, VKR_TYPE_F32, 1, SIZE(401, 53, 1),
     .ops = RANGE | ARGS | VKR_OP_ABSMAX | VKR_OP_MEAN | VKR_OP_COUNT, .mask = MASK_NOTHING},
    {"nothing kept, NaN", NULL, VKR_TYPE_F32, 1, SIZE(401, 53, 1), .ops = RANGE | ARGS,
     .mask = MASK_NOTHING, .nan = VKR_NAN_PROPAGATE},
    {"image and flags", RGBA8, 0, 4, SIZE(257, 130, 2), .ops = RANGE | ARGS | VKR_OP_COUNT,
     .mask = MASK_U8},
    {"image and image", D32, 0, 1, SIZE(257, 130, 1), .ops = RANGE | VKR_OP_MEAN,
     .mask = MASK_IMAGE},
    {"image and float image", R8U, 0, 1, SIZE(257, 130, 2), .ops = VKR_OP_SUM | VKR_OP_COUNT,
     .mask = MASK_FLOAT_IMAGE, .limits = LIMITS_SHARED_SMALL},
    {"buffer and image", NULL, VKR_TYPE_F32, 1, SIZE(257, 131, 1), .ops = RANGE | VKR_OP_COUNT,
     .mask = MASK_IMAGE},
    {"wide indices", RGBA8, 0, 1, SIZE(70, 30, 2), .ops = ARGS | VKR_OP_MEAN | VKR_OP_COUNT,
     .mask = MASK_BITS, .limits = LIMITS_WIDE},
    {"tiles and bits", D32, 0, 1, SIZE(257, 130, 2), TILE(16, 16), .ops = RANGE | VKR_OP_COUNT,
     .mask = MASK_BITS},
    {"tiles of a buffer", NULL, VKR_TYPE_U8, 2, SIZE(157, 130, 1), TILE(9, 7),
     .ops = RANGE | VKR_OP_ARGMIN, .mask = MASK_U8, .algorithm = VKR_REDUCE_GROUPS},
    {"tiles in windows", NULL, VKR_TYPE_F32, 1, SIZE(301, 203, 1), TILE(32, 16),
     .ops = RANGE | VKR_OP_MEAN, .mask = MASK_IMAGE, .limits = LIMITS_SHARED_SMALL,
     .gpu_count = VKR_TYPE_U32},
    {"image tiles in windows", R8U, 0, 1, SIZE(801, 700, 1), TILE(16, 16),
     .ops = VKR_OP_SUM | VKR_OP_COUNT, .mask = MASK_BITS, .limits = LIMITS_SHARED_SMALL},
    {"split tiles", RGBA8, 0, 2, SIZE(300, 200, 1), TILE(200, 199), .ops = RANGE | VKR_OP_MEAN,
     .mask = MASK_U32, .algorithm = VKR_REDUCE_SPLIT},
    {"pingpong", RGBA8, 0, 2, SIZE(131, 75, 2), .ops = RANGE | ARGS | VKR_OP_COUNT,
     .mask = MASK_U8, .algorithm = VKR_REDUCE_PINGPONG},
    {"recursive-2d", D32, 0, 1, SIZE(131, 75, 1), .ops = RANGE | VKR_OP_MEAN, .mask = MASK_IMAGE,
     .algorithm = VKR_REDUCE_RECURSIVE_2D},
    /* Both. */
    {"mapped and masked", RGBA8, 0, 4, SIZE(257, 130, 1), .ops = VKR_OP_MEAN | VKR_OP_COUNT,
     LOG_LUMINANCE, .mask = MASK_IMAGE},
    {"mapped and masked integers", RGBA32I, 0, 4, SIZE(131, 75, 1), .ops = RANGE | ARGS,
     .mapped = true, .map = {{1.0f, 0.5f, 0.25f, -8.0f}, 7.0f, VKR_MAP_SQRT}, .mask = MASK_BITS,
     .algorithm = VKR_REDUCE_RECURSIVE_2D},
    {"mapped and masked bytes", NULL, VKR_TYPE_U8, 3, SIZE(257, 130, 1),
     .ops = RANGE | ARGS | VKR_OP_COUNT, LUMINANCE, .mask = MASK_BITS},
    {"mapped and masked tiles", RGBA8, 0, 3, SIZE(131, 75, 2), TILE(16, 16),
     .ops = RANGE | VKR_OP_MEAN, LOG_LUMINANCE, .mask = MASK_U8},
    /* By squares of an image, which are read as they are, or become values in a buffer first. */
    {"squares of luminance", RGBA8, 0, 4, SIZE(131, 75, 2), .ops = RANGE | ARGS, LUMINANCE,
     .mask = MASK_BITS, .algorithm = VKR_REDUCE_PINGPONG},
    {"squares of integers", RGBA32I, 0, 4, SIZE(131, 75, 1), .ops = VKR_OP_MAX | VKR_OP_MEAN,
     .mapped = true, .map = {{1.0f, 0.5f, 0.25f, -8.0f}, 7.0f, VKR_MAP_ABS},
     .algorithm = VKR_REDUCE_PINGPONG},
    {"squares of products", RGBA32I, 0, 2, SIZE(61, 53, 3), .ops = VKR_OP_DOT | VKR_OP_ARGMAX,
     .mask = MASK_U32, .algorithm = VKR_REDUCE_RECURSIVE_2D},
    {"squares in windows", R8U, 0, 1, SIZE(801, 700, 1), .ops = VKR_OP_MAX | VKR_OP_COUNT,
     .mask = MASK_BITS, .limits = LIMITS_SHARED_SMALL, .algorithm = VKR_REDUCE_PINGPONG},
    {"squares of nothing kept", D32, 0, 1, SIZE(101, 53, 1), .ops = RANGE | VKR_OP_MEAN,
     .mask = MASK_NOTHING, .algorithm = VKR_REDUCE_RECURSIVE_2D},
    {"squares with wide indices", R8U, 0, 1, SIZE(97, 30, 3), .ops = ARGS | VKR_OP_COUNT,
     .mask = MASK_IMAGE, .limits = LIMITS_WIDE, .algorithm = VKR_REDUCE_PINGPONG},
    {0},
};
/* clang-format on */
