/* SPDX-License-Identifier: MIT */
/*
 * The steps of a counting sort: a sort by the bits that the number of bins has, which moves indices
 * or the only payload, if that is one of words; the counts, their prefix sums, which are where bins
 * start; and copies of the other payloads.
 */
#include "../../plan/copy.h"
#include "bin.h"
#include "../../plan/payload.h"
#include "../histogram/histogram.h"
#include "../../plan/pick.h"
#include "../scan/scan.h"
#include "request.h"

static bool is_carried(const vkr_bin *b)
{
    return b->info->payloadCount == 1 && b->info->payloads[0].size == 4 &&
           !vkr_has_buffer(&b->indices);
}

static bool gathers(const vkr_bin *b)
{
    return b->info->payloadCount != 0 && !is_carried(b) && b->walk.count != 0;
}

static vkr_view view_of_words(const vkr_place *place, uint64_t count)
{
    return (vkr_view){.buffer = place->buffer,
                      .offset = place->offset,
                      .size = 4 * count,
                      .type = &vkr_types[VKR_TYPE_U32],
                      .type_id = VKR_TYPE_U32,
                      .components = 1,
                      .stride = 4,
                      .capacity = count};
}

/* ---- The sort ---- */

/* The order of keys, of which all that are in no bin have the greatest one. That depends on the
 * bits that are compared only, so that many numbers of bins share pipelines. */
static vkr_order order_of(const vkr_bin *b, uint32_t bits)
{
    vkr_order order = vkr_order_of(b->keys.type, false, false);
    if (bits < 8 * b->keys.type->size) {
        order.form |= VKR_KEY_IS_CLAMPED;
        order.most = (UINT64_C(1) << bits) - 1;
    }
    return order;
}

/* Adds the steps of the sort. Sets the list of indices, unless a payload is carried, and the counts
 * of the bins and of the others, if they are a by-product. */
static VkrResult add_sort(VkrRecorder recorder, const vkr_bin *b, vkr_view *list, vkr_place *totals)
{
    const VkrBinInfo *info = b->info;
    const uint32_t bits =
        (uint32_t)vkr_min(vkr_log2_up(info->binCount + 1), 8 * b->keys.type->size);
    vkr_sort sort = {.walk = &b->walk,
                     .order = order_of(b, bits),
                     .end = bits,
                     .count = b->walk.count,
                     .gpu_count = &info->gpuCount,
                     .workgroup_size = info->workgroupSize,
                     .limit = info->binCount,
                     .totals = info->binCount < VKR_SORT_RADIX ? totals : NULL,
                     .keys = b->keys,
                     .ranked = b->indices};
    if (is_carried(b)) {
        sort.values = vkr_view_of_source(&b->walk, info->payloads);
        sort.ranked = vkr_view_of_target(info->payloads);
    } else if (!vkr_has_buffer(&b->indices)) {
        VKR_TRY(vkr_add_sort_scratch(recorder, b->walk.count, VKR_TYPE_U32, 1, &sort.ranked));
    }
    *list = sort.ranked;
    return vkr_plan_sort(recorder, &sort);
}

/* ---- Counts and offsets ---- */

static VkrResult add_counts(VkrRecorder recorder, const vkr_bin *b, const vkr_place *counts)
{
    const VkrHistogramInfo info = {.gpuCount = b->info->gpuCount,
                                   .bins = {.kind = VKR_BINS_INTEGERS, .count = b->info->binCount},
                                   .workgroupSize = b->info->workgroupSize};
    vkr_histogram h = {.info = &info,
                       .input = b->keys,
                       .walk = b->walk,
                       .bins = {.info = &info.bins,
                                .type = b->keys.type,
                                .type_id = b->keys.type_id,
                                .components = 1},
                       .count_words = 1,
                       .counts = vkr_place_of_bytes(counts->buffer, counts->offset,
                                                    4 * (VkDeviceSize)info.bins.count, 4)};
    h.walk.view = &h.input;
    VKR_TRY(vkr_check_bins(&h.walk, &h.bins));
    return vkr_plan_histogram(recorder, &h);
}

