/* SPDX-License-Identifier: MIT */
/* VkrReduceInfo, except for what segments, images, maps and masks add to it. */
#include "refusals.h"

#include <string.h>

#include "input.h"

#define CONSUME VKR_REDUCE_CONSUME_INPUT_BIT
#define HUGE_COUNT ((uint64_t)1 << 40)

static VkrReduceInfo info;
#define SCOPE                                                                                      \
    VkrReduceInfo *const i = &info;                                                                \
    (void)i

static void set_plain(void)
{
    info = plain_reduce();
}

static void dot(VkrReduceInfo *i)
{
    i->ops = VKR_OP_DOT;
    i->input2 = (VkrView){.buffer = BUFFER('B'), .size = 4000, .type = VKR_TYPE_F32};
}

static void texels(VkrView *view, VkDeviceSize offset, VkDeviceSize size)
{
    view->texels = (VkrTexels){HANDLE(VkBufferView), offset, size};
}

/* The last of two pieces. */
static void piece(VkrReduceInfo *i)
{
    i->pieces = (VkrPieces){{BUFFER('P'), 4, 8}, VKR_TREE_BLOCK, VKR_TREE_BLOCK + 1000};
}

#define IN_PLACE(ops, accumulator, type)                                                           \
    "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but ops is " ops                                      \
    " with an accumulator of " accumulator " for elements of " type                                \
    ", and must be one operator whose partial results have the element type."

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(ops_none, PLAIN, INVALID, "ops is 0, but must be one or more bits of VkrOp.", i->ops = 0)        \
X(ops_unknown, PLAIN, INVALID, "ops is sum | 0x100000, but must be one or more bits of "           \
  "VkrOp.", i->ops |= 1u << VKR_OP_BITS)                                                           \
X(ops_and, PLAIN, INVALID, "ops has and, but input.type is f32, and this operator needs an "       \
  "integer type.", i->ops |= VKR_OP_AND)                                                           \
X(ops_or, PLAIN, INVALID, "ops has or, but input.type is f16, and this operator needs an integer " \
  "type.", i->ops = VKR_OP_OR; i->input.type = VKR_TYPE_F16)                                       \
X(ops_logsumexp, PLAIN, INVALID, "ops has logsumexp, but input.type is f64 and the accumulator "   \
  "f64, and this operator needs elements of type f32, f16 or bf16, and an accumulator of f32.",    \
  i->ops = VKR_OP_LOGSUMEXP; i->input.type = VKR_TYPE_F64)                                         \
X(ops_logsumexp_wide, PLAIN, INVALID, "ops has logsumexp, but input.type is f32 and the "          \
  "accumulator f64, and this operator needs elements of type f32, f16 or bf16, and an "            \
  "accumulator of f32.", i->ops = VKR_OP_LOGSUMEXP; i->accumulator = VKR_TYPE_F64)                 \
X(ops_xor, PLAIN, INVALID, "ops has xor, but input.type is f64, and this operator needs an "       \
  "integer type.", i->ops = VKR_OP_XOR; i->input.type = VKR_TYPE_F64)                              \
COMPUTED_ROWS(X)                                                                                   \
INPUT_ROWS(X)                                                                                      \
SUM_ROWS(X)                                                                                        \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(windows_count, NARROW, UNSUPPORTED, "count is 1099511627776, but must need at most 16384 "       \
  "dispatches of maxStorageBufferRange (65536 bytes).", i->input.size = 4 * HUGE_COUNT)            \
X(input2_type, PLAIN, INVALID, "input2.type is i32, but must be f32 like input.type.", dot(i);     \
  i->input2.type = VKR_TYPE_I32)                                                                   \
X(input2_none, PLAIN, INVALID, "input2.type is 0, but must be one of VKR_TYPE_I8 (1) to "          \
  "VKR_TYPE_BF16 (12).", i->ops = VKR_OP_DOT)                                                      \
X(input2_buffer, PLAIN, INVALID, "input2.buffer is VK_NULL_HANDLE, but must be a buffer where "    \
  "size is not 0.", dot(i); i->input2.buffer = VK_NULL_HANDLE)                                     \
X(input2_offset, PLAIN, INVALID, "input2.offset is 2, but must be a multiple of 4, the size of "   \
  "f32.", dot(i); i->input2.offset = 2)                                                            \
X(input2_offset_odd, PLAIN, INVALID, "input2.offset is 257, but must be a multiple of 4, the "     \
  "size of f32.", dot(i); i->input2.offset = 257)                                                  \
X(input2_size, PLAIN, INVALID, "input2.size is 3999, which is 999 elements, but must hold the "    \
  "1000 of count.", dot(i); i->input2.size = 3999)                                                 \
