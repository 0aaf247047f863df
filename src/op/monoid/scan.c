/* SPDX-License-Identifier: MIT */
/* Scans by an application's monoid: tiles are folded, their states scanned, and the tiles read
 * again. */
#include "monoid.h"

#include <inttypes.h>

#include "../../plan/rows.h"
#include "../scan/scan.h"

typedef struct sweeping {
    vkr_monoid_work work;
    const VkrScanInfo *info;
    vkr_scan segments;
    uint32_t order; /* flags of all passes */
    vkr_place output, initial, total;
} sweeping;

/* ---- Checks ---- */

static VkrResult check_fields(const vkr_walk *w, const VkrScanInfo *info)
{
    const vkr_unused_field fields[] = {
        {(int)info->op != 0, "op"},
        {info->accumulator != VKR_TYPE_UNDEFINED, "accumulator"},
        {info->nan != VKR_NAN_IGNORE, "nan"},
        {info->algorithm != VKR_SCAN_AUTO, "algorithm"},
        {info->workgroupSize != 0, "workgroupSize"},
        {info->initial != NULL, "initial"},
        {info->output.type != VKR_TYPE_UNDEFINED, "output.type"},
        {info->output.components != 0, "output.components"},
        {info->output.image != NULL, "output.image"},
        {info->output.map != NULL, "output.map"},
        {info->output.texels.view != VK_NULL_HANDLE, "output.texels"},
    };
    VKR_TRY(vkr_check_unused(w, fields, VKR_ARRAY_SIZE(fields)));
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_SCAN));
    return vkr_check_monoid_determinism(w, info->determinism);
}

/* The output is a view of words; a result is an element of it, which can have more than four. */
static VkrResult check_output(sweeping *s)
{
    const VkrView *output = &s->info->output;
    const vkr_walk *w = &s->work.walk;
    const VkDeviceSize size = 4 * (VkDeviceSize)s->work.result_words;
    const VkDeviceSize stride = output->stride != 0 ? output->stride : size;
    const VkDeviceSize needed = w->count != 0 ? (w->count - 1) * stride + size : 0;
    const bool is_rest = output->size == 0 || output->size == VK_WHOLE_SIZE;
    const VkDeviceSize end = output->bufferSize > output->offset ? output->bufferSize : 0;
    const VkrBufferRange range = {output->buffer, output->offset,
                                  is_rest && end != 0 ? end - output->offset : output->size};
    VKR_MUST_BE(w, output->bufferSize != VK_WHOLE_SIZE, "output", ".bufferSize", output->bufferSize,
                "be a number of bytes.");
    VKR_MUST_BE(w, output->bufferSize == 0 || output->offset <= output->bufferSize, "output",
                ".offset", output->offset, "be at most %" PRIu64 ", which is output.bufferSize.",
                output->bufferSize);
    VKR_MUST_BE(
        w,
        output->bufferSize == 0 || is_rest || output->size <= output->bufferSize - output->offset,
        "output", ".size", output->size,
        "be at most the rest of the %" PRIu64 " bytes of output.bufferSize.", output->bufferSize);
    VKR_MUST_BE(w, stride % 4 == 0 && stride >= size && stride <= UINT32_MAX, "output", ".stride",
                stride, "be 0, or a multiple of 4 of at least %" PRIu64 ", the size of a result.",
                size);
    if (w->count == 0)
        return VKR_SUCCESS;
    VKR_MUST(w, output->buffer != VK_NULL_HANDLE,
             "output.buffer is VK_NULL_HANDLE, but must be a buffer.");
    VKR_TRY(vkr_check_range(w, "output", &range, 4, needed));
    s->output = (vkr_place){output->buffer, output->offset, stride, size, 4};
    return VKR_SUCCESS;
}

static bool is_segmented(const sweeping *s)
{
    return s->segments.heads || s->segments.rows;
}

/* Segments make states in scratch one word longer, which says whether one starts. */
static VkrResult check_segments(sweeping *s)
{
    vkr_scan *scan = &s->segments;
    *scan = (vkr_scan){.info = s->info, .walk = s->work.walk};
    scan->walk.gpu_count = &s->info->gpuCount;
    VKR_TRY(vkr_check_choice(&scan->walk, "segments.kind", (int)s->info->segments.kind,
                             VKR_SEGMENT_KIND_COUNT));
    VKR_TRY(vkr_check_scan_segments(scan));
    if (is_segmented(s))
        s->work.state_words++;
    return VKR_SUCCESS;
}

