/* SPDX-License-Identifier: MIT */
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static VkrResult check_numbers(const vkr_walk *w, const char *field, const VkrMap *map,
                               uint32_t components)
{
    for (uint32_t c = 0; c < VKR_MAX_COMPONENTS; c++) {
        VKR_MUST(w, isfinite(map->weights[c]), "%s.weights[%u] is %g, but must be finite.", field,
                 c, (double)map->weights[c]);
        VKR_MUST(w, c < components || map->weights[c] == 0.0f,
                 "%s.weights[%u] is %g, but must be 0, since elements have %u components.", field,
                 c, (double)map->weights[c], components);
    }
    VKR_MUST(w, isfinite(map->bias), "%s.bias is %g, but must be finite.", field,
             (double)map->bias);
    return VKR_SUCCESS;
}

VkrResult vkr_check_map(const vkr_walk *w, const char *field, const VkrMap *map, vkr_view *out)
{
    char name[64], function[96];
    bool none = true;
    (void)snprintf(name, sizeof(name), "%s.map", field);
    (void)snprintf(function, sizeof(function), "%s.function", name);
    VKR_TRY(check_numbers(w, name, map, out->components));
    VKR_TRY(vkr_check_choice(w, function, (int)map->function, VKR_MAP_FUNCTION_COUNT));
    VKR_MUST(w, out->type->size <= 4,
             "%s is given, but elements of %s are %s, and only those of up to 32 bits can be "
             "mapped.",
             name, field, out->type->name);
    for (uint32_t c = 0; c < VKR_MAX_COMPONENTS; c++)
        none = none && map->weights[c] == 0.0f;
    out->mapped = true;
    out->map = *map;
    if (none)
        out->map.weights[0] = 1.0f;
    out->source = (vkr_source){out->type, out->type_id, out->components};
    out->type_id = VKR_TYPE_F32;
    out->type = &vkr_types[VKR_TYPE_F32];
    out->components = 1;
    return VKR_SUCCESS;
}

bool vkr_maps_in_kernel(const vkr_view *view)
{
    const bool single = view->source.components == 1;
    return view->map.hook == NULL && view->source.type_id == VKR_TYPE_F32 &&
           (vkr_is_image(view) || single);
}

uint32_t vkr_map_flags(const vkr_view *view)
{
    const VkrMap *map = &view->map;
    uint32_t flags = VKR_FLAG_MAPPED | (uint32_t)map->function << VKR_MAP_SHIFT;
    if (!view->mapped)
        return 0;
    for (uint32_t c = 0; c < VKR_MAX_COMPONENTS; c++)
        flags |= map->weights[c] != 0.0f ? (uint32_t)VKR_FLAG_WEIGHT0 << c : 0;
    return flags | (map->bias != 0.0f ? VKR_FLAG_BIAS : 0);
}

void vkr_set_map(const vkr_view *view, uint32_t weights[4], uint32_t *bias)
{
    for (uint32_t c = 0; c < VKR_MAX_COMPONENTS; c++)
        weights[c] = bits_of_float(view->map.weights[c]);
    *bias = bits_of_float(view->map.bias);
}

void vkr_set_map_of_values(const vkr_view *view, uint32_t *weight, uint32_t *bias)
{
    uint32_t weights[VKR_MAX_COMPONENTS];
    if (!view->mapped)
        return;
    vkr_set_map(view, weights, bias);
    *weight = weights[0];
}
