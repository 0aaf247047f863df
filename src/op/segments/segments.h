/* SPDX-License-Identifier: MIT */
/*
 * Levels of segments, as their planners pass them on: which levels there are (plan.c), how they
 * reduce segments (choose.c, columns.c), how many an invocation reduces (groups.c), how levels are
 * cut into dispatches (windows.c), and one dispatch (pass.c, tile_pass.c).
 *
 * Rows, columns, windows and tiles need one level; or two if they are split into parts: one leaves
 * partials, and one combines them; narrow columns with many partials need three. Windows of more
 * than a few elements share the reductions of blocks, of blocks of blocks, and so on (slide.c,
 * nodes.c). Segments by offsets need one pass that reduces the short ones and lists the others, and
 * one pass for each list (offsets.c).
 */
#ifndef VKR_SEGMENT_H
#define VKR_SEGMENT_H

#include "../reduce/level.h"

/* ---- Thresholds ---- */

#define VKR_SHORT_VALUES 32u  /* values times operators that an invocation reduces without loops */
#define VKR_LANES_COMBINE 64u /* maximum number of partials that one invocation combines */
#define VKR_MAX_LISTED 16384u /* parts of a segment below DEVICE: one invocation lists them */

static inline const vkr_segments_policy *vkr_policy_of_segments(const vkr_reduce *r)
{
    return vkr_segments_policy_of(r->context);
}

/* The bytes of an offset of segments by offsets. */
static inline uint32_t vkr_bytes_of_offset(const vkr_reduce *r)
{
    return r->info->segments.offsetType == VKR_TYPE_U64 ? 8 : 4;
}

/* The number of workgroups that keep the device busy. */
static inline uint64_t vkr_busy_groups(const vkr_reduce *r)
{
    return vkr_divide_up(r->walk.tuning->maxGroups, vkr_policy_of_segments(r)->busy);
}

/* The segments, and the parts of each, that one dispatch of a level reduces. */
typedef struct vkr_segment_window {
    uint64_t first, count; /* segments */
    uint64_t first_part, parts;
} vkr_segment_window;

/* ---- groups.c ---- */

/* The words of the states of an element, of all its components; and the same with the words in
 * which earlier strands of float sums are held (shaders/vkreduce/strands.glsl). */
uint64_t vkr_words_of_states(const vkr_reduce *r);
uint64_t vkr_words_with_strands(const vkr_reduce *r);

/* The number of segments that an id stands for. */
static inline uint32_t vkr_segments_of_id(const vkr_team_plan *how)
{
    return how->neighbours != 0 ? how->neighbours : 1;
}

/* The number of invocations that share an id: each reduces one component, or all of them. */
static inline uint32_t vkr_invocations_of_id(const vkr_level *level)
{
    return level->how.apart ? level->reduce->input.components : 1;
}

/* The maximum length of a part for a team, and the maximum number of ids of a dispatch: an
 * invocation's trips through its loops are limited. */
uint64_t vkr_max_part(const vkr_reduce *r, uint32_t team);
uint64_t vkr_max_segment_ids(const vkr_level *level);

/* The number of invocations that share a segment of `length` elements: each has at least a whole
 * load. */
uint32_t vkr_choose_team(const vkr_reduce *r, uint64_t length);

/* Whether all subgroups of the workgroup are full and have room for a team. Otherwise teams can be
 * smaller than planned, so that an invocation has more units of a row. */
bool vkr_has_full_team(const vkr_reduce *r, uint32_t team);

/* Chooses the number of ids of each workgroup or invocation, and the number of workgroups. */
VkrResult vkr_choose_groups(const vkr_level *level, uint64_t ids, uint64_t *items,
                            uint64_t *groups);

/* ---- columns.c ---- */

/* Whether a unit starts with the first element, which the kernel `neighbours` needs. */
static inline bool vkr_starts_with_unit(const vkr_reduce *r)
{
    return r->walk.loads != 0 && vkr_lead(&r->input, 0, r->walk.loads) == 0;
}

/* The number of values that an invocation keeps for this number of elements. */
static inline uint64_t vkr_values_of(const vkr_reduce *r, uint64_t elements)
{
    return elements * r->input.components * vkr_count_ops(r);
}

/* Lets several rows of a narrow matrix be read as one row of a wide matrix, such that a workgroup
 * reads memory contiguously, in whole units; or leaves `fold` 0. */
void vkr_fold_rows(vkr_level *level, VkrReduceAlgorithm algorithm);

/* Lets an invocation reduce the columns of a unit or of a part of one, where every row consists of
 * them and the algorithm assigns columns to single invocations. */
void vkr_plan_columns(vkr_level *level, VkrReduceAlgorithm algorithm);

/* ---- choose.c ---- */

/* What AUTO means for rows, columns and windows. */
VkrReduceAlgorithm vkr_algorithm_of_segments(const vkr_level *level);

