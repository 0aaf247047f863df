/* SPDX-License-Identifier: MIT */
/* Every field of VkrReduceInfo::segments wrong in turn: the right code and sentence, nothing
 * recorded, nothing leaked, and the recorder works afterwards. Requests at the edge of being wrong
 * are accepted, and layouts of many results are right. */
#include <stdio.h>
#include <string.h>

#include "arguments_trace.h"

/* The devices of the table. */
enum { PLAIN, NARROW, SHARED, CPU, TINY, DEVICE_COUNT };
static const trace_device devices[DEVICE_COUNT] = {
    [NARROW] = {.limits = {.maxStorageBufferRange = 65536}},
    [SHARED] = {.group_path = VKR_GROUP_PATH_SHARED},
    [CPU] = {.cpu = true},
    [TINY] = {.workgroup = 64}, /* below what Vulkan promises */
};

#define SEGMENTS(name, length_) ((VkrSegments){.kind = VKR_SEGMENTS_##name, .length = length_})
#define OFFSETS(type, offset, size)                                                                \
    ((VkrSegments){                                                                                \
        .kind = VKR_SEGMENTS_OFFSETS, .offsets = {BUFFER('S'), offset, size}, .offsetType = type})
#define OFFSETS_COUNT(offset_, type_)                                                              \
    i->segments = OFFSETS(VKR_TYPE_U32, 0, 404);                                                   \
    i->segments.gpuCount = (VkrGpuCount)                                                           \
    {                                                                                              \
        BUFFER('N'), offset_, type_                                                                \
    }
#define LARGE(elements) i->input.size = 4 * (uint64_t)(elements)
#define DEVICE_LEVEL i->determinism = VKR_DETERMINISM_DEVICE
#define U32_ONLY "VKR_TYPE_UNDEFINED (for u32), VKR_TYPE_U32 or VKR_TYPE_U64."
#define FITS "must fit maxStorageBufferRange (65536 bytes, less up to 64 for alignment)."

/* name, device, code, sentence behind "vkrCmdReduce: ", how plain() becomes wrong */
#define CALL "vkrCmdReduce: "
/* clang-format off */
#define SEGMENT_ROWS(X)                                                                            \
X(kind, PLAIN, INVALID_ARGUMENT, "segments.kind is 7, but must be 0 to 6.",                        \
  i->segments.kind = VKR_SEGMENT_KIND_COUNT)                                                       \
X(kind_negative, PLAIN, INVALID_ARGUMENT, "segments.kind is -1, but must be 0 to 6.",              \
  i->segments.kind = (VkrSegmentKind)-1)                                                           \
X(kind_flags, PLAIN, INVALID_ARGUMENT,                                                             \
  "segments.kind is flags, but must be none, rows, offsets, columns, windows or tiles.",           \
  i->segments.kind = VKR_SEGMENTS_FLAGS)                                                           \
X(length_rows, PLAIN, INVALID_ARGUMENT, "segments.length is 0, but must be at least 1.",           \
  i->segments = SEGMENTS(ROWS, 0))                                                                 \
X(length_columns, PLAIN, INVALID_ARGUMENT, "segments.length is 0, but must be at least 1.",        \
  i->segments = SEGMENTS(COLUMNS, 0))                                                              \
X(length_windows, PLAIN, INVALID_ARGUMENT, "segments.length is 0, but must be at least 1.",        \
  i->segments = SEGMENTS(WINDOWS, 0))                                                              \
X(count_rows, PLAIN, INVALID_ARGUMENT,                                                             \
  "count is 1000, but must be a multiple of segments.length, which is 3.",                         \
  i->segments = SEGMENTS(ROWS, 3))                                                                 \
X(count_columns, PLAIN, INVALID_ARGUMENT,                                                          \
  "count is 999, but must be a multiple of segments.length, which is 10.",                         \
  i->count = 999; i->segments = SEGMENTS(COLUMNS, 10))                                             \
X(count_less, PLAIN, INVALID_ARGUMENT,                                                             \
  "count is 1000, but must be a multiple of segments.length, which is 2000.",                      \
  i->segments = SEGMENTS(ROWS, 2000))                                                              \
X(offset_type, PLAIN, INVALID_ARGUMENT, "segments.offsetType is 5, but must be " U32_ONLY,         \
  i->segments = OFFSETS(VKR_TYPE_I32, 0, 404))                                                     \
