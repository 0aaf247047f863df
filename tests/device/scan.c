/* SPDX-License-Identifier: MIT */
/* vkrCmdScan against the oracle: every operator with every type, and all other choices pairwise,
 * with counts from none to several windows. */
#include "scan_request.h"

#define CASE_BYTES 300000u /* maximum per view: more than four windows of SMALL_RANGE */
#define MAX_VALUES 400000u /* of what is longer than a block of the canonical order */
#define PACK 16u
#define FEW 1000 /* elements whose tiles fit any window */
#define SOME_TILES 40
#define PACKED 24u /* large counts from this one on are of packed elements */
#define ROWS_WITH_TEXELS 77u

static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                            VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};

/* The workgroup size that the caller requests, and the geometry of the tuning profile. */
static const struct {
    uint32_t size, geometry;
} workgroups[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {32, 4}, {128, 2}, {256, 1}};
static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};

static VkrType type_of(const uint32_t axes[MAX_AXES])
{
    return (VkrType)(axes[AXIS_TYPE] + 1);
}

static VkrType accumulator_of(const uint32_t axes[MAX_AXES])
{
    return axes[AXIS_NAN_AND_ACCUMULATOR] & 2 ? wide_accumulator(type_of(axes))
                                              : VKR_TYPE_UNDEFINED;
}

bool scan_is_ordered(VkrType type, VkrOp op)
{
    return is_float(type) && (op == VKR_OP_SUM || op == VKR_OP_PRODUCT);
}

static bool is_canonical(const scan_request *s)
{
    return s->info.determinism == VKR_DETERMINISM_DEVICE && scan_is_ordered(s->type, s->info.op);
}

bool scan_serves(VkrScanAlgorithm algorithm, VkrDeterminism determinism, bool ordered,
                 bool in_place)
{
    return algorithm == VKR_SCAN_AUTO || algorithm == VKR_SCAN_REDUCE_THEN_SCAN ||
           (!in_place && (!ordered || determinism != VKR_DETERMINISM_DEVICE));
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrType type = type_of(axes), accumulator = accumulator_of(axes);
    const VkrOp op = ops[axes[AXIS_OP]];
    const bool in_place = axes[AXIS_IN_PLACE] != 0;
    if (!a->types[type] || !has_limits(a, (limits_row)axes[AXIS_LIMITS]) ||
        workgroups[axes[AXIS_WORKGROUP]].size > a->workgroup)
        return false;
    if ((accumulator != VKR_TYPE_UNDEFINED && !a->types[accumulator]) ||
        ((axes[AXIS_SEGMENTS] == STARTS_U8 || axes[AXIS_LEFT_OUT] == LEFT_OUT_U8) &&
         !a->types[VKR_TYPE_U8]))
        return false;
    /* Whether NaN propagates is another choice than that it is skipped. */
    if (axes[AXIS_LEFT_OUT] >= LEFT_OUT_NAN && (axes[AXIS_NAN_AND_ACCUMULATOR] & 1) != 0)
        return false;
    if (is_float(type) && axes[AXIS_OP] > 3) /* and, or, xor */
        return false;
    if (in_place && expected_type(type, accumulator, op) != type)
        return false;
    if (axes[AXIS_SEGMENTS] == STARTS_COLUMNS && axes[AXIS_ALGORITHM] > VKR_SCAN_REDUCE_THEN_SCAN)
        return false;
    return axes[AXIS_COMPONENTS] < a->components &&
           scan_serves((VkrScanAlgorithm)axes[AXIS_ALGORITHM],
                       (VkrDeterminism)axes[AXIS_DETERMINISM], scan_is_ordered(type, op), in_place);
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
    t->tuning = (tuning_row){.geometry = workgroups[t->axes[AXIS_WORKGROUP]].geometry,
                             .order = (VkrLoadOrder)t->axes[AXIS_ORDER],
                             .path = (VkrLoadPath)t->axes[AXIS_LOADS]};
}

