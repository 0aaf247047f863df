/* SPDX-License-Identifier: MIT */
/* vkrCmdCompact against the oracle: every predicate with every type, all other choices pairwise;
 * a figure of a paper and all short masks; and what uses the counts in the same command buffer.
 * VKR_TEST_LONGEST is the length of the masks. */
#include "compact_request.h"

enum {
    AXIS_TYPE,
    AXIS_PREDICATE,
    AXIS_OUTPUTS,
    AXIS_ALGORITHM,
    AXIS_COMPONENTS,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_PAYLOADS,
    AXIS_GPU_COUNT,
    AXIS_APPEND,
    AXIS_INDICES,
    AXIS_NEGATE_AND_CONSTANTS, /* two bits */
    AXIS_LOADS,
    AXIS_ORDER
};

static const uint32_t output_sets[] = {
    OUT_KEPT,
    OUT_KEPT | OUT_KEPT_INDICES,
    OUT_KEPT_INDICES,
    OUT_KEPT | OUT_REJECTED,
    OUT_KEPT | OUT_KEPT_INDICES | OUT_REJECTED | OUT_REJECTED_INDICES,
    OUT_REJECTED | OUT_KEPT_INDICES,
    OUT_KEPT_INDICES | OUT_REJECTED_INDICES,
    OUT_KEPT | OUT_LENGTHS,
    OUT_LENGTHS,
    OUT_KEPT | OUT_KEPT_INDICES | OUT_LENGTHS | OUT_REJECTED | OUT_REJECTED_INDICES,
    0,
};

/* The workgroup size that the caller requests, and the geometry of the tuning profile. */
static const struct {
    uint32_t size;
    uint32_t geometry;
} workgroups[] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {32, 4}, {128, 2}, {256, 1}};

static compact_row row_of(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    return (compact_row){
        .type = (VkrType)(axes[AXIS_TYPE] + 1),
        .components = axes[AXIS_COMPONENTS] + 1,
        .predicate = (predicate_row)axes[AXIS_PREDICATE],
        .negate = (axes[AXIS_NEGATE_AND_CONSTANTS] & 1) != 0,
        .gpu_constants = (axes[AXIS_NEGATE_AND_CONSTANTS] & 2) != 0,
        .outputs = output_sets[axes[AXIS_OUTPUTS]],
        .payloads = axes[AXIS_PAYLOADS],
        .algorithm = (VkrCompactAlgorithm)axes[AXIS_ALGORITHM],
        .workgroup_size = workgroups[axes[AXIS_WORKGROUP]].size,
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
        .append = counts[axes[AXIS_APPEND]],
        .indices = counts[axes[AXIS_INDICES]],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .tuning = {workgroups[axes[AXIS_WORKGROUP]].geometry, (VkrLoadOrder)axes[AXIS_ORDER],
                   (VkrLoadPath)axes[AXIS_LOADS]},
    };
}

/* Whether an output has indices; only then is their type a choice. */
static bool has_indices(const compact_row *row)
{
    return (row->outputs & (OUT_KEPT_INDICES | OUT_LENGTHS | OUT_REJECTED_INDICES)) != 0;
}

/* Whether the header allows a row on this device, and the row does not repeat another one. */
static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const compact_row row = row_of(axes);
    const bool compares = row.predicate == TEST_COMPARE || row.predicate == TEST_RANGE;
    if (!a->types[row.type] || !has_limits(a, row.limits) || row.workgroup_size > a->workgroup)
        return false;
    if (row.predicate == TEST_UNIQUE_VALUES && !is_float(row.type))
        return false;
    if (row.predicate == TEST_FLAGS_U8 && !a->types[VKR_TYPE_U8])
        return false;
    if (row.indices != VKR_TYPE_UNDEFINED && !has_indices(&row))
        return false;
    if (row.gpu_constants && !compares)
        return false;
    if (row.tuning.geometry == 0 &&
        (row.tuning.path != VKR_LOAD_ELEMENT || row.tuning.order != VKR_LOAD_COALESCED))
        return false;
    /* A refused output would hide the other choices of the row. */
    return row.algorithm != VKR_COMPACT_SINGLE_PASS ||
           (row.payloads == 0 && (row.outputs & OUT_LENGTHS) == 0 &&
            !(tests_flags(row.predicate) && (row.outputs & OUT_VALUES) != 0));
}

