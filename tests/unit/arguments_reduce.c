/* SPDX-License-Identifier: MIT */
/* Every field of VkrReduceInfo wrong in turn: the right code and sentence, nothing recorded,
 * nothing leaked, and the recorder works afterwards. */
#include <stdio.h>
#include <string.h>

#include "arguments_input.h"
#include "arguments_trace.h"

#define CONSUME VKR_REDUCE_CONSUME_INPUT_BIT
#define HUGE_COUNT ((uint64_t)1 << 40)

/* The devices of the table. */
enum { PLAIN, BARE, NO_I64, NO_F64, NARROW, SMALL, TIGHT, FEW, DEVICE_COUNT };
static const trace_device devices[DEVICE_COUNT] = {
    [BARE] = {.bare = true},
    [NO_I64] = {.limits = {.disabledFeatures = VKR_FEATURE_INT64}},
    [NO_F64] = {.limits = {.disabledFeatures = VKR_FEATURE_FLOAT64}},
    [NARROW] = {.limits = {.maxStorageBufferRange = 65536}},
    [SMALL] = {.workgroup = 256},
    [TIGHT] = {.shared = 1024, .group_path = VKR_GROUP_PATH_SHARED},
    [FEW] = {.limits = {.maxComputeWorkGroupCount = 1}, .rows = 2},
};

/* name, device, code, sentence behind "vkrCmdReduce: ", how plain_reduce() becomes wrong */
#define CALL "vkrCmdReduce: "
/* clang-format off */
#define REDUCE_ROWS(X)                                                                             \
X(ops_none, PLAIN, INVALID_ARGUMENT, "ops is 0x0, but must be one or more bits of VkrOp.",         \
  i->ops = 0)                                                                                      \
X(ops_unknown, PLAIN, INVALID_ARGUMENT, "ops is 0x80004, but must be one or more bits of VkrOp.",  \
  i->ops |= 1u << VKR_OP_BITS)                                                                     \
X(ops_and, PLAIN, INVALID_ARGUMENT,                                                                \
  "ops has and, but input.type is f32, and this operator needs an integer type.",                  \
  i->ops |= VKR_OP_AND)                                                                            \
X(ops_or, PLAIN, INVALID_ARGUMENT,                                                                 \
  "ops has or, but input.type is f16, and this operator needs an integer type.",                   \
  i->ops = VKR_OP_OR; i->input.type = VKR_TYPE_F16)                                                \
X(ops_xor, PLAIN, INVALID_ARGUMENT,                                                                \
  "ops has xor, but input.type is f64, and this operator needs an integer type.",                  \
  i->ops = VKR_OP_XOR; i->input.type = VKR_TYPE_F64)                                               \
INPUT_ROWS(X)                                                                                      \
X(count, PLAIN, INVALID_ARGUMENT,                                                                  \
  "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number of elements that input "   \
  "holds.", i->count = 1001)                                                                       \
X(count_windows, NARROW, UNSUPPORTED,                                                              \
  "count is 1099511627776, but must need at most 16384 windows of maxStorageBufferRange (65536 "   \
  "bytes).", i->input.size = 4 * HUGE_COUNT)                                                       \
X(input2_type, PLAIN, INVALID_ARGUMENT, "input2.type is i32, but must be f32 like input.type.",    \
  dot(i); i->input2.type = VKR_TYPE_I32)                                                           \
X(input2_none, PLAIN, INVALID_ARGUMENT,                                                            \
  "input2.type is 0, but must be one of VKR_TYPE_I8 (1) to VKR_TYPE_BF16 (12).",                   \
  i->ops = VKR_OP_DOT)                                                                             \
X(input2_buffer, PLAIN, INVALID_ARGUMENT,                                                          \
  "input2.buffer is VK_NULL_HANDLE, but must be a buffer where size is not 0.",                    \
  dot(i); i->input2.buffer = VK_NULL_HANDLE)                                                       \
X(input2_offset, PLAIN, INVALID_ARGUMENT,                                                          \
  "input2.offset is 2, but must be a multiple of 4, the size of f32.",                             \
  dot(i); i->input2.offset = 2)                                                                    \
