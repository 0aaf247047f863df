/* SPDX-License-Identifier: MIT */
/* How a checked compaction is cut into runs, workgroups and windows: pure arithmetic. */
#include "compact.h"

#include <inttypes.h>

/* Trips of one invocation through its loops over elements and over partials: some drivers end all
 * loops after 65,535 in sum. Tiles are few trips, since an invocation may also count others'. */
#define MAX_ELEMENT_TRIPS 25000u
#define MAX_TILE_TRIPS 1500u
#define MAX_PARTIAL_TRIPS 7000u
#define MAX_UNROLLED 64u /* elements; drivers unroll loops up to some length */
#define MAX_WINDOW ((uint64_t)1 << 30)
#define MAX_WINDOWS 16384u
#define FLAGS_PER_WORD 32u

uint32_t vkr_compact_kernel(const vkr_compact *c, uint32_t loads)
{
    return vkr_find_kernel(VKR_FAMILY_COMPACT, vkr_class_of_size(c->tested.type->size), false,
                           false, loads, c->rung);
}

uint32_t vkr_compact_unit(const vkr_compact *c)
{
    return c->loads != 0 ? VKR_PACK / c->tested.type->size : 1;
}

uint32_t vkr_compact_subgroups(const vkr_compact *c)
{
    return vkr_most_subgroups(&c->context->caps, c->workgroup_size);
}

uint64_t vkr_compact_groups(const vkr_compact *c, uint64_t count, uint32_t lead)
{
    const uint64_t units = vkr_divide_up(count + lead, vkr_compact_unit(c));
    const uint64_t share = (uint64_t)c->workgroup_size * (c->items / vkr_compact_unit(c));
    return units == 0 ? 1 : vkr_divide_up(units, share);
}

uint64_t vkr_compact_runs(const vkr_compact *c, uint64_t groups)
{
    return groups * (c->order == VKR_ORDER_CONTIGUOUS ? c->workgroup_size : 1);
}

static bool can_load(const vkr_compact *c, uint32_t loads)
{
    const vkr_view *view = &c->tested;
    const bool texel = loads == VKR_LOADS_TEXEL;
    if (c->bits || view->components != 1 || !vkr_is_packed(view) ||
        vkr_compact_kernel(c, loads) == vkr_kernel_count)
        return false;
    if (texel && view->texels.view == VK_NULL_HANDLE)
        return false;
    return vkr_head(view, 0, loads, texel ? view->texels.offset : 0) != UINT32_MAX;
}

static void choose_loads(vkr_compact *c, const VkrTuning *tuning)
{
    c->order = (uint32_t)tuning->order;
    c->loads = 0;
    c->batch = 1;
    if (c->count == 0) /* nothing would be bound */
        return;
    if (tuning->path == VKR_LOAD_TEXEL && can_load(c, VKR_LOADS_TEXEL))
        c->loads = VKR_LOADS_TEXEL;
    else if (tuning->path != VKR_LOAD_ELEMENT && can_load(c, VKR_LOADS_VEC4))
        c->loads = VKR_LOADS_VEC4;
    c->batch = (uint32_t)vkr_clamp(tuning->flight, 1, MAX_UNROLLED / vkr_compact_unit(c));
}

/* Elements that a descriptor of the tested view reaches wherever it starts, or all; and one before
 * them. */
static uint64_t worst_window(const vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    if (c->bits)
        return vkr_clamp((caps->max_range - caps->granule) / 4 * FLAGS_PER_WORD, 1, MAX_WINDOW);
    const bool before = c->predicate % 16 == VKR_TEST_UNIQUE;
    const uint64_t reach = vkr_view_reach(caps, &c->tested, c->count + before);
    return vkr_clamp(reach - (before && reach > 1), 1, MAX_WINDOW);
}

/* Elements that every invocation's share is a multiple of. */
static uint32_t granularity(const vkr_compact *c)
{
    return vkr_compact_unit(c) * (c->loads != 0 && c->order == VKR_ORDER_CONTIGUOUS ? c->batch : 1);
}

