/* SPDX-License-Identifier: MIT */
/*
 * A compaction, as its checks (compact.c, predicate.c, plan/payload.c), its walk (geometry.c) and
 * its planners pass it on: plan.c, marks.c and lists.c for what moves by marks and by lists of
 * indices, counts.c and sink.c; keyed.c for run lengths in a single pass. linked.c says which
 * functions of applications are linked into the kernels that test elements.
 *
 * The kernel that tests elements also moves their values and indices; where it tests flags, it
 * moves values that are packed words, or, in a single pass, those of elements beside which the
 * flags lie. Payloads and other values move by marks, one bit for each element, which the pass that
 * counts writes. Lengths of other runs, and everything where another pass counts, move by a list of
 * the elements' indices, which is the caller's output of indices where it can serve, or a list in
 * scratch. A sink is called by such a list, too, and then all that is kept moves by it.
 */
#ifndef VKR_COMPACT_INTERNAL_H
#define VKR_COMPACT_INTERNAL_H

#include "../../plan/payload.h"
#include "../../plan/prefix.h"
#include "../../plan/stage.h"

/* One of the two sides of a compaction: kept elements or rejected ones. */
typedef struct vkr_side {
    vkr_view values; /* a null buffer where there is none, as in all views here */
    vkr_view indices;
    vkr_view list; /* in scratch; entry e is the index of this side's e-th element */
    bool marked;   /* payloads and values move by marks, and there is no list */
} vkr_side;

enum { VKR_KEPT, VKR_REJECTED, VKR_SIDES };
enum { VKR_VALUES, VKR_INDICES, VKR_OUTPUTS }; /* of a side */

/* The names of fields in messages. */
typedef struct vkr_compact_names {
    const char *input, *kept, *lengths, *counts;
} vkr_compact_names;

typedef struct vkr_compact {
    const VkrCompactInfo *info;
    const vkr_compact_names *names;
    vkr_view input;  /* a null buffer: there are only flags */
    vkr_region read; /* the bytes of the input, which can be staged */
    vkr_view tested;
    vkr_region flags;   /* the bytes that are read of an array of flags */
    vkr_view spread;    /* one-bit flags, viewed as if each were a byte, so that units fit them */
    bool bits;          /* an element of `tested` is one bit */
    bool moves_values;  /* the kernel that tests elements moves their values */
    bool beside_flags;  /* these values lie in the input, and flags are tested */
    vkr_bound beside;   /* words with the flags of the elements that `tested` names, or none */
    bool texels;        /* these values are loaded as texels, where units of flags start with one */
    bool finds;         /* this is a search for one element, which moves nothing */
    bool continued;     /* the predicate looks at an element before the first one */
    bool calls_loops;   /* a function with loops is not linked */
    vkr_walk walk;      /* over the elements of `tested`, or `spread` */
    uint32_t predicate; /* VKR_PREDICATE_WORD */
    const struct vkr_function
        *function; /* that is linked into passes that test elements, or NULL */
    uint32_t constants[4];
    vkr_place gpu_constants; /* as one item, where the GPU has them */
    vkr_side sides[VKR_SIDES];
    uint64_t capacity; /* the number of kept positions, for which all kept outputs have room */
    vkr_view lengths;
    bool of_segments;   /* the list of kept elements is wanted: entry `kept` of it is the count */
    uint64_t partials;  /* the number of all runs' partials */
    vkr_place record;   /* in scratch, followed by the partials */
    vkr_place marks;    /* in scratch, an item for each workgroup: a bit for each element */
    bool writes_counts; /* the dispatch that knows the number of kept elements writes counts */
    vkr_place counts;   /* all of them */
} vkr_compact;

/* Whether the first position of a side is a number that only the GPU knows. */
static inline bool vkr_is_appended(const vkr_compact *c, uint32_t side)
{
    return side == VKR_KEPT && c->info->append.buffer != VK_NULL_HANDLE;
}

/* The number of positions of a side that an output with room for `held` elements can receive. */
static inline uint64_t vkr_side_capacity(const vkr_compact *c, uint32_t side, uint64_t held)
{
    return side == VKR_KEPT ? c->capacity : held;
}

static inline uint32_t vkr_side_of(const VkrPayload *payload)
{
    return payload->rejected ? VKR_REJECTED : VKR_KEPT;
}

