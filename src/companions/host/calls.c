/* SPDX-License-Identifier: MIT */
/* Arrays of calls: from views and pointers to memory that operations use. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"

VkrResult call_enter(host_call *c, VkrHost h, const char *name, const void *info)
{
    HOST_TRY(host_enter(h, name));
    *c = (host_call){.host = h, .voice = h->voice};
    HOST_MUST(&c->voice, info != NULL, "info is NULL, but must be given.");
    if (h->state == HOST_IDLE || h->state == HOST_RECORDED)
        return VKR_SUCCESS;
    return host_fail(&c->voice, VKR_ERROR_INVALID_STATE,
                     "a recording was begun; submit it and wait for it, or call vkrHostCancel.");
}

/* ---- Infos ---- */

VkrResult call_absent(const host_call *c, const call_member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        HOST_MUST(&c->voice, !members[i].given,
                  "%s is given, but must be 0: this call takes numbers and arrays of the host.",
                  members[i].field);
    return VKR_SUCCESS;
}

VkrResult call_count(const host_call *c, const char *field, uint64_t count,
                     const VkrGpuCount *gpu_count)
{
    HOST_MUST(&c->voice, count != VKR_COUNT_ALL,
              "%s is VKR_COUNT_ALL, but must be a number, since an array has no size of its own.",
              field);
    HOST_MUST(&c->voice, gpu_count->buffer == VK_NULL_HANDLE,
              "the GPU count for %s is given, but must be 0: this call takes numbers and arrays of "
              "the host.",
              field);
    return VKR_SUCCESS;
}

/* ---- Arrays ---- */

/* Sets the size, which must be one of host memory. */
static VkrResult measure(const host_call *c, call_array *a)
{
    const uint64_t places = a->count / a->bits + (a->count % a->bits != 0);
    const VkDeviceSize most = SIZE_MAX / 4 - a->element;
    HOST_MUST(&c->voice, a->count == 0 || a->data != NULL,
              "%s is NULL, but must be given, since there are %llu elements.", a->field,
              (unsigned long long)a->count);
    if (places == 0)
        return VKR_SUCCESS;
    HOST_MUST(&c->voice, a->stride == 0 || places - 1 <= most / a->stride,
              "%s would have %llu elements, %llu bytes apart, but must lie in the host's memory.",
              a->field, (unsigned long long)a->count, (unsigned long long)a->stride);
    a->size = (places - 1) * a->stride + a->element;
    return VKR_SUCCESS;
}

static VkrResult check_view(const host_call *c, const call_view *from)
{
    const VkrView *v = from->view;
    const call_member members[] = {
        {v->buffer != VK_NULL_HANDLE, "buffer"},
        {v->size != 0, "size"},
        {v->bufferSize != 0, "bufferSize"},
        {v->texels.view != VK_NULL_HANDLE, "texels"},
        {v->image != NULL, "image"},
        {v->map != NULL && !from->maps, "map"},
        {v->map != NULL && v->map->hook != NULL, "map->hook"},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        char field[96];
        (void)snprintf(field, sizeof field, "%s.%s", from->view_field, members[i].field);
        HOST_TRY(CALL_ABSENT(c, {members[i].given, field}));
    }
    return VKR_SUCCESS;
}

VkrResult call_describe(const host_call *c, const call_view *from, call_array *a)
{
    const VkrView *v = from->view;
    const char *field = from->view_field;
    *a = (call_array){.field = from->field, .count = from->count, .bits = 1};
    HOST_TRY(check_view(c, from));
    if (from->data == NULL && from->optional)
        return VKR_SUCCESS;
    a->type = v->type != VKR_TYPE_UNDEFINED ? v->type : from->type;
    a->components = v->components != 0 ? v->components : from->components;
    a->map = v->map;
    a->unit = vkrTypeSize(a->type);
    HOST_MUST(&c->voice, a->unit != 0, "%s.type is %d, but must be a VkrType.", field,
              (int)a->type);
    HOST_MUST(&c->voice, a->components <= VKR_MAX_COMPONENTS,
              "%s.components is %u, but must be at most %u.", field, a->components,
              VKR_MAX_COMPONENTS);
    a->element = (VkDeviceSize)a->components * a->unit;
    a->stride = v->stride != 0 ? v->stride : a->element;
    HOST_MUST(&c->voice, a->stride % a->unit == 0 && a->stride >= a->element,
              "%s.stride is %llu, but must be 0 or a multiple of %u, the size of %s, and at least "
              "%llu, that of an element.",
              field, (unsigned long long)a->stride, a->unit, vkrTypeName(a->type),
              (unsigned long long)a->element);
    HOST_MUST(&c->voice, v->offset <= SIZE_MAX / 4,
              "%s.offset is %llu, but must lie in the host's memory.", field,
              (unsigned long long)v->offset);
    a->data = from->data != NULL ? (unsigned char *)from->data + v->offset : NULL;
    /* Bytes between elements are not the operation's to lose. */
    a->access = from->access == VKR_HOST_WRITE && a->stride > a->element ? VKR_HOST_READ_WRITE
                                                                         : from->access;
    return measure(c, a);
}

VkrResult call_pack(const host_call *c, const char *field, const void *data, uint64_t count,
                    VkDeviceSize element, uint32_t unit, VkrHostAccess access, call_array *a)
{
    *a = (call_array){.field = field,
                      .data = (unsigned char *)data,
                      .count = count,
                      .element = element,
                      .stride = element,
                      .unit = unit,
                      .bits = 1,
                      .access = access};
    return measure(c, a);
}

