/* SPDX-License-Identifier: MIT */
/*
 * Four consecutive segments between offsets, which an invocation reduces one after the other. CPU
 * drivers take about as long to load or store a pack of words as a word, so offsets are loaded
 * together, and results, if they are words without gaps, stored together. Of the last segments,
 * fewer than four are listed. Only CPU drivers load texels, so other modules lack this; so do those
 * for elements of other sizes than 32 bits, to stay small.
 */
#ifndef VKR_FOURS_GLSL
#define VKR_FOURS_GLSL

#if VKR_HAS_FOURS
#define VKR_HAS_SEVERAL (VKR_TEAM > 1u || VKR_IN_FOURS)
/* Whether a round leaves the value of a segment; if not four, the last one does. */
#define VKR_LEAVES(is_last) (VKR_IN_FOURS || is_last)

uvec4 vkr_offsets_of_four; /* from the next segment on */
uint vkr_end_of_four;
uvec4 vkr_results_of_four; /* the last ones */

bool vkr_has_four(const uint id)
{
    return (id | 3u) < vkr_ids;
}

void vkr_open_four(const uint id)
{
    vkr_offsets_of_four = uvec4(0u);
    vkr_end_of_four = 0u;
    if (VKR_IN_FOURS && vkr_has_four(id)) {
        uvec4 words = vkr_words_of_pack(vkr_offset_packs[(uniforms.offsets_base + id) / 4u]);
        vkr_offsets_of_four = min(words, uvec4(vkr_covered_elements));
        vkr_end_of_four = vkr_offset(id + 4u);
    }
}

/* Returns segment s, which is the next of the four; it has no elements if there are fewer. */
VkrPart vkr_next_part(const uint s)
{
    if (!VKR_IN_FOURS)
        return vkr_part(s);
    uint first = vkr_offsets_of_four.x;
    vkr_offsets_of_four = vkr_offsets_of_four.yzwx;
    uint end = s % 4u == 3u ? vkr_end_of_four : vkr_offsets_of_four.x;
    uint total = max(end, first) - first;
    return VkrPart(first, total, 0u, total, s, s, s < vkr_ids);
}

/* Stores the results of all four. Those that are listed get one here, too, which a later pass
 * overrides. */
void vkr_close_four(const uint id)
{
    if (VKR_KEEPS_RESULT && vkr_has_four(id))
        vkr_output_packs[(vkr_result_base + id) / 4u] = vkr_pack_of_words(vkr_results_of_four);
}

/* Segments are listed after all others are reduced: CPU drivers execute the body of a branch or a
 * loop even if no invocation enters it, and so do it once, and not for each segment. */
uint vkr_first_listed = ~0u;

/* Stores the value of a segment, or keeps it, unless it is listed. */
void vkr_leave_segment(const VkrPart part, const VkrStates s)
{
    bool is_listed = vkr_is_listed(part);
    if (is_listed)
        vkr_first_listed = min(vkr_first_listed, part.segment);
    if (VKR_KEEPS_RESULT || (part.is_there && !is_listed))
        vkr_store_part(part, s);
    vkr_results_of_four = uvec4(vkr_results_of_four.yzw, vkr_kept_result);
}

/* Lists segments among `items` ids, which start at `id` and are `step_` apart. */
void vkr_list_all(const uint id, const uint items, const uint step_)
{
    const uint n = VKR_AT_ONCE;
    for (uint k = min((vkr_first_listed - id) / step_, items) * n; k < items * n; k++) {
        VkrPart part = vkr_part(id + k / n * step_ + k % n);
        if (vkr_is_listed(part))
            vkr_list(part);
    }
}
#else
#define VKR_HAS_SEVERAL (VKR_TEAM > 1u)
#define VKR_LEAVES(is_last) is_last
#define vkr_open_four(id)
#define vkr_next_part(s) vkr_part(s)
#define vkr_close_four(id)
#define vkr_list_all(id, items, step_)

/* Stores the value of a segment, or lists it. */
void vkr_leave_segment(const VkrPart part, const VkrStates s)
{
    if (vkr_is_listed(part))
        vkr_list(part);
    else if (part.is_there)
        vkr_store_part(part, s);
}
#endif

#endif
