/* SPDX-License-Identifier: MIT */
/* Reductions of segments against the oracle: all choices pairwise, sizes that need several
 * dispatches or of which one invocation reduces several segments, and a million segments at
 * once. */
#include "reduce_request.h"

#define MOST_ELEMENTS 12000u
#define FEW 256u    /* elements for each algorithm below level DEVICE */
#define LAYOUTS 24u /* of a row; odd ones load alike, for drivers that compile slowly */

enum {
    AXIS_KIND,
    AXIS_ALGORITHM, /* auto, and the algorithms of segments */
    AXIS_OPS,
    AXIS_TYPE,
    AXIS_COMPONENTS, /* and the type of offsets */
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR, /* the accumulator is the lowest bit */
    AXIS_GPU_COUNT,           /* of elements and, by offsets, of segments */
    AXIS_LOADS,
};

/* The last one are rows that lie apart. */
static const VkrSegmentKind kinds[] = {VKR_SEGMENTS_ROWS, VKR_SEGMENTS_OFFSETS,
                                       VKR_SEGMENTS_COLUMNS, VKR_SEGMENTS_WINDOWS,
                                       VKR_SEGMENTS_ROWS};
#define KIND_APART 4u
static const VkrOpFlags op_sets[] = {
    VKR_OP_SUM,
    VKR_OP_MIN | VKR_OP_ARGMAX,
    VKR_OP_MAX | VKR_OP_COUNT,
    VKR_OP_MEAN | VKR_OP_ARGMIN,
    VKR_OP_L2 | VKR_OP_L1,
    VKR_OP_PRODUCT | VKR_OP_ABSMAX,
    VKR_OP_SUMSQ | VKR_OP_NAN,
    VKR_OP_DOT | VKR_OP_MIN,
    VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR,
    VKR_OP_VARIANCE | VKR_OP_MAX,
    VKR_OP_STDDEV | VKR_OP_COUNT,
    VKR_OP_LOGSUMEXP | VKR_OP_MIN,
};

static reduce_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const uint32_t algorithm = axes[AXIS_ALGORITHM];
    return (reduce_row){
        .type = type,
        .ops = op_sets[axes[AXIS_OPS]],
        .components = axes[AXIS_COMPONENTS] + 1,
        .accumulator =
            axes[AXIS_NAN_AND_ACCUMULATOR] % 2 != 0 ? wide_accumulator(type) : VKR_TYPE_UNDEFINED,
        .nan = (VkrNan)(axes[AXIS_NAN_AND_ACCUMULATOR] / 2),
        .sample = axes[AXIS_COMPONENTS] % 2 != 0,
        .determinism = (VkrDeterminism)axes[AXIS_DETERMINISM],
        .algorithm = algorithm == 0 ? VKR_REDUCE_AUTO
                                    : (VkrReduceAlgorithm)(VKR_REDUCE_LANES + algorithm - 1),
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
    };
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const reduce_row row = make_row(axes);
    const limits_row limits = (limits_row)axes[AXIS_LIMITS];
    if (!a->types[row.type] || !has_limits(a, limits))
        return false;
    if (row.accumulator != VKR_TYPE_UNDEFINED && !a->types[row.accumulator])
        return false;
    if ((row.ops & ~operators_of(row.type, row.accumulator)) != 0)
        return false;
    return row.algorithm != VKR_REDUCE_MERGE ||
           (has_shuffles(a, limits) && row.determinism != VKR_DETERMINISM_DEVICE);
}

static void context(test_request *t)
{
    const uint32_t *axes = t->axes;
    t->limits = (limits_row)axes[AXIS_LIMITS];
    t->tuning = (tuning_row){.geometry = axes[AXIS_LOADS] == 0 ? 0 : 1 + axes[AXIS_COMPONENTS],
                             .order = (VkrLoadOrder)(axes[AXIS_GPU_COUNT] % 2),
                             .path = (VkrLoadPath)axes[AXIS_LOADS]};
}

/* ---- Placing ---- */

/* `pitch`: of rows. */
static uint64_t count_segments(VkrSegmentKind kind, uint64_t length, uint64_t pitch,
                               uint64_t elements)
{
    return kind == VKR_SEGMENTS_COLUMNS   ? length
           : kind == VKR_SEGMENTS_OFFSETS ? elements / length
           : kind == VKR_SEGMENTS_ROWS    ? (elements + pitch - 1) / pitch
           : elements < length            ? 0
                                          : elements - length + 1;
}

