/* SPDX-License-Identifier: MIT */
/*
 * What vkrCmdReduce records for sizes that no test could allocate, and for random requests on
 * random devices. Nothing is executed: the ranges that dispatches touch follow from their push
 * constants, and must be what the request and the device allow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments_trace.h"

#define MOST_OPERATIONS 4u
#define MOST_RANGES 8u
#define FUZZ_RECORDINGS 100000u
#define MAX_TRIPS 65535u

/* ---- What a dispatch touches ---- */

typedef struct range {
    VkBuffer buffer;
    uint64_t offset;
    uint64_t size;
    bool write;
} range;

/* `count` values that lie `stride` bytes apart. */
typedef struct row {
    VkBuffer buffer;
    uint64_t offset;
    uint64_t stride;
    uint64_t count;
} row;

typedef struct touched {
    uint32_t count;
    range ranges[MOST_RANGES];
    row taken; /* partial values read and written; count 0 for none */
    row left;
} touched;

/* The requests of the recording, by label. */
static struct {
    VkrContextProperties device;
    uint32_t count;
    VkrReduceInfo infos[MOST_OPERATIONS];
    VkrReduceLayout layouts[MOST_OPERATIONS];
    uint32_t partial_size[MOST_OPERATIONS]; /* 0: not known yet */
} plan;

static uint64_t at_least_1(uint64_t value)
{
    return value ? value : 1;
}

static uint64_t stride_of(const VkrView *view)
{
    return view->stride ? view->stride : at_least_1(view->components) * vkrTypeSize(view->type);
}

static uint64_t elements_of(const VkrReduceInfo *info)
{
    const VkrView *view = &info->input;
    const uint64_t element = at_least_1(view->components) * vkrTypeSize(view->type);
    if (info->count != VKR_COUNT_ALL)
        return info->count;
    return view->size < element ? 0 : (view->size - element) / stride_of(view) + 1;
}

/* A range that its descriptor must hold. */
static void touch(touched *t, const trace_dispatch *d, uint32_t binding, uint64_t skip,
                  uint64_t size, bool write)
{
    const VkDescriptorBufferInfo *info = &d->bindings[binding];
    assert_true(skip + size <= info->range);
    assert_true(skip + size <= (uint64_t)1 << 34); /* 32-bit indices of units reach it */
    assert_true(t->count < MOST_RANGES);
    t->ranges[t->count++] = (range){info->buffer, info->offset + skip, size, write};
}

static void touch_view(touched *t, const trace_dispatch *d, uint32_t binding, const VkrView *view,
                       uint32_t base, uint32_t stride, bool replaced)
{
    const uint64_t unit = vkrTypeSize(view->type);
    const uint64_t element = unit * at_least_1(view->components);
    const uint64_t first = (uint64_t)d->push.first_high << 32 | d->push.first_low;
    if (d->push.count == 0)
        return;
    assert_true(base + (d->push.count - 1) * (uint64_t)stride + element / unit <= (uint64_t)1
                                                                                      << 32);
    touch(t, d, binding, base * unit, (d->push.count - 1) * (uint64_t)stride * unit + element,
          false);
    const range *r = &t->ranges[t->count - 1];
    assert_ptr_equal(r->buffer, view->buffer);
    assert_true(r->offset >= view->offset && r->offset + r->size <= view->offset + view->size);
    if (replaced)
        return;
    assert_int_equal(r->offset, view->offset + first * stride_of(view));
    if (d->push.count > 1)
        assert_int_equal(stride * unit, stride_of(view));
}

/* Partials of `words` each, the size of which all dispatches of an operation agree on. */
static row touch_partials(touched *t, const trace_dispatch *d, uint32_t binding, uint32_t base,
                          uint32_t stride, uint32_t count, bool write)
{
    const VkDescriptorBufferInfo *info = &d->bindings[binding];
    const uint64_t ends = 4 * ((uint64_t)base + (count - 1) * (uint64_t)stride);
    uint32_t *size = &plan.partial_size[d->operation];
    assert_true(count > 0 && ends < info->range);
    if (*size == 0)
        *size = (uint32_t)(info->range - ends);
    assert_int_equal(info->range - ends, *size);
    assert_true(*size % 4 == 0 && (count == 1 || 4 * stride >= *size));
    touch(t, d, binding, 4 * (uint64_t)base, ends + *size - 4 * (uint64_t)base, write);
    return (row){info->buffer, info->offset + 4 * (uint64_t)base, 4 * (uint64_t)stride, count};
}

