/* SPDX-License-Identifier: MIT */
/* VkrCompactInfo, apart from payloads and count outputs. */
#include "compact.h"

#include "input.h"

#define LARGE ((uint64_t)1 << 40)

/* Keeps only what stream reduction supports. */
static void kept_only(struct request *r)
{
    simple(r);
    r->info.rejected = (VkrView){0};
    r->info.rejectedIndices = (VkrView){0};
}

static void flags(struct request *r, VkrFlagFormat format, VkDeviceSize size)
{
    r->info.predicate = (VkrPredicate){
        .kind = VKR_PREDICATE_FLAGS, .flags = {.format = format, .range = {BUFFER('F'), 0, size}}};
}

static void bits(struct request *r)
{
    r->info.predicate = (VkrPredicate){
        .kind = VKR_PREDICATE_BITS, .compare = VKR_COMPARE_EQUAL, .mask = 0x80000000u};
}

static void integer(struct request *r, VkrType type, uint64_t constant)
{
    r->info.input.type = type;
    r->info.kept.type = type;
    r->info.predicate.a.u = constant;
}

/* Moves an array to a place in a buffer that holds others. */
static void put(VkrView *at, char buffer, VkDeviceSize offset)
{
    at->buffer = BUFFER(buffer);
    at->offset = offset;
}

#define OPEN(view)                                                                                 \
    view ".size is 0, but must be a number of bytes unless " view                                  \
         ".bufferSize is given, since the size of a buffer cannot be queried."

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(info_flags, PLAIN, INVALID, "flags is VKR_COMPACT_CONTINUED_BIT | 0x2, but must "                \
  "have only bits of VkrCompactFlagBits.", i->flags = 3)                                           \
COMPUTED_ROWS(X)                                                                                   \
INPUT_ROWS(X)                                                                                      \
X(size_zero_kept, PLAIN, INVALID, OPEN("kept"), i->kept.size = 0)                                  \
X(size_zero_rejected, PLAIN, INVALID, OPEN("rejected"), i->rejected.size = 0)                      \
X(size_zero_indices, PLAIN, INVALID, OPEN("keptIndices"), i->keptIndices.size = 0)                 \
X(size_zero_lengths, PLAIN, INVALID, OPEN("runLengths"), i->runLengths = view('L', 0, 0))          \
X(size_past_kept, PLAIN, INVALID, "kept.size is 4000, but must be at most 3999, the rest of the "  \
  "buffer of 3999 bytes after offset 0.", i->kept.bufferSize = 3999)                               \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(count_of_flags, PLAIN, INVALID, "count is VKR_COUNT_ALL, but must be a number where input is "   \
  "empty.", flags(r, VKR_FLAGS_BITS, 128); i->input = (VkrView){0}; i->kept = i->input;            \
  i->rejected = i->input)                                                                          \
X(texels, PLAIN, INVALID, "input.texels is 64 bytes at 0, but must hold the view's 4000 bytes at " \
  "256, all but at most 15 at the end.", i->input.texels = ((VkrTexels){HANDLE(VkBufferView), 0,   \
  64}))                                                                                            \
X(gpu_offset, PLAIN, INVALID, "gpuCount.offset is 6, but must be a multiple of 4.",                \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 6, 0}))                                                \
X(gpu_type, PLAIN, INVALID, "gpuCount.type is 5, but must be VKR_TYPE_UNDEFINED (for u32), "       \
  "VKR_TYPE_U32 or VKR_TYPE_U64.", i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_I32}))    \
X(continued, PLAIN, INVALID, "input.offset is 0, but must be at least 4, the stride, where flags " \
  "has VKR_COMPACT_CONTINUED_BIT.", i->predicate.kind = VKR_PREDICATE_UNIQUE;                      \
  i->flags = VKR_COMPACT_CONTINUED_BIT; i->input.offset = 0)                                       \
