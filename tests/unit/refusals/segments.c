/* SPDX-License-Identifier: MIT */
/* VkrReduceInfo::segments. */
#include "refusals.h"

/* The sums of 100 rows of 10. */
static VkrReduceInfo info;
#define SCOPE                                                                                      \
    VkrReduceInfo *const i = &info;                                                                \
    (void)i

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
/* Keys of 1,000 elements. */
#define KEYS                                                                                       \
    (i->segments =                                                                                 \
         (VkrSegments){.kind = VKR_SEGMENTS_KEYS,                                                  \
                       .keys = {.buffer = BUFFER('K'), .size = 4000, .type = VKR_TYPE_U32}})
#define RUNS                                                                                       \
    KEYS;                                                                                          \
    VkrRuns *const r = &i->segments.runs
#define OUT(letter, offset_, size_)                                                                \
    ((VkrView){.buffer = BUFFER(letter), .offset = offset_, .size = size_})
#define COUNTS(kind_, letter, offset_)                                                             \
    static VkrCountOutput o;                                                                       \
    o = (VkrCountOutput){.kind = kind_, .buffer = BUFFER(letter), .offset = offset_};              \
    r->countOutputCount = 1;                                                                       \
    r->countOutputs = &o
#define BY_KEY "where segments.kind is keys."
#define DEVICE_LEVEL i->determinism = VKR_DETERMINISM_DEVICE
#define U32_ONLY "VKR_TYPE_UNDEFINED (for u32), VKR_TYPE_U32 or VKR_TYPE_U64."
#define FITS "must fit maxStorageBufferRange (65536 bytes, less up to 64 for alignment)."

