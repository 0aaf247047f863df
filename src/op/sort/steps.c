/* SPDX-License-Identifier: MIT */
/* What the steps of all radix sorts have in common, and the memory between them. */
#include <inttypes.h>
#include <string.h>

#include "kernel_list.h"
#include "plan.h"

VkrResult vkr_add_sort_memory(VkrRecorder recorder, vkr_sort_plan *p)
{
    const vkr_sort *s = p->sort;
    const VkrType type = vkr_type_of_size(s->keys.type->size);
    vkr_view view = {0};
    if (p->passes >= 2) {
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, type, 1, &view));
        p->temp = vkr_place_of_view(&view);
    }
    if (p->passes >= 2 && vkr_has_buffer(&s->ranked)) {
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, VKR_TYPE_U32, 1, &view));
        p->values_temp = vkr_place_of_view(&view);
    }
    p->sorted = s->sorted;
    if (p->passes >= 3 && !vkr_has_buffer(&p->sorted))
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, type, 1, &p->sorted));
    return VKR_SUCCESS;
}

uint32_t vkr_sort_kernel(const vkr_sort_plan *p, uint32_t which)
{
    static const uint32_t kernels[6][2][4] = {
        {{VKR_KERNEL_SORT_COUNT_8_SHUFFLE, VKR_KERNEL_SORT_COUNT_16_SHUFFLE,
          VKR_KERNEL_SORT_COUNT_32_SHUFFLE, VKR_KERNEL_SORT_COUNT_64_SHUFFLE},
         {VKR_KERNEL_SORT_COUNT_8_SHARED, VKR_KERNEL_SORT_COUNT_16_SHARED,
          VKR_KERNEL_SORT_COUNT_32_SHARED, VKR_KERNEL_SORT_COUNT_64_SHARED}},
        {{VKR_KERNEL_SORT_SCATTER_8_SHUFFLE, VKR_KERNEL_SORT_SCATTER_16_SHUFFLE,
          VKR_KERNEL_SORT_SCATTER_32_SHUFFLE, VKR_KERNEL_SORT_SCATTER_64_SHUFFLE},
         {VKR_KERNEL_SORT_SCATTER_8_SHARED, VKR_KERNEL_SORT_SCATTER_16_SHARED,
          VKR_KERNEL_SORT_SCATTER_32_SHARED, VKR_KERNEL_SORT_SCATTER_64_SHARED}},
        {{VKR_KERNEL_SORT_ONE_8_SHUFFLE, VKR_KERNEL_SORT_ONE_16_SHUFFLE,
          VKR_KERNEL_SORT_ONE_32_SHUFFLE, VKR_KERNEL_SORT_ONE_64_SHUFFLE},
         {VKR_KERNEL_SORT_ONE_8_SHARED, VKR_KERNEL_SORT_ONE_16_SHARED,
          VKR_KERNEL_SORT_ONE_32_SHARED, VKR_KERNEL_SORT_ONE_64_SHARED}},
        {{VKR_KERNEL_SORT_DIGITS_8_SHUFFLE, VKR_KERNEL_SORT_DIGITS_16_SHUFFLE,
          VKR_KERNEL_SORT_DIGITS_32_SHUFFLE, VKR_KERNEL_SORT_DIGITS_64_SHUFFLE},
         {VKR_KERNEL_SORT_DIGITS_8_SHARED, VKR_KERNEL_SORT_DIGITS_16_SHARED,
          VKR_KERNEL_SORT_DIGITS_32_SHARED, VKR_KERNEL_SORT_DIGITS_64_SHARED}},
        {{VKR_KERNEL_SORT_SWEEP_8_SHUFFLE, VKR_KERNEL_SORT_SWEEP_16_SHUFFLE,
          VKR_KERNEL_SORT_SWEEP_32_SHUFFLE, VKR_KERNEL_SORT_SWEEP_64_SHUFFLE},
         {VKR_KERNEL_SORT_SWEEP_8_SHARED, VKR_KERNEL_SORT_SWEEP_16_SHARED,
          VKR_KERNEL_SORT_SWEEP_32_SHARED, VKR_KERNEL_SORT_SWEEP_64_SHARED}},
        {{VKR_KERNEL_SORT_MERGE_8, VKR_KERNEL_SORT_MERGE_16, VKR_KERNEL_SORT_MERGE_32,
          VKR_KERNEL_SORT_MERGE_64}}};
    return kernels[which][p->shared][vkr_log2_up(p->sort->keys.type->size)];
}

/* Kernels count all elements from the first one of the sort, whichever of them a dispatch binds:
 * the bases of those that start later wrap. */
static void set_bases(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    struct vkr_sort_push *push = VKR_PUSH(step, vkr_sort_push);
    const vkr_bound *slots = pass->slots;
    (void)window;
    push->source_base -= (uint32_t)slots[VKR_SORT_SLOT_SOURCE].first * push->source_stride;
    push->temp_base -= (uint32_t)slots[VKR_SORT_SLOT_TEMP].first;
    push->sorted_base -= (uint32_t)slots[VKR_SORT_SLOT_SORTED].first * push->sorted_stride;
    push->values_base -= (uint32_t)slots[VKR_SORT_SLOT_VALUES].first * push->values_stride;
    push->values_temp_base -= (uint32_t)slots[VKR_SORT_SLOT_VALUES_TEMP].first;
    push->ranked_base -= (uint32_t)slots[VKR_SORT_SLOT_RANKED].first * push->ranked_stride;
}

