/* SPDX-License-Identifier: MIT */
/* How a checked scan is cut into runs, workgroups and windows: pure arithmetic. */
#include "scan.h"

/* Trips of one invocation through its loops over elements and over partials: some drivers end all
 * loops after 65,535 in sum. Tiles are few trips, since an invocation may also compute others'. */
#define MAX_ELEMENT_TRIPS 25000u
#define MAX_TILE_TRIPS 1500u
#define MAX_PARTIAL_TRIPS 7000u
#define MAX_CHAIN_TRIPS 20000u
#define MAX_UNROLLED 64u /* elements; drivers unroll loops up to some length */
#define MAX_WINDOW ((uint64_t)1 << 30)
#define MAX_WINDOWS 16384u

uint32_t vkr_scan_kernel(const vkr_scan *s, uint32_t loads, bool results)
{
    return vkr_find_kernel(results ? VKR_FAMILY_TILES : VKR_FAMILY_SCAN,
                           vkr_class_of(s->input.type_id), s->wide, s->input.components > 1, loads,
                           s->rung);
}

uint32_t vkr_scan_unit(const vkr_scan *s)
{
    return s->loads != 0 ? VKR_PACK / s->input.type->size : 1;
}

uint32_t vkr_scan_subgroups(const vkr_scan *s)
{
    return vkr_most_subgroups(&s->context->caps, s->workgroup_size);
}

static bool fits_shared_memory(const vkr_scan *s)
{
    const uint64_t slots = s->rung == VKR_RUNG_SHARED ? s->workgroup_size : vkr_scan_subgroups(s);
    return slots * (8 * s->input.components + 4) + 64 <= s->context->caps.max_shared_memory;
}

static VkrResult choose_workgroup(vkr_scan *s, const VkrTuning *tuning)
{
    const uint32_t asked = s->info->workgroupSize;
    VkrResult result = vkr_choose_workgroup(s->context, "vkrCmdScan", asked, tuning->workgroupSize,
                                            &s->workgroup_size);
    if (result != VKR_SUCCESS)
        return result;
    while (asked == 0 && s->workgroup_size > 1 && !fits_shared_memory(s))
        s->workgroup_size /= 2;
    if (!fits_shared_memory(s))
        return vkr_fail(s->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdScan: workgroupSize is %u, but must be less to fit the device's %u "
                        "bytes of shared memory.",
                        s->workgroup_size, s->context->caps.max_shared_memory);
    return VKR_SUCCESS;
}

static bool can_load(const vkr_scan *s, uint32_t loads)
{
    const bool texel = loads == VKR_LOADS_TEXEL;
    if (vkr_scan_kernel(s, loads, true) == vkr_kernel_count || !vkr_is_packed(&s->input))
        return false;
    /* What is written here may not be read as texels. */
    if (texel && (s->input.texels.view == VK_NULL_HANDLE || s->in_place))
        return false;
    const uint32_t head = vkr_head(&s->input, 0, loads, texel ? s->input.texels.offset : 0);
    /* Runs of the canonical tree start at elements of their own. */
    return s->canonical ? head == 0 && !s->reverse : head != UINT32_MAX;
}

static void choose_loads(vkr_scan *s, const VkrTuning *tuning)
{
    s->order = s->canonical ? VKR_ORDER_CONTIGUOUS : (uint32_t)tuning->order;
    s->loads = 0;
    if (tuning->path == VKR_LOAD_TEXEL && can_load(s, VKR_LOADS_TEXEL))
        s->loads = VKR_LOADS_TEXEL;
    else if (tuning->path != VKR_LOAD_ELEMENT && can_load(s, VKR_LOADS_VEC4))
        s->loads = VKR_LOADS_VEC4;
    const uint32_t most = MAX_UNROLLED / (vkr_scan_unit(s) * s->input.components);
    const uint32_t units = tuning->flight / s->input.components;
    s->batch = (uint32_t)vkr_clamp(units, 1, most > 1 ? most : 1);
}

uint32_t vkr_scan_batch(const vkr_scan *s, uint32_t mode)
{
    const bool totals = mode == VKR_MODE_TOTALS || mode == VKR_MODE_LAST;
    if (!totals || s->order == VKR_ORDER_CONTIGUOUS || s->heads || s->rows)
        return s->batch;
    const uint32_t most = MAX_UNROLLED / (vkr_scan_unit(s) * s->input.components);
    return (uint32_t)vkr_clamp(4 * s->batch, 1, most > 1 ? most : 1);
}

/* Elements that an invocation reads at most. */
static uint32_t max_items(const vkr_scan *s, uint32_t most_trips)
{
    const uint32_t unit = vkr_scan_unit(s);
    const uint32_t each = 1 + s->input.components;
    const uint32_t items = most_trips / (4 + unit * each) * unit;
    return items > unit ? items : unit;
}