static void set_plain(void)
{
    info = plain_reduce();
    info.output.size = (VkDeviceSize)1 << 40;
    info.segments = SEGMENTS(ROWS, 10);
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(kind, PLAIN, INVALID, "segments.kind is 8, but must be 0 to 7.",                                 \
  i->segments.kind = VKR_SEGMENT_KIND_COUNT)                                                       \
X(kind_negative, PLAIN, INVALID, "segments.kind is -1, but must be 0 to 7.",                       \
  i->segments.kind = (VkrSegmentKind)-1)                                                           \
X(kind_flags, PLAIN, INVALID, "segments.kind is flags, but must be none, rows, offsets, columns, " \
  "windows, tiles or keys.", i->segments.kind = VKR_SEGMENTS_FLAGS)                                \
X(length_rows, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                    \
  i->segments = SEGMENTS(ROWS, 0))                                                                 \
X(length_columns, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                 \
  i->segments = SEGMENTS(COLUMNS, 0))                                                              \
X(length_windows, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                 \
  i->segments = SEGMENTS(WINDOWS, 0))                                                              \
X(length_pitch, PLAIN, INVALID, "segments.pitch is 2, but must be 0 or at least "                  \
  "segments.length, which is 3.", i->segments = SEGMENTS(ROWS, 3); i->segments.pitch = 2)          \
X(count_columns, PLAIN, INVALID, "count is 999, but must be a multiple of segments.length, which " \
  "is 10.", i->count = 999; i->segments = SEGMENTS(COLUMNS, 10))                                   \
X(count_less, PLAIN, INVALID, "count is 1000, but must be a multiple of segments.length, which "   \
  "is 2000.", i->segments = SEGMENTS(COLUMNS, 2000))                                               \
X(offset_type, PLAIN, INVALID, "segments.offsetType is 5, but must be " U32_ONLY,                  \
  i->segments = OFFSETS(VKR_TYPE_I32, 0, 404))                                                     \
X(offset_type_float, PLAIN, INVALID, "segments.offsetType is 10, but must be " U32_ONLY,           \
  i->segments = OFFSETS(VKR_TYPE_F32, 0, 404))                                                     \
X(offset_type_negative, PLAIN, INVALID, "segments.offsetType is -1, but must be " U32_ONLY,        \
  i->segments = OFFSETS((VkrType)-1, 0, 404))                                                      \
X(offsets_buffer, PLAIN, INVALID, "segments.offsets.buffer is VK_NULL_HANDLE, but must be a "      \
  "buffer.", i->segments = OFFSETS(VKR_TYPE_U32, 0, 404);                                          \
  i->segments.offsets.buffer = VK_NULL_HANDLE)                                                     \
X(offsets_offset, PLAIN, INVALID, "segments.offsets.offset is 6, but must be a multiple of 4.",    \
  i->segments = OFFSETS(VKR_TYPE_U32, 6, 404))                                                     \
X(offsets_none, PLAIN, INVALID, "segments.offsets.size is 3, but must hold at least one offset "   \
  "of 4 bytes.", i->segments = OFFSETS(VKR_TYPE_UNDEFINED, 0, 3))                                  \
X(offsets_none_wide, PLAIN, INVALID, "segments.offsets.size is 7, but must hold at least one "     \
  "offset of 8 bytes.", i->segments = OFFSETS(VKR_TYPE_U64, 0, 7))                                 \
X(offsets_whole, PLAIN, INVALID, "segments.offsets.size is VK_WHOLE_SIZE, but must be a number "   \
  "of bytes, since each offset but the last starts a segment.", i->segments =                      \
  OFFSETS(VKR_TYPE_U32, 0, VK_WHOLE_SIZE))                                                         \
X(offsets_wraps, PLAIN, INVALID, "segments.offsets.size is 404, but must stay below 2^64 when "    \
  "offset, which is 18446744073709551612, is added.", i->segments = OFFSETS(VKR_TYPE_U32,          \
  UINT64_MAX - 3, 404))                                                                            \
X(gpu_count_rows, PLAIN, INVALID, "segments.kind is rows, but must be offsets where "              \
  "segments.gpuCount is given.", i->segments.gpuCount.buffer = BUFFER('N'))                        \
X(gpu_count_columns, PLAIN, INVALID, "segments.kind is columns, but must be offsets where "        \
  "segments.gpuCount is given.", i->segments = SEGMENTS(COLUMNS, 10);                              \
  i->segments.gpuCount.buffer = BUFFER('N'))                                                       \
X(gpu_count_windows, PLAIN, INVALID, "segments.kind is windows, but must be offsets where "        \
  "segments.gpuCount is given.", i->segments = SEGMENTS(WINDOWS, 10);                              \
  i->segments.gpuCount.buffer = BUFFER('N'))                                                       \
X(gpu_count_type, PLAIN, INVALID, "segments.gpuCount.type is 5, but must be " U32_ONLY,            \
  OFFSETS_COUNT(0, VKR_TYPE_I32))                                                                  \
X(gpu_count_offset, PLAIN, INVALID, "segments.gpuCount.offset is 2, but must be a multiple of 4.", \
  OFFSETS_COUNT(2, VKR_TYPE_U32))                                                                  \
X(gpu_count_outside, PLAIN, INVALID, "segments.gpuCount.offset is 18446744073709551612, but must " \
  "lie inside the buffer.", OFFSETS_COUNT(UINT64_MAX - 3, VKR_TYPE_U32))                           \
X(flags, PLAIN, INVALID, "flags is VKR_REDUCE_CONSUME_INPUT_BIT, but must be 0 or "                \
  "VKR_REDUCE_SAMPLE_BIT where segments.kind is rows.", i->ops = VKR_OP_MIN;                       \
  i->flags = VKR_REDUCE_CONSUME_INPUT_BIT)                                                         \
X(pieces, PLAIN, INVALID, "pieces.partials is given, but must be absent where segments.kind is "   \
  "rows.", i->pieces = ((VkrPieces){{BUFFER('P'), 0, 400}, 0, 1000}))                              \
X(pieces_count, PLAIN, INVALID, "pieces.partials.buffer is VK_NULL_HANDLE, but must be a buffer "  \
  "where pieces.count or pieces.first is not 0.", i->pieces.count = 1000)                          \
X(algorithm_flat, PLAIN, INVALID, "algorithm is tree, but must be auto, lanes, merge, groups or "  \
  "split where segments.kind is rows.", i->algorithm = VKR_REDUCE_TREE)                            \
X(algorithm_single, PLAIN, INVALID, "algorithm is single, but must be auto, lanes, merge, groups " \
  "or split where segments.kind is windows.", i->algorithm = VKR_REDUCE_SINGLE;                    \
  i->segments = SEGMENTS(WINDOWS, 10))                                                             \
X(algorithm_lanes, PLAIN, INVALID, "algorithm is lanes, but must be auto, single, subgroup, "      \
  "tree, recursive, pingpong or recursive-2d where segments.kind is none.",                        \
  i->algorithm = VKR_REDUCE_LANES; i->segments = (VkrSegments){0})                                 \
X(algorithm_split, PLAIN, INVALID, "algorithm is split, but must be auto, single, subgroup, "      \
  "tree, recursive, pingpong or recursive-2d where segments.kind is none.",                        \
  i->algorithm = VKR_REDUCE_SPLIT; i->segments = (VkrSegments){0})                                 \
X(algorithm_unknown, PLAIN, INVALID, "algorithm is 11, but must be 0 to 10.",                      \
  i->algorithm = VKR_REDUCE_ALGORITHM_COUNT)                                                       \
X(merge_device, PLAIN, UNSUPPORTED, "algorithm is merge and segments.kind rows, but must be "      \
  "another one without subgroup shuffles or at level device.", i->algorithm = VKR_REDUCE_MERGE;    \
  DEVICE_LEVEL)                                                                                    \
X(merge_shared, SHARED, UNSUPPORTED, "algorithm is merge and segments.kind columns, but must be "  \
  "another one without subgroup shuffles or at level device.", i->algorithm = VKR_REDUCE_MERGE;    \
  i->segments = SEGMENTS(COLUMNS, 10))                                                             \
X(merge_offsets_shared, SHARED, UNSUPPORTED, "algorithm is merge and segments.kind offsets, but "  \
  "must be another one without subgroup shuffles or at level device.",                             \
  i->algorithm = VKR_REDUCE_MERGE; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))                    \
