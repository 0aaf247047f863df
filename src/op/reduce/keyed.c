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

VkrResult vkr_plan_keyed(VkrRecorder recorder, const vkr_reduce *r, bool *is_planned)
{
    const vkr_caps *caps = &r->context->caps;
    if (!is_scan(r) || vkr_view_reach(caps, &r->input, r->walk.count) < r->walk.count ||
        vkr_place_window(caps, &r->results, 0) < r->segments)
        return VKR_SUCCESS;
    const VkrScanInfo info = {.op = (VkrOp)r->info->ops,
                              .gpuCount = r->info->gpuCount,
                              .nan = r->info->nan,
                              .segments = r->info->segments};
    vkr_scan s = {.info = &info,
                  .input = r->input,
                  .walk = vkr_new_walk(r->context, r->walk.call),
                  .results = r->results,
                  .partial_words = 1};
    s.walk.wide = r->walk.wide;
    return vkr_scan_runs(recorder, &r->runs->compact, &s, is_planned);
}
