/* SPDX-License-Identifier: MIT */
/* Stream reduction as of 2007 (the algorithms of vkrCmdCompact starting at VKR_COMPACT_HORN)
 * against the oracle: all choices pairwise, a figure, all short masks, and more blocks than the
 * maximum number of workgroups in one dimension. streams_facts.c tests what happens inside a
 * block. VKR_TEST_LONGEST is the length of the masks. */
#include "compact_request.h"

enum {
    AXIS_ALGORITHM,
    AXIS_BLOCK,
    AXIS_BLOCK_SCAN,
    AXIS_SEARCH,
    AXIS_CONCATENATION,
    AXIS_TYPE,
    AXIS_COMPONENTS,
    AXIS_PREDICATE,
    AXIS_OUTPUTS,
    AXIS_PAYLOADS,
    AXIS_INDICES,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_COUNTS, /* the GPU's count and the append position */
    AXIS_NEGATE,
    AXIS_LOADS,
};

static const uint32_t output_sets[] = {
    OUT_KEPT,
    OUT_KEPT | OUT_KEPT_INDICES,
    OUT_KEPT_INDICES,
    OUT_KEPT | OUT_LENGTHS,
    OUT_LENGTHS,
    OUT_KEPT | OUT_KEPT_INDICES | OUT_LENGTHS,
    0,
};

static const uint32_t payloads[] = {0, 1, 3}; /* no array moves with rejected elements */
static const uint32_t blocks[] = {0, 8, 16, 32, 128, 256, 512, 1024}; /* 0: 64 */

/* Types of each size and kind, tests of each kind, and limits that select kernels without subgroup
 * operations. compact.c tests all choices, with the same code for elements. */
static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_F32, VKR_TYPE_U8,  VKR_TYPE_F16,
                                VKR_TYPE_I64, VKR_TYPE_F64, VKR_TYPE_BF16};
static const struct {
    predicate_row predicate;
    bool gpu_constants;
} predicates[] = {
    {TEST_NONZERO, false},    {TEST_COMPARE, false}, {TEST_COMPARE, true},
    {TEST_FINITE, false},     {TEST_NAN, false},     {TEST_BITS, false},
    {TEST_FLAGS_BITS, false}, {TEST_UNIQUE, false},  {TEST_CONTINUED, false},
};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL, LIMITS_WIDE};

/* The workgroup size that the caller requests, and the geometry of the tuning profile. */
static const struct {
    uint32_t size;
    uint32_t geometry;
} workgroups[] = {{0, 0}, {0, 1}, {0, 3}, {8, 4}, {128, 2}, {256, 1}};

/* The types of the GPU's count and of the append position. */
static const VkrType counts[][2] = {
    {VKR_TYPE_UNDEFINED, VKR_TYPE_UNDEFINED},
    {VKR_TYPE_U32, VKR_TYPE_UNDEFINED},
    {VKR_TYPE_UNDEFINED, VKR_TYPE_U32},
    {VKR_TYPE_U64, VKR_TYPE_U32},
    {VKR_TYPE_U32, VKR_TYPE_U64},
};