X(input2_offset_odd, PLAIN, INVALID_ARGUMENT,                                                      \
  "input2.offset is 257, but must be a multiple of 4, the size of f32.",                           \
  dot(i); i->input2.offset = 257)                                                                  \
X(input2_size, PLAIN, INVALID_ARGUMENT,                                                            \
  "input2.size is 3999, which is 999 elements, but must hold the 1000 of count.",                  \
  dot(i); i->input2.size = 3999)                                                                   \
X(input2_whole, PLAIN, INVALID_ARGUMENT,                                                           \
  "input2.size is VK_WHOLE_SIZE, but must be a number of bytes unless input2.bufferSize is given, "\
  "since the size of a buffer cannot be asked for.", dot(i); i->input2.size = VK_WHOLE_SIZE)       \
X(input2_zero, PLAIN, INVALID_ARGUMENT,                                                            \
  "input2.size is 0, but must be a number of bytes unless input2.bufferSize is given, since the "  \
  "size of a buffer cannot be asked for.", dot(i); i->input2.size = 0)                             \
X(input2_components, PLAIN, INVALID_ARGUMENT,                                                      \
  "input2.components is 2, but must be 1 like input.components.",                                  \
  dot(i); i->input2.components = 2)                                                                \
X(input2_stride, PLAIN, INVALID_ARGUMENT,                                                          \
  "input2.stride is 2, but must be a multiple of 4, the size of f32.",                             \
  dot(i); i->input2.stride = 2)                                                                    \
X(input2_share, NARROW, UNSUPPORTED,                                                               \
  "input2.stride is 32768, but a workgroup's share of 256 elements must fit "                      \
  "maxStorageBufferRange (65536 bytes).",                                                          \
  dot(i); i->workgroupSize = 256; i->algorithm = VKR_REDUCE_TREE; i->input2.stride = 32768;        \
  i->input2.size = 1000 * 32768)                                                                   \
X(gpu_offset, PLAIN, INVALID_ARGUMENT, "gpuCount.offset is 6, but must be a multiple of 4.",       \
  i->gpuCount.buffer = BUFFER('C'); i->gpuCount.offset = 6)                                        \
X(gpu_outside, PLAIN, INVALID_ARGUMENT,                                                            \
  "gpuCount.offset is 18446744073709551612, but must lie inside the buffer.",                      \
  i->gpuCount.buffer = BUFFER('C'); i->gpuCount.offset = UINT64_MAX - 3)                           \
X(gpu_type, PLAIN, INVALID_ARGUMENT,                                                               \
  "gpuCount.type is 5, but must be VKR_TYPE_UNDEFINED (for u32), VKR_TYPE_U32 or VKR_TYPE_U64.",   \
  i->gpuCount.buffer = BUFFER('C'); i->gpuCount.type = VKR_TYPE_I32)                               \
X(output_buffer, PLAIN, INVALID_ARGUMENT,                                                          \
  "output.buffer is VK_NULL_HANDLE, but must be a buffer.", i->output.buffer = VK_NULL_HANDLE)     \
X(output_offset, PLAIN, INVALID_ARGUMENT,                                                          \
  "output.offset is 4, but must be a multiple of 8, the alignment of the layout.",                 \
  i->ops |= VKR_OP_COUNT; i->output.offset = 4)                                                    \
X(output_size, PLAIN, INVALID_ARGUMENT,                                                            \
  "output.size is 15, but must be at least 16 for these ops.",                                     \
  i->ops |= VKR_OP_COUNT; i->output.size = 15)                                                     \
X(output_whole, PLAIN, INVALID_ARGUMENT,                                                           \
  "output.size is 18446744073709551615, but must be a number of bytes inside the buffer, and "     \
  "output.offset is 0.", i->output.size = VK_WHOLE_SIZE)                                           \
X(output_wraps, PLAIN, INVALID_ARGUMENT,                                                           \
  "output.size is 64, but must be a number of bytes inside the buffer, and output.offset is "      \
  "18446744073709551612.", i->output.offset = UINT64_MAX - 3)                                      \
X(accumulator_i64, PLAIN, INVALID_ARGUMENT,                                                        \
  "accumulator is i64 (7), but for elements of type f32 must be undefined, f32 or f64.",           \
  i->accumulator = VKR_TYPE_I64)                                                                   \
