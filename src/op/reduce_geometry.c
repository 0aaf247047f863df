/* SPDX-License-Identifier: MIT */
/* How a checked reduction is cut into workgroups, windows and levels: pure arithmetic. */
#include "reduce.h"

/* Trips of one invocation through the loops over its elements and over partials: some drivers end
 * all loops after 65,535 in sum. */
#define MAX_PARTIAL_TRIPS 15000u

/* As VKR_ROWS in operator.glsl: which operators need a slot of which width. */
enum { SLOT_KEY, SLOT_ARG, SLOT_SUM, SLOT_COUNT, SLOT_EXACT };
static const struct {
    VkrOpFlags exact_users; /* need an exact sum beside this slot, for narrow integers */
    VkrOpFlags users;
    uint32_t width;
} slots[] = {
    {0, VKR_OP_MIN, SLOT_KEY},     {0, VKR_OP_MAX, SLOT_KEY},
    {0, VKR_OP_ABSMAX, SLOT_KEY},  {0, VKR_OP_ARGMIN, SLOT_ARG},
    {0, VKR_OP_ARGMAX, SLOT_ARG},  {VKR_OP_MEAN, VKR_OP_SUM, SLOT_SUM},
    {0, VKR_OP_PRODUCT, SLOT_SUM}, {VKR_OP_L2, VKR_OP_SUMSQ, SLOT_SUM},
    {0, VKR_OP_L1, SLOT_SUM},      {0, VKR_OP_DOT, SLOT_SUM},
    {0, VKR_OP_AND, SLOT_KEY},     {0, VKR_OP_OR, SLOT_KEY},
    {0, VKR_OP_XOR, SLOT_KEY},     {0, VKR_OP_NAN, SLOT_COUNT},
};

uint32_t vkr_count_state_words(const vkr_reduce *r)
{
    const vkr_type_info *type = r->input.type;
    bool exact = !type->is_float && type->size < 8;
    uint32_t key = type->size == 8 ? 2 : 1;
    uint32_t index = r->wide_index ? 2 : 1;
    const uint32_t widths[] = {
        [SLOT_KEY] = key,
        [SLOT_ARG] = key + index,
        [SLOT_SUM] = vkr_types[r->accumulator].size / 4,
        [SLOT_COUNT] = type->is_float ? index : 0,
        [SLOT_EXACT] = 2,
    };
    uint32_t words = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(slots); i++) {
        VkrOpFlags users = slots[i].users | (exact ? 0 : slots[i].exact_users);
        if ((r->info->ops & users) != 0)
            words += widths[slots[i].width];
        if (exact && (r->info->ops & slots[i].exact_users) != 0)
            words += widths[SLOT_EXACT];
    }
    return words != 0 ? words : 1; /* count alone keeps none, but its partials have places */
}

static bool fits_shared_memory(const vkr_reduce *r)
{
    uint64_t words = r->walk.rung == VKR_RUNG_SHARED
                         ? (uint64_t)r->walk.workgroup_size * r->state_words
                         : (uint64_t)vkr_walk_subgroups(&r->walk) * vkr_partial_words(r);
    return 4 * (words + 2) <= r->context->caps.max_shared_memory;
}

VkrResult vkr_choose_reduce_workgroup(vkr_reduce *r, const VkrTuning *tuning)
{
    uint32_t asked = r->info->workgroupSize;
    uint32_t most = r->context->caps.max_workgroup_size;
    if ((asked & (asked - 1)) != 0 || asked > most)
        return vkr_fail(r->context,
                        (asked & (asked - 1)) != 0 ? VKR_ERROR_INVALID_ARGUMENT
                                                   : VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: workgroupSize is %u, but must be 0 or a power of two, on "
                        "this device up to %u.",
                        asked, most);
    if (r->canonical && asked != 0 && asked != VKR_TREE_WIDTH)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCmdReduce: workgroupSize is %u, but must be 0 or %u where determinism "
                        "is VKR_DETERMINISM_DEVICE.",
                        asked, VKR_TREE_WIDTH);
    if (r->canonical && most < VKR_TREE_WIDTH)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: determinism is VKR_DETERMINISM_DEVICE, which needs "
                        "workgroups of %u, but this device has workgroups of up to %u.",
                        VKR_TREE_WIDTH, most);
    bool tree = r->algorithm == VKR_REDUCE_TREE || r->algorithm == VKR_REDUCE_RECURSIVE;
    uint32_t tuned = tree                         ? tuning->treeWorkgroupSize
                     : tuning->workgroupSize != 0 ? tuning->workgroupSize
                                                  : vkr_one_subgroup(&r->context->caps);
    r->walk.workgroup_size = asked != 0 ? asked : r->canonical ? VKR_TREE_WIDTH : tuned;
    if (r->walk.workgroup_size > most)
        r->walk.workgroup_size = most;
    while (asked == 0 && !r->canonical && r->walk.workgroup_size > 1 && !fits_shared_memory(r))
        r->walk.workgroup_size /= 2;
    if (!fits_shared_memory(r))
        return vkr_fail(
            r->context, VKR_ERROR_UNSUPPORTED,
            "vkrCmdReduce: workgroupSize is %u, but must be less for ops 0x%x to fit the "
            "device's %u bytes of shared memory.",
            r->walk.workgroup_size, r->info->ops, r->context->caps.max_shared_memory);
    return VKR_SUCCESS;
}

