/* SPDX-License-Identifier: MIT */
/* The steps of radix sorts and of sorts in one workgroup, and the memory between them. */
#include <inttypes.h>
#include <string.h>

#include "kernel_list.h"
#include "plan.h"

/* ---- Kernels ---- */

/* What a kernel binds besides the table, and how. */
#define SOURCE 1u
#define TEMP 2u
#define OUTPUTS 4u /* and the values that are read */
#define COUNT 8u   /* the GPU's, which the first digit reads */
#define PARTS 16u  /* parts of its rows, where a descriptor does not reach a row */

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
                               SOURCE | TEMP | COUNT | PARTS,
                               {{OF_UNITS(COUNT, _SHUFFLE)}, {OF_UNITS(COUNT, _SHARED)}}},
    [VKR_SORT_KERNEL_SPINE] = {&vkr_sort_spine_card,
                               0,
                               {{OF_ANY_UNIT(SPINE_SHUFFLE)}, {OF_ANY_UNIT(SPINE_SHARED)}}},
    [VKR_SORT_KERNEL_SCATTER] = {&vkr_sort_scatter_card,
                                 SOURCE | TEMP | OUTPUTS | PARTS,
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
    const uint64_t rows = vkr_min(p->batch, p->rows - first_row);
    return (vkr_sort_part){.first_row = first_row, .rows = rows, .shares = p->groups};
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

/* Kernels count all elements from the first one of the sort, whichever of them a dispatch binds. */
static vkr_bound from_zero(vkr_bound bound)
{
    bound.from_zero = true;
    return bound;
}

/* What a kernel reads: all of its rows, or the elements of its workgroups. */
static vkr_bound bind_read(const vkr_sort_plan *p, uint32_t binds, const char *name,
                           vkr_place place)
{
    return from_zero(vkr_part_items(name, place, p->row, p->row,
                                    (binds & PARTS) != 0 ? p->taken : 0, p->sort->count));
}

/* What it stores: elements of its own rows, or any of those. */
static vkr_bound bind_stored(const vkr_sort_plan *p, uint32_t binds, const char *name,
                             vkr_place place)
{
    return (binds & PARTS) != 0 ? from_zero(vkr_any_of(name, place, p->row, p->sort->count))
                                : bind_read(p, binds, name, place);
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
    vkr_bound (*const bind_temp)(const vkr_sort_plan *p, uint32_t binds, const char *name,
                                 vkr_place place) = stores_temp ? bind_stored : bind_read;
    if ((binds & SOURCE) != 0)
        slots[VKR_SORT_SLOT_SOURCE] =
            bind_read(p, binds, "keys", vkr_place_of_view(is_first ? &s->keys : &p->sorted));
    if ((binds & TEMP) != 0)
        slots[VKR_SORT_SLOT_TEMP] = bind_temp(p, binds, "scratch", p->temp);
    if (!stores)
        return;
    slots[VKR_SORT_SLOT_SORTED] = bind_stored(p, binds, "sorted", vkr_place_of_view(&p->sorted));
    if (!vkr_has_buffer(&s->ranked))
        return;
    slots[VKR_SORT_SLOT_VALUES] =
        bind_read(p, binds, "values", vkr_place_of_view(is_first ? &s->values : &s->ranked));
    if ((binds & TEMP) != 0)
        slots[VKR_SORT_SLOT_VALUES_TEMP] = bind_temp(p, binds, "scratch", p->values_temp);
    slots[VKR_SORT_SLOT_RANKED] = bind_stored(p, binds, "indices", vkr_place_of_view(&s->ranked));
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
    push->row_length = (uint32_t)p->row;
    push->count = (uint32_t)p->sort->count;
    push->digit = part->digit;
    push->digits = p->digits;
    push->begin = p->sort->begin;
    push->end = p->sort->end;
    push->limit = p->sort->limit;
}

VkrResult vkr_add_sort_steps(VkrRecorder recorder, const vkr_sort_plan *p, vkr_sort_kernel kernel,
                             const vkr_sort_part *part, vkr_grid grid)
{
    const kernel_row *row = &kernel_rows[kernel];
    vkr_pass pass = {.walk = &p->walk,
                     .card = row->card,
                     .kernel = row->kernels[p->shared][p->unit],
                     .slots = {[VKR_SORT_SLOT_TABLE] = {.place = p->table}}};
    memcpy(pass.constants, p->constants, sizeof pass.constants);
    pass.constants[VKR_SORT_CONST_FLAGS] |= part->digit == 0 ? VKR_SORT_FLAG_FIRST : 0;
    if (kernel == VKR_SORT_KERNEL_SWEEP) {
        pass.constants[VKR_SORT_CONST_MUTED] = p->caps->muted_tile;
        pass.constants[VKR_SORT_CONST_LOOKS] = vkr_sort_policy_of(p->walk.context)->looks;
    }
    if (reads_gpu_count(p, part, row->binds)) {
        pass.constants[VKR_SORT_CONST_FLAGS] |= vkr_count_flags(p->sort->gpu_count);
        pass.slots[VKR_SORT_SLOT_COUNT].place = vkr_place_of_count(p->sort->gpu_count);
    }
    bind_elements(p, part, row->binds, pass.slots);
    set_push(p, part, VKR_PUSH(&pass, vkr_sort_push));
    grid.first_row = part->first_row;
    grid.rows = part->rows;
    return vkr_emit_grid(recorder, &pass, &grid);
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
