/* SPDX-License-Identifier: MIT */
/* What the planners of the operations share: how a step comes to its bindings and groups. */
#ifndef VKR_STEP_H
#define VKR_STEP_H

#include "internal.h"

static inline uint64_t vkr_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t vkr_clamp(uint64_t n, uint64_t least, uint64_t most)
{
    return n < least ? least : n > most ? most : n;
}

/* Bytes of one load (VKR_LOADS_*). */
static inline uint32_t vkr_load_size(uint32_t loads)
{
    return loads == VKR_LOADS_U64 ? VKR_MAX_PACK : VKR_PACK;
}

/* Bytes of an element. */
static inline uint64_t vkr_element_size(const vkr_view *view)
{
    return (uint64_t)view->type->size * view->components;
}

static inline bool vkr_is_packed(const vkr_view *view)
{
    return view->stride == vkr_element_size(view);
}

/* Elements of a view, from `first` on, before the first one that starts at a multiple of
 * vkr_load_size(loads) from `phase`. UINT32_MAX: none does. */
uint32_t vkr_head(const vkr_view *view, uint64_t first, uint32_t loads, VkDeviceSize phase);

/* Elements that the first unit of such loads lacks at its start, where a unit is one pack of a
 * component; 0 without loads. */
uint32_t vkr_lead(const vkr_view *view, uint64_t first, uint32_t loads);

/* The workgroup size that is asked for, or the tuned one; neither above the device's. */
VkrResult vkr_choose_workgroup(const struct VkrContext_T *context, const char *call, uint32_t asked,
                               uint32_t tuned, uint32_t *size);

/* Elements of a view from `first` on that one descriptor reaches. */
uint64_t vkr_view_window(const vkr_caps *caps, const vkr_view *view, uint64_t first);

/* Elements of a view that one descriptor reaches wherever it starts; or all `count` from its start,
 * if they fit. At least 1. */
uint64_t vkr_view_reach(const vkr_caps *caps, const vkr_view *view, uint64_t count);

/* The subgroup size as a workgroup size. */
uint32_t vkr_one_subgroup(const vkr_caps *caps);

/* Most subgroups that a workgroup can have. */
uint32_t vkr_most_subgroups(const vkr_caps *caps, uint32_t workgroup_size);

/* A descriptor for bytes of a buffer; returns how far into it they start. What is bound or declared
 * past a step's room is counted, for vkr_add_step to refuse the step. */
VkDeviceSize vkr_bind(const vkr_caps *caps, vkr_step *step, uint32_t binding, VkBuffer buffer,
                      VkDeviceSize offset, VkDeviceSize size);

/* Declares what a step does to bytes of a buffer. */
void vkr_use(vkr_step *step, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
             VkAccessFlags access);

/* For a window of an output behind the first one: all that its descriptor reaches counts as
 * written, since windows can meet inside a granule, which validation takes for the same place. */
void vkr_use_window(vkr_step *step, uint32_t binding);

/* Sets the push constants of a step to a structure. */
#define VKR_SET_PUSH(step, push)                                                                   \
    do {                                                                                           \
        _Static_assert(sizeof(push) <= VKR_MAX_PUSH, "push constants pass what devices promise");  \
        vkr_set_push(step, &(push), sizeof(push));                                                 \
    } while (0)
void vkr_set_push(vkr_step *step, const void *push, uint32_t size);

/* As a dispatch of one or two dimensions. */
void vkr_set_groups(const vkr_caps *caps, vkr_step *step, uint64_t groups);

/* Binds a view's elements and declares their use; base and stride are in values. */
void vkr_bind_view(const vkr_caps *caps, vkr_step *step, uint32_t binding, const vkr_view *view,
                   uint64_t first, uint64_t count, VkAccessFlags access, uint32_t *base,
                   uint32_t *stride);

/* Binds a GPU count, if there is one, and declares its use; base is in words. */
void vkr_bind_count(const vkr_caps *caps, vkr_step *step, uint32_t binding,
                    const VkrGpuCount *count, uint32_t *base);

#endif
