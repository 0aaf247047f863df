/* SPDX-License-Identifier: MIT */
/* The steps of radix sorts and of sorts in one workgroup, and the memory between them. */
#include <inttypes.h>
#include <string.h>

#include "kernel_list.h"
#include "plan.h"

/* ---- Kernels ---- */

/* What a kernel binds besides the table. */
#define SOURCE 1u
#define TEMP 2u
#define OUTPUTS 4u /* and the values that are read */
#define COUNT 8u   /* the GPU's, which the first digit reads */

#define OF_UNITS(name, path)                                                                       \
    VKR_KERNEL_SORT_##name##_8##path, VKR_KERNEL_SORT_##name##_16##path,                           \
        VKR_KERNEL_SORT_##name##_32##path, VKR_KERNEL_SORT_##name##_64##path
#define OF_ANY_UNIT(name)                                                                          \
    VKR_KERNEL_SORT_##name, VKR_KERNEL_SORT_##name, VKR_KERNEL_SORT_##name, VKR_KERNEL_SORT_##name

typedef struct kernel_row {
    const vkr_card *card;
    uint32_t binds;
    uint32_t kernels[2][4]; /* with shuffles, or shared memory alone; by units */
} kernel_row;

static const kernel_row kernel_rows[] = {
    [VKR_SORT_KERNEL_COUNT] = {&vkr_sort_count_card,
                               SOURCE | TEMP | COUNT,
                               {{OF_UNITS(COUNT, _SHUFFLE)}, {OF_UNITS(COUNT, _SHARED)}}},
    [VKR_SORT_KERNEL_SPINE] = {&vkr_sort_spine_card,
                               0,
                               {{OF_ANY_UNIT(SPINE_SHUFFLE)}, {OF_ANY_UNIT(SPINE_SHARED)}}},
    [VKR_SORT_KERNEL_SCATTER] = {&vkr_sort_scatter_card,
                                 SOURCE | TEMP | OUTPUTS,
                                 {{OF_UNITS(SCATTER, _SHUFFLE)}, {OF_UNITS(SCATTER, _SHARED)}}},
    [VKR_SORT_KERNEL_ONE] = {&vkr_sort_one_card,
                             SOURCE | OUTPUTS | COUNT,
                             {{OF_UNITS(ONE, _SHUFFLE)}, {OF_UNITS(ONE, _SHARED)}}},
    [VKR_SORT_KERNEL_DIGITS] = {&vkr_sort_digits_card,
                                SOURCE | COUNT,
                                {{OF_UNITS(DIGITS, _SHUFFLE)}, {OF_UNITS(DIGITS, _SHARED)}}},
    [VKR_SORT_KERNEL_BASES] = {&vkr_sort_bases_card,
                               0,
                               {{OF_ANY_UNIT(BASES_SHUFFLE)}, {OF_ANY_UNIT(BASES_SHARED)}}},
    [VKR_SORT_KERNEL_SWEEP] = {&vkr_sort_sweep_card,
                               SOURCE | TEMP | OUTPUTS,
                               {{OF_UNITS(SWEEP, _SHUFFLE)}, {OF_UNITS(SWEEP, _SHARED)}}},
    /* One kernel serves all group paths. */
    [VKR_SORT_KERNEL_MERGE] = {&vkr_sort_merge_card,
                               SOURCE | OUTPUTS | COUNT,
                               {{OF_UNITS(MERGE, )}}},
};

/* ---- Parts ---- */

