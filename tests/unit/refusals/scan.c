/* SPDX-License-Identifier: MIT */
/* VkrScanInfo. */
#include "refusals.h"

#include "input.h"

#define HUGE_COUNT ((uint64_t)1 << 40)
#define RANGE(letter, offset, size) ((VkrBufferRange){BUFFER(letter), offset, size})
#define FLAGS(form, offset, size)                                                                  \
    ((VkrSegments){.kind = VKR_SEGMENTS_FLAGS,                                                     \
                   .flags = {.format = form, .range = RANGE('S', offset, size)}})
#define OFFSETS(type, offset, size)                                                                \
    ((VkrSegments){                                                                                \
        .kind = VKR_SEGMENTS_OFFSETS, .offsets = RANGE('S', offset, size), .offsetType = type})

#define COLUMNS(width) ((VkrSegments){.kind = VKR_SEGMENTS_COLUMNS, .length = width})

#define KEYS                                                                                       \
    i->segments = (VkrSegments)                                                                    \
    {                                                                                              \
        .kind = VKR_SEGMENTS_KEYS, .keys = {                                                       \
            .buffer = BUFFER('K'),                                                                 \
            .size = 2000,                                                                          \
            .type = VKR_TYPE_I16                                                                   \
        }                                                                                          \
    }

#define OP(names)                                                                                  \
    "op is " names ", but must be one of VKR_OP_SUM, PRODUCT, MIN, MAX, AND, OR and XOR."

static VkrScanInfo info;
#define SCOPE                                                                                      \
    VkrScanInfo *const i = &info;                                                                  \
    (void)i

static const float one = 1.0f;
static const VkrImage image;
static const VkrMap map;

static void set_plain(void)
{
    info = plain_scan();
}

