/* SPDX-License-Identifier: MIT */
/* Segments between offsets, which only the GPU knows, as several operations cut them. A pass turns
 * them into spans; then invocations share short segments, a workgroup has each medium one, and long
 * ones are cut into parts. No list is longer than the elements allow, so that tiny segments do not
 * wait for workgroups of a giant one. */
#ifndef VKR_PLAN_SPANS_H
#define VKR_PLAN_SPANS_H

#include "../../shaders/cards/span.h"
#include "pass.h"

typedef struct vkr_spans {
    /* What the operation sets. */
    const vkr_walk *walk; /* the call and the number of elements */
    const VkrSegments *segments;
    uint64_t rows;        /* their number */
    uint32_t wanted;      /* entries of a segment that has as many elements */
    vkr_place limits;     /* of entries of each segment; or none */
    vkr_place found;      /* receives the number of each segment's entries; or none */
    uint64_t group;       /* invocations of a workgroup that ranks the elements of short segments */
    uint64_t few, medium; /* elements of a short segment and of a medium one, at most */
    uint64_t share;       /* elements of a part of a long one */
    /* For how many of each kind the lists have room, and for the parts of all long ones. */
    uint64_t listed, long_ones, parts;
    /* Scratch: the spans, and behind them the lists (cards/span.h). */
    vkr_place all, at, lists;
} vkr_spans;

/* Where the lists are, in words from the spans; and what they have where, from their start. */
static inline uint32_t vkr_lists_at(const vkr_spans *s)
{
    return (uint32_t)(s->rows * VKR_WORDS_OF_SPAN);
}

static inline uint32_t vkr_long_at(const vkr_spans *s)
{
    return (uint32_t)(VKR_LISTS_WORDS + s->listed);
}

static inline uint32_t vkr_parts_at(const vkr_spans *s)
{
    return (uint32_t)(vkr_long_at(s) + s->long_ones * VKR_LONG_WORDS);
}

/* The maximum length of short segments, about twice the mean of all: a power of two from `least`
 * to `most`, or `most`. */
uint64_t vkr_short_length(uint64_t count, uint64_t rows, uint64_t least, uint64_t most);

/* The size of workgroups whose invocations rank the elements of short segments, and the maximum
 * length of these: that of rows that are ordered as a whole, unless the caller asks for a size. It
 * may be greater than where workgroups have whole segments. */
uint64_t vkr_group_of_short(const vkr_walk *walk, uint32_t asked, uint64_t short_row);

/* The segments that a workgroup goes over at most where it has whole ones, each of which can take
 * an invocation so many trips through its loops. As a rule, few of those that can exist do, and
 * workgroups without any take time. */
uint64_t vkr_spans_of_group(uint64_t trips);

/* Sets how long the lists are. */
void vkr_count_spans(vkr_spans *spans);

/* Adds the step that writes the spans and the lists. */
VkrResult vkr_plan_spans(VkrRecorder recorder, vkr_spans *spans);

/* Makes all items of a place a slot, since any of them can be touched; none, if there is no place
 * or `count` is 0. */
VkrResult vkr_bind_all(vkr_pass *pass, uint32_t slot, const char *name, vkr_place place,
                       uint64_t count);

#endif