VkrResult call_payload(const host_call *c, const call_load *load, call_array *source,
                       call_array *target)
{
    const bool given = load->source != NULL || load->target != NULL;
    const uint32_t size = load->size;
    const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    HOST_MUST(&c->voice, !given || (size >= 1 && size <= 64),
              "payloadSize is %u, but must be 1 to 64.", size);
    HOST_TRY(call_pack(c, load->source_field, load->source, given ? load->source_count : 0, size,
                       unit, VKR_HOST_READ, source));
    return call_pack(c, load->target_field, load->target, given ? load->target_count : 0, size,
                     unit, VKR_HOST_WRITE, target);
}

VkrResult call_flags(const host_call *c, const char *field, const void *data, VkrFlagFormat format,
                     uint64_t count, call_array *a)
{
    const uint32_t size = format == VKR_FLAGS_U8 ? 1 : 4;
    *a = (call_array){.field = field,
                      .data = (unsigned char *)data,
                      .count = count,
                      .element = size,
                      .stride = size,
                      .unit = size,
                      .bits = format == VKR_FLAGS_BITS ? 32 : 1,
                      .access = VKR_HOST_READ};
    return measure(c, a);
}

VkrResult call_segments(const host_call *c, const VkrSegments *segments,
                        const VkrHostSegments *given, const char *field, uint64_t count,
                        call_array *offsets, call_array *flags)
{
    const bool has_offsets = segments->kind == VKR_SEGMENTS_OFFSETS;
    const uint32_t size = segments->offsetType == VKR_TYPE_U64 ? 8 : 4;
    HOST_MUST(&c->voice, segments->kind != VKR_SEGMENTS_KEYS,
              "%s.segments.kind is keys, but must be another one: this call takes no keys.", field);
    HOST_TRY(CALL_ABSENT(c, {segments->flags.range.buffer != VK_NULL_HANDLE, "segments.flags"},
                         {segments->flags.hook != NULL, "segments.flags.hook"},
                         {segments->offsets.buffer != VK_NULL_HANDLE, "segments.offsets"},
                         {segments->gpuCount.buffer != VK_NULL_HANDLE, "segments.gpuCount"},
                         {segments->keys.buffer != VK_NULL_HANDLE, "segments.keys"},
                         {segments->runs.countOutputCount != 0, "segments.runs"}));
    *flags = (call_array){.bits = 1};
    HOST_TRY(call_pack(c, "segments.offsets", has_offsets ? given->offsets : NULL,
                       has_offsets ? given->offsetCount : 0, size, size, VKR_HOST_READ, offsets));
    if (segments->kind != VKR_SEGMENTS_FLAGS)
        return VKR_SUCCESS;
    return call_flags(c, "segments.flags", given->flags, segments->flags.format, count, flags);
}

VkrResult call_separate(const host_call *c, const call_array *const *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const call_array *a = arrays[i], *b = arrays[k];
            if (i == k || a == NULL || b == NULL || (a->access & VKR_HOST_WRITE) == 0)
                continue;
            HOST_MUST(&c->voice,
                      a->size == 0 || b->size == 0 || a->data >= b->data + b->size ||
                          b->data >= a->data + a->size,
                      "%s overlaps %s, but must be apart from it.", a->field, b->field);
        }
    return VKR_SUCCESS;
}

/* ---- Memory ---- */

static VkDeviceSize size_of(const call_array *a, uint64_t count)
{
    const uint64_t places = count / a->bits + (count % a->bits != 0);
    return places == 0 ? 0 : (places - 1) * a->stride + a->element;
}

VkrResult call_hold(const host_call *c, call_array *a)
{
    if (a->data == NULL)
        return VKR_SUCCESS;
    a->imported = (uintptr_t)a->data % a->unit == 0 &&
                  host_import(c->host, a->data, a->size, &a->memory) == VKR_SUCCESS;
    if (!a->imported)
        HOST_TRY(host_alloc(c->host, a->size, VKR_HOST_MEMORY_RESULT, &a->memory));
    a->held = true;
    return a->imported || (a->access & VKR_HOST_READ) == 0
               ? VKR_SUCCESS
               : host_write(c->host, &a->memory, 0, a->size, a->data);
}

VkrResult call_let_go(const host_call *c, call_array *a, VkrResult result)
{
    if (!a->held)
        return result;
    if (result == VKR_SUCCESS && !a->imported && (a->access & VKR_HOST_WRITE) != 0)
        result = host_read(c->host, &a->memory, 0, a->size, a->data);
    a->held = false;
    vkrHostFree(c->host, &a->memory);
    return result;
}

VkrResult call_attach(VkrHost host, const call_array *a, uint64_t first, uint64_t count,
                      VkrView *view)
{
    const VkrHostArray array = {a->data != NULL ? a->data + first / a->bits * a->stride : NULL,
                                size_of(a, count), a->access};
    VkrHostMemory memory = a->memory;
    *view = (VkrView){.type = a->type, .components = a->components, .map = a->map};
    if (a->data == NULL)
        return VKR_SUCCESS;
    if (!a->held)
        HOST_TRY(host_attach(host, &array, a->unit, &memory));
    *view = vkrHostView(&memory, a->type);
    view->components = a->components;
    view->stride = a->stride;
    view->map = a->map;
    if (view->size == 0) /* which would mean the whole buffer */
        view->bufferSize = 0;
    return VKR_SUCCESS;
}

VkrResult call_attach_range(VkrHost host, const call_array *a, uint64_t first, uint64_t count,
                            VkrBufferRange *range)
{
    VkrView view;
    HOST_TRY(call_attach(host, a, first, count, &view));
    *range = (VkrBufferRange){view.buffer, view.offset, view.size};
    return VKR_SUCCESS;
}