vkr_pass vkr_new_sort_pass(const vkr_sort_plan *p, uint32_t pass, uint64_t first_row)
{
    const vkr_sort *s = p->sort;
    vkr_pass step = {.walk = &p->walk, .finish = set_bases};
    struct vkr_sort_push *push = VKR_PUSH(&step, vkr_sort_push);
    step.constants[VKR_CONST_WORKGROUP] = p->workgroup;
    step.constants[VKR_SORT_CONST_FLAGS] = p->flags | (pass == 0 ? VKR_SORT_FLAG_FIRST : 0);
    step.constants[VKR_SORT_CONST_SUBGROUPS] = vkr_walk_subgroups(&p->walk);
    step.constants[VKR_SORT_CONST_RANKS] = p->ranks;
    step.constants[VKR_SORT_CONST_COPIES] = p->copies;
    step.constants[VKR_SORT_CONST_ITEMS] = p->items;
    vkr_set_order(&s->order, &step.constants[VKR_SORT_CONST_KEY_FORM]);
    push->groups = (uint32_t)p->groups;
    push->rows = (uint32_t)vkr_min(p->batch, p->rows - first_row);
    push->first_row = (uint32_t)first_row;
    push->row_length = (uint32_t)p->row;
    push->count = (uint32_t)s->count;
    push->pass = pass;
    push->passes = p->passes;
    push->begin = s->begin;
    push->end = s->end;
    push->limit = s->limit;
    step.slots[VKR_SORT_SLOT_TABLE] = (vkr_bound){.place = p->table};
    return step;
}

vkr_sort_range vkr_rows_of_sort(const vkr_sort_plan *p, const vkr_pass *step)
{
    struct vkr_sort_push push;
    memcpy(&push, step->push, sizeof push);
    const uint64_t first = push.first_row * p->row;
    return (vkr_sort_range){first, vkr_min(push.rows * p->row, p->sort->count - first)};
}

static vkr_bound bind_range(vkr_place place, vkr_sort_range range)
{
    return vkr_items(place, range.first, range.count);
}

void vkr_bind_sort_keys(const vkr_sort_plan *p, vkr_pass *step, vkr_sort_range in)
{
    const bool first = VKR_PUSH(step, vkr_sort_push)->pass == 0;
    step->slots[VKR_SORT_SLOT_SOURCE] =
        bind_range(vkr_place_of_view(first ? &p->sort->keys : &p->sorted), in);
    step->slots[VKR_SORT_SLOT_TEMP] = bind_range(p->temp, in);
}

void vkr_bind_sort_elements(const vkr_sort_plan *p, vkr_pass *step, vkr_sort_range in,
                            vkr_sort_range out)
{
    const vkr_sort *s = p->sort;
    const uint32_t pass = VKR_PUSH(step, vkr_sort_push)->pass;
    const vkr_sort_range temp = (p->passes - 1 - pass) % 2 != 0 ? out : in;
    vkr_bind_sort_keys(p, step, in);
    step->slots[VKR_SORT_SLOT_TEMP] = bind_range(p->temp, temp);
    step->slots[VKR_SORT_SLOT_SORTED] = bind_range(vkr_place_of_view(&p->sorted), out);
    if (!vkr_has_buffer(&s->ranked))
        return;
    step->slots[VKR_SORT_SLOT_VALUES] =
        bind_range(vkr_place_of_view(pass == 0 ? &s->values : &s->ranked), in);
    step->slots[VKR_SORT_SLOT_VALUES_TEMP] = bind_range(p->values_temp, temp);
    step->slots[VKR_SORT_SLOT_RANKED] = bind_range(vkr_place_of_view(&s->ranked), out);
}

void vkr_bind_sort_count(const vkr_sort_plan *p, vkr_pass *step)
{
    const VkrGpuCount *count = p->sort->gpu_count;
    if (count == NULL || count->buffer == VK_NULL_HANDLE)
        return;
    step->constants[VKR_SORT_CONST_FLAGS] |= vkr_count_flags(count);
    step->slots[VKR_SORT_SLOT_COUNT].place = vkr_place_of_count(count);
}

VkrResult vkr_check_sort_batches(const vkr_sort_plan *p, uint64_t batch)
{
    VKR_NEED(&p->walk, p->rows / batch < VKR_MAX_WINDOWS,
             "count is %" PRIu64 ", which is %" PRIu64
             " rows, but must need at most %u batches, the largest of which has %" PRIu64 ".",
             p->sort->count, p->rows, VKR_MAX_WINDOWS, batch);
    return VKR_SUCCESS;
}

VkrResult vkr_emit_sort(VkrRecorder recorder, const vkr_pass *step, uint64_t groups)
{
    const vkr_window window = {.groups = groups};
    return vkr_emit_window(recorder, step, &window);
}

static bool is_same(const vkr_view *a, const vkr_view *b)
{
    return vkr_has_buffer(a) && a->buffer == b->buffer && a->offset == b->offset;
}

static bool is_in_place(const vkr_sort *s)
{
    return is_same(&s->keys, &s->sorted) || is_same(&s->values, &s->ranked);
}

void vkr_choose_sort_passes(vkr_sort_plan *p)
{
    const vkr_sort *s = p->sort;
    const bool in_place = is_in_place(s);
    p->passes = (uint32_t)vkr_divide_up(s->end - s->begin, VKR_SORT_DIGIT) + in_place;
    p->flags |= in_place ? VKR_SORT_FLAG_EXTRA : 0;
}
