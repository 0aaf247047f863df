/* SPDX-License-Identifier: MIT */
/* Places the outputs of compactions: their offsets, strides and capacities. */
#include "compact_request.h"

#include <stdlib.h>

static bool one_in(test_request *t, uint32_t n)
{
    return test_below(t, n) == 0;
}

/* ---- Views ---- */

/* The size of a kept output in elements: the maximum that can be kept, a random number, or at least
 * the capacity. */
static uint64_t draw_room(test_request *t)
{
    const compact_request *s = t->own;
    const uint64_t all = s->most + (s->row.append != VKR_TYPE_UNDEFINED ? 40 : 0);
    if (s->room == 0)
        return all + test_below(t, 8);
    if (s->room == 1)
        return 1 + test_below(t, (uint32_t)all + 2);
    return s->info.capacity + (one_in(t, 2) ? 0 : test_below(t, 8));
}

/* Says what of the last output cannot be written: what comes after the maximum of elements. */
static void end_output(test_request *t, uint64_t room, VkDeviceSize step, VkDeviceSize extra)
{
    const compact_request *s = t->own;
    const uint64_t capacity = s->info.capacity != 0 ? s->info.capacity : UINT64_MAX;
    const uint64_t most = s->most < capacity ? s->most : capacity;
    test_end_port(t, extra + (room > most ? (room - most) * step : 0));
}

/* And of kept outputs, what comes after the end of the shortest one, which the last one may be. */
static void add_kept_output(test_request *t, uint64_t room, VkDeviceSize step, VkDeviceSize size)
{
    compact_request *s = t->own;
    s->entries[t->port_count - 1].step = step;
    s->entries[t->port_count - 1].size = size;
    if (room < s->least_room)
        s->least_room = room;
}

static void end_kept_outputs(test_request *t)
{
    const compact_request *s = t->own;
    for (uint32_t i = 0; i < t->port_count; i++) {
        const VkDeviceSize step = s->entries[i].step, size = t->ports[i].size;
        if (step == 0 || size / step < s->least_room)
            continue;
        const VkDeviceSize used =
            s->least_room > 0 ? (s->least_room - 1) * step + s->entries[i].size : 0;
        t->ports[i].size = used < size ? used : size;
    }
}

static VkrView place_view(test_request *t, VkrType type, uint32_t components, VkrType said,
                          uint64_t room, bool kept)
{
    const compact_request *s = t->own;
    const uint32_t unit = vkrTypeSize(type), element = unit * components;
    const VkDeviceSize stride = compact_stride(t, s->strided_outputs, unit, element);
    const VkDeviceSize step = stride != 0 ? stride : element, extra = test_below(t, element);
    const VkDeviceSize size = room > 0 ? (room - 1) * step + element + extra : 1 + extra / 2;
    const VkrBufferRange at = test_written(t, compact_alignment(s, unit), size);
    end_output(t, room, step, room > 0 ? extra : size);
    if (kept)
        add_kept_output(t, room, step, element);
    return (VkrView){.buffer = at.buffer,
                     .offset = at.offset,
                     .size = size,
                     .type = said,
                     .components = said == VKR_TYPE_UNDEFINED ? 0 : components,
                     .stride = stride};
}

static void place_views(test_request *t)
{
    compact_request *s = t->own;
    const compact_row *row = &s->row;
    VkrCompactInfo *info = &s->info;
    const struct {
        uint32_t bit;
        bool rejected;
        VkrView *view;
    } outputs[] = {{OUT_KEPT, false, &info->kept},
                   {OUT_KEPT_INDICES, false, &info->keptIndices},
                   {OUT_LENGTHS, false, &info->runLengths},
                   {OUT_REJECTED, true, &info->rejected},
                   {OUT_REJECTED_INDICES, true, &info->rejectedIndices}};
    const oracle_device device = {.wide_indices = has_wide_indices(t->limits)};
    const VkrType said = one_in(t, 2) ? VKR_TYPE_UNDEFINED : row->type;
    const VkrType index =
        row->indices != VKR_TYPE_UNDEFINED ? row->indices : oracle_index_type(&device, info);
    for (size_t i = 0; i < ARRAY_SIZE(outputs); i++) {
        if ((row->outputs & outputs[i].bit) == 0)
            continue;
        const uint64_t room = !outputs[i].rejected ? draw_room(t)
                              : one_in(t, 2)       ? s->most + 1
                                                   : 1 + test_below(t, (uint32_t)s->most + 1);
        *outputs[i].view =
            (outputs[i].bit & OUT_VALUES) != 0
                ? place_view(t, row->type, row->components, said, room, !outputs[i].rejected)
                : place_view(t, index, 1, row->indices, room, !outputs[i].rejected);
    }
}