X(offset_type_float, PLAIN, INVALID_ARGUMENT, "segments.offsetType is 10, but must be " U32_ONLY,  \
  i->segments = OFFSETS(VKR_TYPE_F32, 0, 404))                                                     \
X(offset_type_negative, PLAIN, INVALID_ARGUMENT,                                                   \
  "segments.offsetType is -1, but must be " U32_ONLY,                                              \
  i->segments = OFFSETS((VkrType)-1, 0, 404))                                                      \
X(offsets_buffer, PLAIN, INVALID_ARGUMENT,                                                         \
  "segments.offsets.buffer is VK_NULL_HANDLE, but must be a buffer.",                              \
  i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); i->segments.offsets.buffer = VK_NULL_HANDLE)        \
X(offsets_offset, PLAIN, INVALID_ARGUMENT,                                                         \
  "segments.offsets.offset is 6, but must be a multiple of 4.",                                    \
  i->segments = OFFSETS(VKR_TYPE_U32, 6, 404))                                                     \
X(offsets_none, PLAIN, INVALID_ARGUMENT,                                                           \
  "segments.offsets.size is 3, but must hold at least one offset of 4 bytes.",                     \
  i->segments = OFFSETS(VKR_TYPE_UNDEFINED, 0, 3))                                                 \
X(offsets_none_wide, PLAIN, INVALID_ARGUMENT,                                                      \
  "segments.offsets.size is 7, but must hold at least one offset of 8 bytes.",                     \
  i->segments = OFFSETS(VKR_TYPE_U64, 0, 7))                                                       \
X(offsets_whole, PLAIN, INVALID_ARGUMENT,                                                          \
  "segments.offsets.size is VK_WHOLE_SIZE, but must be a number of bytes, since each offset but "  \
  "the last is a segment's.", i->segments = OFFSETS(VKR_TYPE_U32, 0, VK_WHOLE_SIZE))               \
X(offsets_wraps, PLAIN, INVALID_ARGUMENT,                                                          \
  "segments.offsets.size is 404, but must stay below 2^64 when offset, which is "                  \
  "18446744073709551612, is added.",                                                               \
  i->segments = OFFSETS(VKR_TYPE_U32, UINT64_MAX - 3, 404))                                        \
X(gpu_count_rows, PLAIN, INVALID_ARGUMENT,                                                         \
  "segments.kind is rows, but must be offsets where segments.gpuCount is given.",                  \
  i->segments.gpuCount.buffer = BUFFER('N'))                                                       \
X(gpu_count_columns, PLAIN, INVALID_ARGUMENT,                                                      \
  "segments.kind is columns, but must be offsets where segments.gpuCount is given.",               \
  i->segments = SEGMENTS(COLUMNS, 10); i->segments.gpuCount.buffer = BUFFER('N'))                  \
X(gpu_count_windows, PLAIN, INVALID_ARGUMENT,                                                      \
  "segments.kind is windows, but must be offsets where segments.gpuCount is given.",               \
  i->segments = SEGMENTS(WINDOWS, 10); i->segments.gpuCount.buffer = BUFFER('N'))                  \
X(gpu_count_type, PLAIN, INVALID_ARGUMENT, "segments.gpuCount.type is 5, but must be " U32_ONLY,   \
  OFFSETS_COUNT(0, VKR_TYPE_I32))                                                                  \
X(gpu_count_offset, PLAIN, INVALID_ARGUMENT,                                                       \
  "segments.gpuCount.offset is 2, but must be a multiple of 4.", OFFSETS_COUNT(2, VKR_TYPE_U32))   \
X(gpu_count_outside, PLAIN, INVALID_ARGUMENT,                                                      \
  "segments.gpuCount.offset is 18446744073709551612, but must lie inside the buffer.",             \
  OFFSETS_COUNT(UINT64_MAX - 3, VKR_TYPE_U32))                                                     \
X(flags, PLAIN, INVALID_ARGUMENT,                                                                  \
  "flags is 0x1, but must be 0 or VKR_REDUCE_SAMPLE_BIT where segments.kind is rows.",             \
  i->ops = VKR_OP_MIN; i->flags = VKR_REDUCE_CONSUME_INPUT_BIT)                                    \
X(pieces, PLAIN, INVALID_ARGUMENT,                                                                 \
  "pieces.partials is given, but must be left out where segments.kind is rows.",                   \
  i->pieces = ((VkrPieces){{BUFFER('P'), 0, 400}, 0, 1000}))                                       \
