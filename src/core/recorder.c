/* SPDX-License-Identifier: MIT */
/* The public functions of a recorder, from its creation to the recording of the steps that
 * operations collected (operation.c). */
#include "recorder.h"

#include <inttypes.h>
#include <string.h>

#include "flags.h"
#include "layout.h"
#include "memory.h"
#include "message.h"
#include "pipeline.h"
#include "schedule.h"

#define DEFAULT_CHUNK_SIZE (1024u * 1024u)

/* ---- Life ---- */

static VkrResult set_recorder_info(VkrRecorder recorder, const VkrRecorderInfo *info)
{
    const VkDeviceSize size = info->scratchChunkSize ? info->scratchChunkSize : DEFAULT_CHUNK_SIZE;
    if (size > UINT64_MAX / 2) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateRecorder: scratchChunkSize is %" PRIu64
                        ", but must be at most 2^63 - 1.",
                        size);
    }
    recorder->chunk_size = vkr_align_up(size, vkr_granule(recorder));
    if (info->label) {
        const size_t length = strlen(info->label) + 1;
        recorder->label = vkr_alloc(recorder->context, length);
        if (!recorder->label) {
            return vkr_fail(recorder->context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                            "vkrCreateRecorder: out of host memory for the label.");
        }
        memcpy(recorder->label, info->label, length);
    }
    return VKR_SUCCESS;
}

VkrResult vkrCreateRecorder(VkrContext context, const VkrRecorderInfo *info, VkrRecorder *recorder)
{
    if (recorder)
        *recorder = NULL;
    if (!context)
        return VKR_ERROR_INVALID_ARGUMENT;
    VKR_TRY(vkr_check_device(context, "vkrCreateRecorder"));
    if (!info || !recorder) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateRecorder: %s is NULL, but must point to a %s.",
                        info ? "recorder" : "info", info ? "VkrRecorder" : "VkrRecorderInfo");
    }
    VkrRecorder created = vkr_alloc(context, sizeof(struct VkrRecorder_T));
    if (!created) {
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrCreateRecorder: out of host memory for the recorder.");
    }
    created->context = context;
    const VkrResult result = set_recorder_info(created, info);
    if (result != VKR_SUCCESS) {
        vkrDestroyRecorder(created);
        return result;
    }
    *recorder = created;
    return VKR_SUCCESS;
}

void vkrDestroyRecorder(VkrRecorder recorder)
{
    if (!recorder)
        return;
    const struct VkrContext_T *context = recorder->context;
    vkr_destroy_storage(recorder);
    vkr_free(context, recorder->steps);
    vkr_free(context, recorder->operations);
    vkr_free(context, recorder->text);
    vkr_free(context, recorder->uniforms);
    vkr_free(context, recorder->label);
    vkr_free(context, recorder->memory);
    vkr_free(context, recorder);
}

static void start(VkrRecorder recorder, bool collecting)
{
    recorder->collecting = collecting;
    recorder->error = VKR_SUCCESS;
    recorder->now = recorder->mark = (vkr_mark){0};
}

VkrResult vkrBegin(VkrRecorder recorder)
{
    if (!recorder)
        return VKR_ERROR_INVALID_ARGUMENT;
    VKR_TRY(vkr_check_device(recorder->context, "vkrBegin"));
    start(recorder, true);
    return VKR_SUCCESS;
}

VkrResult vkrReset(VkrRecorder recorder)
{
    if (!recorder)
        return VKR_ERROR_INVALID_ARGUMENT;
    VKR_TRY(vkr_check_device(recorder->context, "vkrReset"));
    if (recorder->collecting) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_STATE,
                        "vkrReset: the recorder is collecting, but must be idle; call vkrEnd "
                        "first.");
    }
    for (uint32_t storage = 0; storage < VKR_STORAGE_COUNT; storage++)
        for (uint32_t i = 0; i < recorder->storage[storage].count; i++)
            recorder->storage[storage].chunks[i].used = 0;
    for (uint32_t i = 0; i < recorder->set_list_count; i++)
        recorder->sets[i].used = 0;
    return VKR_SUCCESS;
}

/* ---- Questions ---- */

