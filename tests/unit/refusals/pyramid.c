/* SPDX-License-Identifier: MIT */
/* VkrPyramidInfo. */
#include "refusals.h"

#include "../requests.h"

static pyramid_request request;
#define SCOPE                                                                                      \
    pyramid_request *const r = &request;                                                           \
    VkrPyramidInfo *const i = &request.info;                                                       \
    VkrImage *const l = request.levels;                                                            \
    (void)r, (void)i, (void)l

static void set_plain(void)
{
    make_pyramid(&request);
}

static void make_formats(pyramid_request *r, VkFormat source, VkFormat level)
{
    r->info.source.format = source;
    make_levels(r, level, 3);
}

static void make_depth(pyramid_request *r, VkFormat source, VkFormat level)
{
    make_formats(r, source, level);
    r->info.source.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    r->info.ops = VKR_OP_MIN;
}

static void make_layers(pyramid_request *r, uint32_t layers)
{
    r->info.source.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    r->info.source.range.layerCount = layers;
    make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 3);
}

#define OPS(names)                                                                                 \
    "ops is " names ", but must be VKR_OP_MIN, VKR_OP_MAX, both of them or VKR_OP_MEAN."
#define ORDINARY                                                                                   \
    ", but must be a colour format that shaders write: neither sRGB nor with a shared exponent, "  \
    "nor depth or stencil."

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(ops_none, PLAIN, INVALID, OPS("0"), i->ops = 0)                                                  \
X(ops_sum, PLAIN, INVALID, OPS("sum"), i->ops = VKR_OP_SUM)                                        \
X(ops_more, PLAIN, INVALID, OPS("min | mean"), i->ops = VKR_OP_MIN | VKR_OP_MEAN)                  \
X(first, PLAIN, INVALID, "first is 3, but must be 0 to 2.", i->first = VKR_PYRAMID_FIRST_COUNT)    \
X(algorithm, PLAIN, INVALID, "algorithm is -1, but must be 0 to 4.",                               \
  i->algorithm = (VkrPyramidAlgorithm)-1)                                                          \
X(source_image, PLAIN, INVALID, "source.image is VK_NULL_HANDLE, but must be an image.",           \
  i->source.image = VK_NULL_HANDLE)                                                                \
X(source_view, PLAIN, INVALID, "source.view is VK_NULL_HANDLE, but must be a view of the image.",  \
  i->source.view = VK_NULL_HANDLE)                                                                 \
X(source_format, PLAIN, UNSUPPORTED, "source.format is 0, but must be a colour, depth or stencil " \
  "format that vkrFormatType knows.", i->source.format = VK_FORMAT_UNDEFINED)                      \
X(source_aspect, PLAIN, INVALID, "source.range.aspectMask is VK_IMAGE_ASPECT_DEPTH_BIT, but must " \
  "be one aspect of R8G8B8A8_UNORM, which has VK_IMAGE_ASPECT_COLOR_BIT.",                         \
  i->source.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)                                          \
X(source_levels, PLAIN, INVALID, "source.range.levelCount is 2, but must be 1, the level that is " \
  "read.", i->source.range.levelCount = 2)                                                         \
X(source_3d, PLAIN, INVALID, "source.viewType is VK_IMAGE_VIEW_TYPE_3D, but must be 2D or "        \
  "2D_ARRAY: a pyramid has layers of two dimensions.", i->source.viewType = VK_IMAGE_VIEW_TYPE_3D) \
X(source_layout, PLAIN, INVALID, "source.layout is 0, but must be one in which shaders read, "     \
  "such as VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL (5) or GENERAL (1).",                          \
  i->source.layout = VK_IMAGE_LAYOUT_UNDEFINED)                                                    \
X(source_rectangle, PLAIN, INVALID, "source.rectangle has 10, starting at 31, but must lie "       \
  "within the 40 that exist.", i->source.rectangle = ((VkRect2D){{31, 0}, {10, 10}}))              \
X(source_large, PLAIN, UNSUPPORTED, "source has 32769 x 24 texels, but must have at most 32768 "   \
  "in each direction.", i->source.extent.width = 32769)                                            \
X(pair, PLAIN, INVALID, "source.format is R8G8B8A8_UNORM, whose minima and maxima are 8 "          \
  "channels, but must have at most 2 channels: make a chain of the minima and one of the maxima.", \
  i->ops = VKR_OP_MIN | VKR_OP_MAX)                                                                \
X(levels_null, PLAIN, INVALID, "levels is NULL, but must point to an array of levelCount "         \
  "VkrImage.", i->levels = NULL)                                                                   \