static void in_place(VkrScanInfo *i)
{
    i->output = i->input;
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(op_none, PLAIN, INVALID, OP("0"), i->op = (VkrOp)0)                                              \
X(op_two, PLAIN, INVALID, OP("min | sum"), i->op = (VkrOp)(VKR_OP_SUM | VKR_OP_MIN))               \
X(op_unknown, PLAIN, INVALID, OP("0x100000"), i->op = (VkrOp)(1 << VKR_OP_BITS))                   \
X(op_mean, PLAIN, INVALID, OP("mean"), i->op = VKR_OP_MEAN)                                        \
X(op_sumsq, PLAIN, INVALID, OP("sumsq"), i->op = VKR_OP_SUMSQ)                                     \
X(op_argmin, PLAIN, INVALID, OP("argmin"), i->op = VKR_OP_ARGMIN)                                  \
X(op_count, PLAIN, INVALID, OP("count"), i->op = VKR_OP_COUNT)                                     \
X(op_dot, PLAIN, INVALID, OP("dot"), i->op = VKR_OP_DOT)                                           \
X(op_and, PLAIN, INVALID, "op is and, but input.type is f32, and this operator needs an integer "  \
  "type.", i->op = VKR_OP_AND)                                                                     \
X(op_or, PLAIN, INVALID, "op is or, but input.type is f16, and this operator needs an integer "    \
  "type.", i->op = VKR_OP_OR; i->input.type = VKR_TYPE_F16)                                        \
X(op_xor, PLAIN, INVALID, "op is xor, but input.type is f64, and this operator needs an integer "  \
  "type.", i->op = VKR_OP_XOR; i->input.type = VKR_TYPE_F64)                                       \
X(flags, PLAIN, INVALID, "flags is VKR_SCAN_EXCLUSIVE_BIT | VKR_SCAN_REVERSE_BIT | 0x4, but must " \
  "have only bits of VkrScanFlagBits.", i->flags = 7)                                              \
COMPUTED_ROWS(X)                                                                                   \
INPUT_ROWS(X)                                                                                      \
SUM_ROWS(X)                                                                                        \
X(texels_late, PLAIN, INVALID, "input.texels is 4000 bytes at 272, but must hold the view's 4000 " \
  "bytes at 256, all but at most 15 at the end.",                                                  \
  i->input.texels = (VkrTexels){HANDLE(VkBufferView), 272, 4000})                                  \
X(texels_short, PLAIN, INVALID, "input.texels is 3984 bytes at 256, but must hold the view's "     \
  "4000 bytes at 256, all but at most 15 at the end.",                                             \
  i->input.texels = (VkrTexels){HANDLE(VkBufferView), 256, 3984})                                  \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(count_windows, NARROW, UNSUPPORTED, "count is 1099511627776, but must need at most 16384 "       \
  "dispatches of maxStorageBufferRange (65536 bytes).", i->input.size = 4 * HUGE_COUNT;            \
  i->output.size = 4 * HUGE_COUNT)                                                                 \
X(nan, PLAIN, INVALID, "nan is 3, but must be 0 to 2.", i->nan = (VkrNan)3)                        \
X(nan_negative, PLAIN, INVALID, "nan is -1, but must be 0 to 2.", i->nan = (VkrNan)-1)             \
X(mask_size, PLAIN, INVALID, "mask.flags.range.size is 124, but must be at least 128.",            \
  i->mask.flags = ((VkrFlagView){.format = VKR_FLAGS_BITS, .range = RANGE('S', 0, 124)}))          \
X(mask_format, PLAIN, INVALID, "mask.flags.format is 3, but must be 0 to 2.",                      \
  i->mask.flags = ((VkrFlagView){.format = VKR_FLAG_FORMAT_COUNT, .range = RANGE('S', 0, 4000)}))  \
X(mask_output, PLAIN, INVALID, "output overlaps mask.flags.range, but must be apart from it.",     \
  i->mask.flags.range = RANGE('B', 4508, 4000))                                                    \
X(mask_total, PLAIN, INVALID, "total overlaps mask.flags.range, but must be apart from it.",       \
  i->mask.flags.range = RANGE('T', 0, 4000); i->total = RANGE('T', 3996, 4))                       \
X(algorithm, PLAIN, INVALID, "algorithm is 5, but must be 0 to 4.",                                \
  i->algorithm = VKR_SCAN_ALGORITHM_COUNT)                                                         \
X(algorithm_negative, PLAIN, INVALID, "algorithm is -1, but must be 0 to 4.",                      \
  i->algorithm = (VkrScanAlgorithm)-1)                                                             \
X(output_type, PLAIN, INVALID, "output.type is i32, but must be undefined or f32, the type of "    \
  "the results.", i->output.type = VKR_TYPE_I32)                                                   \
X(output_type_wide, PLAIN, INVALID, "output.type is u8, but must be undefined or u32, the type "   \
  "of the results.", i->input.type = VKR_TYPE_U8; i->output.type = VKR_TYPE_U8)                    \
X(output_type_unknown, PLAIN, INVALID, "output.type is 13, but must be one of VKR_TYPE_I8 (1) to " \
  "VKR_TYPE_BF16 (12).", i->output.type = VKR_TYPE_COUNT)                                          \
X(output_type_negative, PLAIN, INVALID, "output.type is -1, but must be one of VKR_TYPE_I8 (1) "   \
  "to VKR_TYPE_BF16 (12).", i->output.type = (VkrType)-1)                                          \
X(output_components, PLAIN, INVALID, "output.components is 2, but must be 0 or 1 like "            \
  "input.components.", i->output.components = 2)                                                   \
X(output_components_many, PLAIN, INVALID, "output.components is 5, but must be 0 (for 1) to 4.",   \
  i->output.components = 5)                                                                        \
X(output_buffer, PLAIN, INVALID, "output.buffer is VK_NULL_HANDLE, but must be a buffer where "    \
  "size is not 0.", i->output.buffer = VK_NULL_HANDLE)                                             \
X(output_none, PLAIN, INVALID, "output.size is 0, which is 0 elements, but must hold the 1000 of " \
  "count.", i->output = (VkrView){0})                                                              \
X(output_offset, PLAIN, INVALID, "output.offset is 514, but must be a multiple of 4, the size of " \
  "f32.", i->output.offset = 514)                                                                  \
X(output_size_whole, PLAIN, INVALID, "output.size is VK_WHOLE_SIZE, but must be a number of "      \
  "bytes unless output.bufferSize is given, since the size of a buffer cannot be queried.",        \
  i->output.size = VK_WHOLE_SIZE)                                                                  \
X(output_size_zero, PLAIN, INVALID, "output.size is 0, but must be a number of bytes unless "      \
  "output.bufferSize is given, since the size of a buffer cannot be queried.",                     \
  i->output.size = 0)                                                                              \
X(output_size_past, PLAIN, INVALID, "output.size is 4000, but must be at most 3999, the rest of "  \
  "the buffer of 4511 bytes after offset 512.", i->output.bufferSize = 4511)                       \
X(output_offset_past, PLAIN, INVALID, "output.offset is 512, but must be at most 508, the value "  \
  "of output.bufferSize.", i->output.size = 0; i->output.bufferSize = 508)                         \
X(output_size_of_buffer, PLAIN, INVALID, "output.bufferSize is VK_WHOLE_SIZE, but must be 0 or a " \
  "number of bytes.", i->output.bufferSize = VK_WHOLE_SIZE)                                        \
X(output_wraps, PLAIN, INVALID, "output.size is 18446744073709551360, but must stay below 2^64 "   \
  "when offset, which is 512, is added.", i->output.size = UINT64_MAX - 255)                       \
X(output_stride, PLAIN, INVALID, "output.stride is 6, but must be a multiple of 4, the size of "   \
  "f32.", i->output.stride = 6)                                                                    \
X(output_stride_small, PLAIN, INVALID, "output.stride is 4, but must be 0 or at least 8, the "     \
  "size of an element.", i->input.components = 2; i->output.stride = 4)                            \
X(output_size, PLAIN, INVALID, "output.size is 3999, which is 999 elements, but must hold the "    \
  "1000 of count.", i->output.size = 3999)                                                         \
X(output_size_stride, PLAIN, INVALID, "output.size is 4000, which is 500 elements, but must hold " \
  "the 1000 of count.", i->output.stride = 8)                                                      \
X(output_size_wide, PLAIN, INVALID, "output.size is 4000, which is 1000 elements, but must hold "  \
  "the 4000 of count.", i->input.type = VKR_TYPE_I8)                                               \
X(overlap_front, PLAIN, INVALID, "output overlaps input, but must be apart from it or equal to "   \
  "it.", i->output.buffer = BUFFER('A'); i->output.offset = 260)                                   \
X(overlap_end, PLAIN, INVALID, "output overlaps input, but must be apart from it or equal to "     \
  "it.", i->output.buffer = BUFFER('A'); i->output.offset = 4252)                                  \
X(overlap_before, PLAIN, INVALID, "output overlaps input, but must be apart from it or equal to "  \
  "it.", i->output.buffer = BUFFER('A'); i->output.offset = 252)                                   \
X(overlap_stride, PLAIN, INVALID, "output overlaps input, but must be apart from it or equal to "  \
  "it.", i->output.buffer = BUFFER('A'); i->output.offset = 256; i->output.stride = 8;             \
  i->output.size = 8000)                                                                           \
X(overlap_type, PLAIN, INVALID, "output overlaps input, but must be apart from it or equal to "    \
  "it.", i->output.buffer = BUFFER('A'); i->output.offset = 256; i->output.size = 16000;           \
  i->input.type = VKR_TYPE_U8)                                                                     \
X(in_place_single, PLAIN, UNSUPPORTED, "algorithm is single-pass, but must be auto or "            \
  "reduce-then-scan where output is input.", in_place(i); i->op = VKR_OP_MAX;                      \
  i->algorithm = VKR_SCAN_SINGLE_PASS)                                                             \
X(in_place_hillis, PLAIN, UNSUPPORTED, "algorithm is hillis-steele, but must be auto or "          \
  "reduce-then-scan where output is input.", in_place(i); i->algorithm = VKR_SCAN_HILLIS_STEELE)   \
X(in_place_blelloch, PLAIN, UNSUPPORTED, "algorithm is blelloch, but must be auto or "             \
  "reduce-then-scan where output is input.", in_place(i); i->algorithm = VKR_SCAN_BLELLOCH)        \
X(progress, NO_PROGRESS, UNSUPPORTED, "algorithm is single-pass, but the context's "               \
  "forwardProgress is VKR_FORWARD_PROGRESS_NONE and must be another.", i->op = VKR_OP_MAX;         \
  i->algorithm = VKR_SCAN_SINGLE_PASS)                                                             \
X(single_sum_device, PLAIN, UNSUPPORTED, "algorithm is single-pass, but must be auto or "          \
  "reduce-then-scan where determinism is VKR_DETERMINISM_DEVICE.",                                 \
  i->algorithm = VKR_SCAN_SINGLE_PASS; i->determinism = VKR_DETERMINISM_DEVICE)                    \
X(hillis_device, PLAIN, UNSUPPORTED, "algorithm is hillis-steele, but must be auto or "            \
  "reduce-then-scan where determinism is VKR_DETERMINISM_DEVICE.",                                 \
  i->algorithm = VKR_SCAN_HILLIS_STEELE; i->determinism = VKR_DETERMINISM_DEVICE)                  \
X(blelloch_device, PLAIN, UNSUPPORTED, "algorithm is blelloch, but must be auto or "               \
  "reduce-then-scan where determinism is VKR_DETERMINISM_DEVICE.",                                 \
  i->algorithm = VKR_SCAN_BLELLOCH; i->determinism = VKR_DETERMINISM_DEVICE)                       \
X(hillis_windows, NARROW, UNSUPPORTED, "algorithm is hillis-steele, but count is 20000, "          \
  "and these "                                                                                     \
  "elements of input must fit maxStorageBufferRange (65536 "                                       \
  "bytes, less up to 64 for alignment).",                                                          \
  i->algorithm = VKR_SCAN_HILLIS_STEELE; i->input.size = 80000; i->output.size = 80000)            \
X(blelloch_windows, NARROW, UNSUPPORTED, "algorithm is blelloch, but count is 20000, and "         \
  "these elements "                                                                                \
  "of input must fit maxStorageBufferRange (65536 bytes, less up "                                 \
  "to 64 for alignment).",                                                                         \
  i->algorithm = VKR_SCAN_BLELLOCH; i->input.size = 80000; i->output.size = 80000)                 \
X(hillis_windows_output, NARROW, UNSUPPORTED, "algorithm is hillis-steele, but count is "          \
  "1000, and these "                                                                               \
  "elements of output must fit maxStorageBufferRange (65536 "                                      \
  "bytes, less up to 64 for alignment).",                                                          \
  i->algorithm = VKR_SCAN_HILLIS_STEELE; i->output.stride = 100; i->output.size = 100000)          \
X(initial_both, PLAIN, INVALID, "initial and gpuInitial.buffer are both given, but one of them "   \
  "must be NULL.", i->initial = &one; i->gpuInitial = RANGE('I', 0, 4))                            \
X(initial_offset, PLAIN, INVALID, "gpuInitial.offset is 2, but must be a multiple of 4.",          \
  i->gpuInitial = RANGE('I', 2, 4))                                                                \
X(initial_offset_wide, PLAIN, INVALID, "gpuInitial.offset is 4, but must be a multiple of 8.",     \
  i->input.type = VKR_TYPE_F64; i->gpuInitial = RANGE('I', 4, 8))                                  \
X(initial_size, PLAIN, INVALID, "gpuInitial.size is 3, but must be at least 4.",                   \
  i->gpuInitial = RANGE('I', 0, 3))                                                                \
X(initial_size_components, PLAIN, INVALID, "gpuInitial.size is 11, but must be at least 12.",      \
  i->input.components = 3; i->gpuInitial = RANGE('I', 0, 11))                                      \
X(initial_size_wide, PLAIN, INVALID, "gpuInitial.size is 7, but must be at least 8.",              \
  i->accumulator = VKR_TYPE_F64; i->output.size = 8000; i->gpuInitial = RANGE('I', 0, 7))          \
X(initial_whole, PLAIN, INVALID, "gpuInitial.size is VK_WHOLE_SIZE, but must be a number of "      \
  "bytes.", i->gpuInitial = RANGE('I', 0, VK_WHOLE_SIZE))                                          \
X(initial_wraps, PLAIN, INVALID, "gpuInitial.size is 8, but must stay below 2^64 when offset, "    \
  "which is 18446744073709551612, is added.", i->gpuInitial = RANGE('I', UINT64_MAX - 3, 8))       \
X(initial_output, PLAIN, INVALID, "output overlaps gpuInitial, but must be apart from it.",        \
  i->gpuInitial = RANGE('B', 516, 4))                                                              \
X(total_offset, PLAIN, INVALID, "total.offset is 2, but must be a multiple of 4.",                 \
  i->total = RANGE('T', 2, 4))                                                                     \
X(total_size, PLAIN, INVALID, "total.size is 3, but must be at least 4.", i->total = RANGE('T', 0, \
  3))                                                                                              \
X(total_size_components, PLAIN, INVALID, "total.size is 15, but must be at least 16.",             \
  i->input.components = 4; i->total = RANGE('T', 0, 15))                                           \
X(total_size_wide, PLAIN, INVALID, "total.size is 4, but must be at least 8.",                     \
  i->accumulator = VKR_TYPE_F64; i->output.size = 8000; i->total = RANGE('T', 0, 4))               \
X(total_whole, PLAIN, INVALID, "total.size is VK_WHOLE_SIZE, but must be a number of bytes.",      \
  i->total = RANGE('T', 0, VK_WHOLE_SIZE))                                                         \
X(total_wraps, PLAIN, INVALID, "total.size is 8, but must stay below 2^64 when offset, which is "  \
  "18446744073709551612, is added.", i->total = RANGE('T', UINT64_MAX - 3, 8))                     \
X(total_input, PLAIN, INVALID, "total overlaps input, but must be apart from it.",                 \
  i->total = RANGE('A', 4252, 4))                                                                  \
X(total_output, PLAIN, INVALID, "total overlaps output, but must be apart from it.",               \
  i->total = RANGE('B', 512, 4))                                                                   \
X(total_in_place, PLAIN, INVALID, "total overlaps input, but must be apart from it.", in_place(i); \
  i->total = RANGE('A', 256, 4))                                                                   \
X(segments_kind, PLAIN, INVALID, "segments.kind is 8, but must be 0 to 7.",                        \
  i->segments.kind = VKR_SEGMENT_KIND_COUNT)                                                       \
X(segments_negative, PLAIN, INVALID, "segments.kind is -1, but must be 0 to 7.",                   \
  i->segments.kind = (VkrSegmentKind)-1)                                                           \
X(segments_windows, PLAIN, INVALID, "segments.kind is windows, but must be none, flags, rows, "    \
  "columns, offsets or keys.", i->segments.kind = VKR_SEGMENTS_WINDOWS; i->segments.length = 10)   \
X(columns_none, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                   \
  i->segments = COLUMNS(0))                                                                        \
X(columns_long, PLAIN, UNSUPPORTED, "segments.length is 1099511627776, but must be at most "       \
  "2147483648 for columns.", i->segments = COLUMNS(HUGE_COUNT); i->count = 0)                      \
X(columns_divide, PLAIN, INVALID, "segments.length is 7, but must divide count, 1000, for "        \
  "columns.", i->segments = COLUMNS(7))                                                            \
X(columns_algorithm, PLAIN, UNSUPPORTED, "algorithm is single-pass, but must be auto or "          \
  "reduce-then-scan where segments.kind is columns.", i->segments = COLUMNS(10);                   \
  i->algorithm = VKR_SCAN_SINGLE_PASS)                                                             \
X(columns_total, PLAIN, INVALID, "total.size is 36, but must be at least 40.",                     \
  i->segments = COLUMNS(10); i->total = RANGE('T', 0, 36))                                         \
X(columns_initial, PLAIN, INVALID, "gpuInitial.size is 4, but must be at least 40.",               \
  i->segments = COLUMNS(10); i->gpuInitial = RANGE('T', 0, 4))                                     \
X(segments_pitch, PLAIN, INVALID, ROWS_OVERLAP_SAID, i->segments = ROWS_OVERLAP)                   \
X(apart_count, PLAIN, UNSUPPORTED, "count is 4294967296, but must be below 2^32 where rows lie "   \
  "apart.", i->segments = ROWS_APART; i->input.size = i->output.size = (VkDeviceSize)1 << 34)      \
X(flags_format, PLAIN, INVALID, "segments.flags.format is 3, but must be 0 to 2.",                 \
  i->segments = FLAGS(VKR_FLAG_FORMAT_COUNT, 0, 4000))                                             \
X(flags_bytes, BARE, UNSUPPORTED, "segments.flags.format is VKR_FLAGS_U8, which needs "            \
  "storageBuffer8BitAccess.", i->segments = FLAGS(VKR_FLAGS_U8, 0, 1000))                          \
X(flags_buffer, PLAIN, INVALID, "segments.flags.range.buffer is VK_NULL_HANDLE, but must be a "    \
  "buffer.", i->segments.kind = VKR_SEGMENTS_FLAGS)                                                \
X(flags_offset, PLAIN, INVALID, "segments.flags.range.offset is 2, but must be a multiple of 4.",  \
  i->segments = FLAGS(VKR_FLAGS_U32, 2, 4000))                                                     \
X(flags_offset_bits, PLAIN, INVALID, "segments.flags.range.offset is 1, but must be a multiple "   \
  "of 4.", i->segments = FLAGS(VKR_FLAGS_BITS, 1, 4000))                                           \
X(flags_size, PLAIN, INVALID, "segments.flags.range.size is 3999, but must be at least 4000.",     \
  i->segments = FLAGS(VKR_FLAGS_U32, 0, 3999))                                                     \
X(flags_size_bytes, PLAIN, INVALID, "segments.flags.range.size is 999, but must be at least "      \
  "1000.", i->segments = FLAGS(VKR_FLAGS_U8, 3, 999))                                              \
X(flags_size_bits, PLAIN, INVALID, "segments.flags.range.size is 127, but must be at least 128.",  \
  i->segments = FLAGS(VKR_FLAGS_BITS, 0, 127))                                                     \
X(flags_whole, PLAIN, INVALID, "segments.flags.range.size is VK_WHOLE_SIZE, but must be a number " \
  "of bytes.", i->segments = FLAGS(VKR_FLAGS_U32, 0, VK_WHOLE_SIZE))                               \
X(flags_output, PLAIN, INVALID, "output overlaps segments.flags, but must be apart from it.",      \
  i->segments = FLAGS(VKR_FLAGS_U32, 0, 4000); i->segments.flags.range.buffer = BUFFER('B'))       \
X(rows_none, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                      \
  i->segments.kind = VKR_SEGMENTS_ROWS)                                                            \
X(offsets_buffer, PLAIN, INVALID, "segments.offsets.buffer is VK_NULL_HANDLE, but must be a "      \
  "buffer.", i->segments = OFFSETS(VKR_TYPE_U32, 0, 400);                                          \
  i->segments.offsets.buffer = VK_NULL_HANDLE)                                                     \
X(offsets_type, PLAIN, INVALID, "segments.offsetType is 5, but must be VKR_TYPE_UNDEFINED (for "   \
  "u32), VKR_TYPE_U32 or VKR_TYPE_U64.", i->segments = OFFSETS(VKR_TYPE_I32, 0, 400))              \
X(offsets_type_float, PLAIN, INVALID, "segments.offsetType is 10, but must be VKR_TYPE_UNDEFINED " \
  "(for u32), VKR_TYPE_U32 or VKR_TYPE_U64.", i->segments = OFFSETS(VKR_TYPE_F32, 0, 400))         \
X(offsets_type_unknown, PLAIN, INVALID, "segments.offsetType is -1, but must be "                  \
  "VKR_TYPE_UNDEFINED (for u32), VKR_TYPE_U32 or VKR_TYPE_U64.",                                   \
  i->segments = OFFSETS((VkrType)-1, 0, 400))                                                      \
X(offsets_offset, PLAIN, INVALID, "segments.offsets.offset is 2, but must be a multiple of 4.",    \
  i->segments = OFFSETS(VKR_TYPE_U32, 2, 400))                                                     \
X(offsets_part, PLAIN, INVALID, "segments.offsets.size is 3, but must be at least 4.",             \
  i->segments = OFFSETS(VKR_TYPE_U32, 0, 3))                                                       \
X(offsets_one_wide, PLAIN, INVALID, "segments.offsets.size is 4, but must be at least 8.",         \
  i->segments = OFFSETS(VKR_TYPE_U64, 0, 4))                                                       \
X(count_output, PLAIN, INVALID, "output overlaps gpuCount, but must be apart from it.",            \
  i->gpuCount.buffer = BUFFER('B'); i->gpuCount.offset = 4508)                                     \
X(count_total, PLAIN, INVALID, "total overlaps gpuCount, but must be apart from it.",              \
  i->gpuCount.buffer = BUFFER('T'); i->total = RANGE('T', 0, 4))                                   \
X(initial_total, PLAIN, INVALID, "total overlaps gpuInitial, but must be apart from it.",          \
  i->gpuInitial = RANGE('T', 0, 4); i->total = RANGE('T', 0, 4))                                   \
X(offsets_whole, PLAIN, INVALID, "segments.offsets.size is VK_WHOLE_SIZE, but must be a number "   \
  "of bytes.", i->segments = OFFSETS(VKR_TYPE_U32, 0, VK_WHOLE_SIZE))                              \
X(offsets_wraps, PLAIN, INVALID, "segments.offsets.size is 400, but must stay below 2^64 when "    \
  "offset, which is 18446744073709551612, is added.", i->segments = OFFSETS(VKR_TYPE_U32,          \
  UINT64_MAX - 3, 400))                                                                            \
X(offsets_output, PLAIN, INVALID, "output overlaps segments.offsets, but must be apart from it.",  \
  i->segments = OFFSETS(VKR_TYPE_U32, 0, 4000); i->segments.offsets.buffer = BUFFER('B'))          \
X(keys_buffer, PLAIN, INVALID, "segments.keys.buffer is VK_NULL_HANDLE, but must be a buffer "     \
  "where size is not 0.",                                                                          \
  KEYS; i->segments.keys.buffer = VK_NULL_HANDLE)                                                  \
X(keys_size, PLAIN, INVALID, "segments.keys.size is 1998, which is 999 elements, but must hold "   \
  "the 1000 of count.", KEYS; i->segments.keys.size = 1998)                                        \
X(keys_offset, PLAIN, INVALID, "segments.keys.offset is 1, but must be a multiple of 2, the size " \
  "of i16.", KEYS; i->segments.keys.offset = 1)                                                    \
X(keys_windows, NARROW, UNSUPPORTED, "count is 1000 and segments.keys.stride 65536, but "          \
  "must need "                                                                                     \
  "at most 16384 dispatches of maxStorageBufferRange (65536 "                                      \
  "bytes).", KEYS; i->segments.keys.stride = 65536;                                                \
  i->segments.keys.size = 65536000)                                                                \
X(output_image, PLAIN, INVALID, "output.image is given, but must be NULL: only a buffer can be "   \
  "used.", i->output.image = &image)                                                               \
X(output_map, PLAIN, INVALID, "output.map is given, but must be NULL: only what is read can be "   \
  "mapped.", i->output.map = &map)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)i)                                                                           \
