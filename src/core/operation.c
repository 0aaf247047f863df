/* SPDX-License-Identifier: MIT */
/* Collects the steps of operations, and the sizes of the memory that they need. */
#include "operation.h"

#include <inttypes.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "recorder.h"

#define FIRST_OPERATIONS 8u
#define FIRST_STEPS 16u
#define FIRST_UNIFORMS 1024u /* bytes */

VkrResult vkr_check_collecting(VkrRecorder recorder, const char *call)
{
    if (!recorder)
        return VKR_ERROR_INVALID_ARGUMENT;
    VKR_TRY(vkr_check_device(recorder->context, call));
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

/* The operation that adds steps. */
static vkr_operation *current(const struct VkrRecorder_T *recorder)
{
    return &recorder->operations[recorder->now.operations];
}

static bool grow_operations(VkrRecorder recorder)
{
    if (recorder->now.operations < recorder->operation_capacity)
        return true;
    const uint32_t capacity =
        recorder->operation_capacity ? recorder->operation_capacity * 2 : FIRST_OPERATIONS;
    vkr_operation *operations = vkr_grow(recorder->context, recorder->operations,
                                         recorder->operation_capacity * sizeof(vkr_operation),
                                         capacity * sizeof(vkr_operation));
    if (!operations)
        return false;
    recorder->operations = operations;
    recorder->operation_capacity = capacity;
    return true;
}

/* The labels lie in one block. When the block moves, whatever points to a label must point into the
 * new block. */
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
    for (uint32_t i = 0; i < recorder->now.operations; i++) {
        vkr_operation *operation = &recorder->operations[i];
        operation->label = operation->label ? text + (operation->label - recorder->text) : NULL;
    }
    for (uint32_t i = 0; i < recorder->now.steps; i++)
        recorder->steps[i].label = recorder->operations[recorder->steps[i].operation].label;
    vkr_free(recorder->context, recorder->text);
    recorder->text = text;
    recorder->text_capacity = capacity;
    return true;
}

VkrResult vkr_operation_begin(VkrRecorder recorder, const char *call, const char *label)
{
    const size_t length = label ? strlen(label) + 1 : 0;
    VKR_TRY(vkr_check_collecting(recorder, call));
    if (!grow_operations(recorder) || !grow_text(recorder, length))
        return vkr_operation_end(recorder, vkr_fail(recorder->context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                                                    "%s: out of host memory for its label.", call));
    *current(recorder) = (vkr_operation){.call = call};
    if (label) {
        current(recorder)->label = memcpy(recorder->text + recorder->now.text, label, length);
        recorder->now.text += length;
    }
    return VKR_SUCCESS;
}

VkrResult vkr_operation_end(VkrRecorder recorder, VkrResult result)
{
    if (!recorder || !recorder->collecting)
        return result;
    if (result == VKR_SUCCESS) {
        recorder->now.operations++;
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

/* A planner that binds or declares too much writes only what fits, but counts everything. Such a
 * step is rejected here. */
static VkrResult check_step(const struct VkrRecorder_T *recorder, const vkr_step *step)
{
    const struct {
        const char *what;
        uint32_t value, max;
    } rows[] = {
        {"accesses", step->access_count, VKR_MAX_ACCESSES},
        {"bytes of push constants", step->push_size, VKR_MAX_PUSH},
        {"bytes of uniforms", step->uniform_size, VKR_MAX_UNIFORMS},
        {"constants", step->variant.constant_count, VKR_MAX_CONSTANTS},
    };
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        if (rows[i].value > rows[i].max)
            return vkr_fail(recorder->context, VKR_ERROR_UNSUPPORTED,
                            "%s: step %u of the recording has %u %s, but must have at most %u.",
                            current(recorder)->call, recorder->now.steps, rows[i].value,
                            rows[i].what, rows[i].max);
    }
    if (step->misfits != 0)
        return vkr_fail(
            recorder->context, VKR_ERROR_UNSUPPORTED,
            "%s: step %u of the recording binds %u descriptors for which its kernel has no "
            "binding.",
            current(recorder)->call, recorder->now.steps, step->misfits);
    return VKR_SUCCESS;
}

static void fill_bindings(VkrRecorder recorder, vkr_step *step)
{
    const VkDescriptorBufferInfo place = {VKR_UNUSED, recorder->now.unused, vkr_granule(recorder)};
    bool fills = false;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        VkDescriptorBufferInfo *bound = &step->bindings[i].buffer;
        if (step->variant.bindings.kinds[i] != VKR_KIND_BUFFER || bound->buffer)
            continue;
        *bound = place;
        fills = true;
    }
    recorder->now.unused += fills ? vkr_granule(recorder) : 0;
}