X(input2_whole, PLAIN, INVALID, "input2.size is VK_WHOLE_SIZE, but must be a number of bytes "     \
  "unless input2.bufferSize is given, since the size of a buffer cannot be queried.", dot(i);      \
  i->input2.size = VK_WHOLE_SIZE)                                                                  \
X(input2_zero, PLAIN, INVALID, "input2.size is 0, but must be a number of bytes unless "           \
  "input2.bufferSize is given, since the size of a buffer cannot be queried.", dot(i);             \
  i->input2.size = 0)                                                                              \
X(input2_components, PLAIN, INVALID, "input2.components is 2, but must be 1 like "                 \
  "input.components.", dot(i); i->input2.components = 2)                                           \
X(input2_stride, PLAIN, INVALID, "input2.stride is 2, but must be a multiple of 4, the size of "   \
  "f32.", dot(i); i->input2.stride = 2)                                                            \
X(input2_share, NARROW, UNSUPPORTED, "input2.stride is 32768, but a workgroup's share of 256 "     \
  "elements must fit maxStorageBufferRange (65536 bytes, less up "                                 \
  "to 64 for alignment).", dot(i); i->workgroupSize = 256;                                         \
  i->algorithm = VKR_REDUCE_TREE; i->input2.stride = 32768; i->input2.size = 1000 * 32768)         \
X(output_buffer, PLAIN, INVALID, "output.buffer is VK_NULL_HANDLE, but must be a buffer.",         \
  i->output.buffer = VK_NULL_HANDLE)                                                               \
X(output_offset, PLAIN, INVALID, "output.offset is 4, but must be a multiple of 8, the alignment " \
  "of the layout.", i->ops |= VKR_OP_COUNT; i->output.offset = 4)                                  \
X(output_size, PLAIN, INVALID, "output.size is 15, but must be at least 16 for these ops.",        \
  i->ops |= VKR_OP_COUNT; i->output.size = 15)                                                     \
X(output_whole, PLAIN, INVALID, "output.size is 18446744073709551615, but must be a number of "    \
  "bytes inside the buffer, and output.offset is 0.", i->output.size = VK_WHOLE_SIZE)              \
X(output_wraps, PLAIN, INVALID, "output.size is 64, but must be a number of bytes inside the "     \
  "buffer, and output.offset is 18446744073709551612.", i->output.offset = UINT64_MAX - 3)         \
X(nan, PLAIN, INVALID, "nan is 3, but must be 0 to 2.", i->nan = (VkrNan)3)                        \
X(nan_negative, PLAIN, INVALID, "nan is -1, but must be 0 to 2.", i->nan = (VkrNan)-1)             \
X(algorithm, PLAIN, INVALID, "algorithm is 11, but must be 0 to 10.",                              \
  i->algorithm = VKR_REDUCE_ALGORITHM_COUNT)                                                       \
X(workgroup_tree, PLAIN, INVALID, "workgroupSize is 64, but must be 0 or 128 where determinism "   \
  "is VKR_DETERMINISM_DEVICE.", i->workgroupSize = 64; i->determinism = VKR_DETERMINISM_DEVICE)    \
X(workgroup_shared, TIGHT, UNSUPPORTED, "workgroupSize is 256, but must be less for ops sum to "   \
  "fit the device's 1024 bytes of shared memory.", i->workgroupSize = 256)                         \
X(workgroup_shared_device, TIGHT, UNSUPPORTED, "workgroupSize is 128, but must be less for ops "   \
  "sum | l1 to fit the device's 1024 bytes of shared memory.", i->ops |= VKR_OP_L1;                \
  i->determinism = VKR_DETERMINISM_DEVICE)                                                         \
X(flags, PLAIN, INVALID, "flags is VKR_REDUCE_CONSUME_INPUT_BIT | 0x4, but must "                  \
  "have only bits of VkrReduceFlagBits.", i->flags = 5)                                            \
X(consume_algorithm, PLAIN, INVALID, "algorithm is single, but must be auto or recursive where "   \
  "flags has VKR_REDUCE_CONSUME_INPUT_BIT.", i->flags = CONSUME; i->algorithm = VKR_REDUCE_SINGLE) \