X(empty, PLAIN, i->count = 0)                                                                      \
X(nothing, PLAIN, i->input = (VkrView){.type = VKR_TYPE_U8}; i->output = (VkrView){0})             \
X(nothing_but_total, PLAIN, i->input = (VkrView){.type = VKR_TYPE_U8}; i->output = (VkrView){0};   \
  i->total = RANGE('T', 0, 4))                                                                     \
X(in_place, PLAIN, in_place(i))                                                                    \
X(in_place_stated, PLAIN, in_place(i); i->algorithm = VKR_SCAN_REDUCE_THEN_SCAN)                   \
X(in_place_defaults, PLAIN, in_place(i); i->output.type = VKR_TYPE_UNDEFINED;                      \
  i->output.components = 0)                                                                        \
X(behind, PLAIN, i->output.buffer = BUFFER('A'); i->output.offset = 4256)                          \
X(before, PLAIN, i->input.offset = 4512; i->output.buffer = BUFFER('A'))                           \
X(output_larger, PLAIN, i->output.size = 8000)                                                     \
X(output_part, PLAIN, i->count = 10; i->output.size = 40)                                          \
X(output_stated, PLAIN, i->output.type = VKR_TYPE_F32; i->output.components = 1)                   \
X(texels_end, PLAIN, i->input.texels = (VkrTexels){HANDLE(VkBufferView), 0, 4256})                 \
X(workgroup_min, PLAIN, i->workgroupSize = 1)                                                      \
X(workgroup_max, SMALL, i->workgroupSize = 256)                                                    \
X(u8_min, PLAIN, i->op = VKR_OP_MIN; i->input.type = VKR_TYPE_U8)                                  \
X(initial_next_to, PLAIN, i->gpuInitial = RANGE('B', 508, 4); i->total = RANGE('B', 4512, 4))      \
X(initial_input, PLAIN, i->gpuInitial = RANGE('A', 300, 4))                                        \
X(initial_unaligned, PLAIN, i->op = VKR_OP_MAX; i->input.type = VKR_TYPE_U8;                       \
  i->gpuInitial = RANGE('I', 3, 1); i->total = RANGE('T', 5, 1))                                   \
