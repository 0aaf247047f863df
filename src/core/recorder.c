/* SPDX-License-Identifier: MIT */
/* Collects the steps of operations and acquires what recording them needs. */
#include "recorder.h"

#include <inttypes.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "pipeline.h"
#include "schedule.h"

#define DEFAULT_CHUNK_SIZE (1024u * 1024u)
#define UNUSED_CHUNK_SIZE (64u * 1024u) /* of a recorder that needs no scratch of its own */
#define FIRST_STEPS 16u

static VkDeviceSize align_up(VkDeviceSize size, VkDeviceSize granule)
{
    return (size + granule - 1) / granule * granule;
}

static VkDeviceSize granule_of(const struct VkrRecorder_T *recorder)
{
    return recorder->context->caps.granule;
}

/* ---- Life ---- */

static VkrResult set_recorder_info(VkrRecorder recorder, const VkrRecorderInfo *info)
{
    const VkDeviceSize size = info->scratchChunkSize ? info->scratchChunkSize : DEFAULT_CHUNK_SIZE;
    if (size > UINT64_MAX / 2) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateRecorder: scratchChunkSize is %" PRIu64
                        ", but can be at most 2^63 - 1.",
                        size);
    }
    recorder->chunk_size = align_up(size, granule_of(recorder));
    if (info->label) {
        const size_t length = strlen(info->label) + 1;
        recorder->label = vkr_alloc(recorder->context, length);
        if (!recorder->label) {
            return vkr_fail(recorder->context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                            "vkrCreateRecorder: no host memory for the label.");
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
    const VkrResult lost = vkr_check_device(context, "vkrCreateRecorder");
    if (lost != VKR_SUCCESS)
        return lost;
    if (!info || !recorder) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCreateRecorder: %s is NULL, but must point to a %s.",
                        info ? "recorder" : "info", info ? "VkrRecorder" : "VkrRecorderInfo");
    }
    VkrRecorder created = vkr_alloc(context, sizeof(struct VkrRecorder_T));
    if (!created) {
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrCreateRecorder: no host memory for the recorder.");
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
    vkr_free(context, recorder->text);
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
    const VkrResult lost = vkr_check_device(recorder->context, "vkrBegin");
    if (lost != VKR_SUCCESS)
        return lost;
    start(recorder, true);
    return VKR_SUCCESS;
}

VkrResult vkrReset(VkrRecorder recorder)
{
    if (!recorder)
        return VKR_ERROR_INVALID_ARGUMENT;
    const VkrResult lost = vkr_check_device(recorder->context, "vkrReset");
    if (lost != VKR_SUCCESS)
        return lost;
    if (recorder->collecting) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_STATE,
                        "vkrReset: the recorder is collecting, but must be idle; call vkrEnd "
                        "first.");
    }
    for (uint32_t i = 0; i < recorder->chunk_count; i++)
        recorder->chunks[i].used = 0;
    recorder->sets_used = 0;
    return VKR_SUCCESS;
}

/* ---- What operations do ---- */

