/* SPDX-License-Identifier: MIT */
/* Random reductions of segments that are valid, and what their dispatches must be. */
#include <string.h>

#include "arguments_ranges.h"

#define WINDOWS 6u
#define MAX_TRIPS 65535u
#define SAMPLES 8u      /* parts of a dispatch that are looked at */
#define LEAST_GROUP 32u /* invocations; fewer list a segment's parts in longer loops */

enum { INPUT, INPUT2, OUTPUT, OFFSETS, GPU_COUNT, GPU_SEGMENTS };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* ---- Requests ---- */

static VkrSegments random_kind(uint64_t *seed, operation *o, uint64_t *count)
{
    VkrSegments segments = {.kind = (VkrSegmentKind)(VKR_SEGMENTS_ROWS + random_below(seed, 4)),
                            .length =
                                1 + random_below(seed, (uint64_t)1 << random_below(seed, 35))};
    if (segments.kind == VKR_SEGMENTS_OFFSETS) {
        segments.length = 0;
        segments.offsetType = (VkrType)ONE_OF(seed, 0, VKR_TYPE_U32, VKR_TYPE_U64);
        const uint64_t unit = segments.offsetType == VKR_TYPE_U64 ? 8 : 4;
        const uint64_t entries = 1 + random_below(seed, (uint64_t)1 << random_below(seed, 20));
        segments.offsets =
            (VkrBufferRange){letter(o, OFFSETS), 4 * random_below(seed, 100), unit * entries};
        add_region(o, letter(o, OFFSETS), segments.offsets.offset, segments.offsets.size, false);
        segments.gpuCount = random_gpu_count(seed, o, letter(o, GPU_SEGMENTS));
        return segments;
    }
    if (random_below(seed, 3) != 0 && *count != 0)
        segments.length = 1 + random_below(seed, least(*count, segments.length));
    if (segments.kind != VKR_SEGMENTS_WINDOWS)
        *count = *count / segments.length * segments.length;
    return segments;
}

/* What the device may refuse though nothing is forced: what passes maxStorageBufferRange, or would
 * take too many dispatches. */
static bool is_large(const VkrReduceInfo *info, const VkrReduceLayout *layout, uint64_t stride)
{
    const uint64_t range = plan.device.maxStorageBufferRange / 2;
    const uint64_t partial = 700; /* bytes, at most */
    const VkrSegments *s = &info->segments;
    if (stride > range / 4 || info->count / 4000 > range / (stride + layout->stride))
        return true;
    switch (s->kind) {
    case VKR_SEGMENTS_OFFSETS:
        return info->count * stride + s->offsets.size + layout->size + 3 * 4 * layout->segments +
                   partial * (info->count / 1000 + 2) >
               range;
    case VKR_SEGMENTS_WINDOWS:
        return s->length > range / (stride + partial / 8) / 4;
    case VKR_SEGMENTS_ROWS:
        return s->length > range / stride / 4 &&
               (info->gpuCount.buffer || info->count / s->length > 100);
    default:
        return info->count / s->length > range / partial || s->length > range ||
               (info->gpuCount.buffer && info->count > UINT32_MAX);
    }
}

static VkrOpFlags random_ops(uint64_t *seed, VkrType type)
{
    VkrOpFlags ops = 0;
    for (uint64_t i = 1 + random_below(seed, 4); i > 0; i--)
        ops |= 1u << random_below(seed, VKR_OP_BITS);
    if (type >= VKR_TYPE_F16)
        ops &= ~(VkrOpFlags)(VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR);
    return ops ? ops : VKR_OP_MEAN;
}