X(accumulator_sign, PLAIN, INVALID_ARGUMENT,                                                       \
  "accumulator is u64 (8), but for elements of type i8 must be undefined, i32 or i64.",            \
  i->input.type = VKR_TYPE_I8; i->accumulator = VKR_TYPE_U64)                                      \
X(accumulator_least, PLAIN, INVALID_ARGUMENT,                                                      \
  "accumulator is f32 (10), but for elements of type f64 must be undefined, f64.",                 \
  i->input.type = VKR_TYPE_F64; i->accumulator = VKR_TYPE_F32)                                     \
X(accumulator_unknown, PLAIN, INVALID_ARGUMENT,                                                    \
  "accumulator is ? (99), but for elements of type f32 must be undefined, f32 or f64.",            \
  i->accumulator = (VkrType)99)                                                                    \
X(accumulator_wide, NO_F64, UNSUPPORTED,                                                           \
  "accumulator is f64, but must be a type that the context supports: this one needs "              \
  "shaderFloat64.", i->accumulator = VKR_TYPE_F64)                                                 \
X(accumulator_bare, BARE, UNSUPPORTED,                                                             \
  "accumulator is u64, but must be a type that the context supports: this one needs shaderInt64.", \
  i->input.type = VKR_TYPE_U32; i->accumulator = VKR_TYPE_U64)                                     \
X(nan, PLAIN, INVALID_ARGUMENT, "nan is 3, but must be 0 to 2.", i->nan = (VkrNan)3)               \
X(nan_negative, PLAIN, INVALID_ARGUMENT, "nan is -1, but must be 0 to 2.", i->nan = (VkrNan)-1)    \
X(determinism, PLAIN, INVALID_ARGUMENT, "determinism is 3, but must be 0 to 2.",                   \
  i->determinism = (VkrDeterminism)3)                                                              \
X(algorithm, PLAIN, INVALID_ARGUMENT, "algorithm is 11, but must be 0 to 10.",                     \
  i->algorithm = VKR_REDUCE_ALGORITHM_COUNT)                                                       \
X(workgroup, PLAIN, INVALID_ARGUMENT,                                                              \
  "workgroupSize is 96, but must be 0 or a power of two.",                                         \
  i->workgroupSize = 96)                                                                           \
X(workgroup_large, SMALL, UNSUPPORTED,                                                             \
  "workgroupSize is 512, but must be at most 256 on this device.",                                 \
  i->workgroupSize = 512)                                                                          \
X(workgroup_tree, PLAIN, INVALID_ARGUMENT,                                                         \
  "workgroupSize is 64, but must be 0 or 128 where determinism is VKR_DETERMINISM_DEVICE.",        \
  i->workgroupSize = 64; i->determinism = VKR_DETERMINISM_DEVICE)                                  \
X(workgroup_shared, TIGHT, UNSUPPORTED,                                                            \
  "workgroupSize is 256, but must be less for ops 0x4 to fit the device's 1024 bytes of shared "   \
  "memory.", i->workgroupSize = 256)                                                               \
X(workgroup_shared_device, TIGHT, UNSUPPORTED,                                                     \
  "workgroupSize is 128, but must be less for ops 0x44 to fit the device's 1024 bytes of shared "  \
  "memory.", i->ops |= VKR_OP_L1; i->determinism = VKR_DETERMINISM_DEVICE)                         \
X(flags, PLAIN, INVALID_ARGUMENT, "flags is 0x5, but must have only bits of VkrReduceFlagBits.",   \
  i->flags = 5)                                                                                    \
X(consume_algorithm, PLAIN, INVALID_ARGUMENT,                                                      \
  "algorithm is single, but must be auto or recursive where flags has "                            \
  "VKR_REDUCE_CONSUME_INPUT_BIT.", i->flags = CONSUME; i->algorithm = VKR_REDUCE_SINGLE)           \
X(consume_nan, PLAIN, INVALID_ARGUMENT,                                                            \
  "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but nan is VKR_NAN_SKIP, and elements that are left "   \
  "out cannot be worked on in place.", i->flags = CONSUME; i->nan = VKR_NAN_SKIP)                  \
