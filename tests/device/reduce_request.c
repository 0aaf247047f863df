/* SPDX-License-Identifier: MIT */
/* Requests of reductions: where their views lie, and which may be refused. */
#include "reduce_request.h"

#include <stdio.h>
#include <string.h>

#define MOST_BYTES 400000u /* of an input: more than six windows of SMALL_RANGE */
#define PACK 16u
#define LOAD 32u          /* size of the widest load in bytes */
#define FEW 1024          /* elements whose partials fit any window */
#define AFFORDABLE 12000u /* elements of an invocation each, of which some drivers are very slow */

static VkrContext context_of(const test_request *t)
{
    return get_context(&rig.contexts, t->limits, &t->tuning);
}

/* ---- Counts ---- */

/* Numbers of elements: of a workgroup, of its share, of what it loads at once, and of a window. */
typedef struct edges {
    uint64_t w, share, batch, window;
} edges;

static edges edges_of(const test_request *t)
{
    const reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    const uint32_t element = vkrTypeSize(row->type) * row->components;
    VkrContextProperties properties;
    vkrGetContextProperties(context_of(t), &properties);
    const VkrTuning tuning = get_tuning(&rig.contexts, t->limits, &t->tuning, VKR_OPERATION_REDUCE,
                                        vkrTypeSize(row->type));
    const uint32_t wanted =
        tuning.workgroupSize != 0 ? tuning.workgroupSize : properties.subgroupSize;
    const uint32_t tuned =
        wanted < properties.maxWorkgroupSize ? wanted : properties.maxWorkgroupSize;
    const uint64_t w = row->workgroup_size != 0 ? row->workgroup_size : tuned;
    const bool tree = row->algorithm >= VKR_REDUCE_TREE;
    return (edges){
        .w = w,
        .share = tree || tuning.minBytes < element ? w : w * (tuning.minBytes / element),
        .batch = w * (1 + tuning.flight * PACK / element),
        .window = SMALL_RANGE / element,
    };
}

/* Edges of subgroups, workgroups, tiles, blocks of the canonical tree, windows and group limits. */
static uint64_t edge_count(test_request *t, const edges *e, uint32_t layout)
{
    const uint64_t w = e->w;
    const uint64_t always[] = {0, 1, w - 1, w, w + 1, e->window + 1, 3 * e->window};
    const uint64_t some[] = {2,
                             3,
                             5,
                             2 * w,
                             2 * w + 1,
                             w * SMALL_GROUPS,
                             w * SMALL_GROUPS + 1,
                             w * 64 - 1,
                             w * 64,
                             w * 64 + 1,
                             e->share - 1,
                             e->share,
                             e->share + 1,
                             2 * e->share + 17,
                             e->batch - 1,
                             e->batch + 16,
                             3 * e->batch + 33,
                             w * w - 1,
                             w * w,
                             w * w + 1,
                             VKR_TREE_BLOCK - 1,
                             VKR_TREE_BLOCK,
                             VKR_TREE_BLOCK + 1,
                             e->window - 1,
                             e->window,
                             2 * e->window,
                             2 * e->window + 1};
    if (layout < ARRAY_SIZE(always))
        return always[layout];
    if (layout < ARRAY_SIZE(always) + 8)
        return some[test_below(t, ARRAY_SIZE(some))];
    return layout + 1 < REDUCE_EDGES ? test_below(t, 500) : 10000 + test_below(t, 60000);
}

/* Counts for which one workgroup is enough with any algorithm, so that one pipeline is too. */
static uint64_t small_count(test_request *t, const edges *e, uint32_t layout)
{
    return layout < 4   ? layout
           : layout < 8 ? e->share - (layout - 4)
                        : test_below(t, (uint32_t)e->share + 1);
}

/* Counts that need several workgroups, if the views can be long enough. */
static uint64_t large_count(test_request *t, const edges *e, uint32_t layout)
{
    const uint64_t chunk = e->w * 64 > VKR_TREE_BLOCK ? e->w * 64 : VKR_TREE_BLOCK;
    const uint64_t some[] = {chunk + 1, 2 * chunk - 1, 2 * chunk, 2 * chunk + 1, e->w * e->w + 1};
    if (layout < ARRAY_SIZE(some))
        return some[layout] > chunk ? some[layout] : chunk + e->w;
    return layout < 8 ? chunk + e->window * (layout - 4) - test_below(t, 2)
                      : chunk + 1 + test_below(t, 20000);
}