VkrResult vkrGetScratchSize(VkrRecorder recorder, VkDeviceSize *size)
{
    VKR_TRY(vkr_check_collecting(recorder, "vkrGetScratchSize"));
    if (!size) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetScratchSize: size is NULL, but must point to a VkDeviceSize.");
    }
    *size = vkr_total_scratch(recorder);
    return VKR_SUCCESS;
}

VkrResult vkrGetOperations(VkrRecorder recorder, uint32_t *operationCount,
                           VkrOperationName *operations)
{
    VKR_TRY(vkr_check_collecting(recorder, "vkrGetOperations"));
    if (!operationCount) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetOperations: operationCount is NULL, but must point to a uint32_t.");
    }
    if (!operations || *operationCount > recorder->now.operations)
        *operationCount = recorder->now.operations;
    for (uint32_t i = 0; operations && i < *operationCount; i++)
        operations[i] =
            (VkrOperationName){recorder->operations[i].call, recorder->operations[i].label};
    return VKR_SUCCESS;
}

/* ---- Acquiring ---- */

static VkrResult acquire_pipelines(VkrRecorder recorder, bool compile)
{
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        vkr_step *step = &recorder->steps[i];
        if (!step->pipeline)
            VKR_TRY(vkr_get_pipeline(recorder->context, step, compile));
    }
    return VKR_SUCCESS;
}

static bool pushes_descriptors(const struct VkrRecorder_T *recorder)
{
    return recorder->context->caps.features & VKR_FEATURE_PUSH_DESCRIPTOR;
}

static VkrResult acquire_host_memory(VkrRecorder recorder, const char *call)
{
    return vkr_reserve_memory(recorder, call,
                              vkr_levels_size(recorder->steps, recorder->now.steps));
}

static VkrResult prepare(VkrRecorder recorder)
{
    VKR_TRY(acquire_pipelines(recorder, true));
    VKR_TRY(vkr_reserve_places(recorder));
    VKR_TRY(vkr_reserve_sets(recorder));
    return acquire_host_memory(recorder, "vkrPrepare");
}

VkrResult vkrPrepare(VkrRecorder recorder)
{
    VKR_TRY(vkr_check_collecting(recorder, "vkrPrepare"));
    recorder->error = prepare(recorder);
    return recorder->error;
}

/* ---- Ending ---- */

static VkrResult check_end_info(const struct VkrContext_T *context, const VkrEndInfo *info)
{
    if (!info) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: info is NULL, but must point to a VkrEndInfo.");
    }
    if (!info->commandBuffer) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: commandBuffer is VK_NULL_HANDLE, but must be a command buffer in "
                        "the recording state.");
    }
    if (info->flags & ~vkr_known_flags(VKR_FLAGS_OF_END)) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: flags is %s, but must have only bits of %s.",
                        vkr_flag_names(VKR_FLAGS_OF_END, info->flags).text,
                        vkr_flag_type_name(VKR_FLAGS_OF_END));
    }
    if (info->consumerAccess && !info->consumerStages) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: consumerStages is 0, but must name the stages of consumerAccess "
                        "%s.",
                        vkr_flag_names(VKR_FLAGS_OF_ACCESS, info->consumerAccess).text);
    }
    return VKR_SUCCESS;
}

/* Operation i ends with query i + 1 of those that the caller gives. */
static VkrResult check_timestamps(const struct VkrRecorder_T *recorder, const VkrEndInfo *info)
{
    const uint64_t need = (uint64_t)recorder->now.operations + 1;
    if (!info->timestamps && info->queryCount == 0)
        return VKR_SUCCESS;
    if (!info->timestamps) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: timestamps is VK_NULL_HANDLE, but must be a query pool, because "
                        "queryCount is %u.",
                        info->queryCount);
    }
    if (info->queryCount < need) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: queryCount is %u, but must be at least %" PRIu64
                        ": 1 more than the recording has operations.",
                        info->queryCount, need);
    }
    if (info->firstQuery > UINT32_MAX - info->queryCount) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: firstQuery is %u, but must be the first of queryCount, %u, "
                        "queries of a pool.",
                        info->firstQuery, info->queryCount);
    }
    return VKR_SUCCESS;
}

static bool touches_range(const struct VkrRecorder_T *recorder, const vkr_access *range)
{
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        for (uint32_t k = 0; k < recorder->steps[i].access_count; k++)
            if (vkr_overlap(&recorder->steps[i].accesses[k], range))
                return true;
    }
    return false;
}

