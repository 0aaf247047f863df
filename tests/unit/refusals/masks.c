/* SPDX-License-Identifier: MIT */
/* VkrMap and VkrMask. */
#include "refusals.h"

#include "../requests.h"

#include <math.h>

/* The mean of mapped elements of a buffer, of which a mask leaves some out. */
static VkrMap map;
static VkrImage mask, input;
static VkrReduceInfo info;
#define SCOPE

static void set_plain(void)
{
    map = (VkrMap){.weights = {0.5f}, .bias = 1.0f, .function = VKR_MAP_SQRT};
    mask = mask_image();
    input = mask;
    input.image = IMAGE('I');
    info = plain_reduce();
    info.ops = VKR_OP_MEAN;
    info.input.map = &map;
    info.mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {BUFFER('F'), 4, 128}};
}

#define BY_IMAGE                                                                                   \
    info.mask.flags = (VkrFlagView){0};                                                            \
    info.mask.image = &mask
#define OF_IMAGE                                                                                   \
    info.input = (VkrView)                                                                         \
    {                                                                                              \
        .image = &input                                                                            \
    }

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(weight, PLAIN, INVALID, "input.map.weights[0] is inf, but must be finite.",                      \
  map.weights[0] = INFINITY)                                                                       \
X(weight_of_none, PLAIN, INVALID, "input.map.weights[2] is 3, but must be 0, since elements have " \
  "1 components.", map.weights[2] = 3.0f)                                                          \
X(bias, PLAIN, INVALID, "input.map.bias is -inf, but must be finite.", map.bias = -INFINITY)       \
X(function, PLAIN, INVALID, "input.map.function is 4, but must be 0 to 3.",                        \
  map.function = VKR_MAP_FUNCTION_COUNT)                                                           \
X(wide, PLAIN, INVALID, "input.map is given, but elements of input are u64, and only those of up " \
  "to 32 bits can be mapped.", info.input.type = VKR_TYPE_U64)                                     \
X(bits, PLAIN, INVALID, "ops has and, but input.type is f32, and this operator needs an integer "  \
  "type.", info.input.type = VKR_TYPE_U32; info.ops = VKR_OP_AND)                                  \
X(consume, PLAIN, INVALID, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but mask is given, and "       \
  "elements that are left out cannot be reduced in place.",                                        \
  info.flags = VKR_REDUCE_CONSUME_INPUT_BIT)                                                       \
X(consume_mapped, PLAIN, INVALID, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but input.map is "      \
  "given, and elements that are mapped cannot be reduced in place.",                               \
  info.flags = VKR_REDUCE_CONSUME_INPUT_BIT; info.mask = (VkrMask){0})                             \
X(both, PLAIN, INVALID, "mask.image is given, but must be NULL where mask.flags has a range "      \
  "or a hook.", info.mask.image = &mask)                                                           \
X(format, PLAIN, INVALID, "mask.flags.format is 3, but must be 0 to 2.",                           \
  info.mask.flags.format = VKR_FLAG_FORMAT_COUNT)                                                  \
X(offset, PLAIN, INVALID, "mask.flags.range.offset is 6, but must be a multiple of 4.",            \
  info.mask.flags.range.offset = 6)                                                                \
X(size, PLAIN, INVALID, "mask.flags.range.size is 124, but must be at least 128.",                 \
  info.mask.flags.range.size = 124)                                                                \
X(segments, PLAIN, UNSUPPORTED, "mask is given, but ops has dot and segments.kind is offsets, "    \
  "whose kernels read a mask or a second input, but not both.", info.ops = VKR_OP_DOT;             \
  info.input2 = info.input;                                                                        \
  info.segments = ((VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = {BUFFER('F'), 0, 8}}))   \
X(overlap, PLAIN, INVALID, "output overlaps mask.flags.range, but must be apart from it.",         \
  info.mask.flags.range = ((VkrBufferRange){BUFFER('O'), 0, 128}))                                 \
X(image, PLAIN, INVALID, "mask.image.samples is 4, but must be 0 or 1: resolve multisampled "      \
  "images first.", BY_IMAGE; mask.samples = VK_SAMPLE_COUNT_4_BIT)                                 \
X(no_image, PLAIN, INVALID, "mask.image.image is VK_NULL_HANDLE, but must be an image.", BY_IMAGE; \
  mask.image = VK_NULL_HANDLE)                                                                     \
X(small, PLAIN, INVALID, "mask.image has 950 texels, but must have at least the 1000 of count.",   \
  BY_IMAGE; mask.extent.height = 19)                                                               \
X(shape, PLAIN, INVALID, "mask.image has 25 x 40 texels in 1 layers, but must have 50 x 20 in 1, " \
  "like input.", BY_IMAGE; OF_IMAGE; mask.extent = ((VkExtent3D){25, 40, 1}))

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)0)                                                                           \
X(by_image, PLAIN, BY_IMAGE)                                                                       \
X(of_image, PLAIN, BY_IMAGE; OF_IMAGE)
/* clang-format on */

OPERATION(masks, vkrCmdReduce, VkrReduceInfo, info, SOME, NULL)