/* Elements that a descriptor reaches wherever it starts. */
static uint64_t worst_window(const vkr_reduce *r)
{
    const vkr_caps *caps = &r->context->caps;
    VkDeviceSize element = (VkDeviceSize)r->input.type->size * r->input.components;
    uint64_t stride = r->input.stride;
    if ((r->info->ops & VKR_OP_DOT) != 0 && r->input2.stride > stride)
        stride = r->input2.stride;
    return (caps->max_range - caps->granule - element) / stride + 1;
}

/* Whether a kernel can load the inputs so: both alike, and only one as texels. */
static bool can_load(const vkr_reduce *r, uint32_t loads)
{
    const uint32_t size = vkr_load_size(loads);
    if (!vkr_has_loads(r, loads) || !vkr_view_loads(&r->input, loads))
        return false;
    if (loads == VKR_LOADS_U64 && (r->context->caps.features & VKR_FEATURE_INT64) == 0)
        return false;
    return (r->info->ops & VKR_OP_DOT) == 0 ||
           (loads != VKR_LOADS_TEXEL && vkr_is_packed(&r->input2) &&
            r->input.offset % size == r->input2.offset % size);
}

/* Drivers unroll loops up to some length; beyond, what a batch has loaded would go through memory.
 * This many times an element goes through an operator. */
#define MAX_UNROLLED 128u

static uint32_t choose_batch(const vkr_reduce *r, uint32_t flight)
{
    uint32_t ops = 0;
    for (VkrOpFlags left = r->info->ops; left != 0; left &= left - 1)
        ops++;
    uint32_t units = flight * VKR_PACK / (vkr_load_size(r->walk.loads) * r->input.components);
    uint32_t most = MAX_UNROLLED / (vkr_walk_unit(&r->walk) * r->input.components * ops);
    units = units < most ? units : most;
    return units != 0 ? units : 1;
}

/* As the row says, or what comes nearest; the canonical tree, and what reads one element per
 * invocation, keep their own order. */
void vkr_choose_loads(vkr_reduce *r, const VkrTuning *tuning)
{
    static const uint32_t loads_of[VKR_LOAD_PATH_COUNT] = {[VKR_LOAD_VEC4] = VKR_LOADS_VEC4,
                                                           [VKR_LOAD_U64] = VKR_LOADS_U64,
                                                           [VKR_LOAD_TEXEL] = VKR_LOADS_TEXEL};
    bool tree = r->algorithm == VKR_REDUCE_TREE || r->algorithm == VKR_REDUCE_RECURSIVE;
    r->walk.batch = 1;
    if (r->canonical || tree || r->walk.count == 0) /* nothing would be bound */
        return;
    r->walk.order = (uint32_t)tuning->order;
    r->walk.loads = loads_of[tuning->path];
    if (r->walk.loads != 0 && !can_load(r, r->walk.loads))
        r->walk.loads = can_load(r, VKR_LOADS_VEC4) ? VKR_LOADS_VEC4 : 0;
    if (r->walk.loads != 0)
        r->walk.batch = choose_batch(r, tuning->flight);
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
    uint32_t unit = vkr_walk_unit(&r->walk);
    uint32_t trips = vkr_trips_per_element(r);
    return VKR_MAX_ELEMENT_TRIPS / (r->walk.loads != 0 ? 2 + trips + unit * trips : trips) * unit;
}

/* Enough for every invocation that the partials are few, but no idle device; in whole units, and
 * with the last workgroup as busy as the others. */