static VkrResult check_scan(const vkr_walk *w, const VkrScanInfo *info, sweeping *s)
{
    *s = (sweeping){.info = info};
    VKR_TRY(check_fields(w, info));
    VKR_TRY(
        vkr_check_monoid(w, info->monoid, &info->input, info->count, &info->gpuCount, &s->work));
    VKR_TRY(vkr_check_monoid_count(&s->work));
    VKR_TRY(vkr_check_monoid_handles(&s->work, &info->input));
    VKR_TRY(check_output(s));
    const VkDeviceSize state = 4 * (VkDeviceSize)s->work.monoid->words;
    VKR_TRY(vkr_check_place(w, "gpuInitial", &info->gpuInitial, false, 4, state, &s->initial));
    VKR_TRY(vkr_check_place(w, "total", &info->total, false, 4, state, &s->total));
    VKR_TRY(check_segments(s));
    if ((info->flags & VKR_SCAN_REVERSE_BIT) != 0)
        s->order = VKR_MONOID_FLAG_REVERSE;
    const vkr_region regions[] = {
        vkr_region_of_place("total", &s->total, true),
        vkr_region_of_bytes("output", s->output.buffer, s->output.offset,
                            s->work.walk.count == 0
                                ? 0
                                : (s->work.walk.count - 1) * s->output.stride + s->output.size,
                            true),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_place("gpuInitial", &s->initial, false),
        s->segments.starts,
    };
    return vkr_check_monoid_regions(&s->work, regions, VKR_ARRAY_SIZE(regions));
}

/* ---- Passes ---- */

/* A pass over `count` items. The results of a tile, which lie at `target`, must fit a
 * descriptor. */
static vkr_monoid_pass start(const sweeping *s, uint32_t mode, uint64_t count,
                             const vkr_place *target)
{
    const uint64_t reach = vkr_place_reach(&s->work.walk.context->caps, target);
    const uint64_t items = vkr_clamp(reach / VKR_MONOID_WORKGROUP, 1, VKR_MONOID_RUN);
    const uint64_t tiles = vkr_divide_up(count, VKR_MONOID_WORKGROUP * items);
    return (vkr_monoid_pass){.mode = mode,
                             .flags = s->order,
                             .team = VKR_MONOID_WORKGROUP,
                             .items = (uint32_t)items,
                             .tiles = vkr_max(tiles, 1),
                             .extent = count};
}

/* Lets segments start in a pass: where elements do, or where states say that they do. */
static void add_segments(const sweeping *s, bool elements, vkr_monoid_pass *p)
{
    const vkr_scan *scan = &s->segments;
    if (!is_segmented(s))
        return;
    p->flags |= scan->rows && elements ? VKR_MONOID_FLAG_ROWS : VKR_MONOID_FLAG_HEADS;
    p->push.row_length = scan->rows ? (uint32_t)s->info->segments.length : 0;
    if (elements)
        p->heads = scan->bits;
}

/* Adds passes that make each prefix of `count` items: elements, or states in place. With several
 * tiles, the states of these become their prefixes. */
static VkrResult sweep(VkrRecorder recorder, const sweeping *s, vkr_place states, uint64_t count)
{
    const bool elements = states.buffer == VK_NULL_HANDLE;
    const bool exclusive = !elements || (s->info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    const vkr_place target = elements ? s->output : states;
    vkr_monoid_pass fold = start(s, VKR_MONOID_FOLD, count, &target);
    vkr_monoid_pass p = start(s, VKR_MONOID_SWEEP, count, &target);
    const bool chains = p.tiles > 1 || s->initial.buffer != VK_NULL_HANDLE;
    p.source = fold.source = states;
    p.sources = fold.sources = elements ? 0 : count;
    p.flags |= (elements ? VKR_MONOID_FLAG_RESULTS : VKR_MONOID_FLAG_STATES) |
               (exclusive ? VKR_MONOID_FLAG_EXCLUSIVE : 0) | (chains ? VKR_MONOID_FLAG_PREFIX : 0);
    fold.flags |= elements ? 0 : VKR_MONOID_FLAG_STATES;
    add_segments(s, elements, &p);
    add_segments(s, elements, &fold);
    if (elements && is_segmented(s) && s->initial.buffer != VK_NULL_HANDLE) {
        fold.flags |= VKR_MONOID_FLAG_PREFIX;
        fold.ends = (vkr_bound){.place = s->initial};
    }
    p.target = target;
    p.targets = count;
    p.one_prefix = p.tiles == 1;
    p.ends = (vkr_bound){.place = s->initial};
    if (p.tiles > 1) {
        fold.targets = fold.tiles;
        VKR_TRY(vkr_add_states(recorder, &s->work, fold.tiles, &fold.target));
        VKR_TRY(vkr_add_monoid_pass(recorder, &s->work, &fold));
        VKR_TRY(sweep(recorder, s, fold.target, fold.tiles));
        p.ends = vkr_items(fold.target, 0, fold.tiles);
    }
    if (elements && s->total.buffer != VK_NULL_HANDLE) {
        p.flags |= VKR_MONOID_FLAG_TOTAL;
        p.total = (vkr_bound){.place = s->total};
    }
    return vkr_add_monoid_pass(recorder, &s->work, &p);
}

VkrResult vkr_scan_monoid(VkrRecorder recorder, const vkr_walk *w, const VkrScanInfo *info)
{
    sweeping s;
    VKR_TRY(check_scan(w, info, &s));
    if (s.work.walk.count == 0 && s.total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS;
    VKR_TRY(vkr_plan_heads(recorder, &s.segments));
    VKR_TRY(vkr_take_monoid_elements(recorder, &s.work));
    return sweep(recorder, &s, (vkr_place){0}, s.work.walk.count);
}
