/* SPDX-License-Identifier: MIT */
#include "call.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/hook.h"
#include "bits.h"
#include "kernel_list.h"
#include "pass.h"

#define WORKGROUP 128u /* every device supports this */
#define MIN_ITEMS 32u /* elements of an invocation come in multiples of this: whole words of bits */
#define MAX_ITEMS 4096u

_Static_assert(VKR_MAX_HOOK_USES + 2 <= VKR_MAX_ACCESSES, "uses fit a step");

/* ---- Checks ---- */

static VkrResult check_use(const vkr_walk *w, const char *field, uint32_t number, const VkrUse *use)
{
    const VkAccessFlags known = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    VKR_MUST(w, (use->access & ~known) == 0,
             "%s.hook->uses[%u].access is 0x%x, but must be SHADER_READ, SHADER_WRITE, both or 0.",
             field, number, use->access);
    VKR_MUST(w, (use->buffer == VK_NULL_HANDLE) != (use->image == VK_NULL_HANDLE),
             "%s.hook->uses[%u] has %s, but must have a buffer or an image.", field, number,
             use->buffer ? "both a buffer and an image" : "neither a buffer nor an image");
    VKR_MUST(w, !use->buffer || (use->size != VK_WHOLE_SIZE && use->size != 0),
             "%s.hook->uses[%u].size is %s, but must be a number of bytes.", field, number,
             use->size == 0 ? "0" : "VK_WHOLE_SIZE");
    VKR_MUST(w, !use->buffer || use->size <= UINT64_MAX - use->offset,
             "%s.hook->uses[%u].size is %" PRIu64
             ", but must stay below 2^64 when offset, which is %" PRIu64 ", is added.",
             field, number, use->size, use->offset);
    return VKR_SUCCESS;
}

/* Checks a hook, and finds its function. */
static VkrResult check_hook(const vkr_walk *w, const char *field, const VkrHook *hook,
                            bool wants_bool, const vkr_function **function)
{
    char sentence[VKR_HOOK_SENTENCE];
    const bool has_set = hook->set != VK_NULL_HANDLE;
    VKR_MUST(w, hook->module != NULL, "%s.hook->module is NULL, but must be a module.", field);
    VKR_MUST(w, hook->module->context == w->context,
             "%s.hook->module belongs to another context, but must belong to the recorder's.",
             field);
    VKR_MUST(w, hook->name != NULL,
             "%s.hook->name is NULL, but must be the name of a function of the module.", field);
    VKR_MUST(w, has_set == (hook->module->set_layout != VK_NULL_HANDLE),
             "%s.hook->set is %s, but must be a descriptor set exactly where the module has a "
             "setLayout.",
             field, has_set ? "given" : "VK_NULL_HANDLE");
    VKR_MUST_BE(w, hook->useCount <= VKR_MAX_HOOK_USES, field, ".hook->useCount", hook->useCount,
                "be at most %u.", VKR_MAX_HOOK_USES);
    VKR_MUST(w, hook->useCount == 0 || hook->uses != NULL,
             "%s.hook->uses is NULL, but must point to the %u of useCount.", field, hook->useCount);
    for (uint32_t i = 0; i < hook->useCount; i++)
        VKR_TRY(check_use(w, field, i, &hook->uses[i]));
    *function = vkr_function_of(hook, wants_bool, sentence);
    VKR_MUST(w, *function != NULL, "%s.hook->name is \"%s\", but %s.", field, hook->name, sentence);
    return VKR_SUCCESS;
}

/* Indices have 32 bits. */
static VkrResult check_number(const vkr_walk *w, const char *field, uint64_t count)
{
    VKR_MUST(w, count != VKR_COUNT_ALL,
             "count is VKR_COUNT_ALL, but must be a number where %s.hook is given.", field);
    VKR_MUST(w, count <= UINT32_MAX,
             "count is %" PRIu64 ", but must be below 2^32 where %s.hook is given.", count, field);
    return VKR_SUCCESS;
}