VkrResult vkr_check_collecting(VkrRecorder recorder, const char *call)
{
    if (!recorder)
        return VKR_ERROR_INVALID_ARGUMENT;
    const VkrResult lost = vkr_check_device(recorder->context, call);
    if (lost != VKR_SUCCESS)
        return lost;
    if (!recorder->collecting) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_STATE,
                        "%s: the recorder is idle, but must be collecting; call vkrBegin first.",
                        call);
    }
    if (recorder->error != VKR_SUCCESS) {
        return vkr_fail(recorder->context, recorder->error,
                        "%s: nothing was done, because an earlier call of this recording failed "
                        "with %s.",
                        call, vkrResultName(recorder->error));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_operation_begin(VkrRecorder recorder, const char *call)
{
    const VkrResult result = vkr_check_collecting(recorder, call);
    if (result == VKR_SUCCESS)
        recorder->call = call;
    return result;
}

VkrResult vkr_operation_end(VkrRecorder recorder, VkrResult result)
{
    if (!recorder || !recorder->collecting)
        return result;
    if (result == VKR_SUCCESS) {
        recorder->mark = recorder->now;
        return result;
    }
    recorder->now = recorder->mark;
    if (recorder->error == VKR_SUCCESS)
        recorder->error = result;
    return result;
}

const struct VkrContext_T *vkr_recorder_context(VkrRecorder recorder)
{
    return recorder->context;
}

static bool grow_steps(VkrRecorder recorder)
{
    if (recorder->now.steps < recorder->step_capacity)
        return true;
    const uint32_t capacity = recorder->step_capacity ? recorder->step_capacity * 2 : FIRST_STEPS;
    vkr_step *steps =
        vkr_grow(recorder->context, recorder->steps, recorder->step_capacity * sizeof(vkr_step),
                 capacity * sizeof(vkr_step));
    if (!steps)
        return false;
    recorder->steps = steps;
    recorder->step_capacity = capacity;
    return true;
}

/* Labels move with their block, and the steps follow. */
static bool grow_text(VkrRecorder recorder, size_t size)
{
    if (recorder->text_capacity - recorder->now.text >= size)
        return true;
    const size_t capacity = 2 * (recorder->now.text + size);
    char *text = vkr_alloc(recorder->context, capacity);
    if (!text)
        return false;
    if (recorder->now.text > 0)
        memcpy(text, recorder->text, recorder->now.text);
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        vkr_step *step = &recorder->steps[i];
        step->label = step->label ? text + (step->label - recorder->text) : NULL;
    }
    vkr_free(recorder->context, recorder->text);
    recorder->text = text;
    recorder->text_capacity = capacity;
    return true;
}

/* A step that passes its limits would have written, or make others read, past its arrays. */
static VkrResult check_step(const struct VkrRecorder_T *recorder, const vkr_step *step)
{
    const struct {
        const char *what;
        uint32_t is, most;
    } rows[] = {
        {"bindings", step->binding_count, VKR_MAX_BINDINGS},
        {"accesses", step->access_count, VKR_MAX_ACCESSES},
        {"bytes of push constants", step->push_size, VKR_MAX_PUSH},
        {"constants", step->variant.constant_count, VKR_MAX_CONSTANTS},
    };
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        if (rows[i].is > rows[i].most)
            return vkr_fail(recorder->context, VKR_ERROR_UNSUPPORTED,
                            "%s: step %u of the recording has %u %s, but must have at most %u.",
                            recorder->call, recorder->now.steps, rows[i].is, rows[i].what,
                            rows[i].most);
    }
    return VKR_SUCCESS;
}

static void fill_bindings(VkrRecorder recorder, vkr_step *step)
{
    const VkDescriptorBufferInfo place = {VKR_UNUSED, recorder->now.unused, granule_of(recorder)};
    bool fills = false;
    for (uint32_t i = 0; i < step->binding_count; i++) {
        if (step->bindings[i].buffer)
            continue;
        step->bindings[i] = place;
        fills = true;
    }
    recorder->now.unused += fills ? granule_of(recorder) : 0;
}

VkrResult vkr_add_step(VkrRecorder recorder, const vkr_step *step)
{
    const VkrResult result = check_step(recorder, step);
    if (result != VKR_SUCCESS)
        return result;
    const size_t length = step->label ? strlen(step->label) + 1 : 0;
    if (!grow_steps(recorder) || !grow_text(recorder, length)) {
        return vkr_fail(recorder->context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "%s: no host memory for step %u of the recording.", recorder->call,
                        recorder->now.steps);
    }
    vkr_step *copy = &recorder->steps[recorder->now.steps++];
    *copy = *step;
    copy->pipeline = VK_NULL_HANDLE;
    fill_bindings(recorder, copy);
    if (step->label) {
        char *label = recorder->text + recorder->now.text;
        memcpy(label, step->label, length);
        recorder->now.text += length;
        copy->label = label;
    }
    return VKR_SUCCESS;
}

/* Half of all sizes is the limit, so that no sum of two regions wraps. */
static VkrResult add_bytes(VkrRecorder recorder, VkDeviceSize *region, VkDeviceSize size,
                           VkDeviceSize *offset)
{
    const VkDeviceSize limit = UINT64_MAX / 4;
    if (size > limit || *region > limit - size) {
        return vkr_fail(recorder->context, VKR_ERROR_OUT_OF_DEVICE_MEMORY,
                        "%s: %" PRIu64 " more bytes of scratch pass what can be addressed.",
                        recorder->call, size);
    }
    *offset = *region;
    *region += align_up(size, granule_of(recorder));
    return VKR_SUCCESS;
}

