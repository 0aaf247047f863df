/* SPDX-License-Identifier: MIT */
/* Runs of equal keys, whose starts a tile finds itself, and the results of which there is one for
 * each run. Keys are words, and lie in packs like the elements. */
#ifndef VKR_KEYED_GLSL
#define VKR_KEYED_GLSL

/* Bit e: a segment starts, in the order of the scan, with element e of unit u, which is full. */
uint vkr_starts_in_unit(const uint u)
{
    const uint begin = vkr_begin_of(u);
    const uint at = push.heads_base + begin;
    const uint end = push.heads_base + vkr_covered_count;
    const uvec4 keys = vkr_words_of_pack(vkr_packs_of_keys[at / VKR_STEP]);
    const uint beside = vkr_keys[VKR_REVERSE ? min(at + VKR_STEP, end - 1u) : max(at, 1u) - 1u];
    const uvec4 others = VKR_REVERSE ? uvec4(keys.yzw, beside) : uvec4(beside, keys.xyz);
    const uvec4 bits = uvec4(notEqual(keys, others)) << uvec4(0u, 1u, 2u, 3u);
    uint starts = bits.x | bits.y | bits.z | bits.w;
    if (vkr_origin - begin < VKR_STEP)
        starts |= 1u << vkr_origin - begin;
    return starts;
}

/* Stores what is known of the run that ends before element i, if there is one. */
void vkr_end_run(const VkrScan s, const uint i)
{
    const uint run = s.head - 1u;
    if (run < push.row_length) {
        vkr_put_output(run, 0u, vkr_result_of_term(s.state[0], false));
        if (VKR_PLACES)
            vkr_lengths[push.partials_base + run] = i - s.place;
    }
}

/* The same, where the next run starts with element i. */
void vkr_change_run(const VkrScan s, const uint i)
{
    vkr_end_run(s, i);
    if (s.head < push.row_length && push.initial_base != ~0u)
        vkr_unique[push.initial_base + s.head] = vkr_keys[push.heads_base + i];
}

/* Stores the last run of all, and the number of runs. */
void vkr_end_runs(const VkrScan s)
{
    vkr_end_run(s, vkr_covered_count);
    if (push.total_base != ~0u) {
        const bool has_record = (VKR_FLAGS & VKR_FLAG_RECORD) != 0u;
        vkr_total_words[push.total_base] = s.head;
        for (uint k = 1u; has_record && k < VKR_RECORD_APPEND + 2u; k++)
            vkr_total_words[push.total_base + k] = k == VKR_RECORD_COUNT ? vkr_covered_count : 0u;
    }
}

#endif
