/* SPDX-License-Identifier: MIT */
/* vkrCmdFind: a compaction that stores only the index of the first element that it would keep. */
#include "../../plan/unused.h"
#include "../compact/compact.h"
#include "kernel_list.h"
#include "vkreduce/bounds.h"

#define CALL "vkrCmdFind"

typedef struct find {
    VkrCompactInfo info; /* what is tested */
    vkr_compact compact;
    vkr_place index;
    vkr_place counters; /* of all windows, as cards/compact.h describes them */
} find;

static VkrResult check_index(find *f, const VkrFindInfo *info)
{
    const vkr_compact *c = &f->compact;
    const vkr_walk *w = &c->walk;
    const bool wide = w->count >> 32 != 0 || w->context->caps.wide_indices;
    VKR_TRY(vkr_check_place(w, "index", &info->index, true, 4, wide ? 8 : 4, &f->index));
    const vkr_region regions[] = {
        vkr_region_of_place("index", &f->index, true),
        c->read,
        c->flags,
        vkr_region_of_place("predicate.gpuConstants", &c->gpu_constants, false),
        vkr_region_of_count("gpuCount", &info->gpuCount),
    };
    return vkr_check_disjoint(w, regions, regions + 1, VKR_ARRAY_SIZE(regions) - 1,
                              "be apart from it");
}

static VkrResult add_memory(VkrRecorder recorder, find *f)
{
    vkr_compact *c = &f->compact;
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, 1 + (uint64_t)c->walk.windows, 1, &f->counters));
    return vkr_add_words(recorder, VKR_SCRATCH, VKR_RECORD_WORDS, 1, &c->record);
}

static vkr_pass pass_of(const find *f, uint32_t mode)
{
    const vkr_compact *c = &f->compact;
    static const uint32_t kernels[] = {VKR_KERNEL_FIND_W8, VKR_KERNEL_FIND_W16, VKR_KERNEL_FIND_W32,
                                       VKR_KERNEL_FIND_W64};
    vkr_pass pass = vkr_compact_pass(c, mode, f->index.size == 8 ? VKR_FLAG_WIDE_INDEX : 0);
    pass.card = &vkr_find_card;
    pass.kernel = kernels[vkr_log2_up(c->walk.view->type->size)];
    pass.slots[VKR_COMPACT_SLOT_COUNTER] = (vkr_bound){.place = f->counters};
    pass.operation = f;
    return pass;
}

static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    vkr_fill_tested(pass, &((const find *)pass->operation)->compact, window, step);
    VKR_PUSH(step, vkr_compact_push)->kept_low = window->index;
}

static VkrResult add_passes(VkrRecorder recorder, const find *f)
{
    vkr_pass pass = pass_of(f, VKR_MODE_FIND);
    pass.finish = finish;
    if (f->compact.walk.count != 0)
        VKR_TRY(vkr_emit(recorder, &pass));
    pass = pass_of(f, VKR_MODE_FOUND);
    pass.slots[VKR_COMPACT_SLOT_WORDS] = (vkr_bound){0};
    pass.slots[VKR_COMPACT_SLOT_BITS] = (vkr_bound){.place = f->index};
    VKR_PUSH(&pass, vkr_compact_push)->kept_count = (uint32_t)f->compact.walk.window;
    return vkr_emit_groups(recorder, &pass, 1);
}

static VkrResult add_find(VkrRecorder recorder, const VkrFindInfo *info)
{
    find f = {.compact = {.info = &f.info,
                          .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL),
                          .finds = true}};
    vkr_compact *c = &f.compact;
    VKR_MUST(&c->walk, info != NULL, "info is NULL, but must point to a VkrFindInfo.");
    f.info = (VkrCompactInfo){.input = info->input,
                              .count = info->count,
                              .gpuCount = info->gpuCount,
                              .predicate = info->predicate};
    c->walk.gpu_count = &info->gpuCount;
    VKR_TRY(vkr_check_tested(recorder, c));
    VKR_TRY(check_index(&f, info));
    VKR_TRY(vkr_plan_find_geometry(c));
    VKR_TRY(add_memory(recorder, &f));
    VKR_TRY(vkr_plan_gather(recorder, c));
    VKR_TRY(add_passes(recorder, &f));
    vkr_note_count(&c->walk, "input");
    vkr_note_view(&c->walk, "input", &info->input);
    vkr_note_gpu_count(&c->walk, "gpuCount", &info->gpuCount);
    vkr_note_predicate(&c->walk, &info->predicate, c->input.type);
    return VKR_SUCCESS;
}

VkrResult vkrCmdFind(VkrRecorder recorder, const VkrFindInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_find(recorder, info));
}