static void context(test_request *t)
{
    const compact_row row = row_of(t->axes);
    compact_context(t, &row);
}

#define LAYOUTS 32u

/* Small numbers of elements and large ones need different pipelines. */
static bool has_layout(uint64_t seed, uint32_t layout, bool thin)
{
    return !thin || layout % 2 == next_random(&seed) % 2;
}

/* Numbers of elements near the sizes of subgroups, workgroups, tiles, windows and group limits:
 * small ones of even layouts, and large ones of others. */
static uint64_t draw_count(test_request *t, const compact_row *row)
{
    const VkrTuning tuning = get_tuning(&rig.contexts, row->limits, &row->tuning,
                                        VKR_OPERATION_COMPACT, vkrTypeSize(row->type));
    const uint32_t size = vkrTypeSize(row->type) * row->components;
    const uint64_t w = row->workgroup_size != 0    ? row->workgroup_size
                       : tuning.workgroupSize != 0 ? tuning.workgroupSize
                                                   : 8;
    const uint64_t tile = w * (tuning.tileBytes > size ? tuning.tileBytes / size : 1);
    const uint64_t share = w * (tuning.minBytes > size ? tuning.minBytes / size : 1);
    const uint64_t window = SMALL_RANGE / size;
    const uint64_t small[] = {0, 1, 2, 3, w - 1, w, w + 1, 31, 33, tile - 1, tile};
    const uint64_t large[] = {tile + 1,   2 * tile + 17, share,          share + 1,
                              7 * share,  7 * tile + 1,  33 * tile - 1,  100 * tile + 5,
                              window - 1, window,        window + 1,     2 * window + 1,
                              62500,      500000,        3 * window - 1, 64 * w};
    const uint32_t k = t->layout % LAYOUTS / 2;
    if (t->layout % 2 == 0)
        return k < ARRAY_SIZE(small) ? small[k] : test_below(t, (uint32_t)tile + 1);
    return k < 9    ? large[test_below(t, ARRAY_SIZE(large))]
           : k < 10 ? 10000 + test_below(t, 60000)
                    : test_below(t, 2000);
}

static void make(test_request *t)
{
    const compact_row row = row_of(t->axes);
    compact_make(t, &row, draw_count(t, &row));
}

/* ---- Fixed rows ---- */

static bool make_row(test_request *t, const compact_row *row)
{
    const abilities *a = &rig.device;
    const bool possible = a->types[row->type] && has_limits(a, row->limits) &&
                          (row->predicate != TEST_FLAGS_U8 || a->types[VKR_TYPE_U8]);
    compact_context(t, row);
    if (possible)
        compact_make(t, row, row->only != 0 ? row->only : draw_count(t, row));
    return possible;
}

/* All outputs and payloads at once, if all of them are supported: this needs many pipelines. */
static bool make_everything(test_request *t, uint32_t i)
{
    static const compact_row rows[] = {
        {.type = VKR_TYPE_F32,
         .components = 1,
         .predicate = TEST_RANGE,
         .outputs = 31,
         .payloads = COMPACT_PAYLOAD_SETS - 1,
         .gpu_count = VKR_TYPE_U32,
         .append = VKR_TYPE_U32},
        {.type = VKR_TYPE_U32,
         .components = 3,
         .predicate = TEST_UNIQUE,
         .outputs = 31,
         .payloads = COMPACT_PAYLOAD_SETS - 1,
         .limits = LIMITS_SMALL},
        {.type = VKR_TYPE_F32,
         .components = 1,
         .predicate = TEST_COMPARE,
         .outputs = 27,
         .algorithm = VKR_COMPACT_SINGLE_PASS,
         .append = VKR_TYPE_U32},
    };
    return make_row(t, &rows[i]);
}

/* Flags of every format with values of every size. Flags that are as wide as the values select
 * other kernels than narrower ones, and packed values of one word have a path of their own; tiles
 * in registers test flags that lie beside the values. */
