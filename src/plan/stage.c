/* SPDX-License-Identifier: MIT */
#include "stage.h"

#include "call.h"
#include "copy.h"
#include "map.h"
#include "pass.h"

VkrResult vkr_stage(VkrRecorder recorder, const vkr_walk *operation, uint64_t count, vkr_view *view)
{
    vkr_view source = *view;
    vkr_place target;
    const uint32_t flags = vkr_map_flags(view);
    if (!vkr_is_image(view) && !view->mapped)
        return VKR_SUCCESS;
    if (view->mapped) {
        source.type = view->source.type;
        source.type_id = view->source.type_id;
        source.components = view->source.components;
        source.mapped = false;
    }
    *view = (vkr_view){.type = view->type,
                       .type_id = view->type_id,
                       .components = view->components,
                       .capacity = count,
                       .by_value = view->by_value};
    view->stride = vkr_element_size(view);
    view->size = count * view->stride;
    if (count == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, view->components, count, &target));
    view->buffer = VKR_SCRATCH;
    view->offset = target.offset;
    if (source.map.hook != NULL)
        return vkr_call_for_elements(recorder, operation, &source, count, target);
    return vkr_copy_mapped(recorder, operation, count, &source, flags, target);
}
