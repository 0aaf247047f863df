/* SPDX-License-Identifier: MIT */
/* How a checked reduction is cut into workgroups, windows and passes: pure arithmetic. */
#include "reduce.h"

#include <inttypes.h>

#define MAX_UNROLLED 128u /* elements times operators; see choose_batch */

uint32_t vkr_count_state_words(const vkr_reduce *r)
{
    const vkr_type_info *type = r->input.type;
    const uint32_t key = type->size == 8 ? 2 : 1;
    const uint32_t index = r->wide_index ? 2 : 1;
    const uint32_t words_of[VKR_STATE_KIND_COUNT] = {
        [VKR_STATE_KEY] = key,
        [VKR_STATE_ARG] = key + index,
        [VKR_STATE_SUM] = vkr_types[r->accumulator].size / 4,
        [VKR_STATE_COUNT] = type->is_float ? index : 0,
        [VKR_STATE_EXACT] = !type->is_float && type->size < 8 ? 2 : 0,
    };
    VkrOpFlags ops = r->info->ops;
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((ops >> i & 1) != 0 && words_of[VKR_STATE_EXACT] == 0)
            ops |= vkr_ops[i].shares;
    uint32_t words = 0;
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        words += (ops >> i & 1) != 0 ? words_of[vkr_ops[i].state] : 0;
    return words != 0 ? words : 1; /* count alone keeps none, but its partials have places */
}

static bool fits_shared_memory(const vkr_reduce *r)
{
    uint64_t words = r->walk.rung == VKR_RUNG_SHARED
                         ? (uint64_t)r->walk.workgroup_size * r->state_words
                         : (uint64_t)vkr_walk_subgroups(&r->walk) * vkr_partial_words(r);
    return 4 * (words + 2) <= r->context->caps.max_shared_memory;
}

/* One element, or pair, per invocation. */
static bool is_tree(const vkr_reduce *r)
{
    return r->algorithm == VKR_REDUCE_TREE || r->algorithm == VKR_REDUCE_RECURSIVE;
}

static VkrResult check_workgroup(const vkr_reduce *r)
{
    const uint32_t asked = r->info->workgroupSize;
    const uint32_t most = r->context->caps.max_workgroup_size;
    const bool power = (asked & (asked - 1)) == 0;
    if (!power || asked > most)
        return vkr_fail(r->context, power ? VKR_ERROR_UNSUPPORTED : VKR_ERROR_INVALID_ARGUMENT,
                        "%s: workgroupSize is %u, but must be 0 or a power of two, on this device "
                        "up to %u.",
                        r->walk.call, asked, most);
    if (r->canonical && asked != 0 && asked != VKR_TREE_WIDTH)
        return vkr_reject(
            &r->walk,
            "workgroupSize is %u, but must be 0 or %u where determinism is VKR_DETERMINISM_DEVICE.",
            asked, VKR_TREE_WIDTH);
    if (r->canonical && most < VKR_TREE_WIDTH)
        return vkr_refuse(&r->walk,
                          "determinism is VKR_DETERMINISM_DEVICE, which needs workgroups of %u, "
                          "but this device has workgroups of up to %u.",
                          VKR_TREE_WIDTH, most);
    return VKR_SUCCESS;
}

static VkrResult choose_workgroup(vkr_reduce *r)
{
    vkr_walk *w = &r->walk;
    const vkr_caps *caps = &r->context->caps;
    const uint32_t asked = r->info->workgroupSize;
    uint32_t size = is_tree(r) ? w->tuning->treeWorkgroupSize : w->tuning->workgroupSize;
    VKR_TRY(check_workgroup(r));
    if (size == 0 && !is_tree(r))
        size = vkr_one_subgroup(caps);
    if (r->canonical)
        size = VKR_TREE_WIDTH;
    w->workgroup_size = (uint32_t)vkr_min(asked != 0 ? asked : size, caps->max_workgroup_size);
    while (asked == 0 && !r->canonical && w->workgroup_size > 1 && !fits_shared_memory(r))
        w->workgroup_size /= 2;
    if (fits_shared_memory(r))
        return VKR_SUCCESS;
    return vkr_refuse(&r->walk,
                      "workgroupSize is %u, but must be less for ops 0x%x to fit the device's %u "
                      "bytes of shared memory.",
                      w->workgroup_size, r->info->ops, caps->max_shared_memory);
}