static bool make_flag_values(test_request *t, uint32_t k)
{
    static const predicate_row flags[] = {TEST_FLAGS_U32, TEST_FLAGS_U8, TEST_FLAGS_BITS};
    static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_F16, VKR_TYPE_F32, VKR_TYPE_F64};
    static const uint32_t outputs[] = {OUT_KEPT, OUT_REJECTED, OUT_KEPT | OUT_REJECTED,
                                       OUT_KEPT | OUT_KEPT_INDICES | OUT_REJECTED_INDICES};
    static const tuning_row tiles = {
        .geometry = 4, .order = VKR_LOAD_COALESCED, .path = VKR_LOAD_VEC4};
    const uint32_t i = k / 2;
    const compact_row row = {.predicate = flags[i % 3],
                             .tuning = k % 2 != 0 ? tiles : (tuning_row){0},
                             .outputs = outputs[i / 3 % 4],
                             .type = types[i / 12],
                             .components = 1 + (i % 7 == 6),
                             .packed = true};
    return make_row(t, &row);
}

#define TILE_ROWS 16u

static compact_row tile_row(uint32_t i)
{
    static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_WIDE, LIMITS_SMALL};
    static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_U8, VKR_TYPE_U64, VKR_TYPE_U16};
    static const uint32_t outputs[] = {
        OUT_KEPT, OUT_KEPT | OUT_KEPT_INDICES | OUT_REJECTED | OUT_REJECTED_INDICES,
        OUT_REJECTED | OUT_KEPT_INDICES, OUT_KEPT | OUT_REJECTED};
    return (compact_row){.type = types[i % 4],
                         .components = 1 + (i % 5 == 4),
                         .predicate = i % 7 == 5 ? TEST_UNIQUE : TEST_COMPARE,
                         .outputs = outputs[i / 4],
                         .algorithm = VKR_COMPACT_SINGLE_PASS,
                         .append = i % 3 == 2 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                         .limits = limits[i * 2 / 3 % 3],
                         .tuning = {.geometry = 4,
                                    .order = VKR_LOAD_COALESCED,
                                    .path = i % 2 == 0 ? VKR_LOAD_VEC4 : VKR_LOAD_U64}};
}

/* Tiles in registers of elements of each size, by contexts whose drawn policies stage them in
 * shared memory; the policies of CPUs, by which edges_elements.c runs, do not. */
static bool make_tiles(test_request *t, uint32_t i)
{
    const compact_row row = tile_row(i);
    return make_row(t, &row);
}

/* Some of these policies stage as much as bytes need. */
static void test_tile_policies(void **state)
{
    (void)state;
    uint32_t most = 0;
    for (uint32_t i = 0; i < TILE_ROWS; i++) {
        const compact_row row = tile_row(i);
        VkrPolicy policy;
        assert_int_equal(vkrGetPolicy(get_context(&rig.contexts, row.limits, &row.tuning),
                                      VKR_POLICY_COMPACT, &policy),
                         VKR_SUCCESS);
        most = policy.values[0] > most ? policy.values[0] : most;
    }
    assert_int_equal(most, 16);
}

/* Run lengths of words, by tiles in registers of 256 invocations with 8 elements each. */
static bool make_runs(test_request *t, uint32_t i)
{
    static const VkrType words[] = {VKR_TYPE_U32, VKR_TYPE_F32, VKR_TYPE_I32};
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const compact_row row = {.type = words[i % 3],
                             .components = 1,
                             .predicate = TEST_UNIQUE,
                             .outputs = i % 4 == 3 ? OUT_LENGTHS : OUT_KEPT | OUT_LENGTHS,
                             .gpu_count = counts[(i + i / 3) % 3],
                             .indices = i % 2 == 0 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                             .packed = true,
                             .runs = true,
                             .tuning = {.geometry = 4, .path = VKR_LOAD_VEC4}};
    return has_arithmetic(&rig.device, LIMITS_DEVICE) && rig.device.workgroup >= 256 &&
           make_row(t, &row);
}

/* Outputs that single-pass does not write are refused. */
static bool make_refused(test_request *t, uint32_t i)
{
    static const compact_row rows[] = {
        {.outputs = OUT_KEPT, .payloads = 1},
        {.outputs = OUT_KEPT | OUT_LENGTHS},
        {.outputs = OUT_KEPT, .predicate = TEST_FLAGS_BITS},
    };
    compact_row row = rows[i];
    row.type = VKR_TYPE_F32;
    row.components = 1;
    row.algorithm = VKR_COMPACT_SINGLE_PASS;
    return make_row(t, &row);
}