X(kind, PLAIN, INVALID, "predicate.kind is 7, but must be 0 to 6.",                                \
  i->predicate.kind = VKR_PREDICATE_KIND_COUNT)                                                    \
X(component, PLAIN, INVALID, "predicate.component is 1, but must be below 1, the components of "   \
  "input.", i->predicate.component = 1)                                                            \
X(compare, PLAIN, INVALID, "predicate.compare is 7, but must be 0 to 6.",                          \
  i->predicate.compare = VKR_COMPARE_COUNT)                                                        \
X(compare_none, PLAIN, INVALID, "predicate.compare is VKR_COMPARE_NONE, but must be a relation "   \
  "where predicate.kind is compare.", i->predicate.compare = VKR_COMPARE_NONE)                     \
X(compare2, PLAIN, INVALID, "predicate.compare2 is 7, but must be 0 to 6.",                        \
  i->predicate.compare2 = VKR_COMPARE_COUNT)                                                       \
X(compare_bits, PLAIN, INVALID, "predicate.compare is 3, but must be VKR_COMPARE_EQUAL (1) or "    \
  "VKR_COMPARE_NOT_EQUAL (2) where predicate.kind is bits.", bits(r);                              \
  i->predicate.compare = VKR_COMPARE_LESS)                                                         \
X(constant_i8, PLAIN, INVALID, "predicate.a is 128, but must be in the range of i8.", integer(r,   \
  VKR_TYPE_I8, 128))                                                                               \
X(constant_i16, PLAIN, INVALID, "predicate.a is -32769, but must be in the range of i16.",         \
  integer(r, VKR_TYPE_I16, (uint64_t)-32769))                                                      \
X(constant_u8, PLAIN, INVALID, "predicate.a is 256, but must be in the range of u8, at most 255.", \
  integer(r, VKR_TYPE_U8, 256))                                                                    \
X(constant_u32, PLAIN, INVALID, "predicate.a is 4294967296, but must be in the range of u32, at "  \
  "most 4294967295.", integer(r, VKR_TYPE_U32, 1ull << 32))                                        \
X(constant_b, PLAIN, INVALID, "predicate.b is -2147483649, but must be in the range of i32.",      \
  integer(r, VKR_TYPE_I32, 5); i->predicate.compare2 = VKR_COMPARE_LESS; i->predicate.b.i = -(1ll  \
  << 31) - 1)                                                                                      \
X(constants_offset, PLAIN, INVALID, "predicate.gpuConstants.offset is 2, but must be a multiple "  \
  "of 4.", constants(r, 2, 4))                                                                     \
X(constants_size, PLAIN, INVALID, "predicate.gpuConstants.size is 3, but must be at least 4.",     \
  constants(r, 0, 3))                                                                              \
X(constants_two, PLAIN, INVALID, "predicate.gpuConstants.size is 4, but must be at least 8.",      \
  constants(r, 0, 4); i->predicate.compare2 = VKR_COMPARE_GREATER)                                 \
X(mask, PLAIN, INVALID, "predicate.mask is 4294967296, but must be in the range of f32, at most "  \
  "4294967295.", bits(r); i->predicate.mask = 1ull << 32)                                          \
X(flag_format, PLAIN, INVALID, "predicate.flags.format is 3, but must be 0 to 2.", flags(r,        \
  VKR_FLAG_FORMAT_COUNT, 4000))                                                                    \
X(flag_u8, BARE, UNSUPPORTED, "predicate.flags.format is VKR_FLAGS_U8, which needs "               \
  "storageBuffer8BitAccess.", simple(r); flags(r, VKR_FLAGS_U8, 1000))                             \
X(flag_buffer, PLAIN, INVALID, "predicate.flags.range.buffer is VK_NULL_HANDLE, but must be a "    \
  "buffer.", flags(r, VKR_FLAGS_U32, 4000); i->predicate.flags.range.buffer = VK_NULL_HANDLE)      \
