/* SPDX-License-Identifier: MIT */
/* VkrImage, as the input of a reduction, and tiles of it. */
#include "refusals.h"

#include "../requests.h"

/* A reduction that sums a rectangle of 30 x 20 texels, in layers 2 and 3 of an array image, and
 * that image. */
static VkrImage image;
static VkrReduceInfo info;
#define SCOPE

static void set_plain(void)
{
    image = layered_image();
    info = plain_reduce();
    info.input = (VkrView){.image = &image};
    info.output.size = 4096;
}

#define TILES(width, height)                                                                       \
    info.segments = (VkrSegments)                                                                  \
    {                                                                                              \
        .kind = VKR_SEGMENTS_TILES, .tileWidth = (width), .tileHeight = (height)                   \
    }
#define ROWS_OF(length_)                                                                           \
    info.input = plain_reduce().input;                                                             \
    info.segments.length = (length_)

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(format, PLAIN, UNSUPPORTED, "input.image.format is 0, but must be a colour, depth or stencil "   \
  "format that vkrFormatType knows.", image.format = VK_FORMAT_UNDEFINED)                          \
X(aspect, PLAIN, INVALID, "input.image.range.aspectMask is VK_IMAGE_ASPECT_DEPTH_BIT, but "        \
  "must be "                                                                                       \
  "one aspect of R8G8B8A8_UNORM, which has VK_IMAGE_ASPECT_COLOR_BIT.",                            \
  image.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)                                              \
X(aspects, PLAIN, INVALID, "input.image.range.aspectMask is VK_IMAGE_ASPECT_DEPTH_BIT | "          \
  "VK_IMAGE_ASPECT_STENCIL_BIT, but must be one aspect of D24_UNORM_S8_UINT, which has "           \
  "VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT.",                                      \
  image.format = VK_FORMAT_D24_UNORM_S8_UINT;                                                      \
  image.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)                \
X(cube, PLAIN, INVALID, "input.image.viewType is VK_IMAGE_VIEW_TYPE_CUBE, but must be "            \
  "VK_IMAGE_VIEW_TYPE_2D_ARRAY, with the faces as layers, since cubes cannot be fetched from.",    \
  image.viewType = VK_IMAGE_VIEW_TYPE_CUBE)                                                        \
X(view_type, PLAIN, INVALID, "input.image.viewType is 0, but must be VK_IMAGE_VIEW_TYPE_2D (1), "  \
  "2D_ARRAY (5) or 3D (2).", image.viewType = VK_IMAGE_VIEW_TYPE_1D)                               \
X(samples, PLAIN, INVALID, "input.image.samples is 4, but must be 0 or 1: resolve multisampled "   \
  "images first.", image.samples = VK_SAMPLE_COUNT_4_BIT)                                          \
X(levels, PLAIN, INVALID, "input.image.range.levelCount is 2, but must be 1, the level that is "   \
  "read.", image.range.levelCount = 2)                                                             \
X(layers_2d, PLAIN, INVALID, "input.image.range.layerCount is 4, but must be 1, since viewType "   \
  "is not 2D_ARRAY.", image.viewType = VK_IMAGE_VIEW_TYPE_2D)                                      \
X(layers_none, PLAIN, INVALID, "input.image.range.layerCount is 0, but must be the number of the " \
  "view's layers.", image.range.layerCount = 0)                                                    \
X(layers_rest, PLAIN, INVALID, "input.image.range.layerCount is 4294967295, but must be the "      \
  "number of the view's layers.", image.range.layerCount = VK_REMAINING_ARRAY_LAYERS)              \
X(base_layer, PLAIN, INVALID, "input.image.range.baseArrayLayer is 4294967295, but must be a "     \
  "layer of the image.", image.range.baseArrayLayer = UINT32_MAX)                                  \
X(extent, PLAIN, INVALID, "input.image.extent is 0 x 48, but must be the size of the level.",      \
  image.extent.width = 0)                                                                          \
X(depth, PLAIN, INVALID, "input.image.extent.depth is 2, but must be 0 or 1, since viewType is "   \
  "not 3D.", image.extent.depth = 2)                                                               \
X(rectangle, PLAIN, INVALID, "input.image.rectangle.extent is 30 x 0, but must be 0 x 0, for the " \
  "whole level, or have texels.", image.rectangle.extent.height = 0)                               \
X(rectangle_left, PLAIN, INVALID, "input.image.rectangle has 30, starting at -1, but must lie "    \
  "within the 64 that exist.", image.rectangle.offset.x = -1)                                      \
X(rectangle_right, PLAIN, INVALID, "input.image.rectangle has 30, starting at 35, but must lie "   \
  "within the 64 that exist.", image.rectangle.offset.x = 35)                                      \
