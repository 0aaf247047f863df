/* SPDX-License-Identifier: MIT */
/* Given sizes of segments: those that need several dispatches, and those of which one invocation
 * reduces several segments. */
#include "segments_case.h"

#define MIN_ARGMIN (VKR_OP_MIN | VKR_OP_ARGMIN)
#define MEAN_COUNT (VKR_OP_MEAN | VKR_OP_COUNT)

/* kind, length, elements, type, operators, limits, algorithm, type of the GPU's count */
#define SHAPES(X)                                                                                  \
    X(COLUMNS, 16, 16 * 1100, U32, MIN_ARGMIN, SMALL, AUTO, UNDEFINED)                             \
    X(COLUMNS, 16, 16 * 1100, U32, MIN_ARGMIN, SMALL, AUTO, U32)                                   \
    X(COLUMNS, 300, 300 * 999, I16, VKR_OP_COUNT | VKR_OP_ARGMAX, SMALL, SPLIT, UNDEFINED)         \
    X(COLUMNS, 7000, 7000 * 20, F32, VKR_OP_SUM, SMALL, AUTO, U64)                                 \
    X(COLUMNS, 5, 5 * 9000, F32, MEAN_COUNT, SHARED_SMALL, AUTO, UNDEFINED)                        \
    X(COLUMNS, 4, 4 * 2559, F32, MEAN_COUNT, DEVICE, AUTO, U32)                                    \
    X(COLUMNS, 4, 4 * 2559, F32, MEAN_COUNT, DEVICE, SPLIT, U64)                                   \
    X(COLUMNS, 4, 4 * 9999, F32, MEAN_COUNT, SMALL, SPLIT, U32)                                    \
    X(COLUMNS, 33, 33 * 700, U32, VKR_OP_COUNT, SHARED, SPLIT, U32)                                \
    X(COLUMNS, 2, 2 * 140001, U32, VKR_OP_SUM | VKR_OP_MAX, DEVICE, AUTO, UNDEFINED)               \
    X(WINDOWS, 100, 40000, U32, VKR_OP_SUM | VKR_OP_ARGMAX, SMALL, AUTO, UNDEFINED)                \
    X(WINDOWS, 100, 40000, U32, VKR_OP_COUNT | VKR_OP_ARGMAX, SMALL, AUTO, U32)                    \
    X(ROWS, 3000, 3000 * 30, F32, MEAN_COUNT, SMALL, SPLIT, U64)                                   \
    X(ROWS, 1, 276496, U8, VKR_OP_SUM, SMALL, AUTO, UNDEFINED)                                     \
    X(WINDOWS, 8, 32648, U32, VKR_OP_MAX, SMALL, AUTO, UNDEFINED)

#define SHAPE(kind_, length_, elements, type_, ops_, limits_, algorithm_, count_)                  \
    {.type = VKR_TYPE_##type_,                                                                     \
     .ops = ops_,                                                                                  \
     .kind = VKR_SEGMENTS_##kind_,                                                                 \
     .algorithm = VKR_REDUCE_##algorithm_,                                                         \
     .components = 1,                                                                              \
     .limits = LIMITS_##limits_,                                                                   \
     .gpu_count = VKR_TYPE_##count_,                                                               \
     .length = length_,                                                                            \
     .capacity = elements},

/* Segments of which one invocation reduces several: kind, length, rows, type, components,
 * operators, limits, algorithm, type of the GPU's count. */