X(flag_offset, PLAIN, INVALID, "predicate.flags.range.offset is 2, but must be a multiple of 4.",  \
  flags(r, VKR_FLAGS_BITS, 128); i->predicate.flags.range.offset = 2)                              \
X(flag_size, PLAIN, INVALID, "predicate.flags.range.size is 124, but must be at least 128.",       \
  flags(r, VKR_FLAGS_BITS, 124))                                                                   \
X(algorithm, PLAIN, INVALID, "algorithm is 7, but must be 0 to 6.",                                \
  i->algorithm = VKR_COMPACT_ALGORITHM_COUNT)                                                      \
X(workgroup, PLAIN, INVALID, "workgroupSize is 96, but must be 0 or a power of two.",              \
  i->workgroupSize = 96)                                                                           \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(kept_type, PLAIN, INVALID, "kept.type is u32, but must be undefined or f32 like input.type.",    \
  i->kept.type = VKR_TYPE_U32)                                                                     \
X(kept_components, PLAIN, INVALID, "kept.components is 2, but must be 0 or 1.",                    \
  i->kept.components = 2)                                                                          \
X(kept_stride, PLAIN, INVALID, "kept.stride is 6, but must be a multiple of 4, the size of f32.",  \
  i->kept.stride = 6)                                                                              \
X(kept_offset, PLAIN, INVALID, "kept.offset is 2, but must be a multiple of 4, the size of f32.",  \
  i->kept.offset = 2)                                                                              \
X(kept_buffer, PLAIN, INVALID, "kept.buffer is VK_NULL_HANDLE, but must be a buffer where size "   \
  "is not 0.", i->kept.buffer = VK_NULL_HANDLE)                                                    \
X(indices_type, PLAIN, INVALID, "keptIndices.type is i32 (5), but must be undefined, u32 or u64.", \
  i->keptIndices.type = VKR_TYPE_I32)                                                              \
X(indices_components, PLAIN, INVALID, "keptIndices.components is 2, but must be 0 or 1.",          \
  i->keptIndices.components = 2)                                                                   \
X(lengths_type, PLAIN, INVALID, "runLengths.type is f32 (10), but must be undefined, u32 or u64.", \
  i->runLengths = view('L', 4000, VKR_TYPE_F32))                                                   \
X(lengths_offset, PLAIN, INVALID, "runLengths.offset is 2 and runLengths.stride 0, but both must " \
  "be multiples of 4, the size of u32.", i->runLengths = view('L', 4000, VKR_TYPE_U32);            \
  i->runLengths.offset = 2)                                                                        \
X(append_offset, PLAIN, INVALID, "append.offset is 2, but must be a multiple of 4.",               \
  i->append = ((VkrGpuCount){BUFFER('P'), 2, 0}))                                                  \
X(append_type, PLAIN, INVALID, "append.type is 10, but must be VKR_TYPE_UNDEFINED (for u32), "     \
  "VKR_TYPE_U32 or VKR_TYPE_U64.", i->append = ((VkrGpuCount){BUFFER('P'), 0, VKR_TYPE_F32}))      \
X(rejected_type, PLAIN, INVALID, "rejected.type is f16, but must be undefined or f32 like "        \
  "input.type.", i->rejected.type = VKR_TYPE_F16)                                                  \
X(rejected_indices, PLAIN, INVALID, "rejectedIndices.type is u8 (2), but must be undefined, u32 "  \
  "or u64.", i->rejectedIndices.type = VKR_TYPE_U8)                                                \
X(first, PLAIN, INVALID, "firstIndex is 18446744073709550617, but must stay below 2^64 when "      \
  "count, which is 1000, is added.", i->firstIndex = UINT64_MAX - 998)                             \
X(first_u32, PLAIN, INVALID, "keptIndices.type is u32, but must be u64, since indices can reach "  \
  "2^32.", i->firstIndex = (1ull << 32) - 999)                                                     \
X(compare_ignored, PLAIN, INVALID, "predicate.compare is 9, but must be 0 to 6.",                  \
  i->predicate.kind = VKR_PREDICATE_NAN; i->predicate.compare = (VkrCompare)9)                     \