VkrResult vkr_check_called_view(const vkr_walk *w, const char *field, const VkrView *view,
                                uint64_t count, vkr_view *out)
{
    static const VkrMap none;
    char name[64];
    const vkr_function *function;
    VkrMap rest = *view->map;
    (void)snprintf(name, sizeof(name), "%s.map", field);
    rest.hook = NULL;
    VKR_MUST(w, memcmp(&rest, &none, sizeof none) == 0,
             "%s has weights, a bias or a function, but must have none beside a hook.", name);
    VKR_MUST(w,
             view->buffer == VK_NULL_HANDLE && view->image == NULL && view->size == 0 &&
                 view->offset == 0 && view->stride == 0 && view->bufferSize == 0,
             "%s has a buffer, an image, an offset, a size or a stride, but must have none where "
             "%s.hook stands for its elements.",
             field, name);
    VKR_TRY(check_hook(w, name, view->map->hook, false, &function));
    VKR_TRY(check_number(w, name, count));
    const VkrHookInfo *info = &function->info;
    VKR_MUST(w, view->type == VKR_TYPE_UNDEFINED || view->type == info->type,
             "%s.type is %s, but must be undefined or %s, which %s returns.", field,
             vkrTypeName(view->type), vkrTypeName(info->type), info->name);
    VKR_MUST_BE(w, view->components == 0 || view->components == info->components, field,
                ".components", view->components, "be 0 or %u, as %s returns.", info->components,
                info->name);
    *out = (vkr_view){.type = &vkr_types[info->type],
                      .type_id = info->type,
                      .components = info->components,
                      .capacity = count,
                      .mapped = true,
                      .map = *view->map};
    out->source = (vkr_source){out->type, out->type_id, out->components};
    out->stride = vkr_element_size(out);
    return VKR_SUCCESS;
}

VkrResult vkr_check_called_flags(const vkr_walk *w, const char *field, const VkrFlagView *flags)
{
    char name[64];
    const vkr_function *function;
    const VkrBufferRange *range = &flags->range;
    VKR_TRY(check_hook(w, field, flags->hook, true, &function));
    VKR_TRY(check_number(w, field, w->count));
    (void)snprintf(name, sizeof(name), "%s.range", field);
    if (range->buffer == VK_NULL_HANDLE || w->count == 0)
        return VKR_SUCCESS;
    VKR_MUST(w, flags->format == VKR_FLAGS_BITS,
             "%s.format is %d, but must be VKR_FLAGS_BITS (%d), since that is what is written to "
             "%s.",
             field, (int)flags->format, VKR_FLAGS_BITS, name);
    return vkr_check_range(w, name, range, 4, 4 * vkr_divide_up(w->count, VKR_WORD_BITS));
}

/* ---- Passes ---- */

/* A pass that calls a function, and where it writes. */
typedef struct calling {
    vkr_walk walk;
    const VkrHook *hook;
    const vkr_function *function;
    bool bits;
    vkr_place target;
    const VkrGpuCount *gpu_count;
} calling;

/* Sets the walk over `count` elements. */
static VkrResult start(calling *c, const vkr_walk *operation, uint64_t count, const vkr_view *view)
{
    const vkr_caps *caps = &operation->context->caps;
    vkr_walk *w = &c->walk;
    *w = vkr_new_walk(operation->context, operation->call);
    w->label = operation->label;
    w->count = count;
    w->max_groups = vkr_all_groups(caps);
    vkr_start_walk(w, VKR_OPERATION_SCAN, VKR_FAMILY_STAGE, view);
    w->order = c->bits ? w->tuning->order : VKR_ORDER_COALESCED;
    w->workgroup_size = WORKGROUP;
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    const uint64_t items = vkr_clamp(vkr_divide_up(count, full), MIN_ITEMS, MAX_ITEMS);
    w->items = (uint32_t)(vkr_divide_up(items, MIN_ITEMS) * MIN_ITEMS);
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    if (c->bits)
        w->max_groups = vkr_min(w->max_groups, vkr_bits_reach(caps) / share);
    else
        w->reached[w->reached_count++] = c->target;
    VKR_TRY(vkr_cut(w));
    VKR_NEED(w, w->windows != 0,
             "%" PRIu64 " elements, or their bits, must fit maxStorageBufferRange (%" PRIu64
             " bytes).",
             share, caps->max_range);
    return VKR_SUCCESS;
}