/* ---- Rows ---- */

/* Numbers of elements: of a workgroup, of its share if there are several, of a tile, and of a
 * window. */
typedef struct edges {
    uint64_t w, share, tile, window;
    bool waits;
} edges;

/* The tuning sets the size of tiles with contiguous loads; with coalesced loads a tile is the
 * elements loaded at once. */
static edges find_edges(const test_request *t)
{
    const scan_request *s = t->own;
    const uint32_t element = vkrTypeSize(s->type) * s->components;
    const VkrTuning tuning =
        get_tuning(&rig.contexts, t->limits, &t->tuning, VKR_OPERATION_SCAN, vkrTypeSize(s->type));
    VkrContextProperties p;
    vkrGetContextProperties(get_context(&rig.contexts, t->limits, &t->tuning), &p);
    const uint32_t wanted = tuning.workgroupSize != 0 ? tuning.workgroupSize : p.subgroupSize;
    const uint32_t tuned = wanted < p.maxWorkgroupSize ? wanted : p.maxWorkgroupSize;
    const uint64_t w = s->info.workgroupSize != 0 ? s->info.workgroupSize : tuned;
    const uint32_t least = tuning.minBytes < element ? 1 : tuning.minBytes / element;
    const uint32_t bytes =
        tuning.order == VKR_LOAD_COALESCED ? tuning.flight * PACK : tuning.tileBytes;
    return (edges){w, w * least, w * (bytes < element ? 1 : bytes / element), SMALL_RANGE / element,
                   s->info.algorithm == VKR_SCAN_SINGLE_PASS ||
                       (s->info.algorithm == VKR_SCAN_AUTO && tuning.lookBack)};
}

/* Counts of one workgroup. */
static uint64_t draw_small(test_request *t, const edges *e, uint32_t number)
{
    const uint32_t k = number % 4;
    if (number < 4)
        return k;
    return number < 8 && e->w > k ? e->w - k : test_below(t, (uint32_t)e->w + 1);
}

/* Counts that need several workgroups. */
static uint64_t draw_large(test_request *t, const edges *e, uint32_t number)
{
    const scan_request *s = t->own;
    const uint64_t all[] = {
        e->share + 1,     2 * e->share - 1, 2 * e->share,  3 * e->share + 5,       e->tile + 1,
        2 * e->tile,      7 * e->tile + 1,  40 * e->tile,  e->w * e->w + 1,        VKR_SCAN_RUN - 1,
        2 * VKR_SCAN_RUN, VKR_SCAN_RUN + 1, e->window + 1, e->w * SMALL_GROUPS + 1};
    if (number < ARRAY_SIZE(all))
        return all[number];
    if (number >= PACKED && number % 4 < 2)
        return e->window * (1 + test_below(t, 3)) + test_below(t, 3) - 1;
    if (number >= PACKED && is_canonical(s))
        return VKR_SCAN_BLOCK * (1 + (uint64_t)test_below(t, 2)) + test_below(t, 600);
    return e->w + 1 + test_below(t, 1500);
}

/* How elements are loaded and stored. */
static void draw_loads(test_request *t, bool alike, bool packed)
{
    scan_request *s = t->own;
    const bool has_texels = t->tuning.path == VKR_LOAD_TEXEL;
    s->packed = packed;
    if (!alike) {
        s->packed_output = packed == (test_below(t, 8) != 0);
        s->texels = has_texels != (test_below(t, 8) == 0);
        return;
    }
    s->packed = s->packed_output = random_below(&t->structure, 3) != 0;
    s->aligned = random_below(&t->structure, 2) == 0;
    s->texels = has_texels && random_below(&t->structure, 8) != 0;
}

/* The number of elements that memory and time allow. Waiting for other workgroups is slow if no
 * core is free to run them; `progress` tests many tiles. */