/* Chooses how a level of elements reduces its segments by an algorithm, which can be AUTO except
 * for tiles. */
VkrResult vkr_choose_taking(vkr_level *level, VkrReduceAlgorithm algorithm);

/* What AUTO means for tiles. */
VkrReduceAlgorithm vkr_algorithm_of_tiles(const vkr_reduce *r);

/* ---- tile_pass.c ---- */

/* The number of tiles starting at `first`, at most `max`, whose rows the descriptors reach. */
uint64_t vkr_reach_of_tiles(const vkr_level *level, uint64_t first, uint64_t max);

/* Sets what the kernel `tile` reads of a dispatch. */
void vkr_set_tiles(const vkr_level *level, const vkr_segment_window *h, uint64_t ids,
                   uint64_t items, vkr_pass *pass, vkr_window *window);

/* ---- pass.c ---- */

/* The bytes of all three lists, among the counters or in scratch. */
VkDeviceSize vkr_bytes_of_counted_lists(const vkr_level *level);
VkDeviceSize vkr_bytes_of_lists(const vkr_level *level);

VkrResult vkr_add_dispatch(VkrRecorder recorder, const vkr_level *level,
                           const vkr_segment_window *h);

/* ---- windows.c ---- */

/* Fails with a message that says that descriptors do not reach `what`, of `bytes` bytes. */
VkrResult vkr_fail_reach(const vkr_reduce *r, const char *what, uint64_t bytes);

/* Fails with a message that says why the requested algorithm cannot be used. */
VkrResult vkr_fail_algorithm(const vkr_reduce *r, VkrReduceAlgorithm algorithm, const char *why);

/* Fails where too many dispatches are left to add: `left` items remain, and each dispatch handles
 * `each`. */
VkrResult vkr_check_dispatches(const vkr_reduce *r, uint64_t left, uint64_t each);

/* The number of segments starting at `first`, before `end`, that one dispatch reduces; 0 where
 * descriptors do not reach one. */
uint64_t vkr_reach_of_segments(const vkr_level *level, uint64_t first, uint64_t end);

/* Adds the dispatches of a level of rows, columns or tiles. */
VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_level *level);

/* ---- slide.c ---- */

/* Adds windows; one invocation reduces those that start in the same block. */
VkrResult vkr_add_windows(VkrRecorder recorder, const vkr_level *windows);

/* ---- Pieces of windows: slide.c, nodes.c ---- */

/* A piece has the windows that lie in `elements` elements, starting with window `origin`. The
 * number of windows that start in the same block is `how.neighbours`. */

static inline uint64_t vkr_windows_of(const vkr_level *piece)
{
    return piece->elements - piece->of.length + 1;
}

/* How many blocks behind the first one of windows that start there the loads can reach: those in
 * which the windows end, or a unit of a load that starts there. */
static inline uint64_t vkr_reach_of_blocks(const vkr_level *piece)
{
    const uint64_t block = piece->how.neighbours;
    return piece->of.length / block + 1 +
           vkr_max(vkr_divide_up(piece->reduce->walk.unit, block), 1);
}

/* What the passes over a piece have in common. */
static inline vkr_level vkr_pass_over(const vkr_level *piece, uint32_t shape, uint64_t part_length)
{
    vkr_level pass = *piece;
    pass.output = VKR_OUTPUT_PARTIAL;
    pass.how = (vkr_team_plan){.shape = shape,
                               .team = 1,
                               .batch = 1,
                               .apart = piece->how.apart && shape != VKR_SHAPE_ROWS,
                               .part_length = part_length};
    return pass;
}

/* The partials of a place, starting with partial `at`. */
static inline vkr_place vkr_partials_from(const vkr_reduce *r, vkr_place place, uint64_t at)
{
    place.offset += at * r->partial_bytes;
    return place;
}

/* ---- nodes.c ---- */

/* The number of windows, whole blocks of them, whose elements can be loaded in units. */
uint64_t vkr_windows_by_units(const vkr_level *piece);

/* The number of partials that a piece of windows at level device needs. */
uint64_t vkr_count_nodes(const vkr_level *piece);

/* Adds the windows of a piece at level device. */
VkrResult vkr_add_windows_by_nodes(VkrRecorder recorder, const vkr_level *piece);

/* ---- offsets.c ---- */

VkrResult vkr_plan_offsets(VkrRecorder recorder, const vkr_reduce *r);

/* ---- tile_image.c ---- */

/* Where results become texels, these allocate scratch memory for them, and add the dispatch that
 * writes the image. Otherwise they do nothing. */
VkrResult vkr_place_tile_results(VkrRecorder recorder, vkr_reduce *reduce);
VkrResult vkr_write_tile_image(VkrRecorder recorder, const vkr_reduce *reduce);

#endif