static uint64_t draw_count(test_request *t, bool *packed)
{
    const edges e = edges_of(t);
    uint32_t layout = t->layout % REDUCE_LAYOUTS;
    *packed = test_below(t, 2) == 0;
    if (layout < REDUCE_EDGES)
        return edge_count(t, &e, layout);
    layout -= REDUCE_EDGES;
    if (layout < REDUCE_SMALL)
        return small_count(t, &e, layout);
    layout -= REDUCE_SMALL;
    *packed = (layout >= 5 && layout < 8) || test_below(t, 4) != 0;
    return large_count(t, &e, layout);
}

/* ---- Views ---- */

/* At any distance from a multiple of the widest load; two inputs often have the same one. */
static uint32_t draw_phase(test_request *t, uint32_t input)
{
    const reduce_request *q = t->own;
    const uint32_t size = vkrTypeSize(q->row.type), element = size * q->row.components;
    const uint32_t common = q->meets_packs ? (element | LOAD) & (0u - (element | LOAD)) : size;
    if (input == 1 && (q->meets_packs || test_below(t, 2) == 0))
        return (uint32_t)(q->info.input.offset % LOAD);
    return common * test_below(t, LOAD / common);
}

/* Sometimes with an incomplete last element, or with elements beyond the count, which must not be
 * read. */
VkrView reduce_place_input(test_request *t, VkDeviceSize stride, VkDeviceSize phase, bool all)
{
    const reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    const uint32_t size = vkrTypeSize(row->type), element = size * row->components;
    if (rig.recording->linked && !row->consume)
        return test_input(t, row->type, row->components, stride, size, q->capacity);
    const VkDeviceSize bytes =
        (q->capacity > 0 ? (q->capacity - 1) * stride + element : 0) + test_below(t, size);
    const VkrBufferRange room =
        (row->consume ? test_written : test_room)(t, LOAD, phase + bytes + 2 * stride);
    if (row->consume) /* it has elements that no request reads or writes */
        test_end_port(t, room.size);
    return (VkrView){.buffer = room.buffer,
                     .offset = room.offset + phase,
                     .size = bytes + (all ? 0 : test_below(t, 3) * stride),
                     .type = row->type,
                     .components = row->components,
                     .stride = stride};
}

static VkDeviceSize second_stride(test_request *t, VkDeviceSize first)
{
    const reduce_request *q = t->own;
    const uint32_t size = vkrTypeSize(q->row.type), element = size * q->row.components;
    if (q->meets_packs)
        return element;
    return test_below(t, 2) == 0 || first == element ? element + size * test_below(t, 4) : first;
}

/* Checks that the layout has the types that reduce.h states, in the order of the operators'
 * bits. */
static void check_layout(test_request *t)
{
    reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    const VkrReduceLayout *layout = &q->layout;
    VkDeviceSize end = 0;
    assert_true(harness_check(&rig.h, vkrGetReduceLayout(context_of(t), &q->info, &q->layout),
                              "vkrGetReduceLayout"));
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &layout->results[bit];
        if ((row->ops >> bit & 1) == 0) {
            assert_int_equal(result->type, VKR_TYPE_UNDEFINED);
            continue;
        }
        VkrType expected = expected_type(row->type, row->accumulator, (VkrOp)(1u << bit));
        if (has_wide_indices(t->limits) && ((VKR_OP_ARGMIN | VKR_OP_ARGMAX) >> bit & 1) != 0)
            expected = VKR_TYPE_U64;
        assert_int_equal(result->type, expected);
        const uint32_t size = vkrTypeSize(result->type);
        assert_int_equal(result->offset, (end + size - 1) / size * size);
        assert_int_equal(layout->alignment % size, 0);
        end = result->offset + size * row->components;
    }
    assert_int_equal(layout->components, row->components);
    assert_true(layout->stride >= end && layout->stride % layout->alignment == 0);
    assert_int_equal(layout->size,
                     layout->segments != 0 ? (layout->segments - 1) * layout->stride + end : 0);
    assert_true(layout->spacing >= layout->size);
}

void reduce_place_texels(test_request *t)
{
    reduce_request *q = t->own;
    const bool unasked = test_below(t, 8) == 0;
    if (t->tuning.path == VKR_LOAD_TEXEL ? q->meets_packs || !unasked : unasked)
        test_texels(t, &q->info.input);
}