X(pieces_count, PLAIN, INVALID_ARGUMENT,                                                           \
  "pieces.partials.buffer is VK_NULL_HANDLE, but must be a buffer where pieces.count or "          \
  "pieces.first is not 0.", i->pieces.count = 1000)                                                \
X(algorithm_flat, PLAIN, INVALID_ARGUMENT,                                                         \
  "algorithm is tree, but must be auto, lanes, merge, groups or split where segments.kind is "     \
  "rows.", i->algorithm = VKR_REDUCE_TREE)                                                         \
X(algorithm_single, PLAIN, INVALID_ARGUMENT,                                                       \
  "algorithm is single, but must be auto, lanes, merge, groups or split where segments.kind is "   \
  "windows.", i->algorithm = VKR_REDUCE_SINGLE; i->segments = SEGMENTS(WINDOWS, 10))               \
X(algorithm_lanes, PLAIN, INVALID_ARGUMENT,                                                        \
  "algorithm is lanes, but must be auto, single, subgroup, tree, recursive, pingpong or "          \
  "recursive-2d where segments.kind is none.", i->algorithm = VKR_REDUCE_LANES;                    \
  i->segments = (VkrSegments){0})                                                                  \
X(algorithm_split, PLAIN, INVALID_ARGUMENT,                                                        \
  "algorithm is split, but must be auto, single, subgroup, tree, recursive, pingpong or "          \
  "recursive-2d where segments.kind is none.", i->algorithm = VKR_REDUCE_SPLIT;                    \
  i->segments = (VkrSegments){0})                                                                  \
X(algorithm_unknown, PLAIN, INVALID_ARGUMENT, "algorithm is 11, but must be 0 to 10.",             \
  i->algorithm = VKR_REDUCE_ALGORITHM_COUNT)                                                       \
X(merge_device, PLAIN, UNSUPPORTED,                                                                \
  "algorithm is merge and segments.kind rows, but must be another without subgroup shuffles, and " \
  "at level device.", i->algorithm = VKR_REDUCE_MERGE; DEVICE_LEVEL)                               \
X(merge_shared, SHARED, UNSUPPORTED,                                                               \
  "algorithm is merge and segments.kind columns, but must be another without subgroup shuffles, "  \
  "and at level device.",                                                                          \
  i->algorithm = VKR_REDUCE_MERGE; i->segments = SEGMENTS(COLUMNS, 10))                            \
X(merge_offsets_shared, SHARED, UNSUPPORTED,                                                       \
  "algorithm is merge and segments.kind offsets, but must be another without subgroup shuffles, "  \
  "and at level device.",                                                                          \
  i->algorithm = VKR_REDUCE_MERGE; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))                    \
X(merge_offsets_device, PLAIN, UNSUPPORTED,                                                        \
  "algorithm is merge and segments.kind offsets, but must be another without subgroup shuffles, "  \
  "and at level device.",                                                                          \
  i->algorithm = VKR_REDUCE_MERGE; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); i->count = 100;    \
  DEVICE_LEVEL)                                                                                    \
X(lanes_long, PLAIN, UNSUPPORTED,                                                                  \
  "algorithm is lanes and segments.kind rows, but segments must be shorter, or the algorithm "     \
  "split.", i->algorithm = VKR_REDUCE_LANES; LARGE(200000); i->segments.length = 100000)           \
X(groups_long, PLAIN, UNSUPPORTED,                                                                 \
  "algorithm is groups and segments.kind rows, but segments must be shorter, or the algorithm "    \
  "split.",                                                                                        \
  i->algorithm = VKR_REDUCE_GROUPS; i->workgroupSize = 1; LARGE(200000);                           \
  i->segments.length = 100000)                                                                     \
X(lanes_device, PLAIN, UNSUPPORTED,                                                                \
  "algorithm is lanes and segments.kind rows, but at level device segments must have at most 128 " \
  "elements.", i->algorithm = VKR_REDUCE_LANES; i->segments.length = 200; DEVICE_LEVEL)            \
X(lanes_offsets_device, PLAIN, UNSUPPORTED,                                                        \
  "algorithm is lanes and segments.kind offsets, but at level device count must be at most 128.",  \
  i->algorithm = VKR_REDUCE_LANES; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); DEVICE_LEVEL)      \
X(groups_device, PLAIN, UNSUPPORTED,                                                               \
  "algorithm is groups and segments.kind windows, but at level device segments must have at most " \
  "8192 elements.",                                                                                \
  i->algorithm = VKR_REDUCE_GROUPS; LARGE(9000); i->segments = SEGMENTS(WINDOWS, 8193);            \
  DEVICE_LEVEL)                                                                                    \