VkrResult collect_segments(uint64_t *seed, const char *label, operation *o)
{
    VkrReduceInfo info = {.label = label};
    VkrReduceLayout layout;
    const VkrType type = (VkrType)(1 + random_below(seed, VKR_TYPE_COUNT - 1));
    const uint32_t components = 1 + (uint32_t)(random_below(seed, 2) * random_below(seed, 4));
    info.input = random_view(seed, &plan.device, type, components, WINDOWS);
    if (random_below(seed, 20) == 0)
        info.input.size = random_below(seed, (uint64_t)1 << 34);
    info.input.buffer = letter(o, INPUT);
    info.input.texels = random_texels(seed, &info.input);
    info.ops = random_ops(seed, type);
    info.count = view_capacity(&info.input);
    info.segments = random_kind(seed, o, &info.count);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    info.nan = (VkrNan)random_below(seed, 2);
    info.determinism = (VkrDeterminism)random_below(seed, 3);
    if (random_below(seed, 2))
        info.algorithm = (VkrReduceAlgorithm)(VKR_REDUCE_LANES + random_below(seed, 4));
    if (random_below(seed, 4) == 0)
        info.workgroupSize =
            info.determinism == VKR_DETERMINISM_DEVICE ? 128 : 1u << random_below(seed, 8);
    add_view(o, &info.input, 0, false);
    if (info.ops & VKR_OP_DOT) {
        info.input2 = view_of(seed, letter(o, INPUT2), type, components, info.count);
        add_view(o, &info.input2, 0, false);
    }
    if (vkrGetReduceLayout(fixture.context, &info, &layout) != VKR_SUCCESS)
        return VKR_ERROR_UNSUPPORTED;
    info.output = (VkrBufferRange){letter(o, OUTPUT), 8 * random_below(seed, 100), layout.size};
    add_region(o, info.output.buffer, info.output.offset, layout.size, true);
    const uint64_t record =
        layout.size - (layout.segments - (layout.segments != 0)) * layout.stride;
    add_entries(o, info.output.buffer, info.output.offset, layout.stride, record, layout.segments);
    const uint64_t element = (uint64_t)components * vkrTypeSize(type);
    const uint64_t stride = view_stride(&info.input);
    const uint64_t stride2 = info.ops & VKR_OP_DOT ? view_stride(&info.input2) : 0;
    add_entries(o, info.input.buffer, info.input.offset, stride, element,
                layout.segments ? info.count : 0);
    o->may_fail = info.algorithm != VKR_REDUCE_AUTO || info.workgroupSize != 0 ||
                  info.determinism == VKR_DETERMINISM_DEVICE ||
                  is_large(&info, &layout, stride > stride2 ? stride : stride2);
    o->kind = info.segments.kind;
    o->segments = layout.segments;
    o->record = record;
    o->length = info.segments.kind == VKR_SEGMENTS_COLUMNS ? info.count / info.segments.length
                                                           : info.segments.length;
    o->count = info.count;
    o->output = info.output.offset;
    o->unit = vkrTypeSize(type);
    return vkrCmdReduce(fixture.recorder, &info);
}

/* ---- Dispatches ---- */

static const struct vkr_segment_uniforms *uniforms_of(const trace_dispatch *d)
{
    return (const struct vkr_segment_uniforms *)d->uniforms;
}

static const struct vkr_segment_push *push_of(const trace_dispatch *d)
{
    return (const struct vkr_segment_push *)(const void *)d->words;
}

static bool is_neighbours(const trace_dispatch *d)
{
    return strncmp(d->kernel, "neighbours_", 11) == 0;
}

static bool is_segment(const trace_dispatch *d)
{
    return is_neighbours(d) || strncmp(d->kernel, "segment_", 8) == 0;
}

static uint64_t neighbours_of(const trace_dispatch *d)
{
    return is_neighbours(d) ? d->constants[VKR_SEGMENT_CONST_NEIGHBOURS] : 1;
}

static bool is_listed(const trace_dispatch *d)
{
    const uint32_t shape = d->constants[VKR_SEGMENT_CONST_SHAPE];
    return is_segment(d) && shape >= VKR_SHAPE_MEDIUM && shape <= VKR_SHAPE_LARGE;
}

static bool by_offsets(const trace_dispatch *d)
{
    return is_listed(d) || d->constants[VKR_SEGMENT_CONST_SHAPE] == VKR_SHAPE_OFFSETS;
}