void reduce_begin(test_request *t)
{
    reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    q->info = (VkrReduceInfo){
        .label = "row",
        .ops = row->ops,
        .accumulator = row->accumulator,
        .nan = row->nan,
        .determinism = row->determinism,
        .algorithm = row->algorithm,
        .workgroupSize = row->workgroup_size,
        .flags = (row->consume ? VKR_REDUCE_CONSUME_INPUT_BIT : 0u) |
                 (row->sample ? VKR_REDUCE_SAMPLE_BIT : 0u),
    };
}

void reduce_place_output(test_request *t, VkDeviceSize alignment)
{
    reduce_request *q = t->own;
    check_layout(t);
    q->info.gpuCount = test_count(t, q->row.gpu_count, q->capacity);
    q->info.output = test_written(
        t, alignment > q->layout.alignment ? alignment : q->layout.alignment, q->layout.size);
}

void reduce_place(test_request *t)
{
    reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    const uint32_t size = vkrTypeSize(row->type), element = size * row->components;
    const bool thin = t->layout % REDUCE_LAYOUTS >= REDUCE_EDGES;
    const bool slow = row->algorithm == VKR_REDUCE_TREE || row->algorithm == VKR_REDUCE_RECURSIVE;
    const bool all = test_below(t, 2) == 0;
    bool packed;
    q->meets_packs = thin && row->packs && random_below(&t->structure, 4) != 0;
    uint64_t count = draw_count(t, &packed);
    const VkDeviceSize stride =
        element + (packed || q->meets_packs ? 0 : size * (1 + test_below(t, 5)));
    const uint64_t most = MOST_BYTES / (stride > 2 * element ? stride : 2 * element);
    count = count < most ? count : most;
    count = thin && slow && count > AFFORDABLE ? AFFORDABLE : count;
    q->capacity = count < t->most ? count : t->most;
    reduce_begin(t);
    q->info.input = reduce_place_input(t, stride, draw_phase(t, 0), all);
    if (row->ops & VKR_OP_DOT)
        q->info.input2 = reduce_place_input(t, second_stride(t, stride), draw_phase(t, 1), all);
    q->info.count = all && q->info.input.size > 0 ? VKR_COUNT_ALL : q->capacity;
    reduce_place_texels(t);
    reduce_place_output(t, 1);
}

/* ---- Refusals ---- */

static bool is_small(const test_request *t)
{
    return limits_rows[t->limits].maxStorageBufferRange != 0;
}

static VkDeviceSize stride_of(const reduce_request *q)
{
    const VkrReduceInfo *info = &q->info;
    return info->input2.stride > info->input.stride ? info->input2.stride : info->input.stride;
}

/* Single, and reductions in place, support one window only. */
bool reduce_must_refuse(const test_request *t)
{
    const reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    return is_small(t) && (row->algorithm == VKR_REDUCE_SINGLE || row->consume) &&
           q->capacity > 0 && (q->capacity - 1) * stride_of(q) > SMALL_RANGE;
}

/* At level DEVICE a block of the tree must fit one window, and so must the partials of
 * recursive. */
bool reduce_may_refuse(const test_request *t)
{
    const reduce_request *q = t->own;
    const reduce_row *row = &q->row;
    VkrContextProperties properties;
    vkrGetContextProperties(context_of(t), &properties);
    const VkDeviceSize stride = stride_of(q), granule = properties.granule;
    if (!is_small(t))
        return false;
    if (row->algorithm == VKR_REDUCE_RECURSIVE && !row->consume && q->capacity > FEW)
        return true;
    if (q->capacity * stride + granule <= SMALL_RANGE)
        return false;
    return row->algorithm == VKR_REDUCE_SINGLE || row->consume ||
           (row->determinism == VKR_DETERMINISM_DEVICE &&
            VKR_TREE_BLOCK * stride + granule > SMALL_RANGE);
}

/* ---- Recording ---- */

VkrResult reduce_record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdReduce(recorder, &((const reduce_request *)t->own)->info);
}

void reduce_print(const test_request *t)
{
    const VkrReduceInfo *info = &((const reduce_request *)t->own)->info;
    test_print_number("ops", info->ops);
    test_print_number("flags", info->flags);
    test_print_view("input", &info->input);
    test_print_view("input2", &info->input2);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_number("accumulator", info->accumulator);
    test_print_number("nan", info->nan);
    test_print_number("determinism", info->determinism);
    test_print_number("algorithm", info->algorithm);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_segments(&info->segments);
    test_print_range("output", &info->output);
}