static compact_row row_of(const uint32_t axes[MAX_AXES])
{
    static const VkrType indices[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    return (compact_row){
        .type = types[axes[AXIS_TYPE]],
        .components = axes[AXIS_COMPONENTS] + 1,
        .predicate = predicates[axes[AXIS_PREDICATE]].predicate,
        .gpu_constants = predicates[axes[AXIS_PREDICATE]].gpu_constants,
        .negate = axes[AXIS_NEGATE] != 0,
        .outputs = output_sets[axes[AXIS_OUTPUTS]],
        .payloads = payloads[axes[AXIS_PAYLOADS]],
        .algorithm = (VkrCompactAlgorithm)(VKR_COMPACT_HORN + (int)axes[AXIS_ALGORITHM]),
        .stream = {.block = blocks[axes[AXIS_BLOCK]],
                   .blockScan = (VkrBlockScan)axes[AXIS_BLOCK_SCAN],
                   .search = (VkrStreamSearch)axes[AXIS_SEARCH],
                   .concatenation = (VkrConcatenation)axes[AXIS_CONCATENATION]},
        .workgroup_size = workgroups[axes[AXIS_WORKGROUP]].size,
        .gpu_count = counts[axes[AXIS_COUNTS]][0],
        .append = counts[axes[AXIS_COUNTS]][1],
        .indices = indices[axes[AXIS_INDICES]],
        .limits = limits[axes[AXIS_LIMITS]],
        .tuning = {workgroups[axes[AXIS_WORKGROUP]].geometry, VKR_LOAD_COALESCED,
                   (VkrLoadPath)axes[AXIS_LOADS]},
    };
}

/* Whether the row's algorithm supports its options. */
static bool has_options(const compact_row *row)
{
    const VkrStreamOptions *o = &row->stream;
    const bool in_blocks =
        row->algorithm == VKR_COMPACT_ROGER || row->algorithm == VKR_COMPACT_ROGER_SEQUENTIAL;
    if (!in_blocks && (o->block != 0 || o->concatenation != VKR_CONCATENATION_SEGMENTS))
        return false;
    if (row->algorithm != VKR_COMPACT_ROGER && o->blockScan != VKR_BLOCK_SCAN_HILLIS_STEELE)
        return false;
    return row->algorithm != VKR_COMPACT_ROGER_SEQUENTIAL || o->search == VKR_STREAM_SEARCH_DEFAULT;
}

/* Whether the header allows a row on this device, and the row does not repeat another one. */
static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const compact_row row = row_of(axes);
    if (!has_options(&row) || !a->types[row.type] || !has_limits(a, row.limits) ||
        row.workgroup_size > a->workgroup)
        return false;
    if (row.indices != VKR_TYPE_UNDEFINED && (row.outputs & (OUT_KEPT_INDICES | OUT_LENGTHS)) == 0)
        return false;
    return row.tuning.geometry != 0 || row.tuning.path == VKR_LOAD_ELEMENT;
}

static void context(test_request *t)
{
    const compact_row row = row_of(t->axes);
    compact_context(t, &row);
}

#define LAYOUTS 17u

/* Numbers of elements near the sizes of blocks, near the reach of a workgroup, and near powers of
 * two. */
static uint64_t draw_count(test_request *t, const compact_row *row)
{
    const VkrTuning tuning = get_tuning(&rig.contexts, row->limits, &row->tuning,
                                        VKR_OPERATION_COMPACT, vkrTypeSize(row->type));
    const uint64_t w = row->workgroup_size != 0    ? row->workgroup_size
                       : tuning.workgroupSize != 0 ? tuning.workgroupSize
                                                   : 8;
    const uint64_t s = row->stream.block != 0 ? row->stream.block : 64;
    const uint64_t share = w > s ? w : s, power = UINT64_C(1) << (5 + test_below(t, 12));
    const uint64_t small[] = {0, 1, 2, s - 1, s, s + 1, share - 1, share, share + 1};
    const uint64_t large[] = {w * s / 8, w * s / 8 + 1, w * s + 1, 2 * share + 1,
                              7 * share, 127 * s + 1,   997,       7919,
                              30011,     power - 1,     power,     power + 1};
    const uint32_t k = t->layout % LAYOUTS;
    return k < ARRAY_SIZE(small) ? small[k]
           : k + 1 < LAYOUTS     ? large[test_below(t, ARRAY_SIZE(large))]
                                 : test_below(t, 60000);
}

static void make(test_request *t)
{
    const compact_row row = row_of(t->axes);
    compact_make(t, &row, draw_count(t, &row));
}

/* ---- Known answers, and fixed requests ---- */

