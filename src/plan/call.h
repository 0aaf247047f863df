/* SPDX-License-Identifier: MIT */
/* Passes that call an application's functions, and write the elements or flags that these
 * return. */
#ifndef VKR_PLAN_CALL_H
#define VKR_PLAN_CALL_H

#include "check.h"

struct vkr_function; /* function.h */

/* Adds a pass that writes what the function of the source's map returns for its first `count`
 * elements to a place in scratch. The source has the elements that the function takes, if any, and
 * is not mapped. */
VkrResult vkr_call_for_elements(VkrRecorder recorder, const vkr_walk *walk, const vkr_view *source,
                                uint64_t count, vkr_place target);

/* Adds a pass that writes one bit for each element of the walk: to scratch, or to the range of the
 * flags. `elements` are in a buffer, or NULL. */
VkrResult vkr_call_for_bits(VkrRecorder recorder, const vkr_walk *walk, const VkrFlagView *flags,
                            const vkr_view *elements, vkr_place *bits);

/* A list of the indices of the elements that a compaction keeps. */
typedef struct vkr_list {
    vkr_place place;  /* of the entries, counted in words */
    uint64_t entries; /* that it has room for */
    vkr_place record; /* of the compaction, starting at VKR_RECORD_KEPT */
    bool appended;    /* the GPU knows the position of the first entry */
    uint64_t limit;   /* of positions */
} vkr_list;

/* Adds a pass that calls a function for the index and the position of each entry below the
 * limit. */
VkrResult vkr_call_for_list(VkrRecorder recorder, const vkr_walk *walk, const VkrHook *hook,
                            const vkr_list *list);

/* The elements that a function takes, in words; a null buffer where it takes none. */
typedef struct vkr_taken {
    vkr_place place;
    uint32_t words; /* of an element */
    uint32_t widen; /* VKR_WIDEN_* */
} vkr_taken;

/* Describes the elements that a function takes, of an operation of `count`. Kernels read them where
 * they lie, or copies of them: of texels, of small types, and where a descriptor does not reach a
 * workgroup's share of elements. */
VkrResult vkr_take_elements(VkrRecorder recorder, const vkr_walk *walk,
                            const struct vkr_function *function, uint64_t count,
                            const vkr_view *elements, uint64_t share, vkr_taken *taken);

/* Binds the descriptor set of a hook to a step, and declares what its functions access. */
void vkr_use_hook(const VkrHook *hook, vkr_step *step);

#endif