vkr_sort_part vkr_new_sort_part(const vkr_sort_plan *p, uint64_t first_row)
{
    const uint64_t rows = vkr_min(p->batch, p->rows - first_row), first = first_row * p->row;
    const vkr_sort_range all = {first, vkr_min(rows * p->row, p->sort->count - first)};
    return (vkr_sort_part){
        .first_row = first_row, .rows = rows, .shares = p->groups, .read = all, .stored = all};
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

void vkr_set_sort_constants(vkr_sort_plan *p)
{
    uint32_t *constants = p->constants;
    constants[VKR_CONST_WORKGROUP] = p->workgroup;
    constants[VKR_SORT_CONST_FLAGS] = p->flags;
    constants[VKR_SORT_CONST_SUBGROUPS] = vkr_walk_subgroups(&p->walk);
    constants[VKR_SORT_CONST_RANKS] = p->ranks;
    constants[VKR_SORT_CONST_COPIES] = p->copies;
    constants[VKR_SORT_CONST_ITEMS] = p->items;
    vkr_set_order(&p->sort->order, &constants[VKR_SORT_CONST_KEY_FORM]);
}

static vkr_bound bind_range(vkr_place place, vkr_sort_range range)
{
    return vkr_items(place, range.first, range.count);
}

/* Binds the keys and the values that a part reads, and the memory of those that it stores. With
 * windows, whether a digit reads or stores what lies in scratch is known: see vkr_route_of of
 * vkreduce/sort.glsl. */
static void bind_elements(const vkr_sort_plan *p, const vkr_sort_part *part, uint32_t binds,
                          vkr_bound *slots)
{
    const vkr_sort *s = p->sort;
    const bool is_first = part->digit == 0, stores = (binds & OUTPUTS) != 0;
    const bool stores_temp = stores && (p->digits - 1 - part->digit) % 2 != 0;
    const vkr_sort_range temp = stores_temp ? part->stored : part->read;
    if ((binds & SOURCE) != 0)
        slots[VKR_SORT_SLOT_SOURCE] =
            bind_range(vkr_place_of_view(is_first ? &s->keys : &p->sorted), part->read);
    if ((binds & TEMP) != 0)
        slots[VKR_SORT_SLOT_TEMP] = bind_range(p->temp, temp);
    if (!stores)
        return;
    slots[VKR_SORT_SLOT_SORTED] = bind_range(vkr_place_of_view(&p->sorted), part->stored);
    if (!vkr_has_buffer(&s->ranked))
        return;
    slots[VKR_SORT_SLOT_VALUES] =
        bind_range(vkr_place_of_view(is_first ? &s->values : &s->ranked), part->read);
    if ((binds & TEMP) != 0)
        slots[VKR_SORT_SLOT_VALUES_TEMP] = bind_range(p->values_temp, temp);
    slots[VKR_SORT_SLOT_RANKED] = bind_range(vkr_place_of_view(&s->ranked), part->stored);
}

static bool reads_gpu_count(const vkr_sort_plan *p, const vkr_sort_part *part, uint32_t binds)
{
    const VkrGpuCount *count = p->sort->gpu_count;
    return (binds & COUNT) != 0 && part->digit == 0 && count != NULL &&
           count->buffer != VK_NULL_HANDLE;
}

static void set_push(const vkr_sort_plan *p, const vkr_sort_part *part, struct vkr_sort_push *push)
{
    push->groups = (uint32_t)part->shares;
    push->rows = (uint32_t)part->rows;
    push->first_row = (uint32_t)part->first_row;
    push->row_length = (uint32_t)p->row;
    push->count = (uint32_t)p->sort->count;
    push->digit = part->digit;
    push->digits = p->digits;
    push->begin = p->sort->begin;
    push->end = p->sort->end;
    push->limit = p->sort->limit;
    push->first_group = (uint32_t)part->groups.first;
    push->group_count = (uint32_t)part->groups.count;
}

/* What only one of the kernels has. */
static void set_own(const vkr_sort_plan *p, vkr_sort_kernel kernel, const vkr_sort_part *part,
                    vkr_pass *pass)
{
    struct vkr_sort_push *push = VKR_PUSH(pass, vkr_sort_push);
    if (kernel == VKR_SORT_KERNEL_SWEEP)
        pass->constants[VKR_SORT_CONST_MUTED] = p->caps->muted_tile;
    if (kernel == VKR_SORT_KERNEL_SCATTER) {
        push->stored_first = (uint32_t)part->stored.first;
        push->stored_count = (uint32_t)part->stored.count;
    }
}

VkrResult vkr_add_sort_step(VkrRecorder recorder, const vkr_sort_plan *p, vkr_sort_kernel kernel,
                            const vkr_sort_part *part, uint64_t groups)
{
    const kernel_row *row = &kernel_rows[kernel];
    vkr_pass pass = {.walk = &p->walk,
                     .card = row->card,
                     .kernel = row->kernels[p->shared][p->unit],
                     .slots = {[VKR_SORT_SLOT_TABLE] = {.place = p->table}},
                     .finish = set_bases};
    memcpy(pass.constants, p->constants, sizeof pass.constants);
    pass.constants[VKR_SORT_CONST_FLAGS] |= part->digit == 0 ? VKR_SORT_FLAG_FIRST : 0;
    if (reads_gpu_count(p, part, row->binds)) {
        pass.constants[VKR_SORT_CONST_FLAGS] |= vkr_count_flags(p->sort->gpu_count);
        pass.slots[VKR_SORT_SLOT_COUNT].place = vkr_place_of_count(p->sort->gpu_count);
    }
    bind_elements(p, part, row->binds, pass.slots);
    set_push(p, part, VKR_PUSH(&pass, vkr_sort_push));
    set_own(p, kernel, part, &pass);
    return vkr_emit_groups(recorder, &pass, groups);
}

/* ---- Digits and batches ---- */

VkrResult vkr_check_sort_batches(const vkr_sort_plan *p, uint64_t batch)
{
    VKR_NEED(&p->walk, p->rows / batch < VKR_MAX_WINDOWS,
             "count is %" PRIu64 ", which is %" PRIu64
             " rows, but must need at most %u batches, the largest of which has %" PRIu64 ".",
             p->sort->count, p->rows, VKR_MAX_WINDOWS, batch);
    return VKR_SUCCESS;
}

static bool is_same(const vkr_view *a, const vkr_view *b)
{
    return vkr_has_buffer(a) && a->buffer == b->buffer && a->offset == b->offset;
}

static bool is_in_place(const vkr_sort *s)
{
    return is_same(&s->keys, &s->sorted) || is_same(&s->values, &s->ranked);
}

void vkr_choose_sort_digits(vkr_sort_plan *p)
{
    const vkr_sort *s = p->sort;
    const bool in_place = is_in_place(s);
    p->digits = (uint32_t)vkr_divide_up(s->end - s->begin, VKR_SORT_DIGIT_BITS) + in_place;
    p->flags |= in_place ? VKR_SORT_FLAG_EXTRA : 0;
}

VkrResult vkr_add_sort_memory(VkrRecorder recorder, vkr_sort_plan *p)
{
    const vkr_sort *s = p->sort;
    const VkrType type = vkr_type_of_size(s->keys.type->size);
    vkr_view view = {0};
    if (p->digits >= 2) {
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, type, 1, &view));
        p->temp = vkr_place_of_view(&view);
    }
    if (p->digits >= 2 && vkr_has_buffer(&s->ranked)) {
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, VKR_TYPE_U32, 1, &view));
        p->values_temp = vkr_place_of_view(&view);
    }
    p->sorted = s->sorted;
    if (p->digits >= 3 && !vkr_has_buffer(&p->sorted))
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, type, 1, &p->sorted));
    return VKR_SUCCESS;
}
