/* SPDX-License-Identifier: MIT */
/* The mode SWEEP of monoid.comp: prefixes of the items of a tile. */
#ifndef VKR_MONOID_SWEEP_GLSL
#define VKR_MONOID_SWEEP_GLSL

/* Makes each invocation's state the combination of those of all invocations before it: in groups
 * of eight, one invocation makes the prefixes of the others, in their slots, and leaves the total
 * in the first slot, which has no prefix; then likewise with groups of these. */
vkr_hook_state vkr_scan_team(vkr_hook_state state, inout bool headed)
{
    const uint lane = gl_LocalInvocationIndex;
    vkr_share(lane, state, headed);
    barrier();
    for (uint h = 1u; h < VKR_WORKGROUP; h *= 8u) {
        const uint first = 8u * h * lane;
        if (first < VKR_WORKGROUP) {
            state = vkr_hook_shared(first);
            headed = vkr_shared_is_headed(first);
            for (uint slot = first + h; slot < min(first + 8u * h, VKR_WORKGROUP); slot += h) {
                const vkr_hook_state before = state;
                const bool was_headed = headed;
                state = vkr_join_shared(state, slot, headed);
                vkr_share(slot, before, was_headed);
            }
            vkr_share(first, state, headed);
        }
        barrier();
    }
    state = vkr_hook_identity();
    headed = false;
    uint h = 1u;
    while (8u * h < VKR_WORKGROUP)
        h *= 8u;
    for (; h != 0u; h /= 8u) {
        if (lane / h % 8u != 0u)
            state = vkr_join_shared(state, lane / h * h, headed);
    }
    return state;
}

/* Combines `state` with item k of a run, and returns the prefix that is written for it. */
vkr_hook_state vkr_advance(inout vkr_hook_state state, const vkr_hook_state item, const uint heads,
                           const uint k)
{
    vkr_hook_state before = state, prefix = state;
    if (VKR_SEGMENTED && (heads >> k & 1u) != 0u)
        before = vkr_restart();
    /* What stands before a state is not what stands before a start among its items. */
    if ((VKR_FLAGS & VKR_FLAG_STATES) == 0u)
        prefix = before;
    state = vkr_join(before, item);
    if ((VKR_FLAGS & VKR_FLAG_EXCLUSIVE) == 0u)
        prefix = state;
    return prefix;
}

void vkr_put_prefix(const uint place, const vkr_hook_state prefix)
{
    vkr_put_result(push.target_base + (place - push.first_target) * push.target_stride, prefix);
}

/* ---- Whole runs of small states, which stay in registers ---- */

const bool VKR_SMALL = VKR_WORDS <= 2u;

struct vkr_run {
    vkr_hook_state a, b, c, d, e, f, g, h;
};

vkr_hook_state vkr_load_word(const uint word, const uint i)
{
    return vkr_hook_load(uvec4(word, 0u, 0u, 0u), i);
}

/* The run that starts with item `at` of the scan. */
vkr_run vkr_take_run(const uint at, const uint held)
{
    const uint i = vkr_place_of(at, held);
    if ((VKR_FLAGS & VKR_FLAG_WIDE) != 0u) {
        const uint fours = push.element_base / 4u + (i - push.first_element) / 4u;
        const uvec4 low = vkr_element_fours[fours], high = vkr_element_fours[fours + 1u];
        return vkr_run(vkr_load_word(low.x, i), vkr_load_word(low.y, i + 1u),
                       vkr_load_word(low.z, i + 2u), vkr_load_word(low.w, i + 3u),
                       vkr_load_word(high.x, i + 4u), vkr_load_word(high.y, i + 5u),
                       vkr_load_word(high.z, i + 6u), vkr_load_word(high.w, i + 7u));
    }
    return vkr_run(vkr_item(i), vkr_item(vkr_place_after(i, 1u)), vkr_item(vkr_place_after(i, 2u)),
                   vkr_item(vkr_place_after(i, 3u)), vkr_item(vkr_place_after(i, 4u)),
                   vkr_item(vkr_place_after(i, 5u)), vkr_item(vkr_place_after(i, 6u)),
                   vkr_item(vkr_place_after(i, 7u)));
}