/* Elements that every invocation's share is a multiple of. */
static uint32_t granularity(const vkr_scan *s)
{
    return vkr_scan_unit(s) * (s->canonical ? 1 : s->batch);
}

/* Elements that one descriptor of input and one of output reach: all, or so many wherever they
 * start. */
static uint64_t reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const uint64_t input = vkr_view_reach(caps, &s->input, s->count);
    const uint64_t output = vkr_view_reach(caps, &s->output, s->count);
    return vkr_clamp(input < output ? input : output, 1, MAX_WINDOW);
}

/* Runs that one workgroup has. */
static uint64_t runs_of_group(const vkr_scan *s)
{
    return s->order == VKR_ORDER_CONTIGUOUS ? s->workgroup_size : 1;
}

uint64_t vkr_scan_groups(const vkr_scan *s, uint64_t count, uint32_t lead)
{
    const uint64_t units = vkr_divide_up(count + lead, vkr_scan_unit(s));
    const uint64_t share = (uint64_t)s->workgroup_size * (s->items / vkr_scan_unit(s));
    return units == 0 ? 1 : vkr_divide_up(units, share);
}

uint64_t vkr_scan_window(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const uint64_t share = (uint64_t)s->workgroup_size * s->items;
    const uint64_t most = ((uint64_t)caps->max_groups[0] * caps->max_groups[1] - 1) * share;
    uint64_t window = reach(s);
    window = most < window ? most : window;
    if (s->count <= window)
        return window;
    /* Bits of segments are cut at words. */
    return window > share ? window / share * share : window;
}

static void fit_items(vkr_scan *s, uint64_t items, uint32_t most_trips)
{
    const uint32_t step = granularity(s);
    const uint64_t fits = reach(s) / s->workgroup_size;
    const uint64_t most = vkr_clamp(max_items(s, most_trips), step, UINT32_MAX);
    items = vkr_divide_up(vkr_clamp(items, 1, most), step) * step;
    if (items > most)
        items = most / step * step;
    if (items > fits)
        items = fits / step * step;
    s->items = (uint32_t)(items < step ? step : items);
}

/* Runs of reduce-then-scan: so long that one workgroup can scan their totals. */
static void choose_runs(vkr_scan *s, const VkrTuning *tuning)
{
    if (s->canonical) {
        s->items = VKR_SCAN_RUN;
        while (s->info->workgroupSize == 0 && s->workgroup_size > 1 &&
               (uint64_t)s->workgroup_size * s->items > reach(s))
            s->workgroup_size /= 2;
        return;
    }
    const uint64_t element = vkr_element_size(&s->input);
    const uint64_t w = s->workgroup_size;
    uint64_t items = vkr_divide_up(s->count, w * tuning->maxGroups);
    items = vkr_clamp(items, vkr_clamp(tuning->minBytes / element, 1, UINT32_MAX),
                      vkr_clamp(tuning->maxBytes / element, 1, UINT32_MAX));
    const uint64_t combined = MAX_PARTIAL_TRIPS / (1 + s->input.components) * w;
    const uint64_t stored =
        (s->context->caps.max_range - s->context->caps.granule) / (4 * (uint64_t)s->partial_words);
    const uint64_t partials = combined < stored ? combined : stored;
    /* Every window, as long as half of the longest or longer, can end in parts of two groups. Where
     * these are too many, a group is one run. */
    const uint64_t ends = 4 * vkr_divide_up(s->count, reach(s)) + 2;
    if (partials / runs_of_group(s) <= ends)
        s->order = VKR_ORDER_COALESCED;
    const uint64_t whole = partials / runs_of_group(s);
    const uint64_t groups = whole > ends ? whole - ends : 1;
    const uint64_t least = vkr_divide_up(s->count, groups * w);
    fit_items(s, items < least ? least : items, MAX_ELEMENT_TRIPS);
}

static void choose_tile(vkr_scan *s, const VkrTuning *tuning)
{
    const uint64_t element = vkr_element_size(&s->input);
    fit_items(s, tuning->tileBytes / element, MAX_TILE_TRIPS);
}

/* One workgroup: its share is read twice where runs are contiguous. */
static bool choose_one(vkr_scan *s, const VkrTuning *tuning)
{
    const uint64_t items = vkr_divide_up(s->count + vkr_scan_unit(s), s->workgroup_size);
    const uint32_t most = MAX_ELEMENT_TRIPS / 2;
    if (s->canonical || s->count > reach(s) ||
        s->count > tuning->oneGroupBytes / vkr_element_size(&s->input) ||
        vkr_divide_up(items, granularity(s)) * granularity(s) > max_items(s, most))
        return false;
    s->items = (uint32_t)(vkr_divide_up(items, granularity(s)) * granularity(s));
    return true;
}

