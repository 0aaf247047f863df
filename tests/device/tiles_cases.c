/* SPDX-License-Identifier: MIT */
#include "tiles_cases.h"

#define RANGE (VKR_OP_MIN | VKR_OP_MAX)
#define RGBA8 &image_formats[0]
#define D32 &image_formats[1]
#define RGBA32I &image_formats[5]
#define R8U &image_formats[4]
#define R32F &image_formats[2]
#define RGB10 &image_formats[9]
#define RG8S &image_formats[18]
#define RGBA16S &image_formats[28]
#define RGB32F &image_formats[34]
#define SIZE(w, h, l) .width = (w), .height = (h), .layers = (l)
#define TILE(w, h) .tile_width = (w), .tile_height = (h)

/* clang-format off */
const tile_case tile_cases[] = {
    {"light culling", .format = D32, .components = 1, SIZE(257, 130, 1), TILE(16, 16),
     .ops = RANGE},
    {"exact tiles", .format = RGBA8, .components = 4, SIZE(128, 64, 3), TILE(8, 4),
     .ops = RANGE | VKR_OP_MEAN},
    {"tiny tiles", .format = R8U, .components = 1, SIZE(101, 67, 2), TILE(2, 3),
     .ops = VKR_OP_SUM | VKR_OP_ARGMAX | VKR_OP_COUNT},
    {"lanes", .format = D32, .components = 1, SIZE(61, 33, 1), TILE(7, 5),
     .ops = VKR_OP_SUM | VKR_OP_ARGMIN, .algorithm = VKR_REDUCE_LANES, .gpu_count = VKR_TYPE_U32},
    {"one tile", .format = RGBA32I, .components = 3, SIZE(200, 150, 1), TILE(4000, 4000),
     .ops = VKR_OP_SUM | VKR_OP_MEAN},
    {"device", .format = RGBA8, .components = 2, SIZE(259, 131, 1), TILE(120, 100),
     .ops = VKR_OP_SUM | VKR_OP_L2, .determinism = VKR_DETERMINISM_DEVICE},
    {"device, small tiles", .format = D32, .components = 1, SIZE(90, 40, 1), TILE(9, 8),
     .ops = VKR_OP_SUM, .determinism = VKR_DETERMINISM_DEVICE, .gpu_count = VKR_TYPE_U64},
    {"split", .format = D32, .components = 1, SIZE(300, 200, 1), TILE(200, 199),
     .ops = RANGE | VKR_OP_MEAN, .algorithm = VKR_REDUCE_SPLIT, .gpu_count = VKR_TYPE_U32},
    {"rows of bytes", .type = VKR_TYPE_U8, .components = 3, SIZE(97, 61, 1), TILE(16, 16),
     .ops = RANGE | VKR_OP_SUM},
    {"small windows", .type = VKR_TYPE_F32, .components = 1, SIZE(301, 203, 1), TILE(32, 16),
     .ops = RANGE | VKR_OP_ARGMAX, .limits = LIMITS_SHARED_SMALL, .gpu_count = VKR_TYPE_U32},
    {"strides", .type = VKR_TYPE_I16, .components = 1, SIZE(50, 77, 1), TILE(50, 4),
     .ops = VKR_OP_SUM | VKR_OP_XOR, .stride = 6, .gpu_count = VKR_TYPE_U64},
    {"dot", .type = VKR_TYPE_I32, .components = 2, SIZE(33, 70, 1), TILE(8, 8), .ops = VKR_OP_DOT,
     .algorithm = VKR_REDUCE_GROUPS},
    {"dot of an image", .format = RGBA32I, .components = 2, SIZE(33, 41, 3), TILE(8, 8),
     .ops = VKR_OP_DOT},
    {"wide indices", .format = RGBA8, .components = 1, SIZE(70, 30, 2), TILE(16, 16),
     .ops = VKR_OP_ARGMIN | VKR_OP_MEAN, .limits = LIMITS_WIDE},
    {"bytes in split tiles", .type = VKR_TYPE_U8, .components = 1, SIZE(1000, 400, 1),
     TILE(700, 300), .ops = RANGE | VKR_OP_SUM | VKR_OP_ARGMIN},
    /* Results also as texels. */
    {"texels: light culling", .format = D32, .components = 1, SIZE(257, 130, 1), TILE(16, 16),
     .ops = RANGE, .output = VK_FORMAT_R32G32_SFLOAT},
    {"texels: depth as halves", .format = D32, .components = 1, SIZE(93, 77, 2), TILE(8, 16),
     .ops = RANGE, .gpu_count = VKR_TYPE_U32, .output = VK_FORMAT_R16G16_SFLOAT},
    {"texels: two channels of bytes", .format = RGBA8, .components = 2, SIZE(70, 41, 3),
     TILE(8, 4), .ops = RANGE, .output = VK_FORMAT_R8G8B8A8_UNORM},
    {"texels: means of bytes", .format = RGBA8, .components = 4, SIZE(131, 67, 1), TILE(7, 5),
     .ops = VKR_OP_MEAN, .gpu_count = VKR_TYPE_U64, .output = VK_FORMAT_R8G8B8A8_UNORM},
    {"texels: means as halves", .format = RGBA8, .components = 4, SIZE(131, 67, 1), TILE(16, 9),
     .ops = VKR_OP_MEAN, .output = VK_FORMAT_R16G16B16A16_SFLOAT},
    {"texels: blue first", .format = RGBA8, .components = 4, SIZE(40, 30, 1), TILE(4, 4),
     .ops = VKR_OP_MAX, .output = VK_FORMAT_B8G8R8A8_UNORM},
    {"texels: signed numbers", .format = RG8S, .components = 2, SIZE(64, 31, 1), TILE(6, 6),
     .ops = RANGE, .output = VK_FORMAT_R8G8B8A8_SNORM},
    {"texels: means of signed numbers", .format = RGBA16S, .components = 4, SIZE(33, 29, 2),
     TILE(5, 3), .ops = VKR_OP_MEAN, .output = VK_FORMAT_R16G16B16A16_SNORM},
    {"texels: ten bits", .format = RGB10, .components = 4, SIZE(50, 40, 1), TILE(9, 7),
     .ops = VKR_OP_MIN, .output = VK_FORMAT_A2B10G10R10_UNORM_PACK32},
    {"texels: without a sign", .format = RGB32F, .components = 3, SIZE(61, 45, 1), TILE(5, 4),
     .ops = VKR_OP_MAX, .output = VK_FORMAT_B10G11R11_UFLOAT_PACK32},
    {"texels: all floats", .format = R32F, .components = 1, SIZE(45, 61, 1), TILE(3, 3),
     .ops = RANGE, .output = VK_FORMAT_R32G32_SFLOAT},
    {"texels: one float", .format = R32F, .components = 1, SIZE(90, 61, 1), TILE(64, 64),
     .ops = VKR_OP_ABSMAX, .limits = LIMITS_SHARED, .output = VK_FORMAT_R16_SFLOAT},
    {"texels: clamped sums", .format = R8U, .components = 1, SIZE(101, 67, 2), TILE(2, 3),
     .ops = VKR_OP_SUM | VKR_OP_ARGMAX, .output = VK_FORMAT_R8G8_UINT},
    {"texels: integers", .format = RGBA32I, .components = 2, SIZE(60, 37, 1), TILE(8, 8),
     .ops = RANGE, .output = VK_FORMAT_R32G32B32A32_SINT},
    {"texels: narrow integers", .format = RGBA32I, .components = 4, SIZE(60, 37, 2), TILE(8, 8),
     .ops = VKR_OP_XOR, .output = VK_FORMAT_R8G8B8A8_SINT},
    {"texels: four operators", .format = R8U, .components = 1, SIZE(60, 37, 1), TILE(10, 10),
     .ops = RANGE | VKR_OP_OR | VKR_OP_ARGMIN, .output = VK_FORMAT_R32G32B32A32_UINT},
    {"texels: of bytes in a buffer", .type = VKR_TYPE_U8, .components = 2, SIZE(97, 61, 1),
     TILE(16, 16), .ops = RANGE, .output = VK_FORMAT_R8G8B8A8_UINT},
    {"texels: of three bytes and a sum", .type = VKR_TYPE_U8, .components = 1, SIZE(97, 61, 1),
     TILE(3, 5), .ops = RANGE | VKR_OP_SUM | VKR_OP_ABSMAX, .output = VK_FORMAT_R16G16B16A16_UINT},
    {"texels: of signed words in a buffer", .type = VKR_TYPE_I16, .components = 1,
     SIZE(97, 61, 1), TILE(7, 9), .ops = RANGE, .stride = 6, .gpu_count = VKR_TYPE_U32,
     .output = VK_FORMAT_R16G16_SINT},
    {"texels: of signed bytes in a buffer", .type = VKR_TYPE_I8, .components = 4, SIZE(37, 61, 1),
     TILE(7, 9), .ops = VKR_OP_MIN, .output = VK_FORMAT_R8G8B8A8_SINT},
    {"texels: of halves in a buffer", .type = VKR_TYPE_F16, .components = 1, SIZE(97, 61, 1),
     TILE(2, 2), .ops = RANGE, .output = VK_FORMAT_R32G32_SFLOAT},
    {"texels: of one half each", .type = VKR_TYPE_F16, .components = 1, SIZE(97, 61, 1),
     TILE(2, 2), .ops = VKR_OP_MAX, .output = VK_FORMAT_R16_SFLOAT},
    {"texels: of bfloats in a buffer", .type = VKR_TYPE_BF16, .components = 1, SIZE(97, 61, 1),
     TILE(2, 2), .ops = RANGE, .output = VK_FORMAT_R32G32_SFLOAT},
    {"texels: split", .format = D32, .components = 1, SIZE(300, 200, 1), TILE(200, 199),
     .ops = RANGE, .algorithm = VKR_REDUCE_SPLIT, .output = VK_FORMAT_R32G32_SFLOAT},
    {"texels: small windows", .format = R32F, .components = 1, SIZE(301, 203, 1), TILE(2, 2),
     .ops = RANGE, .limits = LIMITS_SHARED_SMALL, .output = VK_FORMAT_R32G32_SFLOAT},
    {0},
};
/* clang-format on */
