/* SPDX-License-Identifier: MIT */
/*
 * Places and slots: where the items that a dispatch touches lie, and how the bindings of a kernel
 * are filled with them.
 */
#ifndef VKR_PLAN_SLOT_H
#define VKR_PLAN_SLOT_H

#include "card.h"
#include "reach.h"

/* Items of the caller's memory, of scratch or of counters. `unit` is the size of the values that
 * the kernel counts in: bases and strides in push constants are numbers of these values. */
typedef struct vkr_place {
    VkBuffer buffer;
    VkDeviceSize offset; /* of item 0 */
    VkDeviceSize stride; /* bytes from one item to the next */
    VkDeviceSize size;   /* bytes of an item */
    uint32_t unit;
} vkr_place;

/* Consecutive items. */
typedef struct vkr_extent {
    uint64_t first, count;
} vkr_extent;

/* The elements of a view; a null buffer where the view has none. */
vkr_place vkr_place_of_view(const vkr_view *view);

/* Items of `words` words each, tightly packed. */
vkr_place vkr_place_of_words(VkBuffer buffer, VkDeviceSize offset, uint64_t words);

/* One item: the bytes of a range, counted in units. */
vkr_place vkr_place_of_bytes(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                             uint32_t unit);

/* A count that the GPU has; without one, the place has a null buffer. */
vkr_place vkr_place_of_count(const VkrGpuCount *count);

/* The number of items of a place that one descriptor reaches: starting at `first`, or wherever they
 * start. */
uint64_t vkr_place_window(const vkr_caps *caps, const vkr_place *place, uint64_t first);
uint64_t vkr_place_reach(const vkr_caps *caps, const vkr_place *place);

#define VKR_WORD_BITS 32u /* of arrays that hold a bit for each element */

/* The push constants and the uniforms of a step, or of a pass, as a card's struct. */
#define VKR_PUSH(step, type) ((struct type *)(void *)(step)->push)
#define VKR_UNIFORMS(step, type) ((struct type *)(void *)(step)->uniforms)

/* Sets a 64-bit number, which push constants hold as two words. */
#define VKR_SET64(push, field, value)                                                              \
    ((push)->field##_low = (uint32_t)(value), (push)->field##_high = (uint32_t)((value) >> 32))

/* A step with its card's sizes and tables, and nothing else. */
vkr_step vkr_new_step(const vkr_card *card, vkr_variant variant);

/* Marks a step as having nothing to do: vkr_emit does not add it. */
static inline void vkr_skip_step(vkr_step *step)
{
    step->groups[0] = 0;
}

/* Set and get a field. Where there is no such field, setting does nothing, and getting returns
 * 0. */
void vkr_set_field(vkr_step *step, uint8_t field, uint32_t value);
uint32_t vkr_get_field(const vkr_step *step, uint8_t field);

/* Fills a binding. If the kernel has no binding of that kind there, this is counted, and
 * vkr_add_step refuses the step. */
void vkr_bind_descriptor(vkr_step *step, uint32_t binding, vkr_kind kind,
                         vkr_descriptor descriptor);

/* Binds the texels of a view, all of which are read. */
void vkr_fill_texels(vkr_step *step, const vkr_view *view);

/* Sets the number of workgroups, as a dispatch of one or two dimensions. */
void vkr_set_groups(const vkr_caps *caps, vkr_step *step, uint64_t groups);

/* Declares what a step does to bytes of a buffer. */
void vkr_use(vkr_step *step, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
             VkAccessFlags access);

/* Binds `count` items of a place, starting at `first`, sets the fields and declares the access.
 * Nothing happens where the buffer is null or there are no items. Returns the base. */
uint32_t vkr_fill_slot(const vkr_caps *caps, vkr_step *step, const vkr_slot *slot,
                       const vkr_place *place, uint64_t first, uint64_t count);

#endif
