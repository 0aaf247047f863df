/* SPDX-License-Identifier: MIT */
/* Random operands, and how they are put into the plan. */
#include "ranges.h"

void add_region(operation *o, VkBuffer buffer, uint64_t offset, uint64_t size, bool written)
{
    assert_true(o->region_count < MAX_REGIONS);
    o->regions[o->region_count++] = (region){buffer, offset, size, written};
}

void add_entries(operation *o, VkBuffer buffer, uint64_t offset, uint64_t stride, uint64_t size,
                 uint64_t count)
{
    assert_true(o->walk_count < MAX_REGIONS);
    if (count)
        o->walks[o->walk_count++] = (walk){buffer, offset, stride, size, count};
}

void random_pitch(uint64_t *seed, VkrSegments *segments)
{
    if (random_below(seed, 2))
        segments->pitch = segments->length + random_below(seed, 3) * random_below(seed, 1000);
}

void mark_apart(operation *o, const VkrSegments *segments, uint64_t count)
{
    if (segments->kind != VKR_SEGMENTS_ROWS || segments->pitch <= segments->length)
        return;
    for (uint32_t i = 0; i < o->walk_count; i++)
        if (o->walks[i].count == count)
            o->walks[i].count = min_of(count, segments->length);
}

uint64_t view_stride(const VkrView *view)
{
    return view->stride ? view->stride : (uint64_t)view->components * vkrTypeSize(view->type);
}

uint64_t view_capacity(const VkrView *view)
{
    const uint64_t element = (uint64_t)view->components * vkrTypeSize(view->type);
    return view->size < element ? 0 : (view->size - element) / view_stride(view) + 1;
}

void add_texels(operation *o, VkBuffer buffer, const VkrTexels *texels)
{
    if (texels->view == VK_NULL_HANDLE)
        return;
    assert_true(o->texel_count < MAX_TEXELS);
    o->texels[o->texel_count++] = (region){buffer, texels->offset, texels->size, false};
}

void add_view(operation *o, const VkrView *view, uint64_t count, bool written)
{
    const uint64_t element = (uint64_t)view->components * vkrTypeSize(view->type);
    add_region(o, view->buffer, view->offset, view->size, written);
    add_texels(o, view->buffer, &view->texels);
    add_entries(o, view->buffer, view->offset, view_stride(view), element, count);
}

VkrView view_of(uint64_t *seed, VkBuffer buffer, VkrType type, uint32_t components, uint64_t count)
{
    const uint64_t unit = vkrTypeSize(type);
    VkrView view = {.buffer = buffer,
                    .offset = unit * random_below(seed, 300),
                    .type = type,
                    .components = components};
    if (random_below(seed, 3) == 0)
        view.stride = unit * (components + ONE_OF(seed, 0, 1, 5));
    view.size = count ? (count - 1) * view_stride(&view) + unit * components : 0;
    view.size += random_below(seed, unit);
    return view;
}

VkrTexels random_texels(uint64_t *seed, const VkrView *view)
{
    const uint64_t before = random_below(seed, view->offset + 1);
    if (random_below(seed, 3))
        return (VkrTexels){0};
    return (VkrTexels){.view = (VkBufferView)(uintptr_t)'T',
                       .offset = before,
                       .size =
                           (view->offset + view->size - before + random_below(seed, 64)) / 16 * 16};
}

VkrGpuCount random_gpu_count(uint64_t *seed, operation *o, VkBuffer buffer)
{
    const VkrGpuCount count = {buffer, 4 * random_below(seed, 100),
                               (VkrType)ONE_OF(seed, 0, VKR_TYPE_U32, VKR_TYPE_U64)};
    if (random_below(seed, 4))
        return (VkrGpuCount){0};
    add_region(o, buffer, count.offset, count.type == VKR_TYPE_U64 ? 8 : 4, false);
    return count;
}

VkrFlagView random_flags(uint64_t *seed, operation *o, VkBuffer buffer, uint64_t count)
{
    static const uint64_t units[] = {[VKR_FLAGS_U32] = 4, [VKR_FLAGS_U8] = 1};
    VkrFlagView flags = {.format = (VkrFlagFormat)random_below(seed, VKR_FLAG_FORMAT_COUNT)};
    const bool bits = flags.format == VKR_FLAGS_BITS;
    const uint64_t unit = bits ? 4 : units[flags.format];
    const uint64_t entries = bits ? (count + 31) / 32 : count;
    flags.range = (VkrBufferRange){buffer, unit * random_below(seed, 100),
                                   unit * entries + random_below(seed, 9)};
    add_region(o, buffer, flags.range.offset, flags.range.size, false);
    add_entries(o, buffer, flags.range.offset, unit, unit, entries);
    return flags;
}

/* Draws the input of a request. */
VkrView random_input(uint64_t *seed, const operation *o, uint64_t windows, uint64_t *count)
{
    const VkrType type = (VkrType)(1 + random_below(seed, VKR_TYPE_COUNT - 1));
    const uint32_t components = 1 + (uint32_t)(random_below(seed, 2) * random_below(seed, 4));
    VkrView view = random_view(seed, &plan.device, type, components, windows);
    view.buffer = letter(o, 0);
    *count = view_capacity(&view);
    if (*count && random_below(seed, 3) == 0)
        *count -= random_below(seed, *count);
    view.texels = random_texels(seed, &view);
    return view;
}

uint32_t random_workgroup(uint64_t *seed, operation *o)
{
    if (random_below(seed, 4))
        return 0;
    o->may_fail = true;
    return 1u << random_below(seed, 8);
}

void mark_wide(operation *o, const VkrView *view)
{
    if (view_stride(view) > plan.device.maxStorageBufferRange / 8)
        o->may_fail = true;
}