X(consume_nan, PLAIN, INVALID, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but nan is VKR_NAN_SKIP, " \
  "and elements that are left out cannot be reduced in place.", i->flags = CONSUME;                \
  i->nan = VKR_NAN_SKIP)                                                                           \
X(consume_two, PLAIN, INVALID, IN_PLACE("min | max", "f32", "f32"), i->flags = CONSUME;            \
  i->ops = VKR_OP_MIN | VKR_OP_MAX)                                                                \
X(consume_argmin, PLAIN, INVALID, IN_PLACE("argmin", "f32", "f32"), i->flags = CONSUME;            \
  i->ops = VKR_OP_ARGMIN)                                                                          \
X(consume_narrow, PLAIN, INVALID, IN_PLACE("sum", "u32", "u8"), i->flags = CONSUME;                \
  i->input.type = VKR_TYPE_U8)                                                                     \
X(consume_wide, PLAIN, INVALID, IN_PLACE("sum", "f64", "f32"), i->flags = CONSUME;                 \
  i->accumulator = VKR_TYPE_F64)                                                                   \
X(consume_mean, PLAIN, INVALID, IN_PLACE("mean", "i32", "i32"), i->flags = CONSUME;                \
  i->ops = VKR_OP_MEAN; i->input.type = VKR_TYPE_I32)                                              \
X(consume_windows, NARROW, UNSUPPORTED, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which needs one " \
  "window, but count is 20000 and needs 2, limited by maxStorageBufferRange (65536 bytes) and "    \
  "maxComputeWorkGroupCount (65535 x 65535).", i->flags = CONSUME; i->input.size = 80000)          \