X(consume_two, PLAIN, INVALID_ARGUMENT, IN_PLACE("0x3", "f32", "f32"),                             \
  i->flags = CONSUME; i->ops = VKR_OP_MIN | VKR_OP_MAX)                                            \
X(consume_argmin, PLAIN, INVALID_ARGUMENT, IN_PLACE("0x200", "f32", "f32"),                        \
  i->flags = CONSUME; i->ops = VKR_OP_ARGMIN)                                                      \
X(consume_narrow, PLAIN, INVALID_ARGUMENT, IN_PLACE("0x4", "u32", "u8"),                           \
  i->flags = CONSUME; i->input.type = VKR_TYPE_U8)                                                 \
X(consume_wide, PLAIN, INVALID_ARGUMENT, IN_PLACE("0x4", "f64", "f32"),                            \
  i->flags = CONSUME; i->accumulator = VKR_TYPE_F64)                                               \
X(consume_mean, PLAIN, INVALID_ARGUMENT, IN_PLACE("0x10", "i32", "i32"),                           \
  i->flags = CONSUME; i->ops = VKR_OP_MEAN; i->input.type = VKR_TYPE_I32)                          \
X(consume_windows, NARROW, UNSUPPORTED,                                                            \
  "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which takes one window, but count is 20000 and needs "  \
  "2, of maxStorageBufferRange (65536 bytes) and maxComputeWorkGroupCount (65535 x 65535).",       \
  i->flags = CONSUME; i->input.size = 80000)                                                       \
X(consume_groups, FEW, UNSUPPORTED,                                                                \
  "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which takes one window, but count is 1000 and needs "   \
  "2, of maxStorageBufferRange (134217728 bytes) and maxComputeWorkGroupCount (1 x 2).",           \
  i->flags = CONSUME)                                                                              \
X(single_windows, NARROW, UNSUPPORTED,                                                             \
  "algorithm is single, which takes one dispatch, but count is 20000 and needs 2, of "             \
  "maxStorageBufferRange (65536 bytes) and maxComputeWorkGroupCount (65535 x 65535).",             \
  i->algorithm = VKR_REDUCE_SINGLE; i->input.size = 80000)                                         \
X(single_groups, FEW, UNSUPPORTED,                                                                 \
  "algorithm is single, which takes one dispatch, but count is 100000 and needs 25, of "           \
  "maxStorageBufferRange (134217728 bytes) and maxComputeWorkGroupCount (1 x 2).",                 \
  i->algorithm = VKR_REDUCE_SINGLE; i->input.size = 400000)                                        \
X(single_partials, PLAIN, UNSUPPORTED,                                                             \
  "algorithm is single, but count is 4000000, and one workgroup cannot combine the 62500 "         \
  "partials of so many elements.",                                                                 \
  i->algorithm = VKR_REDUCE_SINGLE; i->workgroupSize = 1; i->input.size = 16000000)                \
X(tree_alone, PLAIN, UNSUPPORTED,                                                                  \
  "algorithm is tree, but needs workgroups of at least 2, and workgroupSize 1 with input.stride "  \
  "4 leaves 1.", i->algorithm = VKR_REDUCE_TREE; i->workgroupSize = 1)                             \
X(recursive_alone, NARROW, UNSUPPORTED,                                                            \
  "algorithm is recursive, but needs workgroups of at least 2, and workgroupSize 0 with "          \
  "input.stride 66000 leaves 1.",                                                                  \
  i->algorithm = VKR_REDUCE_RECURSIVE; i->input.stride = 66000; i->input.size = 660000)            \
X(recursive_partials, NARROW, UNSUPPORTED,                                                         \
  "algorithm is recursive, but a workgroup's share of 256 partials, 1024 bytes apart, must fit "   \
  "maxStorageBufferRange (65536 bytes).",                                                          \
  i->algorithm = VKR_REDUCE_RECURSIVE; i->input.size = 1u << 28)                                   \
X(stride_share, NARROW, UNSUPPORTED,                                                               \
  "input.stride is 512, but a workgroup's share of 8192 elements must fit maxStorageBufferRange "  \
  "(65536 bytes).",                                                                                \
  i->determinism = VKR_DETERMINISM_DEVICE; i->input.stride = 512; i->input.size = 512000)          \