X(constants_of_bits, PLAIN, INVALID, "predicate.gpuConstants.buffer is given, but must be "        \
  "VK_NULL_HANDLE where predicate.kind is bits.", bits(r); constants(r, 0, 8))                     \
X(value, PLAIN, INVALID, "predicate.value is 4294967296, but must be in the range of f32, at "     \
  "most 4294967295.", bits(r); i->predicate.value = 1ull << 32)                                    \
X(kept_of_nothing, PLAIN, INVALID, "input.buffer is VK_NULL_HANDLE, but must be a buffer where "   \
  "kept is requested.", flags(r, VKR_FLAGS_U32, 4000); i->input = (VkrView){0}; i->count = 1000)   \
X(indices_buffer, PLAIN, INVALID, "keptIndices.buffer is VK_NULL_HANDLE, but must be a buffer "    \
  "where size is not 0.", i->keptIndices.buffer = VK_NULL_HANDLE)                                  \
X(same_before, PLAIN, INVALID, "kept overlaps input, but must be apart from it.",                  \
  i->predicate.kind = VKR_PREDICATE_UNIQUE; i->flags = VKR_COMPACT_CONTINUED_BIT;                  \
  i->kept.size = 4; put(&i->kept, 'A', 252))                                                       \
X(flags_overflow, PLAIN, INVALID, "count is 4611686018427387905, but must be so small that "       \
  "predicate.flags, with 4 bytes for each flag, stays below 2^64 bytes.", simple(r); flags(r,      \
  VKR_FLAGS_U32, 4000); i->input = (VkrView){0}; i->kept = i->input; i->rejected = i->input;       \
  i->keptIndices.type = VKR_TYPE_U64; i->count = (1ull << 62) + 1)                                 \
X(same_input, PLAIN, INVALID, "kept overlaps input, but must be apart from it.", put(&i->kept,     \
  'A', 4252))                                                                                      \
X(same_source, PLAIN, INVALID, "payloads[0].source overlaps rejected, but must be apart from it.", \
  put(&i->rejected, 'S', 8004))                                                                    \
X(same_flags, PLAIN, INVALID, "rejectedIndices overlaps predicate.flags, but must be apart from "  \
  "it.", flags(r, VKR_FLAGS_U32, 4000); put(&i->rejectedIndices, 'F', 0))                          \
X(same_constants, PLAIN, INVALID, "keptIndices overlaps predicate.gpuConstants, but must be "      \
  "apart from it.", constants(r, 128, 4); put(&i->keptIndices, 'G', 0))                            \
X(same_outputs, PLAIN, INVALID, "rejected overlaps kept, but must be apart from it.",              \
  put(&i->rejected, 'K', 3996))                                                                    \
X(same_strides, PLAIN, INVALID, "rejected overlaps kept, but must be apart from it.",              \
  put(&i->rejected, 'K', 4); i->rejected.stride = 8; i->kept.stride = 8)                           \
X(same_target, PLAIN, INVALID, "payloads[1].target overlaps rejectedIndices, but must be apart "   \
  "from it.", r->payloads[1].target.buffer = BUFFER('J'))                                          \
X(same_target_source, PLAIN, INVALID, "payloads[1].source overlaps payloads[0].target, but must "  \
  "be apart from it.", r->payloads[0].target.buffer = BUFFER('U'))                                 \
X(same_counts, PLAIN, INVALID, "countOutputs[1] overlaps countOutputs[0], but must be apart from " \
  "it.", r->counts[0].offset = 24)                                                                 \
X(same_count_kept, PLAIN, INVALID, "countOutputs[0] overlaps kept, but must be apart from it.",    \
  r->counts[0].buffer = BUFFER('K'))                                                               \
