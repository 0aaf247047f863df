/* SPDX-License-Identifier: MIT */
/* One recorded dispatch: the ranges it touches follow from its push constants. */
#include <string.h>

#include "reduce.h"

#define MAX_TRIPS 65535u

struct plan plan;

uint64_t at_least_1(uint64_t value)
{
    return value ? value : 1;
}

uint64_t stride_of(const VkrView *view)
{
    return view->stride ? view->stride : at_least_1(view->components) * vkrTypeSize(view->type);
}

uint64_t elements_of(const VkrReduceInfo *info)
{
    const VkrView *view = &info->input;
    const uint64_t element = at_least_1(view->components) * vkrTypeSize(view->type);
    if (info->count != VKR_COUNT_ALL)
        return info->count;
    return view->size < element ? 0 : (view->size - element) / stride_of(view) + 1;
}

/* Adds a range that a dispatch touches, which must lie in its descriptor. */
static void touch(touched *t, const trace_dispatch *d, uint32_t binding, uint64_t skip,
                  uint64_t size, bool write)
{
    const VkDescriptorBufferInfo *info = &d->bindings[binding];
    assert_true(skip + size <= info->range);
    assert_true(skip + size <= (uint64_t)1 << 34); /* the reach of 32-bit indices of words */
    assert_true(t->count < MAX_RANGES);
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

/* Adds a range of partials. All dispatches of an operation must agree on the size of a partial. */
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
        t->taken = touch_partials(t, d, VKR_REDUCE_BINDING_PARTIALS, p->partials_base,
                                  p->partials_stride, p->count, false);
        return;
    }
    touch_view(t, d, VKR_REDUCE_BINDING_INPUT, &info->input, p->input_base, p->input_stride,
               replaced);
    if (replaced)
        t->taken = (row){t->ranges[0].buffer, t->ranges[0].offset,
                         (uint64_t)p->input_stride * vkrTypeSize(info->input.type), p->count};
    if (info->ops & VKR_OP_DOT)
        touch_view(t, d, VKR_REDUCE_BINDING_INPUT2, &info->input2, p->input2_base, p->input2_stride,
                   false);
}

static void touch_elements(touched *t, const trace_dispatch *d, const VkrReduceInfo *info)
{
    const uint64_t unit = vkrTypeSize(info->input.type);
    const uint64_t stride = unit * d->push.stored_stride;
    const uint64_t element = unit * at_least_1(info->input.components);
    touch(t, d, VKR_REDUCE_BINDING_STORED, unit * d->push.input_base,
          (d->push.groups - 1) * stride + element, true);
    const range *r = &t->ranges[t->count - 1];
    assert_ptr_equal(r->buffer, info->input.buffer);
    assert_true(r->offset >= info->input.offset);
    assert_true(r->offset + r->size <= info->input.offset + info->input.size);
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_ELEMENT)
        t->left = (row){r->buffer, r->offset, stride, d->push.groups};
}

/* Whether workgroups reduce blocks of the canonical tree, which they load in units. */
static bool is_of_blocks(const trace_dispatch *d)
{
    return strncmp(d->kernel, "blocks_", 7) == 0;
}

/* The number of partials: one for each block, or else one for each workgroup. */
static uint32_t partials_of(const trace_dispatch *d)
{
    return is_of_blocks(d) ? (d->push.count + VKR_TREE_BLOCK - 1) / VKR_TREE_BLOCK : d->push.groups;
}

