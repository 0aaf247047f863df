/* SPDX-License-Identifier: MIT */
/* Scenarios of the validation layer, and the planted faults. */
#include "validation.h"

#define F32 VKR_TYPE_F32
#define U32 VKR_TYPE_U32

/* Loads of 4-byte values in several small workgroups. */
#define LOADS(order_, path_, texels_)                                                              \
    .tuning = {                                                                                    \
        .valueSize = 4,                                                                            \
        .workgroupSize = 64,                                                                       \
        .treeWorkgroupSize = 64,                                                                   \
        .minBytes = 256,                                                                           \
        .maxBytes = 1024,                                                                          \
        .maxGroups = 16,                                                                           \
        .order = VKR_LOAD_##order_,                                                                \
        .path = VKR_LOAD_##path_,                                                                  \
        .texels = texels_,                                                                         \
        .flight = 4,                                                                               \
    }

/* Several small workgroups for compactions of 4-byte values. */
#define TILES                                                                                      \
    .tuning = {                                                                                    \
        .operation = VKR_OPERATION_COMPACT,                                                        \
        .valueSize = 4,                                                                            \
        .workgroupSize = 64,                                                                       \
        .treeWorkgroupSize = 64,                                                                   \
        .minBytes = 64,                                                                            \
        .maxBytes = 1024,                                                                          \
        .maxGroups = 16,                                                                           \
        .path = VKR_LOAD_VEC4,                                                                     \
        .flight = 2,                                                                               \
        .tileBytes = 64,                                                                           \
    }

/* The same for values that are texels. */
#define TEXEL_TILES                                                                                \
    .tuning = {                                                                                    \
        .operation = VKR_OPERATION_COMPACT,                                                        \
        .valueSize = 4,                                                                            \
        .texels = VK_TRUE,                                                                         \
        .workgroupSize = 64,                                                                       \
        .treeWorkgroupSize = 64,                                                                   \
        .minBytes = 64,                                                                            \
        .maxBytes = 1024,                                                                          \
        .maxGroups = 16,                                                                           \
        .order = VKR_LOAD_CONTIGUOUS,                                                              \
        .path = VKR_LOAD_TEXEL,                                                                    \
        .flight = 2,                                                                               \
        .tileBytes = 64,                                                                           \
    }

#define ROW(title, function, ...)                                                                  \
    {                                                                                              \
        .name = title, .record = function, __VA_ARGS__                                             \
    }

