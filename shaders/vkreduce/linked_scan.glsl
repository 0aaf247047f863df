/* SPDX-License-Identifier: MIT */
/*
 * Scans of states of an application's type. A workgroup scans a run of elements, of which each
 * invocation goes twice over consecutive ones: it combines them, and then it writes their prefixes.
 * The kernel leaves two storage buffers of eight to the application. So partials that are read take
 * the place of elements or, for the pass that writes results, that of the initial value, which is
 * what the first partial holds; and that pass writes the total.
 */
#ifndef VKR_LINKED_SCAN_GLSL
#define VKR_LINKED_SCAN_GLSL

#include "linked_words.glsl"

/* Adds element i, and with `apply` writes its prefix. */
void vkr_take_item(inout VkrScan s, const uvec4 words, const uint i, const bool apply)
{
    const VkrElement e = vkr_element(words, uvec2(push.first_low + i, 0u));
    vkr_hook_state prefix = s.state[0];
    s.state[0] = vkr_term_combine(s.state[0], vkr_hook_load(e.words, e.index.x));
    if (!VKR_EXCLUSIVE)
        prefix = s.state[0];
    if (apply)
        vkr_put_result(push.output_base + i * push.output_stride, prefix);
}

/* Scans memory unit u, whose elements are single words, as scan.comp does by operators. */
void vkr_scan_unit(inout VkrScan s, const uint starts, const VkrUnit unit, const uint u,
                   const bool apply)
{
    for (uint k = 0u; k < VKR_STEP; k++) {
        const uint e = VKR_REVERSE ? VKR_STEP - 1u - k : k;
        vkr_open(s, (starts >> e & 1u) != 0u, 0u, false);
        vkr_take_item(s, uvec4(unit.packs[0][e], 0u, 0u, 0u), vkr_begin_of(u) + e, apply);
    }
}

/* ---- Partials: a state, and whether a segment starts ---- */

const uint VKR_PARTIAL_WORDS = VKR_LINKED_WORDS + (VKR_SEGMENTED ? 1u : 0u);

#define VKR_STATES_IN(array, fetch, load)                                                          \
    uint fetch##_word(const uint at, const uint k)                                                 \
    {                                                                                              \
        return array[at + k];                                                                      \
    }                                                                                              \
                                                                                                   \
    vkr_hook_state fetch(const uint at)                                                            \
    {                                                                                              \
        return vkr_hook_state(fetch##_word(at, 0u));                                               \
    }                                                                                              \
                                                                                                   \
    VkrScan load(const uint at)                                                                    \
    {                                                                                              \
        VkrScan s;                                                                                 \
        s.state[0] = fetch(at);                                                                    \
        s.head = VKR_SEGMENTED ? array[at + VKR_LINKED_WORDS] : 0u;                                \
        return s;                                                                                  \
    }

VKR_STATES_IN(vkr_initial_words, vkr_hook_before, vkr_load_before)

/* The initial value, with which every prefix starts. */
VkrScan vkr_initial()
{
    VkrScan s = vkr_scan_identity();
    if (VKR_INITIAL)
        s.state[0] = vkr_hook_before(push.initial_base);
    return s;
}

#if VKR_TILES
/* The prefix of a run; a single one starts with the initial value. */
VkrScan vkr_prefix_of_run(const uint run)
{
    if (VKR_MODE == VKR_MODE_ONE)
        return vkr_initial();
    return vkr_load_before(push.initial_base + run * VKR_PARTIAL_WORDS);
}

void vkr_hook_total_word(const uint at, const uint word, const uint k)
{
    vkr_total_words[at + k] = word;
}

void vkr_hook_total(const uint at, const vkr_hook_state state)
{
    vkr_hook_total_word(at, state.word, 0u);
}

void vkr_write_total(const VkrScan s)
{
    if (push.total_base != ~0u)
        vkr_hook_total(push.total_base, s.state[0]);
}
#else
VKR_STATES_IN(vkr_input, vkr_hook_partial, vkr_load_partial)
VKR_STATES_IN(vkr_stored, vkr_hook_stored, vkr_load_stored)

void vkr_store_stored(const uint at, const VkrScan s)
{
    vkr_hook_store(at, s.state[0]);
    if (VKR_SEGMENTED)
        vkr_stored[at + VKR_LINKED_WORDS] = s.head;
    /* This is never so, but keeps the function, which the linker must find in every kernel. */
    if (VKR_LINKED_RESULT > VKR_LINKED_MASK)
        vkr_stored[at] = vkr_hook_finish(s.state[0]).x;
}

uint vkr_partial_at(const uint i)
{
    return push.partials_base + i * VKR_PARTIAL_WORDS;
}

uint vkr_stored_at(const uint i)
{
    return push.stored_base + i * VKR_PARTIAL_WORDS;
}

#define vkr_write_total(s)
#endif

/* ---- Workgroups ---- */

#define vkr_group_rank() gl_LocalInvocationIndex

#if !VKR_TILES
#include "ticket.glsl"
#endif

shared uint vkr_shared_heads[VKR_WORKGROUP];

void vkr_scan_put(const uint slot, const VkrScan s)
{
    vkr_hook_share(slot, s.state[0]);
    if (VKR_SEGMENTED)
        vkr_shared_heads[slot] = s.head;
}

VkrScan vkr_scan_get(const uint slot)
{
    VkrScan s;
    s.state[0] = vkr_hook_shared(slot);
    s.head = VKR_SEGMENTED ? vkr_shared_heads[slot] : 0u;
    return s;
}

/* Returns what the invocations before this one combine to. In groups of eight, one invocation makes
 * the prefixes of the others, in their slots, and leaves the total in the first slot, which has no
 * prefix; then likewise with groups of these. Barriers cost more than combinations do. */
VkrScan vkr_group_exclusive(VkrScan s, out VkrScan total)
{
    const uint lane = gl_LocalInvocationIndex;
    vkr_scan_put(lane, s);
    barrier();
    uint top = 1u;
    for (uint h = 1u; h < VKR_WORKGROUP; h *= 8u) {
        const uint first = 8u * h * lane;
        if (first < VKR_WORKGROUP) {
            s = vkr_scan_get(first);
            for (uint slot = first + h; slot < min(first + 8u * h, VKR_WORKGROUP); slot += h) {
                const VkrScan before = s;
                s = vkr_scan_combine(s, vkr_scan_get(slot));
                vkr_scan_put(slot, before);
            }
            vkr_scan_put(first, s);
        }
        barrier();
        top = h;
    }
    total = vkr_scan_get(0u);
    s = vkr_scan_identity();
    for (uint h = top; h != 0u; h /= 8u) {
        if (lane / h % 8u != 0u)
            s = vkr_scan_combine(s, vkr_scan_get(lane / h * h));
    }
    return s;
}

#endif
