/* SPDX-License-Identifier: MIT */
/* Checks of the dispatches of segmented reductions. */
#include <string.h>

#include "ranges.h"

#define MAX_TRIPS 65535u
#define SAMPLES 8u    /* parts of a dispatch that are checked */
#define MIN_GROUP 32u /* invocations; smaller workgroups list parts in longer loops */

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

/* Checks that a binding has room for `count` entries, `stride` bytes apart, the last of `size`
 * bytes. */
static void check_room(const trace_dispatch *d, uint32_t binding, uint64_t skip, uint64_t count,
                       uint64_t stride, uint64_t size)
{
    if (count != 0 && skip + (count - 1) * stride + size > d->bindings[binding].range)
        fail_msg("%s: binding %u lacks room for %llu entries of %llu", d->kernel, binding,
                 (unsigned long long)count, (unsigned long long)stride);
}

/* Checks that all dispatches of an operation agree on the size of a partial, in whole words. */
static void check_partials(const trace_dispatch *d, uint32_t binding, uint32_t base, uint64_t count)
{
    operation *o = &plan.operations[d->operation];
    const uint64_t bytes = d->bindings[binding].range - 4 * (uint64_t)base;
    assert_true(count != 0 && bytes % (4 * count) == 0);
    if (o->partial == 0)
        o->partial = bytes / count;
    assert_int_equal(bytes / count, o->partial);
}

/* Windows may be loaded in units of 16 bytes: the last unit must end within the elements too. */
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

/* The number of nodes on `levels` levels, the lowest of which has `count` nodes from `first` on. */
static uint64_t nodes_of(uint64_t first, uint64_t count, uint32_t levels)
{
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < levels; i++)
        nodes += ((first + count - 1) >> i) - (first >> i) + 1;
    return nodes;
}

/* Checks the nodes that windows at level device read or that are computed for them. */
static void check_nodes(const trace_dispatch *d)
{
    const struct vkr_segment_push *p = push_of(d);
    const struct vkr_segment_uniforms *u = uniforms_of(d);
    const operation *o = &plan.operations[d->operation];
    const uint64_t first = u->part_length, count = u->all_parts;
    const bool partials = d->constants[VKR_CONST_INPUT] == VKR_INPUT_PARTIALS;
    uint32_t levels = 1;
    if (d->constants[VKR_SEGMENT_CONST_SHAPE] == VKR_SHAPE_WINDOWS) {
        check_room(d, VKR_SEGMENT_BINDING_PARTIALS, 4 * (uint64_t)p->partials_base,
                   nodes_of(first, count, p->parts), o->partial, o->partial);
        return;
    }
    while (neighbours_of(d) >> levels > 1)
        levels++;
    check_partials(d, VKR_SEGMENT_BINDING_STORED, p->stored_base,
                   partials ? nodes_of(first, count, levels + 1) - count : count);
    if (partials)
        check_partials(d, VKR_SEGMENT_BINDING_PARTIALS, p->partials_base, count);
    else
        check_room(d, VKR_SEGMENT_BINDING_INPUT, o->unit * p->input_base, p->ids,
                   o->unit * p->input_stride, o->unit);
    const uint64_t blocks = nodes_of(first, count, levels + 1) - nodes_of(first, count, levels);
    assert_int_equal(p->ids / neighbours_of(d), partials ? blocks : count);
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
        4 * (u->max_medium + 3 * (uint64_t)u->max_large + 2 * (uint64_t)p->parts);
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
    if (shape == VKR_SHAPE_OFFSETS && u->max_medium + u->max_large != 0)
        check_room(d, VKR_SEGMENT_BINDING_STORED, 4 * (uint64_t)p->stored_base, 1, 0, lists);
    if (is_listed(d))
        check_room(d, VKR_SEGMENT_BINDING_PARTIALS, 4 * (uint64_t)p->partials_base, 1, 0, lists);
    if (shape == VKR_SHAPE_PARTS)
        check_partials(d, VKR_SEGMENT_BINDING_STORED, p->stored_base, p->parts);
    if (shape == VKR_SHAPE_WINDOWS && !partials)
        check_units(d);
    if (shape == VKR_SHAPE_NODES ||
        (shape == VKR_SHAPE_WINDOWS && d->constants[VKR_CONST_FLAGS] & VKR_FLAG_CANONICAL))
        check_nodes(d);
    if (by_offsets(d) || shape == VKR_SHAPE_WINDOWS || shape == VKR_SHAPE_NODES)
        return;
    if (partials)
        check_partials(d, VKR_SEGMENT_BINDING_PARTIALS, p->partials_base,
                       (uint64_t)p->segments * u->all_parts);
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_PARTIAL)
        check_partials(d, VKR_SEGMENT_BINDING_STORED, p->stored_base,
                       (uint64_t)p->segments * (partials ? 1 : u->all_parts));
}