static void touch_target(touched *t, const trace_dispatch *d, const VkrReduceInfo *info)
{
    const struct vkr_reduce_push *p = &d->push;
    const uint32_t output = d->constants[VKR_CONST_OUTPUT];
    if (output == VKR_OUTPUT_PARTIAL || output == VKR_OUTPUT_LAST)
        t->left = touch_partials(t, d, VKR_REDUCE_BINDING_STORED, p->stored_base, p->stored_stride,
                                 partials_of(d), true);
    if (output == VKR_OUTPUT_LAST) {
        t->left.count = 0; /* the dispatch itself reads them */
        touch(t, d, VKR_REDUCE_BINDING_COUNTER, 4 * (uint64_t)p->counter_base, 4, true);
    }
    if (output >= VKR_OUTPUT_ELEMENT)
        touch_elements(t, d, info);
    if (output != VKR_OUTPUT_PARTIAL && output != VKR_OUTPUT_ELEMENT) {
        const uint64_t unit = vkrTypeSize(info->input.type) < 4 ? vkrTypeSize(info->input.type) : 4;
        touch(t, d, VKR_REDUCE_BINDING_OUTPUT, unit * p->output_base,
              plan.layouts[d->operation].size, true);
        assert_ptr_equal(t->ranges[t->count - 1].buffer, info->output.buffer);
        assert_int_equal(t->ranges[t->count - 1].offset, info->output.offset);
    }
}

touched touch_all(const trace_dispatch *d)
{
    const VkrReduceInfo *info = &plan.infos[d->operation];
    touched t = {0};
    touch_source(&t, d, info);
    touch_target(&t, d, info);
    if (info->gpuCount.buffer) {
        const uint64_t size = info->gpuCount.type == VKR_TYPE_U64 ? 8 : 4;
        touch(&t, d, VKR_REDUCE_BINDING_COUNT, 4 * (uint64_t)d->push.count_base, size, false);
        assert_ptr_equal(t.ranges[t.count - 1].buffer, info->gpuCount.buffer);
        assert_int_equal(t.ranges[t.count - 1].offset, info->gpuCount.offset);
    }
    return t;
}

/* ---- A dispatch against the device's limits ---- */

bool reads_input(const trace_dispatch *d)
{
    return d->constants[VKR_CONST_INPUT] == VKR_INPUT_ELEMENTS &&
           !(d->constants[VKR_CONST_FLAGS] & VKR_FLAG_REPLACED);
}

static const VkrReduceInfo *info_of(const trace_dispatch *d)
{
    return &plan.infos[d->operation];
}

/* The size of a load in bytes. */
static uint64_t load_size(const trace_dispatch *d)
{
    return strstr(d->kernel, "_u64_") ? 32 : 16;
}

/* The number of elements in a unit, which fills whole loads; 1 without wide loads. */
static uint32_t unit_of(const trace_dispatch *d)
{
    return d->constants[VKR_CONST_PATH] == VKR_PATH_WIDE
               ? (uint32_t)load_size(d) / vkrTypeSize(info_of(d)->input.type)
               : 1;
}

/* Wide loads start `base` loads after `start`. They must start at element `head` of the window, and
 * end inside the view and before `end`. */
static void check_load_range(const trace_dispatch *d, const VkrView *view, uint64_t start,
                             uint32_t base, uint64_t end)
{
    const uint64_t element = stride_of(view);
    const uint64_t first = (uint64_t)d->push.first_high << 32 | d->push.first_low;
    const uint64_t at = start + load_size(d) * base;
    const uint64_t left = d->push.count > d->push.head ? d->push.count - d->push.head : 0;
    const uint64_t size = left / unit_of(d) * unit_of(d) * element;
    assert_int_equal(at, view->offset + (first + d->push.head) * element);
    assert_true(size == 0 || (at + size <= end && at + size <= view->offset + view->size));
}

static void check_loads(const trace_dispatch *d)
{
    const VkrReduceInfo *info = info_of(d);
    const uint64_t element = at_least_1(info->input.components) * vkrTypeSize(info->input.type);
    assert_true(d->texels == VK_NULL_HANDLE || d->texels == info->input.texels.view);
    if (d->constants[VKR_CONST_PATH] != VKR_PATH_WIDE || d->push.count == 0)
        return;
    const VkDescriptorBufferInfo *input = &d->bindings[VKR_REDUCE_BINDING_INPUT];
    const VkDescriptorBufferInfo *input2 = &d->bindings[VKR_REDUCE_BINDING_INPUT2];
    const VkrTexels *texels = &info->input.texels;
    assert_true(d->push.head < 32);
    assert_int_equal(stride_of(&info->input), element);
    const bool canonical = (d->constants[VKR_CONST_FLAGS] & VKR_FLAG_CANONICAL) != 0;
    assert_true(reads_input(d) && canonical == is_of_blocks(d));
    assert_true(!canonical || d->push.head == 0);
    if (d->texels)
        check_load_range(d, &info->input, texels->offset, d->push.load_base,
                         texels->offset + texels->size);
    else
        check_load_range(d, &info->input, input->offset, d->push.load_base,
                         input->offset + input->range);
    if (info->ops & VKR_OP_DOT) {
        assert_int_equal(stride_of(&info->input2), element);
        check_load_range(d, &info->input2, input2->offset, d->push.load2_base,
                         input2->offset + input2->range);
    }
}