/* Whether a kernel can load the inputs so: both alike, and only one as texels. */
static bool can_load(const vkr_reduce *r, uint32_t loads)
{
    const uint32_t size = vkr_load_size(loads);
    if (!vkr_has_loads(r, loads) || !vkr_view_loads(&r->input, loads))
        return false;
    if (loads == VKR_LOADS_U64 && (r->context->caps.features & VKR_FEATURE_INT64) == 0)
        return false;
    return !vkr_has_dot(r) || (loads != VKR_LOADS_TEXEL && vkr_is_packed(&r->input2) &&
                               r->input.offset % size == r->input2.offset % size);
}

/* Drivers unroll loops up to some length; beyond, what a batch has loaded would go through memory.
 * So often an element goes through an operator. */
static uint32_t choose_batch(const vkr_reduce *r, uint32_t flight)
{
    const uint32_t components = r->input.components;
    const uint32_t units = flight * VKR_PACK / (vkr_load_size(r->walk.loads) * components);
    const uint32_t most = MAX_UNROLLED / (vkr_walk_unit(&r->walk) * components * vkr_count_ops(r));
    return (uint32_t)vkr_max(vkr_min(units, most), 1);
}

/* The canonical tree, and what reads one element per invocation, keep their own order. */
static void choose_loads(vkr_reduce *r)
{
    static const uint32_t loads_of[VKR_LOAD_PATH_COUNT] = {[VKR_LOAD_VEC4] = VKR_LOADS_VEC4,
                                                           [VKR_LOAD_U64] = VKR_LOADS_U64,
                                                           [VKR_LOAD_TEXEL] = VKR_LOADS_TEXEL};
    vkr_walk *w = &r->walk;
    w->batch = 1;
    if (r->canonical || is_tree(r) || w->count == 0) /* nothing would be bound */
        return;
    w->order = (uint32_t)w->tuning->order;
    w->loads = loads_of[w->tuning->path];
    if (w->loads != 0 && !can_load(r, w->loads))
        w->loads = can_load(r, VKR_LOADS_VEC4) ? VKR_LOADS_VEC4 : 0;
    if (w->loads != 0)
        w->batch = choose_batch(r, w->tuning->flight);
}

VkrResult vkr_choose_reduce_kernel(vkr_reduce *r)
{
    VKR_TRY(choose_workgroup(r));
    choose_loads(r);
    return VKR_SUCCESS;
}

/* Of several components, a loop over them runs inside. */
uint32_t vkr_trips_per_element(const vkr_reduce *r)
{
    return r->input.components > 1 ? 1 + r->input.components : 1;
}

/* Elements that an invocation reads at most: whole units, each with loops over batches, loads and
 * elements. */
static uint32_t max_items(const vkr_reduce *r)
{
    const uint32_t unit = vkr_walk_unit(&r->walk);
    const uint32_t trips = vkr_trips_per_element(r);
    return VKR_ELEMENT_TRIPS / (r->walk.loads != 0 ? 2 + trips + unit * trips : trips) * unit;
}

/* Enough for every invocation that the partials are few, but no idle device; in whole units, and
 * with the last workgroup as busy as the others. */
static uint64_t tuned_items(const vkr_reduce *r)
{
    const vkr_walk *w = &r->walk;
    const uint64_t element = vkr_element_size(&r->input);
    const uint64_t min = vkr_clamp(w->tuning->minBytes / element, 1, max_items(r));
    const uint64_t max = vkr_clamp(w->tuning->maxBytes / element, 1, max_items(r));
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    uint64_t items = vkr_clamp(vkr_divide_up(w->count, full), min, max);
    uint64_t groups = vkr_divide_up(w->count, items * w->workgroup_size);
    if (w->count <= w->tuning->oneGroupBytes / element &&
        w->count <= (uint64_t)w->workgroup_size * max_items(r))
        groups = 1;
    if (groups != 0)
        items = vkr_divide_up(w->count, groups * w->workgroup_size);
    return vkr_divide_up(vkr_max(items, 1), vkr_walk_unit(w)) * vkr_walk_unit(w);
}

