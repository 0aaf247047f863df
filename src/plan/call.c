/* SPDX-License-Identifier: MIT */
#include "call.h"

#include <inttypes.h>

#include "../core/function.h"
#include "kernel_list.h"
#include "pass.h"

#define WORKGROUP 128u /* every device supports this */
#define ITEMS 32u /* elements of an invocation: a word of bits, and few trips of functions' loops */

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
    w->items = ITEMS;
    if (c->bits) {
        w->max_groups = vkr_min(w->max_groups, vkr_bits_reach(caps) / (WORKGROUP * ITEMS));
    } else {
        const uint64_t reach = vkr_place_reach(caps, &c->target) / WORKGROUP;
        w->items = (uint32_t)vkr_min(ITEMS, reach / VKR_CALLS * VKR_CALLS);
        w->reached[w->reached_count++] = c->target;
    }
    VKR_NEED(w, w->items != 0 && w->max_groups != 0,
             "%u elements, or %u bits, must fit maxStorageBufferRange (%" PRIu64 " bytes).",
             WORKGROUP * VKR_CALLS, WORKGROUP * ITEMS, caps->max_range);
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

VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *operation,
                                const VkrHook *hook, uint64_t count, const vkr_view *view,
                                vkr_place target)
{
    char sentence[VKR_HOOK_SENTENCE];
    calling c = {.hook = hook, .target = target, .gpu_count = operation->gpu_count};
    c.function = vkr_function_of(hook, false, sentence);
    VKR_TRY(start(&c, operation, count, view));
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