static void check_limits(const trace_dispatch *d)
{
    const VkrContextProperties *device = &plan.device;
    for (uint32_t i = 0; i < VKR_MAX_BUFFERS; i++) {
        if (is_of_blocks(d) && (i == VKR_REDUCE_BINDING_OUTPUT || i == VKR_REDUCE_BINDING_COUNTER ||
                                i == VKR_REDUCE_BINDING_STORED))
            continue;
        assert_non_null(d->bindings[i].buffer);
        assert_int_equal(d->bindings[i].offset % device->granule, 0);
        assert_in_range(d->bindings[i].range, 1, device->maxStorageBufferRange);
    }
    const uint64_t size = d->constants[VKR_CONST_WORKGROUP];
    const uint64_t components = d->constants[VKR_CONST_COMPONENTS];
    const uint64_t items = d->push.items * (uint64_t)unit_of(d);
    const uint64_t groups = at_least_1((d->push.count + size * items - 1) / (size * items));
    assert_in_range(size, 1, device->maxWorkgroupSize);
    assert_int_equal(d->push.groups, groups);
    assert_in_range(d->groups[0], 1, device->maxComputeWorkGroupCount[0]);
    assert_in_range(d->groups[1], 1, device->maxComputeWorkGroupCount[1]);
    assert_int_equal(d->groups[2], 1);
    assert_true((uint64_t)d->groups[0] * d->groups[1] >= groups);
    assert_true((uint64_t)d->groups[0] * d->groups[1] <= UINT32_MAX);
    /* Kernels loop over several components; with wide loads also over batches, units, the loads of
     * a unit and its elements. */
    const uint64_t inside = components > 1 ? 1 + components : 1;
    uint64_t trips = items * inside;
    if (d->constants[VKR_CONST_PATH] == VKR_PATH_WIDE)
        trips += d->push.items * (2 + inside) + 2 * unit_of(d);
    if (d->constants[VKR_CONST_OUTPUT] == VKR_OUTPUT_LAST)
        trips += (groups + size - 1) / size * inside;
    if (items == 0 || trips >= MAX_TRIPS)
        fail_msg("%u items of %u elements and %u components: %llu trips", d->push.items, unit_of(d),
                 (unsigned)components, (unsigned long long)trips);
}

static void check_constants(const trace_dispatch *d)
{
    const VkrReduceInfo *info = &plan.infos[d->operation];
    const uint64_t count = elements_of(info);
    const uint32_t flags = d->constants[VKR_CONST_FLAGS];
    assert_int_equal(d->push_size, sizeof d->push);
    assert_int_equal(d->constant_count, VKR_REDUCE_CONSTANT_COUNT);
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
    const VkDescriptorBufferInfo *counter = &d->bindings[VKR_REDUCE_BINDING_COUNTER];
    const uint64_t at = counter->offset + 4 * (uint64_t)d->push.counter_base;
    bool found = false;
    for (uint32_t i = 0; i < fixture.fill_count; i++) {
        const VkrBufferRange *fill = &fixture.fills[i];
        found |= fill->buffer == counter->buffer && fill->offset <= at &&
                 at + 4 <= fill->offset + fill->size;
    }
    assert_true(found && d->filled);
}

void check_dispatch(const trace_dispatch *d)
{
    check_limits(d);
    check_loads(d);
    check_constants(d);
}
