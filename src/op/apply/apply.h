/* SPDX-License-Identifier: MIT */
/* A function of elements and of results of their segments: the request, and how it becomes
 * steps. */
#ifndef VKR_APPLY_REQUEST_H
#define VKR_APPLY_REQUEST_H

#include "../../plan/rows.h"
#include "../../plan/spans.h"
#include "vkreduce/apply.h"

typedef struct vkr_apply {
    const VkrApplyInfo *info;
    vkr_walk walk;
    vkr_view input; /* staged, if it is an image or mapped */
    vkr_view output;
    /* Rows of `length` elements, `pitch` elements apart; the last one may be shorter. */
    uint64_t rows, length, pitch;
    bool in_place;
    bool by_offsets; /* rows are segments between offsets, of any lengths */
    /* How rows are cut (pass.c). */
    bool packed, stores_packs, whole; /* whole: all quads are */
    bool texels;                      /* elements are loaded as texels */
    uint32_t lead;  /* elements of quads before the first one of a share, at most */
    uint64_t share; /* elements of a part */
    uint64_t parts; /* of a row; by offsets of all long segments */
    vkr_spans spans;
    /* Scratch: states of parts and of rows. */
    vkr_place of_parts, of_rows;
} vkr_apply;

/* Adds the steps of the whole operation. */
VkrResult vkr_plan_apply(VkrRecorder recorder, vkr_apply *apply);

/* ---- pass.c ---- */

/* Sets the walk, and how elements are loaded and stored. */
VkrResult vkr_choose_apply_walk(vkr_apply *apply);

/* The quads of so many elements, the first of which lies anywhere in one, or at its start. */
uint64_t vkr_apply_quads(const vkr_apply *apply, uint64_t elements);

/* What the dispatches of a mode have in common, for a share of so many quads. */
vkr_pass vkr_apply_pass(const vkr_apply *apply, uint32_t mode, uint64_t quads);

/* Has the pass bind the texels of all elements, in place of a slot. The window of a grid says which
 * element a dispatch starts with; that of segments is 0. */
void vkr_bind_apply_texels(const vkr_apply *apply, vkr_pass *pass);

/* ---- spans.c ---- */

/* Sets how segments between offsets are cut, and adds their steps. */
VkrResult vkr_plan_apply_spans(VkrRecorder recorder, vkr_apply *apply);

#endif