/* Draws views and counts. `segments` has its kind, length and type of offsets; `gap` bounds the
 * values between elements. */
static void place(test_request *t, uint64_t count, uint32_t gap, bool aligned)
{
    reduce_request *q = t->own;
    VkrReduceInfo *info = &q->info;
    VkrSegments *segments = &info->segments;
    const uint32_t size = vkrTypeSize(q->row.type), element = size * q->row.components;
    const VkDeviceSize phase = aligned ? 0 : size * test_below(t, 16);
    const bool packs = t->fixed != 0 && aligned, all = packs || test_below(t, 2) == 0;
    info->input = reduce_place_input(t, element + size * test_below(t, gap + 1), phase, all);
    if ((q->row.ops & VKR_OP_DOT) != 0)
        info->input2 = reduce_place_input(t, element + size * test_below(t, gap + 1), phase, all);
    info->count = all && info->input.size != 0 ? VKR_COUNT_ALL : q->capacity;
    q->meets_packs = true; /* texels where the tuning has them */
    reduce_place_texels(t);
    if (segments->kind == VKR_SEGMENTS_OFFSETS) {
        segments->offsets =
            test_room(t, packs ? 16 : 4, (count + 1) * vkrTypeSize(segments->offsetType));
        segments->gpuCount = test_count(t, q->row.gpu_count, count);
    }
    reduce_place_output(t, packs ? 16 : 1);
    assert_int_equal(q->layout.segments, count);
}

static uint64_t draw_length(uint64_t *random)
{
    static const uint32_t lengths[] = {1,   2,   3,   4,   5,   7,    8,    9,    15,   16,  17,
                                       31,  32,  33,  63,  64,  65,   127,  128,  129,  255, 256,
                                       257, 509, 512, 991, 997, 1021, 4099, 8191, 8192, 8193};
    return lengths[random_below(random, random_below(random, 3) == 0 ? ARRAY_SIZE(lengths) : 17)];
}

/* From one row to the next: often a multiple of what is loaded at once. */
static uint64_t draw_pitch(uint64_t *random, uint64_t length)
{
    const uint64_t pitches[] = {length, length + 1, (length + 15) / 16 * 16,
                                length + random_below(random, 100)};
    return pitches[random_below(random, ARRAY_SIZE(pitches))];
}

static void make(test_request *t)
{
    reduce_request *q = t->own;
    const bool alike = t->layout % 2 != 0;
    uint64_t *from = alike ? &t->structure : &t->random;
    const uint64_t lengths[] = {draw_length(from), draw_length(from)};
    const bool packed = random_below(from, 3) != 0, aligned = random_below(from, 2) == 0;
    const uint64_t pitches[] = {draw_pitch(from, lengths[0]), draw_pitch(from, lengths[1])};
    const uint32_t drawn = test_below(t, 2);
    const bool apart = t->axes[AXIS_KIND] == KIND_APART;
    const uint64_t length = lengths[drawn], pitch = apart ? pitches[drawn] : length;
    const uint64_t windows = length + test_below(t, 300);
    const uint32_t most = t->most < MOST_ELEMENTS ? t->most : MOST_ELEMENTS;
    const uint32_t runs = most / (uint32_t)pitch + 1;
    const uint64_t rows = pitch * test_below(t, runs < 301 ? runs : 301);
    const VkrSegmentKind kind = kinds[t->axes[AXIS_KIND]];
    q->row = make_row(t->axes);
    reduce_begin(t);
    q->info.segments = (VkrSegments){
        .kind = kind,
        .length = length,
        .pitch = apart && (pitch != length || test_below(t, 2) == 0) ? pitch : 0,
        .offsetType = t->axes[AXIS_COMPONENTS] % 2 == 0 ? VKR_TYPE_U32 : VKR_TYPE_U64};
    q->capacity = kind == VKR_SEGMENTS_ROWS ? rows + (apart ? test_below(t, (uint32_t)pitch) : 0)
                  : kind == VKR_SEGMENTS_COLUMNS ? length * test_below(t, runs)
                  : kind == VKR_SEGMENTS_OFFSETS ? 1 + test_below(t, most)
                  : windows < 2                  ? 0 /* possibly smaller than one window */
                  : windows < most               ? windows - 2
                                                 : most;
    uint64_t count = count_segments(kind, length, pitch, q->capacity);
    if (kind == VKR_SEGMENTS_OFFSETS)
        count = test_below(t, test_below(t, 3) == 0 ? 4 : 400);
    /* No chain has requests that are refused, as algorithms refuse what is too long for them. */
    if (rig.recording->chain && (q->capacity > FEW || q->row.determinism == VKR_DETERMINISM_DEVICE))
        q->info.algorithm = VKR_REDUCE_AUTO;
    place(t, count, packed ? 0 : 3, aligned);
}

