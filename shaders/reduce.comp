/* SPDX-License-Identifier: MIT */
/*
 * Reduction of one workgroup's share of the input. Every algorithm of vkrCmdReduce is a chain of
 * dispatches of this kernel: constants and push constants say what it reads (elements of the
 * caller's view, or partials of the previous step), the number and distance of an invocation's
 * reads, and where its workgroups store their value. Sources: M. Ramalho, parallel reduce (2014);
 * OPENRNDR, parallel reduction in compute shaders; the last-workgroup counter is that of the CUDA
 * threadFenceReduction sample.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/reduce.h"

#define VKR_INPUTS 2
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/round.glsl"
#include "vkreduce/operator.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#if VKR_LINKED
#include "vkreduce/accumulate.glsl"
#else
#include "vkreduce/subgroup.glsl"
#include "vkreduce/memory.glsl"
#include "vkreduce/workgroup.glsl"
#include "vkreduce/accumulate.glsl"
#include "vkreduce/result.glsl"
#endif

shared uint vkr_is_last;

/* A loop over the elements that are not loaded VKR_AHEAD at a time. With one component there are
 * fewer than VKR_AHEAD: one strand (strands.glsl). */
#if VKR_VECTOR
#define VKR_FOR_REST(s, k, end) VKR_IN_STRANDS(s, k, end, 1u)
#else
#define VKR_FOR_REST(s, k, end) for (; k < (end); k++)
#endif

/* Combines the states with the workgroup's share of the elements. The first workgroup also handles
 * head and tail. */
void vkr_reduce_elements(inout VkrStates s, const uint group, const uint covered)
{
    uvec2 index = uvec2(push.first_low, push.first_high);
#if VKR_OF_IMAGE
    vkr_accumulate_units(s, vkr_walk(group, push.items, covered), index);
#else
    if (VKR_PATH == VKR_PATH_ELEMENT) {
        VkrWalk walk = vkr_walk(group, push.items, covered);
        uint k = 0u;
        vkr_start_strands();
#if !VKR_VECTOR
        for (; VKR_BATCH == VKR_AHEAD && k + VKR_AHEAD <= walk.count; k += VKR_AHEAD) {
            vkr_accumulate_ahead(s, walk.first + k * walk.stride, walk.stride, index);
            vkr_end_strand(s);
        }
#endif
        VKR_FOR_REST(s, k, walk.count) {
            uint i = walk.first + k * walk.stride;
            vkr_accumulate_element(s, i, vkr_add(index, uvec2(i, 0u)));
        }
        if (VKR_VECTOR == 1 || VKR_BATCH == VKR_AHEAD)
            vkr_settle_strands(s);
        return;
    }
    uint head = min(push.head, covered);
    uint units = (covered - head) / VKR_UNIT_ELEMENTS;
    uint body = units * VKR_UNIT_ELEMENTS;
#if VKR_LINKED
    /* In the order of the elements, the first run starts with the head; the tail ends the run that
     * has room for it. */
    const uint run = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    const bool in_order = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
    for (uint k = 0u; in_order && run == 0u && k < head; k++)
        vkr_accumulate_element(s, k, vkr_add(index, uvec2(k, 0u)));
#else
    const bool in_order = false;
#endif
    vkr_accumulate_units(s, vkr_walk(group, push.items, units),
                     vkr_add(index, uvec2(head, 0u)));
#if VKR_LINKED
    for (uint k = head + body; in_order && run == units / push.items && k < covered; k++)
        vkr_accumulate_element(s, k, vkr_add(index, uvec2(k, 0u)));
#endif
    if (!in_order && group == 0u) {
        for (uint k = gl_LocalInvocationIndex; k < covered - body; k += VKR_WORKGROUP) {
            uint i = k < head ? k : k + body;
            vkr_accumulate_element(s, i, vkr_add(index, uvec2(i, 0u)));
        }
    }
#endif
}

#if !VKR_LINKED /* linked.glsl has its own */
/* The number of reads of this invocation: at begin + lane, + VKR_WORKGROUP, .. below `end`, and at
 * most `most`. */
uint vkr_reads(const uint begin, const uint end, const uint most)
{
    uint lane = gl_LocalInvocationIndex;
    if (begin >= end || lane >= end - begin)
        return 0u;
    return min(most, (end - begin - lane - 1u) / VKR_WORKGROUP + 1u);
}

/* Combines the states with partials begin + lane, + VKR_WORKGROUP, .. below end. */
void vkr_reduce_partials(inout VkrStates s, const uint begin, const uint end, const uint most)
{
    uint reads = vkr_reads(begin, end, most);
    uint i = begin + gl_LocalInvocationIndex;
    vkr_start_strands();
    for (uint k = 0u; k < reads; k++) {
        uint at = push.partials_base + i * push.partials_stride;
        VKR_EACH(c)
            vkr_replace_state(s, VKR_AT(c),
                              vkr_combine(vkr_state_of(s, VKR_AT(c)),
                                          vkr_load_partial(at + VKR_AT(c) * VKR_STATE_WORDS)));
        vkr_end_strand(s);
        i += VKR_WORKGROUP;
    }
    vkr_settle_strands(s);
}
#endif

/* Whether all other workgroups have stored their partials: no workgroup waits, and the last one
 * gets true. The leader's stores become available before it counts itself, and it counts before any
 * load. */
bool vkr_finished_last()
{
    if (vkr_is_leader()) {
        memoryBarrierBuffer();
        vkr_is_last = atomicAdd(vkr_counter[push.counter_base], 1u) + 1u == push.groups ? 1u : 0u;
        if (vkr_is_last != 0u) /* the next submission starts from zero */
            vkr_counter[push.counter_base] = 0u;
        memoryBarrierBuffer();
    }
    barrier();
    memoryBarrierBuffer();
    return vkr_is_last != 0u;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;

    uint share = VKR_WORKGROUP * push.items;
    uvec2 total = vkr_total();
    VkrStates s;
    vkr_clear(s);
    if (VKR_INPUT == VKR_INPUT_ELEMENTS)
        vkr_reduce_elements(s, group, vkr_covered(total));
    else
        vkr_reduce_partials(s, group * share, push.count, push.items);
    vkr_group_lead(s);

    /* Written out, since a loop over two passes is 1.5 to 2.6 times slower on CPU drivers. */
    if (VKR_OUTPUT == VKR_OUTPUT_PARTIAL || VKR_OUTPUT == VKR_OUTPUT_LAST) {
        if (vkr_is_leader())
            vkr_store_partial(push.stored_base + group * push.stored_stride, s);
        if (VKR_OUTPUT == VKR_OUTPUT_PARTIAL || !vkr_finished_last())
            return;
        vkr_clear(s);
        /* These are the stored partials, which are bound for reading too. */
        vkr_reduce_partials(s, 0u, push.groups, ~0u);
        vkr_group_lead(s);
    }
    if (!vkr_is_leader())
        return;
    if (total == uvec2(0u)) /* in place, workgroups without elements have stored placeholders */
        vkr_clear(s);
#if VKR_OF_IMAGE
    vkr_write_results(s, total);
#elif VKR_LINKED
    vkr_put_result(push.output_base, s.of[0].linked);
#else
    if (VKR_OUTPUT == VKR_OUTPUT_ELEMENT) {
        VKR_EACH(c)
            vkr_replaced[push.input_base + group * push.stored_stride + VKR_AT(c)] =
                VKR_TO_STORE(vkr_as_element(vkr_state_of(s, VKR_AT(c))));
    } else {
        vkr_write_results(s, total);
    }
#endif
}