const scenario sync_rows[] = {
    ROW("auto f32", record_one, .type = F32),
    ROW("auto u32", record_one, .type = U32, .full = true),
    ROW("single f32", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32),
    ROW("single u32", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = U32, .full = true),
    ROW("subgroup f32", record_one, .algorithm = VKR_REDUCE_SUBGROUP, .type = F32),
    ROW("subgroup u32", record_one, .algorithm = VKR_REDUCE_SUBGROUP, .type = U32, .full = true),
    ROW("tree f32", record_one, .algorithm = VKR_REDUCE_TREE, .type = F32),
    ROW("tree u32", record_one, .algorithm = VKR_REDUCE_TREE, .type = U32, .full = true),
    ROW("recursive f32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = F32),
    ROW("recursive u32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = U32, .full = true),
    ROW("in place f32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = F32,
        .flags = VKR_REDUCE_CONSUME_INPUT_BIT),
    ROW("in place u32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = U32,
        .flags = VKR_REDUCE_CONSUME_INPUT_BIT),
    ROW("determinism device", record_one, .type = F32, .determinism = VKR_DETERMINISM_DEVICE),
    ROW("windows", record_one, .type = F32, .limits.maxStorageBufferRange = SMALL_RANGE),
    ROW("second dimension", record_one, .algorithm = VKR_REDUCE_TREE, .type = U32,
        .limits.maxComputeWorkGroupCount = 16),
    ROW("gpu counts and a chain", record_chain, .type = F32),
    ROW("several recordings", record_several, .algorithm = VKR_REDUCE_SINGLE, .type = F32),
    ROW("several recordings of two steps", record_several, .algorithm = VKR_REDUCE_SUBGROUP,
        .type = U32),
    ROW("no push descriptors", record_several, .type = F32,
        .limits.disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR),
    ROW("submitted again", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32, .submits = 3),
    ROW("overwritten input", record_overwritten_input, .type = F32),
    ROW("overwritten output", record_overwritten_output, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32),
    ROW("loads by element", record_one, .type = F32, LOADS(CONTIGUOUS, ELEMENT, VK_FALSE)),
    ROW("loads of vec4", record_one, .type = F32, LOADS(COALESCED, VEC4, VK_FALSE)),
    ROW("loads of u64", record_one, .type = F32, LOADS(COALESCED, U64, VK_FALSE)),
    ROW("loads of texels", record_one, .type = F32, LOADS(CONTIGUOUS, TEXEL, VK_TRUE)),
    ROW("loads of texels in windows, no push descriptors", record_one, .type = F32,
        LOADS(COALESCED, TEXEL, VK_TRUE),
        .limits = {.maxStorageBufferRange = SMALL_RANGE,
                   .disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR}),
    ROW("results in a buffer view", record_through_texels, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE)),
    ROW("pieces", record_pieces, .type = F32, .determinism = VKR_DETERMINISM_DEVICE),

    ROW("segments", record_segments, .check = check_segments),
    ROW("segments at level device", record_segments, .check = check_segments, .type = F32,
        .determinism = VKR_DETERMINISM_DEVICE),
    ROW("segments in windows", record_segments, .check = check_segments,
        .algorithm = VKR_REDUCE_SPLIT, .limits.maxStorageBufferRange = SMALL_RANGE),

    ROW("scan auto", record_scans, .type = F32),
    ROW("scan reduce-then-scan, in place", record_scans, .type = U32,
        .scan = VKR_SCAN_REDUCE_THEN_SCAN),
    ROW("scan single-pass", record_scans, .type = U32, .scan = VKR_SCAN_SINGLE_PASS),
    ROW("scan hillis-steele", record_scans, .type = U32, .scan = VKR_SCAN_HILLIS_STEELE),
    ROW("scan blelloch", record_scans, .type = U32, .scan = VKR_SCAN_BLELLOCH),
    ROW("scan in windows", record_scans, .type = F32, .determinism = VKR_DETERMINISM_DEVICE,
        .limits.maxStorageBufferRange = SMALL_RANGE),
    ROW("compaction by one workgroup", record_compactions, .type = F32),
    ROW("compaction scan-scatter, submitted again", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SCAN_SCATTER, .submits = 2),
    ROW("compaction single-pass, submitted again", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SINGLE_PASS, .submits = 2),
    ROW("compaction of runs that go on", record_compactions, .type = F32, TILES,
        .flags = VKR_COMPACT_CONTINUED_BIT),
    ROW("compaction of texels, submitted again", record_moved_texels, .type = F32, TEXEL_TILES,
        .submits = 2),
    ROW("compaction in windows, no push descriptors", record_compactions, .type = F32, TILES,
        .limits = {.maxStorageBufferRange = SMALL_RANGE,
                   .disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR}),

    ROW("pairs of operations, f32", record_pairs, .type = F32, .recorded_only = true),
    ROW("pairs of operations, u64", record_pairs, .type = VKR_TYPE_U64, .recorded_only = true,
        .full = true),
    ROW("pairs of operations, u8", record_pairs, .type = VKR_TYPE_U8, .recorded_only = true,
        .full = true),

    ROW("planted: unused bindings of pairs of operations repeat the input", record_pairs,
        .type = F32, .recorded_only = true,
        .fault = {.repeat = true, .report = "SYNC-HAZARD-WRITE-AFTER-READ"}),
    ROW("planted: no barrier, read after write", record_one, .algorithm = VKR_REDUCE_SUBGROUP,
        .type = F32, .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier, write after read", record_overwritten_input, .type = F32,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-WRITE-AFTER-READ"}),
    ROW("planted: no barrier, write after write", record_overwritten_output,
        .algorithm = VKR_REDUCE_SINGLE, .type = F32,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-WRITE-AFTER-WRITE"}),
    ROW("planted: no barrier to the consumer", record_one, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32, .fault = {COMPUTE, TRANSFER, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: wrong stage of the consumer", record_one, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32,
        .fault = {COMPUTE, TRANSFER, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier, result in a buffer view", record_through_texels,
        .algorithm = VKR_REDUCE_SINGLE, .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE),
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: the caller's write in a buffer view", record_filled_texels,
        .algorithm = VKR_REDUCE_SINGLE, .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE),
        .fault = {.report = "SYNC-HAZARD-WRITE-AFTER-READ"}),
    ROW("planted: no barrier in a compaction", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SCAN_SCATTER,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier between compactions of texels", record_moved_texels, .type = F32,
        TEXEL_TILES, .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier after the fill of counters of segments", record_segments,
        .algorithm = VKR_REDUCE_SPLIT, .fault = {TRANSFER, COMPUTE, .report = "SYNC-HAZARD-"}),
    ROW("planted: no barrier between parts of segments", record_segments,
        .algorithm = VKR_REDUCE_SPLIT,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier between pieces", record_pieces, .type = F32,
        .determinism = VKR_DETERMINISM_DEVICE,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    {0},
};

/* The layer makes pipelines compile slowly. */
const scenario gpu_rows[] = {
    ROW("single f32 in bounds", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32),
    ROW("subgroup u32 in bounds", record_one, .algorithm = VKR_REDUCE_SUBGROUP, .type = U32,
        .full = true),
    ROW("gpu counts and a chain in bounds", record_chain, .type = F32),
    ROW("texels in bounds", record_one, .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE)),
    ROW("segments by lanes in bounds", record_segments, .check = check_segments,
        .algorithm = VKR_REDUCE_LANES, .full = true),
    ROW("segments by parts in bounds", record_segments, .check = check_segments,
        .algorithm = VKR_REDUCE_SPLIT),
    ROW("scans in bounds", record_scans, .type = U32, .scan = VKR_SCAN_SINGLE_PASS),
    ROW("compactions scan-scatter in bounds", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SCAN_SCATTER),
    ROW("compactions single-pass in bounds", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SINGLE_PASS, .full = true),
    ROW("compactions of texels in bounds", record_moved_texels, .type = F32, TEXEL_TILES),
    ROW("planted: out of bounds", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32,
        .fault = {.shrink = 2, .report = "out of bounds"}),
    {0},
};