/* ---- compact.c ---- */

/* Checks the outputs that compactions and runs of keys have, of a compaction whose info, input and
 * count are set: `kept`, `runLengths` and counts. Sets their capacity. */
VkrResult vkr_check_kept(vkr_compact *compact);

/* Checks the counts, once the capacity is set: without a position to append at, the number of
 * elements bounds that of the stored ones. */
VkrResult vkr_check_count_outputs(const vkr_compact *compact);

/* A count output, with its name for messages. */
vkr_region vkr_region_of_count_output(const vkr_compact *compact, uint32_t i);

/* ---- predicate.c ---- */

/* Checks the predicate, and sets the fields that say what is tested, and how. Adds a pass where a
 * function returns the flags and is not linked. */
VkrResult vkr_check_predicate(VkrRecorder recorder, vkr_compact *compact);

/* ---- linked.c ---- */

/* The predicate's function, which is checked, if it is linked into the kernels that test elements;
 * otherwise NULL. */
const struct vkr_function *vkr_linked_function(const vkr_compact *compact);

/* Whether an invocation of the chosen geometry calls a linked function with loops too often: some
 * drivers limit the trips of an invocation through all loops. */
bool vkr_calls_too_often(const vkr_compact *compact);

/* ---- compact.c ---- */

/* Checks the input, the count and the predicate. Adds passes where these need any. */
VkrResult vkr_check_tested(VkrRecorder recorder, vkr_compact *compact);

/* ---- keyed.c ---- */

/* Adds a single pass for run lengths of words, where that is possible, and says so in
 * `is_planned`. */
VkrResult vkr_plan_run_lengths(VkrRecorder recorder, vkr_compact *compact, bool *is_planned);

/* ---- geometry.c ---- */

/* If a single pass can move elements beside which their flags lie, elements are then what is
 * tested, in place of flags. */
VkrResult vkr_plan_compact_geometry(vkr_compact *compact);

/* The same for a search, whose workgroups have short shares. */
VkrResult vkr_plan_find_geometry(vkr_compact *compact);

/* ---- pass.c ---- */

/* What one walk over the elements stores: values and indices of each side, at positions below a
 * limit. */
typedef struct vkr_stored {
    const vkr_view *outputs[VKR_SIDES][VKR_OUTPUTS]; /* NULL: not stored */
    uint64_t limit[VKR_SIDES];
    uint64_t window[VKR_SIDES]; /* positions that the outputs' descriptors reach */
    bool appended;              /* the first kept position is known only to the GPU */
    uint64_t first_index;
} vkr_stored;

#define VKR_MAX_STORED 6 /* outputs: kept and rejected values, their indices and lists */
typedef struct vkr_all_stored {
    uint32_t count;
    vkr_stored sets[VKR_MAX_STORED];
} vkr_all_stored;

/* Whether the kernel that holds tiles in registers serves the geometry. */
bool vkr_holds_tiles(const vkr_compact *compact, uint32_t mode);

void vkr_collect_outputs(const vkr_compact *compact, vkr_all_stored *all);

/* Checks that windows of what is read and of what is stored make few enough pairs. */
VkrResult vkr_check_compact_pairs(const vkr_compact *compact, uint64_t read, uint64_t stored);

/* Whether the record holds numbers that only the GPU knows: the predicate's constants, or the
 * position at which kept elements are appended. */
bool vkr_compact_gathers(const vkr_compact *compact);

/* A pass over the compaction's walk that binds the record, the count if the GPU has it, and one-bit
 * flags. */
vkr_pass vkr_compact_pass(const vkr_compact *compact, uint32_t mode, uint32_t flags);

/* Fills the slot of the tested elements, unless one-bit flags are tested. It includes the element
 * before them where the predicate looks at it. Links the function that tests them, if any. */
void vkr_fill_tested(const vkr_pass *pass, const vkr_compact *compact, const vkr_window *window,
                     vkr_step *step);

/* ---- documents/stream.c and stream_plan.c, or absent.c ---- */

static inline bool vkr_is_stream(const VkrCompactInfo *info)
{
    return info->algorithm >= VKR_COMPACT_HORN;
}

/* Checks the options of stream reduction, and refuses requests that it does not support. */
VkrResult vkr_check_stream(const vkr_compact *compact);