static void touch_source(touched *t, const trace_dispatch *d, const VkrReduceInfo *info)
{
    const struct vkr_reduce_push *p = &d->push;
    const bool replaced = (d->constants[VKR_CONST_FLAGS] & VKR_FLAG_REPLACED) != 0;
    if (d->constants[VKR_CONST_INPUT] == VKR_INPUT_PARTIALS) {
        t->taken = touch_partials(t, d, VKR_BINDING_PARTIALS, p->partials_base, p->partials_stride,
                                  p->count, false);
        return;
    }
    touch_view(t, d, VKR_BINDING_INPUT, &info->input, p->input_base, p->input_stride, replaced);
    if (replaced)
        t->taken = (row){t->ranges[0].buffer, t->ranges[0].offset,
                         (uint64_t)p->input_stride * vkrTypeSize(info->input.type), p->count};
    if (info->ops & VKR_OP_DOT)
        touch_view(t, d, VKR_BINDING_INPUT2, &info->input2, p->input2_base, p->input2_stride,
                   false);
}

static void touch_elements(touched *t, const trace_dispatch *d, const VkrReduceInfo *info)
{
    const uint64_t unit = vkrTypeSize(info->input.type);
    const uint64_t stride = unit * d->push.stored_stride;
    const uint64_t element = unit * at_least_1(info->input.components);
    touch(t, d, VKR_BINDING_ELEMENT, unit * d->push.input_base,
          (d->push.groups - 1) * stride + element, true);
    const range *r = &t->ranges[t->count - 1];
    assert_ptr_equal(r->buffer, info->input.buffer);
    assert_true(r->offset >= info->input.offset);
    assert_true(r->offset + r->size <= info->input.offset + info->input.size);
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_ELEMENT)
        t->left = (row){r->buffer, r->offset, stride, d->push.groups};
}

static void touch_target(touched *t, const trace_dispatch *d, const VkrReduceInfo *info)
{
    const struct vkr_reduce_push *p = &d->push;
    const uint32_t output = d->constants[VKR_CONST_OUTPUT];
    if (output == VKR_OUTPUT_PARTIAL || output == VKR_OUTPUT_LAST)
        t->left = touch_partials(t, d, VKR_BINDING_STORED, p->stored_base, p->stored_stride,
                                 p->groups, true);
    if (output == VKR_OUTPUT_LAST) {
        t->left.count = 0; /* the dispatch takes them itself */
        touch(t, d, VKR_BINDING_COUNTER, 4 * (uint64_t)p->counter_base, 4, true);
    }
    if (output >= VKR_OUTPUT_ELEMENT)
        touch_elements(t, d, info);
    if (output != VKR_OUTPUT_PARTIAL && output != VKR_OUTPUT_ELEMENT) {
        const uint64_t unit = vkrTypeSize(info->input.type) < 4 ? vkrTypeSize(info->input.type) : 4;
        touch(t, d, VKR_BINDING_OUTPUT, unit * p->output_base, plan.layouts[d->operation].size,
              true);
        assert_ptr_equal(t->ranges[t->count - 1].buffer, info->output.buffer);
        assert_int_equal(t->ranges[t->count - 1].offset, info->output.offset);
    }
}

static touched touch_all(const trace_dispatch *d)
{
    const VkrReduceInfo *info = &plan.infos[d->operation];
    touched t = {0};
    touch_source(&t, d, info);
    touch_target(&t, d, info);
    if (info->gpuCount.buffer) {
        const uint64_t size = info->gpuCount.type == VKR_TYPE_U64 ? 8 : 4;
        touch(&t, d, VKR_BINDING_COUNT, 4 * (uint64_t)d->push.count_base, size, false);
        assert_ptr_equal(t.ranges[t.count - 1].buffer, info->gpuCount.buffer);
        assert_int_equal(t.ranges[t.count - 1].offset, info->gpuCount.offset);
    }
    return t;
}

/* ---- A dispatch against the device's limits ---- */