/* `count` entries of `stride`, the last of them `size`, are within the binding. */
static void check_room(const trace_dispatch *d, uint32_t binding, uint64_t skip, uint64_t count,
                       uint64_t stride, uint64_t size)
{
    if (count != 0 && skip + (count - 1) * stride + size > d->bindings[binding].range)
        fail_msg("%s: binding %u has not %llu entries of %llu", d->kernel, binding,
                 (unsigned long long)count, (unsigned long long)stride);
}

/* Partials of words, the size of which all dispatches of an operation agree on. */
static void check_partials(const trace_dispatch *d, uint32_t binding, uint32_t base, uint64_t count)
{
    operation *o = &plan.operations[d->operation];
    const uint64_t bytes = d->bindings[binding].range - 4 * (uint64_t)base;
    assert_true(count != 0 && bytes % (4 * count) == 0);
    if (o->partial == 0)
        o->partial = bytes / count;
    assert_int_equal(bytes / count, o->partial);
}

/* Windows by units of 16 bytes: the last of them end within the elements too. */
static void check_units(const trace_dispatch *d)
{
    const struct vkr_segment_push *p = push_of(d);
    const uint64_t size = plan.operations[d->operation].unit;
    const uint64_t block = neighbours_of(d), behind = d->constants[VKR_SEGMENT_CONST_LENGTH];
    const uint64_t start = (divide_up(p->ids, block) - 1) * block + p->segment_length - behind;
    const uint64_t units = divide_up((behind + block - 1) * size, 16);
    if (d->constants[VKR_CONST_PATH] == VKR_PATH_WIDE)
        check_room(d, VKR_SEGMENT_BINDING_INPUT, size * (p->input_base + start) + 16 * units, 1, 0,
                   0);
}

static void check_ranges(const trace_dispatch *d)
{
    const struct vkr_segment_push *p = push_of(d);
    const struct vkr_segment_uniforms *u = uniforms_of(d);
    const operation *o = &plan.operations[d->operation];
    const uint64_t components = d->constants[VKR_CONST_COMPONENTS];
    const uint64_t word = o->unit < 4 ? o->unit : 4;
    const uint32_t shape = d->constants[VKR_SEGMENT_CONST_SHAPE];
    const bool partials = d->constants[VKR_CONST_INPUT] == VKR_INPUT_PARTIALS;
    const uint64_t lists =
        4 * (u->most_medium + 3 * (uint64_t)u->most_large + 2 * (uint64_t)p->parts);
    if (!partials) {
        check_room(d, VKR_SEGMENT_BINDING_INPUT, o->unit * p->input_base, p->count,
                   o->unit * p->input_stride, o->unit * components);
        if (d->constants[VKR_CONST_OPS] & VKR_OP_DOT)
            check_room(d, VKR_SEGMENT_BINDING_INPUT2, o->unit * p->input2_base, p->count,
                       o->unit * u->input2_stride, o->unit * components);
    }
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_RESULT)
        check_room(d, VKR_SEGMENT_BINDING_OUTPUT, word * p->output_base, p->segments,
                   word * p->output_stride, o->record);
    if (by_offsets(d))
        check_room(d, VKR_SEGMENT_BINDING_OFFSETS, 4 * (uint64_t)u->offsets_base, p->segments + 1,
                   d->constants[VKR_CONST_FLAGS] & VKR_SEGMENT_FLAG_OFFSETS64 ? 8 : 4, 4);
    if (shape == VKR_SHAPE_OFFSETS && u->most_medium + u->most_large != 0)
        check_room(d, VKR_SEGMENT_BINDING_STORED, 4 * (uint64_t)p->stored_base, 1, 0, lists);
    if (is_listed(d))
        check_room(d, VKR_SEGMENT_BINDING_PARTIALS, 4 * (uint64_t)p->partials_base, 1, 0, lists);
    if (shape == VKR_SHAPE_PARTS)
        check_partials(d, VKR_SEGMENT_BINDING_STORED, p->stored_base, p->parts);
    if (shape == VKR_SHAPE_WINDOWS && !partials)
        check_units(d);
    if (by_offsets(d) || shape == VKR_SHAPE_WINDOWS)
        return;
    if (partials)
        check_partials(d, VKR_SEGMENT_BINDING_PARTIALS, p->partials_base,
                       (uint64_t)p->segments * u->all_parts);
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_PARTIAL)
        check_partials(d, VKR_SEGMENT_BINDING_STORED, p->stored_base,
                       (uint64_t)p->segments * (partials ? 1 : u->all_parts));
}