static uint64_t tuned_items(const vkr_reduce *r, const VkrTuning *tuning)
{
    uint32_t unit = vkr_walk_unit(&r->walk);
    uint64_t element = (uint64_t)r->input.type->size * r->input.components;
    uint64_t least = vkr_clamp(tuning->minBytes / element, 1, max_items(r));
    uint64_t most = vkr_clamp(tuning->maxBytes / element, 1, max_items(r));
    uint64_t full = (uint64_t)r->walk.workgroup_size * tuning->maxGroups;
    uint64_t items = vkr_clamp(vkr_divide_up(r->walk.count, full), least, most);
    uint64_t groups = vkr_divide_up(r->walk.count, items * r->walk.workgroup_size);
    if (r->walk.count <= tuning->oneGroupBytes / element &&
        r->walk.count <= (uint64_t)r->walk.workgroup_size * max_items(r))
        groups = 1;
    if (groups != 0)
        items = vkr_divide_up(r->walk.count, groups * r->walk.workgroup_size);
    return vkr_divide_up(items == 0 ? 1 : items, unit) * unit;
}

/* A workgroup's share must fit a descriptor, whatever the stride; that of the canonical tree and of
 * pieces alone cannot give way. */
static void choose_items(vkr_reduce *r, const VkrTuning *tuning)
{
    if (r->canonical || r->pieces) {
        r->walk.items = VKR_TREE_BLOCK / r->walk.workgroup_size;
        if (r->walk.items % vkr_walk_unit(&r->walk) != 0)
            r->walk.loads = 0;
        return;
    }
    bool tree = r->algorithm == VKR_REDUCE_TREE || r->algorithm == VKR_REDUCE_RECURSIVE;
    uint64_t items = tree ? 1 : tuned_items(r, tuning);
    uint64_t fits = worst_window(r);
    uint32_t unit = vkr_walk_unit(&r->walk);
    while (r->info->workgroupSize == 0 && r->walk.workgroup_size > fits &&
           r->walk.workgroup_size > 1)
        r->walk.workgroup_size /= 2;
    if (items > fits / r->walk.workgroup_size && fits >= r->walk.workgroup_size)
        items = fits / r->walk.workgroup_size;
    r->walk.items = (uint32_t)(items < unit ? items : items / unit * unit);
    if (items < unit)
        r->walk.loads = 0;
}

/* Workgroups that a dispatch can have, and whose partials fit a descriptor. */
static uint64_t most_groups(const vkr_reduce *r)
{
    const vkr_caps *caps = &r->context->caps;
    uint64_t groups = (uint64_t)caps->max_groups[0] * caps->max_groups[1];
    uint64_t stored = (caps->max_range - caps->granule) / (4 * (uint64_t)vkr_partial_words(r));
    if (!r->consume && groups > stored)
        groups = stored;
    return groups < VKR_MAX_REACH ? groups : VKR_MAX_REACH;
}

void vkr_set_source(const vkr_reduce *r, vkr_level *l, const vkr_place *source, uint64_t count,
                    uint32_t items)
{
    l->source = *source;
    l->walk = r->walk;
    l->walk.count = count;
    l->walk.items = items;
    l->walk.heads = true;
    l->walk.most_groups = most_groups(r);
    l->walk.reached[0] = *source;
    l->walk.reached_count = 1;
    if (l->elements && (r->info->ops & VKR_OP_DOT) != 0)
        l->walk.reached[l->walk.reached_count++] = vkr_place_of_view(&r->input2);
    if (!l->elements) {
        l->walk.loads = 0;
        l->walk.order = VKR_ORDER_COALESCED;
        l->walk.batch = 1;
    }
}

vkr_level vkr_first_level(const vkr_reduce *r)
{
    const vkr_place elements = vkr_place_of_view(&r->input);
    vkr_level level = {.elements = true};
    vkr_set_source(r, &level, &elements, r->walk.count, r->walk.items);
    return level;
}

static VkrResult fail_share(const vkr_reduce *r, const vkr_level *l)
{
    unsigned long long range = r->context->caps.max_range;
    uint32_t share = l->walk.workgroup_size * l->walk.items;
    if (!l->elements)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: algorithm is %s, but a workgroup's share of %u partials, "
                        "%llu bytes apart, must fit maxStorageBufferRange (%llu bytes).",
                        vkrReduceAlgorithmName(r->algorithm), share,
                        (unsigned long long)l->source.stride, range);
    bool second = (r->info->ops & VKR_OP_DOT) != 0 && r->input2.stride > l->source.stride;
    return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                    "vkrCmdReduce: %s.stride is %llu, but a workgroup's share of %u elements must "
                    "fit maxStorageBufferRange (%llu bytes).",
                    second ? "input2" : "input",
                    (unsigned long long)(second ? r->input2.stride : l->source.stride), share,
                    range);
}