static void check_limits(const trace_dispatch *d)
{
    const VkrContextProperties *device = &plan.device;
    for (uint32_t i = 0; i < VKR_REDUCE_BINDINGS; i++) {
        assert_non_null(d->bindings[i].buffer);
        assert_int_equal(d->bindings[i].offset % device->granule, 0);
        assert_in_range(d->bindings[i].range, 1, device->maxStorageBufferRange);
    }
    const uint64_t size = d->constants[VKR_CONST_WORKGROUP];
    const uint64_t components = d->constants[VKR_CONST_COMPONENTS];
    const uint64_t groups =
        at_least_1((d->push.count + size * d->push.items - 1) / (size * d->push.items));
    assert_in_range(size, 1, device->maxWorkgroupSize);
    assert_int_equal(d->push.groups, groups);
    assert_in_range(d->groups[0], 1, device->maxComputeWorkGroupCount[0]);
    assert_in_range(d->groups[1], 1, device->maxComputeWorkGroupCount[1]);
    assert_int_equal(d->groups[2], 1);
    assert_true((uint64_t)d->groups[0] * d->groups[1] >= groups);
    assert_true((uint64_t)d->groups[0] * d->groups[1] <= UINT32_MAX);
    uint64_t reads = d->push.items;
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_LAST)
        reads += (groups + size - 1) / size;
    /* The kernels of several components loop over them. */
    assert_true(reads * (components > 1 ? 1 + components : 1) < MAX_TRIPS);
}

static void check_constants(const trace_dispatch *d)
{
    const VkrReduceInfo *info = &plan.infos[d->operation];
    const uint64_t count = elements_of(info);
    const uint32_t flags = d->constants[VKR_CONST_FLAGS];
    assert_int_equal((uint64_t)d->push.capacity_high << 32 | d->push.capacity_low, count);
    assert_int_equal(d->constants[VKR_CONST_OPS], info->ops);
    assert_int_equal(d->constants[VKR_CONST_COMPONENTS], at_least_1(info->input.components));
    assert_int_equal((flags & VKR_FLAG_WIDE_INDEX) != 0, count >> 32 != 0);
    assert_int_equal((flags & VKR_FLAG_GPU_COUNT) != 0, info->gpuCount.buffer != VK_NULL_HANDLE);
    assert_int_equal((flags & VKR_FLAG_PROPAGATE_NAN) != 0, info->nan == VKR_NAN_PROPAGATE);
    if (info->workgroupSize)
        assert_int_equal(d->constants[VKR_CONST_WORKGROUP], info->workgroupSize);
    if (d->constants[VKR_CONST_OUTPUT] != VKR_OUTPUT_LAST)
        return;
    const VkDescriptorBufferInfo *counter = &d->bindings[VKR_BINDING_COUNTER];
    const uint64_t at = counter->offset + 4 * (uint64_t)d->push.counter_base;
    bool found = false;
    for (uint32_t i = 0; i < fixture.fill_count; i++) {
        const VkrBufferRange *fill = &fixture.fills[i];
        found |= fill->buffer == counter->buffer && fill->offset <= at &&
                 at + 4 <= fill->offset + fill->size;
    }
    assert_true(found && d->filled);
}

/* ---- An operation: every element once, every partial once, one result ---- */

static int compare_first(const void *a, const void *b)
{
    const trace_dispatch *x = *(const trace_dispatch *const *)a;
    const trace_dispatch *y = *(const trace_dispatch *const *)b;
    const uint64_t first = (uint64_t)x->push.first_high << 32 | x->push.first_low;
    const uint64_t other = (uint64_t)y->push.first_high << 32 | y->push.first_low;
    return (first > other) - (first < other);
}

static bool reads_input(const trace_dispatch *d)
{
    return d->constants[VKR_CONST_INPUT] == VKR_INPUT_ELEMENTS &&
           !(d->constants[VKR_CONST_FLAGS] & VKR_FLAG_REPLACED);
}

/* Returns the number of windows. */
static uint32_t check_windows(uint32_t operation)
{
    static const trace_dispatch *windows[TRACE_MOST];
    uint32_t count = 0;
    uint64_t end = 0;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++)
        if (fixture.dispatches[i].operation == operation && reads_input(&fixture.dispatches[i]))
            windows[count++] = &fixture.dispatches[i];
    qsort(windows, count, sizeof windows[0], compare_first);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal((uint64_t)windows[i]->push.first_high << 32 | windows[i]->push.first_low,
                         end);
        assert_true(count == 1 || windows[i]->push.count > 0);
        end += windows[i]->push.count;
    }
    assert_int_equal(end, elements_of(&plan.infos[operation]));
    return count;
}

typedef struct pool {
    uint32_t count;
    row rows[TRACE_MOST];
} pool;

