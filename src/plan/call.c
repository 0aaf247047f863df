/* SPDX-License-Identifier: MIT */
#include "call.h"

#include <inttypes.h>

#include "../core/function.h"
#include "kernel_list.h"
#include "copy.h"
#include "pass.h"

#define MIN_WORKGROUP 32u
#define ITEMS 32u /* elements of an invocation: a word of bits, and few trips of functions' loops */

/* A pass that calls a function, and where it writes. */
typedef struct calling {
    vkr_walk walk;
    const VkrHook *hook;
    const vkr_function *function;
    uint32_t result;  /* VKR_CALL_CONST_RESULT */
    vkr_place target; /* a null buffer where the function returns nothing */
    /* The elements that the function takes, in words, or a list; a null buffer where there are
     * none. */
    vkr_place source;
    uint32_t words;  /* of an element */
    uint32_t widen;  /* VKR_WIDEN_* */
    vkr_place count; /* that the GPU has */
    uint32_t flags, limit;
} calling;

/* Starts a pass over the elements of an operation. */
static void start(calling *c, const vkr_walk *operation, VkrHookKind kind, uint64_t count)
{
    char sentence[VKR_HOOK_SENTENCE];
    c->function = vkr_function_of(c->hook, kind, sentence);
    c->walk = vkr_new_walk(operation->context, operation->call);
    c->walk.count = count;
    if (operation->gpu_count) {
        c->count = vkr_place_of_count(operation->gpu_count);
        c->flags = vkr_count_flags(operation->gpu_count);
    }
}

static uint32_t widen_of(const vkr_type_info *type)
{
    if (type->size > 2 || (!type->is_float && !type->is_signed))
        return VKR_WIDEN_NONE;
    if (type->is_float)
        return type->is_signed ? VKR_WIDEN_BFLOAT : VKR_WIDEN_HALF;
    return type->size == 1 ? VKR_WIDEN_I8 : VKR_WIDEN_I16;
}

VkrResult vkr_take_elements(VkrRecorder recorder, const vkr_walk *operation,
                            const vkr_function *function, uint64_t count, const vkr_view *given,
                            uint64_t share, vkr_taken *taken)
{
    *taken = (vkr_taken){0};
    if (function->info.elementType == VKR_TYPE_UNDEFINED || count == 0)
        return VKR_SUCCESS;
    vkr_view elements = *given;
    taken->widen = widen_of(elements.type);
    if (elements.type->size == 8) {
        elements.type = &vkr_types[VKR_TYPE_U32];
        elements.type_id = VKR_TYPE_U32;
        elements.components *= 2;
    }
    taken->words = elements.components;
    taken->place = vkr_place_of_view(&elements);
    if (vkr_is_image(&elements) || elements.type->size < 4 ||
        vkr_place_reach(&operation->context->caps, &taken->place) < share)
        return vkr_copy_elements(recorder, operation, count, &elements, &taken->place);
    return VKR_SUCCESS;
}

/* The same, for a pass of this file. */
static VkrResult choose_source(VkrRecorder recorder, calling *c, const vkr_walk *operation,
                               const vkr_view *elements)
{
    vkr_taken taken;
    VKR_TRY(vkr_take_elements(recorder, operation, c->function, c->walk.count, elements,
                              MIN_WORKGROUP * ITEMS, &taken));
    c->source = taken.place;
    c->words = taken.words;
    c->widen = taken.widen;
    return VKR_SUCCESS;
}