#define NEIGHBOUR_COLUMNS(X)                                                                       \
    X(COLUMNS, 64, 131, F32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED)                               \
    X(COLUMNS, 1024, 70, F32, 1, MIN_ARGMIN, DEVICE, AUTO, UNDEFINED)                              \
    X(COLUMNS, 1024, 67, U8, 1, VKR_OP_SUM, DEVICE, LANES, U32)                                    \
    X(COLUMNS, 48, 299, U8, 1, VKR_OP_MIN | VKR_OP_ARGMAX, DEVICE, SPLIT, U64)                     \
    X(COLUMNS, 12, 777, F32, 3, VKR_OP_MAX, DEVICE, AUTO, U32)                                     \
    X(COLUMNS, 256, 61, I16, 1, MEAN_COUNT, SMALL, AUTO, U32)                                      \
    X(COLUMNS, 2, 4999, I64, 1, VKR_OP_SUM, DEVICE, AUTO, U32)                                     \
    X(COLUMNS, 128, 1031, U32, 1, VKR_OP_MAX | VKR_OP_ARGMAX, SMALL, SPLIT, UNDEFINED)             \
    X(COLUMNS, 320, 523, F32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED)                              \
    X(COLUMNS, 288, 600, I32, 1, VKR_OP_MIN, DEVICE, AUTO, U32)                                    \
    X(COLUMNS, 12, 301, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, DEVICE, AUTO, UNDEFINED)                \
    X(COLUMNS, 6, 523, U8, 2, VKR_OP_MIN | VKR_OP_ARGMAX, DEVICE, LANES, U32)                      \
    X(COLUMNS, 8, 1300, I8, 4, MIN_ARGMIN, SMALL, AUTO, U64)                                       \
    X(COLUMNS, 4, 257, U16, 3, VKR_OP_MAX | VKR_OP_ARGMIN, SMALL, SPLIT, U64)                      \
    X(COLUMNS, 7, 400, F32, 1, VKR_OP_SUM, DEVICE, AUTO, U32)                                      \
    X(COLUMNS, 5, 211, F32, 4, MEAN_COUNT, DEVICE, SPLIT, UNDEFINED)                               \
    X(COLUMNS, 10, 333, F32, 1, VKR_OP_DOT | VKR_OP_MIN, DEVICE, AUTO, UNDEFINED)                  \
    X(COLUMNS, 5, 333, F32, 4, VKR_OP_DOT | VKR_OP_MIN, DEVICE, LANES, U32)                        \
    X(COLUMNS, 3, 9001, F32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED)                               \
    X(COLUMNS, 3, 8200, F32, 1, MEAN_COUNT, DEVICE, AUTO, U32)                                     \
    X(COLUMNS, 5, 6000, U8, 3, VKR_OP_MIN, DEVICE, SPLIT, U64)                                     \
    X(COLUMNS, 64, 3, U64, 1, VKR_OP_ARGMIN, DEVICE, AUTO, UNDEFINED)                              \
    X(COLUMNS, 128, 3, F64, 1, VKR_OP_ARGMAX, DEVICE, AUTO, UNDEFINED)

#define NEIGHBOURS(X)                                                                              \
    X(ROWS, 4, 1003, U32, 1, MIN_ARGMIN, DEVICE, AUTO, UNDEFINED)                                  \
    X(ROWS, 3, 2001, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, SMALL, LANES, UNDEFINED)                   \
    X(WINDOWS, 31, 977, F32, 1, VKR_OP_MEAN, DEVICE, AUTO, UNDEFINED)                              \
    X(WINDOWS, 103, 298, U32, 1, VKR_OP_MAX | VKR_OP_ARGMAX, DEVICE, AUTO, UNDEFINED)              \
    X(WINDOWS, 1031, 41, F32, 1, MIN_ARGMIN, DEVICE, LANES, U32)                                   \
    X(WINDOWS, 37, 996, U8, 1, VKR_OP_SUM, SMALL, AUTO, U64)                                       \
    X(WINDOWS, 16, 901, F32, 3, VKR_OP_MIN, DEVICE, AUTO, UNDEFINED)                               \
    X(WINDOWS, 43, 199, U8, 4, VKR_OP_MIN | VKR_OP_ARGMAX, SMALL, AUTO, U32)                       \
    X(WINDOWS, 37, 300, U8, 4, VKR_OP_MEAN | VKR_OP_ARGMIN, SMALL, AUTO, U32)                      \
    X(WINDOWS, 9, 500, F32, 2, VKR_OP_VARIANCE | VKR_OP_COUNT, DEVICE, AUTO, UNDEFINED)            \
    X(OFFSETS, 7, 301, F32, 1, VKR_OP_SUM, DEVICE, LANES, UNDEFINED)                               \
    X(OFFSETS, 1, 263, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, DEVICE, LANES, UNDEFINED)                \
    X(OFFSETS, 3, 1003, U32, 1, MIN_ARGMIN, DEVICE, LANES, U32)                                    \
    X(OFFSETS, 3, 20000, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, SMALL, AUTO, U32)                      \
    X(OFFSETS, 2, 30000, U8, 1, VKR_OP_SUM, SMALL, LANES, UNDEFINED)

#define NEIGHBOUR(kind_, length_, rows, type_, components_, ops_, limits_, algorithm_, count_)     \
    {.type = VKR_TYPE_##type_,                                                                     \
     .ops = ops_,                                                                                  \
     .kind = VKR_SEGMENTS_##kind_,                                                                 \
     .algorithm = VKR_REDUCE_##algorithm_,                                                         \
     .components = components_,                                                                    \
     .limits = LIMITS_##limits_,                                                                   \
     .gpu_count = VKR_TYPE_##count_,                                                               \
     .offset_type =                                                                                \
         VKR_SEGMENTS_##kind_ == VKR_SEGMENTS_OFFSETS ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,         \
     .length = length_,                                                                            \
     .capacity = (length_) * (rows),                                                               \
     .packed = true},

