/* SPDX-License-Identifier: MIT */
/* Reductions of runs of equal keys in a single pass: a scan that starts anew in each run, of which
 * only the last value of a run is stored. */
#include "../compact/runs.h"
#include "../scan/scan.h"
#include "reduce.h"

/* Whether a scan gives the same results: of one operator that scans have, by the same rules. */
static bool is_scan(const vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const VkrOpFlags ops =
        VKR_OP_SUM | VKR_OP_PRODUCT | VKR_OP_MIN | VKR_OP_MAX | VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR;
    return (info->ops & (info->ops - 1)) == 0 && (info->ops & ops) != 0 && !r->masked &&
           !r->canonical && info->nan != VKR_NAN_SKIP && info->algorithm == VKR_REDUCE_AUTO &&
           info->workgroupSize == 0;
}

/* Whether one descriptor reaches what is written about runs, if anything is, and it is words. */
static bool is_words(const vkr_reduce *r, const vkr_view *view, uint64_t room)
{
    return !vkr_has_buffer(view) || (vkr_element_size(view) == 4 && vkr_is_packed(view) &&
                                     vkr_view_window(&r->context->caps, view, 0) >= room);
}

VkrResult vkr_plan_keyed(VkrRecorder recorder, const vkr_reduce *r, bool *is_planned)
{
    const vkr_compact *c = &r->runs->compact;
    const vkr_view *unique = &c->sides[VKR_KEPT].values, *keys = &c->input;
    const vkr_caps *caps = &r->context->caps;
    const uint64_t count = r->walk.count;
    if (count == 0 || !is_scan(r) || vkr_is_image(keys) || keys->mapped ||
        vkr_view_reach(caps, &r->input, count) < count ||
        vkr_place_window(caps, &r->results, 0) < r->segments || !is_words(r, unique, r->segments) ||
        !is_words(r, &c->lengths, r->segments))
        return VKR_SUCCESS;
    const VkrScanInfo info = {.op = (VkrOp)r->info->ops,
                              .gpuCount = r->info->gpuCount,
                              .nan = r->info->nan,
                              .segments = r->info->segments};
    vkr_scan s = {.info = &info,
                  .input = r->input,
                  .walk = vkr_new_walk(r->context, r->walk.call),
                  .results = r->results,
                  .heads = true,
                  .keys = *keys,
                  .partial_words = 2,
                  .room = r->segments,
                  .unique = vkr_place_of_view(unique),
                  .lengths = vkr_place_of_view(&c->lengths)};
    s.walk.label = r->walk.label;
    s.walk.count = count;
    s.walk.gpu_count = r->walk.gpu_count;
    s.walk.wide = r->walk.wide;
    s.walk.spread = true;
    VKR_TRY(vkr_plan_scan_geometry(&s));
    s.keyed = vkr_can_find_runs(&s);
    *is_planned = s.keyed;
    if (!s.keyed)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_run_count(recorder, r->runs, &s.total, &s.total_words));
    VKR_TRY(vkr_plan_scan(recorder, &s));
    return vkr_plan_counts(recorder, c);
}