X(texels_late, PLAIN, INVALID_ARGUMENT,                                                            \
  "input.texels is 4000 bytes at 272, but must hold the view's 4000 bytes at 256, all but at "     \
  "most 15 at the end.", texels(&i->input, 272, 4000))                                             \
X(texels_short, PLAIN, INVALID_ARGUMENT,                                                           \
  "input.texels is 3984 bytes at 256, but must hold the view's 4000 bytes at 256, all but at "     \
  "most 15 at the end.", texels(&i->input, 256, 3984))                                             \
X(texels_wrap, PLAIN, INVALID_ARGUMENT,                                                            \
  "input.texels is 18446744073709551600 bytes at 128, but must hold the view's 4000 bytes at "     \
  "256, all but at most 15 at the end.", texels(&i->input, 128, UINT64_MAX - 15))                  \
X(texels_input2, PLAIN, INVALID_ARGUMENT,                                                          \
  "input2.texels is 16 bytes at 0, but must hold the view's 4000 bytes at 0, all but at most "     \
  "15 at the end.", dot(i); texels(&i->input2, 0, 16))                                             \
X(pieces_buffer, PLAIN, INVALID_ARGUMENT,                                                          \
  "pieces.partials.buffer is VK_NULL_HANDLE, but must be a buffer where pieces.count or "          \
  "pieces.first is not 0.", i->pieces.count = 1000)                                                \
X(pieces_buffer_first, PLAIN, INVALID_ARGUMENT,                                                    \
  "pieces.partials.buffer is VK_NULL_HANDLE, but must be a buffer where pieces.count or "          \
  "pieces.first is not 0.", i->pieces.first = 8192)                                                \
X(pieces_gpu_count, PLAIN, INVALID_ARGUMENT,                                                       \
  "pieces.partials is given, but gpuCount must then be 0, flags 0 or VKR_REDUCE_SAMPLE_BIT, and "  \
  "algorithm auto or subgroup.", piece(i); i->gpuCount.buffer = BUFFER('C'))                       \
X(pieces_consume, PLAIN, INVALID_ARGUMENT,                                                         \
  "pieces.partials is given, but gpuCount must then be 0, flags 0 or VKR_REDUCE_SAMPLE_BIT, and "  \
  "algorithm auto or subgroup.", piece(i); i->flags = CONSUME)                                     \
X(pieces_single, PLAIN, INVALID_ARGUMENT,                                                          \
  "pieces.partials is given, but gpuCount must then be 0, flags 0 or VKR_REDUCE_SAMPLE_BIT, and "  \
  "algorithm auto or subgroup.", piece(i); i->algorithm = VKR_REDUCE_SINGLE)                       \
X(pieces_tree, PLAIN, INVALID_ARGUMENT,                                                            \
  "pieces.partials is given, but gpuCount must then be 0, flags 0 or VKR_REDUCE_SAMPLE_BIT, and "  \
  "algorithm auto or subgroup.", piece(i); i->algorithm = VKR_REDUCE_TREE)                         \
X(pieces_recursive, PLAIN, INVALID_ARGUMENT,                                                       \
  "pieces.partials is given, but gpuCount must then be 0, flags 0 or VKR_REDUCE_SAMPLE_BIT, and "  \
  "algorithm auto or subgroup.", piece(i); i->algorithm = VKR_REDUCE_RECURSIVE)                    \
X(pieces_first, PLAIN, INVALID_ARGUMENT,                                                           \
  "pieces.first is 8191, but must be a multiple of 8192 for a piece of pieces.count 9192.",        \
  piece(i); i->pieces.first = 8191)                                                                \
X(pieces_first_high, PLAIN, INVALID_ARGUMENT,                                                      \
  "pieces.first is 16384, but must be at most 9192 for a piece of pieces.count 9192.",             \
  piece(i); i->pieces.first = 16384)                                                               \
X(pieces_first_past, PLAIN, INVALID_ARGUMENT,                                                      \
  "pieces.first is 9193, but must be at most 9192 for a piece of pieces.count 9192.",              \
  piece(i); i->pieces.first = 9193; i->count = 0)                                                  \
X(pieces_count, PLAIN, INVALID_ARGUMENT,                                                           \
  "count is 1001, but must be at most 1000 for a piece of pieces.count 9192.",                     \
  piece(i); i->input.size = 4004)                                                                  \