/* Windows at level device: length, elements, type, components, operators, NaN, limits, type of the
 * GPU's count. Small limits need several pieces, which start anywhere in the tree. */
#define TREES(X)                                                                                   \
    X(2, 999, F32, 1, VKR_OP_SUM, IGNORE, DEVICE, UNDEFINED)                                       \
    X(16, 3000, F32, 1, VKR_OP_SUM | VKR_OP_ARGMAX, IGNORE, DEVICE, U32)                           \
    X(47, 4001, F32, 1, VKR_OP_SUM, SKIP, DEVICE, UNDEFINED)                                       \
    X(1500, 20000, F32, 1, VKR_OP_SUM, IGNORE, SMALL, UNDEFINED)                                   \
    X(33, 50000, F32, 1, VKR_OP_L1, IGNORE, SMALL, U64)                                            \
    X(700, 3000, F64, 1, VKR_OP_SUM | VKR_OP_MIN, IGNORE, DEVICE, UNDEFINED)                       \
    X(77, 2000, F16, 1, MEAN_COUNT, IGNORE, DEVICE, UNDEFINED)                                     \
    X(120, 3000, BF16, 1, VKR_OP_SUMSQ, SKIP, DEVICE, U32)                                         \
    X(130, 2000, F32, 3, VKR_OP_SUM | VKR_OP_L1 | VKR_OP_L2, IGNORE, DEVICE, UNDEFINED)            \
    X(300, 2000, F32, 1, VKR_OP_VARIANCE, SKIP, DEVICE, UNDEFINED)                                 \
    X(30, 900, F32, 3, VKR_OP_VARIANCE | VKR_OP_STDDEV, SKIP, DEVICE, UNDEFINED)                   \
    X(33, 30000, F32, 2, VKR_OP_SUM | VKR_OP_MIN, IGNORE, SMALL, U32)                              \
    X(21, 2000, F32, 1, VKR_OP_PRODUCT, IGNORE, DEVICE, UNDEFINED)                                 \
    X(50, 2000, F32, 1, VKR_OP_DOT | VKR_OP_SUM, IGNORE, DEVICE, UNDEFINED)

#define TREE(length_, elements, type_, components_, ops_, nan_, limits_, count_)                   \
    {.type = VKR_TYPE_##type_,                                                                     \
     .ops = ops_,                                                                                  \
     .kind = VKR_SEGMENTS_WINDOWS,                                                                 \
     .components = components_,                                                                    \
     .nan = VKR_NAN_##nan_,                                                                        \
     .determinism = VKR_DETERMINISM_DEVICE,                                                        \
     .limits = LIMITS_##limits_,                                                                   \
     .gpu_count = VKR_TYPE_##count_,                                                               \
     .length = length_,                                                                            \
     .capacity = elements,                                                                         \
     .packed = true},
static const segment_row shapes[] = {SHAPES(SHAPE) NEIGHBOUR_COLUMNS(NEIGHBOUR)
                                         NEIGHBOURS(NEIGHBOUR) TREES(TREE)};

#define ONE(...) +1

uint32_t segments_first_shape(segment_shapes kind)
{
    static const uint32_t counts[] = {
        [SHAPES_LARGE] = 0 SHAPES(ONE),
        [SHAPES_COLUMNS] = 0 NEIGHBOUR_COLUMNS(ONE),
        [SHAPES_NEIGHBOURS] = 0 NEIGHBOURS(ONE),
        [SHAPES_TREES] = 0 TREES(ONE),
    };
    uint32_t first = 0;
    for (uint32_t i = 0; i < (uint32_t)kind; i++)
        first += counts[i];
    return first;
}

/* Inputs without gaps can also be loaded as texels, on devices that read these faster. */
static void run_each_way(segment_test *t, const segment_row *row)
{
    const uint32_t submits = row->gpu_count == VKR_TYPE_UNDEFINED ? 2 : 6;
    segment_row texels = *row;
    texels.tuning.path = VKR_LOAD_TEXEL;
    run_segment_row(t, row, 2, submits);
    if (row->packed)
        run_segment_row(t, &texels, 2, submits);
    /* Small workgroups, so that each row of columns needs several of them. */
    texels.tuning.geometry = 2;
    if (row->packed && row->kind == VKR_SEGMENTS_COLUMNS)
        run_segment_row(t, &texels, 2, submits);
}

void segments_run_shape(segment_test *t, uint32_t i)
{
    if (t->device.types[shapes[i].type] && has_limits(&t->device, shapes[i].limits))
        run_each_way(t, &shapes[i]);
}