X(merge_offsets_device, PLAIN, UNSUPPORTED, "algorithm is merge and segments.kind offsets, but "   \
  "must be another one without subgroup shuffles or at level device.",                             \
  i->algorithm = VKR_REDUCE_MERGE; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); i->count = 100;    \
  DEVICE_LEVEL)                                                                                    \
X(lanes_long, PLAIN, UNSUPPORTED, "algorithm is lanes and segments.kind rows, but segments must "  \
  "be shorter, or the algorithm split.", i->algorithm = VKR_REDUCE_LANES; LARGE(200000);           \
  i->segments.length = 100000)                                                                     \
X(groups_long, PLAIN, UNSUPPORTED, "algorithm is groups and segments.kind rows, but segments "     \
  "must be shorter, or the algorithm split.", i->algorithm = VKR_REDUCE_GROUPS;                    \
  i->workgroupSize = 1; LARGE(200000); i->segments.length = 100000)                                \
X(lanes_device, PLAIN, UNSUPPORTED, "algorithm is lanes and segments.kind rows, but at level "     \
  "device segments must have at most 128 elements.", i->algorithm = VKR_REDUCE_LANES;              \
  i->segments.length = 200; DEVICE_LEVEL)                                                          \
X(lanes_offsets_device, PLAIN, UNSUPPORTED, "algorithm is lanes and segments.kind offsets, but "   \
  "at level device count must be at most 128.", i->algorithm = VKR_REDUCE_LANES;                   \
  i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); DEVICE_LEVEL)                                       \
X(groups_device, PLAIN, UNSUPPORTED, "algorithm is groups and segments.kind rows, but at level "   \
  "device segments must have at most 8192 elements.", i->algorithm = VKR_REDUCE_GROUPS;            \
  LARGE(8193); i->segments = SEGMENTS(ROWS, 8193); DEVICE_LEVEL)                                   \
X(windows_device, PLAIN, UNSUPPORTED, "algorithm is split and segments.kind windows, but must be " \
  "auto or lanes at level device.", i->algorithm = VKR_REDUCE_SPLIT;                               \
  i->segments = SEGMENTS(WINDOWS, 2); DEVICE_LEVEL)                                                \
X(workgroup_device, PLAIN, INVALID, "workgroupSize is 64, but must be 0 or 128 where determinism " \
  "is VKR_DETERMINISM_DEVICE.", i->workgroupSize = 64; DEVICE_LEVEL)                               \
X(workgroup_tiny, TINY, UNSUPPORTED, "determinism is VKR_DETERMINISM_DEVICE, which needs "         \
  "workgroups of 128, but this device has workgroups of up to 64.",                                \
  i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); DEVICE_LEVEL)                                       \