/* ---- What invocations take, as shaders/vkreduce/part.glsl has it ---- */

typedef struct part {
    uint64_t segment, first, count, total;
} part;

/* The part that an id stands for. `covered` is the number of elements below the GPU's count;
 * UINT64_MAX: the GPU has no count. */
static part part_of(const trace_dispatch *d, uint64_t id, uint64_t covered)
{
    const struct vkr_segment_push *p = push_of(d);
    const struct vkr_segment_uniforms *u = uniforms_of(d);
    const bool columns = d->constants[VKR_SEGMENT_CONST_SHAPE] == VKR_SHAPE_COLUMNS;
    const bool split = d->constants[VKR_CONST_INPUT] == VKR_INPUT_ELEMENTS &&
                       d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_PARTIAL;
    part result = {.segment = !split    ? id
                              : columns ? id % p->segments
                                        : id / p->parts,
                   .total = p->segment_length};
    const uint64_t k = !split ? 0 : columns ? id / p->segments : id % p->parts;
    result.first = result.segment * p->segment_stride;
    if (covered != UINT64_MAX) {
        uint64_t left = covered - least(result.first, covered);
        assert_true(result.first <= UINT32_MAX);
        if (columns)
            left = divide_up(left, p->element_stride);
        result.total = least(result.total, left);
    }
    result.count = result.total;
    if (!split)
        return result;
    const uint64_t index = k * u->part_length;
    result.count = index < result.total ? least(u->part_length, result.total - index) : 0;
    result.first += result.count ? index * p->element_stride : 0;
    return result;
}

/* The number of elements of a dispatch, where the GPU counts `count` elements in all. */
static uint64_t covered_by(const trace_dispatch *d, uint64_t count)
{
    const struct vkr_segment_push *p = push_of(d);
    const struct vkr_segment_uniforms *u = uniforms_of(d);
    const uint64_t first = (uint64_t)p->first_high << 32 | p->first_low;
    const uint64_t all = least((uint64_t)u->capacity_high << 32 | u->capacity_low, count);
    return all <= first ? 0 : least(all - first, p->count);
}

/* The number of elements of a segment of the request, where there are `count` elements in all. */
static uint64_t length_below(const operation *o, uint64_t segment, uint64_t count)
{
    const uint64_t stride = o->kind == VKR_SEGMENTS_COLUMNS ? o->segments : 1;
    const uint64_t first = o->kind == VKR_SEGMENTS_ROWS ? segment * o->length : segment;
    return first >= count ? 0 : least(o->length, divide_up(count - first, stride));
}

/* Checks that the elements of some parts lie inside those of the dispatch. */
static void check_reads(const trace_dispatch *d, uint64_t *seed)
{
    const struct vkr_segment_push *p = push_of(d);
    for (uint32_t k = 0; k < SAMPLES && p->ids != 0; k++) {
        const uint64_t id = k == 0 ? 0 : k == 1 ? p->ids - 1 : random_below(seed, p->ids);
        const part taken = part_of(d, id, UINT64_MAX);
        const uint64_t last = taken.first + (taken.count - 1) * p->element_stride;
        if (taken.count != 0 && last >= p->count)
            fail_msg("part %llu has element %llu of %u", (unsigned long long)id,
                     (unsigned long long)last, p->count);
    }
}