X(workgroup_device, PLAIN, INVALID_ARGUMENT,                                                       \
  "workgroupSize is 64, but must be 0 or 128 where determinism is VKR_DETERMINISM_DEVICE.",        \
  i->workgroupSize = 64; DEVICE_LEVEL)                                                             \
X(workgroup_tiny, TINY, UNSUPPORTED, "determinism is VKR_DETERMINISM_DEVICE, which needs "         \
  "workgroups of 128, but this device has workgroups of up to 64.",                                \
  i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); DEVICE_LEVEL)                                       \
X(workgroup_tiny_none, TINY, UNSUPPORTED, "determinism is VKR_DETERMINISM_DEVICE, which needs "    \
  "workgroups of 128, but this device has workgroups of up to 64.",                                \
  i->segments = (VkrSegments){0}; DEVICE_LEVEL)                                                    \
X(output_buffer, PLAIN, INVALID_ARGUMENT,                                                          \
  "output.buffer is VK_NULL_HANDLE, but must be a buffer.", i->output.buffer = VK_NULL_HANDLE)     \
X(output_size, PLAIN, INVALID_ARGUMENT,                                                            \
  "output.size is 399, but must be at least 400 for these ops of 100 segments.",                   \
  i->output.size = 399)                                                                            \
X(output_size_windows, PLAIN, INVALID_ARGUMENT,                                                    \
  "output.size is 3963, but must be at least 3964 for these ops of 991 segments.",                 \
  i->output.size = 3963; i->segments = SEGMENTS(WINDOWS, 10))                                      \
X(output_size_mixed, PLAIN, INVALID_ARGUMENT,                                                      \
  "output.size is 1599, but must be at least 1600 for these ops of 100 segments.",                 \
  i->output.size = 1599; i->ops |= VKR_OP_COUNT)                                                   \
X(output_offset, PLAIN, INVALID_ARGUMENT,                                                          \
  "output.offset is 4, but must be a multiple of 8, the alignment of the layout.",                 \
  i->ops |= VKR_OP_NAN; i->output.offset = 4)                                                      \
X(output_input, PLAIN, INVALID_ARGUMENT,                                                           \
  "output overlaps input, but must be apart from it where segments.kind is rows.",                 \
  i->output.buffer = BUFFER('A'); i->output.offset = 4252)                                         \
X(output_input2, PLAIN, INVALID_ARGUMENT,                                                          \
  "output overlaps input2, but must be apart from it where segments.kind is columns.",             \
  i->ops = VKR_OP_DOT; i->input2 = i->input; i->input2.buffer = BUFFER('O');                       \
  i->output.offset = 220; i->segments = SEGMENTS(COLUMNS, 10))                                     \
X(output_gpu_count, PLAIN, INVALID_ARGUMENT,                                                       \
  "output overlaps gpuCount, but must be apart from it where segments.kind is rows.",              \
  i->gpuCount = ((VkrGpuCount){BUFFER('O'), 396, VKR_TYPE_U32}))                                   \
X(output_offsets, PLAIN, INVALID_ARGUMENT,                                                         \
  "output overlaps segments.offsets, but must be apart from it where segments.kind is offsets.",   \
  i->segments = OFFSETS(VKR_TYPE_U32, 396, 404); i->segments.offsets.buffer = BUFFER('O'))         \
X(output_segments, PLAIN, INVALID_ARGUMENT,                                                        \
  "output overlaps segments.gpuCount, but must be apart from it where segments.kind is offsets.",  \
  OFFSETS_COUNT(0, VKR_TYPE_U64); i->segments.gpuCount.buffer = BUFFER('O'))                       \
X(results, PLAIN, UNSUPPORTED,                                                                     \
  "segments are 36028797018963967, but must be so few that their results, 4 bytes each, stay "     \
  "below 2^56 bytes.", i->count = 0; i->segments = SEGMENTS(COLUMNS, ((uint64_t)1 << 55) - 1))     \
X(range_input, NARROW, UNSUPPORTED,                                                                \
  "segments.kind is offsets, but the input, 80000 bytes, " FITS,                                   \
  LARGE(20000); i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))                                       \
X(range_input2, NARROW, UNSUPPORTED,                                                               \
  "segments.kind is offsets, but the second input, 100000 bytes, " FITS,                           \
  i->ops = VKR_OP_DOT; i->input2 = i->input; i->input2.stride = 100; i->input2.size = 100000;      \
  i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))                                                     \