static bool grow_uniforms(VkrRecorder recorder, VkDeviceSize size)
{
    const size_t old = recorder->uniform_capacity;
    if (old != 0 && old - recorder->now.uniforms >= size)
        return true;
    const size_t capacity = old == 0 ? FIRST_UNIFORMS : 2 * (old + (size_t)size);
    uint8_t *bytes = vkr_grow(recorder->context, recorder->uniforms, old, capacity);
    if (!bytes)
        return false;
    recorder->uniforms = bytes;
    recorder->uniform_capacity = capacity;
    return true;
}

/* Bytes from the start of a step's uniforms to the next uniforms. */
static VkDeviceSize uniform_stride(const struct VkrRecorder_T *recorder, const vkr_step *step)
{
    return vkr_align_up(step->uniform_size, recorder->context->caps.uniform_granule);
}

/* The caller has already grown the array. */
static void place_uniforms(VkrRecorder recorder, vkr_step *step)
{
    const VkDeviceSize stride = uniform_stride(recorder, step);
    VkDeviceSize *end = &recorder->now.uniforms;
    if (*end < stride ||
        memcmp(recorder->uniforms + *end - stride, step->uniforms, step->uniform_size) != 0) {
        memcpy(recorder->uniforms + *end, step->uniforms, step->uniform_size);
        *end += stride;
    }
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++)
        if (step->variant.bindings.kinds[i] == VKR_KIND_UNIFORMS)
            step->bindings[i].buffer =
                (VkDescriptorBufferInfo){VKR_UNIFORM_MEMORY, *end - stride, step->uniform_size};
}

VkrResult vkr_add_step(VkrRecorder recorder, const vkr_step *step)
{
    VKR_TRY(check_step(recorder, step));
    if (!grow_steps(recorder) || !grow_uniforms(recorder, uniform_stride(recorder, step))) {
        return vkr_fail(recorder->context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "%s: out of host memory for step %u of the recording.",
                        current(recorder)->call, recorder->now.steps);
    }
    vkr_step *copy = &recorder->steps[recorder->now.steps++];
    memcpy(copy, step, offsetof(vkr_step, accesses) + step->access_count * sizeof(vkr_access));
    copy->operation = recorder->now.operations;
    copy->call = current(recorder)->call;
    copy->label = current(recorder)->label;
    copy->pipeline = VK_NULL_HANDLE;
    fill_bindings(recorder, copy);
    if (copy->uniform_size > 0)
        place_uniforms(recorder, copy);
    return VKR_SUCCESS;
}

/* A region has at most a quarter of all addresses, so that no sum of regions wraps. */
static VkrResult add_bytes(VkrRecorder recorder, VkDeviceSize *region, VkDeviceSize size,
                           VkDeviceSize *offset)
{
    const VkDeviceSize limit = UINT64_MAX / 4;
    if (size > limit || *region > limit - size) {
        return vkr_fail(recorder->context, VKR_ERROR_OUT_OF_DEVICE_MEMORY,
                        "%s: %" PRIu64 " more bytes of scratch exceed what can be addressed.",
                        current(recorder)->call, size);
    }
    *offset = *region;
    *region += vkr_align_up(size, vkr_granule(recorder));
    return VKR_SUCCESS;
}

VkrResult vkr_add_scratch(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset)
{
    return add_bytes(recorder, &recorder->now.scratch, size, offset);
}

VkrResult vkr_add_counters(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset)
{
    recorder->now.fills = recorder->now.fills || size != 0;
    return add_bytes(recorder, &recorder->now.counters, size, offset);
}

VkrResult vkr_add_tickets(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset)
{
    return add_bytes(recorder, &recorder->now.counters, size, offset);
}