/* ---- Given sizes ---- */

typedef struct shape {
    VkrSegmentKind kind;
    uint64_t length, pitch, elements; /* pitch: of rows that lie apart */
    limits_row limits;
    reduce_row row;
} shape;

#define ROW(kind, length, pitch, elements, type_, components_, ops_, nan_, level, limits,          \
            algorithm_, count)                                                                     \
    {                                                                                              \
        VKR_SEGMENTS_##kind, length, pitch, elements, LIMITS_##limits,                             \
        {                                                                                          \
            .type = VKR_TYPE_##type_, .ops = ops_, .components = components_,                      \
            .nan = VKR_NAN_##nan_, .determinism = VKR_DETERMINISM_##level,                         \
            .algorithm = VKR_REDUCE_##algorithm_, .gpu_count = VKR_TYPE_##count                    \
        }                                                                                          \
    }
#define APART(length, pitch, elements, type, components, ops, limits, algorithm)                   \
    ROW(ROWS, length, pitch, elements, type, components, ops, IGNORE, RUN, limits, algorithm,      \
        UNDEFINED)
#define SHAPE(kind, length, elements, type, components, ops, limits, algorithm, count)             \
    ROW(kind, length, 0, elements, type, components, ops, IGNORE, RUN, limits, algorithm, count)
#define TREE(length, elements, type, components, ops, nan, limits, count)                          \
    ROW(WINDOWS, length, 0, elements, type, components, ops, nan, DEVICE, limits, AUTO, count)
#define MIN_ARGMIN (VKR_OP_MIN | VKR_OP_ARGMIN)
#define MEAN_COUNT (VKR_OP_MEAN | VKR_OP_COUNT)

/* They need several dispatches, but for one. */
static const shape large[] = {
    SHAPE(COLUMNS, 16, 16 * 1100, U32, 1, MIN_ARGMIN, SMALL, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 16, 16 * 1100, U32, 1, MIN_ARGMIN, SMALL, AUTO, U32),
    SHAPE(COLUMNS, 300, 300 * 999, I16, 1, VKR_OP_COUNT | VKR_OP_ARGMAX, SMALL, SPLIT, UNDEFINED),
    SHAPE(COLUMNS, 7000, 7000 * 20, F32, 1, VKR_OP_SUM, SMALL, AUTO, U64),
    SHAPE(COLUMNS, 5, 5 * 9000, F32, 1, MEAN_COUNT, SHARED_SMALL, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 4, 4 * 2559, F32, 1, MEAN_COUNT, DEVICE, AUTO, U32),
    SHAPE(COLUMNS, 4, 4 * 2559, F32, 1, MEAN_COUNT, DEVICE, SPLIT, U64),
    SHAPE(COLUMNS, 4, 4 * 9999, F32, 1, MEAN_COUNT, SMALL, SPLIT, U32),
    SHAPE(COLUMNS, 33, 33 * 700, U32, 1, VKR_OP_COUNT, SHARED, SPLIT, U32),
    SHAPE(COLUMNS, 2, 2 * 140001, U32, 1, VKR_OP_SUM | VKR_OP_MAX, DEVICE, AUTO, UNDEFINED),
    SHAPE(WINDOWS, 100, 40000, U32, 1, VKR_OP_SUM | VKR_OP_ARGMAX, SMALL, AUTO, UNDEFINED),
    SHAPE(WINDOWS, 100, 40000, U32, 1, VKR_OP_COUNT | VKR_OP_ARGMAX, SMALL, AUTO, U32),
    SHAPE(ROWS, 3000, 3000 * 30, F32, 1, MEAN_COUNT, SMALL, SPLIT, U64),
    SHAPE(ROWS, 1, 276496, U8, 1, VKR_OP_SUM, SMALL, AUTO, UNDEFINED),
    /* The last row is shorter. */
    SHAPE(ROWS, 3000, 3000 * 30 + 17, F32, 1, MEAN_COUNT, SMALL, SPLIT, UNDEFINED),
    APART(3000, 4000, 100001, F32, 1, MEAN_COUNT, SMALL, SPLIT),
    SHAPE(ROWS, 40000, 40000 * 3 + 1, F32, 1, VKR_OP_SUM | VKR_OP_ARGMAX, SMALL, AUTO, UNDEFINED),
    SHAPE(WINDOWS, 8, 32648, U32, 1, VKR_OP_MAX, SMALL, AUTO, UNDEFINED),
    /* The tree of one invocation. */
    ROW(ROWS, 100, 0, 100 * 50, F32, 1, VKR_OP_SUM, IGNORE, DEVICE, SHARED, LANES, UNDEFINED),
};