X(rectangle_whole, PLAIN, INVALID, "input.image.rectangle has 64, starting at 5, but must lie "    \
  "within the 64 that exist.", image.rectangle.extent = ((VkExtent2D){0, 0}))                      \
X(first_layer, PLAIN, INVALID, "input.image.range.layerCount has 0, starting at 4, but must lie "  \
  "within the 4 that exist.", image.firstLayer = 4)                                                \
X(layer_count, PLAIN, INVALID, "input.image.range.layerCount has 3, starting at 2, but must lie "  \
  "within the 4 that exist.", image.layerCount = 3)                                                \
X(slices, PLAIN, INVALID, "input.image.extent.depth has 6, starting at 2, but must lie within "    \
  "the 7 that exist.", image.viewType = VK_IMAGE_VIEW_TYPE_3D; image.extent.depth = 7;             \
  image.range.layerCount = 1; image.layerCount = 6)                                                \
X(no_image, PLAIN, INVALID, "input.image.image is VK_NULL_HANDLE, but must be an image.",          \
  image.image = VK_NULL_HANDLE)                                                                    \
X(no_view, PLAIN, INVALID, "input.image.view is VK_NULL_HANDLE, but must be a view of the image.", \
  image.view = VK_NULL_HANDLE)                                                                     \
X(layout, PLAIN, INVALID, "input.image.layout is 7, but must be one in which shaders read, such "  \
  "as VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL (5) or GENERAL (1).",                               \
  image.layout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)                                             \
X(buffer_and_image, PLAIN, INVALID, "input has an image, but must then leave buffer, offset, "     \
  "size, stride, bufferSize and texels 0.", info.input.buffer = BUFFER('A'))                       \
X(type, PLAIN, INVALID, "input.type is u8, but must be undefined or f32, the type of the texels "  \
  "of R8G8B8A8_UNORM.", info.input.type = VKR_TYPE_U8)                                             \
X(components, PLAIN, INVALID, "input.components is 5, but must be at most 4, the number of "       \
  "channels of R8G8B8A8_UNORM.", info.input.components = 5)                                        \
X(count, PLAIN, INVALID, "count is 1201, but must be VKR_COUNT_ALL or at most 1200, the number "   \
  "of elements that input holds.", info.count = 1201)                                              \
X(bits, PLAIN, INVALID, "ops has and, but input.type is f32, and this operator needs an integer "  \
  "type.", info.ops = VKR_OP_AND)                                                                  \
X(consume, PLAIN, INVALID, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but input.image is given, "    \
  "and only a buffer can be reduced in place.", info.flags = VKR_REDUCE_CONSUME_INPUT_BIT)         \
X(tile_width, PLAIN, INVALID, "segments.tileWidth is 0 and segments.tileHeight 4, but both must "  \
  "be at least 1.", TILES(0, 4))                                                                   \
X(tile_length, PLAIN, INVALID, "segments.length is 30, but must be 0, since an image determines "  \
  "the length of its rows.", TILES(4, 4); info.segments.length = 30)                               \
X(tile_count, PLAIN, INVALID, "count is 600, but must be 1200, all elements of the image, where "  \
  "segments.kind is tiles.", TILES(4, 4); info.count = 600)                                        \
X(tile_buffer, PLAIN, INVALID, "segments.length is 0, but must be 1 to 2147483648, the elements "  \
  "of a row.", TILES(4, 4); ROWS_OF(0))                                                            \
X(tile_rows, PLAIN, INVALID, "count is 1000, but must be a multiple of segments.length, which is " \
  "30.", TILES(4, 4); ROWS_OF(30))                                                                 \
X(tile_merge, PLAIN, UNSUPPORTED, "algorithm is merge and segments.kind tiles, but must be auto, " \
  "groups or split, or lanes below level device.", TILES(4, 4); info.algorithm = VKR_REDUCE_MERGE) \
X(tile_lanes, PLAIN, UNSUPPORTED, "algorithm is lanes and segments.kind tiles, but must be auto, " \
  "groups or split, or lanes below level device.", TILES(4, 4); info.algorithm = VKR_REDUCE_LANES; \
  info.determinism = VKR_DETERMINISM_DEVICE)                                                       \
X(tile_output, PLAIN, INVALID, "output.size is 4096, but must be at least 9600 for these ops of "  \
  "600 segments.", TILES(2, 1))

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)0)                                                                           \
X(tiles, PLAIN, TILES(4, 4))
/* clang-format on */

OPERATION(images, vkrCmdReduce, VkrReduceInfo, info, SOME, NULL)
