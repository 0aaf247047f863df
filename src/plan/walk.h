/* SPDX-License-Identifier: MIT */
/*
 * A walk: how the dispatches of one kernel go over elements. The elements are cut into windows,
 * each of which one dispatch reaches; a window is cut into the shares of workgroups; and a share
 * into runs. One invocation reads a run where loads are contiguous; otherwise the workgroup reads
 * it.
 */
#ifndef VKR_PLAN_WALK_H
#define VKR_PLAN_WALK_H

#include "slot.h"
#include "trips.h"

/* Workgroups of kernels for which no policy has a size: every device supports both. */
#define VKR_SURE_WORKGROUP 128u
#define VKR_SMALL_WORKGROUP 64u

#define VKR_MAX_REACH ((uint64_t)1 << 31) /* items of a dispatch: indices stay below 2^32 */
#define VKR_MAX_UNITS ((uint64_t)1 << 30) /* units that a dispatch copies by a list */
#define VKR_MAX_WINDOWS 16384u            /* of a walk: more would take the host too long */
#define VKR_MAX_PAIRS 131072u /* of a window that is read and one that is stored: 362 of each */

typedef struct vkr_walk {
    const struct VkrContext_T *context;
    const char *call; /* the API function, for messages */
    const VkrTuning *tuning;
    const vkr_view *view;         /* the elements that the walk goes over */
    uint64_t count;               /* elements, as far as the host knows */
    uint64_t held;                /* elements that the caller's input holds */
    const VkrGpuCount *gpu_count; /* the count that the GPU has, or NULL; for users' functions */
    uint64_t first; /* the index of element 0 in the whole, where this is a piece of one */
    uint64_t whole; /* elements of the whole; 0: `count` */
    bool by_words;  /* integers are only moved and compared, which words of 32 bits suffice for */
    bool reverse;   /* the walk starts at the last element */
    bool one;       /* one workgroup handles all elements; */
    bool spread;    /* however few these are, it does not */
    bool tiles;     /* shares are tiles, and workgroups look back; otherwise shares are runs */
    /* Which kernel, and what an invocation does. */
    vkr_family family;
    bool wide;  /* a 64-bit accumulator for a smaller element */
    bool apart; /* the kernel of one component, which each invocation reduces alone */
    VkrGroupPath group_path;
    uint32_t workgroup_size;
    uint32_t items; /* elements per invocation */
    uint32_t loads; /* VKR_LOADS_*; 0: by element. vkr_set_loads sets it, and: */
    /* Elements of a unit: what one load of a component holds; in compactions, what one load of
     * whole elements holds; by element, 1. */
    uint32_t unit;
    uint32_t load_size; /* bytes of a load of a buffer */
    bool loads_image;
    uint32_t order; /* VKR_ORDER_* */
    uint32_t batch; /* units that an invocation loads before it uses the first */
    /* What bounds a workgroup's share, for vkr_choose_shares. */
    uint64_t element_bytes;
    uint64_t reach;           /* elements that a dispatch reaches, wherever it starts */
    uint64_t max_partials;    /* partials that one workgroup should combine at most */
    uint64_t stored_partials; /* partials that one descriptor reaches, wherever it starts */
    uint32_t grain;           /* every share is a multiple of this number of elements */
    uint32_t coalesced_grain; /* the same where a workgroup reads each run */
    uint32_t trips_of_unit;   /* trips of an invocation's loops for one unit */
    uint32_t window_grain;    /* longer windows are multiples of this number of elements */
    bool whole_loads;         /* long runs end with loads of all invocations */
    /* Elements of every window except the last, where max_groups is 0. */
    uint64_t window;
    /* The places that the descriptors of a dispatch must reach, wherever its window starts. */
    vkr_place reached[2];
    uint32_t reached_count;
    uint64_t max_groups; /* maximum of a dispatch, where `reached` bounds windows */
    bool heads;          /* elements before the first whole unit are loaded singly */
    /* Set by vkr_cut: the number of windows, and of the workgroups of all windows. */
    uint32_t windows;
    uint64_t groups;
} vkr_walk;

/* What one dispatch covers. The numbering of runs and tiles continues from window to window. */
typedef struct vkr_window {
    uint64_t first; /* in memory */
    uint64_t count;
    uint32_t lead; /* elements that its first unit lacks at its start */
    uint32_t head; /* elements before its first unit, if these are loaded singly */
    uint64_t groups;
    uint32_t height; /* of the dispatch in workgroups, where these depend on it; 0: any height */
    uint64_t run;    /* the number of its first run */
    uint64_t tile;   /* the number of its first tile */
    uint32_t index;
    bool is_last;
    /* Of a grid: a box of it, of whole rows or of parts of one row. It has `cells` parts, the first
     * of which is number `cell` of the grid. */
    uint64_t row, rows, part, parts, cell, cells;
    vkr_extent any; /* the items that VKR_SPAN_ANY binds */
} vkr_window;

