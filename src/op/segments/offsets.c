/* SPDX-License-Identifier: MIT */
/* Segments between offsets: a pass that reduces the short ones and lists the others, and a pass for
 * each list. */
#include "segments.h"

#include <inttypes.h>

/* Segments of up to this number of elements for each invocation of a team are better reduced by one
 * invocation each, which loads units. */
#define SHORT_MEAN 2u
#define FOUR 4u /* consecutive segments of an invocation, which loads their offsets together */
#define MIN_PART                                                                                   \
    4096u /* minimum number of elements of a part on a GPU, unless workgroups are small */

static VkDeviceSize bytes_in_scratch(const vkr_level *l)
{
    return vkr_bytes_of_lists(l) + l->lists.parts * l->reduce->partial_bytes;
}

/* Checks that descriptors reach all elements, since each dispatch needs them. */
static VkrResult check_elements(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t count = r->walk.count;
    if (r->linked != NULL && !vkr_has_buffer(&r->input))
        return VKR_SUCCESS;
    if (vkr_view_window(&r->context->caps, &r->input, 0) < count || count > VKR_MAX_REACH)
        return vkr_fail_reach(r, "the input", count * r->input.stride);
    if (vkr_reach_of_elements(r, 0) < count)
        return vkr_fail_reach(r, "the second input", count * r->input2.stride);
    return VKR_SUCCESS;
}

/* The number of segments whose offsets and results descriptors reach, and which a dispatch has. */
static uint64_t reach_of_segments(const vkr_level *l)
{
    const uint64_t room = vkr_room(&l->reduce->context->caps);
    const uint64_t reach =
        vkr_min(room / vkr_bytes_of_offset(l->reduce) - 1, room / l->reduce->layout.stride);
    const uint64_t most = vkr_min(reach, vkr_max_segment_ids(l));
    return most > FOUR ? most - most % FOUR : most;
}

static VkrResult check_algorithm(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const VkrReduceAlgorithm algorithm = r->info->algorithm;
    const bool merge = algorithm == VKR_REDUCE_MERGE;
    if (r->canonical && r->walk.count > l->of.length && (merge || algorithm == VKR_REDUCE_LANES))
        return vkr_fail_algorithm(r, algorithm, "at level device count must be at most 128");
    if (merge && r->walk.group_path == VKR_GROUP_PATH_SHARED)
        return vkr_fail_algorithm(
            r, algorithm, "must be another one without subgroup shuffles or at level device");
    return VKR_SUCCESS;
}

/* The length of the parts of listed segments, unless these have too many such parts. On a GPU, half
 * of all elements in one segment have enough parts to keep the device busy. */
static uint64_t tuned_part(const vkr_reduce *r, uint64_t max)
{
    const vkr_segments_policy *limits = vkr_policy_of_segments(r);
    const uint64_t part = vkr_min(max, 1024 * (uint64_t)r->walk.workgroup_size);
    const uint64_t groups = vkr_divide_up(r->walk.tuning->maxGroups, 2);
    return limits->busy == 1 ? part
                             : vkr_clamp(r->walk.count / groups, vkr_min(MIN_PART, part), part);
}

/* The length of the parts of listed segments. */
static uint64_t choose_part(const vkr_reduce *r)
{
    const uint64_t most = vkr_max_part(r, 0);
    const uint64_t tuned =
        r->info->algorithm == VKR_REDUCE_SPLIT ? r->walk.workgroup_size : tuned_part(r, most / 4);
    return r->canonical ? VKR_TREE_BLOCK
                        : vkr_clamp(vkr_divide_up(r->walk.count, VKR_MAX_LISTED), tuned, most);
}

/* Whether invocations load four offsets at once, which then lie in packs of words. Only kernels
 * that load texels of 32 bits, as CPUs do, can do that. */
static bool takes_fours(const vkr_level *l)
{
    const VkrSegments *segments = &l->reduce->info->segments;
    return l->how.loads == VKR_LOADS_TEXEL && l->reduce->input.type->size == 4 &&
           segments->offsetType != VKR_TYPE_U64 && segments->offsets.offset % VKR_PACK == 0;
}

/* Chooses the team of segments that are not listed, and the maximum length of these. */
static void choose_team(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const VkrReduceAlgorithm algorithm = r->info->algorithm;
    const vkr_segments_policy *limits = vkr_policy_of_segments(r);
    const bool short_ones = r->walk.loads != 0 && r->input.components == 1 &&
                            r->walk.count / SHORT_MEAN / limits->team < r->segments;
    const bool merges = algorithm == VKR_REDUCE_MERGE ||
                        (algorithm == VKR_REDUCE_AUTO && limits->team > 1 && !short_ones &&
                         r->walk.group_path != VKR_GROUP_PATH_SHARED);
    l->how.team = merges && !r->canonical ? vkr_choose_team(r, 4 * (uint64_t)limits->team) : 1;
    l->of.length = algorithm == VKR_REDUCE_SPLIT || algorithm == VKR_REDUCE_GROUPS ? 1
                   : r->canonical                                                  ? VKR_TREE_WIDTH
                                  : limits->listed_from;
    if (l->how.team == 1 && !r->canonical && r->walk.count > l->of.length &&
        r->input.components == 1)
        l->how.loads = r->walk.loads;
    if (takes_fours(l))
        l->how.neighbours = FOUR;
}

