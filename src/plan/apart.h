/* SPDX-License-Identifier: MIT */
/* Rows that lie apart, and columns, for operations whose kernels need rows beside each other: these
 * read copies of rows, and their results move from beside each other to where they belong. A column
 * is a row whose elements lie apart. Where the GPU has the number of elements, columns can lack
 * some; their copies have a value in their place that comes last, so that all are as long. */
#ifndef VKR_PLAN_APART_H
#define VKR_PLAN_APART_H

#include "rows.h"

typedef struct vkr_apart {
    const char *call;
    uint64_t columns;             /* their number; 0 where rows lie apart */
    uint64_t length, pitch;       /* of rows, of which there are several; pitch exceeds length */
    uint64_t all;                 /* elements of rows and between them, below 2^32 */
    const VkrGpuCount *all_known; /* the number that the GPU has; or no buffer */
    uint64_t count;               /* elements of rows alone */
    VkrGpuCount known;            /* likewise; for copies of columns no buffer */
} vkr_apart;

/* Where the entries of a move are: beside each other, or in rows that lie apart. */
typedef struct vkr_rows_at {
    const char *name; /* for messages, in the plural */
    vkr_view view;
    bool apart;
} vkr_rows_at;

/* Whether rows lie apart, of this many elements with those between rows, or there are several
 * columns. Otherwise only the first one counts, which has vkr_count_of_first elements. */
static inline bool vkr_lie_apart(const VkrSegments *segments, uint64_t count)
{
    if (segments->kind == VKR_SEGMENTS_COLUMNS)
        return segments->length > 1 && count != 0;
    return segments->kind == VKR_SEGMENTS_ROWS && segments->pitch > segments->length &&
           segments->pitch < count;
}

static inline uint64_t vkr_count_of_first(const VkrSegments *segments, uint64_t count)
{
    const bool first = segments->kind == VKR_SEGMENTS_ROWS && segments->pitch >= count;
    return first ? vkr_min(count, segments->length) : count;
}

/* Checks that columns have at least one element, and the same number each. */
VkrResult vkr_check_columns(const vkr_walk *walk, const VkrSegments *segments);

/* Sets all of it for `count` elements of rows that lie apart and between them, or of columns. Where
 * the GPU has their number, this adds a step that finds the one of rows alone. */
VkrResult vkr_plan_apart(VkrRecorder recorder, const char *call, const VkrSegments *segments,
                         uint64_t count, const VkrGpuCount *gpu_count, vkr_apart *apart);

/* Adds memory for the elements of all rows, which are like those of another view. */
VkrResult vkr_add_beside(VkrRecorder recorder, const vkr_apart *apart, const vkr_view *like,
                         vkr_view *view);

/* Adds steps that move the entries of rows, by a list of indices in rows, which lie beside each
 * other; or where it is NULL, each entry keeps its position in its row. Columns have the list where
 * they have their elements, and what moves by it goes there too. */
VkrResult vkr_move_rows(VkrRecorder recorder, const vkr_apart *apart, const vkr_view *list,
                        const vkr_rows_at *from, const vkr_rows_at *to);

/* Makes a view, whose elements are in a buffer, one of copies of its rows; the bits of `last` are
 * those of elements that columns lack. */
VkrResult vkr_bring_rows(VkrRecorder recorder, const vkr_apart *apart, const char *name,
                         uint64_t last, vkr_view *view);

#endif