/* The kernel of a family for the walk's elements and the given loads, or vkr_kernel_count. */
uint32_t vkr_kernel_of(const vkr_walk *walk, vkr_family family, uint32_t loads);

/* The kernel of the walk's own family and loads. */
uint32_t vkr_walk_kernel(const vkr_walk *walk);

/* Fails where `kernel` is vkr_kernel_count, which means that the build, by its option `types`,
 * leaves out the kernels for the elements or for their wide accumulator. */
VkrResult vkr_check_kernel(const vkr_walk *walk, uint32_t kernel);

/* A walk for an API call, which loads by element. */
vkr_walk vkr_new_walk(const struct VkrContext_T *context, const char *call);

void vkr_set_loads(vkr_walk *walk, uint32_t loads);

/* The maximum number of subgroups that a workgroup can have. */
uint32_t vkr_walk_subgroups(const vkr_walk *walk);

/* The number of workgroups for `count` elements whose first unit lacks `lead` elements, and the
 * number of their runs. */
uint64_t vkr_walk_groups(const vkr_walk *walk, uint64_t count, uint32_t lead);
uint64_t vkr_walk_runs(const vkr_walk *walk, uint64_t groups);

/* Sets the requested workgroup size; or, for 0, the tuned one, which is reduced where shared memory
 * or the device requires it. Fails where the requested size is not possible. */
typedef struct vkr_shared {
    /* Bytes of a slot. Each subgroup has one; on group path SHARED, each invocation. */
    uint32_t per_slot;
    uint32_t more;
    VkrOpFlags ops; /* for the message */
} vkr_shared;
VkrResult vkr_choose_workgroup(vkr_walk *walk, uint32_t asked, uint32_t tuned,
                               const vkr_shared *shared);

/* Sets `loads` as the tuning row says, or to the nearest loads that the kernel, the view and the
 * operation allow. */
void vkr_choose_loads(vkr_walk *walk, bool (*allows)(const void *operation, uint32_t loads),
                      const void *operation);

/* Starts a walk over a view: sets the fields that depend on the operation's tuning row and the
 * device. */
void vkr_start_walk(vkr_walk *walk, VkrOperation operation, vkr_family family,
                    const vkr_view *view);

/* Returns the reason why tiles, whose size is known, are not possible, as the end of a message, for
 * which `text` has room; or NULL. */
#define VKR_REASON 256u
typedef const char *vkr_why_not(const void *operation, char text[VKR_REASON]);

/* Sets `one`, `tiles`, `items` and `window`, and cuts the walk. One workgroup handles all elements
 * where that is possible. Otherwise shares are tiles where the caller requests a single pass, or
 * allows it and the tuning row asks for it. In all other cases, and where tiles are not possible,
 * shares are runs that are long enough for one workgroup to combine all their partials. */
VkrResult vkr_choose_shares(vkr_walk *walk, bool asked, bool allowed, vkr_why_not *why_not,
                            const void *operation);

/* Sets `tiles`, and cuts the walk, if vkr_choose_shares would do so with a single pass allowed. */
VkrResult vkr_choose_tiles(vkr_walk *walk, vkr_why_not *why_not, const void *operation);

/* Sets `window`; `items` must be set. */
void vkr_choose_window(vkr_walk *walk);

/* The first window, and the window that follows `last`. */
vkr_window vkr_first_window(const vkr_walk *walk);
vkr_window vkr_next_window(const vkr_walk *walk, const vkr_window *last);

/* Sets the numbers of windows and of workgroups. Fails where there are more than VKR_MAX_WINDOWS
 * windows. The number is 0 where a workgroup's share does not fit a descriptor. */
VkrResult vkr_cut(vkr_walk *walk);

/* Sets the fields of the push constants that say where a window lies. */
void vkr_set_window(const vkr_walk *walk, const vkr_card *card, const vkr_window *window,
                    vkr_step *step);

/* The number of the wide load with which a window starts, if its first element lies at `byte`.
 * Where the load starts before the descriptor or buffer view, the number wraps below 0. */
uint32_t vkr_load_base(const vkr_walk *walk, const vkr_window *window, uint64_t byte);

/* Returns the same for the walk's view, whose first element is value number `base`. Binds the
 * view's texels where these are loaded. */
uint32_t vkr_bind_loads(const vkr_walk *walk, const vkr_window *window, uint32_t base,
                        vkr_step *step);

/* The number of bits that one descriptor of words reaches, wherever they start. */
uint64_t vkr_bits_reach(const vkr_caps *caps);

#endif
