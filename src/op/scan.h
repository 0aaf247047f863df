/* SPDX-License-Identifier: MIT */
/*
 * A scan, as scan.c checks it and scan_geometry.c cuts it, for its planners: scan_plan.c for runs,
 * tiles and what runs leave, scan_doublings.c for a dispatch for each doubling.
 */
#ifndef VKR_SCAN_H
#define VKR_SCAN_H

#include "../plan/prefix.h"
#include "../plan/stage.h"

typedef struct vkr_scan {
    const VkrScanInfo *info;
    vkr_view input;
    vkr_view output;
    vkr_walk walk; /* over the elements of both */
    VkrType accumulator;
    VkrType result; /* the type of the results */
    bool words;     /* results lie in words: sums and products */
    bool ordered;   /* the order of evaluation changes the results */
    bool canonical; /* level DEVICE, and the order matters */
    bool in_place;
    vkr_place results;        /* as the output's elements, or in words */
    vkr_place initial, total; /* one value for each component, where the GPU has or wants it */
    bool rows;                /* segments are rows */
    bool heads;               /* segments start where bits are set, which lie here: */
    vkr_place bits;           /* words; bit 0 of the first one is element 0's */
    vkr_region starts;        /* what bits are made of */
    uint32_t partial_words;   /* all components, and a word for whether a segment starts */
    bool doubles;             /* the algorithm needs a dispatch for each doubling */
} vkr_scan;

/* ---- scan_geometry.c ---- */

VkrResult vkr_plan_scan_geometry(vkr_scan *scan);

/* Level DEVICE: the number of blocks of runs whose partials one dispatch reaches and whose totals
 * one invocation chains. */
uint64_t vkr_scan_chain(const vkr_scan *scan);

/* The maximum of units in a batch, such that drivers unroll loops over it. */
uint32_t vkr_scan_max_units(const vkr_scan *scan);

/* The number of values of the operator that each tile has in scratch
 * (shaders/vkreduce/tiles.glsl). */
uint32_t vkr_values_of_tile(const vkr_scan *scan);

/* ---- scan_plan.c ---- */

/* A pass of a mode (VKR_MODE_*) over an input (VKR_INPUT_*), whose operation is the scan: it binds
 * the GPU's count and the initial value. The walk is the scan's, or one over partials. */
vkr_pass vkr_scan_pass(const vkr_scan *scan, const vkr_walk *walk, uint32_t mode, uint32_t input,
                       uint32_t flags);

/* Fills in where segments start in a window of elements; it is called from vkr_pass.finish. */
void vkr_fill_heads(const vkr_pass *pass, const vkr_window *window, vkr_step *step);

/* Add the steps of runs and tiles, and (scan_doublings.c) those of doublings. */
VkrResult vkr_plan_scan(VkrRecorder recorder, const vkr_scan *scan);
VkrResult vkr_plan_doublings(VkrRecorder recorder, const vkr_scan *scan);

#endif