X(consume_groups, TWO_GROUPS, UNSUPPORTED, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which needs "  \
  "one window, but count is 1000 and needs 2, limited by maxStorageBufferRange (134217728 bytes) " \
  "and maxComputeWorkGroupCount (1 x 2).", i->flags = CONSUME)                                     \
X(single_windows, NARROW, UNSUPPORTED, "algorithm is single, which needs one dispatch, but count " \
  "is 20000 and needs 2, limited by maxStorageBufferRange (65536 bytes) and "                      \
  "maxComputeWorkGroupCount (65535 x 65535).", i->algorithm = VKR_REDUCE_SINGLE;                   \
  i->input.size = 80000)                                                                           \
X(single_groups, TWO_GROUPS, UNSUPPORTED, "algorithm is single, which needs one dispatch, but "    \
  "count is 100000 and needs 25, limited by maxStorageBufferRange (134217728 bytes) and "          \
  "maxComputeWorkGroupCount (1 x 2).", i->algorithm = VKR_REDUCE_SINGLE; i->input.size = 400000)   \
X(single_partials, PLAIN, UNSUPPORTED, "algorithm is single, but count is 4000000, and one "       \
  "workgroup cannot combine the 62500 partials of these elements.",                                \
  i->algorithm = VKR_REDUCE_SINGLE; i->workgroupSize = 1; i->input.size = 16000000)                \
X(tree_alone, PLAIN, UNSUPPORTED, "algorithm is tree, but needs workgroups of at least 2, and "    \
  "workgroupSize 1 with input.stride 4 leaves 1.", i->algorithm = VKR_REDUCE_TREE;                 \
  i->workgroupSize = 1)                                                                            \
X(recursive_alone, NARROW, UNSUPPORTED, "algorithm is recursive, but needs workgroups of at "      \
  "least 2, and workgroupSize 0 with input.stride 66000 leaves 1.",                                \
  i->algorithm = VKR_REDUCE_RECURSIVE; i->input.stride = 66000; i->input.size = 660000)            \
X(recursive_partials, NARROW, UNSUPPORTED, "algorithm is recursive, but a workgroup's "            \
  "share of 256 "                                                                                  \
  "partials, 1024 bytes apart, must fit maxStorageBufferRange "                                    \
  "(65536 bytes, less up to 64 for alignment).",                                                   \
  i->algorithm = VKR_REDUCE_RECURSIVE; i->input.size = 1u << 28)                                   \
X(share_stride, NARROW, UNSUPPORTED, "input.stride is 512, but a workgroup's share of "            \
  "8192 elements "                                                                                 \
  "must fit maxStorageBufferRange (65536 bytes, less up to 64 "                                    \
  "for alignment).",                                                                               \
  i->determinism = VKR_DETERMINISM_DEVICE; i->input.stride = 512; i->input.size = 512000)          \
X(texels_late, PLAIN, INVALID, "input.texels is 4000 bytes at 272, but must hold the view's 4000 " \
  "bytes at 256, all but at most 15 at the end.", texels(&i->input, 272, 4000))                    \
X(texels_short, PLAIN, INVALID, "input.texels is 3984 bytes at 256, but must hold the view's "     \
  "4000 bytes at 256, all but at most 15 at the end.", texels(&i->input, 256, 3984))               \
X(texels_wrap, PLAIN, INVALID, "input.texels is 18446744073709551600 bytes at 128, but must hold " \
  "the view's 4000 bytes at 256, all but at most 15 at the end.", texels(&i->input, 128,           \
  UINT64_MAX - 15))                                                                                \
X(texels_input2, PLAIN, INVALID, "input2.texels is 16 bytes at 0, but must hold the view's 4000 "  \
  "bytes at 0, all but at most 15 at the end.", dot(i); texels(&i->input2, 0, 16))                 \
X(pieces_buffer, PLAIN, INVALID, "pieces.partials.buffer is VK_NULL_HANDLE, but must be a buffer " \
  "where pieces.count or pieces.first is not 0.", i->pieces.count = 1000)                          \
X(pieces_buffer_first, PLAIN, INVALID, "pieces.partials.buffer is VK_NULL_HANDLE, but must be a "  \
  "buffer where pieces.count or pieces.first is not 0.", i->pieces.first = 8192)                   \
X(pieces_gpu_count, PLAIN, INVALID, "pieces.partials is given, but gpuCount must then be 0, "      \
  "flags 0 or VKR_REDUCE_SAMPLE_BIT, and algorithm auto or subgroup.", piece(i);                   \
  i->gpuCount.buffer = BUFFER('C'))                                                                \
X(pieces_consume, PLAIN, INVALID, "pieces.partials is given, but gpuCount must then be 0, flags "  \
  "0 or VKR_REDUCE_SAMPLE_BIT, and algorithm auto or subgroup.", piece(i); i->flags = CONSUME)     \
X(pieces_single, PLAIN, INVALID, "pieces.partials is given, but gpuCount must then be 0, flags 0 " \
  "or VKR_REDUCE_SAMPLE_BIT, and algorithm auto or subgroup.", piece(i);                           \
  i->algorithm = VKR_REDUCE_SINGLE)                                                                \
X(pieces_tree, PLAIN, INVALID, "pieces.partials is given, but gpuCount must then be 0, flags 0 "   \
  "or VKR_REDUCE_SAMPLE_BIT, and algorithm auto or subgroup.", piece(i);                           \
  i->algorithm = VKR_REDUCE_TREE)                                                                  \
X(pieces_recursive, PLAIN, INVALID, "pieces.partials is given, but gpuCount must then be 0, "      \
  "flags 0 or VKR_REDUCE_SAMPLE_BIT, and algorithm auto or subgroup.", piece(i);                   \
  i->algorithm = VKR_REDUCE_RECURSIVE)                                                             \
X(pieces_first, PLAIN, INVALID, "pieces.first is 8191, but must be a multiple of 8192 for a "      \
  "piece of pieces.count 9192.", piece(i); i->pieces.first = 8191)                                 \
X(pieces_first_high, PLAIN, INVALID, "pieces.first is 16384, but must be at most 9192 for a "      \
  "piece of pieces.count 9192.", piece(i); i->pieces.first = 16384)                                \
X(pieces_first_past, PLAIN, INVALID, "pieces.first is 9193, but must be at most 9192 for a piece " \
  "of pieces.count 9192.", piece(i); i->pieces.first = 9193; i->count = 0)                         \
X(pieces_count, PLAIN, INVALID, "count is 1001, but must be at most 1000 for a piece of "          \
  "pieces.count 9192.", piece(i); i->input.size = 4004)                                            \
X(pieces_count_part, PLAIN, INVALID, "count is 1000, but must be a multiple of 8192 for a piece "  \
  "of pieces.count 9192.", piece(i); i->pieces.first = 0)                                          \
X(pieces_offset, PLAIN, INVALID, "pieces.partials.offset is 6, but must be a multiple of 4 for a " \
  "piece of pieces.count 9192.", piece(i); i->pieces.partials.offset = 6)                          \
X(pieces_size, PLAIN, INVALID, "pieces.partials.size is 7, but must be at least 8 for a piece of " \
  "pieces.count 9192.", piece(i); i->pieces.partials.size = 7)                                     \
X(pieces_wraps, PLAIN, INVALID, "pieces.partials.size is 8, but must be at most 3 for a piece of " \
  "pieces.count 9192.", piece(i); i->pieces.partials.offset = UINT64_MAX - 3)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)i)
/* clang-format on */

VkrResult ask_reduce_layout(const void *request)
{
    VkrReduceLayout layout, untouched;
    memset(&layout, 0x55, sizeof layout);
    untouched = layout;
    const VkrResult result = vkrGetReduceLayout(fixture.context, request, &layout);
    if (result != VKR_SUCCESS)
        assert_memory_equal(&layout, &untouched, sizeof layout);
    return result;
}

/* The layout depends on these, and on nothing else. */
static const char *const matters[] = {"ops",    "type",  "offset",      "size", "components",
                                      "stride", "count", "accumulator", NULL};
static const question layout_question = {"vkrGetReduceLayout", ask_reduce_layout, matters, 31};

OPERATION(reduce, vkrCmdReduce, VkrReduceInfo, info, SOME, &layout_question)
