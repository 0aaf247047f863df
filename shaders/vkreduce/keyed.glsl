/* SPDX-License-Identifier: MIT */
/* Runs of equal keys, whose starts a tile finds itself, and the results of which there is one for
 * each run. Keys are words, and lie in packs like the elements. */
#ifndef VKR_KEYED_GLSL
#define VKR_KEYED_GLSL

#define vkr_seek_unit(u) 0u

/* Bit e: a segment starts, in the order of the scan, with element e of unit u, which is full. */
uint vkr_starts_in_unit(const uint u)
{
    const uint begin = vkr_begin_of(u);
    const uint at = push.heads_base + begin;
    const uint end = push.heads_base + vkr_covered_count;
    const uvec4 pack = vkr_words_of_pack(vkr_packs_of_keys[at / VKR_STEP]);
    const uvec4 keys = uvec4(vkr_compared(pack.x), vkr_compared(pack.y), vkr_compared(pack.z),
                             vkr_compared(pack.w));
    const uint beside =
        vkr_compared(vkr_keys[VKR_REVERSE ? min(at + VKR_STEP, end - 1u) : max(at, 1u) - 1u]);
    const uvec4 others = VKR_REVERSE ? uvec4(keys.yzw, beside) : uvec4(beside, keys.xyz);
    const uvec4 bits = uvec4(notEqual(keys, others)) << uvec4(0u, 1u, 2u, 3u);
    uint starts = bits.x | bits.y | bits.z | bits.w;
    if (vkr_origin - begin < VKR_STEP)
        starts |= 1u << vkr_origin - begin;
    return starts;
}

/* Runs that start in a tile are staged, a few at a time, and then stored side by side: the value of
 * the run before, if runs have values, and the index of the first element. */
const uint VKR_STAGED_RUNS = VKR_STAGED * VKR_WORKGROUP;
shared uint vkr_staged_values[VKR_VALUED ? VKR_STAGED_RUNS : 1u];
shared uint vkr_staged_places[VKR_STAGED_RUNS];
uint vkr_first_run;    /* the number of the first staged run */
uint vkr_place_before; /* the index of the first element of the run before it */

/* Stages a run, if it is one of those, that starts with element i; s is what precedes it. */
void vkr_stage_run(const VkrScan s, const uint i)
{
    const uint at = s.head - vkr_first_run;
    if (at < VKR_STAGED_RUNS) {
        VKR_EACH(c)
            vkr_staged_values[at] = s.state[VKR_AT(c)];
        vkr_staged_places[at] = i;
    }
}

/* Stores what is known of a run with this value, which starts with element `place` and ends before
 * element `end`. */
void vkr_end_run(const uint run, const VkrTerm value, const uint place, const uint end)
{
    if (run < push.row_length) {
        VKR_EACH(c)
            vkr_put_output(run, VKR_AT(c), vkr_result_of_term(value, false));
        if (VKR_PLACES)
            vkr_lengths[push.partials_base + run] = end - place;
    }
}

/* Stores what `count` staged runs tell. The whole workgroup must call it. */
void vkr_store_staged(const uint count)
{
    barrier();
    for (uint r = vkr_group_rank(); r < count; r += VKR_WORKGROUP) {
        const uint run = vkr_first_run + r;
        const uint place = vkr_staged_places[r];
        const uint before = r > 0u ? vkr_staged_places[r - 1u] : vkr_place_before;
        vkr_end_run(run - 1u, vkr_staged_values[VKR_VALUED ? r : 0u], before, place);
        if (run < push.row_length && push.initial_base != ~0u)
            vkr_unique[push.initial_base + run] = vkr_keys[push.heads_base + place];
    }
    vkr_first_run += count;
    vkr_place_before = vkr_staged_places[count - 1u];
    barrier();
}

/* Stores the last run of all, and the number of runs. */
void vkr_end_runs(const VkrScan s)
{
    vkr_end_run(s.head - 1u, s.state[0], s.place, vkr_covered_count);
    for (uint k = 0u; push.total_base != ~0u && k < push.stored_base; k++)
        vkr_total_words[push.total_base + k] = k == VKR_RECORD_KEPT    ? s.head
                                               : k == VKR_RECORD_COUNT ? vkr_covered_count
                                                                       : 0u;
}

#endif
