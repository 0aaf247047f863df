/* SPDX-License-Identifier: MIT */
/* Segments between offsets: a pass that reduces the short ones and lists the others, and a pass for
 * each list. */
#include "segment.h"

static VkDeviceSize bytes_of_lists(const vkr_reduce *r, const vkr_segment_work *s)
{
    return 4 * vkr_list_words(s) + s->lists.parts * r->partial_bytes;
}

static VkrResult check_ranges(const vkr_reduce *r, const vkr_segment_work *s)
{
    const vkr_caps *caps = &r->context->caps;
    const uint64_t room = caps->max_range - caps->granule;
    const VkDeviceSize offsets = r->info->segments.offsets.size;
    if (vkr_view_window(caps, &r->input, 0) < r->walk.count || r->walk.count > VKR_MAX_REACH)
        return vkr_fail_reach(r, "the input", r->walk.count * r->input.stride);
    if (vkr_reach_of_elements(r, 0) < r->walk.count)
        return vkr_fail_reach(r, "the second input", r->walk.count * r->input2.stride);
    if (offsets > room)
        return vkr_fail_reach(r, "the offsets", offsets);
    if (r->layout.size > room)
        return vkr_fail_reach(r, "the results", r->layout.size);
    if (bytes_of_lists(r, s) > room)
        return vkr_fail_reach(r, "lists and partials", bytes_of_lists(r, s));
    return VKR_SUCCESS;
}

static VkrResult check_algorithm(const vkr_reduce *r, const vkr_segment_work *s)
{
    const VkrReduceAlgorithm algorithm = r->info->algorithm;
    const bool merge = algorithm == VKR_REDUCE_MERGE;
    if (r->canonical && r->walk.count > s->of.length && (merge || algorithm == VKR_REDUCE_LANES))
        return vkr_fail_algorithm(r, algorithm, "at level device count must be at most 128");
    if (merge && r->walk.group_path == VKR_GROUP_PATH_SHARED)
        return vkr_fail_algorithm(r, algorithm,
                                  "must be another without subgroup shuffles, and at level device");
    return VKR_SUCCESS;
}

/* Describes the passes: up to which length a segment is not listed, how long the parts of others
 * are, and how many of them the lists must hold. Where invocations take whole units, those segments
 * are listed too that have elements of the first or the last one. */
static vkr_segment_work describe(const vkr_reduce *r)
{
    const VkrReduceAlgorithm algorithm = r->info->algorithm;
    const vkr_segment_limits *limits = vkr_segment_limits_of(r);
    const bool split = algorithm == VKR_REDUCE_SPLIT;
    const bool merges =
        algorithm == VKR_REDUCE_MERGE || (algorithm == VKR_REDUCE_AUTO && limits->team > 1 &&
                                          r->walk.group_path != VKR_GROUP_PATH_SHARED);
    vkr_segment_work s = {.of = {.count = r->segments, .step = 1},
                          .how = {.shape = VKR_SHAPE_OFFSETS, .batch = 1},
                          .results = true};
    s.how.team = merges && !r->canonical ? vkr_choose_team(r, 4 * (uint64_t)limits->team) : 1;
    s.of.length = split || algorithm == VKR_REDUCE_GROUPS ? 1
                  : r->canonical                          ? VKR_TREE_WIDTH
                                                          : limits->listed_from;
    s.how.part_length = VKR_TREE_BLOCK;
    if (!r->canonical) {
        const uint64_t most = vkr_max_part(r, 0);
        const uint64_t tuned =
            split ? r->walk.workgroup_size : vkr_min(most / 4, 1024 * r->walk.workgroup_size);
        s.how.part_length = vkr_clamp(vkr_divide_up(r->walk.count, VKR_MAX_LISTED), tuned, most);
    }
    s.how.part_length = vkr_max(s.how.part_length, s.of.length);
    if (s.how.team == 1 && !r->canonical && r->walk.count > s.of.length && r->input.components == 1)
        s.how.loads = r->walk.loads;
    const uint64_t at_edges = s.how.loads != 0 ? 2 * (uint64_t)r->walk.unit : 0;
    s.lists.medium = vkr_min(r->segments, r->walk.count / (s.of.length + 1) + at_edges);
    s.lists.large = vkr_min(r->segments, r->walk.count / (s.how.part_length + 1));
    s.lists.parts = s.lists.large == 0 ? 0 : r->walk.count / s.how.part_length + s.lists.large;
    s.parts = vkr_divide_up(r->walk.count, s.how.part_length);
    return s;
}

VkrResult vkr_plan_offsets(VkrRecorder recorder, const vkr_reduce *r)
{
    static const uint32_t listed[] = {VKR_SHAPE_MEDIUM, VKR_SHAPE_PARTS, VKR_SHAPE_LARGE};
    const vkr_segment_window all = {0, r->segments, 0, 1};
    vkr_segment_work s = describe(r);
    VKR_TRY(check_algorithm(r, &s));
    VKR_TRY(check_ranges(r, &s));
    if (s.lists.medium != 0) {
        VKR_TRY(vkr_add_counters(recorder, 12, &s.lists.counts));
        VKR_TRY(vkr_add_scratch(recorder, bytes_of_lists(r, &s), &s.lists.at));
    }
    VKR_TRY(vkr_add_segments(recorder, r, &s, &all));
    s.how.team = 0;
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(listed); i++) {
        s.how.shape = listed[i];
        s.partials = s.how.shape == VKR_SHAPE_LARGE;
        s.results = s.how.shape != VKR_SHAPE_PARTS;
        s.how.loads = s.partials ? 0 : r->walk.loads;
        if (s.how.shape == VKR_SHAPE_MEDIUM ? s.lists.medium != 0 : s.lists.large != 0)
            VKR_TRY(vkr_add_segments(recorder, r, &s, &all));
    }
    return VKR_SUCCESS;
}
