/* SPDX-License-Identifier: MIT */
/* A call of vkrCmdSort, as its checks (sort.c, payload.c) and its planner (payload.c) pass it
 * on. */
#ifndef VKR_SORT_REQUEST_H
#define VKR_SORT_REQUEST_H

#include "sort.h"

/* Keys, and how they are compared. */
typedef struct vkr_sort_key {
    vkr_view keys;
    vkr_order order;
    uint32_t begin, end;
} vkr_sort_key;

typedef struct vkr_sort_call {
    const VkrSortInfo *info;
    vkr_walk walk; /* the count, and what messages need */
    vkr_sort sort; /* of the keys, into `sorted`; what moves with them is chosen by the planner */
    vkr_sort_key then[VKR_MAX_SORT_THEN];
    vkr_view indices; /* a null buffer: not requested */
    uint64_t offsets; /* where segments start: their number, and the words of one */
    uint32_t offset_words;
    vkr_region starts; /* the bytes of the offsets */
    bool in_place;     /* `sorted` is `keys` */
    bool apart;        /* rows lie apart */
} vkr_sort_call;

/* ---- sort.c, payload.c ---- */

/* Check the keys, which sets the number of elements of the walk; an output of an element for each
 * key, whose type and components can be left out; and payloads. */
VkrResult vkr_check_sort_keys(vkr_walk *walk, const VkrView *asked, uint64_t count,
                              const VkrGpuCount *gpu_count, vkr_view *keys);
VkrResult vkr_check_sort_output(const vkr_walk *walk, const char *field, const VkrView *asked,
                                VkrType type, vkr_view *out);
VkrResult vkr_check_sort_payloads(const vkr_walk *walk, uint32_t count, const VkrPayload *payloads);

/* ---- then.c ---- */

/* Sets the bits of a key that are compared; `prefix` goes before the members' names. */
VkrResult vkr_check_sort_bits(const vkr_walk *walk, const char *prefix, uint32_t begin,
                              uint32_t end, vkr_sort_key *key);

/* Sets the order of a key by VkrSortFlagBits. */
void vkr_set_sort_order(uint32_t flags, vkr_sort_key *key);

VkrResult vkr_check_sort_then(vkr_sort_call *call);

/* Adds the steps of a sort by the keys of `sort`, and by all keys after these. */
VkrResult vkr_plan_sort_keys(VkrRecorder recorder, vkr_sort_call *call, const vkr_sort *sort);

/* ---- apart.c ---- */

/* Adds all steps for rows that lie apart, for a sort of all keys into `sorted` and `ranked`, either
 * of which may have no buffer. */
VkrResult vkr_plan_sort_apart(VkrRecorder recorder, vkr_sort_call *call, const vkr_sort *sort);

/* ---- gather.c ---- */

static inline VkrType vkr_type_of_size(uint32_t size)
{
    return size == 8   ? VKR_TYPE_U64
           : size == 4 ? VKR_TYPE_U32
           : size == 2 ? VKR_TYPE_U16
                       : VKR_TYPE_U8;
}

/* Entries that move, and what messages call their views, in the plural. The target may be the
 * source. */
typedef struct vkr_gathered {
    vkr_view source, target;
    const char *source_name, *target_name;
} vkr_gathered;

/* The elements of a row: all, unless there are segments. */
static inline uint64_t vkr_sort_row(const vkr_sort *sort)
{
    return sort->row == 0 ? sort->count : vkr_min(sort->row, sort->count);
}

/* Adds steps that move entries to their positions by a list. */
VkrResult vkr_gather_sorted(VkrRecorder recorder, const vkr_sort *sort, const vkr_view *list,
                            const vkr_gathered *gathered);

/* Checks that one descriptor reaches the elements of the walk in a view, if this has a buffer. */
VkrResult vkr_check_sort_reach(const vkr_walk *walk, const char *what, const vkr_view *view);

/* ---- payload.c ---- */

/* Whether the only payload moves in place. */
bool vkr_is_payload_in_place(const vkr_sort_call *call);

/* Adds all steps. */
VkrResult vkr_plan_sort_call(VkrRecorder recorder, vkr_sort_call *call);

#endif
