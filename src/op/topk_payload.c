/* SPDX-License-Identifier: MIT */
/* The payloads of a selection, which are checked like those of a compaction. */
#include <inttypes.h>
#include <stdio.h>

#include "compact.h"
#include "topk.h"
#include "vkreduce/sort.h"

/* A compaction of the same elements with the same payloads; `info` must exist as long as it. */
static vkr_compact as_compact(const vkr_topk *t, VkrCompactInfo *info)
{
    *info = (VkrCompactInfo){.payloadCount = t->info->payloadCount, .payloads = t->info->payloads};
    return (vkr_compact){.info = info, .walk = t->walk, .capacity = t->walk.count};
}

VkrResult vkr_check_topk_payloads(const vkr_topk *t)
{
    const VkrTopKInfo *info = t->info;
    const vkr_walk *w = &t->walk;
    const uint64_t entries = t->rows * info->k;
    VkrCompactInfo compaction;
    vkr_compact c = as_compact(t, &compaction);
    VKR_MUST(w, info->payloadCount <= VKR_MAX_SORT_PAYLOADS,
             "payloadCount is %u, but must be at most %u.", info->payloadCount,
             VKR_MAX_SORT_PAYLOADS);
    VKR_TRY(vkr_check_payloads(&c));
    for (uint32_t i = 0; i < info->payloadCount; i++) {
        const vkr_view target = vkr_view_of_target(&info->payloads[i]);
        VKR_MUST(w, !info->payloads[i].rejected,
                 "payloads[%u].rejected is true, but must be false: a selection rejects nothing.",
                 i);
        VKR_MUST(w, target.capacity >= entries,
                 "payloads[%u].target.size is %" PRIu64 ", which is %" PRIu64
                 " entries, but must hold the %" PRIu64 " of k and the number of segments.",
                 i, target.size, target.capacity, entries);
    }
    return VKR_SUCCESS;
}

vkr_view vkr_view_of_topk_payload(const vkr_topk *t, uint32_t i, bool written)
{
    VkrCompactInfo compaction;
    const vkr_compact c = as_compact(t, &compaction);
    const VkrPayload *p = &t->info->payloads[i];
    return written ? vkr_view_of_target(p) : vkr_view_of_source(&c, p);
}

vkr_region vkr_region_of_topk_payload(const vkr_topk *t, uint32_t i, bool written)
{
    const vkr_view view = vkr_view_of_topk_payload(t, i, written);
    char name[32];
    (void)snprintf(name, sizeof(name), "payloads[%u].%s", i, written ? "target" : "source");
    return vkr_region_of_view(name, &view, written ? t->rows * t->info->k : t->walk.count, written);
}
