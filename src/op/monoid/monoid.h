/* SPDX-License-Identifier: MIT */
/*
 * Reductions and scans by an application's monoid: reduce.c and scan.c check them, and make them
 * requests of the planners of operators; but reductions of ranges are passes of monoid.comp, which
 * monoid.c adds.
 */
#ifndef VKR_OP_MONOID_H
#define VKR_OP_MONOID_H

#include "../../core/monoid.h"
#include "../../plan/call.h"
#include "../../plan/hook.h"
#include "../../plan/linked.h"
#include "../../plan/pass.h"

#define VKR_MONOID_WORKGROUP 128u /* every device supports this, with 16 words per invocation */

/* What the passes of an operation have in common. */
typedef struct vkr_monoid_work {
    vkr_walk walk; /* count: elements of the operation */
    vkr_view words;
    const VkrMonoid *info;
    const vkr_monoid *monoid;
    const VkrGpuCount *gpu_count;
    vkr_view elements;     /* those that `hook` takes */
    vkr_taken taken;       /* the same, for kernels */
    uint32_t result;       /* components of what finish returns, or 0 */
    uint32_t result_words; /* of what is written for each result */
    uint32_t state_words;  /* from one state in scratch to the next */
} vkr_monoid_work;

/* One pass. Places without a buffer are not bound. */
typedef struct vkr_monoid_pass {
    uint32_t mode;  /* VKR_MONOID_FOLD .. */
    uint32_t flags; /* VKR_MONOID_FLAG_*; those that the work determines are added */
    uint32_t team;  /* invocations of a tile */
    uint32_t items; /* per invocation */
    uint64_t tiles;
    vkr_place target;      /* a state or a result for each of them */
    uint64_t first_target; /* in `target` */
    vkr_place source;      /* states */
    uint64_t first_source, sources;
    uint64_t extent;             /* elements of a window; of mode FOLD, all items */
    struct vkr_monoid_push push; /* levels */
} vkr_monoid_pass;

/* Checks the monoid of an operation and finds its functions; checks the elements that it takes, or
 * that `input` is empty; and sets the count. */
VkrResult vkr_check_monoid(const vkr_walk *walk, const VkrMonoid *monoid, const VkrView *input,
                           uint64_t count, const VkrGpuCount *gpu_count, vkr_monoid_work *work);

/* Checks that passes of monoid.comp can count the elements. */
VkrResult vkr_check_monoid_count(const vkr_monoid_work *work);

/* Checks what only an operation needs, and no question about one. */
VkrResult vkr_check_monoid_handles(const vkr_monoid_work *work, const VkrView *input);

/* A field that must be 0 in operations with a monoid. */
typedef struct vkr_unused_field {
    bool is_given;
    const char *name;
} vkr_unused_field;

VkrResult vkr_check_unused(const vkr_walk *walk, const vkr_unused_field *fields, size_t count);

/* Refuses level DEVICE. */
VkrResult vkr_check_monoid_determinism(const vkr_walk *walk, VkrDeterminism determinism);

/* Whether any member of a view is given. */
bool vkr_is_given(const VkrView *view);

/* Checks that written regions share no bytes with each other, with others, or with what the
 * functions access. */
VkrResult vkr_check_monoid_regions(const vkr_monoid_work *work, const vkr_region *regions,
                                   size_t count);

/* Adds a pass that copies the elements, if they cannot be read where they lie. */
VkrResult vkr_take_monoid_elements(VkrRecorder recorder, vkr_monoid_work *work);

/* What requests of planners of operators have; the elements have been taken. */
vkr_linked vkr_linked_of_monoid(const vkr_monoid_work *work);

/* The elements, as words; and as texels, where they are read where they lie. */
vkr_view vkr_words_of_monoid(const vkr_monoid_work *work, const vkr_linked *linked);

VkrResult vkr_add_monoid_pass(VkrRecorder recorder, const vkr_monoid_work *work,
                              const vkr_monoid_pass *pass);

/* Adds scratch for states. */
VkrResult vkr_add_states(VkrRecorder recorder, const vkr_monoid_work *work, uint64_t count,
                         vkr_place *place);

/* ---- reduce.c, scan.c ---- */

/* vkrCmdReduce, vkrGetReduceLayout and vkrCmdScan, where info->monoid is given. */
VkrResult vkr_reduce_monoid(VkrRecorder recorder, const vkr_walk *walk, const VkrReduceInfo *info);
VkrResult vkr_lay_out_monoid(const vkr_walk *walk, const VkrReduceInfo *info,
                             VkrReduceLayout *layout);
VkrResult vkr_scan_monoid(VkrRecorder recorder, const vkr_walk *walk, const VkrScanInfo *info);

#endif
