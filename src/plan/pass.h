/* SPDX-License-Identifier: MIT */
/* A pass: all dispatches of one kernel over a walk, and what they bind. */
#ifndef VKR_PLAN_PASS_H
#define VKR_PLAN_PASS_H

#include "check.h"
#include "slot.h"

/* Which items of a place a dispatch over a window touches. */
typedef enum vkr_span {
    VKR_SPAN_ITEM,     /* the first one, for every window */
    VKR_SPAN_ITEMS,    /* `count` items starting at `first`, for every window */
    VKR_SPAN_ELEMENTS, /* one for each element of the window */
    VKR_SPAN_RUNS,     /* one for each run */
    VKR_SPAN_GROUPS,   /* one for each workgroup */
    VKR_SPAN_BLOCKS,   /* one for each VKR_TREE_BLOCK elements */
    VKR_SPAN_WORDS,    /* one for each VKR_WORD_BITS elements, where windows start with a word */
    VKR_SPAN_BITS,     /* words with a bit for each element; the base counts bits */
    VKR_SPAN_PARTS,    /* those of the parts of a grid's box (grid.h) */
    VKR_SPAN_ANY,      /* some, since only the GPU knows which: a step for each window of them */
} vkr_span;

/* The items that fill a slot; none where the place has no buffer. */
typedef struct vkr_bound {
    vkr_place place;
    vkr_span span;
    uint64_t first, count; /* VKR_SPAN_ITEMS; VKR_SPAN_BITS: the bit of element 0 */
    /* VKR_SPAN_PARTS, _ANY: the name for messages; the items from one row to the next, those of a
     * row, those of a part (0: each part touches all of its row), and the maximum of all rows. */
    const char *name;
    uint64_t pitch, length, share, all;
    uint64_t before; /* VKR_SPAN_ANY: items before a window that are bound with it, if there are */
    bool from_zero;  /* the base is that of item 0 of the place, and wraps if this is not bound */
} vkr_bound;

/* An item for each element of the window, or for each run; or a bit for each element. */
static inline vkr_bound vkr_per_element(vkr_place place)
{
    return (vkr_bound){.place = place, .span = VKR_SPAN_ELEMENTS};
}

static inline vkr_bound vkr_per_run(vkr_place place)
{
    return (vkr_bound){.place = place, .span = VKR_SPAN_RUNS};
}

static inline vkr_bound vkr_per_bit(vkr_place words)
{
    return (vkr_bound){.place = words, .span = VKR_SPAN_BITS};
}

/* The same items for every window. */
static inline vkr_bound vkr_items(vkr_place place, uint64_t first, uint64_t count)
{
    return (vkr_bound){.place = place, .span = VKR_SPAN_ITEMS, .first = first, .count = count};
}

/* The maximum number of slots of a kernel. Some bindings have two. */
#define VKR_MAX_SLOTS 15u

typedef struct vkr_pass {
    const vkr_walk *walk;
    const vkr_card *card;
    uint32_t kernel;
    uint32_t image_format; /* as in vkr_variant */
    /* Specialisation constants; the walk gives some of those that are 0 (vkr_card.given). */
    uint32_t constants[VKR_MAX_CONSTANTS];
    /* What all dispatches of the pass have in common. */
    uint32_t push[VKR_MAX_PUSH / 4];
    uint32_t uniforms[VKR_MAX_UNIFORMS / 4];
    bool in_order;      /* windows depend on those before them */
    bool places_texels; /* the uniforms are vkr_image_uniforms, and the walk goes over an image */
    vkr_bound slots[VKR_MAX_SLOTS];
    /* Completes a step with what only the operation knows; or NULL. */
    void (*finish)(const struct vkr_pass *pass, const vkr_window *window, vkr_step *step);
    const void *operation;
} vkr_pass;

/* Adds memory for `count` items of `words` words to a region, VKR_SCRATCH or VKR_COUNTERS, and sets
 * where it lies. */
VkrResult vkr_add_words(VkrRecorder recorder, VkBuffer region, uint64_t words, uint64_t count,
                        vkr_place *place);

/* Adds `words` counters that each execution leaves ready for the next one (vkr_add_tickets); or
 * one, if `is_there`, by which workgroups find out which of them is the last one. */
VkrResult vkr_add_ticket_words(VkrRecorder recorder, uint64_t words, vkr_place *place);
VkrResult vkr_add_ticket(VkrRecorder recorder, bool is_there, vkr_place *place);

/* Fills a slot of one step, from `finish`. Returns the base. */
uint32_t vkr_fill(const vkr_pass *pass, vkr_step *step, uint32_t slot, vkr_place place,
                  uint64_t first, uint64_t count);

/* Adds a step for each window. Windows whose order does not matter are added in two rounds, even
 * ones first: dispatches of neighbouring windows conflict where their results share a granule, and
 * in this order one barrier resolves all these conflicts. */
VkrResult vkr_emit(VkrRecorder recorder, const vkr_pass *pass);

/* Adds a step for one window, which need not be one of the walk's; or for workgroups without
 * elements. */
VkrResult vkr_emit_window(VkrRecorder recorder, const vkr_pass *pass, const vkr_window *window);
VkrResult vkr_emit_groups(VkrRecorder recorder, const vkr_pass *pass, uint64_t groups);

/* The items of a slot that a box touches (VKR_SPAN_PARTS). */
vkr_extent vkr_items_of_box(const vkr_bound *bound, const vkr_window *box);

/* ---- VKR_SPAN_ANY (any.c): all slots of this kind in a pass have equally many items, and each
 * window or box has a step for each window of them. ---- */

/* Any of `all` items, or of those of the box's rows, which start `pitch` items apart; with pitch 0,
 * all rows have all. */
static inline vkr_bound vkr_any_of(const char *name, vkr_place place, uint64_t pitch, uint64_t all)
{
    return (vkr_bound){
        .place = place, .span = VKR_SPAN_ANY, .name = name, .pitch = pitch, .all = all};
}

/* Whether a pass has such slots. */
bool vkr_has_any(const vkr_pass *pass);

/* Whether one descriptor reaches all items of such a slot. */
bool vkr_is_bound_at_once(const vkr_walk *walk, const vkr_bound *bound);

/* Sets `window->any` to the first such items; the second sets it to those that follow, and returns
 * whether there are any. Where a pass has no such slots, it has one window of none. */
void vkr_first_any(const vkr_pass *pass, vkr_window *window);
bool vkr_next_any(const vkr_pass *pass, vkr_window *window);

/* Sets the number of their windows. Fails where a descriptor does not reach one item. */
VkrResult vkr_count_any(const vkr_pass *pass, vkr_window window, uint64_t *count);

/* Fails where a pass would have so many steps that they would take the host too long. */
VkrResult vkr_check_steps(const vkr_pass *pass, uint64_t steps);

/* The VKR_FLAG_* that say whether the GPU has the count, and which type it has. */
uint32_t vkr_count_flags(const VkrGpuCount *count);

#endif
