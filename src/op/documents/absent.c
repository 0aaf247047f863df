/* SPDX-License-Identifier: MIT */
/* Replaces stream reduction in a library without the documents' algorithms. */
#include "../compact/compact.h"
#include "../sort/plan.h"

VkrResult vkr_check_stream(const vkr_compact *c)
{
    VKR_NEED(&c->walk, !vkr_is_stream(c->info),
             "algorithm is %s, but this build of the library has no stream reduction (its option "
             "documents is false).",
             vkrCompactAlgorithmName(c->info->algorithm));
    return VKR_SUCCESS;
}

VkrResult vkr_check_stream_reach(const vkr_compact *c, const vkr_all_stored *all)
{
    (void)all;
    return vkr_check_stream(c);
}

VkrResult vkr_plan_stream(VkrRecorder recorder, const vkr_compact *c, const vkr_all_stored *all)
{
    (void)recorder;
    return vkr_check_stream_reach(c, all);
}

VkrResult vkr_plan_sort_bitonic(VkrRecorder recorder, const vkr_sort_plan *p)
{
    (void)recorder;
    VKR_NEED(&p->walk, false,
             "algorithm is bitonic, but this build of the library has no bitonic sorts (its option "
             "documents is false).");
    return VKR_SUCCESS;
}
