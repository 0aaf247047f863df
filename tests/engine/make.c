/* SPDX-License-Identifier: MIT */
/* What operations draw, place and fill their requests with. */
#include "engine.h"

#include <stdio.h>
#include <string.h>

uint32_t test_below(test_request *t, uint32_t bound)
{
    return random_below(&t->random, bound);
}

uint32_t test_size(test_request *t, const uint32_t *sizes, uint32_t count, uint32_t most)
{
    const uint32_t choice = test_below(t, 2 * count);
    const uint32_t size = choice < count ? sizes[choice] : test_below(t, most);
    most = most < t->most ? most : t->most;
    return size < most ? size : most;
}

VkrContext test_context(void)
{
    const test_request *first = &rig.recording->requests[0];
    return get_context(&rig.contexts, first->limits, &first->tuning);
}

/* ---- Places ---- */

static const arena *arena_of(VkBuffer buffer)
{
    return buffer == rig.written.buffer.buffer   ? &rig.written
           : buffer == rig.scratch.buffer.buffer ? &rig.scratch
                                                 : &rig.given;
}

void *test_bytes(VkBuffer buffer, VkDeviceSize offset)
{
    return arena_of(buffer)->shadow + offset;
}

void *test_element(const VkrView *view, uint64_t index)
{
    return test_bytes(view->buffer, view->offset + index * view->stride);
}

uint64_t test_filled(const test_request *t, const VkrGpuCount *count, uint64_t capacity)
{
    return test_fills(t, count->buffer, count->offset) ? test_counted(count, capacity) : capacity;
}

void test_fill_view(test_request *t, const VkrView *view, distribution data, uint64_t count,
                    uint64_t capacity)
{
    if (!test_fills(t, view->buffer, view->offset))
        return;
    void *first = test_element(view, 0);
    fill_data(&t->random, data, view->type, view->components, first, view->stride, count);
    surround(&t->random, view->type, view->components, first, view->stride, count, capacity);
}

void test_value(const test_request *t, const char *what, const oracle_value *value, VkrType type,
                VkBuffer buffer, VkDeviceSize offset)
{
    char expected[64], actual[64];
    const bool proves = oracle_proves(value);
    rig.cases += proves;
    rig.unproven += !proves;
    if (!proves || oracle_accepts(value, type, test_actual(buffer, offset))) {
        test_accept(buffer, offset, vkrTypeSize(type));
        return;
    }
    memcpy(test_bytes(buffer, offset), value->bytes, vkrTypeSize(type));
    if (rig.says == 0)
        return;
    rig.says--;
    oracle_format(expected, sizeof(expected), type, value->bytes);
    oracle_format(actual, sizeof(actual), type, test_actual(buffer, offset));
    printf("# %s, %s: %s, but should be %s within %g\n", t->of->name, what, actual, expected,
           value->tolerance);
}

const void *test_actual(VkBuffer buffer, VkDeviceSize offset)
{
    return (const char *)arena_of(buffer)->buffer.data + offset;
}

void test_accept(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    memcpy(test_bytes(buffer, offset), test_actual(buffer, offset), size);
}

void test_texels(test_request *t, VkrView *view)
{
    const arena *a = arena_of(view->buffer);
    view->texels = arena_place_texels(&rig.h, &t->random, view->offset, view->size);
    arena_create_texels(&rig.h, a, &view->texels);
    assert_true(t->view_count < TEST_VIEWS);
    if (view->texels.view != VK_NULL_HANDLE)
        t->views[t->view_count++] = view->texels.view;
}

bool test_fills(const test_request *t, VkBuffer buffer, VkDeviceSize offset)
{
    return buffer == rig.given.buffer.buffer || offset >= t->first;
}

bool test_wrote(const test_request *t)
{
    const char *actual = rig.written.buffer.data;
    return memcmp(actual + t->first, rig.written.shadow + t->first, t->end - t->first) == 0;
}

VkrBufferRange test_room(test_request *t, VkDeviceSize alignment, VkDeviceSize size)
{
    arena *a = &rig.given;
    return (VkrBufferRange){a->buffer.buffer, arena_place(a, &t->random, alignment, size), size};
}

VkrBufferRange test_written(test_request *t, VkDeviceSize alignment, VkDeviceSize size)
{
    arena *a = &rig.written;
    const VkrBufferRange range = {a->buffer.buffer, arena_place(a, &t->random, alignment, size),
                                  size};
    assert_true(t->port_count < TEST_PORTS);
    t->ports[t->port_count++] = range;
    return range;
}

void test_end_port(test_request *t, VkDeviceSize unused)
{
    VkrBufferRange *port = &t->ports[t->port_count - 1];
    port->size -= unused < port->size ? unused : port->size;
}

