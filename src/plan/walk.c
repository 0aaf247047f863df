/* SPDX-License-Identifier: MIT */
/* What all walks share: kernels, units, workgroups and windows. */
#include "refuse.h"

#include <inttypes.h>

uint32_t vkr_kernel_of(const vkr_walk *w, vkr_family family, uint32_t loads)
{
    const vkr_view *view = w->view;
    if (vkr_is_image_load(loads))
        return vkr_find_kernel(
            family, view->type_id == VKR_TYPE_I32 ? VKR_CLASS_S32 : vkr_class_of(view->type_id),
            w->wide, true, loads, w->group_path);
    if (family == VKR_FAMILY_COMPACT || family == VKR_FAMILY_COMPACT_TILE)
        return vkr_find_kernel(family, vkr_class_of_size(view->type->size), false, false, loads,
                               w->group_path);
    return vkr_find_kernel(family, vkr_class_of(view->type_id), w->wide,
                           view->components > 1 && !w->apart, loads, w->group_path);
}

uint32_t vkr_walk_kernel(const vkr_walk *w)
{
    return vkr_kernel_of(w, w->family, w->loads);
}

VkrResult vkr_check_kernel(const vkr_walk *w, uint32_t kernel)
{
    const vkr_type_info *type = w->view->type;
    VKR_NEED(w, kernel < vkr_kernel_count,
             "input.type is %s%s%s, but this build of the library has no kernels for it (see its "
             "option types).",
             type->name, w->wide ? " and accumulator " : "",
             w->wide ? vkrTypeName(type->wide) : "");
    return VKR_SUCCESS;
}

vkr_walk vkr_new_walk(const struct VkrContext_T *context, const char *call)
{
    return (vkr_walk){.context = context, .call = call, .unit = 1};
}

void vkr_set_loads(vkr_walk *w, uint32_t loads)
{
    w->loads = loads;
    w->loads_image = vkr_is_image_load(loads);
    w->load_size = vkr_load_size(loads);
    const uint32_t values = w->family == VKR_FAMILY_COMPACT ? w->view->components : 1;
    w->unit = loads != 0 && !w->loads_image ? w->load_size / (w->view->type->size * values) : 1;
}

uint32_t vkr_walk_subgroups(const vkr_walk *w)
{
    const vkr_caps *caps = &w->context->caps;
    return w->workgroup_size == caps->sure_subgroup_size
               ? 1
               : (uint32_t)vkr_divide_up(w->workgroup_size, caps->min_subgroup_size);
}

uint64_t vkr_walk_groups(const vkr_walk *w, uint64_t count, uint32_t lead)
{
    const uint64_t units = vkr_divide_up(count + lead, w->unit);
    const uint64_t share = (uint64_t)w->workgroup_size * (w->items / w->unit);
    return units == 0 ? 1 : vkr_divide_up(units, share);
}

uint64_t vkr_walk_runs(const vkr_walk *w, uint64_t groups)
{
    return groups * (w->order == VKR_ORDER_CONTIGUOUS ? w->workgroup_size : 1);
}

/* The number of elements, starting at `first`, that all descriptors reach, rounded down to whole
 * workgroups. It may be 0. Where that costs little, it is rounded such that the results of the next
 * window start a new granule. */
static uint64_t reach_from(const vkr_walk *w, uint64_t first)
{
    const vkr_caps *caps = &w->context->caps;
    const uint64_t chunk = (uint64_t)w->workgroup_size * w->items;
    const uint64_t round = chunk * caps->granule / 4;
    uint64_t reach = chunk * w->max_groups;
    reach = reach < VKR_MAX_REACH ? reach : VKR_MAX_REACH;
    for (uint32_t i = 0; i < w->reached_count; i++) {
        const uint64_t fits = vkr_place_window(caps, &w->reached[i], first);
        reach = fits < reach ? fits : reach;
    }
    if (w->count - first <= reach)
        return w->count - first;
    return reach - reach % (reach >= 8 * round ? round : chunk);
}

static vkr_window make_window(const vkr_walk *w, uint64_t done)
{
    const uint64_t left = w->count - done;
    const uint64_t most = w->max_groups != 0 ? reach_from(w, done) : w->window;
    vkr_window window = {.count = w->one || left < most ? left : most};
    window.first = w->reverse ? left - window.count : done;
    if (w->heads)
        window.head = w->loads != 0 ? vkr_head(w->view, window.first, w->loads) : 0;
    else
        window.lead = vkr_lead(w->view, window.first, w->loads) % w->unit;
    window.groups = w->one ? 1 : vkr_walk_groups(w, window.count, window.lead);
    window.is_last = window.count == left;
    return window;
}

