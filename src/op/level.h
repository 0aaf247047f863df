/* SPDX-License-Identifier: MIT */
/*
 * Levels. A reduction is a chain of them, whatever it reduces. A level goes over segments, of
 * elements or of the partials that the level before has left, and leaves partials in turn, until
 * one writes the results. What is reduced as a whole is one segment.
 */
#ifndef VKR_LEVEL_H
#define VKR_LEVEL_H

#include "reduce.h"

/* Where the elements of segments of one length lie: element i of segment k is the input's element
 * k * stride + i * step. Those of tiles lie in rows (vkr_tiles). */
typedef struct vkr_strided {
    uint64_t count, length;
    uint64_t stride, step;
} vkr_strided;

/* How a kernel takes segments. */
typedef struct vkr_team_plan {
    uint32_t shape; /* VKR_SHAPE_* */
    uint32_t team;  /* as VKR_SEGMENT_CONST_TEAM */
    uint32_t loads; /* VKR_LOADS_* */
    uint32_t batch; /* units in flight */
    /* Segments that one invocation reduces, in the kernel `neighbours`; 0: the kernel `segment`
     * reduces them. */
    uint32_t neighbours;
    uint32_t grain;        /* the number of segments must be a multiple of it, unless it is 0 */
    bool whole, one_batch; /* VKR_SEGMENT_FLAG_WHOLE, VKR_SEGMENT_FLAG_ONE_BATCH */
    uint64_t part_length;  /* elements of a part: a segment is cut into parts */
} vkr_team_plan;

/* A shape that the kernel `tile` has, besides those of segment.comp. */
#define VKR_SHAPE_TILES 7u

/* The lists of segments by offsets that are not reduced at once: where they and their counts lie,
 * and the maximum number of entries of each. */
typedef struct vkr_lists {
    VkDeviceSize at, counts;
    uint64_t medium, large, parts;
} vkr_lists;

typedef struct vkr_level {
    const vkr_reduce *reduce;
    /* The kernel and its loads; where the whole is reduced, also the windows. */
    vkr_walk walk;
    bool partials;   /* it reads partials, else elements */
    bool replaced;   /* elements that the level before has replaced in place */
    uint32_t output; /* VKR_OUTPUT_* */
    vkr_place source, target, ticket;
    uint64_t left; /* the number of partials that it leaves */
    /* Segments. */
    vkr_strided of;
    vkr_team_plan how;
    vkr_lists lists;   /* VKR_SHAPE_OFFSETS and what is listed */
    uint64_t origin;   /* the segment that comes first */
    uint64_t elements; /* of the input, starting at the first one of that segment */
    uint64_t parts;    /* of a segment: partials that are left of it, or read */
    vkr_place between; /* VKR_SHAPE_WINDOWS: the partials of blocks between the ends of windows */
    uint64_t between_count;
    vkr_tiles tiles; /* VKR_SHAPE_TILES */
    bool squares;    /* the tiles are of one whole: VKR_TILE_FLAG_SQUARES */
    /* Adds the dispatches. */
    VkrResult (*add)(VkrRecorder recorder, const struct vkr_level *level);
    /* Makes the level what reduces the partials that are left; NULL: a later call does that. */
    VkrResult (*next)(struct vkr_level *level);
} vkr_level;

/* The first level, without its segments: it reads the elements. */
vkr_level vkr_first_level(const vkr_reduce *reduce);

static inline bool vkr_leaves_results(const vkr_level *level)
{
    return level->output != VKR_OUTPUT_PARTIAL && level->output != VKR_OUTPUT_ELEMENT;
}

/* Adds a level and those that follow it. Partials go to scratch where `target` is no place. */
VkrResult vkr_add_levels(VkrRecorder recorder, vkr_level *level);

/* The slots of a card that reductions in all forms fill: VKR_LEVEL_SLOTS(VKR_REDUCE). */
typedef struct vkr_level_slots {
    uint8_t input, input2, mask, count, partials, stored, results;
} vkr_level_slots;
#define VKR_LEVEL_SLOTS(card)                                                                      \
    {                                                                                              \
        card##_INPUT, card##_INPUT2, card##_MASK, card##_COUNT, card##_PARTIALS, card##_STORED,    \
            card##_RESULTS                                                                         \
    }

/* A pass of a level, with the constants and the slots that all forms have. Of the last three slots
 * only the places are set, and not which items are touched. `flags` are added to those of the
 * request. */
vkr_pass vkr_pass_of_level(const vkr_level *level, const vkr_walk *walk, const vkr_card *card,
                           const vkr_level_slots *slots, uint32_t flags);

#endif
