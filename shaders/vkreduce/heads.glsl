/* SPDX-License-Identifier: MIT */
/*
 * Segments of scans by a user's monoid. The operator works on pairs of a state and whether a
 * segment starts among its items: what stands before a start never counts.
 */
#ifndef VKR_HEADS_GLSL
#define VKR_HEADS_GLSL

shared uint vkr_headed[VKR_WORKGROUP];

/* A reversed scan goes over elements from the last to the first one. */
const bool VKR_DESCENDS =
    (VKR_FLAGS & (VKR_FLAG_REVERSE | VKR_FLAG_STATES)) == VKR_FLAG_REVERSE;

/* The number of an item in memory. */
uint vkr_place_of(const uint k, const uint held)
{
    return VKR_DESCENDS ? held - 1u - k : k;
}

/* The place of the k-th item after the one at a place. */
uint vkr_place_after(const uint place, const uint k)
{
    return VKR_DESCENDS ? place - k : place + k;
}

/* ---- Starts ---- */

/* `n` bits, at most 32, that start with the one of element `first`. */
uint vkr_bits(const uint first, const uint n)
{
    const uint at = 32u * push.source_base + (first - push.first_head);
    uint bits = vkr_source[at / 32u] >> at % 32u;
    if (at % 32u + n > 32u)
        bits |= vkr_source[at / 32u + 1u] << (32u - at % 32u);
    return bits & (~0u >> (32u - n));
}

/* Which of the `n` items of a run, which starts with item `at` of the scan, start segments. In a
 * reversed scan these are the elements before the set bits. */
uint vkr_heads_of_bits(const uint at, const uint n, const uint held)
{
    if (!VKR_REVERSE)
        return vkr_bits(at, n);
    const uint last = held - at; /* none has this number where the run starts with the last one */
    const uint known = at == 0u ? n - 1u : n;
    const uint bits = known == 0u ? 0u : vkr_bits(last - (n - 1u), known);
    return bitfieldReverse(bits) >> (32u - n);
}

/* The same where segments are rows. */
uint vkr_heads_of_rows(const uint at, const uint n, const uint held)
{
    const uint place = vkr_place_of(at, held), rest = place % push.row_length;
    uint k = rest == 0u ? 0u : push.row_length - rest;
    if (VKR_REVERSE)
        k = (place + 1u) % push.row_length;
    uint heads = 0u;
    for (; k < n; k += push.row_length)
        heads |= 1u << k;
    return heads;
}

/* Of a run of at most VKR_MONOID_RUN items, the bits of those before which the scan starts anew. */
uint vkr_heads(const uint at, const uint n, const uint held)
{
    if (!VKR_SEGMENTED || n == 0u)
        return 0u;
    if ((VKR_FLAGS & VKR_FLAG_STATES) == 0u)
        return (VKR_FLAGS & VKR_FLAG_ROWS) != 0u ? vkr_heads_of_rows(at, n, held)
                                                 : vkr_heads_of_bits(at, n, held);
    uint heads = 0u;
    for (uint k = 0u; k < n; k++)
        heads |= vkr_source[push.source_base + (at + k) * VKR_PITCH + VKR_WORDS] << k;
    return heads;
}

/* What a segment starts with. States of items have it already. */
vkr_hook_state vkr_restart()
{
    if ((VKR_FLAGS & VKR_FLAG_STATES) == 0u && (VKR_FLAGS & VKR_FLAG_PREFIX) != 0u)
        return vkr_hook_prefix(push.ends_base);
    return vkr_hook_identity();
}

/* ---- Pairs in shared memory ---- */

void vkr_share(const uint slot, const vkr_hook_state state, const bool headed)
{
    vkr_hook_share(slot, state);
    if (VKR_SEGMENTED)
        vkr_headed[slot] = uint(headed);
}

bool vkr_shared_is_headed(const uint slot)
{
    return VKR_SEGMENTED && vkr_headed[slot] != 0u;
}

/* Combines a pair with the one that follows it, which is shared. */
vkr_hook_state vkr_join_shared(const vkr_hook_state state, const uint slot, inout bool headed)
{
    const vkr_hook_state next = vkr_hook_shared(slot);
    if (vkr_shared_is_headed(slot)) {
        headed = true;
        return next;
    }
    return vkr_join(state, next);
}

#endif