vkr_window vkr_first_window(const vkr_walk *w)
{
    return make_window(w, 0);
}

vkr_window vkr_next_window(const vkr_walk *w, const vkr_window *last)
{
    const uint64_t end = last->first + last->count;
    vkr_window window = make_window(w, w->reverse ? w->count - last->first : end);
    window.run = last->run + vkr_walk_runs(w, last->groups);
    window.tile = last->tile + last->groups;
    window.index = last->index + 1;
    return window;
}

VkrResult vkr_cut(vkr_walk *w)
{
    vkr_window window = vkr_first_window(w);
    w->windows = 0;
    for (;; window = vkr_next_window(w, &window)) {
        if (window.index >= VKR_MAX_WINDOWS)
            return vkr_refuse_dispatches(w, VKR_MAX_WINDOWS, "count is %" PRIu64, w->count);
        if (window.count == 0 && w->count != 0)
            return VKR_SUCCESS;
        if (window.is_last)
            break;
    }
    w->windows = window.index + 1;
    w->groups = window.tile + window.groups;
    return VKR_SUCCESS;
}

void vkr_set_window(const vkr_walk *w, const vkr_card *card, const vkr_window *window,
                    vkr_step *step)
{
    const uint64_t capacity = w->whole != 0 ? w->whole : w->count, first = w->first + window->first;
    const uint32_t values[VKR_ROLES] = {
        [VKR_ROLE_CAPACITY_LOW] = (uint32_t)capacity,
        [VKR_ROLE_CAPACITY_HIGH] = (uint32_t)(capacity >> 32),
        [VKR_ROLE_FIRST_LOW] = (uint32_t)first,
        [VKR_ROLE_FIRST_HIGH] = (uint32_t)(first >> 32),
        [VKR_ROLE_COUNT] = (uint32_t)window->count,
        [VKR_ROLE_GROUPS] = (uint32_t)window->groups,
        [VKR_ROLE_ITEMS] = w->items / w->unit,
        [VKR_ROLE_LEAD] = window->lead,
        [VKR_ROLE_HEAD] = window->head,
        [VKR_ROLE_ROW] = (uint32_t)window->row,
        [VKR_ROLE_ROWS] = (uint32_t)window->rows,
        [VKR_ROLE_PART] = (uint32_t)window->part,
        [VKR_ROLE_CELL] = (uint32_t)window->cell,
        [VKR_ROLE_CELLS] = (uint32_t)window->cells,
        [VKR_ROLE_ANY_LOW] = (uint32_t)window->any.first,
        [VKR_ROLE_ANY_HIGH] = (uint32_t)(window->any.first >> 32),
        [VKR_ROLE_ANY_COUNT] = (uint32_t)window->any.count,
    };
    for (const vkr_filled *filled = card->filled; filled->role != VKR_ROLE_NONE; filled++) {
        const uint32_t field = filled->field - 1u, pushed = VKR_MAX_PUSH / 4;
        if ((filled->kernels & card->kernel) == 0)
            continue;
        if (field < pushed)
            step->push[field] = values[filled->role];
        else
            step->uniforms[field - pushed] = values[filled->role];
    }
    vkr_set_groups(&w->context->caps, step, window->groups);
    if (window->height != 0) {
        step->groups[0] = (uint32_t)window->groups / window->height;
        step->groups[1] = window->height;
    }
}

uint32_t vkr_load_base(const vkr_walk *w, const vkr_window *window, uint64_t byte)
{
    const uint64_t size = vkr_element_size(w->view);
    return (uint32_t)((byte + window->head * size - window->lead * size) / w->load_size);
}

uint32_t vkr_bind_loads(const vkr_walk *w, const vkr_window *window, uint32_t base, vkr_step *step)
{
    const vkr_view *view = w->view;
    const VkrTexels *texels = &view->texels;
    if (w->loads == 0 || window->count == 0)
        return 0;
    uint64_t start = (uint64_t)base * view->type->size;
    if (w->loads == VKR_LOADS_TEXEL) {
        start = view->offset + window->first * view->stride - texels->offset;
        vkr_fill_texels(step, view);
    }
    return vkr_load_base(w, window, start);
}

uint64_t vkr_bits_reach(const vkr_caps *caps)
{
    return vkr_min(8 * (caps->max_range / 4 * 4 - caps->granule) - VKR_WORD_BITS, VKR_MAX_REACH);
}