/* A workgroup's share must fit a descriptor, wherever it starts and whatever the stride; that of
 * the canonical tree and of pieces alone cannot give way. */
static void choose_items(vkr_reduce *r)
{
    vkr_walk *w = &r->walk;
    const vkr_caps *caps = &r->context->caps;
    const uint32_t unit = vkr_walk_unit(w);
    if (r->canonical || r->pieces) {
        w->items = VKR_TREE_BLOCK / w->workgroup_size;
        w->loads = w->items % unit == 0 ? w->loads : 0;
        return;
    }
    const uint64_t stride =
        vkr_has_dot(r) ? vkr_max(r->input.stride, r->input2.stride) : r->input.stride;
    const uint64_t fits =
        (caps->max_range - caps->granule - vkr_element_size(&r->input)) / stride + 1;
    uint64_t items = is_tree(r) ? 1 : tuned_items(r);
    while (r->info->workgroupSize == 0 && w->workgroup_size > fits && w->workgroup_size > 1)
        w->workgroup_size /= 2;
    if (fits >= w->workgroup_size)
        items = vkr_min(items, fits / w->workgroup_size);
    w->items = (uint32_t)(items < unit ? items : items / unit * unit);
    if (items < unit)
        w->loads = 0;
}

/* Workgroups that a dispatch can have, and whose partials fit a descriptor. */
static uint64_t most_groups(const vkr_reduce *r)
{
    const vkr_caps *caps = &r->context->caps;
    const uint64_t groups = vkr_min(vkr_all_groups(caps), VKR_MAX_REACH);
    const uint64_t stored = (caps->max_range - caps->granule) / vkr_partial_bytes(r);
    return r->consume ? groups : vkr_min(groups, stored);
}

void vkr_set_source(const vkr_reduce *r, vkr_reduce_pass *p, const vkr_place *source,
                    uint64_t count, uint32_t items)
{
    p->source = *source;
    p->walk = r->walk;
    p->walk.count = count;
    p->walk.items = items;
    p->walk.heads = true;
    p->walk.most_groups = most_groups(r);
    p->walk.reached[0] = *source;
    p->walk.reached_count = 1;
    if (p->elements && vkr_has_dot(r))
        p->walk.reached[p->walk.reached_count++] = vkr_place_of_view(&r->input2);
    if (!p->elements) {
        p->walk.loads = 0;
        p->walk.order = VKR_ORDER_COALESCED;
        p->walk.batch = 1;
    }
}

vkr_reduce_pass vkr_first_pass(const vkr_reduce *r)
{
    const vkr_place elements = vkr_place_of_view(&r->input);
    vkr_reduce_pass pass = {.elements = true};
    vkr_set_source(r, &pass, &elements, r->walk.count, r->walk.items);
    return pass;
}

static VkrResult fail_share(const vkr_reduce *r, const vkr_reduce_pass *p)
{
    const VkDeviceSize range = r->context->caps.max_range;
    const uint32_t share = p->walk.workgroup_size * p->walk.items;
    if (!p->elements)
        return vkr_refuse(&r->walk,
                          "algorithm is %s, but a workgroup's share of %u partials, %" PRIu64
                          " bytes apart, must fit maxStorageBufferRange (%" PRIu64 " bytes).",
                          vkrReduceAlgorithmName(r->algorithm), share, p->source.stride, range);
    const bool second = vkr_has_dot(r) && r->input2.stride > p->source.stride;
    return vkr_refuse(
        &r->walk,
        "%s.stride is %" PRIu64
        ", but a workgroup's share of %u elements must fit maxStorageBufferRange (%" PRIu64
        " bytes).",
        second ? "input2" : "input", second ? r->input2.stride : p->source.stride, share, range);
}

