/* SPDX-License-Identifier: MIT */
#include "call.h"

#include <inttypes.h>

#include "../core/function.h"
#include "kernel_list.h"
#include "copy.h"
#include "pass.h"

#define WORKGROUP 128u /* every device supports this */
#define MIN_WORKGROUP 32u
#define ITEMS 32u /* elements of an invocation: a word of bits, and few trips of functions' loops */

/* A pass that calls a function, and where it writes. */
typedef struct calling {
    vkr_walk walk;
    const VkrHook *hook;
    const vkr_function *function;
    bool bits;
    vkr_place target;
    const VkrGpuCount *gpu_count;
    vkr_taken source;
} calling;

static uint32_t widen_of(const vkr_type_info *type)
{
    if (type->size > 2 || (!type->is_float && !type->is_signed))
        return VKR_WIDEN_NONE;
    if (type->is_float)
        return type->is_signed ? VKR_WIDEN_BFLOAT : VKR_WIDEN_HALF;
    return type->size == 1 ? VKR_WIDEN_I8 : VKR_WIDEN_I16;
}

VkrResult vkr_take_elements(VkrRecorder recorder, const vkr_walk *operation,
                            const vkr_function *function, uint64_t count, vkr_view elements,
                            uint64_t share, vkr_taken *taken)
{
    *taken = (vkr_taken){0};
    if (function->info.elementType == VKR_TYPE_UNDEFINED || count == 0)
        return VKR_SUCCESS;
    taken->widen = widen_of(elements.type);
    if (elements.type->size == 8) {
        elements.type = &vkr_types[VKR_TYPE_U32];
        elements.type_id = VKR_TYPE_U32;
        elements.components *= 2;
    }
    taken->words = elements.components;
    taken->place = vkr_place_of_view(&elements);
    if (vkr_is_image(&elements) || elements.type->size < 4 ||
        vkr_place_reach(&operation->context->caps, &taken->place) < share) {
        VKR_TRY(vkr_copy_elements(recorder, operation, count, &elements));
        taken->place = vkr_place_of_view(&elements);
    }
    return VKR_SUCCESS;
}

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
    if (!c->bits)
        w->reached[w->reached_count++] = c->target;
    if (c->source.place.buffer != VK_NULL_HANDLE)
        w->reached[w->reached_count++] = c->source.place;
    uint64_t reach = c->bits ? vkr_bits_reach(caps) : UINT64_MAX;
    for (uint32_t i = 0; i < w->reached_count; i++)
        reach = vkr_min(reach, vkr_place_reach(caps, &w->reached[i]));
    w->workgroup_size = WORKGROUP;
    while (w->workgroup_size * ITEMS > reach && w->workgroup_size > MIN_WORKGROUP)
        w->workgroup_size /= 2;
    const uint32_t grain = c->bits ? ITEMS : VKR_CALLS;
    w->items = (uint32_t)vkr_min(reach / w->workgroup_size / grain * grain, ITEMS);
    if (c->bits)
        w->max_groups = vkr_min(w->max_groups, vkr_bits_reach(caps) / (w->workgroup_size * ITEMS));
    VKR_NEED(w, w->items != 0,
             "%u elements, or %u bits, must fit maxStorageBufferRange (%" PRIu64 " bytes).",
             MIN_WORKGROUP * VKR_CALLS, MIN_WORKGROUP * ITEMS, caps->max_range);
    return vkr_cut(w);
}

void vkr_use_hook(const VkrHook *hook, vkr_step *step)
{
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

/* Links the function. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const calling *c = pass->operation;
    (void)window;
    step->variant.function = c->function;
    vkr_use_hook(c->hook, step);
}

static VkrResult emit(VkrRecorder recorder, const calling *c)
{
    static const VkrGpuCount none;
    const VkrGpuCount *count = c->gpu_count ? c->gpu_count : &none;
    const vkr_pass pass = {
        .walk = &c->walk,
        .card = &vkr_call_card,
        .kernel = VKR_KERNEL_CALL,
        .constants = {[VKR_CALL_CONST_RESULT] =
                          c->bits ? VKR_CALL_BITS : c->function->info.components,
                      [VKR_CALL_CONST_WORDS] = c->source.words,
                      [VKR_CALL_CONST_WIDEN] = c->source.widen,
                      [VKR_CONST_FLAGS] = vkr_count_flags(count)},
        .slots = {[VKR_CALL_SLOT_VALUES] = {.place = c->target,
                                            .span = c->bits ? VKR_SPAN_WORDS : VKR_SPAN_ELEMENTS},
                  [VKR_CALL_SLOT_COUNT] = {.place = vkr_place_of_count(count)},
                  [VKR_CALL_SLOT_SOURCE] = {.place = c->source.place, .span = VKR_SPAN_ELEMENTS}},
        .finish = finish,
        .operation = c,
    };
    return vkr_emit(recorder, &pass);
}

VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *operation,
                                const vkr_view *source, uint64_t count, const vkr_view *view,
                                vkr_place target)
{
    char sentence[VKR_HOOK_SENTENCE];
    calling c = {.hook = source->map.hook, .target = target, .gpu_count = operation->gpu_count};
    c.function = vkr_function_of(c.hook, VKR_HOOK_KIND_MAP, sentence);
    VKR_TRY(vkr_take_elements(recorder, operation, c.function, count, *source,
                              MIN_WORKGROUP * ITEMS, &c.source));
    VKR_TRY(start(&c, operation, count, view));
    return emit(recorder, &c);
}

VkrResult vkr_call_for_bits(VkrRecorder recorder, const vkr_walk *operation,
                            const VkrFlagView *flags, const vkr_view *elements, vkr_place *bits)
{
    static const vkr_view none;
    char sentence[VKR_HOOK_SENTENCE];
    const vkr_view view = {
        .type = &vkr_types[VKR_TYPE_U32], .type_id = VKR_TYPE_U32, .components = 1, .stride = 4};
    calling c = {.hook = flags->hook, .bits = true, .gpu_count = operation->gpu_count};
    c.function = vkr_function_of(c.hook, VKR_HOOK_KIND_PREDICATE, sentence);
    c.target = vkr_place_of_words(flags->range.buffer, flags->range.offset, 1);
    if (operation->count == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_take_elements(recorder, operation, c.function, operation->count,
                              elements ? *elements : none, MIN_WORKGROUP * ITEMS, &c.source));
    if (!flags->range.buffer)
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1,
                              vkr_divide_up(operation->count, VKR_WORD_BITS), &c.target));
    *bits = c.target;
    VKR_TRY(start(&c, operation, operation->count, &view));
    return emit(recorder, &c);
}
