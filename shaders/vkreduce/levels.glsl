/* SPDX-License-Identifier: MIT */
/* Scans of the partials that scan.comp stores, by one workgroup or level by level. */
#ifndef VKR_LEVELS_GLSL
#define VKR_LEVELS_GLSL

/* Partials that an invocation of a level loads before it combines the first: one after the other
 * they take a round trip to memory each. States of an application can be too large for that. */
#if VKR_LINKED
#define VKR_LEVEL_LOADS 1u
#else
#define VKR_LEVEL_LOADS (VKR_VECTOR == 1 ? 4u : 16u)
#endif
#define VKR_EACH_LOADED [[unroll]] for (uint k = 0u; k < VKR_LEVEL_LOADS; k++)

/* Adds up partials of vkr_stored, one after the other, and replaces each by the sum before it. */
void vkr_replace_stored(inout VkrRunning running, const uint at, const VkrScan partial)
{
    vkr_store_stored(at, vkr_scan_of(running));
    vkr_join(running, partial);
}

/* Replaces `count` partials of vkr_stored, starting at `first`, by their exclusive prefixes. */
void vkr_scan_stored(inout VkrScan s, const uint first, const uint count)
{
    const uint end = first + count;
    VkrRunning running = vkr_run_from(s);
    uint i = first;
    for (; VKR_INPUT == VKR_INPUT_PARTIALS && i + VKR_LEVEL_LOADS <= end; i += VKR_LEVEL_LOADS) {
        VkrScan loaded[VKR_LEVEL_LOADS];
        VKR_EACH_LOADED
            loaded[k] = vkr_load_stored(vkr_stored_at(i + k));
        VKR_EACH_LOADED
            vkr_replace_stored(running, vkr_stored_at(i + k), loaded[k]);
    }
    for (; i < end; i++)
        vkr_replace_stored(running, vkr_stored_at(i), vkr_load_stored(vkr_stored_at(i)));
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

/* Combines partials `i` to `end` - 1 in their order. */
VkrScan vkr_total_of_level(uint i, const uint end)
{
    VkrScan s = vkr_scan_identity();
    for (; i + VKR_LEVEL_LOADS <= end; i += VKR_LEVEL_LOADS) {
        VkrScan loaded[VKR_LEVEL_LOADS];
        VKR_EACH_LOADED
            loaded[k] = vkr_load_partial(vkr_partial_at(i + k));
        VKR_EACH_LOADED
            s = vkr_scan_combine(s, loaded[k]);
    }
    for (; i < end; i++)
        s = vkr_scan_combine(s, vkr_load_partial(vkr_partial_at(i)));
    return s;
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
        vkr_store_stored(vkr_stored_at(run), vkr_total_of_level(first, first + own));
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