static uint64_t find_most(const scan_request *s, const edges *e, bool alike, bool block)
{
    const uint32_t read = vkrTypeSize(s->type), written = vkrTypeSize(s->result);
    const uint32_t larger = (read > written ? read : written) * s->components;
    const uint64_t fits =
        block ? MAX_VALUES / s->components / 2 : CASE_BYTES / (s->packed ? larger : 6 * larger);
    return alike && e->waits && SOME_TILES * e->tile < fits ? SOME_TILES * e->tile : fits;
}

void scan_draw(test_request *t, uint32_t layout)
{
    scan_request *s = t->own;
    const bool alike = layout >= SCAN_LAYOUTS, small = layout % 3 == 0;
    const uint32_t row = layout % SCAN_LAYOUTS / 3, number = small ? row : 2 * row + layout % 3 - 1;
    s->result = expected_type(s->type, s->info.accumulator, s->info.op);
    s->total = test_below(t, 3) != 0;
    s->any_data = true;
    const edges e = find_edges(t);
    const uint64_t count = small ? draw_small(t, &e, number) : draw_large(t, &e, number);
    draw_loads(t, alike, number >= PACKED || test_below(t, small ? 2 : 3) != 0);
    const uint64_t most = find_most(s, &e, alike, s->packed && count > VKR_SCAN_BLOCK);
    scan_place(t, count < most ? count : most, e.w);
}

static void make(test_request *t)
{
    const uint32_t *axes = t->axes;
    scan_request *s = t->own;
    s->type = type_of(axes);
    s->components = axes[AXIS_COMPONENTS] + 1;
    s->gpu_count = gpu_counts[axes[AXIS_GPU_COUNT]];
    s->starts = (starts_row)axes[AXIS_SEGMENTS];
    s->initial = (initial_row)axes[AXIS_INITIAL];
    s->in_place = axes[AXIS_IN_PLACE] != 0;
    s->info.op = ops[axes[AXIS_OP]];
    s->info.flags = axes[AXIS_DIRECTION];
    s->info.accumulator = accumulator_of(axes);
    s->left_out = (left_out_row)axes[AXIS_LEFT_OUT];
    s->info.nan = s->left_out >= LEFT_OUT_NAN          ? VKR_NAN_SKIP
                  : axes[AXIS_NAN_AND_ACCUMULATOR] & 1 ? VKR_NAN_PROPAGATE
                                                       : VKR_NAN_IGNORE;
    s->info.determinism = (VkrDeterminism)axes[AXIS_DETERMINISM];
    s->info.algorithm = (VkrScanAlgorithm)axes[AXIS_ALGORITHM];
    s->info.workgroupSize = workgroups[axes[AXIS_WORKGROUP]].size;
    scan_draw(t, t->layout);
}

/* ---- Running ---- */

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdScan(recorder, &((const scan_request *)t->own)->info);
}

/* Multi-pass scans support one window only, and the values of all tiles of a single pass must fit
 * one window. */
static bool may_refuse(const test_request *t)
{
    const scan_request *s = t->own;
    const VkrScanInfo *info = &s->info;
    VkrContextProperties p;
    vkrGetContextProperties(get_context(&rig.contexts, t->limits, &t->tuning), &p);
    const uint64_t most = SMALL_RANGE - 2 * p.granule;
    const VkDeviceSize in = info->input.stride, out = info->output.stride;
    const bool exceeds = info->input.size > most || info->output.size > most;
    const bool canonical = is_canonical(s);
    if (limits_rows[t->limits].maxStorageBufferRange == 0)
        return false;
    if (info->algorithm == VKR_SCAN_SINGLE_PASS)
        return s->capacity > FEW;
    /* One descriptor must reach a row and, in the canonical order, a strip of rows, or all of them
     * if the scan is reversed; and the partial results of a strip. */
    if (s->starts == STARTS_COLUMNS)
        return s->row * (8 * s->components + in + out) * (canonical ? VKR_SCAN_RUN : 1) >
                   most / 2 ||
               (canonical && (info->flags & VKR_SCAN_REVERSE_BIT) != 0 && exceeds);
    /* In the canonical order an invocation has a run of its own, so a workgroup of a given size has
     * a share of a given length. */
    if (canonical && info->workgroupSize * VKR_SCAN_RUN * (in > out ? in : out) > most)
        return exceeds;
    /* A reversed scan in the canonical order starts at the last element. If only the GPU knows
     * which that is, the scan supports one window only. */
    if (canonical && (info->flags & VKR_SCAN_REVERSE_BIT) != 0 &&
        s->gpu_count != VKR_TYPE_UNDEFINED)
        return exceeds;
    return info->algorithm >= VKR_SCAN_HILLIS_STEELE &&
           (exceeds || 2 * s->capacity * (8 * s->components + 4) > most);
}