X(same_count_input, PLAIN, INVALID, "countOutputs[0] overlaps input, but must be apart from it.",  \
  r->counts[0] = ((VkrCountOutput){VKR_COUNT_KEPT64, BUFFER('A'), 252, 0}))                        \
X(same_lengths, PLAIN, INVALID, "payloads[0].target overlaps runLengths, but must be apart from "  \
  "it.", i->runLengths = view('T', 4000, VKR_TYPE_U32); i->runLengths.offset = 11996)              \
X(single_payloads, PLAIN, UNSUPPORTED, "algorithm is single-pass, but payloadCount must then be "  \
  "0.", i->algorithm = VKR_COMPACT_SINGLE_PASS)                                                    \
X(single_lengths, PLAIN, UNSUPPORTED, "algorithm is single-pass, but runLengths.buffer must then " \
  "be VK_NULL_HANDLE.", simple(r); i->algorithm = VKR_COMPACT_SINGLE_PASS;                         \
  i->runLengths = view('L', 4000, VKR_TYPE_U32))                                                   \
X(single_flags, PLAIN, UNSUPPORTED, "algorithm is single-pass, but kept and rejected must then "   \
  "be empty where the predicate is flags.", simple(r); i->algorithm = VKR_COMPACT_SINGLE_PASS;     \
  flags(r, VKR_FLAGS_U32, 4000))                                                                   \
X(single_many, PLAIN, UNSUPPORTED, "algorithm is single-pass, but count must then be below 2^30.", \
  simple(r); i->algorithm = VKR_COMPACT_SINGLE_PASS; flags(r, VKR_FLAGS_BITS, 1 << 27);            \
  i->count = 1 << 30; i->input = (VkrView){0}; i->kept = i->input; i->rejected = i->input)         \
X(single_windows, NARROW, UNSUPPORTED, "algorithm is single-pass, but input must then fit "        \
  "maxStorageBufferRange.", simple(r); i->algorithm = VKR_COMPACT_SINGLE_PASS;                     \
  i->input.size = 65540; put(&i->input, 'X', 0))                                                   \
X(single_windows_out, NARROW, UNSUPPORTED, "algorithm is single-pass, but outputs must then fit "  \
  "maxStorageBufferRange.", simple(r); i->algorithm = VKR_COMPACT_SINGLE_PASS;                     \
  i->kept.stride = 128; i->kept.size = 128000)                                                     \
X(single_patient, NO_PROGRESS, UNSUPPORTED, "algorithm is single-pass, but the context's "         \
  "forwardProgress is VKR_FORWARD_PROGRESS_NONE and must be another.", simple(r);                  \
  i->algorithm = VKR_COMPACT_SINGLE_PASS)                                                          \
X(stream_auto, PLAIN, INVALID, "stream.block is 64, but must be 0 where algorithm is auto.",       \
  i->stream.block = 64)                                                                            \
X(stream_horn, PLAIN, INVALID, "stream.block is 64, but must be 0 where algorithm is horn.",       \
  kept_only(r); i->algorithm = VKR_COMPACT_HORN; i->stream.block = 64)                             \
X(stream_block, PLAIN, INVALID, "stream.block is 48, but must be 0 or a power of two from 8 to "   \
  "1024.", kept_only(r); i->algorithm = VKR_COMPACT_ROGER; i->stream.block = 48)                   \
X(stream_scan, PLAIN, INVALID, "stream.blockScan is 3, but must be 0 to 2.", kept_only(r);         \
  i->algorithm = VKR_COMPACT_ROGER; i->stream.blockScan = VKR_BLOCK_SCAN_COUNT)                    \
X(stream_no_scan, PLAIN, INVALID, "stream.blockScan is 1, but must be 0 where algorithm is "       \
  "roger-sequential.", kept_only(r); i->algorithm = VKR_COMPACT_ROGER_SEQUENTIAL;                  \
  i->stream.blockScan = VKR_BLOCK_SCAN_BLELLOCH)                                                   \
