/* SPDX-License-Identifier: MIT */
/* Images as outputs of tiles, and reductions of images by squares. */
#include "refusals.h"

#include "../requests.h"

/* The maxima of tiles of 4 x 4 texels in a rectangle of 30 x 20, in layers 2 and 3 of an array. The
 * images are read (`image`, `mask`) and written (`shown`). */
static VkrImage image, shown, mask;
static VkrReduceInfo info;
#define SCOPE

static void set_plain(void)
{
    image = layered_image();
    shown = tiled_image();
    info = plain_reduce();
    info.ops = VKR_OP_MAX;
    info.count = VKR_COUNT_ALL;
    info.input = (VkrView){.image = &image};
    info.output = (VkrBufferRange){0};
    info.outputImage = &shown;
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_TILES, .tileWidth = 4, .tileHeight = 4};
}

/* The input becomes 30 rows of 40 values in a buffer. */
static void set_rows(VkrType type, VkFormat format)
{
    info.input = (VkrView){.buffer = BUFFER('A'), .size = 1u << 20, .type = type};
    info.count = 1200;
    info.segments.length = 40;
    shown.viewType = VK_IMAGE_VIEW_TYPE_2D;
    shown.range.layerCount = 1;
    shown.extent = (VkExtent3D){10, 8, 1};
    shown.format = format;
}

