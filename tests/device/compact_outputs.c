/* SPDX-License-Identifier: MIT */
/* Outputs of a compaction: their offsets and capacities. */
#include <stdlib.h>

#include "compact_outputs.h"

/* The size of a kept output in elements: the maximum that can be kept, a random number, or at least
 * the capacity. */
static uint64_t choose_room(row_run *r, const compact_case *c, uint32_t mode)
{
    uint64_t *random = &r->t->random;
    const uint64_t all = c->most + (c->info.append.buffer != VK_NULL_HANDLE ? 40 : 0);
    if (mode == 0)
        return all + random_below(random, 8);
    if (mode == 1)
        return 1 + random_below(random, (uint32_t)all + 2);
    return c->info.capacity + (flip(r, 2) ? 0 : random_below(random, 8));
}

static VkrView place_view(row_run *r, const char *name, VkrType type, uint32_t components,
                          VkrType said, uint64_t room)
{
    const uint32_t unit = vkrTypeSize(type), element = unit * components;
    const VkDeviceSize stride = compact_choose_stride(r, r->chosen.strided_outputs, unit, element);
    const VkDeviceSize step = stride != 0 ? stride : element;
    const VkDeviceSize extra = random_below(&r->t->random, element);
    const VkDeviceSize size = room > 0 ? (room - 1) * step + element + extra : 1 + extra / 2;
    return (VkrView){
        .buffer = r->t->buffers[COMPACT_OUTPUT].buffer.buffer,
        .offset = compact_place_anywhere(r, name, COMPACT_OUTPUT, unit, size),
        .size = size,
        .type = said,
        .components = said == VKR_TYPE_UNDEFINED ? 0 : components,
        .stride = stride,
    };
}

void compact_place_views(row_run *r, compact_case *c, uint32_t mode)
{
    const compact_row *row = r->row;
    VkrCompactInfo *info = &c->info;
    const VkrType said = flip(r, 2) ? VKR_TYPE_UNDEFINED : row->type;
    const VkrType index =
        row->indices != VKR_TYPE_UNDEFINED ? row->indices : oracle_index_type(&r->device, info);
    const uint64_t most = c->most;
    uint64_t *random = &r->t->random;
    if (row->outputs & OUT_KEPT)
        info->kept =
            place_view(r, "kept", row->type, row->components, said, choose_room(r, c, mode));
    if (row->outputs & OUT_KEPT_INDICES)
        info->keptIndices =
            place_view(r, "kept indices", index, 1, row->indices, choose_room(r, c, mode));
    if (row->outputs & OUT_LENGTHS)
        info->runLengths =
            place_view(r, "run lengths", index, 1, row->indices, choose_room(r, c, mode));
    if (row->outputs & OUT_REJECTED)
        info->rejected =
            place_view(r, "rejected", row->type, row->components, said,
                       flip(r, 2) ? most + 1 : 1 + random_below(random, (uint32_t)most + 1));
    if (row->outputs & OUT_REJECTED_INDICES)
        info->rejectedIndices =
            place_view(r, "rejected indices", index, 1, row->indices,
                       flip(r, 2) ? most + 1 : 1 + random_below(random, (uint32_t)most + 1));
}

static uint32_t payload_unit(uint32_t size)
{
    return size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
}

/* The size of a payload if the device can store units of this size; otherwise rounded to whole
 * words. */
static uint32_t payload_size(const row_run *r, uint32_t size)
{
    static const VkrType types[] = {[1] = VKR_TYPE_U8, [2] = VKR_TYPE_U16, [4] = VKR_TYPE_U32};
    return r->t->device.types[types[payload_unit(size)]] ? size : (size + 3) / 4 * 4;
}

void compact_place_payload(row_run *r, compact_case *c, int bytes, uint32_t mode)
{
    VkrPayload *p = &c->payloads[c->info.payloadCount++];
    const uint32_t size = payload_size(r, (uint32_t)abs(bytes)), unit = payload_unit(size);
    const uint64_t room = bytes < 0 ? 1 + random_below(&r->t->random, (uint32_t)c->most + 2)
                                    : choose_room(r, c, mode);
    *p = (VkrPayload){
        .size = size,
        .rejected = bytes < 0,
        .sourceStride = compact_choose_stride(r, r->chosen.strided_payloads, unit, size),
        .targetStride = compact_choose_stride(r, r->chosen.strided_payloads, unit, size)};
    const VkDeviceSize from = p->sourceStride != 0 ? p->sourceStride : size;
    const VkDeviceSize to = p->targetStride != 0 ? p->targetStride : size;
    p->source.buffer = r->t->buffers[COMPACT_INPUT].buffer.buffer;
    p->source.size = c->most > 0 ? (c->most - 1) * from + size : size;
    /* Entries of 16 or 8 bytes are moved as a whole if their offsets are multiples of that size. */
    const uint32_t whole = size % 16 == 0 ? 16 : size % 8 == 0 ? 8 : unit;
    const uint32_t at = flip(r, 2) ? whole : unit;
    p->source.offset =
        compact_place_anywhere(r, "payload source", COMPACT_INPUT, at, p->source.size);
    if (r->chosen.texels)
        p->texels = arena_place_texels(&r->t->h, &r->t->random, p->source.offset, p->source.size);
    p->target.buffer = r->t->buffers[COMPACT_OUTPUT].buffer.buffer;
    p->target.size = room > 0 ? (room - 1) * to + size : 0;
    p->target.offset =
        compact_place_anywhere(r, "payload target", COMPACT_OUTPUT, at, p->target.size);
}