X(range_offsets, NARROW, UNSUPPORTED,                                                              \
  "segments.kind is offsets, but the offsets, 80000 bytes, " FITS,                                 \
  i->segments = OFFSETS(VKR_TYPE_U64, 0, 80000))                                                   \
X(range_results, NARROW, UNSUPPORTED,                                                              \
  "segments.kind is offsets, but the results, 79984 bytes, " FITS,                                 \
  i->ops |= VKR_OP_COUNT; i->segments = OFFSETS(VKR_TYPE_U32, 0, 20000))                           \
X(range_block, NARROW, UNSUPPORTED,                                                                \
  "segments.kind is columns, but a part of all columns, 655360 bytes, " FITS,                      \
  LARGE(200000); i->segments = SEGMENTS(COLUMNS, 20); DEVICE_LEVEL)                                \
X(range_window, NARROW, UNSUPPORTED,                                                               \
  "segments.kind is windows, but a window, 80000 bytes, " FITS,                                    \
  LARGE(30000); i->segments = SEGMENTS(WINDOWS, 20000))                                            \
X(range_groups, NARROW, UNSUPPORTED,                                                               \
  "segments.kind is rows, but a segment, 80000 bytes, " FITS,                                      \
  i->algorithm = VKR_REDUCE_GROUPS; LARGE(40000); i->segments.length = 20000)                      \
X(range_rows_count, NARROW, UNSUPPORTED,                                                           \
  "segments.kind is rows, but two rows where gpuCount is given, 80000 bytes, " FITS,              \
  LARGE(40000); i->segments.length = 10000; i->gpuCount.buffer = BUFFER('C'))                      \
X(dispatches_rows, NARROW, UNSUPPORTED,                                                            \
  "count is 1000000000 and segments.kind rows, but must need at most 16384 dispatches of "         \
  "maxStorageBufferRange (65536 bytes).", LARGE(1000000000); i->segments.length = 10000)           \
X(dispatches_lanes, NARROW, UNSUPPORTED,                                                           \
  "count is 1000000000 and segments.kind rows, but must need at most 16384 dispatches of "         \
  "maxStorageBufferRange (65536 bytes).", LARGE(1000000000); i->segments.length = 100)             \
X(dispatches_windows, NARROW, UNSUPPORTED,                                                         \
  "count is 1000000 and segments.kind windows, but must need at most 16384 dispatches of "         \
  "maxStorageBufferRange (65536 bytes).",                                                          \
  LARGE(1000000); i->segments = SEGMENTS(WINDOWS, 16360))                                          \
X(dispatches_columns, NARROW, UNSUPPORTED,                                                         \
  "count is 10000000000 and segments.kind columns, but must need at most 16384 dispatches of "     \
  "maxStorageBufferRange (65536 bytes).",                                                          \
  LARGE(10000000000); i->segments = SEGMENTS(COLUMNS, 10000000))                                   \
X(partials_columns, NARROW, UNSUPPORTED,                                                           \
  "segments.kind is columns, but the partials of a column, 493828 bytes, " FITS,                   \
  LARGE(1000000000); i->segments = SEGMENTS(COLUMNS, 100))                                         \
X(workgroup_small, PLAIN, UNSUPPORTED,                                                             \
  "workgroupSize is 1, but must be more for so many elements and partials of a segment.",          \
  i->workgroupSize = 1; i->input.type = VKR_TYPE_U8; i->input.components = 4;                      \
  i->input.size = 100000000; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404);                          \
  i->algorithm = VKR_REDUCE_SPLIT)                                                                 \
X(columns_long, PLAIN, UNSUPPORTED,                                                                \
  "segments.kind is columns, but each of them, 5000000000 elements, must have less than 2^32.",    \
  LARGE(10000000000); i->segments = SEGMENTS(COLUMNS, 2))                                          \
X(columns_count, PLAIN, UNSUPPORTED,                                                               \
  "segments.kind is columns, but all of them, 10000000000 elements, must have less than 2^32 "     \
  "where gpuCount is given.",                                                                      \
  LARGE(10000000000); i->segments = SEGMENTS(COLUMNS, 10); i->gpuCount.buffer = BUFFER('C'))
/* clang-format on */

#define BREAK(name, device, code, sentence, ...)                                                   \
    static void break_##name(VkrReduceInfo *i)                                                     \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
SEGMENT_ROWS(BREAK)

