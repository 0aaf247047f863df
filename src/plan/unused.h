/* SPDX-License-Identifier: MIT */
/*
 * Notes of fields that say something although a kind, a count or a handle beside them says that
 * they are not used. The request is valid, but the application may have forgotten the other field.
 */
#ifndef VKR_PLAN_UNUSED_H
#define VKR_PLAN_UNUSED_H

#include "check.h"
#include "vkreduce/compact.h"
#include "vkreduce/histogram.h"
#include "vkreduce/segments.h"

/* What is noted once for each context. */
typedef enum vkr_unused_group {
    VKR_UNUSED_LISTS,     /* pointers to arrays without a count */
    VKR_UNUSED_HANDLES,   /* offsets and sizes without a buffer */
    VKR_UNUSED_SEGMENTS,  /* fields of other kinds of segments, */
    VKR_UNUSED_PREDICATE, /* of other kinds of predicates, */
    VKR_UNUSED_BINS,      /* and of other kinds of bins */
    VKR_UNUSED_CONSTANTS, /* members of a union that the type does not have */
    VKR_UNUSED_VALUES     /* VkrBoundsInfo::values without valueCount */
} vkr_unused_group;

/* A field of a structure whose name is `of`, with a dot, or "". */
typedef struct vkr_unused {
    const char *field;
    bool is_set;
    uint64_t value;   /* 0: a pointer or a buffer */
    uint32_t kinds;   /* the kinds that use it, as bits */
    const char *need; /* what the other field must be */
} vkr_unused;

/* Notes the first field that is set and whose kinds do not include `kind`. `since` starts the
 * reason: "segments.kind is none". */
void vkr_note_unused(const vkr_walk *walk, vkr_unused_group group, const char *of,
                     const vkr_unused *rows, size_t count, uint32_t kind, const char *since);

/* Note the fields of segments, predicates and bins that their kinds do not use. */
void vkr_note_segments(const vkr_walk *walk, const VkrSegments *segments);
void vkr_note_predicate(const vkr_walk *walk, const VkrPredicate *predicate,
                        const vkr_type_info *type);
void vkr_note_bins(const vkr_walk *walk, const VkrBins *bins);

/* Note an array without a number of entries, and an offset, a size or a type without a buffer. */
void vkr_note_list(const vkr_walk *walk, const char *field, const void *list, const char *counted,
                   uint32_t count);
void vkr_note_range(const vkr_walk *walk, const char *field, const VkrBufferRange *range);
void vkr_note_gpu_count(const vkr_walk *walk, const char *field, const VkrGpuCount *count);

/* Notes the same of a view that is read, which may be absent, and of its texels. */
void vkr_note_view(const vkr_walk *walk, const char *field, const VkrView *view);

/* Notes that a walk over the values of a search has none, although their view holds some. */
void vkr_note_values(const vkr_walk *walk, uint64_t held);

#endif