X(workgroup_tiny_none, TINY, UNSUPPORTED, "determinism is VKR_DETERMINISM_DEVICE, which needs "    \
  "workgroups of 128, but this device has workgroups of up to 64.",                                \
  i->segments = (VkrSegments){0}; DEVICE_LEVEL)                                                    \
X(output_buffer, PLAIN, INVALID, "output.buffer is VK_NULL_HANDLE, but must be a buffer.",         \
  i->output.buffer = VK_NULL_HANDLE)                                                               \
X(output_size, PLAIN, INVALID, "output.size is 399, but must be at least 400 for these ops of "    \
  "100 segments.", i->output.size = 399)                                                           \
X(output_size_windows, PLAIN, INVALID, "output.size is 3963, but must be at least 3964 for these " \
  "ops of 991 segments.", i->output.size = 3963; i->segments = SEGMENTS(WINDOWS, 10))              \
X(output_size_mixed, PLAIN, INVALID, "output.size is 1599, but must be at least 1600 for these "   \
  "ops of 100 segments.", i->output.size = 1599; i->ops |= VKR_OP_COUNT)                           \
X(output_offset, PLAIN, INVALID, "output.offset is 4, but must be a multiple of 8, the alignment " \
  "of the layout.", i->ops |= VKR_OP_NAN; i->output.offset = 4)                                    \
X(output_input, PLAIN, INVALID, "output overlaps input, but must be apart from it where "          \
  "segments.kind is rows.", i->output.buffer = BUFFER('A'); i->output.offset = 4252)               \
X(output_input2, PLAIN, INVALID, "output overlaps input2, but must be apart from it where "        \
  "segments.kind is columns.", i->ops = VKR_OP_DOT; i->input2 = i->input;                          \
  i->input2.buffer = BUFFER('O'); i->output.offset = 220; i->segments = SEGMENTS(COLUMNS, 10))     \
X(output_gpu_count, PLAIN, INVALID, "output overlaps gpuCount, but must be apart from it where "   \
  "segments.kind is rows.", i->gpuCount = ((VkrGpuCount){BUFFER('O'), 396, VKR_TYPE_U32}))         \
X(output_offsets, PLAIN, INVALID, "output overlaps segments.offsets, but must be apart from it "   \
  "where segments.kind is offsets.", i->segments = OFFSETS(VKR_TYPE_U32, 396, 404);                \
  i->segments.offsets.buffer = BUFFER('O'))                                                        \
X(output_segments, PLAIN, INVALID, "output overlaps segments.gpuCount, but must be apart from it " \
  "where segments.kind is offsets.", OFFSETS_COUNT(0, VKR_TYPE_U64);                               \
  i->segments.gpuCount.buffer = BUFFER('O'))                                                       \
X(results, PLAIN, UNSUPPORTED, "the number of segments is 36028797018963967, but must be so "      \
  "small that their results, 4 bytes each, stay below 2^56 bytes.", i->count = 0; i->segments =    \
  SEGMENTS(COLUMNS, ((uint64_t)1 << 55) - 1))                                                      \
X(range_input, NARROW, UNSUPPORTED, "segments.kind is offsets, but the input, 80000 bytes, " FITS, \
  LARGE(20000); i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))                                       \
X(range_input2, NARROW, UNSUPPORTED, "segments.kind is offsets, but the second input, 100000 "     \
  "bytes, " FITS, i->ops = VKR_OP_DOT; i->input2 = i->input; i->input2.stride = 100;               \
  i->input2.size = 100000; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))                            \
X(range_block, NARROW, UNSUPPORTED, "segments.kind is columns, but a part of all columns, 655360 " \
  "bytes, " FITS, LARGE(200000); i->segments = SEGMENTS(COLUMNS, 20); DEVICE_LEVEL)                \
X(range_window, NARROW, UNSUPPORTED, "segments.kind is windows, but a window, 80000 bytes, " FITS, \
  LARGE(30000); i->segments = SEGMENTS(WINDOWS, 20000))                                            \
X(range_groups, NARROW, UNSUPPORTED, "segments.kind is rows, but a segment, 80000 bytes, " FITS,   \
  i->algorithm = VKR_REDUCE_GROUPS; LARGE(40000); i->segments.length = 20000)                      \