#define ROW(name, device, code, sentence, ...)                                                     \
    {device, VKR_ERROR_##code, CALL sentence, break_##name},
static const struct {
    int device;
    VkrResult result;
    const char *sentence;
    void (*wrong)(VkrReduceInfo *info);
} rows[] = {SEGMENT_ROWS(ROW)};

/* The sums of 100 rows of 10. */
static VkrReduceInfo plain(void)
{
    VkrReduceInfo info = plain_reduce();
    info.output.size = (VkDeviceSize)1 << 40;
    info.segments = SEGMENTS(ROWS, 10);
    return info;
}

static VkrResult call_reduce(const void *info)
{
    return vkrCmdReduce(fixture.recorder, info);
}

static void test_wrong(void **state)
{
    (void)state;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
            VkrReduceInfo bad = plain();
            if (rows[k].device != device)
                continue;
            rows[k].wrong(&bad);
            assert_refused(call_reduce, &bad, rows[k].result, rows[k].sentence);
        }
        trace_close();
    }
}

/* ---- Requests at the edge of being wrong ---- */

/* name, device, dispatches at least (0: none), how plain() changes */
/* clang-format off */
#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 1, (void)i)                                                                        \
X(plain_cpu, CPU, 1, (void)i)                                                                      \
X(no_rows, PLAIN, 0, i->count = 0)                                                                 \
X(no_windows, PLAIN, 0, i->segments = SEGMENTS(WINDOWS, 1001))                                     \
X(one_window, PLAIN, 1, i->segments = SEGMENTS(WINDOWS, 1000);                                     \
  i->algorithm = VKR_REDUCE_GROUPS)                                                                \
X(no_offsets, PLAIN, 0, i->segments = OFFSETS(VKR_TYPE_U32, 0, 4))                                 \
X(no_offsets_wide, PLAIN, 0, i->segments = OFFSETS(VKR_TYPE_U64, 0, 15))                           \
X(one_offset_each, PLAIN, 1, i->segments = OFFSETS(VKR_TYPE_UNDEFINED, 4, 11); i->count = 100)     \
X(empty_columns, PLAIN, 1, i->count = 0; i->segments = SEGMENTS(COLUMNS, 77))                      \
X(empty_column, PLAIN, 1, i->count = 0; i->segments = SEGMENTS(COLUMNS, 1))                        \
X(empty_offsets, PLAIN, 1, i->count = 0; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))              \
X(row_each, PLAIN, 1, i->segments.length = 1)                                                      \
X(row_of_all, PLAIN, 1, i->segments.length = 1000)                                                 \
X(column_of_all, PLAIN, 1, i->segments = SEGMENTS(COLUMNS, 1))                                     \
X(columns_each, PLAIN, 1, i->segments = SEGMENTS(COLUMNS, 1000))                                   \
X(output_exact, PLAIN, 1, i->output.size = 400)                                                    \
X(output_behind, PLAIN, 1, i->output = ((VkrBufferRange){BUFFER('A'), 4256, 400}))                 \
X(output_before, PLAIN, 1, i->input.offset = 400;                                                  \
  i->output = ((VkrBufferRange){BUFFER('A'), 0, 400}))                                             \
X(lanes_device, PLAIN, 1, i->algorithm = VKR_REDUCE_LANES; i->count = 896;                         \
  i->segments.length = 128; DEVICE_LEVEL)                                                          \
X(groups_device, PLAIN, 1, i->algorithm = VKR_REDUCE_GROUPS; LARGE(16384);                         \
  i->segments.length = 8192; DEVICE_LEVEL)                                                         \
X(integers_device, PLAIN, 1, i->algorithm = VKR_REDUCE_MERGE; i->input.type = VKR_TYPE_I32;        \
  DEVICE_LEVEL)                                                                                    \
X(column_parts, NARROW, 14, LARGE(200000); i->segments = SEGMENTS(COLUMNS, 10000))                 \
X(column_lanes, NARROW, 4, LARGE(200000); i->segments = SEGMENTS(COLUMNS, 5))                      \
X(rows_alone, NARROW, 4, LARGE(40000); i->segments.length = 10000)                                 \
X(column_rows, NARROW, 20, LARGE(200000); i->segments = SEGMENTS(COLUMNS, 20000))                  \
X(column_strides, NARROW, 10, i->input.stride = 400; i->input.size = 400000;                       \
  i->segments = SEGMENTS(COLUMNS, 500))                                                            \
X(two_rows_count, NARROW, 3, LARGE(40000); i->segments.length = 8000;                              \
  i->gpuCount.buffer = BUFFER('C'))                                                                \
