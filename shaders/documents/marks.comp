/* SPDX-License-Identifier: MIT */
/*
 * The first pass of stream reduction: 1 for each element that is rejected, else 0. Elements past
 * the GPU's count, if that is less than the host's, are rejected.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/compact.h"

const uint VKR_VALUES = VKR_COMPONENTS; /* of an element */
#define VKR_INPUTS 1
#define VKR_VECTOR 0
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/tested.glsl"

void vkr_mark(const uint u)
{
    uint kept = 0u;
    if (vkr_are_full(u, 1u))
        kept = vkr_bits_of(vkr_test_loaded(vkr_load_unit(u), u, vkr_before(u)));
    else
        kept = vkr_test_elements(u, vkr_present(u));
    for (uint k = 0u; k < VKR_STEP; k++) {
        uint i = vkr_begin_of(u) + k; /* before element 0 it wraps */
        if (i < push.count)
            vkr_kept_indices[(push.kept_bases >> 16) + i] = ~kept >> k & 1u;
    }
}

/* Stores the number of elements in the record; the last pass adds that of the kept ones. */
void vkr_store_whole()
{
    uint at = push.scratch_base;
    vkr_scratch[at + VKR_RECORD_COUNT] = vkr_whole.x;
    vkr_scratch[at + VKR_RECORD_COUNT + 1u] = vkr_whole.y;
    if ((VKR_FLAGS & VKR_FLAG_GATHERED) == 0u) {
        vkr_scratch[at + VKR_RECORD_APPEND] = 0u;
        vkr_scratch[at + VKR_RECORD_APPEND + 1u] = 0u;
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= vkr_groups())
        return;
    vkr_whole = vkr_total();
    vkr_covered_count = vkr_covered(vkr_whole);
    vkr_set_ranges();
    if (group == 0u && gl_LocalInvocationIndex == 0u)
        vkr_store_whole();
    uint first = group * VKR_WORKGROUP * push.items + gl_LocalInvocationIndex;
    uint units = vkr_units();
    for (uint k = 0u; k < push.items && first + k * VKR_WORKGROUP < units; k++)
        vkr_mark(first + k * VKR_WORKGROUP);
}