static void put(pool *p, const row *r)
{
    assert_true(p->count < TRACE_MOST);
    if (r->count)
        p->rows[p->count++] = *r;
}

/* Each must be there; it is not any more afterwards. */
static void take(pool *p, row wanted)
{
    for (uint32_t i = 0; wanted.count && i < p->count; i++) {
        const row r = p->rows[i];
        const uint64_t skip = wanted.offset - r.offset;
        const bool apart = wanted.count > 1 && r.count > 1 && wanted.stride != r.stride;
        if (r.buffer != wanted.buffer || wanted.offset < r.offset || apart ||
            (r.count > 1 ? skip % r.stride || skip / r.stride >= r.count : skip != 0))
            continue;
        const uint64_t index = r.count > 1 ? skip / r.stride : 0;
        const uint64_t taken = wanted.count < r.count - index ? wanted.count : r.count - index;
        const row before = {r.buffer, r.offset, r.stride, index};
        const row after = {r.buffer, r.offset + (index + taken) * r.stride, r.stride,
                           r.count - index - taken};
        p->rows[i] = p->rows[--p->count];
        put(p, &before);
        put(p, &after);
        wanted.offset += taken * wanted.stride;
        wanted.count -= taken;
        i = UINT32_MAX; /* from the first one again */
    }
    assert_int_equal(wanted.count, 0);
}

static void check_operation(uint32_t operation)
{
    static pool partials;
    uint32_t results = 0;
    partials.count = 0;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        const uint32_t output = d->constants[VKR_CONST_OUTPUT];
        if (d->operation != operation)
            continue;
        assert_int_equal(results, 0); /* nothing comes behind the result */
        const touched t = touch_all(d);
        take(&partials, t.taken);
        put(&partials, &t.left);
        results += output != VKR_OUTPUT_PARTIAL && output != VKR_OUTPUT_ELEMENT;
        if (output == VKR_OUTPUT_RESULT || output == VKR_OUTPUT_ELEMENT_RESULT)
            assert_int_equal(d->push.groups, 1);
    }
    assert_int_equal(results, 1);
    assert_int_equal(partials.count, 0);
}

/* ---- The whole recording ---- */

static bool conflict(const touched *a, const touched *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            const range *x = &a->ranges[i];
            const range *y = &b->ranges[k];
            if ((x->write || y->write) && x->buffer == y->buffer &&
                x->offset < y->offset + y->size && y->offset < x->offset + x->size)
                return true;
        }
    }
    return false;
}

/* Whatever touches what another writes is behind a barrier, in the order of collection. */
static void check_hazards(void)
{
    static touched all[TRACE_MOST];
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        all[i] = touch_all(&fixture.dispatches[i]);
        for (uint32_t k = 0; k < i; k++) {
            const trace_dispatch *first = &fixture.dispatches[k];
            const trace_dispatch *second = &fixture.dispatches[i];
            if (!conflict(&all[k], &all[i]))
                continue;
            assert_true(first->epoch < second->epoch);
            assert_true(first->operation <= second->operation);
        }
    }
}

static void check_recording(void)
{
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        assert_true(fixture.dispatches[i].operation < plan.count);
        check_limits(&fixture.dispatches[i]);
        check_constants(&fixture.dispatches[i]);
    }
    for (uint32_t i = 0; i < plan.count; i++) {
        check_windows(i);
        check_operation(i);
    }
    check_hazards();
}

static void begin_plan(void)
{
    trace_clear();
    vkrGetContextProperties(fixture.context, &plan.device);
    plan.count = 0;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
}