/* ---- Payloads ---- */

/* Sizes of payloads; payloads with negative sizes move with the rejected elements. */
static const int payload_sets[COMPACT_PAYLOAD_SETS][COMPACT_PAYLOADS] = {
    {0}, {4}, {12, -16}, {1, 2}, {64, -8, 3}, {4, 8, 12, 4, -4}, {4, -12, 1, 2, 6, 64, -16},
};

static uint32_t payload_unit(uint32_t size)
{
    return size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
}

/* The size of a payload if the device can store units of this size; otherwise rounded to whole
 * words. */
static uint32_t payload_size(uint32_t size)
{
    static const VkrType types[] = {[1] = VKR_TYPE_U8, [2] = VKR_TYPE_U16, [4] = VKR_TYPE_U32};
    return rig.device.types[types[payload_unit(size)]] ? size : (size + 3) / 4 * 4;
}

static void place_payload(test_request *t, int bytes)
{
    compact_request *s = t->own;
    VkrPayload *p = &s->payloads[s->info.payloadCount++];
    const uint32_t size = payload_size((uint32_t)abs(bytes)), unit = payload_unit(size);
    const uint64_t room = bytes < 0 ? 1 + test_below(t, (uint32_t)s->most + 2) : draw_room(t);
    *p = (VkrPayload){.size = size,
                      .rejected = bytes < 0,
                      .sourceStride = compact_stride(t, s->strided_payloads, unit, size),
                      .targetStride = compact_stride(t, s->strided_payloads, unit, size)};
    const VkDeviceSize from = p->sourceStride != 0 ? p->sourceStride : size;
    const VkDeviceSize to = p->targetStride != 0 ? p->targetStride : size;
    /* Entries of 16 or 8 bytes are moved as a whole if their offsets are multiples of that size. */
    const uint32_t whole = size % 16 == 0 ? 16 : size % 8 == 0 ? 8 : unit;
    const VkDeviceSize at = compact_alignment(s, one_in(t, 2) ? whole : unit);
    p->source = test_read(t, at, s->most > 0 ? (s->most - 1) * from + size : size);
    if (s->texels) {
        VkrView source = {
            .buffer = p->source.buffer, .offset = p->source.offset, .size = p->source.size};
        test_texels(t, &source);
        p->texels = source.texels;
    }
    p->target = test_written(t, at, room > 0 ? (room - 1) * to + size : 0);
    end_output(t, room, to, 0);
    if (bytes > 0)
        add_kept_output(t, room, to, size);
}

/* ---- Counts ---- */

/* The append position and the GPU's count; `replaced`: the request overwrites it. */
static void place_append(test_request *t, bool replaced)
{
    compact_request *s = t->own;
    const VkrType type = s->row.append;
    const uint32_t size = vkrTypeSize(type);
    if (type == VKR_TYPE_UNDEFINED)
        return;
    /* What earlier requests write can be the last position of 64 bits; there is none after it. */
    const VkrBufferRange at = replaced               ? test_written(t, 4, size)
                              : type == VKR_TYPE_U64 ? test_room(t, 4, size)
                                                     : test_read(t, 4, size);
    s->info.append = (VkrGpuCount){
        at.buffer, at.offset, type == VKR_TYPE_U32 && one_in(t, 2) ? VKR_TYPE_UNDEFINED : type};
}

