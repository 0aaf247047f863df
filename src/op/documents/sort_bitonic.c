/* SPDX-License-Identifier: MIT */
/*
 * Bitonic sorts: a dispatch sorts chunks in shared memory. Each doubling of the sorted length then
 * takes one for each stride that is too large for a chunk, and one for all others.
 */
#include <inttypes.h>

#include "kernel_list.h"
#include "../sort/plan.h"

#define WORKGROUP 256u
#define CHUNK 1024u /* elements, at most, unless the workgroup is larger than half of it */
#define CHUNK_EACH 16u

typedef struct bitonic {
    const vkr_sort_plan *plan;
    vkr_walk walk;
    uint32_t chunk;
    vkr_place keys, items, copy; /* in scratch */
} bitonic;

static VkrResult choose_chunk(bitonic *b)
{
    const vkr_caps *caps = b->plan->caps;
    const uint32_t asked = b->plan->sort->workgroup_size;
    const bool alone = vkr_sort_policy_of(b->walk.context)->workgroup == 0;
    const uint64_t most = vkr_min(caps->max_workgroup_size, WORKGROUP);
    const uint32_t bytes = b->plan->sort->keys.type->size == 8 ? 12 : 8;
    const uint32_t workgroup =
        asked != 0 ? asked : (uint32_t)(alone ? vkr_clamp(caps->subgroup_size, 1, most) : most);
    b->chunk = (uint32_t)vkr_max(2 * (uint64_t)workgroup, vkr_min(CHUNK, CHUNK_EACH * workgroup));
    b->walk.workgroup_size = workgroup;
    VKR_NEED(&b->walk, bytes * b->chunk <= caps->max_shared_memory,
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             workgroup, caps->max_shared_memory);
    return VKR_SUCCESS;
}

static VkrResult check_reach(const bitonic *b)
{
    const vkr_sort *s = b->plan->sort;
    VKR_FIT(&b->walk, s->count <= b->plan->reach,
            "algorithm is bitonic, but count is %" PRIu64 ", and must be at most %" PRIu64
            ", since keys and outputs",
            s->count, b->plan->reach);
    const uint64_t groups = vkr_divide_up(b->plan->row, b->walk.workgroup_size);
    VKR_NEED(&b->walk, groups <= vkr_all_groups(b->plan->caps),
             "algorithm is bitonic, but a row of %" PRIu64 " elements needs up to %" PRIu64
             " workgroups, and a dispatch has at most %" PRIu64 ".",
             b->plan->row, groups, vkr_all_groups(b->plan->caps));
    if (b->plan->rows == 0)
        return VKR_SUCCESS;
    return vkr_check_sort_batches(b->plan, vkr_all_groups(b->plan->caps) / groups);
}

static VkrResult add_memory(VkrRecorder recorder, bitonic *b)
{
    const vkr_sort *s = b->plan->sort;
    vkr_view view;
    VKR_TRY(
        vkr_add_sort_scratch(recorder, s->count, vkr_type_of_size(s->keys.type->size), 1, &view));
    b->keys = vkr_place_of_view(&view);
    VKR_TRY(vkr_add_sort_scratch(recorder, s->count, VKR_TYPE_U32, 1, &view));
    VKR_FIT(&b->walk, s->count <= vkr_items_within(b->plan->caps, 0, 4, 4),
            "algorithm is bitonic, but count is %" PRIu64 ", and its numbers of elements",
            s->count);
    b->items = vkr_place_of_view(&view);
    if (!vkr_has_buffer(&s->values))
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_sort_scratch(recorder, s->count, VKR_TYPE_U32, 1, &view));
    b->copy = vkr_place_of_view(&view);
    return VKR_SUCCESS;
}

static void bind_inputs(const bitonic *b, vkr_bound *slots)
{
    const vkr_sort *s = b->plan->sort;
    slots[VKR_SORT_BITONIC_SLOT_SOURCE] = vkr_items(vkr_place_of_view(&s->keys), 0, s->count);
    slots[VKR_SORT_BITONIC_SLOT_VALUES] = vkr_items(vkr_place_of_view(&s->values), 0, s->count);
}

static void bind_outputs(const bitonic *b, vkr_bound *slots)
{
    const vkr_sort *s = b->plan->sort;
    slots[VKR_SORT_BITONIC_SLOT_SORTED] = vkr_items(vkr_place_of_view(&s->sorted), 0, s->count);
    slots[VKR_SORT_BITONIC_SLOT_RANKED] = vkr_items(vkr_place_of_view(&s->ranked), 0, s->count);
}

static void bind_scratch(const bitonic *b, vkr_bound *slots, bool copy)
{
    const uint64_t count = b->plan->sort->count;
    slots[VKR_SORT_BITONIC_SLOT_KEYS] = vkr_items(b->keys, 0, count);
    slots[VKR_SORT_BITONIC_SLOT_ITEMS] = vkr_items(b->items, 0, count);
    if (copy)
        slots[VKR_SORT_BITONIC_SLOT_COPY] = vkr_items(b->copy, 0, count);
}

static void bind_slots(const bitonic *b, uint32_t flags, vkr_bound *slots)
{
    if ((flags & VKR_SORT_BITONIC_FLAG_FIRST) != 0)
        bind_inputs(b, slots);
    if ((flags & VKR_SORT_BITONIC_FLAG_OUTPUTS) != 0)
        bind_outputs(b, slots);
    if (flags != (VKR_SORT_BITONIC_FLAG_FIRST | VKR_SORT_BITONIC_FLAG_OUTPUTS))
        bind_scratch(b, slots, flags != 0);
}

