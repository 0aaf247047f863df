/* SPDX-License-Identifier: MIT */
/* vkrCmdHistogram: what the caller asks for, checked. */
#include "../../plan/unused.h"
#include "histogram.h"

#define CALL "vkrCmdHistogram"

/* ---- Weights ---- */

/* Weights of 8 and 16 bits become f32, which is exact, since kernels read words. */
static const VkrMap as_floats;

static bool is_small(const VkrView *view)
{
    return view->image == NULL && view->map == NULL && vkrTypeSize(view->type) < 4;
}

static VkrView view_of_weights(const VkrHistogramInfo *info)
{
    VkrView view = info->weights;
    if (is_small(&view))
        view.map = &as_floats;
    return view;
}

static VkrResult check_weights(vkr_histogram *h)
{
    const VkrHistogramInfo *info = h->info;
    const vkr_walk *w = &h->walk;
    const VkrView view = view_of_weights(info);
    vkr_view *weights = &h->weights;
    h->weighted = view.buffer != VK_NULL_HANDLE || view.image != NULL ||
                  (view.map != NULL && view.map->hook != NULL);
    VKR_MUST(w, info->weightFraction <= 31, "weightFraction is %u, but must be at most 31.",
             info->weightFraction);
    if (!h->weighted) {
        VKR_MUST(w, info->weightFraction == 0,
                 "weightFraction is %u, but must be 0 where there are no weights.",
                 info->weightFraction);
        return VKR_SUCCESS;
    }
    VKR_TRY(vkr_check_input(w, "weights", &view, w->count, weights));
    VKR_TRY(vkr_check_input_handles(w, "weights", &view, weights));
    VKR_MUST(w, weights->components == 1,
             "weights.components is %u, but must be 1: a weight for each element.",
             weights->components);
    VKR_MUST(w, weights->type->size == 4,
             "weights.type is %s, but must be a type of at most 32 bits.", weights->type->name);
    VKR_TRY(vkr_check_holds(w, "weights", weights));
    const bool integers =
        !weights->type->is_float || (is_small(&info->weights) && !weights->source.type->is_float);
    VKR_MUST(w, !integers || info->weightFraction == 0,
             "weightFraction is %u, but must be 0 for weights that are integers.",
             info->weightFraction);
    h->weight_kind = weights->type->is_float    ? VKR_WEIGHTS_FLOAT
                     : weights->type->is_signed ? VKR_WEIGHTS_SIGNED
                                                : VKR_WEIGHTS_UNSIGNED;
    return VKR_SUCCESS;
}

/* ---- Outputs ---- */

static VkrResult check_outputs(vkr_histogram *h)
{
    const VkrHistogramInfo *info = h->info;
    const vkr_walk *w = &h->walk;
    const uint32_t components = h->input.components;
    const VkDeviceSize count_size = info->countType == VKR_TYPE_U64 ? 8 : 4;
    const vkr_caps *caps = &w->context->caps;
    const VkDeviceSize edges =
        (VkDeviceSize)h->bins.edge_size * components * ((VkDeviceSize)info->bins.count + 1);
    const VkDeviceSize counts = count_size * components * info->bins.count;
    const VkDeviceSize outside = count_size * components * VKR_OUTSIDE_COUNTS;
    if (info->countType != VKR_TYPE_UNDEFINED)
        VKR_TRY(vkr_check_number_type(w, "countType", info->countType));
    VKR_TRY(vkr_check_place(w, "counts", &info->counts, true, 4, counts, &h->counts));
    VKR_TRY(vkr_check_place(w, "outside", &info->outside, false, 4, outside, &h->outside));
    VKR_TRY(vkr_check_place(w, "edges", &info->edges, false, 4, edges, &h->bins.edges));
    VKR_FIT(w, counts <= vkr_room(caps), "bins.count is %u, but counts of %u components",
            info->bins.count, components);
    h->count_words = (uint32_t)count_size / 4;
    return VKR_SUCCESS;
}