VkrResult vkr_cut_level(const vkr_reduce *r, vkr_level *l, uint32_t *windows)
{
    vkr_window window = vkr_first_window(&l->walk);
    for (;; window = vkr_next_window(&l->walk, &window)) {
        if (window.count == 0 && l->walk.count != 0)
            return fail_share(r, l);
        if (window.index >= VKR_MAX_WINDOWS)
            return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                            "vkrCmdReduce: count is %llu, but must need at most %u windows of "
                            "maxStorageBufferRange (%llu bytes).",
                            (unsigned long long)r->walk.count, VKR_MAX_WINDOWS,
                            (unsigned long long)r->context->caps.max_range);
        if (window.is_last)
            break;
    }
    l->groups = window.tile + window.groups;
    *windows = window.index + 1;
    return VKR_SUCCESS;
}

/* Partials that an invocation reads. */
uint32_t vkr_max_reads(const vkr_reduce *r)
{
    return MAX_PARTIAL_TRIPS / vkr_trips_per_element(r);
}

/* Whether one workgroup can combine so many partials at once. */
static bool one_group_combines(const vkr_reduce *r, uint64_t partials)
{
    return partials <= (r->canonical ? VKR_TREE_BLOCK
                                     : (uint64_t)r->walk.workgroup_size * vkr_max_reads(r)) &&
           4 * partials * vkr_partial_words(r) <= r->context->caps.max_range;
}

/* Single and in place take one dispatch over all elements. */
static VkrResult fail_windows(const vkr_reduce *r, const char *why, uint32_t windows)
{
    return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                    "vkrCmdReduce: %s, but count is %llu and needs %u, of maxStorageBufferRange "
                    "(%llu bytes) and maxComputeWorkGroupCount (%u x %u).",
                    why, (unsigned long long)r->walk.count, windows,
                    (unsigned long long)r->context->caps.max_range, r->context->caps.max_groups[0],
                    r->context->caps.max_groups[1]);
}

static VkrResult check_single(const vkr_reduce *r, uint64_t groups, uint32_t windows)
{
    if (windows > 1)
        return fail_windows(r, "algorithm is single, which takes one dispatch", windows);
    if (!one_group_combines(r, groups))
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: algorithm is single, but count is %llu, and one workgroup "
                        "cannot combine the %llu partials of so many elements.",
                        (unsigned long long)r->walk.count, (unsigned long long)groups);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_geometry(vkr_reduce *r)
{
    const VkrTuning *tuning = &r->context->tunings[VKR_OPERATION_REDUCE][vkr_tuning_index(
        r->input.texels.view != VK_NULL_HANDLE, r->input.type->size)];
    VkrReduceAlgorithm asked = r->info->algorithm;
    if (asked == VKR_REDUCE_AUTO)
        asked = r->consume ? VKR_REDUCE_RECURSIVE : VKR_REDUCE_AUTO;
    r->algorithm = r->pieces                  ? VKR_REDUCE_SUBGROUP
                   : asked == VKR_REDUCE_AUTO ? VKR_REDUCE_SINGLE
                                              : asked;
    r->walk.rung =
        r->canonical || asked == VKR_REDUCE_TREE ? VKR_RUNG_SHARED : r->context->caps.rung;
    VkrResult result = vkr_choose_reduce_workgroup(r, tuning);
    if (result != VKR_SUCCESS)
        return result;
    vkr_choose_loads(r, tuning);
    choose_items(r, tuning);
    if ((asked == VKR_REDUCE_TREE || asked == VKR_REDUCE_RECURSIVE) && r->walk.count > 1 &&
        r->walk.workgroup_size * r->walk.items == 1)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: algorithm is %s, but needs workgroups of at least 2, and "
                        "workgroupSize %u with input.stride %llu leaves 1.",
                        vkrReduceAlgorithmName(asked), r->info->workgroupSize,
                        (unsigned long long)r->input.stride);

    uint32_t windows;
    vkr_level elements = vkr_first_level(r);
    result = vkr_cut_level(r, &elements, &windows);
    if (result != VKR_SUCCESS)
        return result;
    if (r->consume && windows > 1)
        return fail_windows(r, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which takes one window",
                            windows);
    if (asked == VKR_REDUCE_SINGLE)
        return check_single(r, elements.groups, windows);
    if (r->algorithm == VKR_REDUCE_SINGLE &&
        (windows > 1 || !one_group_combines(r, elements.groups)))
        r->algorithm = VKR_REDUCE_SUBGROUP;
    return VKR_SUCCESS;
}
