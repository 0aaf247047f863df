/* SPDX-License-Identifier: MIT */
/* The table of rows. */
#include "operations_kinds.h"

const uint32_t operation_code[] = {
#include "operations.inc"
};
const size_t operation_code_size = sizeof operation_code;

/* ---- The table ---- */

#define KIND(name, call)                                                                           \
    static const operation_kind name = {call, operation_collect_##name, operation_check_##name};
OPERATION_KINDS(KIND)
#undef KIND

#define ROW(title, of, ...)                                                                        \
    {                                                                                              \
        .name = title, .kind = &of, __VA_ARGS__                                                    \
    }
#define REDUCE(title, how, ...) ROW(title, reduce, .algorithm = VKR_REDUCE_##how, __VA_ARGS__)
#define SCAN(title, how, ...) ROW(title, scan, .algorithm = VKR_SCAN_##how, __VA_ARGS__)
#define COMPACT(title, how, predicate, ...)                                                        \
    ROW(title, compact, .algorithm = VKR_COMPACT_##how, .detail = VKR_PREDICATE_##predicate,       \
        __VA_ARGS__)

const operation_row operation_rows[] = {
    REDUCE("reduction", AUTO, .more = true, .first = true),
    REDUCE("reduction by single", SINGLE, .more = false),
    REDUCE("reduction by subgroup", SUBGROUP, .more = false),
    REDUCE("reduction by tree", TREE, .more = false),
    REDUCE("reduction by recursive", RECURSIVE, .more = false),
    REDUCE("reduction at level device", AUTO, .determinism = VKR_DETERMINISM_DEVICE),
    REDUCE("long rows", AUTO, .segments = VKR_SEGMENTS_ROWS),
    REDUCE("short rows", AUTO, .segments = VKR_SEGMENTS_ROWS, .detail = 1),
    REDUCE("rows by groups", GROUPS, .segments = VKR_SEGMENTS_ROWS),
    REDUCE("rows by split", SPLIT, .segments = VKR_SEGMENTS_ROWS),
    REDUCE("long columns", AUTO, .segments = VKR_SEGMENTS_COLUMNS, .detail = 1),
    REDUCE("short columns", AUTO, .segments = VKR_SEGMENTS_COLUMNS),
    REDUCE("columns by split", SPLIT, .segments = VKR_SEGMENTS_COLUMNS, .detail = 1),
    REDUCE("windows", AUTO, .segments = VKR_SEGMENTS_WINDOWS),
    REDUCE("offsets", AUTO, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("offsets by lanes", LANES, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("offsets by split", SPLIT, .segments = VKR_SEGMENTS_OFFSETS),
    REDUCE("reduction by key", AUTO, .segments = VKR_SEGMENTS_KEYS, .more = true, .first = true),
    REDUCE("reduction by a monoid", AUTO, .monoid = true, .more = true, .first = true),
    REDUCE("rows by a monoid", AUTO, .monoid = true, .segments = VKR_SEGMENTS_ROWS, .detail = 1),
    SCAN("scan", AUTO, .more = true, .first = true),
    SCAN("scan by reduce-then-scan", REDUCE_THEN_SCAN, .more = false),
    SCAN("scan by single-pass", SINGLE_PASS, .determinism = VKR_DETERMINISM_NONE),
    SCAN("scan by hillis-steele", HILLIS_STEELE, .more = false),
    SCAN("scan by blelloch", BLELLOCH, .more = false),
    SCAN("scan at level device", AUTO, .determinism = VKR_DETERMINISM_DEVICE),
    SCAN("scan of rows", REDUCE_THEN_SCAN, .segments = VKR_SEGMENTS_ROWS),
    SCAN("scan of columns", AUTO, .segments = VKR_SEGMENTS_COLUMNS, .detail = 1),
    SCAN("scan of flagged segments", AUTO, .segments = VKR_SEGMENTS_FLAGS, .detail = VKR_FLAGS_U8,
         .bytes = true),
    SCAN("scan of segments by bits", REDUCE_THEN_SCAN, .segments = VKR_SEGMENTS_FLAGS,
         .detail = VKR_FLAGS_BITS),
    SCAN("scan of segments by offsets", SINGLE_PASS, .segments = VKR_SEGMENTS_OFFSETS,
         .determinism = VKR_DETERMINISM_NONE),
    SCAN("scan by key", AUTO, .segments = VKR_SEGMENTS_KEYS, .more = true, .first = true),
    SCAN("scan by a monoid", AUTO, .monoid = true, .more = true, .first = true),
    COMPACT("compaction", AUTO, NONZERO, .more = false),
    COMPACT("compaction by scan-scatter", SCAN_SCATTER, NONZERO, .more = true, .first = true),
    COMPACT("compaction by single-pass", SINGLE_PASS, NONZERO, .more = true),
    COMPACT("unique with run lengths", AUTO, UNIQUE, .more = true),
    COMPACT("compaction by flags", AUTO, FLAGS, .bytes = true),
    ROW("histogram", histogram, .more = true, .first = true),
    ROW("quantiles", quantile, .first = true),
    ROW("sort", sort, .more = true, .first = true),
    ROW("sort by three passes", sort, .algorithm = VKR_SORT_THREE_PASS),
    ROW("sort by a sweep", sort, .algorithm = VKR_SORT_ONESWEEP),
    ROW("sort by bitonic", sort, .algorithm = VKR_SORT_BITONIC),
    ROW("sort of rows", sort, .segments = VKR_SEGMENTS_ROWS),
    ROW("sort of segments by offsets", sort, .segments = VKR_SEGMENTS_OFFSETS),
    ROW("bins", bin, .more = true, .first = true),
    ROW("numbers of elements in bins", bin, .more = false),
    ROW("selection", topk, .more = true, .first = true),
    ROW("selection of rows", topk, .segments = VKR_SEGMENTS_ROWS),
    ROW("selection of segments by offsets", topk, .segments = VKR_SEGMENTS_OFFSETS, .detail = 1),
    ROW("expansion", expand, .more = true, .first = true),
    ROW("elements by rank", select, .more = true, .first = true),
    ROW("elements of rows by rank", select, .segments = VKR_SEGMENTS_ROWS),
    ROW("search", bounds, .more = true, .first = true),
    ROW("merge", merge, .more = true, .first = true),
    ROW("rescaled elements", apply, .first = true),
    ROW("first element", find, .more = true, .first = true),
};
const uint32_t operation_row_count = sizeof operation_rows / sizeof operation_rows[0];

bool operation_serves(const operation_run *run, const operation_row *row)
{
    VkrContextProperties properties;
    vkrGetContextProperties(run->context, &properties);
    return (!row->monoid || run->module != NULL) &&
           (!row->bytes || (properties.features & VKR_FEATURE_STORAGE_8BIT) != 0);
}