X(range_rows_count, NARROW, UNSUPPORTED, "segments.kind is rows, but two rows where gpuCount is "  \
  "given, 80000 bytes, " FITS, LARGE(40000); i->segments.length = 10000;                           \
  i->gpuCount.buffer = BUFFER('C'))                                                                \
X(dispatches_rows, NARROW, UNSUPPORTED, "count is 1000000000 and segments.kind rows, but must "    \
  "need at most 16384 dispatches of maxStorageBufferRange (65536 bytes).", LARGE(1000000000);      \
  i->segments.length = 10000)                                                                      \
X(dispatches_lanes, NARROW, UNSUPPORTED, "count is 1000000000 and segments.kind rows, but must "   \
  "need at most 16384 dispatches of maxStorageBufferRange (65536 bytes).", LARGE(1000000000);      \
  i->segments.length = 100)                                                                        \
X(dispatches_windows, NARROW, UNSUPPORTED, "count is 1000000 and segments.kind windows, but must " \
  "need at most 16384 dispatches of maxStorageBufferRange (65536 bytes).", LARGE(1000000);         \
  i->segments = SEGMENTS(WINDOWS, 16360))                                                          \
X(dispatches_columns, NARROW, UNSUPPORTED, "count is 10000000000 and segments.kind columns, but "  \
  "must need at most 16384 dispatches of maxStorageBufferRange (65536 bytes).",                    \
  LARGE(10000000000); i->segments = SEGMENTS(COLUMNS, 10000000))                                   \
X(partials_columns, NARROW, UNSUPPORTED, "segments.kind is columns, but the partials of a "        \
  "column, 493828 bytes, " FITS, LARGE(1000000000); i->segments = SEGMENTS(COLUMNS, 100))          \
X(workgroup_small, PLAIN, UNSUPPORTED, "workgroupSize is 1, but must be larger for these "         \
  "elements and partials of a segment.", i->workgroupSize = 1; i->input.type = VKR_TYPE_U8;        \
  i->input.components = 4; i->input.size = 100000000; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404); \
  i->algorithm = VKR_REDUCE_SPLIT)                                                                 \
X(keys_buffer, PLAIN, INVALID, "segments.keys.buffer is VK_NULL_HANDLE, but must be a buffer "     \
  "where size is not 0.",                                                                          \
  KEYS; i->segments.keys.buffer = VK_NULL_HANDLE)                                                  \
X(keys_type, PLAIN, INVALID, "segments.keys.type is 0, but must be one of VKR_TYPE_I8 (1) to "     \
  "VKR_TYPE_BF16 (12).", KEYS; i->segments.keys.type = VKR_TYPE_UNDEFINED)                         \
X(keys_size, PLAIN, INVALID, "segments.keys.size is 3999, which is 999 elements, but must hold "   \
  "the 1000 of count.", KEYS; i->segments.keys.size = 3999)                                        \
X(keys_size_wide, PLAIN, INVALID, "segments.keys.size is 4000, which is 500 elements, but must "   \
  "hold the 1000 of count.", KEYS; i->segments.keys.type = VKR_TYPE_U64)                           \
X(keys_offset, PLAIN, INVALID, "segments.keys.offset is 2, but must be a multiple of 4, the size " \
  "of u32.", KEYS; i->segments.keys.offset = 2)                                                    \
X(keys_output_size, PLAIN, INVALID, "output.size is 3999, but must be at least 4000 for "          \
  "these ops "                                                                                     \
  "of 1000 segments.", KEYS; i->output.size = 3999)                                                \
X(keys_output_capacity, PLAIN, INVALID, "output.size is 39, but must be at least 40 for "          \
  "these ops "                                                                                     \
  "of 10 segments.", RUNS; r->capacity = 10; i->output.size = 39)                                  \
X(unique_type, PLAIN, INVALID, "segments.runs.uniqueKeys.type is i32, but must be undefined or "   \
  "u32 like segments.keys.type.", RUNS; r->uniqueKeys = OUT('U', 0, 4000);                         \
  r->uniqueKeys.type = VKR_TYPE_I32)                                                               \
X(unique_components, PLAIN, INVALID, "segments.runs.uniqueKeys.components is 2, but must be 0 or " \
  "1.", RUNS; r->uniqueKeys = OUT('U', 0, 8000); r->uniqueKeys.components = 2)                     \
