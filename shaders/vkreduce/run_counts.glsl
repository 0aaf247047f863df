/* SPDX-License-Identifier: MIT */
/* The numbers of kept elements of a compaction's runs, which become prefixes, and the record before
 * them. */
#ifndef VKR_RUN_COUNTS_GLSL
#define VKR_RUN_COUNTS_GLSL

uint vkr_partial_at(const uint run)
{
    return push.scratch_base + VKR_RECORD_WORDS + 2u * run;
}

uvec2 vkr_load_partial(const uint run)
{
    uint at = vkr_partial_at(run);
    return uvec2(vkr_scratch[at], vkr_scratch[at + 1u]);
}

void vkr_store_partial(const uint run, const uvec2 value)
{
    uint at = vkr_partial_at(run);
    vkr_scratch[at] = value.x;
    vkr_scratch[at + 1u] = value.y;
}

/* Turns counts into prefixes, in strips whose sum fits in a word, and stores the total after the
 * last one. One workgroup does this. */
void vkr_scan_partials(const uint partials)
{
    uint run = push.items * VKR_STEP * (VKR_CONTIGUOUS ? 1u : VKR_WORKGROUP);
    uint each = min((partials + VKR_WORKGROUP - 1u) / VKR_WORKGROUP,
                    max(0xffffffffu / run / VKR_WORKGROUP, 1u));
    uvec2 carry = uvec2(0u);
    for (uint strip = 0u; strip < partials; strip += each * VKR_WORKGROUP) {
        uint first = min(strip + vkr_group_rank() * each, partials);
        uint end = min(first + each, partials);
        uint before = 0u;
        uint total;
        for (uint i = first; i < end; i++)
            before += vkr_scratch[vkr_partial_at(i)];
        before = vkr_group_exclusive(before, total);
        uvec2 prefix = vkr_add(carry, uvec2(before, 0u));
        for (uint i = first; i < end; i++) {
            uint count = vkr_scratch[vkr_partial_at(i)];
            vkr_store_partial(i, prefix);
            prefix = vkr_add(prefix, uvec2(count, 0u));
        }
        carry = vkr_add(carry, uvec2(total, 0u));
    }
    if (vkr_is_leader()) {
        vkr_store_partial(partials, carry);
        vkr_store_record(carry);
    }
}

/* Copies to the record the values that lie in GPU memory. */
void vkr_gather()
{
    uvec2 append = uvec2(0u);
    if ((VKR_FLAGS & VKR_FLAG_APPEND) != 0u)
        append.x = vkr_count[push.count_base];
    if ((VKR_FLAGS & VKR_FLAG_APPEND) != 0u && (VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u)
        append.y = vkr_count[push.count_base + 1u];
    vkr_scratch[push.scratch_base + VKR_RECORD_APPEND] = append.x;
    vkr_scratch[push.scratch_base + VKR_RECORD_APPEND + 1u] = append.y;
    for (uint i = 0u; i < push.count; i++) {
        uvec2 words = vkr_words_of_bits(VKR_LOADED(vkr_tested[push.input_base + i]));
        vkr_scratch[push.scratch_base + VKR_RECORD_A + 2u * i] = words.x;
        vkr_scratch[push.scratch_base + VKR_RECORD_A + 2u * i + 1u] = words.y;
    }
}

#endif