/* Columns of which one invocation reduces several. */
static const shape columns[] = {
    SHAPE(COLUMNS, 64, 64 * 131, F32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 1024, 1024 * 70, F32, 1, MIN_ARGMIN, DEVICE, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 1024, 1024 * 67, U8, 1, VKR_OP_SUM, DEVICE, LANES, U32),
    SHAPE(COLUMNS, 48, 48 * 299, U8, 1, VKR_OP_MIN | VKR_OP_ARGMAX, DEVICE, SPLIT, U64),
    SHAPE(COLUMNS, 12, 12 * 777, F32, 3, VKR_OP_MAX, DEVICE, AUTO, U32),
    SHAPE(COLUMNS, 256, 256 * 61, I16, 1, MEAN_COUNT, SMALL, AUTO, U32),
    SHAPE(COLUMNS, 2, 2 * 4999, I64, 1, VKR_OP_SUM, DEVICE, AUTO, U32),
    SHAPE(COLUMNS, 128, 128 * 1031, U32, 1, VKR_OP_MAX | VKR_OP_ARGMAX, SMALL, SPLIT, UNDEFINED),
    SHAPE(COLUMNS, 320, 320 * 523, F32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 288, 288 * 600, I32, 1, VKR_OP_MIN, DEVICE, AUTO, U32),
    SHAPE(COLUMNS, 12, 12 * 301, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, DEVICE, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 6, 6 * 523, U8, 2, VKR_OP_MIN | VKR_OP_ARGMAX, DEVICE, LANES, U32),
    SHAPE(COLUMNS, 8, 8 * 1300, I8, 4, MIN_ARGMIN, SMALL, AUTO, U64),
    SHAPE(COLUMNS, 4, 4 * 257, U16, 3, VKR_OP_MAX | VKR_OP_ARGMIN, SMALL, SPLIT, U64),
    SHAPE(COLUMNS, 7, 7 * 400, F32, 1, VKR_OP_SUM, DEVICE, AUTO, U32),
    SHAPE(COLUMNS, 5, 5 * 211, F32, 4, MEAN_COUNT, DEVICE, SPLIT, UNDEFINED),
    SHAPE(COLUMNS, 10, 10 * 333, F32, 1, VKR_OP_DOT | VKR_OP_MIN, DEVICE, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 5, 5 * 333, F32, 4, VKR_OP_DOT | VKR_OP_MIN, DEVICE, LANES, U32),
    SHAPE(COLUMNS, 3, 3 * 9001, F32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 3, 3 * 8200, F32, 1, MEAN_COUNT, DEVICE, AUTO, U32),
    SHAPE(COLUMNS, 5, 5 * 6000, U8, 3, VKR_OP_MIN, DEVICE, SPLIT, U64),
    SHAPE(COLUMNS, 64, 64 * 3, U64, 1, VKR_OP_ARGMIN, DEVICE, AUTO, UNDEFINED),
    SHAPE(COLUMNS, 128, 128 * 3, F64, 1, VKR_OP_ARGMAX, DEVICE, AUTO, UNDEFINED),
};