X(unique_buffer, PLAIN, INVALID, "segments.runs.uniqueKeys.buffer is VK_NULL_HANDLE, but must be " \
  "a buffer where size is not 0.", RUNS; r->uniqueKeys.size = 4000)                                \
X(unique_size, PLAIN, INVALID, "segments.runs.uniqueKeys.size is 3996, which is 999 runs, but "    \
  "must hold 1000, the smaller one of count and segments.runs.capacity.", RUNS;                    \
  r->uniqueKeys = OUT('U', 0, 3996))                                                               \
X(runs_type, PLAIN, INVALID, "segments.runs.lengths.type is f32 (10), but must be undefined, "     \
  "u32 or u64.", RUNS; r->lengths = OUT('L', 0, 4000); r->lengths.type = VKR_TYPE_F32)             \
X(runs_size, PLAIN, INVALID, "segments.runs.lengths.size is 36, which is 9 runs, but must hold "   \
  "10, the smaller one of count and segments.runs.capacity.", RUNS; r->capacity = 10;              \
  r->lengths = OUT('L', 0, 36))                                                                    \
X(runs_counts, PLAIN, INVALID, "segments.runs.countOutputs is NULL, but must point to the 2 of "   \
  "countOutputCount.", RUNS; r->countOutputCount = 2)                                              \
X(runs_count_kind, PLAIN, INVALID, "segments.runs.countOutputs[0].kind is 8, but must be 0 to 7.", \
  RUNS; COUNTS(VKR_COUNT_KIND_COUNT, 'N', 0))                                                      \
X(runs_count_offset, PLAIN, INVALID, "segments.runs.countOutputs[0].offset is 2, but must be a "   \
  "multiple of 4.", RUNS; COUNTS(VKR_COUNT_KEPT, 'N', 2))                                          \
X(runs_count_tasks, FEW_TASKS, UNSUPPORTED, "segments.runs.countOutputs[0] is for mesh "           \
  "tasks, and "                                                                                    \
  "1000 elements can be stored, but the context's limits for tasks need a capacity of at "         \
  "most 20.",                                                                                      \
  RUNS; COUNTS(VKR_COUNT_MESH_TASKS, 'N', 0))                                                      \
X(keys_output, PLAIN, INVALID, "segments.keys overlaps output, but must be apart from it " BY_KEY, \
  KEYS; i->segments.keys.buffer = i->output.buffer; i->segments.keys.offset = 3996 + 220;          \
  i->output.offset = 220)                                                                          \
X(unique_keys, PLAIN, INVALID, "segments.runs.uniqueKeys overlaps segments.keys, but must be "     \
  "apart from it " BY_KEY, RUNS; r->uniqueKeys = OUT('K', 3996, 4000))                             \
X(unique_output, PLAIN, INVALID, "segments.runs.uniqueKeys overlaps output, but must be apart "    \
  "from it " BY_KEY, RUNS; r->uniqueKeys = OUT('U', 0, 4000);                                      \
  r->uniqueKeys.buffer = i->output.buffer; r->uniqueKeys.offset = i->output.offset + 3996)         \
X(unique_input, PLAIN, INVALID, "segments.runs.uniqueKeys overlaps input, but must be apart from " \
  "it " BY_KEY, RUNS; r->uniqueKeys = OUT('A', 4252, 4000))                                        \
X(unique_count, PLAIN, INVALID, "segments.runs.uniqueKeys overlaps gpuCount, but must be apart "   \
  "from it " BY_KEY, RUNS; r->uniqueKeys = OUT('U', 0, 4000);                                      \
  i->gpuCount = ((VkrGpuCount){BUFFER('U'), 3996, VKR_TYPE_U32}))                                  \
X(runs_unique, PLAIN, INVALID, "segments.runs.lengths overlaps segments.runs.uniqueKeys, but "     \
  "must be apart from it " BY_KEY, RUNS; r->uniqueKeys = OUT('U', 0, 4000);                        \
  r->lengths = OUT('U', 3996, 4000))                                                               \
X(runs_count_keys, PLAIN, INVALID, "segments.runs.countOutputs[0] overlaps segments.keys, but "    \
  "must be apart from it " BY_KEY, RUNS; COUNTS(VKR_COUNT_KEPT, 'K', 3996))                        \
