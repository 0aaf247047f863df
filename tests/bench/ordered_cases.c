/* SPDX-License-Identifier: MIT */
/* The operations of --ordered and the outputs that they write. */
#include "array.h"
#include "ordered.h"

#define EVERY ((1u << VKR_SORT_ALGORITHM_COUNT) - 1u)
#define AUTO (1u << VKR_SORT_AUTO)

#define SORT(name, type_, from, which, ...)                                                        \
    {                                                                                              \
        .op = name, .work = ORDERED_SORT, .type = VKR_TYPE_##type_, .data = ORDERED_##from,        \
        .algorithms = which, __VA_ARGS__                                                           \
    }
#define TOP_K(name, ...)                                                                           \
    {                                                                                              \
        .op = name, .work = ORDERED_TOP_K, .type = VKR_TYPE_F32, .data = ORDERED_FLOATS,           \
        .algorithms = AUTO, .against = "sort", __VA_ARGS__                                         \
    }
#define SCAN(name, type_, ...)                                                                     \
    {                                                                                              \
        .op = name, .work = ORDERED_SCAN, .type = VKR_TYPE_##type_, .data = ORDERED_FLOATS,        \
        .algorithms = AUTO, __VA_ARGS__                                                            \
    }
#define RUN_LENGTHS(runs, from)                                                                    \
    {                                                                                              \
        .op = "run-lengths " runs, .work = ORDERED_RUN_LENGTHS, .type = VKR_TYPE_U32,              \
        .data = ORDERED_##from, .algorithms = AUTO                                                 \
    }
#define REDUCE(name, runs, type_, from, which)                                                     \
    {                                                                                              \
        .op = "reduce-by-key " name " " runs, .work = ORDERED_REDUCE, .type = VKR_TYPE_##type_,    \
        .data = ORDERED_FLOATS, .algorithms = AUTO, .keys = ORDERED_##from, .ops = which,          \
        .against = "run-lengths " runs                                                             \
    }