X(levels_none, PLAIN, INVALID, "levelCount is 0, but must be 1 to 5, the last of which has 1 x 1 " \
  "texels.", i->levelCount = 0)                                                                    \
X(levels_many, PLAIN, INVALID, "levelCount is 6, but must be 1 to 5, the last of which has 1 x 1 " \
  "texels.", i->levelCount = 6)                                                                    \
X(level_image, PLAIN, INVALID, "levels[1].image is VK_NULL_HANDLE, but must be an image.",         \
  l[1].image = VK_NULL_HANDLE)                                                                     \
X(level_view, PLAIN, INVALID, "levels[2].view is VK_NULL_HANDLE, but must be a view of the "       \
  "image.", l[2].view = VK_NULL_HANDLE)                                                            \
X(level_layout, PLAIN, INVALID, "levels[2].layout is 5, but must be VK_IMAGE_LAYOUT_GENERAL (1), " \
  "in which shaders write.", l[2].layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)               \
X(level_type, PLAIN, INVALID, "levels[0].viewType is 5, but must be 1 like source.viewType.",      \
  l[0].viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY)                                                     \
X(level_rectangle, PLAIN, INVALID, "levels[0].rectangle.extent is 20 x 12, but must be 0 x 0: a "  \
  "level is written as a whole.", l[0].rectangle.extent = ((VkExtent2D){20, 12}))                  \
X(level_layers, PLAIN, INVALID, "levels[1] has 3 layers, starting at 0, but its view must have "   \
  "the 2 that are read of the source, with firstLayer and layerCount 0.", make_layers(r, 2);       \
  l[1].range.layerCount = 3)                                                                       \
X(level_first_layer, PLAIN, INVALID, "levels[1] has 2 layers, starting at 1, but its view must "   \
  "have the 2 that are read of the source, with firstLayer and layerCount 0.", make_layers(r, 2);  \
  l[1].range.layerCount = 3; l[1].firstLayer = 1)                                                  \
X(level_lod, PLAIN, INVALID, "levels[1].lod is 1, but must be 0: the view must have only the "     \
  "level that is written.", l[1].lod = 1)                                                          \
X(level_size, PLAIN, INVALID, "levels[1].extent is 11 x 6, but must be 10 x 6 (see "               \
  "vkrGetPyramidExtents).", l[1].extent.width = 11)                                                \
X(level_size_first, PLAIN, INVALID, "levels[0].extent is 20 x 12, but must be 32 x 16 (see "       \
  "vkrGetPyramidExtents).", i->first = VKR_PYRAMID_POWER_OF_TWO)                                   \
X(level_format, PLAIN, INVALID, "levels[2].format is R8G8B8A8_SNORM, but must be R8G8B8A8_UNORM "  \
  "like that of levels[0].", l[2].format = VK_FORMAT_R8G8B8A8_SNORM)                               \
X(level_unknown, PLAIN, UNSUPPORTED, "levels[0].format is 0, but must be a colour, depth or "      \
  "stencil format that vkrFormatType knows.", l[0].format = VK_FORMAT_UNDEFINED)                   \
X(level_channels, PLAIN, INVALID, "levels[0].format is R8G8_UNORM, which has 2 channels, but "     \
  "must have 4 like source.format.", make_levels(r, VK_FORMAT_R8G8_UNORM, 3))                      \
X(level_pair, PLAIN, INVALID, "levels[0].format is R32_SFLOAT, which has 1 channels, but must "    \
  "have 2, twice as many as source.format.", make_formats(r, VK_FORMAT_R32_SFLOAT,                 \
  VK_FORMAT_R32_SFLOAT); i->ops = VKR_OP_MIN | VKR_OP_MAX)                                         \
X(level_values, PLAIN, INVALID, "levels[0].format is R8G8B8A8_UINT, whose values are u32, but "    \
  "must be a format of f32 like source.format.", make_levels(r, VK_FORMAT_R8G8B8A8_UINT, 3))       \
X(level_sign, PLAIN, INVALID, "levels[0].format is R8_UINT, whose values are u32, but must be a "  \
  "format of i32 like source.format.", make_formats(r, VK_FORMAT_R8_SINT, VK_FORMAT_R8_UINT))      \
X(level_normalised, PLAIN, INVALID, "levels[0].format is R8_UNORM, but must be a format of "       \
  "floats, since source.format, which is R32_SFLOAT, is not normalised.", make_formats(r,          \
  VK_FORMAT_R32_SFLOAT, VK_FORMAT_R8_UNORM))                                                       \