X(pieces_count_part, PLAIN, INVALID_ARGUMENT,                                                      \
  "count is 1000, but must be a multiple of 8192 for a piece of pieces.count 9192.",               \
  piece(i); i->pieces.first = 0)                                                                   \
X(pieces_offset, PLAIN, INVALID_ARGUMENT,                                                          \
  "pieces.partials.offset is 6, but must be a multiple of 4 for a piece of pieces.count 9192.",    \
  piece(i); i->pieces.partials.offset = 6)                                                         \
X(pieces_size, PLAIN, INVALID_ARGUMENT,                                                            \
  "pieces.partials.size is 7, but must be at least 8 for a piece of pieces.count 9192.",           \
  piece(i); i->pieces.partials.size = 7)                                                           \
X(pieces_wraps, PLAIN, INVALID_ARGUMENT,                                                           \
  "pieces.partials.size is 8, but must be at most 3 for a piece of pieces.count 9192.",            \
  piece(i); i->pieces.partials.offset = UINT64_MAX - 3)
/* clang-format on */

#define IN_PLACE(ops, accumulator, type)                                                           \
    "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but ops is " ops                                      \
    " with an accumulator of " accumulator " for elements of " type                                \
    ", and must be one operator whose partial results have the element type."

static void dot(VkrReduceInfo *info)
{
    info->ops = VKR_OP_DOT;
    info->input2 = (VkrView){.buffer = BUFFER('B'), .size = 4000, .type = VKR_TYPE_F32};
}

static void texels(VkrView *view, VkDeviceSize offset, VkDeviceSize size)
{
    view->texels = (VkrTexels){HANDLE(VkBufferView), offset, size};
}

/* The last of two pieces. */
static void piece(VkrReduceInfo *info)
{
    info->pieces = (VkrPieces){{BUFFER('P'), 4, 8}, VKR_TREE_BLOCK, VKR_TREE_BLOCK + 1000};
}

#define BREAK(name, device, code, sentence, ...)                                                   \
    static void reduce_##name(VkrReduceInfo *i)                                                    \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
REDUCE_ROWS(BREAK)

#define ROW(name, device, code, sentence, ...)                                                     \
    {#name, device, VKR_ERROR_##code, CALL sentence, reduce_##name},
static const struct {
    const char *name;
    int device;
    VkrResult result;
    const char *sentence;
    void (*wrong)(VkrReduceInfo *info);
} reduce_rows[] = {REDUCE_ROWS(ROW)};

static VkrResult call_reduce(const void *info)
{
    return vkrCmdReduce(fixture.recorder, info);
}

static void test_reduce(void **state)
{
    (void)state;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(reduce_rows); k++) {
            VkrReduceInfo bad = plain_reduce();
            if (reduce_rows[k].device != device)
                continue;
            reduce_rows[k].wrong(&bad);
            assert_refused(call_reduce, &bad, reduce_rows[k].result, reduce_rows[k].sentence);
        }
        trace_close();
    }
}

/* vkrGetReduceLayout refuses, in its own name, what the layout depends on, and nothing else. */
static void test_layout(void **state)
{
    static const char *const read[] = {"ops",        "type",   "offset", "size",
                                       "components", "stride", "count",  "accumulator"};
    (void)state;
    uint32_t failures = 0;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(reduce_rows); k++) {
            VkrReduceInfo info = plain_reduce();
            VkrReduceLayout layout, untouched;
            char sentence[400];
            bool matters = false;
            if (reduce_rows[k].device != device)
                continue;
            for (size_t w = 0; w < ARRAY_SIZE(read); w++)
                matters |= strncmp(reduce_rows[k].name, read[w], strlen(read[w])) == 0;
            matters &= strcmp(reduce_rows[k].name, "count_windows") != 0;
            matters &= strcmp(reduce_rows[k].name, "stride_share") != 0;
            reduce_rows[k].wrong(&info);
            memset(&layout, 0x55, sizeof layout);
            untouched = layout;
            const VkrResult result = vkrGetReduceLayout(fixture.context, &info, &layout);
            if (!matters) {
                assert_int_equal(result, VKR_SUCCESS);
                continue;
            }
            snprintf(sentence, sizeof sentence, "vkrGetReduceLayout: %s",
                     reduce_rows[k].sentence + strlen(CALL));
            assert_said(result, reduce_rows[k].result, sentence);
            assert_memory_equal(&layout, &untouched, sizeof layout);
            failures++;
        }
        trace_close();
    }
    assert_int_equal(failures, 29);
}