vkr_hook_state vkr_fold_run(const vkr_run r)
{
    return vkr_join(vkr_join(vkr_join(r.a, r.b), vkr_join(r.c, r.d)),
                    vkr_join(vkr_join(r.e, r.f), vkr_join(r.g, r.h)));
}

/* The same where items may start segments. */
vkr_hook_state vkr_fold_headed_run(const vkr_run r, const uint heads)
{
    vkr_hook_state state = vkr_hook_identity();
    vkr_advance(state, r.a, heads, 0u);
    vkr_advance(state, r.b, heads, 1u);
    vkr_advance(state, r.c, heads, 2u);
    vkr_advance(state, r.d, heads, 3u);
    vkr_advance(state, r.e, heads, 4u);
    vkr_advance(state, r.f, heads, 5u);
    vkr_advance(state, r.g, heads, 6u);
    vkr_advance(state, r.h, heads, 7u);
    return state;
}

vkr_hook_state vkr_put_run(vkr_hook_state state, const vkr_run r, const uint heads, const uint at,
                           const uint held)
{
    const uint i = vkr_place_of(at, held);
    vkr_put_prefix(i, vkr_advance(state, r.a, heads, 0u));
    vkr_put_prefix(vkr_place_after(i, 1u), vkr_advance(state, r.b, heads, 1u));
    vkr_put_prefix(vkr_place_after(i, 2u), vkr_advance(state, r.c, heads, 2u));
    vkr_put_prefix(vkr_place_after(i, 3u), vkr_advance(state, r.d, heads, 3u));
    vkr_put_prefix(vkr_place_after(i, 4u), vkr_advance(state, r.e, heads, 4u));
    vkr_put_prefix(vkr_place_after(i, 5u), vkr_advance(state, r.f, heads, 5u));
    vkr_put_prefix(vkr_place_after(i, 6u), vkr_advance(state, r.g, heads, 6u));
    vkr_put_prefix(vkr_place_after(i, 7u), vkr_advance(state, r.h, heads, 7u));
    return state;
}

/* ---- Tiles ---- */

void vkr_sweep()
{
    const uint tile = vkr_group();
    const uint held = vkr_held();
    const uint at = ((push.first_tile + tile) * VKR_WORKGROUP + gl_LocalInvocationIndex) *
                    push.items;
    const uint here = tile < push.tiles && at < held ? min(held - at, push.items) : 0u;
    const uint heads = vkr_heads(at, here, held);
    const bool whole = VKR_SMALL && here == VKR_MONOID_RUN;
    bool headed = heads != 0u;
    vkr_run run;
    vkr_hook_state state;
    if (whole) {
        run = vkr_take_run(at, held);
        if (VKR_SEGMENTED)
            state = vkr_fold_headed_run(run, heads);
        else
            state = vkr_fold_run(run);
    } else {
        state = vkr_hook_identity();
        for (uint k = 0u; k < here; k++)
            vkr_advance(state, vkr_item(vkr_place_of(at + k, held)), heads, k);
    }
    state = vkr_scan_team(state, headed);
    if ((VKR_FLAGS & VKR_FLAG_PREFIX) != 0u && tile < push.tiles && !headed)
        state = vkr_join(
            vkr_hook_prefix(push.ends_base + (push.first_tile + tile) * push.ends_stride), state);
    if (whole) {
        state = vkr_put_run(state, run, heads, at, held);
    } else {
        for (uint k = 0u; k < here; k++) {
            const uint place = vkr_place_of(at + k, held);
            vkr_put_prefix(place, vkr_advance(state, vkr_item(place), heads, k));
        }
    }
    const bool is_last = held == 0u ? at == 0u : here != 0u && at + here == held;
    if ((VKR_FLAGS & VKR_FLAG_TOTAL) != 0u && is_last)
        vkr_hook_total(push.total_base, state);
}

#endif