/* The same of other segments, and windows in pieces that start at odd places of their tree. */
static const shape neighbours[] = {
    SHAPE(ROWS, 4, 4 * 1003, U32, 1, MIN_ARGMIN, DEVICE, AUTO, UNDEFINED),
    SHAPE(ROWS, 3, 3 * 2001, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, SMALL, LANES, UNDEFINED),
    SHAPE(ROWS, 4, 4 * 1003 + 3, U32, 1, MIN_ARGMIN, DEVICE, AUTO, UNDEFINED),
    APART(4, 5, 5 * 1003 - 1, U32, 1, MIN_ARGMIN, DEVICE, AUTO),
    APART(256, 272, 272 * 99, F32, 1, VKR_OP_SUM, DEVICE, AUTO),
    APART(256, 259, 259 * 99, F32, 1, VKR_OP_SUM, DEVICE, AUTO),
    SHAPE(WINDOWS, 31, 31 * 977, F32, 1, VKR_OP_MEAN, DEVICE, AUTO, UNDEFINED),
    SHAPE(WINDOWS, 103, 103 * 298, U32, 1, VKR_OP_MAX | VKR_OP_ARGMAX, DEVICE, AUTO, UNDEFINED),
    SHAPE(WINDOWS, 1031, 1031 * 41, F32, 1, MIN_ARGMIN, DEVICE, LANES, U32),
    SHAPE(WINDOWS, 37, 37 * 996, U8, 1, VKR_OP_SUM, SMALL, AUTO, U64),
    SHAPE(WINDOWS, 16, 16 * 901, F32, 3, VKR_OP_MIN, DEVICE, AUTO, UNDEFINED),
    SHAPE(WINDOWS, 43, 43 * 199, U8, 4, VKR_OP_MIN | VKR_OP_ARGMAX, SMALL, AUTO, U32),
    SHAPE(WINDOWS, 37, 37 * 300, U8, 4, VKR_OP_MEAN | VKR_OP_ARGMIN, SMALL, AUTO, U32),
    SHAPE(WINDOWS, 9, 9 * 500, F32, 2, VKR_OP_VARIANCE | VKR_OP_COUNT, DEVICE, AUTO, UNDEFINED),
    SHAPE(OFFSETS, 7, 7 * 301, F32, 1, VKR_OP_SUM, DEVICE, LANES, UNDEFINED),
    SHAPE(OFFSETS, 1, 1 * 263, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, DEVICE, LANES, UNDEFINED),
    SHAPE(OFFSETS, 3, 3 * 1003, U32, 1, MIN_ARGMIN, DEVICE, LANES, U32),
    SHAPE(OFFSETS, 3, 3 * 20000, U8, 1, VKR_OP_SUM | VKR_OP_ARGMAX, SMALL, AUTO, U32),
    SHAPE(OFFSETS, 2, 2 * 30000, U8, 1, VKR_OP_SUM, SMALL, LANES, UNDEFINED),
    TREE(33, 30000, F32, 2, VKR_OP_SUM | VKR_OP_MIN, IGNORE, SMALL, U32),
};

/* Windows at level device. Small limits need several pieces, which start anywhere in the tree. */
static const shape trees[] = {
    TREE(2, 999, F32, 1, VKR_OP_SUM, IGNORE, DEVICE, UNDEFINED),
    TREE(16, 3000, F32, 1, VKR_OP_SUM | VKR_OP_ARGMAX, IGNORE, DEVICE, U32),
    TREE(47, 4001, F32, 1, VKR_OP_SUM, SKIP, DEVICE, UNDEFINED),
    TREE(1500, 20000, F32, 1, VKR_OP_SUM, IGNORE, SMALL, UNDEFINED),
    TREE(33, 50000, F32, 1, VKR_OP_L1, IGNORE, SMALL, U64),
    TREE(700, 3000, F64, 1, VKR_OP_SUM | VKR_OP_MIN, IGNORE, DEVICE, UNDEFINED),
    TREE(77, 2000, F16, 1, MEAN_COUNT, IGNORE, DEVICE, UNDEFINED),
    TREE(120, 3000, BF16, 1, VKR_OP_SUMSQ, SKIP, DEVICE, U32),
    TREE(130, 2000, F32, 3, VKR_OP_SUM | VKR_OP_L1 | VKR_OP_L2, IGNORE, DEVICE, UNDEFINED),
    TREE(300, 2000, F32, 1, VKR_OP_VARIANCE, SKIP, DEVICE, UNDEFINED),
    TREE(30, 900, F32, 3, VKR_OP_VARIANCE | VKR_OP_STDDEV, SKIP, DEVICE, UNDEFINED),
    TREE(21, 2000, F32, 1, VKR_OP_PRODUCT, IGNORE, DEVICE, UNDEFINED),
    TREE(50, 2000, F32, 1, VKR_OP_DOT | VKR_OP_SUM, IGNORE, DEVICE, UNDEFINED),
};

/* Of those by offsets one is very long, and most are tiny. */
static const shape million[] = {
    SHAPE(ROWS, 3, 3 * SEGMENTS_MANY, U32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED),
    SHAPE(OFFSETS, 6, 6 * SEGMENTS_MANY, U32, 1, VKR_OP_SUM, DEVICE, AUTO, UNDEFINED),
};