/* Checks that results are made from as many elements as there are. */
static void check_totals(const trace_dispatch *d, uint64_t *seed)
{
    const struct vkr_segment_push *p = push_of(d);
    const operation *o = &plan.operations[d->operation];
    const uint64_t word = o->unit < 4 ? o->unit : 4;
    const uint64_t at =
        d->bindings[VKR_SEGMENT_BINDING_OUTPUT].offset + word * p->output_base - o->output;
    const bool counted = (d->constants[VKR_CONST_FLAGS] & VKR_FLAG_GPU_COUNT) != 0;
    for (uint32_t k = 0; k < SAMPLES && p->ids != 0; k++) {
        const uint64_t id = k == 0 ? 0 : k == 1 ? p->ids - 1 : random_below(seed, p->ids);
        const uint64_t segment = at / (word * p->output_stride) + id;
        const uint64_t count = counted ? random_below(seed, o->count + 2) : o->count;
        const uint64_t total = part_of(d, id, counted ? covered_by(d, count) : UINT64_MAX).total;
        if (total != length_below(o, segment, count))
            fail_msg("segment %llu has %llu of %llu elements, but should have %llu",
                     (unsigned long long)segment, (unsigned long long)total,
                     (unsigned long long)count,
                     (unsigned long long)length_below(o, segment, count));
    }
}

static void check_parts(const trace_dispatch *d)
{
    static uint64_t seed = 1;
    if (by_offsets(d))
        return;
    if (d->constants[VKR_CONST_INPUT] == VKR_INPUT_ELEMENTS)
        check_reads(d, &seed);
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_RESULT)
        check_totals(d, &seed);
}

/* Checks the trips of one invocation through all its loops. */
static void check_trips(const trace_dispatch *d)
{
    const struct vkr_segment_push *p = push_of(d);
    const struct vkr_segment_uniforms *u = uniforms_of(d);
    const uint32_t team = d->constants[VKR_SEGMENT_CONST_TEAM],
                   shape = d->constants[VKR_SEGMENT_CONST_SHAPE];
    const uint64_t size = d->constants[VKR_CONST_WORKGROUP];
    const uint64_t components = d->constants[VKR_CONST_COMPONENTS];
    const uint64_t inside = components > 1 ? 1 + components : 1;
    const bool partials = d->constants[VKR_CONST_INPUT] == VKR_INPUT_PARTIALS;
    uint64_t values = partials ? u->all_parts
                      : shape == VKR_SHAPE_OFFSETS || shape == VKR_SHAPE_WINDOWS
                          ? p->segment_length
                          : least(u->part_length, p->segment_length);
    if (is_listed(d) && !partials)
        values = u->part_length;
    if (shape == VKR_SHAPE_WINDOWS) /* of each window; and what lies between, of all of them */
        values = 3 + p->parts / neighbours_of(d);
    const uint64_t lanes = team == 0 ? size : team;
    const uint64_t ids = team == 0 ? divide_up(p->ids, p->groups) : p->items;
    const uint64_t rows = neighbours_of(d);
    const uint64_t trips =
        ids * rows * (team > 1 ? team : 1) * (divide_up(values, lanes) * inside + 1);
    assert_in_range(size, 1, plan.device.maxWorkgroupSize);
    assert_true(p->groups >= 1 && (uint64_t)d->groups[0] * d->groups[1] >= p->groups);
    assert_true(team == 0 || p->groups * size * p->items * rows >= p->ids);
    if (trips >= MAX_TRIPS)
        fail_msg("shape %u, team %u: %llu ids of %llu values, %llu trips", shape, team,
                 (unsigned long long)ids, (unsigned long long)values, (unsigned long long)trips);
    if (shape == VKR_SHAPE_OFFSETS && size >= LEAST_GROUP &&
        !(d->constants[VKR_CONST_FLAGS] & VKR_FLAG_CANONICAL))
        assert_true(p->count / u->part_length < MAX_TRIPS);
}