static VkrResult add_to_plan(const VkrReduceInfo *info)
{
    char label[8];
    VkrReduceInfo *kept = &plan.infos[plan.count];
    snprintf(label, sizeof label, "%u", plan.count);
    *kept = *info;
    kept->label = label;
    plan.partial_size[plan.count] = 0;
    if (vkrGetReduceLayout(fixture.context, kept, &plan.layouts[plan.count]) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    const VkrResult result = vkrCmdReduce(fixture.recorder, kept);
    plan.count += result == VKR_SUCCESS;
    return result;
}

static void end_plan(void)
{
    if (vkrEnd(fixture.recorder, &plain_end) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    check_recording();
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

/* ---- Sizes past 2^32 ---- */

static const struct {
    VkrType type;
    uint32_t range;  /* of the device */
    uint32_t groups; /* lowered limit, or 0 */
    uint64_t count;
    uint64_t offset;
    VkrDeterminism determinism;
    VkrReduceAlgorithm algorithm;
    uint32_t windows;
} huge_rows[] = {
    {VKR_TYPE_U8, UINT32_MAX, 0, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 4},
    {VKR_TYPE_U8, 1u << 27, 0, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 64},
    {VKR_TYPE_U8, 1u << 27, 0, 1ull << 33, 13, 0, VKR_REDUCE_AUTO, 65},
    {VKR_TYPE_F32, UINT32_MAX, 0, 1ull << 34, 0, 0, VKR_REDUCE_AUTO, 17},
    {VKR_TYPE_F32, 1u << 27, 0, 1ull << 34, 0, 0, VKR_REDUCE_AUTO, 512},
    {VKR_TYPE_F32, UINT32_MAX, 1, 1ull << 34, 0, 0, VKR_REDUCE_AUTO, 17},
    {VKR_TYPE_U8, UINT32_MAX, 1, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 9},
    {VKR_TYPE_U8, UINT32_MAX, 7, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 4},
    {VKR_TYPE_U8, UINT32_MAX, 7, 1ull << 33, 0, 0, VKR_REDUCE_SUBGROUP, 4},
    {VKR_TYPE_U8, UINT32_MAX, 1, 1ull << 33, 0, 0, VKR_REDUCE_TREE, 513},
    {VKR_TYPE_U8, 1u << 27, 0, 1ull << 33, 0, 0, VKR_REDUCE_TREE, 64},
    {VKR_TYPE_U8, UINT32_MAX, 7, 1ull << 33, 0, 0, VKR_REDUCE_RECURSIVE, 74},
    {VKR_TYPE_F32, 1u << 27, 0, 1ull << 34, 0, VKR_DETERMINISM_DEVICE, VKR_REDUCE_AUTO, 512},
    {VKR_TYPE_F32, UINT32_MAX, 1, 1ull << 34, 4, VKR_DETERMINISM_DEVICE, VKR_REDUCE_TREE, 33},
};

static void test_huge(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(huge_rows); k++) {
        for (uint32_t cpu = 0; cpu < 2; cpu++) {
            const trace_device device = {
                .range = huge_rows[k].range,
                .cpu = cpu,
                .limits = {.maxComputeWorkGroupCount = huge_rows[k].groups}};
            const VkrReduceInfo info = {
                .ops = VKR_OP_ARGMIN | VKR_OP_SUM | VKR_OP_COUNT,
                .input = {BUFFER('A'), huge_rows[k].offset,
                          huge_rows[k].count * vkrTypeSize(huge_rows[k].type), huge_rows[k].type, 1,
                          0},
                .count = VKR_COUNT_ALL,
                .output = {BUFFER('O'), 0, 64},
                .determinism = huge_rows[k].determinism,
                .algorithm = huge_rows[k].algorithm,
                .workgroupSize = huge_rows[k].determinism ? 0 : 256};
            trace_open(&device);
            begin_plan();
            if (add_to_plan(&info) != VKR_SUCCESS)
                fail_msg("row %zu: %s", k, fixture.sentence);
            assert_int_equal(plan.layouts[0].results[9].type, VKR_TYPE_U64);
            end_plan();
            if (!cpu)
                assert_int_equal(check_windows(0), huge_rows[k].windows);
            trace_close();
        }
    }
}

/* ---- Layouts ---- */

static const struct {
    VkrType element, accumulator, absolute, summed, summed_absolute, real;
} type_rows[] = {
    {VKR_TYPE_I8, 0, VKR_TYPE_U8, VKR_TYPE_I32, VKR_TYPE_U32, VKR_TYPE_F32},
    {VKR_TYPE_I8, VKR_TYPE_I64, VKR_TYPE_U8, VKR_TYPE_I64, VKR_TYPE_U64, VKR_TYPE_F32},
    {VKR_TYPE_U8, VKR_TYPE_U32, VKR_TYPE_U8, VKR_TYPE_U32, VKR_TYPE_U32, VKR_TYPE_F32},
    {VKR_TYPE_U8, VKR_TYPE_U64, VKR_TYPE_U8, VKR_TYPE_U64, VKR_TYPE_U64, VKR_TYPE_F32},
    {VKR_TYPE_I16, 0, VKR_TYPE_U16, VKR_TYPE_I32, VKR_TYPE_U32, VKR_TYPE_F32},
    {VKR_TYPE_I16, VKR_TYPE_I64, VKR_TYPE_U16, VKR_TYPE_I64, VKR_TYPE_U64, VKR_TYPE_F32},
    {VKR_TYPE_U16, 0, VKR_TYPE_U16, VKR_TYPE_U32, VKR_TYPE_U32, VKR_TYPE_F32},
    {VKR_TYPE_U16, VKR_TYPE_U64, VKR_TYPE_U16, VKR_TYPE_U64, VKR_TYPE_U64, VKR_TYPE_F32},
    {VKR_TYPE_I32, VKR_TYPE_I32, VKR_TYPE_U32, VKR_TYPE_I32, VKR_TYPE_U32, VKR_TYPE_F32},
    {VKR_TYPE_I32, VKR_TYPE_I64, VKR_TYPE_U32, VKR_TYPE_I64, VKR_TYPE_U64, VKR_TYPE_F32},
    {VKR_TYPE_U32, 0, VKR_TYPE_U32, VKR_TYPE_U32, VKR_TYPE_U32, VKR_TYPE_F32},
    {VKR_TYPE_U32, VKR_TYPE_U64, VKR_TYPE_U32, VKR_TYPE_U64, VKR_TYPE_U64, VKR_TYPE_F32},
    {VKR_TYPE_I64, 0, VKR_TYPE_U64, VKR_TYPE_I64, VKR_TYPE_U64, VKR_TYPE_F64},
    {VKR_TYPE_U64, VKR_TYPE_U64, VKR_TYPE_U64, VKR_TYPE_U64, VKR_TYPE_U64, VKR_TYPE_F64},
    {VKR_TYPE_F16, 0, VKR_TYPE_F16, VKR_TYPE_F32, VKR_TYPE_F32, VKR_TYPE_F32},
    {VKR_TYPE_F16, VKR_TYPE_F64, VKR_TYPE_F16, VKR_TYPE_F64, VKR_TYPE_F64, VKR_TYPE_F64},
    {VKR_TYPE_F32, VKR_TYPE_F32, VKR_TYPE_F32, VKR_TYPE_F32, VKR_TYPE_F32, VKR_TYPE_F32},
    {VKR_TYPE_F32, VKR_TYPE_F64, VKR_TYPE_F32, VKR_TYPE_F64, VKR_TYPE_F64, VKR_TYPE_F64},
    {VKR_TYPE_F64, 0, VKR_TYPE_F64, VKR_TYPE_F64, VKR_TYPE_F64, VKR_TYPE_F64},
};
#define INTEGER_OPS (VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR)
#define ALL_OPS ((1u << VKR_OP_BITS) - 1)

static bool is_float(VkrType type)
{
    return type >= VKR_TYPE_F16;
}

static VkrType result_type(size_t k, VkrOp op, bool wide_index)
{
    switch (op) {
    case VKR_OP_ABSMAX:
        return type_rows[k].absolute;
    case VKR_OP_L1:
        return type_rows[k].summed_absolute;
    case VKR_OP_SUM:
    case VKR_OP_PRODUCT:
    case VKR_OP_SUMSQ:
    case VKR_OP_DOT:
        return type_rows[k].summed;
    case VKR_OP_MEAN:
    case VKR_OP_L2:
        return type_rows[k].real;
    case VKR_OP_ARGMIN:
    case VKR_OP_ARGMAX:
        return wide_index ? VKR_TYPE_U64 : VKR_TYPE_U32;
    case VKR_OP_COUNT:
    case VKR_OP_NAN:
        return VKR_TYPE_U64;
    default:
        return type_rows[k].element;
    }
}

static void check_layout(size_t k, const VkrReduceInfo *info)
{
    const uint32_t components = info->input.components;
    const bool wide_index = elements_of(info) >> 32 != 0;
    VkrReduceLayout layout;
    VkDeviceSize end = 0;
    VkDeviceSize alignment = vkrTypeSize(info->input.type) < 4 ? vkrTypeSize(info->input.type) : 4;
    assert_int_equal(vkrGetReduceLayout(fixture.context, info, &layout), VKR_SUCCESS);
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &layout.results[bit];
        if (!(info->ops >> bit & 1)) {
            assert_int_equal(result->type, VKR_TYPE_UNDEFINED);
            continue;
        }
        const VkrType type = result_type(k, (VkrOp)(1u << bit), wide_index);
        const uint32_t size = vkrTypeSize(type);
        assert_int_equal(result->type, type);
        assert_int_equal(result->offset, (end + size - 1) / size * size);
        end = result->offset + (VkDeviceSize)size * components;
        alignment = alignment > size ? alignment : size;
    }
    assert_int_equal(layout.components, components);
    assert_int_equal(layout.size, end);
    assert_int_equal(layout.alignment, alignment);
    /* Wherever an output starts, the next one `spacing` behind starts past its last granule. */
    for (VkDeviceSize start = 0; start < plan.device.granule; start += alignment) {
        const VkDeviceSize next = start + layout.spacing;
        assert_true(next / plan.device.granule * plan.device.granule >= start + end);
    }
    assert_int_equal(layout.spacing % alignment, 0);
}

/* Every type and accumulator, with every pair of operators, all of them, and random sets. */
static void test_layouts(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (uint32_t granule = 4; granule <= 256; granule *= 4) {
        trace_open(&(trace_device){.granule = granule});
        vkrGetContextProperties(fixture.context, &plan.device);
        assert_int_equal(plan.device.granule, granule);
        for (size_t k = 0; k < ARRAY_SIZE(type_rows); k++) {
            for (uint32_t i = 0; i < VKR_OP_BITS * VKR_OP_BITS + 100; i++) {
                VkrReduceInfo info = {.accumulator = type_rows[k].accumulator};
                info.ops = 1u << i % VKR_OP_BITS | 1u << i / VKR_OP_BITS % VKR_OP_BITS;
                if (i >= VKR_OP_BITS * VKR_OP_BITS)
                    info.ops = i % 10 ? (uint32_t)random_below(&seed, ALL_OPS) : ALL_OPS;
                if (is_float(type_rows[k].element))
                    info.ops &= ~(uint32_t)INTEGER_OPS;
                info.ops = info.ops ? info.ops : VKR_OP_MAX;
                info.count = random_below(&seed, 3) - 1 + ((uint64_t)1 << 32); /* or all */
                info.input = (VkrView){.size = (uint64_t)1 << 40,
                                       .type = type_rows[k].element,
                                       .components = 1 + (uint32_t)random_below(&seed, 4)};
                check_layout(k, &info);
            }
        }
        trace_close();
    }
}

/* ---- Random requests ---- */

#define ONE_OF(seed, ...)                                                                          \
    (((const uint64_t[]){                                                                          \
        __VA_ARGS__})[random_below(seed, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))])