/* Does the same for linked functions, whose teams suit the mean length. */
static void choose_linked_team(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const vkr_segments_policy *limits = vkr_policy_of_segments(r);
    const uint64_t mean = r->walk.count / r->segments;
    const bool merges = limits->team > 1 && mean >= (uint64_t)SHORT_MEAN * limits->team;
    l->how.team = merges ? vkr_choose_team(r, mean) : 1;
    l->of.length = vkr_min(limits->listed_from, vkr_max_part(r, l->how.team));
    l->how.loads = mean >= 2 * (uint64_t)r->walk.unit * l->how.team ? r->walk.loads : 0;
}

/* Describes the first pass, and the length of the parts of listed segments. */
static vkr_level describe(const vkr_reduce *r)
{
    vkr_level l = vkr_first_level(r);
    l.output = VKR_OUTPUT_RESULT;
    l.how = (vkr_team_plan){.shape = VKR_SHAPE_OFFSETS, .batch = 1};
    l.of = (vkr_strided){.count = r->segments, .step = 1};
    if (r->linked != NULL)
        choose_linked_team(&l);
    else
        choose_team(&l);
    l.how.part_length = vkr_max(choose_part(r), l.of.length);
    l.parts = vkr_divide_up(r->walk.count, l.how.part_length);
    return l;
}

/* Checks that one invocation can list all parts of a segment, and that one workgroup can combine
 * them. */
static VkrResult check_parts(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t combined =
        VKR_ELEMENT_TRIPS / vkr_trips_per_element(r) * (uint64_t)r->walk.workgroup_size;
    const uint64_t most = vkr_min(combined, VKR_LIST_TRIPS);
    VKR_NEED(&r->walk, r->linked == NULL || l->parts <= most,
             "count is %" PRIu64 ", but must be at most %" PRIu64
             " where segments.kind is offsets or keys and monoid is given.",
             r->walk.count, most * l->how.part_length);
    return VKR_SUCCESS;
}

/* Limits the entries of lists to those that segments of a window can need. Where invocations load
 * whole units, segments with elements of the first or the last unit are listed too. */
static void set_lists(vkr_level *l, uint64_t segments)
{
    const uint64_t count = l->reduce->walk.count;
    const bool edges = l->how.loads != 0 && l->reduce->linked == NULL;
    const uint64_t at_edges = edges ? 2 * (uint64_t)l->reduce->walk.unit : 0;
    const uint64_t rest =
        vkr_segments_of_id(&l->how) - 1; /* of the last ones, if fewer than four */
    l->lists.medium = vkr_min(segments, count / (l->of.length + 1) + at_edges + rest);
    l->lists.large = vkr_min(segments, count / (l->how.part_length + 1));
    l->lists.parts = l->lists.large == 0 ? 0 : count / l->how.part_length + l->lists.large;
}

static VkrResult add_lists(VkrRecorder recorder, vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const VkDeviceSize counted = vkr_bytes_of_counted_lists(l), rest = bytes_in_scratch(l);
    const VkDeviceSize most = vkr_max(counted, rest);
    if (most > vkr_room(&r->context->caps))
        return vkr_fail_reach(r, "lists and partials", most);
    VKR_TRY(vkr_add_counters(recorder, counted, &l->lists.counts));
    return rest != 0 ? vkr_add_scratch(recorder, rest, &l->lists.at) : VKR_SUCCESS;
}

/* Adds the passes over the segments of a window. */
static VkrResult add_window(VkrRecorder recorder, vkr_level l, const vkr_segment_window *h)
{
    static const uint32_t listed[] = {VKR_SHAPE_MEDIUM, VKR_SHAPE_PARTS, VKR_SHAPE_LARGE};
    const vkr_walk *w = &l.reduce->walk;
    set_lists(&l, h->count);
    if (l.lists.medium != 0)
        VKR_TRY(add_lists(recorder, &l));
    VKR_TRY(vkr_add_dispatch(recorder, &l, h));
    l.how.team = l.how.neighbours = 0;
    if (l.reduce->linked != NULL)
        l.how.batch = (uint32_t)vkr_max(w->batch, 1);
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(listed); i++) {
        l.how.shape = listed[i];
        l.partials = l.how.shape == VKR_SHAPE_LARGE;
        l.output = l.how.shape == VKR_SHAPE_PARTS ? VKR_OUTPUT_PARTIAL : VKR_OUTPUT_RESULT;
        l.how.loads = l.partials ? 0 : w->loads;
        if (l.how.shape == VKR_SHAPE_MEDIUM ? l.lists.medium != 0 : l.lists.large != 0)
            VKR_TRY(vkr_add_dispatch(recorder, &l, h));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_plan_offsets(VkrRecorder recorder, const vkr_reduce *r)
{
    const vkr_level l = describe(r);
    const uint64_t most = reach_of_segments(&l);
    vkr_segment_window h = {.parts = 1};
    VKR_TRY(check_algorithm(&l));
    VKR_TRY(check_elements(&l));
    VKR_TRY(check_parts(&l));
    if (most == 0)
        return vkr_fail_reach(r, "the results of a segment", r->layout.stride);
    VKR_TRY(vkr_check_dispatches(r, r->segments, most));
    for (; h.first < r->segments; h.first += h.count) {
        h.count = vkr_min(most, r->segments - h.first);
        VKR_TRY(add_window(recorder, l, &h));
    }
    return VKR_SUCCESS;
}
