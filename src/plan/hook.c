/* SPDX-License-Identifier: MIT */
#include "hook.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/function.h"
#include "slot.h"
#include "unused.h"

_Static_assert(VKR_MAX_HOOK_USES + 3 <= VKR_MAX_ACCESSES, "uses fit a step");

static VkrResult check_use(const vkr_walk *w, const char *field, uint32_t number, const VkrUse *use)
{
    const VkAccessFlags known =
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_UNIFORM_READ_BIT;
    const VkImageSubresourceRange *range = &use->subresource;
    VKR_MUST(w, (use->access & ~known) == 0,
             "%s->uses[%u].access is %s, but must have only bits of %s.", field, number,
             vkr_flag_names(VKR_FLAGS_OF_ACCESS, use->access).text,
             vkr_flag_names(VKR_FLAGS_OF_ACCESS, known).text);
    VKR_MUST(w, (use->buffer == VK_NULL_HANDLE) != (use->image == VK_NULL_HANDLE),
             "%s->uses[%u] has %s, but must have a buffer or an image.", field, number,
             use->buffer ? "both a buffer and an image" : "neither a buffer nor an image");
    VKR_MUST(w,
             !use->image ||
                 (range->aspectMask != 0 && range->levelCount != 0 && range->layerCount != 0),
             "%s->uses[%u].subresource has %s as aspectMask, %u levels and %u layers, but "
             "none must be 0.",
             field, number, vkr_flag_names(VKR_FLAGS_OF_ASPECT, range->aspectMask).text,
             range->levelCount, range->layerCount);
    VKR_MUST(w, !use->buffer || (use->size != VK_WHOLE_SIZE && use->size != 0),
             "%s->uses[%u].size is %s, but must be a number of bytes.", field, number,
             use->size == 0 ? "0" : "VK_WHOLE_SIZE");
    VKR_MUST(w, !use->buffer || use->size <= UINT64_MAX - use->offset,
             "%s->uses[%u].size is %" PRIu64
             ", but must stay below 2^64 when offset, which is %" PRIu64 ", is added.",
             field, number, use->size, use->offset);
    return VKR_SUCCESS;
}

/* Checks which function a hook names, and finds it. */
static VkrResult check_hook(const vkr_walk *w, const char *field, const VkrHook *hook,
                            VkrHookKind kind, const vkr_function **function)
{
    char sentence[VKR_HOOK_SENTENCE];
    VKR_MUST(w, hook->module != NULL, "%s->module is NULL, but must be a module.", field);
    VKR_MUST(w, hook->module->context == w->context,
             "%s->module belongs to another context, but must belong to the recorder's.", field);
    VKR_MUST(w, hook->name != NULL,
             "%s->name is NULL, but must be the name of a function of the module.", field);
    *function = vkr_function_of(hook, kind, sentence);
    VKR_MUST(w, *function != NULL, "%s->name is \"%s\", but %s.", field, hook->name, sentence);
    return VKR_SUCCESS;
}

VkrResult vkr_check_hook_handles(const vkr_walk *w, const char *field, const VkrHook *hook)
{
    const bool has_set = hook->set != VK_NULL_HANDLE;
    VKR_MUST(w, has_set == (hook->module->set_layout != VK_NULL_HANDLE),
             "%s->set is %s, but must be a descriptor set exactly where the module has a "
             "setLayout.",
             field, has_set ? "given" : "VK_NULL_HANDLE");
    VKR_MUST_BE(w, hook->useCount <= VKR_MAX_HOOK_USES, field, "->useCount", hook->useCount,
                "be at most %u.", VKR_MAX_HOOK_USES);
    VKR_MUST(w, hook->useCount == 0 || hook->uses != NULL,
             "%s->uses is NULL, but must point to the %u of useCount.", field, hook->useCount);
    for (uint32_t i = 0; i < hook->useCount; i++)
        VKR_TRY(check_use(w, field, i, &hook->uses[i]));
    vkr_note_list(w, "a hook's uses", hook->uses, "useCount", hook->useCount);
    return VKR_SUCCESS;
}