VkrResult vkr_add_scratch(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset)
{
    return add_bytes(recorder, &recorder->now.scratch, size, offset);
}

VkrResult vkr_add_counters(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset)
{
    return add_bytes(recorder, &recorder->now.counters, size, offset);
}

/* ---- Questions ---- */

static VkDeviceSize total_scratch(const struct VkrRecorder_T *recorder)
{
    return recorder->now.counters + recorder->now.scratch;
}

VkrResult vkrGetScratchSize(VkrRecorder recorder, VkDeviceSize *size)
{
    const VkrResult result = vkr_check_collecting(recorder, "vkrGetScratchSize");
    if (result != VKR_SUCCESS)
        return result;
    if (!size) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetScratchSize: size is NULL, but must point to a VkDeviceSize.");
    }
    *size = total_scratch(recorder);
    return VKR_SUCCESS;
}

/* ---- Acquiring ---- */

/* Where a recording's own memory lies. */
typedef struct memory {
    VkrBufferRange scratch; /* the caller's, the recorder's own, or none */
    vkr_chunk *chunk;       /* of what is the recorder's own, or NULL */
    VkDeviceSize own;       /* bytes of the chunk */
    VkDeviceSize unused;    /* offset of the places of unused bindings in it, which come last */
} memory;

/* Room for the places of unused bindings, behind the scratch where that is the recorder's too. */
static VkrResult reserve(VkrRecorder recorder, VkDeviceSize scratch, memory *m)
{
    const VkDeviceSize size = scratch > 0 || recorder->chunk_size < UNUSED_CHUNK_SIZE
                                  ? recorder->chunk_size
                                  : UNUSED_CHUNK_SIZE;
    m->own = scratch + recorder->now.unused;
    if (m->own == 0)
        return VKR_SUCCESS;
    const VkrResult result = vkr_reserve_scratch(recorder, m->own, size, &m->chunk);
    if (result == VKR_SUCCESS)
        m->unused = m->chunk->used + scratch;
    return result;
}

static VkrResult acquire_pipelines(VkrRecorder recorder, bool compile)
{
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        vkr_step *step = &recorder->steps[i];
        if (step->pipeline)
            continue;
        const VkrResult result =
            vkr_get_pipeline(recorder->context, &step->variant, compile, &step->pipeline);
        if (result != VKR_SUCCESS)
            return result;
    }
    return VKR_SUCCESS;
}

static bool pushes_descriptors(const struct VkrRecorder_T *recorder)
{
    return recorder->context->caps.features & VKR_FEATURE_PUSH_DESCRIPTOR;
}

static VkrResult acquire_sets(VkrRecorder recorder)
{
    return pushes_descriptors(recorder) ? VKR_SUCCESS
                                        : vkr_reserve_sets(recorder, recorder->now.steps);
}

static VkrResult acquire_host_memory(VkrRecorder recorder, const char *call)
{
    return vkr_reserve_memory(recorder, call,
                              vkr_levels_size(recorder->steps, recorder->now.steps));
}

VkrResult vkrPrepare(VkrRecorder recorder)
{
    VkrResult result = vkr_check_collecting(recorder, "vkrPrepare");
    if (result != VKR_SUCCESS)
        return result;
    memory m = {0};
    result = acquire_pipelines(recorder, true);
    if (result == VKR_SUCCESS)
        result = reserve(recorder, total_scratch(recorder), &m);
    if (result == VKR_SUCCESS)
        result = acquire_sets(recorder);
    if (result == VKR_SUCCESS)
        result = acquire_host_memory(recorder, "vkrPrepare");
    recorder->error = result;
    return result;
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
    if (info->flags & ~(uint32_t)VKR_END_NO_COMPILE_BIT) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: flags is 0x%x, but must have only bits of VkrEndFlagBits.",
                        info->flags);
    }
    if (info->consumerAccess && !info->consumerStages) {
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: consumerStages is 0, but must name the stages of consumerAccess "
                        "0x%x.",
                        info->consumerAccess);
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
    const VkDeviceSize need = total_scratch(recorder);
    if (scratch->offset % granule_of(recorder) != 0) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrEnd: scratch.offset is %" PRIu64
                        ", but must be a multiple of the context's granule, %" PRIu64 ".",
                        scratch->offset, granule_of(recorder));
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