static void print(const test_request *t)
{
    const VkrScanInfo *info = &((const scan_request *)t->own)->info;
    test_print_number("op", info->op);
    test_print_number("flags", info->flags);
    test_print_view("input", &info->input);
    test_print_view("output", &info->output);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_number("accumulator", info->accumulator);
    test_print_number("nan", info->nan);
    test_print_number("determinism", info->determinism);
    test_print_number("algorithm", info->algorithm);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_range("gpuInitial", &info->gpuInitial);
    test_print_range("total", &info->total);
    test_print_segments(&info->segments);
    test_print_range("mask.flags.range", &info->mask.flags.range);
    test_print_number("mask.flags.format", info->mask.flags.format);
}

static bool has_layout(uint64_t seed, uint32_t layout, bool thin)
{
    return thin == (layout >= SCAN_LAYOUTS) && (!thin || layout % 3 == seed % 3);
}

static bool enough(uint32_t rows)
{
    return rows < ROWS_WITH_TEXELS || texel_bindings() != 0;
}

const test_operation test_scan = {
    .name = "scan",
    .call = "vkrCmdScan",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_OP] = {"op", ARRAY_SIZE(ops)},
             [AXIS_ALGORITHM] = {"algorithm", VKR_SCAN_ALGORITHM_COUNT},
             [AXIS_SEGMENTS] = {"segments", STARTS_COUNT},
             [AXIS_DIRECTION] = {"direction", 4},
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_DETERMINISM] = {"determinism", 3},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_NAN_AND_ACCUMULATOR] = {"nan-and-accumulator", 4},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_GPU_COUNT] = {"gpu-count", ARRAY_SIZE(gpu_counts)},
             [AXIS_INITIAL] = {"initial", INITIAL_COUNT},
             [AXIS_IN_PLACE] = {"in-place", 2},
             [AXIS_LOADS] = {"loads", VKR_LOAD_PATH_COUNT},
             [AXIS_ORDER] = {"order", VKR_LOAD_ORDER_COUNT},
             [AXIS_LEFT_OUT] = {"left-out", LEFT_OUT_COUNT}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_OP | 1u << AXIS_ALGORITHM | 1u << AXIS_SEGMENTS |
               1u << AXIS_GPU_COUNT | 1u << AXIS_LOADS | 1u << AXIS_ORDER,
    .urgent = ARRAY_SIZE(ops),
    .layouts = 2 * SCAN_LAYOUTS,
    .has_layout = has_layout,
    .size = sizeof(scan_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = scan_fill,
    .record = record,
    .expect = scan_expect,
    .may_refuse = may_refuse,
    .print = print,
    .enough = enough,
    .fixed = {{"test_tiles", SCAN_TILES, scan_make_tiles, 0, 0},
              {"test_pieces", SCAN_PIECES, scan_make_pieces, 0, 0},
              {"test_columns", SCAN_COLUMNS, scan_make_columns, 0, 0},
              {"test_apart", SCAN_APART, scan_make_apart, 0, 0}},
    .others = scan_others,
    .other_count = SCAN_OTHERS,
};