/* Indices have 32 bits. */
static VkrResult check_number(const vkr_walk *w, const char *field, uint64_t count)
{
    VKR_MUST(w, count <= UINT32_MAX,
             "count is %" PRIu64 ", but must be below 2^32 where %s is given.", count, field);
    return VKR_SUCCESS;
}

VkrResult vkr_check_sink(const vkr_walk *w, const char *field, const VkrHook *sink)
{
    const vkr_function *function;
    VKR_TRY(check_hook(w, field, sink, VKR_HOOK_KIND_SINK, &function));
    VKR_TRY(vkr_check_hook_handles(w, field, sink));
    return check_number(w, field, w->count);
}

/* ---- Elements ---- */

/* The type of a function's parameter for elements of this type. */
static VkrType parameter_of(VkrType type)
{
    const vkr_type_info *info = &vkr_types[type];
    return info->size == 8   ? type
           : info->is_float  ? VKR_TYPE_F32
           : info->is_signed ? VKR_TYPE_I32
                             : VKR_TYPE_U32;
}

VkrResult vkr_check_element(const vkr_walk *w, const char *field, const vkr_view *elements,
                            const VkrHookInfo *info)
{
    static const char *const types[VKR_TYPE_COUNT] = {[VKR_TYPE_F32] = "f32, f16 or bf16",
                                                      [VKR_TYPE_I32] = "i32, i16 or i8",
                                                      [VKR_TYPE_U32] = "u32, u16 or u8"};
    const VkrType type = info->elementType;
    VKR_MUST(w, parameter_of(elements->type_id) == type,
             "%s.type is %s, but must be %s for the first parameter of %s.", field,
             elements->type->name, types[type] ? types[type] : vkrTypeName(type), info->name);
    VKR_MUST_BE(w, elements->components == info->elementComponents, field, ".components",
                elements->components, "be %u for the first parameter of %s.",
                info->elementComponents, info->name);
    return VKR_SUCCESS;
}

/* Checks that a view describes no elements. */
static VkrResult check_no_elements(const vkr_walk *w, const char *field, const VkrView *view,
                                   uint64_t count, const VkrHookInfo *info)
{
    VKR_MUST(w,
             view->buffer == VK_NULL_HANDLE && view->image == NULL && view->size == 0 &&
                 view->offset == 0 && view->stride == 0 && view->bufferSize == 0 &&
                 view->texels.view == VK_NULL_HANDLE,
             "%s has a buffer, texels, an image, an offset, a size or a stride, but must have none "
             "where "
             "%s.map.hook stands for its elements.",
             field, field);
    VKR_MUST(w, count != VKR_COUNT_ALL,
             "count is VKR_COUNT_ALL, but must be a number where %s.map.hook is given.", field);
    VKR_MUST(w, view->type == VKR_TYPE_UNDEFINED || view->type == info->type,
             "%s.type is %s, but must be undefined or %s, which %s returns.", field,
             vkrTypeName(view->type), vkrTypeName(info->type), info->name);
    VKR_MUST_BE(w, view->components == 0 || view->components == info->components, field,
                ".components", view->components, "be 0 or %u, as %s returns.", info->components,
                info->name);
    return VKR_SUCCESS;
}

VkrResult vkr_check_called(const vkr_walk *w, const char *field, const VkrView *view,
                           uint64_t count, const vkr_function **function, bool *has_elements)
{
    static const VkrMap none;
    char name[64];
    VkrMap rest = *view->map;
    (void)snprintf(name, sizeof(name), "%s.map", field);
    rest.hook = NULL;
    VKR_MUST(w, memcmp(&rest, &none, sizeof none) == 0,
             "%s has weights, a bias or a function, but must have none beside a hook.", name);
    (void)snprintf(name, sizeof(name), "%s.map.hook", field);
    VKR_TRY(check_hook(w, name, view->map->hook, VKR_HOOK_KIND_MAP, function));
    *has_elements = (*function)->info.elementType != VKR_TYPE_UNDEFINED;
    return *has_elements ? VKR_SUCCESS
                         : check_no_elements(w, field, view, count, &(*function)->info);
}