uint64_t vkr_scan_chain(const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const uint64_t partials = (caps->max_range - caps->granule) / (4 * (uint64_t)s->partial_words);
    const uint64_t groups = (uint64_t)caps->max_groups[0] * caps->max_groups[1];
    const uint64_t trips = MAX_CHAIN_TRIPS / (1 + s->input.components);
    const uint64_t blocks = vkr_clamp(partials / VKR_SCAN_RUN, 2, trips);
    return vkr_clamp(groups * s->workgroup_size, 2, blocks);
}

/* Whether the states of the tiles fit; both of their values lie in scratch. */
static bool tiles_fit(const vkr_scan *s)
{
    const uint64_t share = (uint64_t)s->workgroup_size * s->items;
    const uint64_t tiles = vkr_divide_up(s->count, share) + 2 * vkr_scan_windows(s);
    const uint64_t range = s->context->caps.max_range - s->context->caps.granule;
    return tiles <= range / (8 * (uint64_t)s->partial_words);
}

uint32_t vkr_scan_windows(const vkr_scan *s)
{
    return s->count == 0 ? 1 : (uint32_t)vkr_divide_up(s->count, vkr_scan_window(s));
}

static bool allows_look_back(const vkr_scan *s)
{
    const bool sum = s->words && s->input.type->is_float;
    return !s->in_place && s->context->forward_progress != VKR_FORWARD_PROGRESS_NONE &&
           (!sum || s->info->determinism == VKR_DETERMINISM_NONE);
}

static VkrResult check_windows(const vkr_scan *s)
{
    const uint64_t window = vkr_scan_window(s);
    const unsigned long long range = s->context->caps.max_range;
    if (s->canonical && window < (uint64_t)s->workgroup_size * s->items && window < s->count)
        return vkr_fail(s->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdScan: input.stride is %llu and output.stride %llu, but a "
                        "workgroup's share of %u elements must fit maxStorageBufferRange (%llu "
                        "bytes).",
                        (unsigned long long)s->input.stride, (unsigned long long)s->output.stride,
                        s->workgroup_size * s->items, range);
    if (s->count / window >= MAX_WINDOWS)
        return vkr_fail(s->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdScan: count is %llu, but must need at most %u windows of "
                        "maxStorageBufferRange (%llu bytes).",
                        (unsigned long long)s->count, MAX_WINDOWS, range);
    if (s->canonical && s->reverse && s->count > window &&
        s->info->gpuCount.buffer != VK_NULL_HANDLE)
        return vkr_fail(s->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdScan: determinism is VKR_DETERMINISM_DEVICE and flags has "
                        "VKR_SCAN_REVERSE_BIT, but with gpuCount, count (%llu) must then be at "
                        "most %llu to fit maxStorageBufferRange.",
                        (unsigned long long)s->count, (unsigned long long)window);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_scan_geometry(vkr_scan *s)
{
    const VkrScanAlgorithm asked = s->info->algorithm;
    const VkrTuning *tuning = &s->context->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(
        s->input.texels.view != VK_NULL_HANDLE, s->input.type->size)];
    s->rung = s->context->caps.rung;
    VkrResult result = choose_workgroup(s, tuning);
    if (result != VKR_SUCCESS)
        return result;
    s->algorithm = asked;
    if (vkr_scan_kernel(s, 0, true) == vkr_kernel_count)
        return vkr_fail_left_out(s->context, "vkrCmdScan", s->input.type, s->wide);
    if (asked == VKR_SCAN_HILLIS_STEELE || asked == VKR_SCAN_BLELLOCH)
        return vkr_has_documents()
                   ? VKR_SUCCESS
                   : vkr_fail(s->context, VKR_ERROR_UNSUPPORTED,
                              "vkrCmdScan: algorithm is %s, but this build of the library has no "
                              "scans by passes (its option documents is false).",
                              vkrScanAlgorithmName(asked));
    choose_loads(s, tuning);
    s->one = s->count == 0 || choose_one(s, tuning);
    if (s->count == 0)
        s->items = granularity(s);
    bool tiles = asked == VKR_SCAN_SINGLE_PASS;
    if (asked == VKR_SCAN_AUTO)
        tiles = allows_look_back(s) && (tuning->lookBack || s->context->forward_progress ==
                                                                VKR_FORWARD_PROGRESS_OCCUPANCY);
    if (!s->one && tiles)
        choose_tile(s, tuning);
    if (!s->one && tiles && !tiles_fit(s)) {
        if (asked == VKR_SCAN_SINGLE_PASS)
            return vkr_fail(s->context, VKR_ERROR_UNSUPPORTED,
                            "vkrCmdScan: algorithm is single-pass, but count is %llu, and the "
                            "values of so many tiles pass maxStorageBufferRange (%llu bytes).",
                            (unsigned long long)s->count,
                            (unsigned long long)s->context->caps.max_range);
        tiles = false;
    }
    if (!s->one && !tiles)
        choose_runs(s, tuning);
    s->algorithm = tiles ? VKR_SCAN_SINGLE_PASS : VKR_SCAN_REDUCE_THEN_SCAN;
    return s->one ? VKR_SUCCESS : check_windows(s);
}
