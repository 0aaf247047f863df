/* SPDX-License-Identifier: MIT */
/* Scans of the partials that scan.comp stores, by one workgroup or level by level. */
#ifndef VKR_LEVELS_GLSL
#define VKR_LEVELS_GLSL

/* Replaces `count` partials of vkr_stored, starting at `first`, by their exclusive prefixes. */
void vkr_scan_stored(inout VkrScan s, const uint first, const uint count)
{
    VkrRunning running = vkr_run_from(s);
    for (uint i = first; i < first + count; i++) {
        VkrScan partial = vkr_load_stored(vkr_stored_at(i));
        vkr_store_stored(vkr_stored_at(i), vkr_scan_of(running));
        vkr_join(running, partial);
    }
    s = vkr_scan_of(running);
}

/* Replaces all partials in the same way, by one workgroup. */
void vkr_scan_all(const uint count)
{
    uint items = (count + VKR_WORKGROUP - 1u) / VKR_WORKGROUP;
    uint first = min(vkr_group_rank() * items, count);
    uint own = min(items, count - first);
    VkrRunning running = vkr_run_from(vkr_scan_identity());
    VkrScan sum;
    for (uint i = first; i < first + own; i++)
        vkr_join(running, vkr_load_stored(vkr_stored_at(i)));
    VkrScan s = vkr_group_exclusive(vkr_scan_of(running), sum);
    s = vkr_scan_combine(vkr_initial(), s);
    vkr_scan_stored(s, first, own);
    if (vkr_is_leader())
        vkr_write_total(vkr_scan_combine(vkr_initial(), sum));
}

/* Scans a level of partials, of which each invocation has a run. */
void vkr_scan_level(const uint group)
{
    uint run = group * VKR_WORKGROUP + vkr_group_rank();
    if (run > (push.count - 1u) / push.items)
        return;
    uint first = run * push.items;
    uint own = min(push.items, push.count - first);
    bool is_top = (VKR_FLAGS & VKR_FLAG_TOP) != 0u;
    VkrScan s = vkr_scan_identity();
    if (VKR_MODE == VKR_MODE_TOTALS) {
        for (uint i = first; i < first + own; i++)
            s = vkr_scan_combine(s, vkr_load_partial(vkr_partial_at(i)));
        vkr_store_stored(vkr_stored_at(run), s);
        return;
    }
    if (is_top)
        s = vkr_initial();
    else
        s = vkr_load_partial(vkr_partial_at(run));
    vkr_scan_stored(s, first, own);
    if ((VKR_FLAGS & VKR_FLAG_END) != 0u)
        vkr_write_total(s);
}

#endif