static VkrResult acquire_memory(VkrRecorder recorder, const VkrEndInfo *info, memory *m)
{
    const VkDeviceSize need = total_scratch(recorder);
    const bool callers = info->scratch.buffer != VK_NULL_HANDLE;
    const VkrResult result = reserve(recorder, callers ? 0 : need, m);
    if (result == VKR_SUCCESS && need > 0)
        m->scratch = callers ? (VkrBufferRange){info->scratch.buffer, info->scratch.offset, need}
                             : (VkrBufferRange){m->chunk->buffer, m->chunk->used, need};
    return result;
}

/* Counters come first, scratch behind them. */
static void resolve(const struct VkrRecorder_T *recorder, const memory *m, VkBuffer *buffer,
                    VkDeviceSize *offset)
{
    if (*buffer == VKR_COUNTERS || *buffer == VKR_SCRATCH) {
        *offset += m->scratch.offset + (*buffer == VKR_SCRATCH ? recorder->now.counters : 0);
        *buffer = m->scratch.buffer;
    } else if (*buffer == VKR_UNUSED) {
        *offset += m->unused;
        *buffer = m->chunk->buffer;
    }
}

static void resolve_steps(VkrRecorder recorder, const memory *m)
{
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        vkr_step *step = &recorder->steps[i];
        for (uint32_t k = 0; k < step->binding_count; k++)
            resolve(recorder, m, &step->bindings[k].buffer, &step->bindings[k].offset);
        for (uint32_t k = 0; k < step->access_count; k++)
            resolve(recorder, m, &step->accesses[k].buffer, &step->accesses[k].offset);
    }
}

static const VkDescriptorSet *write_sets(VkrRecorder recorder)
{
    const struct VkrContext_T *context = recorder->context;
    if (pushes_descriptors(recorder))
        return NULL;
    const VkDescriptorSet *sets = recorder->sets + recorder->sets_used;
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        VkWriteDescriptorSet writes[VKR_MAX_WRITES];
        const uint32_t count = vkr_write_bindings(&recorder->steps[i], sets[i], writes);
        context->vk.vkUpdateDescriptorSets(context->device, count, writes, 0, NULL);
    }
    recorder->sets_used += recorder->now.steps;
    return sets;
}

static void record(VkrRecorder recorder, const VkrEndInfo *info, const memory *m)
{
    struct VkrContext_T *context = recorder->context;
    const vkr_schedule schedule =
        vkr_assign_levels(recorder->steps, recorder->now.steps, recorder->memory);
    recorder->work += schedule.work;
    resolve_steps(recorder, m);
    const vkr_recording recording = {
        .vk = &context->vk,
        .cmd = info->commandBuffer,
        .layout = context->pipeline_layout,
        .push_descriptors = pushes_descriptors(recorder),
        .sets = write_sets(recorder),
        .debug_utils = context->debug_utils,
        .debug = &context->debug,
        .scratch = m->scratch,
        .scratch_used_before = m->scratch.buffer && info->scratch.buffer,
        .counter_size = recorder->now.counters,
        .consumer_stages = info->consumerStages,
        .consumer_access = info->consumerAccess,
    };
    vkr_record(&recording, recorder->steps, recorder->now.steps, schedule.order);
}

static VkrResult end(VkrRecorder recorder, const VkrEndInfo *info)
{
    memory m = {0};
    VkrResult result = check_end_info(recorder->context, info);
    if (result == VKR_SUCCESS && info->scratch.buffer)
        result = check_scratch(recorder, &info->scratch);
    if (result == VKR_SUCCESS)
        result = acquire_pipelines(recorder, !(info->flags & VKR_END_NO_COMPILE_BIT));
    if (result == VKR_SUCCESS)
        result = acquire_memory(recorder, info, &m);
    if (result == VKR_SUCCESS)
        result = acquire_sets(recorder);
    if (result == VKR_SUCCESS)
        result = acquire_host_memory(recorder, "vkrEnd");
    if (result != VKR_SUCCESS || recorder->now.steps == 0)
        return result;
    if (m.chunk)
        m.chunk->used += m.own;
    record(recorder, info, &m);
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