static const struct {
    const shape *shapes;
    uint32_t count, ways;
    bool packed; /* elements have no gaps, and are aligned for whole loads */
} groups[] = {{large, ARRAY_SIZE(large), 1, false},
              {columns, ARRAY_SIZE(columns), 3, true},
              {neighbours, ARRAY_SIZE(neighbours), 2, true},
              {trees, ARRAY_SIZE(trees), 2, true},
              {million, ARRAY_SIZE(million), 1, true}};

/* A shape of a group is loaded as the tuning says; then as texels too; and then by workgroups so
 * small that each row of columns needs several of them. */
static bool make_shape(test_request *t, uint32_t number)
{
    const uint32_t group = (t->fixed - 1) % TEST_FIXED, way = number % groups[group].ways;
    const shape *s = &groups[group].shapes[number / groups[group].ways];
    const bool packed = groups[group].packed || test_below(t, 3) != 0;
    reduce_request *q = t->own;
    if (!rig.device.types[s->row.type] || !has_limits(&rig.device, s->limits))
        return false;
    t->limits = s->limits;
    t->tuning = (tuning_row){.geometry = way == 2 ? 2 : 0,
                             .path = way != 0 ? VKR_LOAD_TEXEL : VKR_LOAD_ELEMENT};
    q->row = s->row;
    q->capacity = s->elements < t->most ? s->elements : t->most;
    if (s->kind == VKR_SEGMENTS_COLUMNS || s->kind == VKR_SEGMENTS_OFFSETS)
        q->capacity -= q->capacity % s->length;
    reduce_begin(t);
    q->info.segments = (VkrSegments){
        .kind = s->kind, .length = s->length, .pitch = s->pitch, .offsetType = VKR_TYPE_U32};
    const uint64_t pitch = s->pitch != 0 ? s->pitch : s->length;
    place(t, count_segments(s->kind, s->length, pitch, q->capacity), packed ? 0 : 3,
          groups[group].packed || test_below(t, 2) == 0);
    return true;
}

/* ---- Running ---- */

/* Given sizes must succeed. */
static bool may_refuse(const test_request *t)
{
    const reduce_request *q = t->own;
    return t->fixed == 0 && (limits_rows[t->limits].maxStorageBufferRange != 0 ||
                             q->info.algorithm != VKR_REDUCE_AUTO);
}

static bool has_layout(uint64_t seed, uint32_t layout, bool thin)
{
    (void)seed;
    return thin == (layout % 2 != 0);
}

const test_operation test_segments = {
    .name = "segments",
    .call = "vkrCmdReduce",
    .axes = {[AXIS_KIND] = {"kind", ARRAY_SIZE(kinds)},
             [AXIS_ALGORITHM] = {"algorithm", VKR_REDUCE_SPLIT - VKR_REDUCE_LANES + 2},
             [AXIS_OPS] = {"ops", ARRAY_SIZE(op_sets)},
             [AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_DETERMINISM] = {"determinism", 3},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_NAN_AND_ACCUMULATOR] = {"nan", 6},
             [AXIS_GPU_COUNT] = {"count", 3},
             [AXIS_LOADS] = {"loads", VKR_LOAD_PATH_COUNT}},
    .triples = 1u << AXIS_KIND | 1u << AXIS_ALGORITHM | 1u << AXIS_OPS | 1u << AXIS_TYPE |
               1u << AXIS_GPU_COUNT | 1u << AXIS_LOADS,
    .urgent = VKR_REDUCE_SPLIT + 1,
    .layouts = LAYOUTS,
    .has_layout = has_layout,
    .size = sizeof(reduce_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = segments_fill,
    .record = reduce_record,
    .expect = segments_expect,
    .may_refuse = may_refuse,
    .print = reduce_print,
    .enough = test_few_refused,
    .fixed = {{"test_shapes", ARRAY_SIZE(large), make_shape, 3, 0},
              {"test_columns", 3 * ARRAY_SIZE(columns), make_shape, 3, 0},
              {"test_neighbours", 2 * ARRAY_SIZE(neighbours), make_shape, 3, 0},
              {"test_trees", 2 * ARRAY_SIZE(trees), make_shape, 3, 3},
              {"test_million", ARRAY_SIZE(million), make_shape, 2, 0}},
};