VkrResult vkr_describe_called(const vkr_walk *w, const char *field, const VkrView *view,
                              uint64_t count, const vkr_function *function, vkr_view *out)
{
    char name[64];
    const VkrHookInfo *info = &function->info;
    const bool has_elements = info->elementType != VKR_TYPE_UNDEFINED;
    (void)snprintf(name, sizeof(name), "%s.map.hook", field);
    if (has_elements)
        VKR_TRY(vkr_check_element(w, field, out, info));
    else
        *out = (vkr_view){.type = &vkr_types[info->type],
                          .type_id = info->type,
                          .components = info->components,
                          .capacity = count};
    VKR_TRY(check_number(w, name, count == VKR_COUNT_ALL ? out->capacity : count));
    out->source = (vkr_source){out->type, out->type_id, out->components};
    out->type = &vkr_types[info->type];
    out->type_id = info->type;
    out->components = info->components;
    out->mapped = true;
    out->map = *view->map;
    if (!has_elements)
        out->stride = vkr_element_size(out);
    return VKR_SUCCESS;
}

/* Checks that the bits that are written are none of what the function accesses. */
static VkrResult check_apart(const vkr_walk *w, const char *field, const VkrFlagView *flags)
{
    const VkrBufferRange *range = &flags->range;
    const vkr_access bits = {.buffer = range->buffer,
                             .offset = range->offset,
                             .size = 4 * vkr_divide_up(w->count, VKR_WORD_BITS)};
    for (uint32_t i = 0; i < flags->hook->useCount; i++) {
        const VkrUse *use = &flags->hook->uses[i];
        const vkr_access other = {.buffer = use->buffer, .offset = use->offset, .size = use->size};
        VKR_MUST(w, !use->buffer || !vkr_overlap(&bits, &other),
                 "%s.range overlaps %s.hook->uses[%u], but must be apart from it.", field, field,
                 i);
    }
    return VKR_SUCCESS;
}

VkrResult vkr_check_called_flags(const vkr_walk *w, const char *field, const VkrFlagView *flags,
                                 const vkr_view *elements)
{
    char name[64];
    const vkr_function *function;
    const VkrBufferRange *range = &flags->range;
    (void)snprintf(name, sizeof(name), "%s.hook", field);
    VKR_TRY(check_hook(w, name, flags->hook, VKR_HOOK_KIND_PREDICATE, &function));
    VKR_TRY(vkr_check_hook_handles(w, name, flags->hook));
    if (function->info.elementType != VKR_TYPE_UNDEFINED) {
        VKR_MUST(w, elements != NULL,
                 "%s.hook->name is \"%s\", which takes elements, but must be bool %s(uint): only "
                 "the predicate of a compaction has elements.",
                 field, flags->hook->name, flags->hook->name);
        VKR_MUST(w, elements->type != NULL,
                 "input is empty, but must have the elements that %s takes.", flags->hook->name);
        VKR_TRY(vkr_check_element(w, "input", elements, &function->info));
    }
    VKR_TRY(check_number(w, name, w->count));
    (void)snprintf(name, sizeof(name), "%s.range", field);
    if (range->buffer == VK_NULL_HANDLE || w->count == 0)
        return VKR_SUCCESS;
    VKR_MUST(w, flags->format == VKR_FLAGS_BITS,
             "%s.format is %d, but must be VKR_FLAGS_BITS (%d), since that is what is written to "
             "%s.",
             field, (int)flags->format, VKR_FLAGS_BITS, name);
    VKR_TRY(vkr_check_range(w, name, range, 4, 4 * vkr_divide_up(w->count, VKR_WORD_BITS)));
    return check_apart(w, field, flags);
}