/* Adds the exclusive scan of the counts and of one more word, which has no influence. */
static VkrResult add_offsets(VkrRecorder recorder, const vkr_bin *b, const vkr_place *counts,
                             const vkr_place *offsets)
{
    const uint64_t count = (uint64_t)b->info->binCount + 1;
    const VkrScanInfo info = {.op = VKR_OP_SUM, .flags = VKR_SCAN_EXCLUSIVE_BIT};
    vkr_scan s = {.info = &info,
                  .input = view_of_words(counts, count),
                  .output = view_of_words(offsets, count),
                  .walk = vkr_new_walk(b->walk.context, b->walk.call),
                  .accumulator = VKR_TYPE_U32,
                  .result = VKR_TYPE_U32,
                  .words = true,
                  .partial_words = 1};
    s.results = vkr_place_of_view(&s.output);
    s.walk.count = count;
    VKR_TRY(vkr_plan_scan_geometry(&s));
    return vkr_plan_scan(recorder, &s);
}

/* Adds the steps that store counts and offsets, and sets where the offsets are. `totals` are the
 * counts, if these are known. */
static VkrResult add_numbers(VkrRecorder recorder, const vkr_bin *b, vkr_place totals,
                             vkr_place *offsets)
{
    const uint32_t bins = b->info->binCount;
    const bool are_counted = b->counts.buffer != VK_NULL_HANDLE;
    *offsets = b->offsets;
    if (offsets->buffer == VK_NULL_HANDLE && gathers(b))
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1, (uint64_t)bins + 1, offsets));
    if (offsets->buffer == VK_NULL_HANDLE && !are_counted)
        return VKR_SUCCESS;
    if (totals.buffer == VK_NULL_HANDLE) {
        totals = b->counts;
        if (offsets->buffer != VK_NULL_HANDLE)
            VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1, (uint64_t)bins + 1, &totals));
        VKR_TRY(add_counts(recorder, b, &totals));
    }
    if (offsets->buffer != VK_NULL_HANDLE)
        VKR_TRY(add_offsets(recorder, b, &totals, offsets));
    if (!are_counted || totals.buffer == b->counts.buffer)
        return VKR_SUCCESS;
    const vkr_view counts = view_of_words(&totals, bins);
    return vkr_copy_mapped(recorder, &b->walk, bins, &counts, 0,
                           vkr_place_of_words(b->counts.buffer, b->counts.offset, 1));
}

/* ---- Payloads ---- */

static VkrResult add_payloads(VkrRecorder recorder, const vkr_bin *b, const vkr_view *list,
                              const vkr_place *offsets)
{
    const uint64_t count = b->walk.count;
    const VkrGpuCount kept = {.buffer = offsets->buffer,
                              .offset = offsets->offset + 4 * (VkDeviceSize)b->info->binCount};
    vkr_picking picking = {.walk = &b->walk,
                           .gpu_count = &kept,
                           .workgroup_size = VKR_SMALL_WORKGROUP,
                           .length = count,
                           .row_pitch = count,
                           .wanted = count,
                           .pitch = count,
                           .entries = count,
                           .list = vkr_place_of_view(list),
                           .source_name = "a payload's source",
                           .name = "a payload's target"};
    for (uint32_t i = 0; i < b->info->payloadCount; i++) {
        picking.source = vkr_view_of_source(&b->walk, &b->info->payloads[i]);
        picking.target = vkr_view_of_target(&b->info->payloads[i]);
        VKR_TRY(vkr_plan_picking(recorder, &picking));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_plan_bin(VkrRecorder recorder, const vkr_bin *b)
{
    vkr_view list = {0};
    vkr_place totals = {0}, offsets = {0};
    if (vkr_has_buffer(&b->indices) || b->info->payloadCount != 0)
        VKR_TRY(add_sort(recorder, b, &list, &totals));
    VKR_TRY(add_numbers(recorder, b, totals, &offsets));
    return gathers(b) ? add_payloads(recorder, b, &list, &offsets) : VKR_SUCCESS;
}
