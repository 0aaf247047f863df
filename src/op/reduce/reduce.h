/* SPDX-License-Identifier: MIT */
/*
 * A reduction, as its validation (reduce.c, segments/segments.c), its geometry (geometry.c) and its
 * planners pass it on: of a whole (plan.c), of segments (segments/plan.c), and of an image by
 * squares (squares.c). What they plan are levels (level.h).
 */
#ifndef VKR_REDUCE_H
#define VKR_REDUCE_H

#include "../../plan/linked.h"
#include "../../plan/mask.h"
#include "../../plan/stage.h"
#include "../../tables/policies.h"

/* Tiles, and the layers of rows of elements that they are cut from. */
typedef struct vkr_tiles {
    uint32_t width, height, layers;
    uint32_t tile_width, tile_height;
    uint32_t columns, rows; /* of tiles in a layer */
} vkr_tiles;

typedef struct vkr_reduce {
    const struct VkrContext_T *context;
    const VkrReduceInfo *info;
    vkr_view input;
    vkr_view input2;
    vkr_walk walk; /* over the elements */
    VkrType accumulator;
    bool wide_index; /* indices and counts can pass 2^32 */
    bool canonical;  /* level DEVICE, and an operator whose order matters */
    bool by_blocks;  /* a workgroup reduces several blocks of the canonical tree, by units */
    bool consume;    /* works in place on the input */
    bool dot;        /* there is a second input */
    bool segmented;
    bool masked;
    vkr_place mask;        /* one bit for each element */
    uint64_t mask_first;   /* the bit of element 0 */
    bool pieces;           /* the call leaves partials for later calls */
    uint64_t segments;     /* 1 where there are no segments */
    uint64_t length;       /* the maximum number of elements of a segment */
    uint64_t pitch, last;  /* of rows: from one to the next, and the length of the last one */
    vkr_tiles tiles;       /* where segments are tiles */
    struct vkr_runs *runs; /* where segments are by keys (runs.h) */
    /* An application's state and its functions in place of operators, or NULL; then `input` has the
     * words of the elements. */
    const vkr_linked *linked;
    uint32_t parts;       /* parts of a state that the operators need: VKR_PART_* */
    uint32_t state_words; /* of one component, in shared memory and partials */
    uint32_t partial_words;
    uint64_t partial_bytes;
    VkrReduceLayout layout;
    vkr_place results; /* an item for each segment */
    /* The image whose texels the results become, or no image. */
    vkr_image output_image;
    uint32_t image_format; /* as in vkr_variant, for the variants that write it */
    /* How the work is cut. */
    VkrReduceAlgorithm algorithm; /* never AUTO */
} vkr_reduce;

/* ---- checks.c ---- */

/* Checks the mask, and that its bits are apart from what is read and written. */
VkrResult vkr_check_reduce_mask(const vkr_reduce *reduce);

/* Checks where a piece lies in its whole, and makes it the walk's. */
VkrResult vkr_check_pieces(vkr_reduce *reduce);

/* ---- geometry.c ---- */

static inline const vkr_reduce_policy *vkr_room_of(const vkr_reduce *reduce)
{
    return vkr_reduce_policy_of(reduce->context);
}

/* The parts of a state that the operators need. */
uint32_t vkr_find_parts(const vkr_reduce *reduce);

/* The number of words of one component's state. */
uint32_t vkr_count_state_words(const vkr_reduce *reduce);

/* The number of operators whose results are real: divisions and roots. */
static inline uint32_t vkr_count_reals(const vkr_reduce *r)
{
    uint32_t reals = 0;
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        reals += (r->info->ops >> i & 1) != 0 && vkr_ops[i].result == VKR_RESULT_REAL;
    return reals;
}

/* The number of requested operators. */
static inline uint32_t vkr_count_ops(const vkr_reduce *r)
{
    uint32_t ops = 0;
    for (VkrOpFlags left = r->info->ops; left != 0; left &= left - 1)
        ops++;
    return ops;
}

/* The number of partials that one invocation may read. */
uint32_t vkr_max_reads(const vkr_reduce *reduce);

/* Chooses the kernel of a family for segments or tiles; these kernels have no subgroup
 * arithmetic. */
VkrResult vkr_choose_segment_kernel(vkr_reduce *reduce, vkr_family family);

/* Whether operands must keep the order of the elements. */
static inline bool vkr_is_ordered(const vkr_reduce *r)
{
    return r->linked != NULL && r->linked->ordered;
}