/* Chooses a place within the outputs of earlier requests; false: it gets room of its own. */
static bool choose_earlier(test_request *t, VkDeviceSize alignment, VkDeviceSize size,
                           VkrBufferRange *range)
{
    const test_recording *r = rig.recording;
    uint32_t found = 0;
    if (!r->linked || size == 0 || test_below(t, 4) == 0)
        return false;
    for (const test_request *q = r->requests; q != t; q++) {
        for (uint32_t i = 0; i < q->port_count; i++) {
            const VkrBufferRange *port = &q->ports[i];
            const VkDeviceSize at = (port->offset + alignment - 1) / alignment * alignment;
            const VkDeviceSize end = port->offset + port->size;
            if (at + size > end || test_below(t, ++found) != 0)
                continue;
            const VkDeviceSize steps = (end - size - at) / alignment;
            *range = (VkrBufferRange){port->buffer,
                                      at + alignment * test_below(t, (uint32_t)steps + 1), size};
        }
    }
    return found != 0;
}

VkrBufferRange test_read(test_request *t, VkDeviceSize alignment, VkDeviceSize size)
{
    VkrBufferRange range;
    return choose_earlier(t, alignment, size, &range) ? range : test_room(t, alignment, size);
}

static VkDeviceSize bytes_of(VkDeviceSize size, VkDeviceSize stride, uint64_t count)
{
    return count == 0 ? 0 : (count - 1) * stride + size;
}

static VkrView view_of(VkrBufferRange range, VkrType type, uint32_t components, VkDeviceSize stride)
{
    return (VkrView){.buffer = range.buffer,
                     .offset = range.offset,
                     .size = range.size,
                     .type = type,
                     .components = components,
                     .stride = stride};
}

VkrView test_own_input(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                       VkDeviceSize alignment, uint64_t count)
{
    const VkDeviceSize size = (VkDeviceSize)vkrTypeSize(type) * components;
    return view_of(test_room(t, alignment, bytes_of(size, stride, count)), type, components,
                   stride);
}

VkrView test_input(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                   VkDeviceSize alignment, uint64_t count)
{
    const VkDeviceSize size = (VkDeviceSize)vkrTypeSize(type) * components;
    return view_of(test_read(t, alignment, bytes_of(size, stride, count)), type, components,
                   stride);
}

VkrView test_aligned_output(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                            VkDeviceSize alignment, uint64_t count)
{
    const VkDeviceSize size = (VkDeviceSize)vkrTypeSize(type) * components;
    return view_of(test_written(t, alignment, bytes_of(size, stride, count)), type, components,
                   stride);
}

VkrView test_output(test_request *t, VkrType type, uint32_t components, VkDeviceSize stride,
                    uint64_t count)
{
    return test_aligned_output(t, type, components, stride, vkrTypeSize(type), count);
}

/* ---- Payloads ---- */

VkrPayload test_payload(test_request *t, uint32_t size, uint32_t gap, bool in_place,
                        VkDeviceSize alignment, uint64_t count)
{
    const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    const VkDeviceSize stride = size + (VkDeviceSize)gap * unit;
    const VkDeviceSize bytes = bytes_of(size, stride, count);
    VkrPayload p = {.size = size, .sourceStride = stride, .targetStride = stride};
    if (alignment == 0)
        alignment = unit;
    p.target = test_written(t, alignment, bytes);
    p.source = in_place ? p.target : test_read(t, alignment, bytes);
    return p;
}

void test_expect_payload(const VkrPayload *p, uint64_t to, uint64_t from)
{
    memcpy(test_bytes(p->target.buffer, p->target.offset + to * p->targetStride),
           test_bytes(p->source.buffer, p->source.offset + from * p->sourceStride), p->size);
}

/* ---- Counts of the GPU ---- */

VkrGpuCount test_count(test_request *t, VkrType type, uint64_t capacity)
{
    if (type == VKR_TYPE_UNDEFINED)
        return (VkrGpuCount){0};
    return test_count_at(t, test_read(t, 4, vkrTypeSize(type)), type, capacity);
}

VkrGpuCount test_count_at(test_request *t, VkrBufferRange at, VkrType type, uint64_t capacity)
{
    const VkrGpuCount count = {at.buffer, at.offset, type};
    assert_true(t->count_count < TEST_COUNTS);
    t->counts[t->count_count].count = count;
    t->counts[t->count_count++].capacity = capacity;
    return count;
}

uint64_t test_counted(const VkrGpuCount *count, uint64_t capacity)
{
    uint64_t number = 0;
    if (count->buffer == VK_NULL_HANDLE)
        return capacity;
    memcpy(&number, test_bytes(count->buffer, count->offset),
           count->type == VKR_TYPE_U64 ? 8 : 4); /* the default is U32 */
    return number < capacity ? number : capacity;
}
