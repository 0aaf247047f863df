/* SPDX-License-Identifier: MIT */
#include "linked.h"

#include "../../shaders/numbers.h"
#include "../core/function.h"

vkr_view vkr_words_of_linked(const vkr_linked *l)
{
    const vkr_place *place = &l->taken.place;
    const uint32_t components = (uint32_t)vkr_max(l->taken.words, 1);
    const VkDeviceSize size = 4 * (VkDeviceSize)components;
    return (vkr_view){.buffer = place->buffer,
                      .offset = place->offset,
                      .type = &vkr_types[VKR_TYPE_U32],
                      .type_id = VKR_TYPE_U32,
                      .components = components,
                      .stride = place->buffer != VK_NULL_HANDLE ? place->stride : size};
}

uint32_t vkr_linked_constant(const vkr_linked *l)
{
    return l->words | l->result << VKR_LINKED_RESULT_SHIFT |
           l->taken.words << VKR_LINKED_ELEMENT_SHIFT | l->taken.widen << VKR_LINKED_WIDEN_SHIFT;
}

void vkr_link_step(const vkr_linked *l, vkr_step *step)
{
    step->variant.function = &l->monoid->load;
    vkr_use_hook(l->hook, step);
}
