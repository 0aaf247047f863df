/* SPDX-License-Identifier: MIT */
/* vkrCmdQuantile: what the caller asks for, checked, and its steps. */
#include <inttypes.h>

#include "../../plan/rows.h"
#include "../../plan/unused.h"
#include "kernel_list.h"

#define CALL "vkrCmdQuantile"
#define WORKGROUP 256u

typedef struct quantile {
    const VkrQuantileInfo *info;
    vkr_walk walk;
    uint32_t components;
    uint32_t edge_size;
    vkr_place counts, edges, quantiles, mean, cumulative; /* each as one item */
} quantile;

static VkrResult check_share(const vkr_walk *w, const char *field, uint32_t index, double share)
{
    VKR_MUST(w, share >= 0.0 && share <= 1.0, "%s[%u] is %g, but must be from 0 to 1.", field,
             index, share);
    return VKR_SUCCESS;
}

static VkrResult check_shares(const quantile *q)
{
    const VkrQuantileInfo *info = q->info;
    const vkr_walk *w = &q->walk;
    VKR_MUST(w, info->shareCount <= VKR_MAX_SHARES, "shareCount is %u, but must be at most %u.",
             info->shareCount, VKR_MAX_SHARES);
    VKR_MUST(w, info->shareCount == 0 || info->shares != NULL,
             "shares is NULL, but must point to the %u of shareCount.", info->shareCount);
    for (uint32_t i = 0; i < info->shareCount; i++)
        VKR_TRY(check_share(w, "shares", i, info->shares[i]));
    if (info->trimmedMean.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS;
    VKR_TRY(check_share(w, "trim", 0, info->trim[0]));
    VKR_TRY(check_share(w, "trim", 1, info->trim[1]));
    VKR_MUST(w, info->trim[1] - info->trim[0] >= 0x1p-32,
             "trim[0] is %g, but must be less than trim[1], %g, by at least 2^-32.", info->trim[0],
             info->trim[1]);
    return VKR_SUCCESS;
}

/* Checks a range that one descriptor must reach, and makes it a place. */
static VkrResult check_place(const quantile *q, const char *field, const VkrBufferRange *range,
                             bool is_needed, VkDeviceSize size, vkr_place *place)
{
    const vkr_caps *caps = &q->walk.context->caps;
    VKR_TRY(vkr_check_place(&q->walk, field, range, is_needed, 4, size, place));
    VKR_FIT(&q->walk, range->buffer == VK_NULL_HANDLE || size <= vkr_room(caps),
            "%s takes %" PRIu64 " bytes, but", field, size);
    return VKR_SUCCESS;
}

static VkrResult check_places(quantile *q)
{
    const VkrQuantileInfo *info = q->info;
    const VkDeviceSize components = q->components, bins = info->binCount, edge = q->edge_size;
    const VkDeviceSize count = info->countType == VKR_TYPE_U64 ? 8 : 4;
    VKR_TRY(check_place(q, "counts", &info->counts, true, components * bins * count, &q->counts));
    VKR_TRY(check_place(q, "edges", &info->edges, true, components * (bins + 1) * edge, &q->edges));
    if (info->shareCount != 0)
        VKR_TRY(check_place(q, "quantiles", &info->quantiles, true,
                            components * info->shareCount * edge, &q->quantiles));
    VKR_TRY(check_place(q, "trimmedMean", &info->trimmedMean, false, components * edge, &q->mean));
    VKR_TRY(check_place(q, "cumulative", &info->cumulative, false, components * bins * 8,
                        &q->cumulative));
    VKR_MUST(&q->walk,
             info->shareCount != 0 || info->trimmedMean.buffer != VK_NULL_HANDLE ||
                 info->cumulative.buffer != VK_NULL_HANDLE,
             "shareCount is 0, but must be at least 1 where neither trimmedMean nor cumulative is "
             "given.");
    return VKR_SUCCESS;
}

static VkrResult check_overlaps(const quantile *q)
{
    const vkr_region regions[] = {
        vkr_region_of_place("quantiles", &q->quantiles, true),
        vkr_region_of_place("trimmedMean", &q->mean, true),
        vkr_region_of_place("cumulative", &q->cumulative, true),
        vkr_region_of_place("counts", &q->counts, false),
        vkr_region_of_place("edges", &q->edges, false),
    };
    return vkr_check_regions(&q->walk, regions, VKR_ARRAY_SIZE(regions), "be apart from it");
}

static VkrResult check_quantile(quantile *q)
{
    const VkrQuantileInfo *info = q->info;
    const vkr_walk *w = &q->walk;
    VKR_MUST(w, info->binCount >= 1 && info->binCount <= VKR_MAX_BINS,
             "binCount is %u, but must be from 1 to %u.", info->binCount, VKR_MAX_BINS);
    VKR_MUST(w, info->components <= VKR_MAX_COMPONENTS,
             "components is %u, but must be from 1 to %u, or 0 for 1.", info->components,
             VKR_MAX_COMPONENTS);
    q->components = info->components == 0 ? 1 : info->components;
    if (info->countType != VKR_TYPE_UNDEFINED)
        VKR_TRY(vkr_check_number_type(w, "countType", info->countType));
    VKR_MUST(w,
             info->edgeType == VKR_TYPE_UNDEFINED || info->edgeType == VKR_TYPE_F32 ||
                 info->edgeType == VKR_TYPE_F64,
             "edgeType is %s, but must be f32 or f64.", vkrTypeName(info->edgeType));
    q->edge_size = info->edgeType == VKR_TYPE_F64 ? 8 : 4;
    VKR_TRY(check_shares(q));
    VKR_TRY(check_places(q));
    return check_overlaps(q);
}

/* Sets share s of a dispatch in units of 2^-32, rounded to the nearest one, ties to even. */
static void set_share(uint32_t *words, uint32_t s, double share, uint32_t *ones)
{
    const double scaled = share * 0x1p32;
    uint64_t whole = (uint64_t)scaled;
    const double rest = scaled - (double)whole;
    whole += rest > 0.5 || (rest == 0.5 && (whole & 1) != 0);
    words[s] = (uint32_t)whole;
    *ones |= (uint32_t)(whole >> 32) << s;
}

/* Adds a step for the shares starting at `first`. The first step also computes the other
 * outputs. */
static VkrResult add_shares(VkrRecorder recorder, const quantile *q, uint32_t first)
{
    const VkrQuantileInfo *info = q->info;
    const uint32_t shares = (uint32_t)vkr_min(info->shareCount - first, VKR_QUANTILE_SHARES);
    const bool trims = first == 0 && q->mean.buffer != VK_NULL_HANDLE;
    const bool adds_up = first == 0 && q->cumulative.buffer != VK_NULL_HANDLE;
    const uint64_t max = q->walk.context->caps.max_workgroup_size;
    const vkr_place none = {0};
    vkr_place values = q->quantiles;
    values.offset += (VkDeviceSize)first * q->edge_size;
    values.size -= shares == 0 ? 0 : (VkDeviceSize)first * q->edge_size;
    vkr_pass pass = {
        .walk = &q->walk,
        .card = &vkr_quantile_card,
        .kernel = VKR_KERNEL_QUANTILE,
        .constants = {[VKR_CONST_WORKGROUP] = (uint32_t)vkr_min(max, WORKGROUP),
                      [VKR_QUANTILE_CONST_FLAGS] =
                          (info->countType == VKR_TYPE_U64 ? VKR_QUANTILE_FLAG_COUNTS64 : 0) |
                          (q->edge_size == 8 ? VKR_QUANTILE_FLAG_EDGES64 : 0) |
                          (trims ? VKR_QUANTILE_FLAG_TRIMS : 0) |
                          (adds_up ? VKR_QUANTILE_FLAG_ADDS_UP : 0)},
        .slots = {[VKR_QUANTILE_SLOT_COUNTS] = {.place = q->counts},
                  [VKR_QUANTILE_SLOT_EDGES] = {.place = q->edges},
                  [VKR_QUANTILE_SLOT_VALUES] = {.place = values},
                  [VKR_QUANTILE_SLOT_MEANS] = {.place = trims ? q->mean : none},
                  [VKR_QUANTILE_SLOT_SUMS] = {.place = adds_up ? q->cumulative : none}}};
    struct vkr_quantile_push *push = VKR_PUSH(&pass, vkr_quantile_push);
    push->bins = info->binCount;
    push->shares = shares;
    push->values_stride = info->shareCount * q->edge_size / 4;
    for (uint32_t s = 0; s < shares; s++)
        set_share(pass.uniforms, s, info->shares[first + s], &push->ones);
    for (uint32_t t = 0; t < 2 && trims; t++)
        set_share(pass.uniforms, VKR_QUANTILE_SHARES + t, info->trim[t], &push->ones);
    return vkr_emit_groups(recorder, &pass, q->components);
}

static VkrResult add_quantile(VkrRecorder recorder, const VkrQuantileInfo *info)
{
    quantile q = {.info = info, .walk = vkr_new_groups_walk(recorder, CALL)};
    VKR_MUST(&q.walk, info != NULL, "info is NULL, but must point to a VkrQuantileInfo.");
    VKR_TRY(check_quantile(&q));
    for (uint32_t first = 0; first == 0 || first < info->shareCount; first += VKR_QUANTILE_SHARES)
        VKR_TRY(add_shares(recorder, &q, first));
    vkr_note_list(&q.walk, "shares", info->shares, "shareCount", info->shareCount);
    vkr_note_range(&q.walk, "trimmedMean", &info->trimmedMean);
    vkr_note_range(&q.walk, "cumulative", &info->cumulative);
    return VKR_SUCCESS;
}

VkrResult vkrCmdQuantile(VkrRecorder recorder, const VkrQuantileInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_quantile(recorder, info));
}