static trace_device random_device(uint64_t *seed)
{
    trace_device device = {
        .range = (uint32_t)ONE_OF(seed, 1u << 27, 1u << 30, UINT32_MAX, 65536, 100000),
        .granule = (uint32_t)ONE_OF(seed, 1, 4, 16, 64, 256),
        .groups = (uint32_t)ONE_OF(seed, 65535, 65535, INT32_MAX, 7, 1),
        .rows = (uint32_t)ONE_OF(seed, 65535, 65535, 2),
        .workgroup = (uint32_t)ONE_OF(seed, 128, 256, 1024),
        .shared = (uint32_t)ONE_OF(seed, 16384, 32768, 49152),
        .rung = (VkrRung)random_below(seed, VKR_RUNG_COUNT),
        .cpu = random_below(seed, 2),
        .pools = random_below(seed, 2),
    };
    if (random_below(seed, 2))
        device.limits.maxStorageBufferRange = 65536;
    if (random_below(seed, 4) == 0)
        device.limits.maxComputeWorkGroupCount = 1;
    return device;
}

/* Up to about so many windows. */
static VkrView random_view(uint64_t *seed, VkrType type, uint32_t components, uint64_t windows)
{
    const uint64_t unit = vkrTypeSize(type);
    const uint64_t groups =
        (uint64_t)plan.device.maxComputeWorkGroupCount[0] * plan.device.maxComputeWorkGroupCount[1];
    const uint64_t range_limit = plan.device.maxStorageBufferRange;
    const uint64_t reach = range_limit < 128 * groups ? range_limit : 128 * groups;
    VkrView view = {.buffer = BUFFER('A' + (int)random_below(seed, 3)),
                    .offset = unit * random_below(seed, 300),
                    .type = type,
                    .components = components};
    if (random_below(seed, 3) == 0)
        view.stride = unit * (components + ONE_OF(seed, 0, 1, 5, 100, 1000));
    if (random_below(seed, 50) == 0)
        view.stride = unit * (range_limit / unit + random_below(seed, 3) - 1);
    const uint64_t size = (uint64_t)1 << random_below(seed, 40);
    view.size = random_below(seed, size < reach * windows ? size : reach * windows);
    return view;
}