/* Payloads of several windows, which marks move. */
static bool make_windows(test_request *t, uint32_t i)
{
    static const uint32_t payloads[] = {2, 4, 1};
    const compact_row row = {.type = VKR_TYPE_U32,
                             .components = 1,
                             .outputs = OUT_KEPT,
                             .payloads = payloads[i],
                             .workgroup_size = 32,
                             .limits = LIMITS_SMALL,
                             .tuning = {.geometry = 4},
                             .only = 18001};
    return make_row(t, &row);
}

static const uint32_t straight[] =
#include "keep.inc"
    ;
static const uint32_t looping[] =
#include "keep_loop.inc"
    ;

/* With a function that is linked, and with one whose loop prevents that in long runs. Indices alone
 * need no elements; payloads and lengths of runs need lists. */
static bool make_called(test_request *t, uint32_t i)
{
    static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_I8, VKR_TYPE_F16, VKR_TYPE_F64};
    static const uint32_t outputs[] = {
        OUT_KEPT_INDICES, OUT_KEPT, OUT_KEPT | OUT_REJECTED | OUT_REJECTED_INDICES,
        OUT_KEPT | OUT_KEPT_INDICES | OUT_LENGTHS, OUT_KEPT_INDICES | OUT_REJECTED_INDICES};
    static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL};
    static const called_code codes[] = {{straight, sizeof straight}, {looping, sizeof looping}};
    const compact_row row = {.called = &codes[i % 2],
                             .predicate = TEST_FLAGS_BITS,
                             .type = types[i / 5 % 4],
                             .outputs = outputs[i % 5],
                             .components = 1 + i % 3,
                             .negate = i % 4 == 1,
                             .payloads = i % 7 == 6 ? 2 : 0,
                             .gpu_count = i % 3 == 0 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                             .append = i % 5 == 4 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                             .algorithm = i % 8 > 4 ? VKR_COMPACT_SINGLE_PASS : VKR_COMPACT_AUTO,
                             .limits = limits[i % 11 % 3]};
    return make_row(t, &row);
}

static const struct CMUnitTest others[] = {
    cmocka_unit_test(test_figure), cmocka_unit_test(test_masks), cmocka_unit_test(test_chain),
    cmocka_unit_test(test_appended), cmocka_unit_test(test_tile_policies)};

const test_operation test_compact = {
    .name = "compact",
    .call = "vkrCmdCompact",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_PREDICATE] = {"test", TEST_COUNT},
             [AXIS_OUTPUTS] = {"outputs", ARRAY_SIZE(output_sets)},
             [AXIS_ALGORITHM] = {"algorithm", VKR_COMPACT_SINGLE_PASS + 1}, /* streams.c: others */
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_PAYLOADS] = {"payloads", COMPACT_PAYLOAD_SETS},
             [AXIS_GPU_COUNT] = {"count", 3},
             [AXIS_APPEND] = {"append", 3},
             [AXIS_INDICES] = {"indices", 3},
             [AXIS_NEGATE_AND_CONSTANTS] = {"negate", 4},
             [AXIS_LOADS] = {"loads", VKR_LOAD_PATH_COUNT},
             [AXIS_ORDER] = {"order", VKR_LOAD_ORDER_COUNT}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_PREDICATE | 1u << AXIS_OUTPUTS | 1u << AXIS_GPU_COUNT |
               1u << AXIS_LOADS | 1u << AXIS_ORDER,
    .layouts = LAYOUTS,
    .has_layout = has_layout,
    .size = sizeof(compact_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = compact_fill,
    .record = compact_record,
    .expect = compact_expect,
    .may_refuse = compact_may_refuse,
    .must_refuse = compact_must_refuse,
    .print = compact_print,
    .fixed = {{"test_everything", 3, make_everything, LAYOUTS, 3},
              {"test_flag_values", 96, make_flag_values, LAYOUTS, 5},
              {"test_tiles", TILE_ROWS, make_tiles, LAYOUTS, 3},
              {"test_pairs_of_runs", 9, make_runs, LAYOUTS, 3},
              {"test_windows", 3, make_windows, 0, 0},
              {"test_refused", 3, make_refused, LAYOUTS, 0},
              {"test_called", 36, make_called, LAYOUTS, 7}},
    .others = others,
    .other_count = ARRAY_SIZE(others),
};