X(initial_host, PLAIN, i->initial = &one; i->flags = 3)                                            \
X(flags_exact, PLAIN, i->segments = FLAGS(VKR_FLAGS_BITS, 4, 128))                                 \
X(flags_bytes_exact, PLAIN, i->segments = FLAGS(VKR_FLAGS_U8, 3, 1000))                            \
X(flags_empty, PLAIN, i->count = 0; i->segments.kind = VKR_SEGMENTS_FLAGS)                         \
X(rows_one, PLAIN, i->segments.kind = VKR_SEGMENTS_ROWS; i->segments.length = 1)                   \
X(rows_long, PLAIN, i->segments.kind = VKR_SEGMENTS_ROWS; i->segments.length = UINT64_MAX)         \
X(rows_apart, PLAIN, i->segments = ROWS_APART)                                                     \
X(last_apart, PLAIN, i->segments = ROWS_APART; i->segments.pitch = UINT64_MAX)                     \
X(offsets_wide, PLAIN, i->segments = OFFSETS(VKR_TYPE_U64, 8, 800))                                \
X(offsets_default, PLAIN, i->segments = OFFSETS(VKR_TYPE_UNDEFINED, 4, 403))                       \
X(offsets_empty, PLAIN, i->segments = OFFSETS(VKR_TYPE_U32, 0, 0))                                 \
X(offsets_of_nothing, PLAIN, i->segments.kind = VKR_SEGMENTS_OFFSETS)                              \
X(keys, PLAIN, KEYS)                                                                               \
X(keys_of_input, PLAIN, KEYS; i->segments.keys = i->input; in_place(i))                            \
X(keys_overwritten, PLAIN, KEYS; i->segments.keys = i->output;                                     \
  i->segments.keys.type = VKR_TYPE_U32)                                                            \