X(stream_search, PLAIN, INVALID, "stream.search is 3, but must be 0 to 2.", kept_only(r);          \
  i->algorithm = VKR_COMPACT_HORN; i->stream.search = VKR_STREAM_SEARCH_COUNT)                     \
X(stream_concatenation, PLAIN, INVALID, "stream.concatenation is 1, but must be 0 where "          \
  "algorithm is blelloch-gather.", kept_only(r); i->algorithm = VKR_COMPACT_BLELLOCH_GATHER;       \
  i->stream.concatenation = VKR_CONCATENATION_ELEMENTS)                                            \
X(stream_rejected, PLAIN, UNSUPPORTED, "algorithm is roger, but must be another one where "        \
  "rejected outputs are requested.", i->algorithm = VKR_COMPACT_ROGER)                             \
X(stream_many, PLAIN, UNSUPPORTED, "algorithm is horn, but count is 1073741824 and must then be "  \
  "below 2^30.", kept_only(r); i->algorithm = VKR_COMPACT_HORN; flags(r, VKR_FLAGS_BITS, 1 << 27); \
  i->count = 1 << 30; i->input = (VkrView){0}; i->kept = i->input; i->rejected = i->input)         \
X(stream_windows, NARROW, UNSUPPORTED, "algorithm is roger, but count is 16385, and these "        \
  "elements, "                                                                                     \
  "and a word for each, must fit maxStorageBufferRange (65536 "                                    \
  "bytes, less up to 64 for alignment).",                                                          \
  kept_only(r); i->algorithm = VKR_COMPACT_ROGER; i->input.size = 65540; put(&i->input, 'X', 0))   \
X(stream_windows_out, NARROW, UNSUPPORTED, "algorithm is roger, but kept outputs of 1000 "         \
  "elements must "                                                                                 \
  "fit maxStorageBufferRange (65536 bytes, less up to 64 for "                                     \
  "alignment).", kept_only(r);                                                                     \
  i->algorithm = VKR_COMPACT_ROGER; i->kept.stride = 128; i->kept.size = 128000)                   \
X(pairs, NARROW, UNSUPPORTED, "count is 8388608, which makes 683 windows that are read, each "     \
  "with 513 that are stored, but must need at most 131072 "                                        \
  "dispatches of maxStorageBufferRange (65536 bytes).",                                            \
  simple(r); i->input.size = (uint64_t)1 << 25; put(&i->input, 'X', 0);                            \
  i->kept.size = i->input.size; i->keptIndices = (VkrView){0})                                     \
X(windows, NARROW, UNSUPPORTED, "count is 1099511627776, but must need at most 16384 "             \
  "dispatches of maxStorageBufferRange (65536 bytes).", simple(r); i->input.size = 4 * LARGE;      \
  put(&i->input, 'X', 0); i->keptIndices.type = VKR_TYPE_UNDEFINED)

#define RIGHT_ROWS(X)                                                                              \
X(as_it_is, PLAIN, (void)i)                                                                        \
X(nothing_requested, PLAIN, i->kept = (VkrView){0}; i->keptIndices = i->kept;                      \
  i->rejected = i->kept; i->rejectedIndices = i->kept; i->payloads = NULL; i->payloadCount = 0;    \
  i->countOutputs = NULL; i->countOutputCount = 0)                                                 \
X(no_elements, PLAIN, i->input = (VkrView){.type = VKR_TYPE_F32})                                  \
X(flags_alone, PLAIN, flags(r, VKR_FLAGS_BITS, 128); i->input = (VkrView){0}; i->count = 1000;     \
  i->kept = (VkrView){0}; i->rejected = (VkrView){0})                                              \
X(single_flags_alone, PLAIN, simple(r); flags(r, VKR_FLAGS_U32, 4000); i->input = (VkrView){0};    \
  i->count = 1000; i->kept = (VkrView){0}; i->rejected = (VkrView){0};                             \
  i->algorithm = VKR_COMPACT_SINGLE_PASS)                                                          \