/* ---- Views up to the end of their buffers ---- */

static const struct {
    VkDeviceSize offset, size, buffer_size;
    uint64_t count;
    uint32_t elements; /* that are reduced */
} open_rows[] = {
    {256, 0, 4256, VKR_COUNT_ALL, 1000},
    {256, VK_WHOLE_SIZE, 4256, VKR_COUNT_ALL, 1000},
    {256, 0, 4259, VKR_COUNT_ALL, 1000},
    {256, 400, 4256, VKR_COUNT_ALL, 100},
    {256, 0, 4256, 10, 10},
    {0, 0, 4000, VKR_COUNT_ALL, 1000},
    {256, 0, 256, VKR_COUNT_ALL, 0},
    {256, 0, 0, 0, 0},
    {256, 0, 4256, 0, 0},
};

static void test_open(void **state)
{
    (void)state;
    trace_open(&devices[PLAIN]);
    for (size_t k = 0; k < ARRAY_SIZE(open_rows); k++) {
        VkrReduceInfo info = plain_reduce();
        VkrReduceLayout layout;
        info.input.offset = open_rows[k].offset;
        info.input.size = open_rows[k].size;
        info.input.bufferSize = open_rows[k].buffer_size;
        info.count = open_rows[k].count;
        trace_clear();
        assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        assert_int_equal(fixture.dispatch_count, 1);
        assert_int_equal(fixture.dispatches[0].push.count, open_rows[k].elements);
    }
    assert_int_equal(fixture.sentences, 0);
    trace_close();
}

/* ---- vkrGetReduceResult ---- */

/* Nothing at all is reduced to the results of no element: of a view without a buffer, by every
 * algorithm, as a scan and as a compaction too. */
static void test_nothing(void **state)
{
    (void)state;
    const VkrView none = {.type = VKR_TYPE_F32};
    VkrReduceInfo reduce = plain_reduce();
    VkrScanInfo scan = plain_scan();
    VkrCompactInfo compact = plain_compact();
    trace_open(&(trace_device){0});
    reduce.input = none;
    scan.input = none;
    compact.input = none;
    reduce.count = scan.count = compact.count = 0;
    for (int algorithm = 0; algorithm < VKR_REDUCE_LANES; algorithm++) {
        trace_clear();
        reduce.algorithm = (VkrReduceAlgorithm)algorithm;
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdReduce(fixture.recorder, &reduce), VKR_SUCCESS);
        assert_int_equal(vkrCmdScan(fixture.recorder, &scan), VKR_SUCCESS);
        assert_int_equal(vkrCmdCompact(fixture.recorder, &compact), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        assert_true(fixture.dispatch_count > 0);
    }
    trace_close();
}

static void test_result(void **state)
{
    (void)state;
    trace_open(&devices[PLAIN]);
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        VkrReduceInfo info = plain_reduce();
        VkrReduceLayout layout;
        info.input.type = VKR_TYPE_U32;
        info.ops = (1u << bit) | VKR_OP_MAX | VKR_OP_NAN;
        assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
        for (uint32_t other = 0; other < 32; other++)
            assert_ptr_equal(vkrGetReduceResult(&layout, (VkrOp)(1u << other)),
                             other < VKR_OP_BITS && (info.ops >> other & 1) != 0
                                 ? &layout.results[other]
                                 : NULL);
        assert_null(vkrGetReduceResult(&layout, (VkrOp)0));
        assert_null(vkrGetReduceResult(&layout, (VkrOp)(VKR_OP_MAX | VKR_OP_NAN)));
        assert_null(vkrGetReduceResult(NULL, VKR_OP_MAX));
    }
    trace_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce),  cmocka_unit_test(test_layout), cmocka_unit_test(test_open),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_result),
    };
    return cmocka_run_group_tests_name("arguments_reduce", tests, NULL, NULL);
}