/* Everything that is measured with keys in runs of one average length. */
#define BY_KEY(runs, from)                                                                         \
    RUN_LENGTHS(runs, from), REDUCE("sum", runs, F32, from, VKR_OP_SUM),                           \
        REDUCE("sum", runs, U32, from, VKR_OP_SUM),                                                \
        REDUCE("min,max,sum", runs, F32, from, VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM),              \
        SCAN("scan-by-key sum " runs, U32, .keys = ORDERED_##from, .against = "scan sum"),         \
        SCAN("scan-by-key sum " runs, F32, .keys = ORDERED_##from, .against = "scan sum")
#define SELECT(name, ...)                                                                          \
    {                                                                                              \
        .op = name, .work = ORDERED_SELECT, .type = VKR_TYPE_F32, .data = ORDERED_FLOATS,          \
        .algorithms = AUTO, .against = "sort", __VA_ARGS__                                         \
    }
#define EXPAND(name, counts, ...)                                                                  \
    {                                                                                              \
        .op = name, .work = ORDERED_EXPAND, .type = VKR_TYPE_U32, .data = ORDERED_##counts,        \
        .algorithms = AUTO, __VA_ARGS__                                                            \
    }
#define BOUNDS(name, values)                                                                       \
    {                                                                                              \
        .op = name, .work = ORDERED_BOUNDS, .type = VKR_TYPE_U32, .data = ORDERED_ASCENDING,       \
        .algorithms = AUTO, .needles = ORDERED_##values                                            \
    }

const ordered_case ordered_cases[] = {
    SORT("sort", U32, WORDS, EVERY, .sorted = true),
    SORT("sort", I32, WORDS, AUTO, .sorted = true),
    SORT("sort", F32, FLOATS, EVERY, .sorted = true),
    SORT("sort", U64, WORDS, EVERY, .sorted = true),
    SORT("sort", U16, WORDS, EVERY, .sorted = true),
    SORT("sort", U8, WORDS, EVERY, .sorted = true),
    SORT("sort 16 bits", U32, WORDS, AUTO, .sorted = true, .end_bit = 16),
    SORT("sort descending in-place", U32, WORDS, AUTO, .sorted = true, .descending = true,
         .in_place = true),
    SORT("sort,payload 4", U32, WORDS, EVERY, .sorted = true, .payload = 4),
    SORT("sort,payload 4", U64, WORDS, AUTO, .sorted = true, .payload = 4),
    SORT("sort,payload 16", U32, WORDS, AUTO, .sorted = true, .payload = 16),
    SORT("argsort", U32, WORDS, EVERY, .indices = true),
    SORT("argsort", F32, FLOATS, EVERY, .indices = true),
    SORT("sort ascending", U32, ASCENDING, EVERY, .sorted = true),
    SORT("sort equal", U32, EQUAL, EVERY, .sorted = true),
    SORT("sort two values", U32, TWO, EVERY, .sorted = true),
    SORT("sort rows 64", U32, WORDS, EVERY, .sorted = true, .row = 64),
    SORT("sort rows 1000", U32, WORDS, EVERY, .sorted = true, .row = 1000),
    SORT("sort rows 100000", U32, WORDS, EVERY, .sorted = true, .row = 100000),
    TOP_K("topk 1", .k = 1),
    TOP_K("topk 100", .k = 100),
    TOP_K("topk 4096", .k = 4096),
    TOP_K("topk 65536", .k = 65536),
    TOP_K("topk,indices 100", .k = 100, .indices = true),
    TOP_K("topk,indices 65536", .k = 65536, .indices = true),
    TOP_K("topk rows 1000 8", .k = 8, .row = 1000),
    TOP_K("topk,indices rows 1000 8", .k = 8, .row = 1000, .indices = true),
    SELECT("select median", .k = 1),
    SELECT("select,indices median", .k = 1, .indices = true),
    SELECT("select 16", .k = 16),
    SELECT("select rows 1000 median", .k = 1, .row = 1000),
    SCAN("scan sum", U32, .keys = ORDERED_NOTHING),
    SCAN("scan sum", F32, .keys = ORDERED_NOTHING),
    BY_KEY("1", RUNS_1),
    BY_KEY("4", RUNS_4),
    BY_KEY("1000", RUNS_1000),
    BY_KEY("all", EQUAL),
    BOUNDS("bounds random", WORDS),
    BOUNDS("bounds ascending", ASCENDING),
    EXPAND("expand 2", COUNTS_2, .most = 2),
    EXPAND("expand 7", COUNTS_7, .most = 7),
    EXPAND("expand,ranks 7", COUNTS_7, .most = 7, .indices = true),
    EXPAND("expand 1024 of some", COUNTS_1024, .most = 2),
    {.op = "merge",
     .work = ORDERED_MERGE,
     .type = VKR_TYPE_U32,
     .data = ORDERED_RUNS_4,
     .needles = ORDERED_RUNS_1,
     .algorithms = AUTO},
    {.op = "find-first",
     .work = ORDERED_FIND,
     .type = VKR_TYPE_U32,
     .data = ORDERED_ASCENDING,
     .algorithms = AUTO},
};

const uint32_t ordered_case_count = COUNT_OF(ordered_cases);

/* Outputs start at multiples of this, which suits the offset alignment of every device. */
#define CLEAR 256u

static uint32_t ops_of(const ordered_case *of)
{
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        count += of->ops >> bit & 1u;
    return count;
}

double ordered_share(const ordered_case *of, uint32_t i)
{
    return of->k == 1 ? 0.5 : (double)i / (of->k - 1);
}

static VkDeviceSize first_size(const ordered_case *of, uint64_t n)
{
    switch (of->work) {
    case ORDERED_SORT:
        return of->sorted ? n * vkrTypeSize(of->type) : 0;
    case ORDERED_TOP_K:
    case ORDERED_SELECT:
        return 4 * ordered_rows(of, n) * of->k;
    case ORDERED_EXPAND:
        return 4 * of->most * n;
    case ORDERED_BOUNDS:
        return 4 * NEEDLES;
    case ORDERED_FIND:
        return 4;
    default:
        return 4 * n;
    }
}

static VkDeviceSize second_size(const ordered_case *of, uint64_t n)
{
    switch (of->work) {
    case ORDERED_SORT:
        return n * (of->indices ? 4 : of->payload);
    case ORDERED_TOP_K:
    case ORDERED_SELECT:
    case ORDERED_EXPAND:
        return of->indices ? first_size(of, n) : 0;
    case ORDERED_REDUCE:
        return (VkDeviceSize)4 * ops_of(of) * n;
    case ORDERED_RUN_LENGTHS:
        return 4 * n;
    default:
        return 0;
    }
}

VkDeviceSize ordered_part_size(const arm *a, uint64_t n, ordered_part part)
{
    const ordered_case *of = ordered_case_of(a);
    if (part == PART_FIRST)
        return first_size(of, n);
    if (part == PART_SECOND)
        return second_size(of, n);
    const bool counts =
        of->work == ORDERED_REDUCE || of->work == ORDERED_RUN_LENGTHS || of->work == ORDERED_EXPAND;
    return counts ? sizeof(uint32_t) : 0;
}

VkDeviceSize ordered_part_start(const arm *a, uint64_t n, ordered_part part)
{
    VkDeviceSize start = 0;
    for (uint32_t k = 0; k < (uint32_t)part; k++)
        start += (ordered_part_size(a, n, (ordered_part)k) + CLEAR - 1) / CLEAR * CLEAR;
    return start;
}

uint64_t ordered_bytes_read(const arm *a, uint64_t n)
{
    const ordered_case *of = ordered_case_of(a);
    const uint64_t values = of->work == ORDERED_BOUNDS ? 4 * NEEDLES : 0;
    const uint64_t keys = of->keys != ORDERED_NOTHING ? 4 * n : 0;
    return n * (vkrTypeSize(of->type) + of->payload) + values + keys;
}