/* Chooses the shares of workgroups, and cuts the walk. */
static VkrResult cut(calling *c, const vkr_view *words)
{
    vkr_walk *w = &c->walk;
    const vkr_caps *caps = &w->context->caps;
    const bool bits = c->result == VKR_CALL_BITS;
    w->max_groups = vkr_all_groups(caps);
    vkr_start_walk(w, VKR_OPERATION_SCAN, VKR_FAMILY_STAGE, words);
    w->order = bits ? w->tuning->order : VKR_ORDER_COALESCED;
    if (!bits && c->target.buffer != VK_NULL_HANDLE)
        w->reached[w->reached_count++] = c->target;
    if (c->source.buffer != VK_NULL_HANDLE)
        w->reached[w->reached_count++] = c->source;
    uint64_t reach = bits ? vkr_bits_reach(caps) : UINT64_MAX;
    for (uint32_t i = 0; i < w->reached_count; i++)
        reach = vkr_min(reach, vkr_place_reach(caps, &w->reached[i]));
    w->workgroup_size = VKR_SURE_WORKGROUP;
    while (w->workgroup_size * ITEMS > reach && w->workgroup_size > MIN_WORKGROUP)
        w->workgroup_size /= 2;
    const uint32_t grain = bits ? ITEMS : VKR_CALLS;
    w->items = (uint32_t)vkr_min(reach / w->workgroup_size / grain * grain, ITEMS);
    if (bits)
        w->max_groups = vkr_min(w->max_groups, reach / (w->workgroup_size * ITEMS));
    VKR_FIT(w, w->items != 0, "%u elements, or %u bits,", MIN_WORKGROUP * VKR_CALLS,
            MIN_WORKGROUP * ITEMS);
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

static VkrResult emit(VkrRecorder recorder, calling *c)
{
    const vkr_view words = {
        .type = &vkr_types[VKR_TYPE_U32], .type_id = VKR_TYPE_U32, .components = 1, .stride = 4};
    VKR_TRY(cut(c, &words));
    vkr_pass pass = {
        .walk = &c->walk,
        .card = &vkr_call_card,
        .kernel = VKR_KERNEL_CALL,
        .constants = {[VKR_CALL_CONST_RESULT] = c->result,
                      [VKR_CALL_CONST_WORDS] = c->words,
                      [VKR_CALL_CONST_WIDEN] = c->widen,
                      [VKR_CONST_FLAGS] = c->flags},
        .slots = {[VKR_CALL_SLOT_VALUES] = {.place = c->target,
                                            .span = c->result == VKR_CALL_BITS ? VKR_SPAN_WORDS
                                                                               : VKR_SPAN_ELEMENTS},
                  [VKR_CALL_SLOT_COUNT] = {.place = c->count},
                  [VKR_CALL_SLOT_SOURCE] = {.place = c->source, .span = VKR_SPAN_ELEMENTS}},
        .finish = finish,
        .operation = c,
    };
    VKR_PUSH(&pass, vkr_call_push)->limit = c->limit;
    return vkr_emit(recorder, &pass);
}

/* Whether elements are single words without gaps, at a multiple of 16 bytes. */
static bool has_fours(const calling *c)
{
    return c->words == 1 && c->source.stride == 4 && c->source.offset % 16 == 0;
}

VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *operation,
                                const vkr_view *source, uint64_t count, vkr_place target)
{
    calling c = {.hook = source->map.hook, .target = target};
    start(&c, operation, VKR_HOOK_KIND_MAP, count);
    c.result = c.function->info.components;
    VKR_TRY(choose_source(recorder, &c, operation, source));
    if (c.result == 1 && (c.words == 0 || has_fours(&c)))
        c.flags |= VKR_CALL_FLAG_WIDE;
    return emit(recorder, &c);
}

VkrResult vkr_call_for_bits(VkrRecorder recorder, const vkr_walk *operation,
                            const VkrFlagView *flags, const vkr_view *elements, vkr_place *bits)
{
    calling c = {.hook = flags->hook, .result = VKR_CALL_BITS};
    if (operation->count == 0)
        return VKR_SUCCESS;
    start(&c, operation, VKR_HOOK_KIND_PREDICATE, operation->count);
    c.target = vkr_place_of_words(flags->range.buffer, flags->range.offset, 1);
    VKR_TRY(choose_source(recorder, &c, operation, elements));
    if (has_fours(&c))
        c.flags |= VKR_CALL_FLAG_WIDE;
    if (!flags->range.buffer)
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1,
                              vkr_divide_up(operation->count, VKR_WORD_BITS), &c.target));
    *bits = c.target;
    return emit(recorder, &c);
}

VkrResult vkr_call_for_list(VkrRecorder recorder, const vkr_walk *operation, const VkrHook *hook,
                            const vkr_list *list)
{
    calling c = {.hook = hook, .result = VKR_CALL_SINK, .source = list->place, .words = 1};
    start(&c, operation, VKR_HOOK_KIND_SINK, list->entries);
    c.count = list->record;
    c.flags =
        VKR_FLAG_GPU_COUNT | VKR_FLAG_GPU_COUNT64 | (list->appended ? VKR_CALL_FLAG_APPEND : 0);
    c.limit = (uint32_t)vkr_min(list->limit, UINT32_MAX);
    return emit(recorder, &c);
}