static void place_gpu_count(test_request *t, bool replaced)
{
    compact_request *s = t->own;
    const VkrType type = s->row.gpu_count;
    if (type == VKR_TYPE_UNDEFINED)
        return;
    const VkrBufferRange at =
        replaced ? test_written(t, 4, vkrTypeSize(type)) : test_read(t, 4, vkrTypeSize(type));
    s->info.gpuCount = test_count_at(t, at, type, s->most);
    if (type == VKR_TYPE_U32 && one_in(t, 2))
        s->info.gpuCount.type = VKR_TYPE_UNDEFINED;
}

/* Places the outputs of counts, often side by side. The first one often replaces a number that is
 * read. */
static void place_counts(test_request *t)
{
    static const uint32_t scales[] = {0, 1, 3, 64, 256, 0x10001};
    compact_request *s = t->own;
    VkrCompactInfo *info = &s->info;
    const uint32_t drawn = test_below(t, COMPACT_COUNTS + 1);
    const uint32_t count = drawn == 0 && s->row.outputs == 0 ? 1 : drawn;
    const bool append = count != 0 && s->row.append != VKR_TYPE_UNDEFINED && one_in(t, 2);
    const bool number =
        count != 0 && !append && s->row.gpu_count != VKR_TYPE_UNDEFINED && one_in(t, 2);
    const VkrType replaced = append   ? s->row.append
                             : number ? s->row.gpu_count
                                      : VKR_TYPE_UNDEFINED;
    VkrBufferRange together = {0};
    VkDeviceSize used = 0;
    place_append(t, append);
    place_gpu_count(t, number);
    if (one_in(t, 2))
        together = test_written(t, 4, 16 * COMPACT_COUNTS);
    if (together.size != 0) /* there are gaps between them, or there is none */
        test_end_port(t, together.size);
    for (uint32_t i = 0; i < count; i++) {
        VkrCountOutput *output = &s->counts[info->countOutputCount++];
        output->kind = (VkrCountKind)test_below(t, VKR_COUNT_KIND_COUNT);
        /* The library refuses mesh tasks for any number of elements. */
        if (output->kind == VKR_COUNT_MESH_TASKS && info->capacity == 0 &&
            s->row.append != VKR_TYPE_UNDEFINED)
            output->kind = VKR_COUNT_DISPATCH;
        if (i == 0 && replaced != VKR_TYPE_UNDEFINED) {
            const VkrGpuCount *old = append ? &info->append : &info->gpuCount;
            const int kind = replaced == VKR_TYPE_U64 ? VKR_COUNT_KEPT64 : VKR_COUNT_KEPT;
            *output = (VkrCountOutput){(VkrCountKind)(kind + (one_in(t, 2) ? 1 : 0)), old->buffer,
                                       old->offset, 0};
            continue;
        }
        const VkDeviceSize size = compact_count_size(output->kind);
        const VkrBufferRange at =
            together.size != 0 ? (VkrBufferRange){together.buffer, together.offset + used, size}
                               : test_written(t, 4, size);
        output->buffer = at.buffer;
        output->offset = at.offset;
        output->scale = scales[test_below(t, ARRAY_SIZE(scales))];
        used += size + 4 * test_below(t, (16 - (uint32_t)size) / 4 + 1);
    }
}

/* The total size of all arrays per element, in bytes. */
uint64_t compact_weigh(const compact_row *row, VkDeviceSize stride)
{
    const uint32_t element = vkrTypeSize(row->type) * row->components;
    uint64_t bytes = stride != 0 ? stride : element;
    for (uint32_t bit = OUT_KEPT; bit <= OUT_REJECTED_INDICES; bit *= 2)
        bytes += (row->outputs & bit) == 0 ? 0 : (bit & OUT_VALUES) != 0 ? element : 8;
    for (uint32_t i = 0; i < COMPACT_PAYLOADS; i++)
        bytes += 3 * (uint32_t)abs(payload_sets[row->payloads][i]);
    return bytes;
}

void compact_place_outputs(test_request *t)
{
    compact_request *s = t->own;
    const int *sizes = payload_sets[s->row.payloads];
    s->least_room = UINT64_MAX;
    place_views(t);
    for (uint32_t i = 0; i < COMPACT_PAYLOADS && sizes[i] != 0; i++)
        place_payload(t, sizes[i]);
    end_kept_outputs(t);
    place_counts(t);
}
