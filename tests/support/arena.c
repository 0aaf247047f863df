/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "reduce_case.h"

#define PACK 16u

bool open_arena(harness *h, const char *name, VkDeviceSize size, arena *a)
{
    *a = (arena){.name = name, .shadow = calloc(1, size)};
    return a->shadow != NULL && harness_create_buffer(h, size, &a->buffer);
}

void close_arena(harness *h, arena *a)
{
    harness_destroy_buffer(h, &a->buffer);
    free(a->shadow);
    *a = (arena){0};
}

VkDeviceSize arena_place(arena *a, uint64_t *random, VkDeviceSize alignment, VkDeviceSize size)
{
    const VkDeviceSize gap = GUARD + a->more + random_below(random, 128);
    const VkDeviceSize offset = (a->used + gap + alignment - 1) / alignment * alignment;
    a->used = offset + size;
    assert_true(a->used + GUARD <= a->buffer.size);
    return offset;
}

void arena_poison(arena *a, uint64_t *random)
{
    const VkDeviceSize words = (a->used + GUARD + 7) / 8;
    for (VkDeviceSize i = 0; i < words; i++) {
        const uint64_t bits = next_random(random);
        memcpy(a->shadow + 8 * i, &bits, 8);
    }
}

void arena_upload(arena *a)
{
    memcpy(a->buffer.data, a->shadow, a->used + GUARD);
}

VkDeviceSize arena_overwritten(const arena *a)
{
    const unsigned char *now = a->buffer.data;
    VkDeviceSize i = 0;
    if (memcmp(now, a->shadow, a->used + GUARD) == 0)
        return UINT64_MAX;
    while (now[i] == a->shadow[i])
        i++;
    return i;
}

VkrTexels arena_place_texels(const harness *h, uint64_t *random, VkDeviceSize offset,
                             VkDeviceSize size)
{
    const VkDeviceSize alignment = h->properties.limits.minTexelBufferOffsetAlignment;
    const VkDeviceSize steps = offset / alignment, end = offset + size;
    const VkDeviceSize before = random_below(random, 4);
    const VkDeviceSize start = (steps - (before < steps ? before : steps)) * alignment;
    const VkDeviceSize packs = (end - start) / PACK + random_below(random, 3);
    return (VkrTexels){.offset = start, .size = (packs != 0 ? packs : 1) * PACK};
}

void arena_create_texels(const harness *h, const arena *a, VkrTexels *texels)
{
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = a->buffer.buffer,
        .format = VK_FORMAT_R32G32B32A32_UINT,
        .offset = texels->offset,
        .range = texels->size,
    };
    if (texels->size != 0)
        assert_int_equal(vkCreateBufferView(h->device, &info, NULL, &texels->view), VK_SUCCESS);
}