/* Checks that outputs share no bytes with each other or with what is read. */
static VkrResult check_overlaps(const vkr_histogram *h)
{
    const vkr_walk *w = &h->walk;
    vkr_region regions[7 + VKR_BINS_REGIONS] = {
        vkr_region_of_place("counts", &h->counts, true),
        vkr_region_of_place("outside", &h->outside, true),
        vkr_region_of_place("edges", &h->bins.edges, true),
        vkr_region_of_view("input", &h->input, w->count, false),
        vkr_region_of_view("weights", &h->weights, w->count, false),
        vkr_region_of_mask(w, &h->info->mask),
        vkr_region_of_count("gpuCount", &h->info->gpuCount),
    };
    vkr_regions_of_bins(&h->bins, &regions[7]);
    return vkr_check_regions(w, regions, VKR_ARRAY_SIZE(regions), "be apart from it");
}

/* ---- The call ---- */

static VkrResult check_choices(const vkr_histogram *h)
{
    const VkrHistogramInfo *info = h->info;
    const vkr_walk *w = &h->walk;
    VKR_TRY(vkr_check_choice(w, "algorithm", (int)info->algorithm, VKR_HISTOGRAM_ALGORITHM_COUNT));
    return vkr_check_bits(w, info->flags, VKR_FLAGS_OF_HISTOGRAM);
}

static VkrResult check_histogram(vkr_histogram *h)
{
    const VkrHistogramInfo *info = h->info;
    vkr_walk *w = &h->walk;
    VKR_TRY(vkr_check_input(w, "input", &info->input, info->count, &h->input));
    VKR_TRY(vkr_check_input_handles(w, "input", &info->input, &h->input));
    VKR_TRY(vkr_check_count(w, info->count, &h->input));
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", &info->gpuCount));
    h->masked = vkr_has_mask(&info->mask);
    if (h->masked)
        VKR_TRY(vkr_check_mask(w, &info->mask, &h->input));
    VKR_TRY(check_weights(h));
    VKR_TRY(check_choices(h));
    h->bins = (vkr_bins){.info = &info->bins,
                         .type = h->input.type,
                         .type_id = h->input.type_id,
                         .components = h->input.components,
                         .is_closed = (info->flags & VKR_HISTOGRAM_CLOSED_BIT) != 0};
    VKR_TRY(vkr_check_bins(w, &h->bins));
    VKR_TRY(check_outputs(h));
    return check_overlaps(h);
}

static VkrResult add_histogram(VkrRecorder recorder, const VkrHistogramInfo *info)
{
    vkr_histogram h = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    h.walk.view = &h.input;
    VKR_MUST(&h.walk, info != NULL, "info is NULL, but must point to a VkrHistogramInfo.");
    h.walk.gpu_count = &info->gpuCount;
    VKR_TRY(check_histogram(&h));
    if (h.input.mapped && !vkr_maps_in_kernel(&h.input))
        VKR_TRY(vkr_stage(recorder, &h.walk, h.walk.count, &h.input));
    VKR_TRY(vkr_stage(recorder, &h.walk, h.walk.count, &h.weights));
    if (h.masked && h.walk.count != 0)
        VKR_TRY(vkr_plan_mask(recorder, &h.walk, &info->mask, &h.mask));
    VKR_TRY(vkr_plan_histogram(recorder, &h));
    vkr_note_count(&h.walk, "input");
    vkr_note_view(&h.walk, "input", &info->input);
    vkr_note_view(&h.walk, "weights", &info->weights);
    vkr_note_gpu_count(&h.walk, "gpuCount", &info->gpuCount);
    vkr_note_bins(&h.walk, &info->bins);
    vkr_note_range(&h.walk, "mask.flags.range", &info->mask.flags.range);
    vkr_note_range(&h.walk, "outside", &info->outside);
    vkr_note_range(&h.walk, "edges", &info->edges);
    return VKR_SUCCESS;
}

VkrResult vkrCmdHistogram(VkrRecorder recorder, const VkrHistogramInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_histogram(recorder, info));
}