/* ---- What invocations reduce, as in shaders/vkreduce/part.glsl ---- */

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
        uint64_t left = covered - min_of(result.first, covered);
        assert_true(result.first <= UINT32_MAX);
        if (columns)
            left = divide_up(left, p->element_stride);
        result.total = min_of(result.total, left);
    }
    result.count = result.total;
    if (!split)
        return result;
    const uint64_t index = k * u->part_length;
    result.count = index < result.total ? min_of(u->part_length, result.total - index) : 0;
    result.first += result.count ? index * p->element_stride : 0;
    return result;
}

/* The number of elements of a dispatch if the GPU's count is `count`. */
static uint64_t covered_by(const trace_dispatch *d, uint64_t count)
{
    const struct vkr_segment_push *p = push_of(d);
    const struct vkr_segment_uniforms *u = uniforms_of(d);
    const uint64_t first = (uint64_t)p->first_high << 32 | p->first_low;
    const uint64_t all = min_of((uint64_t)u->capacity_high << 32 | u->capacity_low, count);
    return all <= first ? 0 : min_of(all - first, p->count);
}

/* The number of elements of a segment of the request if there are `count` elements in all. */
static uint64_t length_below(const operation *o, uint64_t segment, uint64_t count)
{
    const uint64_t stride = o->kind == VKR_SEGMENTS_COLUMNS ? o->segments : 1;
    const uint64_t first = o->kind == VKR_SEGMENTS_ROWS ? segment * o->length : segment;
    return first >= count ? 0 : min_of(o->length, divide_up(count - first, stride));
}

/* Checks that the elements of some parts lie inside those of the dispatch. */
static void check_reads(const trace_dispatch *d, uint64_t *seed)
{
    const struct vkr_segment_push *p = push_of(d);
    const bool folded = (d->constants[VKR_CONST_FLAGS] & VKR_SEGMENT_FLAG_FOLDED) != 0;
    for (uint32_t k = 0; k < SAMPLES && p->ids != 0; k++) {
        const uint64_t id = k == 0 ? 0 : k == 1 ? p->ids - 1 : random_below(seed, p->ids);
        const part taken = part_of(d, id, folded ? p->count : UINT64_MAX);
        const uint64_t last = taken.first + (taken.count - 1) * p->element_stride;
        if (taken.count != 0 && last >= p->count)
            fail_msg("part %llu has element %llu of %u", (unsigned long long)id,
                     (unsigned long long)last, p->count);
    }
}

/* Checks the number of elements from which some of the results are made. */
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
    if (by_offsets(d) || d->constants[VKR_SEGMENT_CONST_SHAPE] == VKR_SHAPE_NODES)
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
                          : min_of(u->part_length, p->segment_length);
    if (is_listed(d) && !partials)
        values = u->part_length;
    if (shape == VKR_SHAPE_NODES)
        values = 1;
    if (shape == VKR_SHAPE_WINDOWS) /* of each window, and what lies between, for all of them */
        values = 3 + p->parts / neighbours_of(d);
    const uint64_t lanes = team == 0 ? size : team;
    const uint64_t ids = team == 0 ? divide_up(p->ids, p->groups) : p->items;
    const uint64_t rows = neighbours_of(d);
    const uint64_t each = d->constants[VKR_SEGMENT_CONST_NEIGHBOURS]; /* four offsets, too */
    const uint64_t trips =
        ids * rows * (team > 1 ? team : 1) * (divide_up(values, lanes) * inside + 1);
    assert_in_range(size, 1, plan.device.maxWorkgroupSize);
    assert_true(p->groups >= 1 && (uint64_t)d->groups[0] * d->groups[1] >= p->groups);
    assert_true(team == 0 || p->groups * size * p->items * each >= p->ids);
    if (trips >= MAX_TRIPS)
        fail_msg("shape %u, team %u: %llu ids of %llu values, %llu trips", shape, team,
                 (unsigned long long)ids, (unsigned long long)values, (unsigned long long)trips);
    if (shape == VKR_SHAPE_OFFSETS && size >= MIN_GROUP &&
        !(d->constants[VKR_CONST_FLAGS] & VKR_FLAG_CANONICAL))
        assert_true(p->count / u->part_length < MAX_TRIPS);
}

/* Kernels of neighbours bind no lists and no offsets, and partials only for windows. */
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
    /* Of folded rows the last one can be shorter. */
    if ((d->constants[VKR_CONST_FLAGS] & VKR_SEGMENT_FLAG_FOLDED) != 0)
        return p->count;
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

/* Whether one dispatch writes bytes of scratch that the other one reads. */
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
                   (shape != VKR_SHAPE_OFFSETS || uniforms_of(a)->max_medium == 0)))
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