VkrResult vkr_cut_pass(const vkr_reduce *r, vkr_reduce_pass *p)
{
    vkr_window window = vkr_first_window(&p->walk);
    for (;; window = vkr_next_window(&p->walk, &window)) {
        if (window.count == 0 && p->walk.count != 0)
            return fail_share(r, p);
        if (window.index >= VKR_MAX_WINDOWS)
            return vkr_refuse_windows(&r->walk);
        if (window.is_last)
            break;
    }
    p->groups = window.tile + window.groups;
    p->windows = window.index + 1;
    return VKR_SUCCESS;
}

uint32_t vkr_max_reads(const vkr_reduce *r)
{
    return VKR_PARTIAL_TRIPS / vkr_trips_per_element(r);
}

/* Whether one workgroup can combine so many partials at once. */
static bool one_group_combines(const vkr_reduce *r, uint64_t partials)
{
    const uint64_t most =
        r->canonical ? VKR_TREE_BLOCK : (uint64_t)r->walk.workgroup_size * vkr_max_reads(r);
    return partials <= most && partials * vkr_partial_bytes(r) <= r->context->caps.max_range;
}

/* What must take one dispatch over all elements takes several. */
static VkrResult fail_windows(const vkr_reduce *r, const char *why, uint32_t windows)
{
    const vkr_caps *caps = &r->context->caps;
    return vkr_refuse(
        &r->walk,
        "%s, but count is %" PRIu64 " and needs %u, of maxStorageBufferRange (%" PRIu64
        " bytes) and maxComputeWorkGroupCount (%u x %u).",
        why, r->walk.count, windows, caps->max_range, caps->max_groups[0], caps->max_groups[1]);
}

/* Whether the elements can be taken as the algorithm wants; AUTO is SINGLE where that is possible.
 */
static VkrResult check_first_pass(vkr_reduce *r)
{
    vkr_reduce_pass elements = vkr_first_pass(r);
    VKR_TRY(vkr_cut_pass(r, &elements));
    const uint32_t windows = elements.windows;
    const bool combines = one_group_combines(r, elements.groups);
    if (r->consume && windows > 1)
        return fail_windows(r, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which takes one window",
                            windows);
    if (r->algorithm != VKR_REDUCE_SINGLE || (windows == 1 && combines))
        return VKR_SUCCESS;
    if (r->info->algorithm != VKR_REDUCE_SINGLE) {
        r->algorithm = VKR_REDUCE_SUBGROUP;
        return VKR_SUCCESS;
    }
    if (windows > 1)
        return fail_windows(r, "algorithm is single, which takes one dispatch", windows);
    return vkr_refuse(&r->walk,
                      "algorithm is single, but count is %" PRIu64
                      ", and one workgroup cannot combine the %" PRIu64
                      " partials of so many elements.",
                      r->walk.count, elements.groups);
}

VkrResult vkr_plan_geometry(vkr_reduce *r)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    r->algorithm = r->pieces                  ? VKR_REDUCE_SUBGROUP
                   : asked != VKR_REDUCE_AUTO ? asked
                   : r->consume               ? VKR_REDUCE_RECURSIVE
                                              : VKR_REDUCE_SINGLE;
    r->walk.rung =
        r->canonical || asked == VKR_REDUCE_TREE ? VKR_RUNG_SHARED : r->context->caps.rung;
    VKR_TRY(vkr_choose_reduce_kernel(r));
    choose_items(r);
    if (is_tree(r) && r->walk.count > 1 && r->walk.workgroup_size * r->walk.items == 1)
        return vkr_refuse(&r->walk,
                          "algorithm is %s, but needs workgroups of at least 2, and workgroupSize "
                          "%u with input.stride %" PRIu64 " leaves 1.",
                          vkrReduceAlgorithmName(r->algorithm), r->info->workgroupSize,
                          r->input.stride);
    return check_first_pass(r);
}
