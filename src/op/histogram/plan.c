/* SPDX-License-Identifier: MIT */
/* Chooses how a histogram counts, and adds its steps. */
#include "histogram.h"

#include "../../plan/bits.h"

#include <math.h>
#include <string.h>

/* The maximum size in bytes of the arrays of a subgroup's invocations. Drivers fail where these are
 * much larger: Lavapipe silently counts wrongly at 2 MiB, but not at 0.5 MiB. */
#define OWN_BYTES (384u * 1024u)

/* Bytes of shared memory for several copies of counts, and for counts together with limits, such
 * that several workgroups fit on a GPU. */
#define COPIES_BYTES 8192u
#define LIMITS_BYTES 16384u

/* The number of elements that an invocation should count for each count that it adds to memory. */
#define ELEMENTS_PER_COUNT 4u

#define BATCH_UNITS 4u /* loads in flight */

/* ---- How bins are found ---- */

static uint32_t steps_of(uint32_t bins)
{
    uint32_t steps = 0;
    while ((1u << steps) < bins)
        steps++;
    return steps;
}

/* Whether edges.comp will find that estimates are good for a range that the host knows. This test
 * is twice as strict. */
static bool can_estimate(const vkr_bins *b)
{
    const VkrBins *info = b->info;
    const double low = info->low.value, high = info->high.value;
    const double width = high / info->count - low / info->count;
    const double greatest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    if (!b->type->is_float)
        return true;
    return greatest < 1e29 && width > 1e-29 && width > greatest * 2 * VKR_BINS_WIDE;
}

/* The same for LOG2 bins (cards/bins.h). The octaves are a lower bound: the logarithm of the ratio
 * of the bounds' fractions, which lies between 1/2 and 2, is replaced by a chord or by 1 less than
 * the ratio. */
static bool can_estimate_log2(const vkr_bins *b)
{
    const VkrBins *info = b->info;
    int low = 0, high = 0;
    const double ratio = frexp(info->high.value, &high) / frexp(info->low.value, &low);
    const double octaves = high - low + (ratio < 1 ? 2 * ratio - 2 : ratio - 1);
    return b->type->is_float && b->type->size < 8 && info->low.value >= 0x1p-126 &&
           info->count <= octaves * VKR_BINS_OF_OCTAVE;
}

static uint32_t choose_finding(const vkr_histogram *h)
{
    const VkrBins *bins = h->bins.info;
    const bool near = h->info->algorithm != VKR_HISTOGRAM_GLOBAL;
    if (h->input.type->size == 1 && near)
        return VKR_FINDING_VALUES;
    if (bins->kind == VKR_BINS_INTEGERS)
        return VKR_FINDING_OFFSET;
    if (bins->kind == VKR_BINS_LOG2 && bins->gpuRange.buffer == VK_NULL_HANDLE &&
        can_estimate_log2(&h->bins))
        return VKR_FINDING_LOG2;
    if (bins->kind != VKR_BINS_EVEN)
        return VKR_FINDING_SEARCH;
    if (bins->gpuRange.buffer != VK_NULL_HANDLE)
        return VKR_FINDING_EITHER;
    return can_estimate(&h->bins) ? VKR_FINDING_ESTIMATE : VKR_FINDING_SEARCH;
}

/* ---- Where elements are counted ---- */

static const vkr_histogram_policy *policy_of(const vkr_histogram *h)
{
    return vkr_histogram_policy_of(h->walk.context);
}

/* The number of counts in a copy. */
static uint32_t count_room(const vkr_histogram *h)
{
    const uint32_t slots =
        h->finding == VKR_FINDING_VALUES ? 256u : h->info->bins.count + VKR_OUTSIDE_COUNTS;
    return slots * h->input.components;
}

static uint64_t bytes_of_counts(const vkr_histogram *h, uint32_t counts)
{
    return (uint64_t)counts * (h->weighted ? 8 : 4);
}