X(runs_count_replaces, PLAIN, INVALID, "segments.runs.countOutputs[0] overlaps gpuCount, "         \
  "but must "                                                                                      \
  "be apart from it " BY_KEY, RUNS; COUNTS(VKR_COUNT_KEPT, 'N', 0);                                \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_U32}))                                     \
X(keys_gpu_segments, PLAIN, INVALID, "segments.kind is keys, but must be offsets where "           \
  "segments.gpuCount is given.", KEYS; i->segments.gpuCount.buffer = BUFFER('N'))                  \
X(keys_starts, NARROW, UNSUPPORTED, "segments.kind is keys, but the starts of 16380 runs "         \
  "(segments.runs.capacity can be smaller), 65524 bytes, must "                                    \
  "fit maxStorageBufferRange (65536 bytes, less up to 64 for "                                     \
  "alignment).", KEYS; i->count = 16380; i->ops |= VKR_OP_MIN; i->input.size = 65520;              \
  i->segments.keys.size = 65520)                                                                   \
X(columns_many, PLAIN, UNSUPPORTED, "segments.length is 2147483649, but must be at most 2^31 "     \
  "where segments.kind is columns.", LARGE(2147483649);                                            \
  i->segments.kind = VKR_SEGMENTS_COLUMNS; i->segments.length = 2147483649)                        \
X(columns_long, PLAIN, UNSUPPORTED, "segments.kind is columns, but each of them, 5000000000 "      \
  "elements, must have less than 2^32.", LARGE(10000000000); i->segments = SEGMENTS(COLUMNS, 2))   \
X(columns_count, PLAIN, UNSUPPORTED, "segments.kind is columns, but all of them, 10000000000 "     \
  "elements, must have less than 2^32 where gpuCount is given.", LARGE(10000000000);               \
  i->segments = SEGMENTS(COLUMNS, 10); i->gpuCount.buffer = BUFFER('C'))

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 1, (void)i)                                                                        \
X(plain_cpu, CPU, 1, (void)i)                                                                      \
X(no_rows, PLAIN, 0, i->count = 0)                                                                 \
X(no_windows, PLAIN, 0, i->segments = SEGMENTS(WINDOWS, 1001))                                     \
X(one_window, PLAIN, 1, i->segments = SEGMENTS(WINDOWS, 1000); i->algorithm = VKR_REDUCE_GROUPS)   \
X(no_offsets, PLAIN, 0, i->segments = OFFSETS(VKR_TYPE_U32, 0, 4))                                 \
X(no_offsets_wide, PLAIN, 0, i->segments = OFFSETS(VKR_TYPE_U64, 0, 15))                           \
X(one_offset_each, PLAIN, 1, i->segments = OFFSETS(VKR_TYPE_UNDEFINED, 4, 11); i->count = 100)     \
X(empty_columns, PLAIN, 1, i->count = 0; i->segments = SEGMENTS(COLUMNS, 77))                      \
X(empty_column, PLAIN, 1, i->count = 0; i->segments = SEGMENTS(COLUMNS, 1))                        \
X(empty_offsets, PLAIN, 1, i->count = 0; i->segments = OFFSETS(VKR_TYPE_U32, 0, 404))              \
X(many_offsets, NARROW, 3, i->segments = OFFSETS(VKR_TYPE_U64, 0, 80000);                          \
  i->output.size = 40000)                                                                          \
X(many_results, NARROW, 3, i->ops |= VKR_OP_COUNT; i->segments = OFFSETS(VKR_TYPE_U32, 0, 20000);  \
  i->output.size = 80000)                                                                          \
X(row_each, PLAIN, 1, i->segments.length = 1)                                                      \
X(row_of_all, PLAIN, 1, i->segments.length = 1000)                                                 \
X(column_of_all, PLAIN, 1, i->segments = SEGMENTS(COLUMNS, 1))                                     \
X(columns_each, PLAIN, 1, i->segments = SEGMENTS(COLUMNS, 1000))                                   \
X(output_exact, PLAIN, 1, i->output.size = 400)                                                    \
X(output_past_input, PLAIN, 1, i->output = ((VkrBufferRange){BUFFER('A'), 4256, 400}))             \
X(output_before, PLAIN, 1, i->input.offset = 400; i->output = ((VkrBufferRange){BUFFER('A'), 0,    \
  400}))                                                                                           \