/* Declares what the function accesses. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const calling *c = pass->operation;
    const VkrHook *hook = c->hook;
    (void)window;
    step->variant.function = c->function;
    step->set1 = hook->set;
    for (uint32_t i = 0; i < hook->useCount; i++) {
        const VkrUse *use = &hook->uses[i];
        step->accesses[step->access_count++] = (vkr_access){
            .buffer = use->buffer,
            .offset = use->offset,
            .size = use->size,
            .image = use->image,
            .subresource = use->subresource,
            .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            .access = use->access != 0 ? use->access : VK_ACCESS_SHADER_READ_BIT,
        };
    }
}

static VkrResult emit(VkrRecorder recorder, const calling *c)
{
    static const uint32_t bases[VKR_TYPE_COUNT] = {[VKR_TYPE_UNDEFINED] = VKR_CALL_BOOL,
                                                   [VKR_TYPE_I32] = VKR_CALL_INT,
                                                   [VKR_TYPE_U32] = VKR_CALL_UINT,
                                                   [VKR_TYPE_F32] = VKR_CALL_FLOAT};
    const VkrHookInfo *info = &c->function->info;
    static const VkrGpuCount none;
    const VkrGpuCount *count = c->gpu_count ? c->gpu_count : &none;
    const vkr_pass pass = {
        .walk = &c->walk,
        .card = &vkr_call_card,
        .kernel = VKR_KERNEL_CALL,
        .constants = {[VKR_CALL_CONST_RESULT] =
                          VKR_CALL_RESULT(bases[info->type], info->components),
                      [VKR_CONST_FLAGS] = vkr_count_flags(count)},
        .slots = {[VKR_CALL_SLOT_VALUES] = {.place = c->target,
                                            .span = c->bits ? VKR_SPAN_WORDS : VKR_SPAN_ELEMENTS},
                  [VKR_CALL_SLOT_COUNT] = {.place = vkr_place_of_count(count)}},
        .finish = finish,
        .operation = c,
    };
    return vkr_emit(recorder, &pass);
}

VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *operation, uint64_t count,
                                vkr_view *view)
{
    char sentence[VKR_HOOK_SENTENCE];
    calling c = {.hook = view->map.hook, .gpu_count = operation->gpu_count};
    c.function = vkr_function_of(c.hook, false, sentence);
    *view = (vkr_view){.type = view->type,
                       .type_id = view->type_id,
                       .components = view->components,
                       .capacity = count};
    view->stride = vkr_element_size(view);
    view->size = count * view->stride;
    if (count == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, view->components, count, &c.target));
    VKR_TRY(start(&c, operation, count, view));
    view->buffer = VKR_SCRATCH;
    view->offset = c.target.offset;
    return emit(recorder, &c);
}

VkrResult vkr_call_for_bits(VkrRecorder recorder, const vkr_walk *operation,
                            const VkrFlagView *flags, vkr_place *bits)
{
    char sentence[VKR_HOOK_SENTENCE];
    const vkr_view view = {
        .type = &vkr_types[VKR_TYPE_U32], .type_id = VKR_TYPE_U32, .components = 1, .stride = 4};
    calling c = {.hook = flags->hook, .bits = true, .gpu_count = operation->gpu_count};
    c.function = vkr_function_of(c.hook, true, sentence);
    c.target = vkr_place_of_words(flags->range.buffer, flags->range.offset, 1);
    if (operation->count == 0)
        return VKR_SUCCESS;
    if (!flags->range.buffer)
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1,
                              vkr_divide_up(operation->count, VKR_WORD_BITS), &c.target));
    *bits = c.target;
    VKR_TRY(start(&c, operation, operation->count, &view));
    return emit(recorder, &c);
}