/* Each algorithm, and each kind of each of its options. */
static const VkrCompactInfo kinds[] = {
    {.algorithm = VKR_COMPACT_HORN},
    {.algorithm = VKR_COMPACT_HORN, .stream = {.search = VKR_STREAM_SEARCH_WHILE}},
    {.algorithm = VKR_COMPACT_BLELLOCH_GATHER},
    {.algorithm = VKR_COMPACT_ROGER, .stream = {.block = 16}},
    {.algorithm = VKR_COMPACT_ROGER,
     .stream = {.block = 8,
                .blockScan = VKR_BLOCK_SCAN_BLELLOCH,
                .search = VKR_STREAM_SEARCH_FOR,
                .concatenation = VKR_CONCATENATION_ELEMENTS}},
    {.algorithm = VKR_COMPACT_ROGER, .stream = {.block = 32, .blockScan = VKR_BLOCK_SCAN_HYBRID}},
    {.algorithm = VKR_COMPACT_ROGER_SEQUENTIAL, .stream = {.block = 8}},
};

/* More than 65,535 blocks, the minimum of maxComputeWorkGroupCount. */
static bool make_many_blocks(test_request *t, uint32_t i)
{
    compact_row row = {.type = VKR_TYPE_U32,
                       .components = 1,
                       .predicate = TEST_FLAGS_BITS,
                       .outputs = OUT_KEPT_INDICES,
                       .algorithm = kinds[i].algorithm,
                       .stream = kinds[i].stream,
                       .only = 8 * 65536 + 8 * i + 3};
    if (row.stream.block != 0)
        row.stream.block = 8;
    compact_make(t, &row, row.only);
    return true;
}

static void with_kinds(void (*run)(VkrRecorder recorder, const VkrCompactInfo *how))
{
    const tuning_row built_in = {0};
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        run(get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in), &kinds[i]);
}

static void test_streams_figure(void **state)
{
    (void)state;
    with_kinds(run_figure);
}

static void test_streams_masks(void **state)
{
    (void)state;
    with_kinds(run_masks);
}

static const struct CMUnitTest others[] = {cmocka_unit_test(test_streams_figure),
                                           cmocka_unit_test(test_streams_masks)};

const test_operation test_streams = {
    .name = "streams",
    .call = "vkrCmdCompact",
    .axes = {[AXIS_ALGORITHM] = {"algorithm", VKR_COMPACT_ALGORITHM_COUNT - VKR_COMPACT_HORN},
             [AXIS_BLOCK] = {"block", ARRAY_SIZE(blocks)},
             [AXIS_BLOCK_SCAN] = {"block-scan", VKR_BLOCK_SCAN_COUNT},
             [AXIS_SEARCH] = {"search", VKR_STREAM_SEARCH_COUNT},
             [AXIS_CONCATENATION] = {"concatenation", VKR_CONCATENATION_COUNT},
             [AXIS_TYPE] = {"type", ARRAY_SIZE(types)},
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_PREDICATE] = {"test", ARRAY_SIZE(predicates)},
             [AXIS_OUTPUTS] = {"outputs", ARRAY_SIZE(output_sets)},
             [AXIS_PAYLOADS] = {"payloads", ARRAY_SIZE(payloads)},
             [AXIS_INDICES] = {"indices", 3},
             [AXIS_LIMITS] = {"limits", ARRAY_SIZE(limits)},
             [AXIS_WORKGROUP] = {"workgroup", ARRAY_SIZE(workgroups)},
             [AXIS_COUNTS] = {"counts", ARRAY_SIZE(counts)},
             [AXIS_NEGATE] = {"negate", 2},
             [AXIS_LOADS] = {"loads", VKR_LOAD_PATH_COUNT}},
    .urgent = ARRAY_SIZE(blocks),
    .layouts = LAYOUTS,
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
    .fixed = {{"test_many_blocks", ARRAY_SIZE(kinds), make_many_blocks, 2, 0}},
    .others = others,
    .other_count = ARRAY_SIZE(others),
};
