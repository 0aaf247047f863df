/* SPDX-License-Identifier: MIT */
/* What every walk has: units, workgroups, windows. */
#include "walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static VkrResult fail(const vkr_walk *w, VkrResult result, const char *format, va_list arguments)
{
    char sentence[1024];
    (void)vsnprintf(sentence, sizeof(sentence), format, arguments);
    return vkr_fail(w->context, result, "%s: %s", w->call, sentence);
}

VkrResult vkr_reject(const vkr_walk *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const VkrResult result = fail(w, VKR_ERROR_INVALID_ARGUMENT, format, arguments);
    va_end(arguments);
    return result;
}

VkrResult vkr_refuse(const vkr_walk *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const VkrResult result = fail(w, VKR_ERROR_UNSUPPORTED, format, arguments);
    va_end(arguments);
    return result;
}

VkrResult vkr_check_kernel(const vkr_walk *w, uint32_t kernel, bool wide)
{
    const vkr_type_info *type = w->view->type;
    if (kernel < vkr_kernel_count)
        return VKR_SUCCESS;
    return vkr_refuse(w,
                      "input.type is %s%s%s, but this build of the library has no kernels for it "
                      "(see its option types).",
                      type->name, wide ? " and accumulator " : "",
                      wide ? vkrTypeName(type->wide) : "");
}

uint32_t vkr_walk_unit(const vkr_walk *w)
{
    return w->loads != 0 ? vkr_load_size(w->loads) / w->view->type->size : 1;
}

uint32_t vkr_walk_subgroups(const vkr_walk *w)
{
    return vkr_most_subgroups(&w->context->caps, w->workgroup_size);
}

uint64_t vkr_walk_groups(const vkr_walk *w, uint64_t count, uint32_t lead)
{
    const uint64_t units = vkr_divide_up(count + lead, vkr_walk_unit(w));
    const uint64_t share = (uint64_t)w->workgroup_size * (w->items / vkr_walk_unit(w));
    return units == 0 ? 1 : vkr_divide_up(units, share);
}

uint64_t vkr_walk_runs(const vkr_walk *w, uint64_t groups)
{
    return groups * (w->order == VKR_ORDER_CONTIGUOUS ? w->workgroup_size : 1);
}

/* Whole workgroups, of what all descriptors reach; 0 where that is less than one's. Where it costs
 * little, what the next window leaves starts a new granule. */
static uint64_t reach_from(const vkr_walk *w, uint64_t first)
{
    const vkr_caps *caps = &w->context->caps;
    const uint64_t chunk = (uint64_t)w->workgroup_size * w->items;
    const uint64_t round = chunk * caps->granule / 4;
    uint64_t reach = chunk * w->most_groups;
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
    const uint64_t most = w->reached_count != 0 ? reach_from(w, done) : w->window;
    vkr_window window = {.count = w->one || left < most ? left : most};
    window.first = w->reverse ? left - window.count : done;
    window.lead = w->heads ? 0 : vkr_lead(w->view, window.first, w->loads);
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

uint32_t vkr_count_windows(const vkr_walk *w)
{
    return w->count == 0 ? 1 : (uint32_t)vkr_divide_up(w->count, w->window);
}

uint64_t vkr_count_groups(const vkr_walk *w)
{
    vkr_window window = vkr_first_window(w);
    while (!window.is_last)
        window = vkr_next_window(w, &window);
    return window.tile + window.groups;
}

VkrResult vkr_refuse_windows(const vkr_walk *w)
{
    return vkr_refuse(w,
                      "count is %" PRIu64 ", but must need at most %u windows of "
                      "maxStorageBufferRange (%" PRIu64 " bytes).",
                      w->count, VKR_MAX_WINDOWS, w->context->caps.max_range);
}

VkrResult vkr_check_window_count(const vkr_walk *w)
{
    return w->count / w->window < VKR_MAX_WINDOWS ? VKR_SUCCESS : vkr_refuse_windows(w);
}

static void set_field64(vkr_step *step, uint8_t field, uint64_t value)
{
    if (field != 0) {
        vkr_set_field(step, field, (uint32_t)value);
        vkr_set_field(step, field + 1, (uint32_t)(value >> 32));
    }
}

void vkr_set_window(const vkr_walk *w, const vkr_interface *interface, const vkr_window *window,
                    vkr_step *step)
{
    set_field64(step, interface->capacity, w->whole != 0 ? w->whole : w->count);
    set_field64(step, interface->first, w->first + window->first);
    vkr_set_field(step, interface->count, (uint32_t)window->count);
    vkr_set_field(step, interface->groups, (uint32_t)window->groups);
    vkr_set_field(step, interface->items, w->items / vkr_walk_unit(w));
    vkr_set_field(step, interface->lead, window->lead);
    vkr_set_groups(&w->context->caps, step, window->groups);
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
    const int64_t ahead = (int64_t)(window->lead * vkr_element_size(view));
    return (uint32_t)(((int64_t)start - ahead) / VKR_PACK);
}
