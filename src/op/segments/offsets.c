/* SPDX-License-Identifier: MIT */
/* Segments between offsets: a pass that reduces the short ones and lists the others, and a pass for
 * each list. */
#include "segments.h"

/* Segments of up to this number of elements for each invocation of a team are better reduced by one
 * invocation each, which loads units. */
#define SHORT_MEAN 2u
#define MIN_PART                                                                                   \
    4096u /* minimum number of elements of a part on a GPU, unless workgroups are small */

static VkDeviceSize bytes_of_lists(const vkr_level *l)
{
    return 4 * vkr_list_words(&l->lists) + l->lists.parts * l->reduce->partial_bytes;
}

/* Checks that descriptors reach everything, since each dispatch needs all of it. */
static VkrResult check_ranges(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const vkr_caps *caps = &r->context->caps;
    const uint64_t room = vkr_room(caps), count = r->walk.count;
    const struct {
        bool fits;
        const char *what;
        VkDeviceSize bytes;
    } rows[] = {
        {vkr_view_window(caps, &r->input, 0) >= count && count <= VKR_MAX_REACH, "the input",
         count * r->input.stride},
        {vkr_reach_of_elements(r, 0) >= count, "the second input", count * r->input2.stride},
        {r->info->segments.offsets.size <= room, "the offsets", r->info->segments.offsets.size},
        {r->layout.size <= room, "the results", r->layout.size},
        {bytes_of_lists(l) <= room, "lists and partials", bytes_of_lists(l)},
    };
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(rows); i++)
        if (!rows[i].fits)
            return vkr_fail_reach(r, rows[i].what, rows[i].bytes);
    return VKR_SUCCESS;
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

/* The length of the parts of listed segments. On a GPU, half of all elements in one segment have
 * enough parts to keep the device busy. */
static uint64_t tuned_part(const vkr_reduce *r, uint64_t max)
{
    const vkr_segments_policy *limits = vkr_policy_of_segments(r);
    const uint64_t part = vkr_min(max, 1024 * (uint64_t)r->walk.workgroup_size);
    const uint64_t groups = vkr_divide_up(r->walk.tuning->maxGroups, 2);
    return limits->busy == 1 ? part
                             : vkr_clamp(r->walk.count / groups, vkr_min(MIN_PART, part), part);
}

/* Describes the passes: the maximum length of a segment that is not listed, the length of the parts
 * of listed ones, and how many entries the lists must hold. Where invocations load whole units,
 * segments with elements of the first or the last unit are listed too. */
static vkr_level describe(const vkr_reduce *r)
{
    const VkrReduceAlgorithm algorithm = r->info->algorithm;
    const vkr_segments_policy *limits = vkr_policy_of_segments(r);
    const bool split = algorithm == VKR_REDUCE_SPLIT;
    const bool short_ones = r->walk.loads != 0 && r->input.components == 1 &&
                            r->walk.count / SHORT_MEAN / limits->team < r->segments;
    const bool merges = algorithm == VKR_REDUCE_MERGE ||
                        (algorithm == VKR_REDUCE_AUTO && limits->team > 1 && !short_ones &&
                         r->walk.group_path != VKR_GROUP_PATH_SHARED);
    vkr_level l = vkr_first_level(r);
    l.output = VKR_OUTPUT_RESULT;
    l.how = (vkr_team_plan){.shape = VKR_SHAPE_OFFSETS, .batch = 1, .part_length = VKR_TREE_BLOCK};
    l.how.team = merges && !r->canonical ? vkr_choose_team(r, 4 * (uint64_t)limits->team) : 1;
    l.of = (vkr_strided){.count = r->segments, .step = 1};
    l.of.length = split || algorithm == VKR_REDUCE_GROUPS ? 1
                  : r->canonical                          ? VKR_TREE_WIDTH
                                                          : limits->listed_from;
    if (!r->canonical) {
        const uint64_t most = vkr_max_part(r, 0);
        const uint64_t tuned = split ? r->walk.workgroup_size : tuned_part(r, most / 4);
        l.how.part_length = vkr_clamp(vkr_divide_up(r->walk.count, VKR_MAX_LISTED), tuned, most);
    }
    l.how.part_length = vkr_max(l.how.part_length, l.of.length);
    if (l.how.team == 1 && !r->canonical && r->walk.count > l.of.length && r->input.components == 1)
        l.how.loads = r->walk.loads;
    const uint64_t at_edges = l.how.loads != 0 ? 2 * (uint64_t)r->walk.unit : 0;
    l.lists.medium = vkr_min(r->segments, r->walk.count / (l.of.length + 1) + at_edges);
    l.lists.large = vkr_min(r->segments, r->walk.count / (l.how.part_length + 1));
    l.lists.parts = l.lists.large == 0 ? 0 : r->walk.count / l.how.part_length + l.lists.large;
    l.parts = vkr_divide_up(r->walk.count, l.how.part_length);
    return l;
}

VkrResult vkr_plan_offsets(VkrRecorder recorder, const vkr_reduce *r)
{
    static const uint32_t listed[] = {VKR_SHAPE_MEDIUM, VKR_SHAPE_PARTS, VKR_SHAPE_LARGE};
    const vkr_segment_window all = {0, r->segments, 0, 1};
    vkr_level l = describe(r);
    VKR_TRY(check_algorithm(&l));
    VKR_TRY(check_ranges(&l));
    if (l.lists.medium != 0) {
        VKR_TRY(vkr_add_counters(recorder, 12, &l.lists.counts));
        VKR_TRY(vkr_add_scratch(recorder, bytes_of_lists(&l), &l.lists.at));
    }
    VKR_TRY(vkr_add_dispatch(recorder, &l, &all));
    l.how.team = 0;
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(listed); i++) {
        l.how.shape = listed[i];
        l.partials = l.how.shape == VKR_SHAPE_LARGE;
        l.output = l.how.shape == VKR_SHAPE_PARTS ? VKR_OUTPUT_PARTIAL : VKR_OUTPUT_RESULT;
        l.how.loads = l.partials ? 0 : r->walk.loads;
        if (l.how.shape == VKR_SHAPE_MEDIUM ? l.lists.medium != 0 : l.lists.large != 0)
            VKR_TRY(vkr_add_dispatch(recorder, &l, &all));
    }
    return VKR_SUCCESS;
}