X(level_srgb, PLAIN, INVALID, "levels[0].format is R8G8B8A8_SRGB" ORDINARY, make_levels(r,         \
  VK_FORMAT_R8G8B8A8_SRGB, 3))                                                                     \
X(level_shared, PLAIN, INVALID, "levels[0].format is E5B9G9R9_UFLOAT_PACK32" ORDINARY,             \
  make_formats(r, VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32))                   \
X(level_depth, PLAIN, INVALID, "levels[0].format is D16_UNORM" ORDINARY, make_depth(r,             \
  VK_FORMAT_D16_UNORM, VK_FORMAT_D16_UNORM); l[0].range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)    \
X(level_source, PLAIN, INVALID, "levels[1] shares a subresource with the source, level 0, but "    \
  "must be apart from the source and all other levels.", l[1].image = i->source.image;             \
  l[1].range.baseMipLevel = 0)                                                                     \
X(level_twice, PLAIN, INVALID, "levels[2] shares a subresource with level 1, but must be apart "   \
  "from the source and all other levels.", l[2].range.baseMipLevel = 0)                            \
X(not_named, BARE, UNSUPPORTED, "levels[0].format is B8G8R8A8_UNORM, but must be one that the "    \
  "context can write: this one needs shaderStorageImageWriteWithoutFormat.", make_levels(r,        \
  VK_FORMAT_B8G8R8A8_UNORM, 3))                                                                    \
X(extended, BARE, UNSUPPORTED, "levels[0].format is R16G16_SNORM, but must be one that the "       \
  "context can write: this one needs shaderStorageImageExtendedFormats.", make_formats(r,          \
  VK_FORMAT_R8G8_SNORM, VK_FORMAT_R16G16_SNORM))                                                   \
X(groups, FOUR_GROUPS, UNSUPPORTED, "a level needs 6 workgroups, but must need at most 4: the "    \
  "source has too many texels or layers.", i->algorithm = VKR_PYRAMID_PINGPONG)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)i)                                                                           \
X(named, BARE, (void)i)                                                                            \
X(named_extended, NO_FORMATS, make_formats(r, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R16G16_SNORM))       \
X(all_levels, PLAIN, make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 5))                                  \
X(equal, PLAIN, i->first = VKR_PYRAMID_EQUAL; make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 6))         \
X(power, PLAIN, i->first = VKR_PYRAMID_POWER_OF_TWO; make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 6))  \
X(floats, PLAIN, make_levels(r, VK_FORMAT_R16G16B16A16_SFLOAT, 3))                                 \
X(snorm, PLAIN, make_levels(r, VK_FORMAT_R8G8B8A8_SNORM, 3))                                       \
X(linear, PLAIN, make_formats(r, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM))               \
X(depth, PLAIN, make_depth(r, VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_SFLOAT))                         \
X(depth_normalised, PLAIN, make_depth(r, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_R16_UNORM))        \
X(depth_pair, PLAIN, make_depth(r, VK_FORMAT_D16_UNORM, VK_FORMAT_R16G16_UNORM);                   \
  i->ops = VKR_OP_MIN | VKR_OP_MAX)                                                                \
X(stencil, PLAIN, make_depth(r, VK_FORMAT_S8_UINT, VK_FORMAT_R8_UINT);                             \
  i->source.range.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT)                                        \
X(layers, PLAIN, make_layers(r, 2))                                                                \
X(some_layers, PLAIN, make_layers(r, 2); i->source.range.layerCount = 5; i->source.firstLayer = 2; \
  i->source.layerCount = 2)                                                                        \
X(one_image, PLAIN, for (uint32_t k = 0; k < 3; k++) { l[k].image = i->source.image;               \
  l[k].range.baseMipLevel = k + 1; })                                                              \
X(images, PLAIN, for (uint32_t k = 0; k < 3; k++) { l[k].image = (VkImage)(uintptr_t)('a' + k);    \
  l[k].range.baseMipLevel = 0; })                                                                  \
X(one_texel, PLAIN, i->source.extent = ((VkExtent3D){1, 1, 1}); make_levels(r,                     \
  VK_FORMAT_R8G8B8A8_UNORM, 1))                                                                    \
X(largest, PLAIN, i->source.extent = ((VkExtent3D){32768, 32768, 1});                              \
  i->first = VKR_PYRAMID_EQUAL; make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, VKR_MAX_PYRAMID_LEVELS))
/* clang-format on */

OPERATION(pyramid, vkrCmdPyramid, VkrPyramidInfo, request.info, SOME, NULL)
