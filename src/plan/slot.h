/* SPDX-License-Identifier: MIT */
/*
 * Places and slots: where the items that a dispatch touches lie, and how the bindings of a kernel
 * are filled with them.
 */
#ifndef VKR_PLAN_SLOT_H
#define VKR_PLAN_SLOT_H

#include "reach.h"

/* Items of the caller's memory, of scratch or of counters. `unit` is the size of the values in
 * which the kernel counts: bases and strides in push constants are numbers of such values. */
typedef struct vkr_place {
    VkBuffer buffer;
    VkDeviceSize offset; /* of item 0 */
    VkDeviceSize stride; /* bytes from one item to the next */
    VkDeviceSize size;   /* bytes of an item */
    uint32_t unit;
} vkr_place;

/* The elements of a view; a null buffer where the view has none. */
vkr_place vkr_place_of_view(const vkr_view *view);

/* Items of `words` words each, one behind the other. */
vkr_place vkr_place_of_words(VkBuffer buffer, VkDeviceSize offset, uint64_t words);

/* One item: the bytes of a range, counted in units. */
vkr_place vkr_place_of_bytes(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                             uint32_t unit);

/* A count that the GPU has; a null buffer where it has none. */
vkr_place vkr_place_of_count(const VkrGpuCount *count);

/* The number of items of a place that one descriptor reaches: from `first` on, and wherever they
 * start. */
uint64_t vkr_place_window(const vkr_caps *caps, const vkr_place *place, uint64_t first);
uint64_t vkr_place_reach(const vkr_caps *caps, const vkr_place *place);

#define VKR_WORD_BITS 32u /* of arrays that hold a bit for each element */

/* A field of the push constants, or of the uniforms, which are numbered behind them: 1 + the number
 * of its first word, so that 0 stands for no field. */
#define VKR_FIELD(type, field) (uint8_t)(1 + offsetof(struct type, field) / 4)
#define VKR_UNIFORM_FIELD(type, field)                                                             \
    (uint8_t)(1 + (VKR_MAX_PUSH + offsetof(struct type, field)) / 4)

/* Which part of a descriptor counts as touched by a dispatch. Validation layers count all of it,
 * and a descriptor starts at a multiple of the granule, so slots of neighbouring dispatches that
 * can share a granule say so. */
typedef enum vkr_touch {
    VKR_TOUCH_ITEMS,
    VKR_TOUCH_GRANULES, /* everything from the descriptor's start on */
    VKR_TOUCH_WINDOW,   /* the items, and everything where they are not the first ones */
} vkr_touch;

/* How one binding of a kernel is filled. A binding that is used in two ways has two slots. */
typedef struct vkr_slot {
    uint32_t binding;
    VkAccessFlags access; /* 0: what another slot has declared */
    vkr_touch touch;
    uint8_t base;   /* the field that says where item 0 of the dispatch lies in the descriptor */
    uint8_t stride; /* the field that says how far the items are apart */
} vkr_slot;

/* What the C side knows of a family of kernels: constants, push constants and bindings. Only those
 * of its kernels that load texels bind them. */
typedef struct vkr_interface {
    uint32_t constant_count;
    uint32_t push_size, uniform_size;
    vkr_bindings bindings;
    const vkr_slot *slots;
    /* Fields that vkr_set_window fills. Those of 64 bits take two words. */
    uint8_t capacity, first, count, groups, items, lead, head;
    /* Fields of the first wide load of the input, and of the second input, behind those of their
     * bases. */
    uint8_t base, load_base, base2, load2_base;
    bool places_texels;      /* vkr_image_uniforms say where a window of an image starts */
    uint32_t walk_constants; /* bits of the specialisation constants that a walk gives */
} vkr_interface;

/* The push constants and the uniforms of a step, or of a pass, as those of a kernel. */
#define VKR_PUSH(step, type) ((struct type *)(void *)(step)->push)
#define VKR_UNIFORMS(step, type) ((struct type *)(void *)(step)->uniforms)

/* Sets a number of 64 bits, which push constants hold as two words. */
#define VKR_SET64(push, field, value)                                                              \
    ((push)->field##_low = (uint32_t)(value), (push)->field##_high = (uint32_t)((value) >> 32))

/* The specialisation constants that the walks of most kernels give. */
#define VKR_WALK_CONSTANTS                                                                         \
    (1u << VKR_CONST_WORKGROUP | 1u << VKR_CONST_COMPONENTS | 1u << VKR_CONST_SIGNED |             \
     1u << VKR_CONST_SUBGROUPS | 1u << VKR_CONST_PATH | 1u << VKR_CONST_ORDER |                    \
     1u << VKR_CONST_BATCH)

/* A step that has nothing but its interface's sizes and tables. */
vkr_step vkr_new_step(const vkr_interface *interface, const char *label, vkr_variant variant);

/* Says that there is nothing to do: vkr_emit does not add the step. */
static inline void vkr_skip_step(vkr_step *step)
{
    step->groups[0] = 0;
}

/* Set a field if it is there, and get one, which is 0 if it is not. */
void vkr_set_field(vkr_step *step, uint8_t field, uint32_t value);
uint32_t vkr_get_field(const vkr_step *step, uint8_t field);

/* Fills a binding. What the kernel does not bind there is counted: vkr_add_step refuses it. */
void vkr_bind_descriptor(vkr_step *step, uint32_t binding, vkr_kind kind,
                         vkr_descriptor descriptor);

/* Binds the texels of a view, all of which are read. */
void vkr_fill_texels(vkr_step *step, const vkr_view *view);

/* Sets the number of workgroups, as a dispatch of one or two dimensions. */
void vkr_set_groups(const vkr_caps *caps, vkr_step *step, uint64_t groups);

/* Declares what a step does to bytes of a buffer. */
void vkr_use(vkr_step *step, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
             VkAccessFlags access);

/* Binds items first .. first + count of a place, sets the fields and declares the access.
 * Nothing happens where the buffer is null or there are no items. Returns the base. */
uint32_t vkr_fill_slot(const vkr_caps *caps, vkr_step *step, const vkr_slot *slot,
                       const vkr_place *place, uint64_t first, uint64_t count);

#endif
