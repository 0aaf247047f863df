/* SPDX-License-Identifier: MIT */
/* Rows that lie apart, for operations whose kernels need them beside each other: copies of rows are
 * what these read, and their results move from beside each other to where they belong. */
#ifndef VKR_PLAN_APART_H
#define VKR_PLAN_APART_H

#include "rows.h"

typedef struct vkr_apart {
    const char *call;
    uint64_t length, pitch;       /* of rows, of which there are several; pitch exceeds length */
    uint64_t all;                 /* elements of rows and between them, below 2^32 */
    const VkrGpuCount *all_known; /* the number that the GPU has; or no buffer */
    uint64_t count;               /* elements of rows alone */
    VkrGpuCount known;            /* likewise */
} vkr_apart;

/* Where the entries of a move are: beside each other, or in rows that lie apart. */
typedef struct vkr_rows_at {
    const char *name; /* for messages, in the plural */
    vkr_view view;
    bool apart;
} vkr_rows_at;

/* Whether rows lie apart, of this many elements with those between rows. Otherwise only the first
 * one counts, which has vkr_count_of_first elements. */
static inline bool vkr_lie_apart(const VkrSegments *segments, uint64_t count)
{
    return segments->kind == VKR_SEGMENTS_ROWS && segments->pitch > segments->length &&
           segments->pitch < count;
}

static inline uint64_t vkr_count_of_first(const VkrSegments *segments, uint64_t count)
{
    const bool first = segments->kind == VKR_SEGMENTS_ROWS && segments->pitch >= count;
    return first ? vkr_min(count, segments->length) : count;
}

/* Sets all of it for `count` elements of rows that lie apart and between them. Where the GPU has
 * their number, this adds a step that finds the one of rows alone. */
VkrResult vkr_plan_apart(VkrRecorder recorder, const char *call, const VkrSegments *segments,
                         uint64_t count, const VkrGpuCount *gpu_count, vkr_apart *apart);

/* Adds memory for the elements of all rows, which are like those of another view. */
VkrResult vkr_add_beside(VkrRecorder recorder, const vkr_apart *apart, const vkr_view *like,
                         vkr_view *view);

/* Adds steps that move the entries of rows, by a list of indices in rows, which lie beside each
 * other; or where it is NULL, each entry keeps its position in its row. */
VkrResult vkr_move_rows(VkrRecorder recorder, const vkr_apart *apart, const vkr_view *list,
                        const vkr_rows_at *from, const vkr_rows_at *to);

/* Makes a view, whose elements are in a buffer, one of copies of its rows. */
VkrResult vkr_bring_rows(VkrRecorder recorder, const vkr_apart *apart, const char *name,
                         vkr_view *view);

#endif
