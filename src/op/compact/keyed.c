/* SPDX-License-Identifier: MIT */
/* Runs of equal words in a single pass: a scan that starts anew in each run, and stores what is
 * known of a run where the next one starts. Run lengths alone need no values. */
#include "runs.h"

/* Whether one descriptor reaches what is written about runs, if anything is, and it is words. */
static bool is_words(const vkr_compact *c, const vkr_view *view, uint64_t room)
{
    return !vkr_has_buffer(view) || (vkr_element_size(view) == 4 && vkr_is_packed(view) &&
                                     vkr_view_window(&c->walk.context->caps, view, 0) >= room);
}

/* Sets the place to which the kernel writes the number of runs, a null buffer where no count is
 * asked for. If it is a whole record, vkr_plan_counts makes the counts of it. */
static VkrResult add_count(VkrRecorder recorder, vkr_compact *c, vkr_scan *s)
{
    c->walk.view = &c->input;
    c->writes_counts = c->info->countOutputCount == 0 || vkr_is_plain_count(c);
    if (!c->writes_counts)
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_RECORD_WORDS, 1, &c->record));
    s->total = c->writes_counts ? c->counts : c->record;
    s->total_words = (uint32_t)(s->total.size / 4);
    return VKR_SUCCESS;
}

VkrResult vkr_scan_runs(VkrRecorder recorder, vkr_compact *c, vkr_scan *s, bool *is_planned)
{
    const vkr_view *unique = &c->sides[VKR_KEPT].values, *keys = &c->input;
    const uint64_t room = vkr_min(c->capacity, c->walk.count);
    if (room == 0 || vkr_is_image(keys) || keys->mapped || !is_words(c, unique, room) ||
        !is_words(c, &c->lengths, room))
        return VKR_SUCCESS;
    s->heads = true;
    s->keys = *keys;
    s->partial_words++;
    s->room = room;
    s->unique = vkr_place_of_view(unique);
    s->lengths = vkr_place_of_view(&c->lengths);
    s->walk.count = c->walk.count;
    s->walk.gpu_count = c->walk.gpu_count;
    s->walk.spread = true;
    VKR_TRY(vkr_plan_scan_geometry(s));
    s->keyed = vkr_can_find_runs(s);
    *is_planned = s->keyed;
    if (!s->keyed)
        return VKR_SUCCESS;
    VKR_TRY(add_count(recorder, c, s));
    VKR_TRY(vkr_plan_scan(recorder, s));
    return vkr_plan_counts(recorder, c);
}

/* Whether run lengths are wanted, of words, and besides them at most the unique elements. */
static bool has_only_runs(const vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    const vkr_side *kept = &c->sides[VKR_KEPT], *rejected = &c->sides[VKR_REJECTED];
    return info->predicate.kind == VKR_PREDICATE_UNIQUE && info->predicate.negate == VK_FALSE &&
           !c->continued && info->algorithm == VKR_COMPACT_AUTO && info->workgroupSize == 0 &&
           vkr_element_size(&c->input) == 4 && vkr_has_buffer(&c->lengths) &&
           !vkr_has_buffer(&kept->indices) && !vkr_has_buffer(&rejected->values) &&
           !vkr_has_buffer(&rejected->indices) && info->append.buffer == VK_NULL_HANDLE &&
           info->payloadCount == 0 && info->sink == NULL;
}

VkrResult vkr_plan_run_lengths(VkrRecorder recorder, vkr_compact *c, bool *is_planned)
{
    if (!has_only_runs(c))
        return VKR_SUCCESS;
    const VkrScanInfo info = {.gpuCount = c->info->gpuCount};
    vkr_scan s = {
        .info = &info, .input = c->input, .walk = vkr_new_walk(c->walk.context, c->walk.call)};
    s.input.type_id = VKR_TYPE_U32;
    s.input.type = &vkr_types[VKR_TYPE_U32];
    return vkr_scan_runs(recorder, c, &s, is_planned);
}
