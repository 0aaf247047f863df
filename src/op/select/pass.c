/* SPDX-License-Identifier: MIT */
/* What all dispatches of a selection by ranks have in common. */
#include "select.h"

#include "kernel_list.h"

/* A share in units of 2^-31; what shares are not, stays. */
static uint32_t rank_of(const VkrSelectInfo *info, uint32_t i)
{
    if (info->ranks != NULL)
        return info->ranks[i];
    const double share = info->shares[i] * 2147483648.0; /* which is exact, and rounded up */
    return (uint32_t)share + ((uint32_t)share < share ? 1 : 0);
}

static void set_ranks(const vkr_select *s, const vkr_select_mode *m, vkr_pass *pass)
{
    for (uint32_t i = 0; i < m->ranks; i++)
        pass->uniforms[i] = rank_of(s->info, m->first + i);
}

vkr_select_uses vkr_uses_of_mode(const vkr_select *s, const vkr_select_mode *m)
{
    const bool is_row = m->number == VKR_NTH_ROW || m->number == VKR_NTH_SHORT;
    const bool is_last = m->number == VKR_NTH_LAST;
    const bool has_indices = vkr_has_buffer(&s->indices);
    return (vkr_select_uses){
        /* Without indices, the last digits are found from counts alone. */
        .input = !is_last || has_indices,
        .ranks = is_row || m->number == VKR_NTH_FIRST,
        .values = vkr_has_buffer(&s->values) && (is_row || is_last),
        .indices = has_indices && (is_row || m->number == VKR_NTH_PLACE),
    };
}

static uint32_t flags_of(const vkr_select *s, const vkr_select_mode *m, vkr_select_uses uses)
{
    const bool tallies = m->number == VKR_NTH_LAST && uses.input;
    const bool on_gpu = s->ranks.buffer != VK_NULL_HANDLE;
    return (uses.values ? VKR_NTH_FLAG_VALUES : 0) |
           (uses.indices || tallies ? VKR_NTH_FLAG_INDICES : 0) |
           (uses.ranks && s->info->shares != NULL ? VKR_NTH_FLAG_SHARES : 0) |
           (uses.ranks && on_gpu ? VKR_NTH_FLAG_GPU_RANKS : 0) |
           (vkr_is_packed(&s->input) ? VKR_NTH_FLAG_PACKED : 0) |
           (s->walk.tuning->order == VKR_LOAD_CONTIGUOUS ? VKR_NTH_FLAG_CONTIGUOUS : 0);
}

vkr_pass vkr_select_pass(const vkr_select *s, const vkr_select_mode *m)
{
    const vkr_select_uses uses = vkr_uses_of_mode(s, m);
    const uint32_t ranks = s->info->rankCount;
    const bool is_whole = m->number == VKR_NTH_ROW;
    vkr_pass pass = {.walk = &s->walk,
                     .constants = {[VKR_CONST_WORKGROUP] = s->walk.workgroup_size,
                                   [VKR_NTH_CONST_MODE] = m->number,
                                   [VKR_NTH_CONST_BITS] = is_whole ? s->whole_bits : s->digit_bits,
                                   [VKR_NTH_CONST_RANKS] = s->batch,
                                   [VKR_NTH_CONST_FLAGS] = flags_of(s, m, uses)}};
    vkr_set_order(&s->order, &pass.constants[VKR_NTH_CONST_KEY_FORM]);
    if (uses.ranks && s->ranks.buffer != VK_NULL_HANDLE)
        pass.slots[VKR_NTH_SLOT_RANKS] = vkr_items(s->ranks, 0, ranks);
    else if (uses.ranks)
        set_ranks(s, m, &pass);
    struct vkr_nth_push *push = VKR_PUSH(&pass, vkr_nth_push);
    push->share = (uint32_t)s->share;
    push->first_rank = m->first;
    push->ranks = m->ranks;
    push->width = m->width;
    push->shift = m->shift;
    push->pitch = ranks;
    return pass;
}