/* A reduction of all of the input. */
static void set_whole(VkrReduceAlgorithm algorithm)
{
    info.segments = (VkrSegments){0};
    info.outputImage = NULL;
    info.output = (VkrBufferRange){BUFFER('O'), 0, 4096};
    info.algorithm = algorithm;
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(kind, PLAIN, INVALID, "outputImage is given, but must be NULL where segments.kind is none: "     \
  "only tiles are texels.", info.segments = (VkrSegments){0})                                      \
X(output, PLAIN, INVALID, "output is given, but must be 0 where outputImage is given.",            \
  info.output.buffer = BUFFER('O'))                                                                \
X(output_size, PLAIN, INVALID, "output is given, but must be 0 where outputImage is given.",       \
  info.output.size = 4)                                                                            \
X(counts, PLAIN, INVALID, "ops has count, whose result is u64, but must have results of at most "  \
  "32 bits where outputImage is given.", info.ops = VKR_OP_COUNT)                                  \
X(doubles, PLAIN, INVALID, "ops has mean, whose result is f64, but must have results of at most "  \
  "32 bits where outputImage is given.", info.ops = VKR_OP_MEAN; info.accumulator = VKR_TYPE_F64)  \
X(longs, PLAIN, INVALID, "ops has max, whose result is i64, but must have results of at most 32 "  \
  "bits where outputImage is given.", set_rows(VKR_TYPE_I64, VK_FORMAT_R32_SINT))                  \
X(kinds, PLAIN, INVALID, "ops is min | argmin, whose results are f32 and u32, but must have "      \
  "results of one kind, floats, signed or unsigned integers, where outputImage is given.",         \
  info.ops = VKR_OP_MIN | VKR_OP_ARGMIN)                                                           \
X(signs, PLAIN, INVALID, "ops is min | absmax, whose results are i8 and u8, but must have "        \
  "results of one kind, floats, signed or unsigned integers, where outputImage is given.",         \
  set_rows(VKR_TYPE_I8, VK_FORMAT_R8G8_SINT); info.ops = VKR_OP_MIN | VKR_OP_ABSMAX)               \
X(format, PLAIN, UNSUPPORTED, "outputImage.format is 0, but must be a colour, depth or stencil "   \
  "format that vkrFormatType knows.", shown.format = VK_FORMAT_UNDEFINED)                          \
X(samples, PLAIN, INVALID, "outputImage.samples is 4, but must be 0 or 1: resolve multisampled "   \
  "images first.", shown.samples = VK_SAMPLE_COUNT_4_BIT)                                          \
X(levels, PLAIN, INVALID, "outputImage.range.levelCount is 2, but must be 1, the level that is "   \
  "read.", shown.range.levelCount = 2)                                                             \
X(image, PLAIN, INVALID, "outputImage.image is VK_NULL_HANDLE, but must be an image.",             \
  shown.image = VK_NULL_HANDLE)                                                                    \
X(view, PLAIN, INVALID, "outputImage.view is VK_NULL_HANDLE, but must be a view of the image.",    \
  shown.view = VK_NULL_HANDLE)                                                                     \
X(layout, PLAIN, INVALID, "outputImage.layout is 5, but must be VK_IMAGE_LAYOUT_GENERAL (1), in "  \
  "which shaders write.", shown.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)                 \
X(rectangle, PLAIN, INVALID, "outputImage.rectangle.extent is 8 x 5, but must be 0 x 0: a level "  \
  "is written as a whole.", shown.rectangle.extent = ((VkExtent2D){8, 5}))                         \
X(lod, PLAIN, INVALID, "outputImage.lod is 1, but must be 0: the view must have only the level "   \
  "that is written.", shown.lod = 1)                                                               \
X(solid, PLAIN, INVALID, "outputImage.viewType is VK_IMAGE_VIEW_TYPE_3D, but must be 2D or "       \
  "2D_ARRAY: slices become layers.", shown.viewType = VK_IMAGE_VIEW_TYPE_3D;                       \
  shown.range.layerCount = 1)                                                                      \
X(layers, PLAIN, INVALID, "outputImage has 3 layers, starting at 0, but its view must have the 2 " \
  "that are read of the input, with firstLayer and layerCount 0.", shown.range.layerCount = 3)     \
X(first_layer, PLAIN, INVALID, "outputImage has 1 layers, starting at 1, but its view must have "  \
  "the 2 that are read of the input, with firstLayer and layerCount 0.", shown.firstLayer = 1)     \
X(extent, PLAIN, INVALID, "outputImage.extent is 8 x 6, but must be 8 x 5, a texel for each "      \
  "tile.", shown.extent.height = 6)                                                                \
X(tile, PLAIN, INVALID, "outputImage.extent is 8 x 5, but must be 6 x 5, a texel for each tile.",  \
  info.segments.tileWidth = 5)                                                                     \
X(channels, PLAIN, INVALID, "outputImage.format is R8G8_UNORM, which has 2 channels, but must "    \
  "have 4, one for each result of a tile.", shown.format = VK_FORMAT_R8G8_UNORM)                   \
X(operators, PLAIN, INVALID, "outputImage.format is R8G8B8A8_UNORM, which has 4 channels, but "    \
  "must have 8, one for each result of a tile.", info.ops = VKR_OP_MIN | VKR_OP_MAX)               \
X(type, PLAIN, INVALID, "outputImage.format is R8G8B8A8_UINT, whose values are u32, but must be "  \
  "a format of f32, like the results.", shown.format = VK_FORMAT_R8G8B8A8_UINT)                    \
X(normalised, PLAIN, INVALID, "outputImage.format is R16_UNORM, but must be a format of floats, "  \
  "since the elements are not normalised.", set_rows(VKR_TYPE_F32, VK_FORMAT_R16_UNORM))           \
X(normalised_image, PLAIN, INVALID, "outputImage.format is R8G8B8A8_UNORM, but must be a format "  \
  "of floats, since the elements are not normalised.",                                             \
  image.format = VK_FORMAT_R16G16B16A16_SFLOAT)                                                    \
X(curve, PLAIN, INVALID, "outputImage.format is R8G8B8A8_SRGB, but must be a colour format that "  \
  "shaders write: neither sRGB nor with a shared exponent, nor depth or stencil.",                 \
  shown.format = VK_FORMAT_R8G8B8A8_SRGB)                                                          \
X(unnamed, BARE, UNSUPPORTED, "outputImage.format is B8G8R8A8_UNORM, but must be one that the "    \
  "context can write: this one needs shaderStorageImageWriteWithoutFormat.",                       \
  shown.format = VK_FORMAT_B8G8R8A8_UNORM)                                                         \
X(extended, BARE, UNSUPPORTED, "outputImage.format is R16G16B16A16_UNORM, but must be one that "   \
  "the context can write: this one needs shaderStorageImageExtendedFormats.",                      \
  shown.format = VK_FORMAT_R16G16B16A16_UNORM)                                                     \
X(apart, PLAIN, INVALID, "outputImage shares a subresource with input.image, but must be apart "   \
  "from it.", shown.image = image.image;                                                           \
  shown.range = ((VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 10, 2}))               \
X(apart_mask, PLAIN, INVALID, "outputImage shares a subresource with mask.image, but must be "     \
  "apart from it.", info.mask.image = &mask; mask = image; mask.image = shown.image;               \
  mask.range.baseMipLevel = 2; mask.range.baseArrayLayer = 3)                                      \
X(squares_buffer, PLAIN, INVALID, "algorithm is pingpong, which needs images, but must be auto, "  \
  "single, subgroup, tree or recursive where input.image is NULL.", set_rows(VKR_TYPE_F32,         \
  VK_FORMAT_R32_SFLOAT); set_whole(VKR_REDUCE_PINGPONG))                                           \
X(squares_device, PLAIN, UNSUPPORTED, "algorithm is pingpong, whose float sums have another "      \
  "order, but must be auto, single, subgroup, tree or recursive where determinism is "             \
  "VKR_DETERMINISM_DEVICE.", set_whole(VKR_REDUCE_PINGPONG); info.ops = VKR_OP_SUM;                \
  info.determinism = VKR_DETERMINISM_DEVICE)                                                       \
X(squares_small, PLAIN, UNSUPPORTED, "algorithm is recursive-2d, but needs workgroups of at "      \
  "least 4, and workgroupSize 2 leaves 2.", set_whole(VKR_REDUCE_RECURSIVE_2D);                    \
  info.workgroupSize = 2)                                                                          \
X(squares_tiles, PLAIN, INVALID, "algorithm is pingpong, but must be auto, lanes, merge, groups "  \
  "or split where segments.kind is tiles.", info.algorithm = VKR_REDUCE_PINGPONG)                  \
X(squares_consume, PLAIN, INVALID, "algorithm is pingpong, but must be auto or recursive where "   \
  "flags has VKR_REDUCE_CONSUME_INPUT_BIT.", set_whole(VKR_REDUCE_PINGPONG);                       \
  info.flags = VKR_REDUCE_CONSUME_INPUT_BIT)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)0)                                                                           \