static VkrResult check_scratch(const struct VkrRecorder_T *recorder, const VkrBufferRange *scratch)
{
    const VkDeviceSize need = vkr_total_scratch(recorder);
    if (scratch->offset % vkr_granule(recorder) != 0) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: scratch.offset is %" PRIu64
                        ", but must be a multiple of the context's granule, %" PRIu64 ".",
                        scratch->offset, vkr_granule(recorder));
    }
    if (scratch->size == VK_WHOLE_SIZE || scratch->size > UINT64_MAX - scratch->offset) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: scratch.size is %" PRIu64
                        ", but must be a number of bytes inside the buffer, and scratch.offset is "
                        "%" PRIu64 ".",
                        scratch->size, scratch->offset);
    }
    if (scratch->size < need) {
        return vkr_fail(recorder->context, VKR_ERROR_SCRATCH_TOO_SMALL,
                        "vkrEnd: scratch.size is %" PRIu64 ", but the recording needs %" PRIu64
                        " bytes.",
                        scratch->size, need);
    }
    const vkr_access range = {.buffer = scratch->buffer, .offset = scratch->offset, .size = need};
    if (touches_range(recorder, &range)) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: scratch (%" PRIu64 " bytes from offset %" PRIu64
                        ") overlaps a range that the recording reads or writes, but must be "
                        "used by nothing else.",
                        need, scratch->offset);
    }
    return VKR_SUCCESS;
}

static void write_sets(VkrRecorder recorder)
{
    const struct VkrContext_T *context = recorder->context;
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        vkr_step *step = &recorder->steps[i];
        vkr_sets *sets = &recorder->sets[step->layout->index];
        VkWriteDescriptorSet writes[VKR_MAX_BINDINGS];
        step->set = sets->sets[sets->used++];
        const uint32_t count = vkr_write_bindings(step, step->set, writes);
        context->vk.vkUpdateDescriptorSets(context->device, count, writes, 0, NULL);
    }
}

static void record(VkrRecorder recorder, const VkrEndInfo *info, const vkr_places *m)
{
    struct VkrContext_T *context = recorder->context;
    const vkr_schedule schedule =
        vkr_assign_levels(recorder->steps, recorder->now.steps, recorder->memory);
    recorder->work += schedule.work;
    vkr_claim_places(recorder, m);
    if (!pushes_descriptors(recorder))
        write_sets(recorder);
    const vkr_recording recording = {
        .vk = &context->vk,
        .cmd = info->commandBuffer,
        .push_descriptors = pushes_descriptors(recorder),
        .debug_utils = context->debug_utils,
        .debug = &context->debug,
        .scratch = m->scratch,
        .scratch_used_before = m->scratch.buffer && info->scratch.buffer,
        .counter_size = m->tickets ? 0 : recorder->now.counters,
        .tickets_used_before = m->opened,
        .leaves_tickets = m->closed,
        .consumer_stages = info->consumerStages,
        .consumer_access = info->consumerAccess,
        .timestamps = info->timestamps,
        .first_query = info->firstQuery,
        .query_count = info->queryCount,
        .operations = recorder->operations,
        .operation_count = recorder->now.operations,
    };
    vkr_record(&recording, recorder->steps, recorder->now.steps, schedule.order);
}

static VkrResult end(VkrRecorder recorder, const VkrEndInfo *info)
{
    vkr_places places = {0};
    VKR_TRY(check_end_info(recorder->context, info));
    VKR_TRY(check_timestamps(recorder, info));
    if (info->scratch.buffer)
        VKR_TRY(check_scratch(recorder, &info->scratch));
    VKR_TRY(acquire_pipelines(recorder, !(info->flags & VKR_END_NO_COMPILE_BIT)));
    VKR_TRY(vkr_acquire_places(recorder, info, &places));
    VKR_TRY(vkr_reserve_sets(recorder));
    VKR_TRY(acquire_host_memory(recorder, "vkrEnd"));
    record(recorder, info, &places);
    return VKR_SUCCESS;
}

VkrResult vkrEnd(VkrRecorder recorder, const VkrEndInfo *info)
{
    VkrResult result = vkr_check_collecting(recorder, "vkrEnd");
    if (result == VKR_SUCCESS)
        result = end(recorder, info);
    if (recorder)
        start(recorder, false);
    return result;
}