X(rest_of_rows, CPU, 2, i->input.type = VKR_TYPE_U8; i->input.size = (uint64_t)1 << 25;            \
  i->segments.length = 1)                                                                          \
X(rest_of_two_rows, CPU, 2, i->input.type = VKR_TYPE_U8; i->input.size = (uint64_t)1 << 26;        \
  i->segments.length = 2)                                                                          \
X(rest_of_windows, CPU, 2, i->input.type = VKR_TYPE_U32; LARGE(33554440);                          \
  i->ops = VKR_OP_MAX; i->segments = SEGMENTS(WINDOWS, 8))                                         \
X(rest_of_long_windows, NARROW, 2, LARGE(32648); i->segments = SEGMENTS(WINDOWS, 70))              \
X(rest_of_columns, NARROW, 2, LARGE(16370 * 3); i->segments = SEGMENTS(COLUMNS, 16370))            \
X(rest_of_parts, NARROW, 2, LARGE(40002); i->segments = SEGMENTS(COLUMNS, 2);                      \
  i->algorithm = VKR_REDUCE_SPLIT)
/* clang-format on */

#define MEND(name, device, dispatches, ...)                                                        \
    static void right_##name(VkrReduceInfo *i)                                                     \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
RIGHT_ROWS(MEND)

#define RIGHT_ROW(name, device, dispatches, ...) {#name, device, dispatches, right_##name},
static const struct {
    const char *name;
    int device;
    uint32_t dispatches;
    void (*change)(VkrReduceInfo *info);
} right_rows[] = {RIGHT_ROWS(RIGHT_ROW)};

static void test_right(void **state)
{
    (void)state;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(right_rows); k++) {
            VkrReduceInfo info = plain();
            if (right_rows[k].device != device)
                continue;
            right_rows[k].change(&info);
            trace_clear();
            assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
            if (vkrCmdReduce(fixture.recorder, &info) != VKR_SUCCESS ||
                vkrEnd(fixture.recorder, &plain_end) != VKR_SUCCESS)
                fail_msg("%s: %s", right_rows[k].name, fixture.sentence);
            const uint32_t least = right_rows[k].dispatches;
            if (fixture.dispatch_count < least || (least == 0 && fixture.dispatch_count != 0))
                fail_msg("%s: %u dispatches, but should be %u", right_rows[k].name,
                         fixture.dispatch_count, right_rows[k].dispatches);
        }
        trace_close();
    }
}

/* ---- Layouts ---- */

static const struct {
    VkrSegments segments;
    uint64_t count;
    uint64_t expected;
} kinds[] = {
    {{.kind = VKR_SEGMENTS_NONE}, 1000, 1},
    {{.kind = VKR_SEGMENTS_NONE}, 0, 1},
    {{.kind = VKR_SEGMENTS_ROWS, .length = 10}, 1000, 100},
    {{.kind = VKR_SEGMENTS_ROWS, .length = 10}, 0, 0},
    {{.kind = VKR_SEGMENTS_ROWS, .length = (uint64_t)1 << 33}, (uint64_t)1 << 34, 2},
    {{.kind = VKR_SEGMENTS_COLUMNS, .length = 10}, 1000, 10},
    {{.kind = VKR_SEGMENTS_COLUMNS, .length = 10}, 0, 10},
    {{.kind = VKR_SEGMENTS_WINDOWS, .length = 10}, 1000, 991},
    {{.kind = VKR_SEGMENTS_WINDOWS, .length = 1000}, 1000, 1},
    {{.kind = VKR_SEGMENTS_WINDOWS, .length = 1001}, 1000, 0},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 4}}, 1000, 0},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 43}}, 1000, 9},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 8}, .offsetType = VKR_TYPE_U64}, 1000, 0},
    {{.kind = VKR_SEGMENTS_OFFSETS, .offsets = {.size = 47}, .offsetType = VKR_TYPE_U64}, 1000, 4},
};
/* Bytes of a segment's results, and bytes from one segment's results to the next. */
static const struct {
    VkrOpFlags ops;
    VkrType type;
    uint32_t components;
    uint64_t size, stride;
} records[] = {
    {VKR_OP_SUM, VKR_TYPE_F32, 1, 4, 4},
    {VKR_OP_MIN, VKR_TYPE_U8, 1, 1, 1},
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_U8, 3, 6, 6},
    {VKR_OP_MIN | VKR_OP_SUM, VKR_TYPE_U8, 1, 8, 8},
    {VKR_OP_SUM | VKR_OP_AND, VKR_TYPE_U8, 1, 5, 8},
    {VKR_OP_SUM | VKR_OP_AND, VKR_TYPE_U16, 3, 18, 20},
    {VKR_OP_COUNT | VKR_OP_MIN, VKR_TYPE_U16, 3, 32, 32},
    {VKR_OP_COUNT | VKR_OP_DOT, VKR_TYPE_F32, 1, 12, 16},
    {VKR_OP_MAX | VKR_OP_NAN, VKR_TYPE_F16, 1, 16, 16},
};

