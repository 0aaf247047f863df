/* SPDX-License-Identifier: MIT */
/* vkrCmdBin: what the caller asks for, checked. */
#include "../../plan/unused.h"
#include "bin.h"

#include "../../plan/stage.h"
#include "../../plan/payload.h"
#include "request.h"

#define CALL "vkrCmdBin"

static VkrResult check_keys(vkr_bin *b)
{
    const VkrBinInfo *info = b->info;
    vkr_walk *w = &b->walk;
    VKR_TRY(vkr_check_sort_keys(w, &info->keys, info->count, &info->gpuCount, &b->keys));
    VKR_MUST(w,
             b->keys.type_id == VKR_TYPE_U8 || b->keys.type_id == VKR_TYPE_U16 ||
                 b->keys.type_id == VKR_TYPE_U32,
             "keys.type is %s, but must be u8, u16 or u32, also after a map.", b->keys.type->name);
    VKR_MUST(w, info->binCount >= 1 && info->binCount <= VKR_MAX_BIN_COUNT,
             "binCount is %u, but must be from 1 to %u.", info->binCount, VKR_MAX_BIN_COUNT);
    return VKR_SUCCESS;
}

static VkrResult check_outputs(vkr_bin *b)
{
    const VkrBinInfo *info = b->info;
    const vkr_walk *w = &b->walk;
    const VkDeviceSize counts = 4 * (VkDeviceSize)info->binCount;
    VKR_TRY(vkr_check_place(w, "counts", &info->counts, false, 4, counts, &b->counts));
    VKR_TRY(vkr_check_place(w, "offsets", &info->offsets, false, 4, counts + 4, &b->offsets));
    VKR_TRY(vkr_check_sort_output(w, "indices", &info->indices, VKR_TYPE_U32, &b->indices));
    VKR_TRY(vkr_check_sort_payloads(w, info->payloadCount, info->payloads));
    VKR_MUST(w,
             b->counts.buffer != VK_NULL_HANDLE || b->offsets.buffer != VK_NULL_HANDLE ||
                 vkr_is_requested(&info->indices) || info->payloadCount != 0,
             "counts, offsets, indices and payloads are empty, but at least one of them must be "
             "given.");
    return VKR_SUCCESS;
}

static VkrResult check_overlaps(const vkr_bin *b)
{
    const vkr_walk *w = &b->walk;
    vkr_region regions[5 + 2 * VKR_MAX_SORT_PAYLOADS] = {
        vkr_region_of_place("counts", &b->counts, true),
        vkr_region_of_place("offsets", &b->offsets, true),
        vkr_region_of_view("indices", &b->indices, w->count, true),
        vkr_region_of_view("keys", &b->keys, w->count, false),
        vkr_region_of_count("gpuCount", &b->info->gpuCount),
    };
    uint32_t count = 5;
    for (uint32_t i = 0; i < b->info->payloadCount; i++) {
        const VkrPayload *p = &b->info->payloads[i];
        regions[count++] = vkr_region_of_payload(w, p, i, true, w->count);
        regions[count++] = vkr_region_of_payload(w, p, i, false, w->count);
    }
    return vkr_check_regions(w, regions, count, "be apart from it");
}

static VkrResult add_bin(VkrRecorder recorder, const VkrBinInfo *info)
{
    vkr_bin b = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    vkr_walk *w = &b.walk;
    w->view = &b.keys;
    VKR_MUST(w, info != NULL, "info is NULL, but must point to a VkrBinInfo.");
    w->gpu_count = &info->gpuCount;
    VKR_TRY(check_keys(&b));
    VKR_TRY(check_outputs(&b));
    VKR_TRY(check_overlaps(&b));
    VKR_TRY(vkr_stage(recorder, w, w->count, &b.keys));
    VKR_TRY(vkr_plan_bin(recorder, &b));
    vkr_note_count(w, "keys");
    vkr_note_view(w, "keys", &info->keys);
    vkr_note_gpu_count(w, "gpuCount", &info->gpuCount);
    vkr_note_list(w, "payloads", info->payloads, "payloadCount", info->payloadCount);
    vkr_note_range(w, "counts", &info->counts);
    vkr_note_range(w, "offsets", &info->offsets);
    return VKR_SUCCESS;
}

VkrResult vkrCmdBin(VkrRecorder recorder, const VkrBinInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_bin(recorder, info));
}