/* Whether an invocation may call the application's functions only as often as module.h promises,
 * since they have loops. In segments each call then counts as so many trips that there are at most
 * 24 for elements, and 24 for partials; or 248 where an invocation has all of a segment that is not
 * listed. */
#define VKR_CALL_TRIPS (VKR_ELEMENT_TRIPS / 24u)
#define VKR_LISTED_CALL_TRIPS (VKR_ELEMENT_TRIPS / 248u)
static inline bool vkr_calls_rarely(const vkr_reduce *r)
{
    return r->linked != NULL && r->linked->has_loops;
}

/* The number of trips through an invocation's loops for one element. Several components need an
 * inner loop. */
static inline uint32_t vkr_trips_per_element(const vkr_reduce *r)
{
    if (vkr_calls_rarely(r))
        return r->info->segments.kind == VKR_SEGMENTS_OFFSETS ? VKR_LISTED_CALL_TRIPS
                                                              : VKR_CALL_TRIPS;
    return r->input.components > 1 ? 1 + r->input.components : 1;
}

/* Whether an operation's inputs allow these loads. Both inputs are loaded in the same way, and only
 * one of them can be loaded as texels. */
static inline bool vkr_allows_loads(const void *operation, uint32_t loads)
{
    const vkr_reduce *r = operation;
    const uint32_t size = vkr_load_size(loads);
    if (r->linked != NULL && r->linked->taken.words != 1)
        return false;
    return !r->dot || (loads != VKR_LOADS_TEXEL && vkr_is_packed(&r->input2) &&
                       r->input.offset % size == r->input2.offset % size);
}

/* Chooses algorithm, loads and the walk over the elements; fails where the caller asks for an
 * algorithm or a size that cannot serve the request. */
VkrResult vkr_plan_geometry(vkr_reduce *reduce);

/* The number of elements starting at `first` that the descriptors of both inputs reach. */
uint64_t vkr_reach_of_elements(const vkr_reduce *reduce, uint64_t first);

/* Sets a walk over elements, or over partials, that lie at `source`, and cuts it; fails where a
 * workgroup's share does not fit a descriptor. The walk may be the reduction's. */
VkrResult vkr_walk_source(const vkr_reduce *reduce, bool elements, vkr_place source, uint64_t count,
                          uint64_t items, vkr_walk *walk);

/* The number of values that a pass leaves for the next one: one for each workgroup or block. */
uint64_t vkr_count_partials(const vkr_reduce *reduce, const vkr_walk *walk, bool elements);

/* ---- plan.c ---- */

/* Chooses how to reduce all elements to one result, and adds the steps. */
VkrResult vkr_plan_reduce(VkrRecorder recorder, vkr_reduce *reduce);

/* ---- segments/segments.c ---- */

/* Checks the kind and the sizes of segments, on which the layout depends. Sets `segments`, `length`
 * and `tiles`. */
VkrResult vkr_check_segments(vkr_reduce *reduce);

/* Checks the buffers of segments, and the fields that segments do not allow. */
VkrResult vkr_check_segment_buffers(vkr_reduce *reduce);

/* ---- keyed.c ---- */

/* Adds a single pass over keys and elements that reduces all runs of equal keys, where that is
 * possible, and says so in `is_planned`. */
VkrResult vkr_plan_keyed(VkrRecorder recorder, const vkr_reduce *reduce, bool *is_planned);

/* ---- tile_image.c ---- */

/* Checks the image that the results of tiles go to instead of an output buffer. */
VkrResult vkr_check_tile_image(vkr_reduce *reduce);

/* ---- squares.c ---- */

static inline bool vkr_uses_squares(VkrReduceAlgorithm algorithm)
{
    return algorithm == VKR_REDUCE_PINGPONG || algorithm == VKR_REDUCE_RECURSIVE_2D;
}

/* The first refuses what the algorithms by squares do not support, and sets the size of a layer in
 * `tiles`; the second adds the steps. */
VkrResult vkr_check_squares(vkr_reduce *reduce);
VkrResult vkr_plan_squares(VkrRecorder recorder, vkr_reduce *reduce);

/* ---- segments/plan.c ---- */

/* Chooses how to reduce all segments, and adds the steps. */
VkrResult vkr_plan_segments(VkrRecorder recorder, vkr_reduce *reduce);

#endif