X(keys_of_nothing, PLAIN, KEYS; i->count = 0; i->segments.keys.size = 0;                           \
  i->segments.keys.buffer = VK_NULL_HANDLE)                                                        \
X(keys_windows_few, NARROW, KEYS; i->segments.keys.stride = 100; i->segments.keys.size = 100000)   \
X(sizes_open, PLAIN, i->input.size = 0; i->input.bufferSize = 4256;                                \
  i->output.size = VK_WHOLE_SIZE; i->output.bufferSize = 4512)                                     \
X(sizes_of_nothing, PLAIN, i->count = 0; i->input.size = 0; i->output.size = 0)                    \
X(single_sum, PLAIN, i->algorithm = VKR_SCAN_SINGLE_PASS)                                          \
X(single_product, PLAIN, i->algorithm = VKR_SCAN_SINGLE_PASS; i->op = VKR_OP_PRODUCT)              \
X(single_integers, PLAIN, i->algorithm = VKR_SCAN_SINGLE_PASS; i->input.type = VKR_TYPE_I32;       \
  i->determinism = VKR_DETERMINISM_DEVICE)                                                         \
X(single_max, PLAIN, i->algorithm = VKR_SCAN_SINGLE_PASS; i->op = VKR_OP_MAX)                      \
X(single_windows, NARROW, i->algorithm = VKR_SCAN_SINGLE_PASS; i->op = VKR_OP_MAX;                 \
  i->input.size = 200000; i->output.size = 200000)                                                 \
