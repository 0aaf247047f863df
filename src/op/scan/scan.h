/* SPDX-License-Identifier: MIT */
/*
 * A scan, as scan.c checks it and geometry.c cuts it, for its planners: plan.c for runs, their
 * partials, and tiles, and doublings.c for one dispatch for each doubling.
 */
#ifndef VKR_SCAN_H
#define VKR_SCAN_H

#include "../../plan/linked.h"
#include "../../plan/mask.h"
#include "../../plan/prefix.h"
#include "../../plan/stage.h"

typedef struct vkr_scan {
    const VkrScanInfo *info;
    vkr_view input;
    vkr_view output;
    vkr_walk walk; /* over the elements of both */
    VkrType accumulator;
    VkrType result; /* the type of the results */
    bool words;     /* results lie in words: sums and products */
    bool canonical; /* level DEVICE, and the order matters */
    bool in_place;
    bool masked;       /* the mask leaves elements out */
    bool copied;       /* elements are copied first, since some of them, or NaN, are left out */
    vkr_place results; /* the output's elements, or words */
    vkr_place initial, total; /* a value for each component; no buffer if the GPU has none */
    bool rows;                /* segments are rows */
    bool apart;               /* which lie apart */
    bool columns;             /* or columns, of which there are several */
    bool heads;               /* segments start where `bits` are set */
    vkr_place bits;           /* words; bit 0 of the first one belongs to element 0 */
    vkr_region starts;        /* the memory that the bits are made from, unless it is keys */
    vkr_view keys;
    uint32_t partial_words; /* all components, and one that says whether a segment starts */
    /* The application's functions by which elements are combined, as the input's words; or NULL. */
    const vkr_linked *linked;
    bool doubles; /* the algorithm needs a dispatch for each doubling */
    bool keyed; /* tiles find the starts of runs of equal keys themselves, and there are no bits */
    /* What is known of runs (compact/keyed.c): those for which there is room, 0 for a scan. The
     * total is their number, of one or two words, or the record of a compaction. Without an
     * operator, runs have no results. */
    uint64_t room;
    uint32_t total_words;
    vkr_place unique, lengths;
} vkr_scan;

/* ---- masked.c ---- */

/* Checks the mask: sets `masked` and `copied`. The walk's count is known. */
VkrResult vkr_check_scan_mask(vkr_scan *scan);

/* Makes the input a copy with identities in place of what is left out. Its elements must lie in a
 * buffer. */
VkrResult vkr_leave_out(VkrRecorder recorder, vkr_scan *scan);

/* ---- segments.c ---- */

/* Checks where segments start: sets `heads`, `rows` and `starts`. The walk's count is known. */
VkrResult vkr_check_scan_segments(vkr_scan *scan);

/* Sets the bits that say where segments start. Adds steps that make them, unless the caller has
 * bits; or sets `keyed`. */
VkrResult vkr_plan_heads(VkrRecorder recorder, vkr_scan *scan);

/* ---- geometry.c ---- */

VkrResult vkr_plan_scan_geometry(vkr_scan *scan);

/* Level DEVICE: the number of blocks of runs whose partials one dispatch reaches and whose totals
 * one invocation chains. */
uint64_t vkr_scan_chain(const vkr_scan *scan);

/* The maximum number of units in a batch for which drivers unroll loops. */
uint32_t vkr_scan_max_units(const vkr_scan *scan);

/* The words that tiles publish (shaders/vkreduce/tiles.glsl). */
vkr_published vkr_published_by_scan(const vkr_scan *scan);

/* The maximum number of partials that one workgroup scans. */
uint64_t vkr_scan_partials_of_group(const vkr_scan *scan);

/* ---- plan.c ---- */

/* A pass of a mode (VKR_MODE_*) over an input (VKR_INPUT_*). It binds the GPU's count and the
 * initial value, and its `operation` is the scan. The walk is the scan's, or one over partials. */
vkr_pass vkr_scan_pass(const vkr_scan *scan, const vkr_walk *walk, uint32_t mode, uint32_t input,
                       uint32_t flags);

/* Sets the two words of the initial value of each component, where the host has it. */
void vkr_set_initial(const vkr_scan *scan, uint32_t low[4], uint32_t high[4]);

/* Whether the kernel of runs of equal keys can serve a scan, whose geometry is known. */
bool vkr_can_find_runs(const vkr_scan *scan);

/* Sets where segments start in a window of elements. It is called from vkr_pass.finish. */
void vkr_fill_heads(const vkr_pass *pass, const vkr_window *window, vkr_step *step);

/* Add the steps of runs and tiles, and (doublings.c) those of doublings. */
VkrResult vkr_plan_scan(VkrRecorder recorder, const vkr_scan *scan);
VkrResult vkr_plan_doublings(VkrRecorder recorder, const vkr_scan *scan);

/* ---- columns.c ---- */

/* Chooses the geometry of a scan of columns, and adds its steps. */
VkrResult vkr_plan_scan_columns(VkrRecorder recorder, vkr_scan *scan);

#endif
