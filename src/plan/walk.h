/* SPDX-License-Identifier: MIT */
/*
 * A walk: how the dispatches of one kernel go over elements. The elements are cut into windows,
 * which one dispatch reaches each; a window into workgroups; a workgroup's share into runs, which
 * are one invocation's elements where these are contiguous, else the workgroup's.
 */
#ifndef VKR_PLAN_WALK_H
#define VKR_PLAN_WALK_H

#include "slot.h"
#include "trips.h"

#define VKR_MAX_REACH ((uint64_t)1 << 31) /* items of a dispatch: indices stay below 2^32 */
#define VKR_MAX_WINDOWS 16384u /* maximum for a walk: more would take the host too long */

typedef struct vkr_walk {
    const struct VkrContext_T *context;
    const char *call;  /* of the API, for sentences */
    const char *label; /* of the steps, or NULL */
    const VkrTuning *tuning;
    const vkr_view *view; /* what is walked */
    uint64_t count;       /* elements, as far as the host knows */
    uint64_t first;       /* the index of element 0 in the whole, of which this may be a piece */
    uint64_t whole;       /* elements of the whole; 0: `count` */
    bool reverse;         /* from the last element on */
    bool one;             /* one workgroup takes all */
    bool tiles;           /* else a share is a tile, before which workgroups look back; else runs */
    /* Which kernel, and what an invocation does. */
    vkr_family family;
    bool wide; /* a 64-bit accumulator for a smaller element */
    VkrGroupPath group_path;
    uint32_t workgroup_size;
    uint32_t items; /* elements per invocation */
    uint32_t loads; /* VKR_LOADS_*; 0: by element */
    uint32_t order; /* VKR_ORDER_* */
    uint32_t batch; /* units that an invocation loads before it uses the first */
    /* What bounds a workgroup's share, for vkr_choose_shares. */
    uint64_t element_bytes;
    uint64_t reach;           /* elements that a dispatch reaches, wherever it starts */
    uint64_t max_partials;    /* maximum that one workgroup combines and one descriptor reaches */
    uint32_t grain;           /* elements that every share is a multiple of */
    uint32_t coalesced_grain; /* the same where runs are a workgroup's */
    uint32_t trips_of_unit;   /* trips of an invocation's loops for one unit */
    uint32_t window_grain;    /* elements that windows are multiples of, if they are longer */
    bool whole_loads;         /* long runs end with the loads of all invocations */
    uint64_t window;          /* elements of all windows but the last, where max_groups is 0 */
    /* What the descriptors of a dispatch must reach, each wherever it starts. */
    vkr_place reached[2];
    uint32_t reached_count;
    uint64_t max_groups; /* maximum of a dispatch, where what is `reached` bounds windows */
    bool heads;          /* elements before the first whole unit go by element */
    /* What vkr_cut finds: windows, and workgroups of all of them. */
    uint32_t windows;
    uint64_t groups;
} vkr_walk;

/* What one dispatch covers. Numbers of runs and tiles go on from window to window. */
typedef struct vkr_window {
    uint64_t first; /* in memory */
    uint64_t count;
    uint32_t lead; /* elements that its first unit lacks at its start */
    uint32_t head; /* elements before its first unit, where these go by element */
    uint64_t groups;
    uint64_t run;  /* the number of its first run */
    uint64_t tile; /* of its first workgroup */
    uint32_t index;
    bool is_last;
} vkr_window;

/* Fail with a sentence, before which they put the call's name: an argument is wrong, or right but
 * not supported. */
VkrResult vkr_reject(const vkr_walk *walk, const char *format, ...) VKR_PRINTF(2, 3);
VkrResult vkr_refuse(const vkr_walk *walk, const char *format, ...) VKR_PRINTF(2, 3);

/* The kernel of a family for the elements and a way to load them, or vkr_kernel_count. */
uint32_t vkr_kernel_of(const vkr_walk *walk, vkr_family family, uint32_t loads);

/* Refuses a kernel that there is not: the build, by its option `types`, leaves out those for the
 * elements or for their wide accumulator. */
VkrResult vkr_check_kernel(const vkr_walk *walk, uint32_t kernel);

/* Elements of a unit, which is what one load of a component holds; 1 where loads are by element. */
uint32_t vkr_walk_unit(const vkr_walk *walk);

/* The maximum of subgroups that a workgroup can have. */
uint32_t vkr_walk_subgroups(const vkr_walk *walk);

/* The number of workgroups for `count` elements whose first unit lacks some; and the number of
 * their runs. */
uint64_t vkr_walk_groups(const vkr_walk *walk, uint64_t count, uint32_t lead);
uint64_t vkr_walk_runs(const vkr_walk *walk, uint64_t groups);

/* Sets the workgroup size that is asked for; or, for 0, the tuned one, less where shared memory or
 * the device wants it. Fails where the size that is asked for cannot be. */
typedef struct vkr_shared {
    uint32_t per_slot; /* bytes; subgroups have a slot each, or invocations where they are alone */
    uint32_t more;
    VkrOpFlags ops; /* for the sentence */
} vkr_shared;
VkrResult vkr_choose_workgroup(vkr_walk *walk, uint32_t asked, uint32_t tuned,
                               const vkr_shared *shared);

/* Sets `loads`: what the tuning row says or what comes nearest, of what kernel, view and operation
 * allow. */
void vkr_choose_loads(vkr_walk *walk, bool (*allows)(const void *operation, uint32_t loads),
                      const void *operation);

/* Starts a walk over a view: sets what an operation's tuning row and the device say. */
void vkr_start_walk(vkr_walk *walk, VkrOperation operation, vkr_family family,
                    const vkr_view *view);

/* Says what speaks against tiles, of which the size is known, as the end of a sentence, for which
 * there is room in `text`; or NULL. */
#define VKR_REASON 256u
typedef const char *vkr_why_not(const void *operation, char text[VKR_REASON]);

/* Sets `one`, `tiles`, `items` and `window`, and cuts the walk. One workgroup takes all elements
 * where that is possible. Else shares are tiles, where the caller asks for a single pass, or allows
 * it and the tuning row wants it. Else, or where something speaks against tiles, they are runs, so
 * long that one workgroup can combine what they leave. */
VkrResult vkr_choose_shares(vkr_walk *walk, bool asked, bool allowed, vkr_why_not *why_not,
                            const void *operation);

/* Sets `window`, where `items` are known. */
void vkr_choose_window(vkr_walk *walk);

/* The first window, or the one behind `last`; `last` may be the same place. */
vkr_window vkr_first_window(const vkr_walk *walk);
vkr_window vkr_next_window(const vkr_walk *walk, const vkr_window *last);

/* Sets the numbers of windows and of workgroups. Fails where there are more windows than a host
 * should be asked to record. No windows: a workgroup's share does not fit a descriptor. */
VkrResult vkr_cut(vkr_walk *walk);

/* Sets the fields of the push constants that say where a window lies. */
void vkr_set_window(const vkr_walk *walk, const vkr_interface *interface, const vkr_window *window,
                    vkr_step *step);

/* The number of the wide load with which a window starts, if its first element lies at `byte`. What
 * precedes the start of the descriptor or buffer view wraps. */
uint32_t vkr_load_base(const vkr_walk *walk, const vkr_window *window, uint64_t byte);

/* The same for the view that is walked, whose first element's base, in values, has been set; binds
 * its texels where these are loaded. */
uint32_t vkr_bind_loads(const vkr_walk *walk, const vkr_window *window, uint32_t base,
                        vkr_step *step);

#endif