static uint32_t flags_of(const vkr_sort *s)
{
    return (vkr_has_buffer(&s->sorted) ? VKR_SORT_BITONIC_FLAG_KEYS : 0) |
           (vkr_has_buffer(&s->ranked) ? VKR_SORT_BITONIC_FLAG_VALUES : 0) |
           (vkr_has_buffer(&s->values) ? VKR_SORT_BITONIC_FLAG_CARRIED : 0);
}

/* A pass of this kind, without what depends on the stride and the rows of a dispatch. */
static vkr_pass new_pass(const bitonic *b, uint32_t kind, uint32_t flags)
{
    static const uint32_t kernels[] = {VKR_KERNEL_SORT_BITONIC_8, VKR_KERNEL_SORT_BITONIC_16,
                                       VKR_KERNEL_SORT_BITONIC_32, VKR_KERNEL_SORT_BITONIC_64};
    const vkr_sort *s = b->plan->sort;
    vkr_pass pass = {
        .walk = &b->walk, .card = &vkr_sort_bitonic_card, .kernel = kernels[b->plan->unit]};
    struct vkr_sort_bitonic_push *push = VKR_PUSH(&pass, vkr_sort_bitonic_push);
    pass.constants[VKR_SORT_BITONIC_CONST_FLAGS] = flags | flags_of(s);
    pass.constants[VKR_SORT_BITONIC_CONST_CHUNK] = b->chunk;
    pass.constants[VKR_SORT_BITONIC_CONST_STEP] = kind;
    vkr_set_order(&s->order, &pass.constants[VKR_SORT_BITONIC_CONST_KEY_FORM]);
    if (s->gpu_count != NULL && s->gpu_count->buffer != VK_NULL_HANDLE) {
        pass.constants[VKR_SORT_BITONIC_CONST_FLAGS] |= vkr_count_flags(s->gpu_count);
        pass.slots[VKR_SORT_BITONIC_SLOT_COUNT].place = vkr_place_of_count(s->gpu_count);
    }
    bind_slots(b, flags, pass.slots);
    push->row_length = (uint32_t)b->plan->row;
    push->count = (uint32_t)s->count;
    VKR_SET64(push, mask, UINT64_MAX >> (64 - (s->end - s->begin)) << s->begin);
    return pass;
}

/* Adds a pass, with a step for each batch of rows that one dispatch has enough workgroups for. */
static VkrResult add_pass(VkrRecorder recorder, const bitonic *b, uint32_t kind, uint64_t stride,
                          uint32_t flags)
{
    const vkr_sort_plan *p = b->plan;
    const bool in_chunks = kind == VKR_BITONIC_SORT || kind == VKR_BITONIC_MERGE;
    const uint64_t comparisons = in_chunks ? 0 : vkr_divide_up(p->row, 2 * stride) * stride;
    const uint64_t groups = in_chunks ? vkr_divide_up(p->row, b->chunk)
                                      : vkr_divide_up(comparisons, b->walk.workgroup_size);
    const uint64_t batch = vkr_clamp(vkr_all_groups(p->caps) / groups, 1, p->rows);
    vkr_pass pass = new_pass(b, kind, flags);
    struct vkr_sort_bitonic_push *push = VKR_PUSH(&pass, vkr_sort_bitonic_push);
    push->groups = (uint32_t)groups;
    push->stride = (uint32_t)stride;
    for (uint64_t first = 0; first < p->rows; first += batch) {
        const uint64_t rows = vkr_min(batch, p->rows - first);
        const vkr_window window = {.groups = rows * groups};
        push->first_row = (uint32_t)first;
        push->rows = (uint32_t)rows;
        VKR_TRY(vkr_emit_window(recorder, &pass, &window));
    }
    return VKR_SUCCESS;
}

/* Adds the passes that double the length of what is sorted, to 2 * `stride`. */
static VkrResult add_doubling(VkrRecorder recorder, const bitonic *b, uint64_t stride)
{
    const uint32_t end = 2 * stride >= b->plan->row ? VKR_SORT_BITONIC_FLAG_OUTPUTS : 0;
    VKR_TRY(add_pass(recorder, b, VKR_BITONIC_FLIP, stride, 0));
    for (uint64_t s = stride / 2; s >= b->chunk; s /= 2)
        VKR_TRY(add_pass(recorder, b, VKR_BITONIC_STEP, s, 0));
    return add_pass(recorder, b, VKR_BITONIC_MERGE, 0, end);
}

VkrResult vkr_plan_sort_bitonic(VkrRecorder recorder, const vkr_sort_plan *p)
{
    bitonic b = {.plan = p, .walk = p->walk};
    VKR_TRY(choose_chunk(&b));
    VKR_TRY(check_reach(&b));
    if (p->sort->count == 0)
        return VKR_SUCCESS;
    const bool is_one = p->row <= b.chunk;
    if (!is_one)
        VKR_TRY(add_memory(recorder, &b));
    VKR_TRY(add_pass(recorder, &b, VKR_BITONIC_SORT, 0,
                     VKR_SORT_BITONIC_FLAG_FIRST | (is_one ? VKR_SORT_BITONIC_FLAG_OUTPUTS : 0)));
    for (uint64_t stride = b.chunk; stride < p->row; stride *= 2)
        VKR_TRY(add_doubling(recorder, &b, stride));
    return VKR_SUCCESS;
}