/* Elements that an invocation walks at most: of a unit it has loops over elements that it loads,
 * tests and stores. */
static uint32_t max_items(const vkr_compact *c, uint32_t most_trips)
{
    const uint32_t unit = vkr_compact_unit(c);
    const uint32_t values = c->tested.components > 1 ? c->tested.components : 0;
    const uint32_t items = most_trips / (4 + unit * (3 + 2 * values)) * unit;
    return items > unit ? items : unit;
}

static void fit_items(vkr_compact *c, uint64_t items, uint32_t most_trips)
{
    const uint32_t step = granularity(c);
    const uint64_t fits = worst_window(c) / c->workgroup_size;
    const uint64_t most = max_items(c, most_trips);
    items = vkr_divide_up(items == 0 ? 1 : items, step) * step;
    items = items > most ? most / step * step : items;
    items = items > fits ? fits / step * step : items;
    c->items = (uint32_t)(items < step ? step : items);
}

/* Partials that one workgroup can scan, and that one descriptor reaches. */
static uint64_t most_partials(const vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    const uint64_t scanned = (uint64_t)MAX_PARTIAL_TRIPS * c->workgroup_size;
    const uint64_t stored =
        (caps->max_range - caps->granule - 4 * (uint64_t)VKR_RECORD_WORDS) / 8 - 1;
    return scanned < stored ? scanned : stored;
}

/* Runs so long that one workgroup can scan their counts. */
static void choose_runs(vkr_compact *c, const VkrTuning *tuning)
{
    const uint64_t element = c->bits ? 1 : vkr_element_size(&c->tested);
    const uint64_t w = c->workgroup_size;
    /* Every window, as long as half of the longest or longer, can end in parts of two groups. Where
     * these are too many, a group is one run. */
    const uint64_t ends = 4 * vkr_divide_up(c->count, worst_window(c)) + 2;
    if (most_partials(c) / vkr_compact_runs(c, 1) <= ends)
        c->order = VKR_ORDER_COALESCED;
    const uint64_t groups = most_partials(c) / vkr_compact_runs(c, 1);
    const uint64_t least = vkr_divide_up(c->count, (groups > ends ? groups - ends : 1) * w);
    uint64_t items = vkr_divide_up(c->count, w * tuning->maxGroups);
    items = vkr_clamp(items, vkr_clamp(tuning->minBytes / element, 1, UINT32_MAX),
                      vkr_clamp(tuning->maxBytes / element, 1, UINT32_MAX));
    /* Runs that a workgroup counts together end with the loads of all its invocations. */
    const uint64_t together = (uint64_t)granularity(c) * c->workgroup_size;
    if (c->loads == VKR_LOADS_TEXEL && items > 2 * together)
        items = vkr_divide_up(items, together) * together;
    fit_items(c, items < least ? least : items, MAX_ELEMENT_TRIPS);
}

/* One workgroup walks its share twice. */
static bool choose_one(vkr_compact *c, const VkrTuning *tuning)
{
    const uint64_t element = c->bits ? 1 : vkr_element_size(&c->tested);
    const uint64_t share = vkr_divide_up(c->count + vkr_compact_unit(c), c->workgroup_size);
    const uint64_t items = vkr_divide_up(share, granularity(c)) * granularity(c);
    if (c->count > worst_window(c) || c->count > tuning->oneGroupBytes / element ||
        items > max_items(c, MAX_ELEMENT_TRIPS / 2))
        return false;
    c->items = (uint32_t)items;
    return true;
}

static void choose_window(vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    const uint64_t share = (uint64_t)c->workgroup_size * c->items;
    const uint64_t most = ((uint64_t)caps->max_groups[0] * caps->max_groups[1] - 1) * share;
    c->window = worst_window(c);
    c->window = most < c->window ? most : c->window;
    if (c->window > share && c->window < c->count)
        c->window = c->window / share * share;
    if (c->bits && c->window > FLAGS_PER_WORD &&
        c->window < c->count) /* a word of flags is one window's */
        c->window -= c->window % FLAGS_PER_WORD;
}