X(no_progress, NO_PROGRESS, i->op = VKR_OP_MAX)                                                    \
X(windows, NARROW, i->input.size = 200000; i->output.size = 200000)                                \
X(hillis, PLAIN, i->algorithm = VKR_SCAN_HILLIS_STEELE)                                            \
X(hillis_integers, PLAIN, i->algorithm = VKR_SCAN_HILLIS_STEELE; i->input.type = VKR_TYPE_I32;     \
  i->determinism = VKR_DETERMINISM_DEVICE)                                                         \
X(blelloch, PLAIN, i->algorithm = VKR_SCAN_BLELLOCH)                                               \
X(device_large, PLAIN, i->determinism = VKR_DETERMINISM_DEVICE;                                    \
  i->input.size = i->output.size = (uint64_t)1 << 35)                                              \
X(device_partials, NARROW, i->determinism = VKR_DETERMINISM_DEVICE;                                \
  i->input.size = i->output.size = (uint64_t)1 << 25)
/* clang-format on */

static VkrResult ask_type(const void *request)
{
    VkrType type = VKR_TYPE_MAX_ENUM;
    const VkrResult result = vkrGetScanType(fixture.context, request, &type);
    assert_int_equal(type == VKR_TYPE_MAX_ENUM, result != VKR_SUCCESS);
    return result;
}

/* The type depends on these, and on nothing else. */
static const char *const matters[] = {"op_", "type", "components", "accumulator", NULL};
static const question type_question = {"vkrGetScanType", ask_type, matters, 25};

OPERATION(scan, vkrCmdScan, VkrScanInfo, info, RIGHT, &type_question)