static uint32_t count_limits(const vkr_histogram *h)
{
    const uint32_t words = h->bins.info->count * (h->input.type->size == 8 ? 2 : 1);
    const bool searches_limits =
        h->finding == VKR_FINDING_SEARCH || h->finding == VKR_FINDING_EITHER ||
        h->finding == VKR_FINDING_ESTIMATE || h->finding == VKR_FINDING_LOG2;
    return searches_limits ? words * h->bins.tables : 0;
}

/* The size of an array for `words` words, at most `max`. Sizes of arrays are specialisation
 * constants. Where that fits, they are rounded up to a multiple of a quarter of the power of two
 * below, so that one pipeline serves many numbers of bins. */
static uint32_t round_up(uint32_t words, uint64_t max)
{
    uint32_t quarter = 1;
    while (8 * (uint64_t)quarter <= words)
        quarter *= 2;
    const uint64_t rounded = vkr_divide_up(words, quarter) * quarter;
    return rounded <= max ? (uint32_t)rounded : words;
}

/* Chooses room for `words` counts in `all` bytes, and room for limits if both fit in `near`
 * bytes. */
static void choose_room(vkr_histogram *h, uint32_t words, uint64_t all, uint64_t near)
{
    const uint32_t limits = count_limits(h);
    const uint64_t each = bytes_of_counts(h, 1), bytes = 4 * (uint64_t)limits;
    const bool has_limits = each * words + bytes <= near;
    h->room = round_up(words, (has_limits ? near - bytes : all) / each);
    h->limits = has_limits ? round_up(limits, (near - each * h->room) / 4) : 0;
}

/* Gives each invocation its own counts, if they fit. */
static bool choose_own(vkr_histogram *h)
{
    const uint64_t all = OWN_BYTES / h->walk.context->caps.max_subgroup_size;
    const uint32_t room = count_room(h);
    if (bytes_of_counts(h, room) > all)
        return false;
    h->counting = VKR_COUNTING_OWN;
    choose_room(h, room, all, all);
    return true;
}

/* Chooses counts in shared memory, in several copies if there is room. */
static bool choose_shared(vkr_histogram *h, uint32_t max_copies)
{
    const uint64_t all = h->walk.context->caps.max_shared_memory;
    const uint32_t room = count_room(h);
    const uint64_t bytes = bytes_of_counts(h, room);
    if (bytes + 64 > all)
        return false;
    h->counting = VKR_COUNTING_SHARED;
    while (2 * h->copies <= max_copies && 2 * h->copies * bytes <= COPIES_BYTES)
        h->copies *= 2;
    choose_room(h, room * h->copies, all - 64, vkr_min(all - 64, LIMITS_BYTES));
    return true;
}

static void choose_global(vkr_histogram *h)
{
    const uint32_t limits = count_limits(h);
    if (h->finding == VKR_FINDING_VALUES)
        h->finding = VKR_FINDING_SEARCH;
    h->counting = VKR_COUNTING_GLOBAL;
    h->room = 1;
    const uint64_t max = vkr_min(h->walk.context->caps.max_shared_memory, LIMITS_BYTES) / 8;
    h->limits = limits <= max ? round_up(limits, max) : 0;
}

static VkrResult choose_counting(vkr_histogram *h)
{
    const VkrHistogramAlgorithm asked = h->info->algorithm;
    const bool one = asked == VKR_HISTOGRAM_LOCAL_ATOMICS;
    h->finding = choose_finding(h);
    h->copies = 1;
    const bool near =
        asked != VKR_HISTOGRAM_GLOBAL && ((policy_of(h)->owned != 0 && !one && choose_own(h)) ||
                                          choose_shared(h, one ? 1 : policy_of(h)->copies));
    VKR_NEED(&h->walk, near || asked == VKR_HISTOGRAM_AUTO || asked == VKR_HISTOGRAM_GLOBAL,
             "algorithm is %s, but must be auto or global, since bins.count is %u, and counts of "
             "%u components do not fit the device's %u bytes of shared memory.",
             vkrHistogramAlgorithmName(asked), h->info->bins.count, h->input.components,
             h->walk.context->caps.max_shared_memory);
    if (!near)
        choose_global(h);
    return VKR_SUCCESS;
}

