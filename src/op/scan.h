/* SPDX-License-Identifier: MIT */
/*
 * A scan between its validation (scan.c), its geometry (scan_geometry.c) and its steps (scan_plan.c
 * for runs and tiles, scan_passes.c for one element per invocation, scan_heads.c for where segments
 * start).
 */
#ifndef VKR_SCAN_H
#define VKR_SCAN_H

#include "../plan/bind.h"

typedef struct vkr_scan {
    const struct VkrContext_T *context;
    const VkrScanInfo *info;
    vkr_view input;
    vkr_view output;
    uint64_t count; /* elements, as far as the host knows: the capacity where the GPU has a count */
    VkrType accumulator;
    bool wide;      /* a 64-bit accumulator for a smaller element */
    VkrType result; /* of the operator */
    bool words;     /* results lie in words: sums and products */
    bool canonical; /* level DEVICE, and an operator whose order matters */
    bool in_place;
    bool one; /* workgroup for all */
    bool reverse;
    bool rows;  /* segments by row length */
    bool heads; /* segments by bits, which lie here: */
    VkBuffer heads_buffer;
    VkDeviceSize heads_offset; /* of bit 0, which is element 0's */
    VkDeviceSize heads_size;
    uint32_t partial_words; /* of all components, and whether a segment starts */
    /* How the work is cut. */
    VkrScanAlgorithm algorithm; /* never AUTO */
    VkrRung rung;
    uint32_t workgroup_size;
    uint32_t items; /* elements per invocation */
    uint32_t loads; /* VKR_LOADS_*; 0: by element */
    uint32_t order; /* VKR_ORDER_* */
    uint32_t batch; /* units that an invocation loads before it uses the first */
} vkr_scan;

/* ---- scan_heads.c ---- */

/* Adds the steps that make bits of where segments start, and sets heads_buffer, _offset and
 * _size; bits of the caller's are taken as they are. */
VkrResult vkr_plan_heads(VkrRecorder recorder, vkr_scan *scan);

/* ---- scan_geometry.c ---- */

VkrResult vkr_plan_scan_geometry(vkr_scan *scan);

/* Elements of a unit; 1 where loads are by element. */
uint32_t vkr_scan_unit(const vkr_scan *scan);

/* The index of the kernel that writes results (or of the one that leaves partials), or
 * vkr_kernel_count. */
uint32_t vkr_scan_kernel(const vkr_scan *scan, uint32_t loads, bool results);

/* Most subgroups that a workgroup can have. */
uint32_t vkr_scan_subgroups(const vkr_scan *scan);

/* Units that an invocation loads before it uses the first: more where it only adds them up. */
uint32_t vkr_scan_batch(const vkr_scan *scan, uint32_t mode);

/* Elements that one dispatch covers, of all but the last; and how many dispatches that makes. */
uint64_t vkr_scan_window(const vkr_scan *scan);
uint32_t vkr_scan_windows(const vkr_scan *scan);

/* Workgroups for so many elements, of which the first unit lacks some. */
uint64_t vkr_scan_groups(const vkr_scan *scan, uint64_t count, uint32_t lead);

/* Level DEVICE: blocks of runs whose partials one dispatch reaches and whose totals one invocation
 * chains. */
uint64_t vkr_scan_chain(const vkr_scan *scan);

/* ---- scan_plan.c, scan_passes.c ---- */

/* Flags and constants of the kernels that do not depend on the step. */
uint32_t vkr_scan_flags(const vkr_scan *scan);

/* Bind what all kernels of a scan read: the GPU's count, heads, the initial value; and the total.
 * `first` is the first element of the dispatch. */
void vkr_bind_scan(const vkr_scan *scan, uint64_t first, bool total, vkr_step *step,
                   struct vkr_scan_push *push);

/* Add the steps to the recorder. */
VkrResult vkr_plan_scan(VkrRecorder recorder, const vkr_scan *scan);
VkrResult vkr_plan_passes(VkrRecorder recorder, const vkr_scan *scan);

#endif
