/* SPDX-License-Identifier: MIT */
/*
 * Levels. Every reduction is a chain of them. A level goes over segments, which consist of elements
 * or of the partials of the previous level, and leaves partials in turn, until one level writes the
 * results. A reduction of a whole has one segment.
 */
#ifndef VKR_LEVEL_H
#define VKR_LEVEL_H

#include "reduce.h"

/* Segments of equal length: element i of segment k is element k * stride + i * step of the input.
 * The elements of tiles lie in rows (vkr_tiles). */
typedef struct vkr_strided {
    uint64_t count, length;
    uint64_t stride, step;
} vkr_strided;

/* How a kernel reduces segments. */
typedef struct vkr_team_plan {
    uint32_t shape; /* VKR_SHAPE_* */
    uint32_t team;  /* as VKR_SEGMENT_CONST_TEAM */
    uint32_t loads; /* VKR_LOADS_* */
    uint32_t batch; /* units in flight */
    /* Segments that one invocation reduces, in the kernel `neighbours`; 0: the kernel `segment`
     * reduces them. */
    uint32_t neighbours;
    /* Rows that are read as one, which has the columns of all of them; or, of partials, segments
     * that each column still has; 0: one. */
    uint64_t fold;
    uint32_t grain;        /* the number of segments must be a multiple of this; 0: any number */
    bool whole, one_batch; /* VKR_SEGMENT_FLAG_WHOLE, VKR_SEGMENT_FLAG_ONE_BATCH */
    bool apart;            /* an invocation reduces one component of its windows */
    uint64_t part_length;  /* elements of a part of a segment */
} vkr_team_plan;

/* The shape of the kernel `tile`; the others are those of segment.comp. */
#define VKR_SHAPE_TILES 7u

/* The lists of segments by offsets that the first pass does not reduce: where the lists, the
 * partials after them, and the counts of entries lie, and the maximum number of entries of each.
 * Those of linked functions lie after the counts. */
typedef struct vkr_lists {
    VkDeviceSize at, counts;
    uint64_t medium, large, parts;
} vkr_lists;

typedef struct vkr_level {
    const vkr_reduce *reduce;
    /* The kernel and its loads; for a reduction of a whole, also the windows. */
    vkr_walk walk;
    bool partials;   /* the level reads partials, otherwise elements */
    bool replaced;   /* the level reads elements that the previous one overwrote in place */
    uint32_t output; /* VKR_OUTPUT_* */
    vkr_place source, target, ticket;
    uint64_t left; /* the number of partials that the level leaves */
    /* Segments. */
    vkr_strided of;
    vkr_team_plan how;
    vkr_lists lists;   /* VKR_SHAPE_OFFSETS, and the shapes of its lists */
    uint64_t origin;   /* the number of the first segment */
    uint64_t elements; /* of the input, starting with that segment */
    uint64_t parts;    /* of a segment: the partials that are left for it, or read */
    vkr_place between; /* VKR_SHAPE_WINDOWS: the partials of the blocks inside windows */
    uint64_t between_count;
    vkr_tiles tiles; /* VKR_SHAPE_TILES */
    bool squares;    /* the tiles are parts of one whole: VKR_TILE_FLAG_SQUARES */
    /* Adds the dispatches. */
    VkrResult (*add)(VkrRecorder recorder, const struct vkr_level *level);
    /* Turns the level into the one that reduces the partials left; NULL: a later call does that. */
    VkrResult (*next)(struct vkr_level *level);
} vkr_level;

/* The first level, which reads the elements; its segments are not set. */
vkr_level vkr_first_level(const vkr_reduce *reduce);

static inline bool vkr_leaves_results(const vkr_level *level)
{
    return level->output != VKR_OUTPUT_PARTIAL && level->output != VKR_OUTPUT_ELEMENT;
}

/* Adds a level and those that follow it. Partials go to scratch where `target` has no buffer. */
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

/* A pass of a level, with the constants and the slots that all forms have. For the last three slots
 * it sets only the places, not the items that are touched. `flags` are added to those of the
 * request. */
vkr_pass vkr_pass_of_level(const vkr_level *level, const vkr_walk *walk, const vkr_card *card,
                           const vkr_level_slots *slots, uint32_t flags);

#endif