static void random_ops(uint64_t *seed, VkrReduceInfo *info)
{
    for (uint64_t i = 1 + random_below(seed, 4); i > 0; i--)
        info->ops |= 1u << random_below(seed, VKR_OP_BITS);
    if (is_float(info->input.type))
        info->ops &= ~(uint32_t)INTEGER_OPS;
    if (random_below(seed, 6) == 0) {
        info->ops = (uint32_t)ONE_OF(seed, VKR_OP_MIN, VKR_OP_MAX);
        info->flags = VKR_REDUCE_CONSUME_INPUT_BIT;
        info->algorithm = random_below(seed, 2) ? VKR_REDUCE_AUTO : VKR_REDUCE_RECURSIVE;
    }
    info->ops = info->ops ? info->ops : VKR_OP_NAN;
}

static VkrReduceInfo random_info(uint64_t *seed)
{
    const size_t k = (size_t)random_below(seed, ARRAY_SIZE(type_rows));
    const uint32_t components = 1 + (uint32_t)(random_below(seed, 2) * random_below(seed, 4));
    VkrReduceInfo info = {
        .input = random_view(seed, type_rows[k].element, components, 12),
        .accumulator = type_rows[k].accumulator,
        .nan = (VkrNan)random_below(seed, 2),
        .determinism = (VkrDeterminism)random_below(seed, 3),
        .algorithm = (VkrReduceAlgorithm)(random_below(seed, 2) * random_below(seed, 5)),
        .output = {BUFFER(random_below(seed, 4) ? 'O' : 'A'), 8 * random_below(seed, 100), 4096}};
    random_ops(seed, &info);
    info.count = elements_of(&(VkrReduceInfo){.input = info.input, .count = VKR_COUNT_ALL});
    if (info.count && random_below(seed, 3) == 0)
        info.count -= random_below(seed, info.count);
    if (info.ops & VKR_OP_DOT) {
        info.input2 = info.input;
        info.input2.buffer = BUFFER('B');
        info.input2.stride = random_below(seed, 2) ? 0 : stride_of(&info.input) * 2;
        info.input2.size = info.count * stride_of(&info.input2);
    }
    if (random_below(seed, 4) == 0)
        info.gpuCount =
            (VkrGpuCount){BUFFER(random_below(seed, 4) ? 'C' : 'O'), 4 * random_below(seed, 100),
                          (VkrType)ONE_OF(seed, 0, VKR_TYPE_U32, VKR_TYPE_U64)};
    if (random_below(seed, 4) == 0 && info.determinism != VKR_DETERMINISM_DEVICE)
        info.workgroupSize = 1u << random_below(seed, 8);
    return info;
}