X(lanes_device, PLAIN, 1, i->algorithm = VKR_REDUCE_LANES; i->count = 896;                         \
  i->segments.length = 128; DEVICE_LEVEL)                                                          \
X(groups_device, PLAIN, 1, i->algorithm = VKR_REDUCE_GROUPS; LARGE(16384);                         \
  i->segments.length = 8192; DEVICE_LEVEL)                                                         \
X(windows_device, PLAIN, 2, i->segments = SEGMENTS(WINDOWS, 31); DEVICE_LEVEL)                     \
X(long_windows_device, PLAIN, 3, i->algorithm = VKR_REDUCE_LANES; LARGE(16384);                    \
  i->segments = SEGMENTS(WINDOWS, 100); DEVICE_LEVEL)                                              \
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
X(keys, PLAIN, 1, KEYS)                                                                            \
X(keys_of_input, PLAIN, 1, KEYS; i->segments.keys = i->input)                                      \
X(keys_apart, PLAIN, 4, KEYS; i->segments.keys.offset = 4)                                         \
X(keys_of_two, PLAIN, 4, KEYS; i->ops |= VKR_OP_MIN)                                               \
X(keys_skipping, PLAIN, 4, KEYS; i->nan = VKR_NAN_SKIP)                                            \
X(keys_counted, PLAIN, 1, RUNS; COUNTS(VKR_COUNT_KEPT, 'N', 0))                                    \
X(keys_counted_wide, PLAIN, 1, RUNS; COUNTS(VKR_COUNT_KEPT64, 'N', 0))                             \
X(keys_stored, PLAIN, 2, RUNS; COUNTS(VKR_COUNT_STORED, 'N', 0))                                   \
X(keys_lengths, PLAIN, 1, RUNS; r->uniqueKeys = OUT('U', 0, 4000);                                 \
  r->lengths = OUT('L', 0, 4000))                                                                  \
X(empty_keys, PLAIN, 0, KEYS; i->count = 0)                                                        \
X(empty_keys_counted, PLAIN, 1, i->count = 0; RUNS; COUNTS(VKR_COUNT_KEPT, 'N', 0))                \
X(keys_capacity, PLAIN, 4, RUNS; r->capacity = 10; i->output.size = 40;                            \
  r->uniqueKeys = OUT('U', 0, 40); r->lengths = OUT('L', 0, 80); r->lengths.type = VKR_TYPE_U64)   \
X(keys_capacity_more, PLAIN, 1, RUNS; r->capacity = 10000; r->uniqueKeys = OUT('U', 0, 4000))      \
X(rest_of_rows, CPU, 2, i->input.type = VKR_TYPE_U8; i->input.size = (uint64_t)1 << 25;            \
  i->segments.length = 1)                                                                          \
X(rest_of_two_rows, CPU, 2, i->input.type = VKR_TYPE_U8; i->input.size = (uint64_t)1 << 26;        \
  i->segments.length = 2)                                                                          \
X(rest_of_windows, CPU, 2, i->input.type = VKR_TYPE_U32; LARGE(33554440); i->ops = VKR_OP_MAX;     \
  i->segments = SEGMENTS(WINDOWS, 8))                                                              \
X(rest_of_long_windows, NARROW, 2, LARGE(32648); i->segments = SEGMENTS(WINDOWS, 70))              \
X(rest_of_columns, NARROW, 2, LARGE(16370 * 3); i->segments = SEGMENTS(COLUMNS, 16370))            \
X(rest_of_parts, NARROW, 2, LARGE(40002); i->segments = SEGMENTS(COLUMNS, 2);                      \
  i->algorithm = VKR_REDUCE_SPLIT)
/* clang-format on */

/* The layout depends on these, and on nothing else. */
static const char *const matters[] = {"kind",         "length",        "count",   "offset_type",
                                      "offsets_none", "offsets_whole", "results", NULL};
static const question layout_question = {"vkrGetReduceLayout", ask_reduce_layout, matters, 16};

OPERATION(segments, vkrCmdReduce, VkrReduceInfo, info, COUNTED, &layout_question)