X(named, BARE, (void)0)                                                                            \
X(named_extended, NO_FORMATS, shown.format = VK_FORMAT_R16G16B16A16_UNORM)                         \
X(floats, PLAIN, shown.format = VK_FORMAT_R16G16B16A16_SFLOAT)                                     \
X(snorm, PLAIN, shown.format = VK_FORMAT_R8G8B8A8_SNORM)                                           \
X(blue_first, PLAIN, shown.format = VK_FORMAT_B8G8R8A8_UNORM)                                      \
X(pair, PLAIN, info.ops = VKR_OP_MIN | VKR_OP_MAX; info.input.components = 2)                      \
X(four, PLAIN, info.ops = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_MEAN;                      \
  info.input.components = 1)                                                                       \
X(indices, PLAIN, info.ops = VKR_OP_ARGMIN; shown.format = VK_FORMAT_R32G32B32A32_UINT)            \
X(bytes, PLAIN, set_rows(VKR_TYPE_U8, VK_FORMAT_R8_UINT))                                          \
X(halves, PLAIN, set_rows(VKR_TYPE_F16, VK_FORMAT_R16_SFLOAT))                                     \
X(bfloats, PLAIN, set_rows(VKR_TYPE_BF16, VK_FORMAT_R16_SFLOAT))                                   \
X(other_level, PLAIN, shown.image = image.image)                                                   \
X(other_layers, PLAIN, shown.image = image.image;                                                  \
  shown.range = ((VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 7, 2}))                \
X(windows, CRAMPED, image.rectangle = (VkRect2D){0}; image.firstLayer = 0;                         \
  info.segments.tileWidth = info.segments.tileHeight = 1; shown.extent = image.extent;             \
  shown.range.layerCount = 4)                                                                      \
X(squares_device, PLAIN, set_whole(VKR_REDUCE_PINGPONG);                                           \
  info.determinism = VKR_DETERMINISM_DEVICE)                                                       \
X(squares_small, PLAIN, set_whole(VKR_REDUCE_RECURSIVE_2D); info.workgroupSize = 4)                \
X(squares_dot, PLAIN, set_whole(VKR_REDUCE_RECURSIVE_2D); info.ops = VKR_OP_DOT;                   \
  info.input2 = info.input; info.count = 1111)                                                     \
X(squares_narrow, CRAMPED, set_whole(VKR_REDUCE_PINGPONG))
/* clang-format on */

OPERATION(tiles, vkrCmdReduce, VkrReduceInfo, info, SOME, NULL)