/* Whether the device may refuse: only what is forced, or cannot be cut. */
static bool may_fail(const VkrReduceInfo *info)
{
    return info->algorithm != VKR_REDUCE_AUTO || info->workgroupSize || info->flags ||
           info->determinism == VKR_DETERMINISM_DEVICE ||
           (stride_of(&info->input) > plan.device.maxStorageBufferRange / 4);
}

static void test_random(void **state)
{
    uint64_t seed = 20;
    uint32_t requests = 0, refused = 0, dispatches = 0;
    (void)state;
    for (uint32_t i = 0; i < FUZZ_RECORDINGS; i++) {
        if (i % 100 == 0) {
            if (i)
                trace_close();
            const trace_device device = random_device(&seed);
            trace_open(&device);
        }
        begin_plan();
        for (uint64_t k = 1 + random_below(&seed, MOST_OPERATIONS); k > 0; k--) {
            const VkrReduceInfo info = random_info(&seed);
            const VkrResult result = add_to_plan(&info);
            requests++;
            if (result == VKR_SUCCESS)
                continue;
            if (result != VKR_ERROR_UNSUPPORTED || !may_fail(&info))
                fail_msg("request %u: %s", requests, fixture.sentence);
            refused++;
            begin_plan();
        }
        dispatches += (end_plan(), fixture.dispatch_count);
    }
    trace_close();
    print_message("# %u requests, %u refused, %u dispatches\n", requests, refused, dispatches);
    assert_true(refused < requests / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