/* ---- The walk ---- */

static bool allows_loads(const void *operation, uint32_t loads)
{
    (void)operation;
    return loads == VKR_LOADS_VEC4;
}

static VkrResult choose_kernel(vkr_histogram *h)
{
    vkr_walk *w = &h->walk;
    const uint32_t shared = policy_of(h)->workgroup;
    const uint32_t tuned = h->counting == VKR_COUNTING_OWN ? 0
                           : shared == 0                   ? w->tuning->workgroupSize
                                                           : shared;
    VKR_TRY(vkr_choose_workgroup(w, h->info->workgroupSize, tuned, &(vkr_shared){0}));
    w->order = (uint32_t)w->tuning->order;
    w->batch = 1;
    if (vkr_is_image(&h->input)) {
        vkr_set_loads(w, h->input.image.loads);
        w->batch = BATCH_UNITS;
        return VKR_SUCCESS;
    }
    vkr_choose_loads(w, allows_loads, h);
    if (w->loads != 0)
        w->batch = (uint32_t)vkr_max(BATCH_UNITS / h->input.components, 1);
    return VKR_SUCCESS;
}

/* The maximum number of elements of an invocation: whole units, each of which needs trips of loops
 * over batches, loads and elements, as in reductions. */
static uint64_t max_items(const vkr_histogram *h)
{
    const uint32_t unit = h->walk.unit, components = h->input.components;
    const uint32_t trips = components > 1 ? 1 + components : 1;
    const uint32_t ends = 2 * h->room / (h->counting == VKR_COUNTING_OWN ? 1 : 8) + h->limits;
    const uint32_t left = ends < VKR_ELEMENT_TRIPS ? VKR_ELEMENT_TRIPS - ends : 0;
    return vkr_max(left, VKR_ELEMENT_TRIPS / 4) /
           (h->walk.loads != 0 ? 2 + trips + unit * trips : trips) * unit;
}

/* Chooses the number of elements of an invocation: enough that adding counts to memory costs
 * little, but not so many that part of the device is idle. */
static void choose_items(vkr_histogram *h)
{
    vkr_walk *w = &h->walk;
    const uint32_t unit = w->unit;
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    const uint64_t each = h->counting == VKR_COUNTING_OWN ? h->room : h->room / w->workgroup_size;
    const uint64_t max = max_items(h);
    const uint64_t min = vkr_clamp(w->tuning->minBytes / vkr_element_size(&h->input), 1, max);
    uint64_t items = vkr_clamp(vkr_divide_up(w->count, full),
                               vkr_clamp(ELEMENTS_PER_COUNT * each, min, max), max);
    uint64_t reach = UINT64_MAX;
    for (uint32_t i = 0; i < w->reached_count; i++)
        reach = vkr_min(reach, vkr_place_reach(&w->context->caps, &w->reached[i]));
    while (h->info->workgroupSize == 0 && w->workgroup_size > reach && w->workgroup_size > 1)
        w->workgroup_size /= 2;
    items = vkr_max(vkr_min(items, reach / w->workgroup_size), 1);
    items = vkr_min(items, vkr_divide_up(vkr_divide_up(w->count, w->workgroup_size), unit) * unit);
    w->items = (uint32_t)(items < unit ? items : items / unit * unit);
    if (items < unit)
        vkr_set_loads(w, 0);
}

static VkrResult choose_walk(vkr_histogram *h)
{
    const vkr_caps *caps = &h->walk.context->caps;
    vkr_walk *w = &h->walk;
    w->heads = true;
    w->reached[w->reached_count++] = vkr_place_of_view(&h->input);
    w->reached[w->reached_count++] = vkr_place_of_view(&h->weights);
    VKR_TRY(choose_kernel(h));
    choose_items(h);
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    w->max_groups = vkr_min(vkr_all_groups(caps), VKR_MAX_REACH / share);
    if (h->masked)
        w->max_groups = vkr_min(w->max_groups, vkr_bits_reach(caps) / share);
    VKR_TRY(vkr_cut(w));
    VKR_FIT(w, w->windows != 0,
            "a workgroup's share of %llu elements, or of their weights or their mask,",
            (unsigned long long)share);
    return VKR_SUCCESS;
}