X(single, PLAIN, simple(r); i->algorithm = VKR_COMPACT_SINGLE_PASS)                                \
X(single_half, PLAIN, simple(r); i->algorithm = VKR_COMPACT_SINGLE_PASS; flags(r, VKR_FLAGS_BITS,  \
  1 << 26); i->count = 1 << 29; i->input = (VkrView){0}; i->kept = i->input;                       \
  i->rejected = i->input)                                                                          \
X(horn, PLAIN, kept_only(r); i->algorithm = VKR_COMPACT_HORN;                                      \
  i->stream.search = VKR_STREAM_SEARCH_WHILE)                                                      \
X(blelloch_gather, PLAIN, kept_only(r); i->algorithm = VKR_COMPACT_BLELLOCH_GATHER)                \
X(roger, NO_PROGRESS, kept_only(r); i->algorithm = VKR_COMPACT_ROGER; i->stream.block = 1024)      \
X(roger_flags, PLAIN, kept_only(r); i->algorithm = VKR_COMPACT_ROGER; flags(r, VKR_FLAGS_U32,      \
  4000))                                                                                           \
X(roger_lengths, PLAIN, kept_only(r); i->algorithm = VKR_COMPACT_ROGER_SEQUENTIAL;                 \
  i->stream.block = 8; i->runLengths = view('L', 4000, VKR_TYPE_U32))                              \
X(patient, NO_PROGRESS, (void)i)                                                                   \
X(bare, BARE, simple(r))                                                                           \
X(windows, NARROW, i->input.size = 655360; put(&i->input, 'X', 0); i->count = 1000)                \
X(append_at_a_count, PLAIN, i->append = ((VkrGpuCount){BUFFER('C'), 0, VKR_TYPE_U32}))             \
X(neighbours, PLAIN, put(&i->kept, 'A', 4256); put(&i->keptIndices, 'A', 8256);                    \
  r->counts[0] = ((VkrCountOutput){VKR_COUNT_KEPT, BUFFER('A'), 252, 0}))                          \
X(capacity_beyond, PLAIN, i->capacity = 1001)                                                      \
X(sizes_open, PLAIN, i->input.size = 0; i->input.bufferSize = 4256; i->kept.size = 0;              \
  i->kept.bufferSize = 4000; i->keptIndices.size = VK_WHOLE_SIZE; i->keptIndices.bufferSize = 44)  \
X(sizes_of_nothing, PLAIN, i->count = 0; i->input.size = 0; i->kept.size = 0;                      \
  i->keptIndices.size = 0)                                                                         \
X(lengths, PLAIN, i->runLengths = view('L', 400, VKR_TYPE_UNDEFINED))                              \
X(wide_words, NO_I64, simple(r); i->keptIndices.type = VKR_TYPE_U64)                               \
X(wide, PLAIN, i->firstIndex = 1ull << 40; i->keptIndices.type = VKR_TYPE_UNDEFINED)               \
X(last_index, PLAIN, i->firstIndex = (1ull << 32) - 1001)                                          \
X(rounded, PLAIN, i->predicate.a.f = 1e300)                                                        \
X(least_i8, PLAIN, integer(r, VKR_TYPE_I8, (uint64_t)-128); i->count = 1000)                       \
X(greatest_u64, PLAIN, integer(r, VKR_TYPE_U64, UINT64_MAX))                                       \
X(sign_of_i64, PLAIN, integer(r, VKR_TYPE_I64, 0); bits(r); i->predicate.mask = UINT64_MAX)        \
X(continued, PLAIN, i->predicate.kind = VKR_PREDICATE_UNIQUE; i->input.offset = 4;                 \
  i->flags = VKR_COMPACT_CONTINUED_BIT)                                                            \
X(component, PLAIN, i->input.components = 4; i->kept.components = 4; i->predicate.component = 3)
/* clang-format on */

OPERATION(compact, vkrCmdCompact, VkrCompactInfo, request.info, RIGHT, NULL)