static const char *why_not_single_pass(const vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    if (c->context->forward_progress == VKR_FORWARD_PROGRESS_NONE)
        return "the context's forwardProgress is VKR_FORWARD_PROGRESS_NONE and must be another";
    if (c->info->payloadCount != 0)
        return "payloadCount must then be 0";
    if (vkr_is_there(&c->lengths))
        return "runLengths.buffer must then be VK_NULL_HANDLE";
    if (c->by_list[VKR_KEPT] || c->by_list[VKR_REJECTED])
        return "kept and rejected must then be empty where the predicate is flags";
    if (c->count >= MAX_WINDOW)
        return "count must then be below 2^30";
    const uint64_t share = (uint64_t)c->workgroup_size * c->items;
    const uint64_t tiles = vkr_divide_up(c->count + VKR_PACK, share);
    if (c->count > c->window || 4 * (tiles + 1) > caps->max_range - caps->granule)
        return "input must then fit maxStorageBufferRange";
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *const views[] = {&c->sides[side].values, &c->sides[side].indices};
        for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++) {
            const bool appended = side == VKR_KEPT && c->info->append.buffer != VK_NULL_HANDLE;
            const uint64_t held = views[i]->capacity;
            const uint64_t limit = appended || held < c->count ? held : c->count;
            if (vkr_is_there(views[i]) && limit > vkr_view_window(caps, views[i], 0))
                return "outputs must then fit maxStorageBufferRange";
        }
    }
    return NULL;
}

static VkrResult choose_algorithm(vkr_compact *c, const VkrTuning *tuning)
{
    const VkrCompactAlgorithm asked = c->info->algorithm;
    const bool wanted =
        asked == VKR_COMPACT_SINGLE_PASS ||
        (asked == VKR_COMPACT_AUTO &&
         (tuning->lookBack || c->context->forward_progress == VKR_FORWARD_PROGRESS_OCCUPANCY));
    const uint64_t element = c->bits ? 1 : vkr_element_size(&c->tested);
    c->algorithm = VKR_COMPACT_SCAN_SCATTER;
    fit_items(c, tuning->tileBytes / element, MAX_TILE_TRIPS);
    choose_window(c);
    const char *why = wanted ? why_not_single_pass(c) : NULL;
    if (why != NULL && asked == VKR_COMPACT_SINGLE_PASS)
        return vkr_fail(c->context, VKR_ERROR_UNSUPPORTED,
                        VKR_COMPACT_CALL ": algorithm is single-pass, but %s.", why);
    if (wanted && why == NULL)
        c->algorithm = VKR_COMPACT_SINGLE_PASS;
    else
        choose_runs(c, tuning);
    c->one = choose_one(c, tuning);
    choose_window(c);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_compact_geometry(vkr_compact *c)
{
    const VkrTuning *tuning = &c->context->tunings[VKR_OPERATION_COMPACT][vkr_tuning_index(
        c->tested.texels.view != VK_NULL_HANDLE, c->tested.type->size)];
    c->rung = c->context->caps.rung;
    VkrResult result = vkr_choose_workgroup(c->context, VKR_COMPACT_CALL, c->info->workgroupSize,
                                            tuning->workgroupSize, &c->workgroup_size);
    if (result != VKR_SUCCESS)
        return result;
    choose_loads(c, tuning);
    if (vkr_compact_kernel(c, c->loads) == vkr_kernel_count)
        return vkr_fail_left_out(c->context, VKR_COMPACT_CALL, c->tested.type, false);
    result = choose_algorithm(c, tuning);
    if (result != VKR_SUCCESS)
        return result;
    if (c->count / c->window >= MAX_WINDOWS)
        return vkr_fail(c->context, VKR_ERROR_UNSUPPORTED,
                        VKR_COMPACT_CALL ": count is %" PRIu64 ", but must need at most %u "
                                         "windows of maxStorageBufferRange (%" PRIu64 " bytes).",
                        c->count, MAX_WINDOWS, c->context->caps.max_range);
    return VKR_SUCCESS;
}