/* Neighbours know no lists, and read partials only as windows. */
static bool is_bound(const trace_dispatch *d, uint32_t binding)
{
    if (binding == VKR_SEGMENT_BINDING_PARTIALS)
        return !is_neighbours(d) || d->constants[VKR_SEGMENT_CONST_SHAPE] == VKR_SHAPE_WINDOWS;
    return !is_neighbours(d) ||
           (binding != VKR_SEGMENT_BINDING_LISTS && binding != VKR_SEGMENT_BINDING_OFFSETS);
}

void check_segments(const trace_dispatch *d)
{
    if (!is_segment(d))
        return;
    assert_int_equal(d->push_size, sizeof(struct vkr_segment_push));
    assert_int_equal(d->constant_count, VKR_SEGMENT_CONSTANT_COUNT);
    for (uint32_t i = 0; i < VKR_MAX_BUFFERS; i++)
        assert_true(d->bindings[i].buffer != VK_NULL_HANDLE || !is_bound(d, i));
    check_ranges(d);
    check_parts(d);
    check_trips(d);
}

/* ---- An operation ---- */

/* The number of elements of rows or columns that a dispatch reads. */
static uint64_t elements_of(const trace_dispatch *d)
{
    const struct vkr_segment_push *p = push_of(d);
    const struct vkr_segment_uniforms *u = uniforms_of(d);
    if (d->constants[VKR_CONST_INPUT] == VKR_INPUT_PARTIALS)
        return 0;
    if (!is_segment(d))
        return d->push.count;
    if (d->constants[VKR_SEGMENT_CONST_SHAPE] == VKR_SHAPE_COLUMNS)
        return (uint64_t)p->segments * p->segment_length;
    assert_int_equal(p->parts, u->all_parts);
    return (uint64_t)p->segments * p->segment_length;
}

static uint64_t results_of(const trace_dispatch *d)
{
    const uint32_t output = d->constants[VKR_CONST_OUTPUT];
    if (output == VKR_OUTPUT_PARTIAL || is_listed(d))
        return 0;
    return is_segment(d) ? push_of(d)->segments : 1;
}

/* Whether one dispatch writes bytes of scratch that the other one reads or writes. */
static bool depend(const trace_dispatch *a, const trace_dispatch *b)
{
    const uint32_t shape = a->constants[VKR_SEGMENT_CONST_SHAPE];
    const bool takes = b->constants[VKR_CONST_INPUT] == VKR_INPUT_PARTIALS || is_listed(b) ||
                       b->constants[VKR_SEGMENT_CONST_SHAPE] == VKR_SHAPE_WINDOWS;
    const VkDescriptorBufferInfo *x = &a->bindings[VKR_SEGMENT_BINDING_STORED];
    const VkDescriptorBufferInfo *y = &b->bindings[VKR_SEGMENT_BINDING_PARTIALS];
    const uint64_t left = x->offset + 4 * (uint64_t)push_of(a)->stored_base;
    const uint64_t taken = y->offset + 4 * (uint64_t)push_of(b)->partials_base;
    if (!takes || (a->constants[VKR_CONST_OUTPUT] != VKR_OUTPUT_PARTIAL &&
                   (shape != VKR_SHAPE_OFFSETS || uniforms_of(a)->most_medium == 0)))
        return false;
    return x->buffer == y->buffer && left < y->offset + y->range && taken < x->offset + x->range;
}

void check_segmented(uint32_t operation_)
{
    const operation *o = &plan.operations[operation_];
    uint64_t elements = 0, results = 0;
    const bool cut = o->kind == VKR_SEGMENTS_ROWS || o->kind == VKR_SEGMENTS_COLUMNS;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        if (d->operation != operation_)
            continue;
        elements += cut ? elements_of(d) : 0;
        results += results_of(d);
        for (uint32_t k = 0; k < fixture.dispatch_count && fixture.dispatch_count < 500; k++) {
            const trace_dispatch *e = &fixture.dispatches[k];
            if (e->operation == operation_ && is_segment(d) && is_segment(e) && depend(d, e))
                assert_true(d->epoch < e->epoch);
        }
    }
    if (cut && o->segments != 0)
        assert_int_equal(elements, o->count);
    assert_int_equal(results, o->segments);
}
