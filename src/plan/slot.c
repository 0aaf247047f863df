/* SPDX-License-Identifier: MIT */
#include "slot.h"

#include "../tables/kernels.h"

vkr_place vkr_place_of_view(const vkr_view *view)
{
    if (view->buffer == VK_NULL_HANDLE)
        return (vkr_place){0};
    return (vkr_place){.buffer = view->buffer,
                       .offset = view->offset,
                       .stride = view->stride,
                       .size = vkr_element_size(view),
                       .unit = view->mapped ? view->source.type->size : view->type->size};
}

vkr_place vkr_place_of_words(VkBuffer buffer, VkDeviceSize offset, uint64_t words)
{
    return (vkr_place){buffer, offset, 4 * words, 4 * words, 4};
}

vkr_place vkr_place_of_bytes(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size, uint32_t unit)
{
    return (vkr_place){buffer, offset, size, size, unit};
}

vkr_place vkr_place_of_count(const VkrGpuCount *count)
{
    return vkr_place_of_bytes(count->buffer, count->offset, count->type == VKR_TYPE_U64 ? 8 : 4, 4);
}

uint64_t vkr_place_window(const vkr_caps *caps, const vkr_place *place, uint64_t first)
{
    const VkDeviceSize slack = (place->offset + first * place->stride) % caps->granule;
    return vkr_items_within(caps, slack, place->size, place->stride);
}

uint64_t vkr_place_reach(const vkr_caps *caps, const vkr_place *place)
{
    return vkr_items_within(caps, caps->granule, place->size, place->stride);
}

vkr_step vkr_new_step(const vkr_card *card, vkr_variant variant)
{
    vkr_step step = {.names = card->names,
                     .shared_names = vkr_shared_names,
                     .variant = variant,
                     .push_size = card->push_size,
                     .groups = {1, 1}};
    step.variant.constant_count = card->constant_count;
    step.variant.bindings = (vkr_bindings){0};
    for (uint32_t i = 0; i < card->binding_count; i++) {
        const vkr_binding *binding = &card->bindings[i];
        const bool is_left_out =
            binding->kind == VKR_KIND_TEXELS && !vkr_loads_texels(variant.kernel);
        if ((binding->kernels & card->kernel) != 0 && !is_left_out) {
            step.variant.bindings.kinds[binding->number] = binding->kind;
            step.uniform_size += binding->size;
        }
    }
    return step;
}

void vkr_set_field(vkr_step *step, uint8_t field, uint32_t value)
{
    const uint32_t pushed = VKR_MAX_PUSH / 4;
    if (field > pushed)
        step->uniforms[field - 1 - pushed] = value;
    else if (field != 0)
        step->push[field - 1] = value;
}

uint32_t vkr_get_field(const vkr_step *step, uint8_t field)
{
    const uint32_t pushed = VKR_MAX_PUSH / 4;
    if (field > pushed)
        return step->uniforms[field - 1 - pushed];
    return field != 0 ? step->push[field - 1] : 0;
}

/* A descriptor without a binding of its kind, and an access for which a step has no room, are only
 * counted; vkr_add_step then refuses the step. */
void vkr_bind_descriptor(vkr_step *step, uint32_t binding, vkr_kind kind, vkr_descriptor descriptor)
{
    if (binding < VKR_MAX_BINDINGS && step->variant.bindings.kinds[binding] == kind)
        step->bindings[binding] = descriptor;
    else
        step->misfits++;
}

/* Binds bytes of a buffer; returns how far into the descriptor they start. */
static VkDeviceSize bind_bytes(const vkr_caps *caps, vkr_step *step, uint32_t binding,
                               VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    const VkDeviceSize slack = offset % caps->granule;
    vkr_bind_descriptor(step, binding, VKR_KIND_BUFFER,
                        (vkr_descriptor){.buffer = {buffer, offset - slack, slack + size}});
    return slack;
}

void vkr_use(vkr_step *step, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
             VkAccessFlags access)
{
    const uint32_t index = step->access_count++;
    if (index < VKR_MAX_ACCESSES)
        step->accesses[index] = (vkr_access){.buffer = buffer,
                                             .offset = offset,
                                             .size = size,
                                             .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                             .access = access};
}

void vkr_fill_texels(vkr_step *step, const vkr_view *view)
{
    const VkrTexels *texels = &view->texels;
    vkr_bind_descriptor(step, VKR_BINDING_TEXELS, VKR_KIND_TEXELS,
                        (vkr_descriptor){.texels = texels->view});
    vkr_use(step, view->buffer, texels->offset, texels->size, VK_ACCESS_SHADER_READ_BIT);
}

void vkr_set_groups(const vkr_caps *caps, vkr_step *step, uint64_t groups)
{
    const uint64_t y = vkr_divide_up(groups, caps->max_groups[0]);
    step->groups[0] = (uint32_t)vkr_divide_up(groups, y);
    step->groups[1] = (uint32_t)y;
}

uint32_t vkr_fill_slot(const vkr_caps *caps, vkr_step *step, const vkr_slot *slot,
                       const vkr_place *place, uint64_t first, uint64_t count)
{
    if (place->buffer == VK_NULL_HANDLE || count == 0)
        return 0;
    const VkDeviceSize offset = place->offset + first * place->stride;
    const VkDeviceSize size = (count - 1) * place->stride + place->size;
    const VkDeviceSize slack = bind_bytes(caps, step, slot->binding, place->buffer, offset, size);
    const VkDeviceSize before = slot->touch == VKR_TOUCH_GRANULES ? slack : 0;
    if (slot->access != 0)
        vkr_use(step, place->buffer, offset - before, before + size, slot->access);
    if (slot->touch == VKR_TOUCH_WINDOW && first != 0)
        vkr_use(step, place->buffer, offset - slack, slack + size, slot->access);
    vkr_set_field(step, slot->base, (uint32_t)(slack / place->unit));
    vkr_set_field(step, slot->stride, (uint32_t)(place->stride / place->unit));
    return (uint32_t)(slack / place->unit);
}