/* ---- Steps ---- */

static uint32_t flags_of(const vkr_histogram *h)
{
    return (h->masked ? VKR_FLAG_MASKED : 0) | vkr_map_flags(&h->input) |
           (h->count_words == 2 ? VKR_HISTOGRAM_FLAG_COUNTS64 : 0) |
           (h->outside.buffer != VK_NULL_HANDLE ? VKR_HISTOGRAM_FLAG_OUTSIDE : 0) |
           vkr_count_flags(&h->info->gpuCount);
}

static VkrResult add_counting(VkrRecorder recorder, const vkr_histogram *h)
{
    const bool is_image = vkr_is_image(&h->input);
    vkr_pass pass = {
        .walk = &h->walk,
        .card = is_image ? &vkr_histogram_image_card : &vkr_histogram_card,
        .kernel = vkr_walk_kernel(&h->walk),
        .places_texels = is_image,
        .constants = {[VKR_CONST_FLAGS] = flags_of(h),
                      [VKR_HISTOGRAM_CONST_COUNTING] = h->counting,
                      [VKR_HISTOGRAM_CONST_FINDING] =
                          h->finding + VKR_FINDING_STEP * steps_of(h->info->bins.count),
                      [VKR_HISTOGRAM_CONST_COPIES] = h->copies,
                      [VKR_HISTOGRAM_CONST_ROOM] = h->room,
                      [VKR_HISTOGRAM_CONST_LIMITS] = h->limits,
                      [VKR_HISTOGRAM_CONST_WEIGHTS] = h->weight_kind},
        .slots = {[VKR_HISTOGRAM_SLOT_INPUT] = vkr_per_element(vkr_place_of_view(&h->input)),
                  [VKR_HISTOGRAM_SLOT_WEIGHTS] = vkr_per_element(vkr_place_of_view(&h->weights)),
                  [VKR_HISTOGRAM_SLOT_MASK] = vkr_per_bit(h->mask),
                  [VKR_HISTOGRAM_SLOT_COUNT] = {.place = vkr_place_of_count(&h->info->gpuCount)},
                  [VKR_HISTOGRAM_SLOT_TABLE] = vkr_items(h->bins.table, 0, h->bins.tables),
                  [VKR_HISTOGRAM_SLOT_COUNTS] = {.place = h->counts},
                  [VKR_HISTOGRAM_SLOT_OUTSIDE] = {.place = h->outside}}};
    struct vkr_histogram_push *push = VKR_PUSH(&pass, vkr_histogram_push);
    const float scale = ldexpf(1.0f, (int)h->info->weightFraction);
    push->bins = h->info->bins.count;
    push->table_stride = h->bins.tables > 1 ? (uint32_t)(h->bins.table.stride / 4) : 0;
    memcpy(&push->weights_scale, &scale, sizeof scale);
    if (!is_image)
        vkr_set_map_of_values(&h->input, &push->map_weight, &push->map_bias);
    return vkr_emit(recorder, &pass);
}

VkrResult vkr_plan_histogram(VkrRecorder recorder, vkr_histogram *h)
{
    const VkrHistogramInfo *info = h->info;
    const bool clears = (info->flags & VKR_HISTOGRAM_ACCUMULATE_BIT) == 0;
    vkr_start_walk(&h->walk, VKR_OPERATION_REDUCE, VKR_FAMILY_HISTOGRAM, &h->input);
    VKR_TRY(choose_counting(h));
    h->bins.cleared[0] = clears ? h->counts : (vkr_place){0};
    h->bins.cleared[1] = clears ? h->outside : (vkr_place){0};
    VKR_TRY(vkr_plan_bins(recorder, &h->walk, &h->bins));
    if (h->walk.count == 0)
        return VKR_SUCCESS;
    VKR_TRY(choose_walk(h));
    return add_counting(recorder, h);
}