static void check_layout(size_t k, size_t n, uint64_t granule)
{
    const VkrReduceInfo info = {.ops = records[n].ops,
                                .input = {.type = records[n].type,
                                          .components = records[n].components,
                                          .size = (uint64_t)1 << 40},
                                .count = kinds[k].count,
                                .segments = kinds[k].segments};
    VkrReduceLayout layout;
    if (vkrGetReduceLayout(fixture.context, &info, &layout) != VKR_SUCCESS)
        fail_msg("kind %zu: %s", k, fixture.sentence);
    const uint64_t segments = kinds[k].expected;
    const uint64_t size = segments == 0 ? 0 : (segments - 1) * records[n].stride + records[n].size;
    assert_int_equal(layout.segments, segments);
    assert_int_equal(layout.stride, records[n].stride);
    assert_int_equal(layout.size, size);
    assert_int_equal(layout.stride % layout.alignment, 0);
    assert_int_equal(layout.spacing % granule, 0);
    for (uint64_t start = 0; start < granule; start += layout.alignment)
        assert_true((start + layout.spacing) / granule * granule >= start + size);
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        assert_int_equal(layout.results[bit].type != VKR_TYPE_UNDEFINED, info.ops >> bit & 1);
}

static void test_layouts(void **state)
{
    (void)state;
    trace_open(&devices[PLAIN]);
    for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
        for (size_t n = 0; n < ARRAY_SIZE(records); n++)
            check_layout(k, n, 64);
    trace_close();
}

/* Indices of segments below 2^32 elements have 32 bits, however many elements there are in all. */
static void test_indices(void **state)
{
    const uint64_t many = (uint64_t)1 << 34;
    VkrReduceInfo info = {.ops = VKR_OP_ARGMIN,
                          .input = {.type = VKR_TYPE_U8, .size = many},
                          .count = many,
                          .segments = {.kind = VKR_SEGMENTS_ROWS, .length = many / 4 - 1}};
    VkrReduceLayout layout;
    (void)state;
    trace_open(&devices[PLAIN]);
    info.count = 4 * info.segments.length;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(layout.results[9].type, VKR_TYPE_U32);
    info.count = many;
    info.segments.length = many / 4;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(layout.results[9].type, VKR_TYPE_U64);
    trace_close();
}

/* vkrGetReduceLayout refuses, in its own name, what the layout depends on, and nothing else. */
static void test_layout_refused(void **state)
{
    static const char *const read[] = {"segments.kind is 7",
                                       "segments.kind is -1",
                                       "segments.kind is flags",
                                       "segments.length",
                                       "count is 1000,",
                                       "count is 999,",
                                       "segments.offsetType",
                                       "segments.offsets.size is 3",
                                       "segments.offsets.size is 7",
                                       "segments.offsets.size is VK",
                                       "segments are"};
    uint32_t failures = 0;
    (void)state;
    trace_open(&devices[PLAIN]);
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
        VkrReduceInfo info = plain();
        VkrReduceLayout layout;
        char sentence[400];
        bool matters = false;
        const char *said = rows[k].sentence + strlen(CALL);
        for (size_t w = 0; w < ARRAY_SIZE(read); w++)
            matters |= strncmp(said, read[w], strlen(read[w])) == 0;
        rows[k].wrong(&info);
        const VkrResult result = vkrGetReduceLayout(fixture.context, &info, &layout);
        snprintf(sentence, sizeof sentence, "vkrGetReduceLayout: %s", said);
        if (matters)
            assert_said(result, rows[k].result, sentence);
        else
            assert_int_equal(result, VKR_SUCCESS);
        failures += matters;
    }
    trace_close();
    assert_int_equal(failures, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),          cmocka_unit_test(test_right),
        cmocka_unit_test(test_layouts),        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_layout_refused),
    };
    return cmocka_run_group_tests_name("arguments_segments", tests, NULL, NULL);
}