/* Refuses arrays that one descriptor does not reach. The walk must be chosen. */
VkrResult vkr_check_stream_reach(const vkr_compact *compact, const vkr_all_stored *all);

/* Adds the steps of stream reduction; there must be at least one element. */
VkrResult vkr_plan_stream(VkrRecorder recorder, const vkr_compact *compact,
                          const vkr_all_stored *all);

/* ---- moves.c ---- */

/* An array that is moved by a list or by marks; or the lengths of runs, which are made from a list
 * and have no source. Entries of source and target consist of `units` units of 1, 2, 4, 8 or 16
 * bytes. */
typedef struct vkr_move {
    uint32_t side;
    uint32_t unit; /* bytes */
    uint32_t units;
    bool texels; /* units are loaded as texels of the source */
    vkr_view source;
    vkr_view target;
} vkr_move;

vkr_move vkr_move_of_payload(const vkr_compact *compact, const VkrPayload *payload);
vkr_move vkr_move_of_values(const vkr_compact *compact, uint32_t side);
vkr_move vkr_move_of_lengths(const vkr_compact *compact);

bool vkr_has_source(const vkr_move *move);

/* Starts going over an array that is addressed by units, at no entries; and advances to the next
 * items, of `total`, that one dispatch reaches. Returns false at the end. */
vkr_bound vkr_start_items(const vkr_view *view, uint32_t unit);
bool vkr_next_items(vkr_bound *items, uint64_t total, uint64_t reach);

/* Lets a pass, whose kernel and card are set, move entries of a window of the source to a window of
 * the target. The move must exist until the pass is emitted. */
void vkr_bind_move(const vkr_compact *compact, const vkr_move *move, const vkr_bound *source,
                   const vkr_bound *target, vkr_pass *pass);

/* ---- plan.c, lists.c ---- */

/* Adds a step that copies what the GPU knows (the position to append at, and the constants) into
 * the record, if there is something. */
VkrResult vkr_plan_gather(VkrRecorder recorder, const vkr_compact *compact);

/* Adds the steps to the recorder. */
VkrResult vkr_plan_compact(VkrRecorder recorder, vkr_compact *compact);

/* Whether anything of a side is moved by a list of its elements. */
bool vkr_is_listed(const vkr_compact *compact, uint32_t side);

/* Chooses the lists: the caller's indices where they can serve, otherwise scratch. */
VkrResult vkr_choose_lists(VkrRecorder recorder, vkr_compact *compact);

/* Adds the steps of payloads and of lengths. */
VkrResult vkr_plan_lists(VkrRecorder recorder, const vkr_compact *compact);

/* ---- marks.c ---- */

/* Whether marks can replace lists: the pass that counts also writes the marks, and invocations can
 * move entries of up to `units` units each within their number of trips. */
bool vkr_can_mark(const vkr_compact *compact, uint32_t units);

/* Adds scratch for the marks. */
VkrResult vkr_add_marks(VkrRecorder recorder, vkr_compact *compact);

/* Adds the moves, by marks, to the entries of a window of the target. */
VkrResult vkr_add_marked_moves(VkrRecorder recorder, const vkr_compact *compact,
                               const vkr_move *move, const vkr_bound *target);

/* ---- sink.c ---- */

/* Checks the sink, if there is one. */
VkrResult vkr_check_compact_sink(const vkr_compact *compact);

/* Adds the steps that call it, which come after all others. */
VkrResult vkr_plan_compact_sink(VkrRecorder recorder, const vkr_compact *compact);

/* ---- counts.c ---- */

/* Sets `writes_counts`: whether the dispatch that stores the outputs `all` can write counts too. */
void vkr_choose_counts(vkr_compact *compact, const vkr_all_stored *all);

/* Whether the only count is the number of kept elements as it is, and does not replace the number
 * of elements. Sets `counts`. */
bool vkr_is_plain_count(vkr_compact *compact);

/* If `writes_counts`, lets the dispatch of a pass, which has one window, write the counts. */
void vkr_bind_counts(const vkr_compact *compact, vkr_pass *pass);

/* Adds the steps that write the counts that no other dispatch writes. They come last. */
VkrResult vkr_plan_counts(VkrRecorder recorder, const vkr_compact *compact);

/* The size of a count in bytes. */
VkDeviceSize vkr_size_of_count(VkrCountKind kind);

#endif
