/* SPDX-License-Identifier: MIT */
/* Turns levels of steps into commands. */
#include "schedule.h"

#include "layout.h"

#define COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT

static void record_barrier(const vkr_recording *recording, const vkr_barrier *b)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = b->src_access,
                                    .dstAccessMask = b->dst_access};
    if (b->src_stages) {
        recording->vk->vkCmdPipelineBarrier(recording->cmd, b->src_stages, b->dst_stages, 0, 1,
                                            &memory, 0, NULL, 0, NULL);
    }
}

static void record_opening(const vkr_recording *recording)
{
    const bool fill = recording->counter_size > 0;
    if (recording->scratch_used_before) {
        record_barrier(recording,
                       &(vkr_barrier){COMPUTE | TRANSFER,
                                      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                      COMPUTE | (fill ? TRANSFER : 0u),
                                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                          (fill ? VK_ACCESS_TRANSFER_WRITE_BIT : 0u)});
    } else if (recording->tickets_used_before) {
        record_barrier(recording,
                       &(vkr_barrier){COMPUTE, VK_ACCESS_SHADER_WRITE_BIT, COMPUTE,
                                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT});
    }
    if (fill) {
        recording->vk->vkCmdFillBuffer(recording->cmd, recording->scratch.buffer,
                                       recording->scratch.offset, recording->counter_size, 0);
    }
}

static bool touches(const vkr_step *step, const vkr_access *range)
{
    for (uint32_t i = 0; i < step->access_count; i++)
        if (vkr_overlap(&step->accesses[i], range))
            return true;
    return false;
}

uint32_t vkr_first_level_of(const vkr_step *steps, uint32_t count, const vkr_access *range)
{
    uint32_t level = UINT32_MAX;
    for (uint32_t i = 0; i < count && range->size > 0; i++)
        if (steps[i].level < level && touches(&steps[i], range))
            level = steps[i].level;
    return level;
}

/* Whether a step of `level` reads the arguments of its dispatch from memory that an earlier level
 * wrote. The level starts at steps[order[0]]. */
static bool has_written_arguments(const vkr_step *steps, const uint32_t *order, uint32_t left,
                                  uint32_t level)
{
    for (uint32_t i = 0; i < left && steps[order[i]].level == level; i++)
        if (steps[order[i]].waits_for_arguments)
            return true;
    return false;
}

/* Whether a step of `level` declares that it reads uniforms, which only an application's functions
 * do: the library's own are written by the host. */
static bool reads_uniforms(const vkr_step *steps, const uint32_t *order, uint32_t left,
                           uint32_t level)
{
    for (uint32_t i = 0; i < left && steps[order[i]].level == level; i++) {
        const vkr_step *step = &steps[order[i]];
        for (uint32_t k = 0; k < step->access_count; k++)
            if ((step->accesses[k].access & VK_ACCESS_UNIFORM_READ_BIT) != 0)
                return true;
    }
    return false;
}

vkr_barrier vkr_barrier_before(const vkr_step *steps, const uint32_t *order, uint32_t left,
                               uint32_t counter_level)
{
    const uint32_t level = steps[order[0]].level;
    vkr_barrier b = {.dst_stages = COMPUTE,
                     .dst_access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    if (level > 0) {
        b.src_stages |= COMPUTE;
        b.src_access |= VK_ACCESS_SHADER_WRITE_BIT;
    }
    if (reads_uniforms(steps, order, left, level))
        b.dst_access |= VK_ACCESS_UNIFORM_READ_BIT;
    if (level == counter_level) {
        b.src_stages |= TRANSFER;
        b.src_access |= VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    if (has_written_arguments(steps, order, left, level)) {
        b.dst_stages |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
        b.dst_access |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    }
    return b;
}

static void push_bindings(const vkr_recording *recording, const vkr_step *step)
{
    VkWriteDescriptorSet writes[VKR_MAX_BINDINGS];
    const uint32_t count = vkr_write_bindings(step, VK_NULL_HANDLE, writes);
    if (count > 0) {
        recording->vk->vkCmdPushDescriptorSetKHR(recording->cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                 step->pipeline_layout, 0, count, writes);
    }
}

static void record_dispatch(const vkr_recording *recording, const vkr_step *step)
{
    const vkr_commands *vk = recording->vk;
    if (step->push_size > 0) {
        vk->vkCmdPushConstants(recording->cmd, step->pipeline_layout, VK_SHADER_STAGE_COMPUTE_BIT,
                               0, step->push_size, step->push);
    }
    if (step->indirect.buffer)
        vk->vkCmdDispatchIndirect(recording->cmd, step->indirect.buffer, step->indirect.offset);
    else
        vk->vkCmdDispatch(recording->cmd, step->groups[0], step->groups[1], 1);
}

static void record_step(const vkr_recording *recording, const vkr_step *step, VkPipeline *bound)
{
    const vkr_commands *vk = recording->vk;
    const bool labelled = recording->debug_utils && step->label;
    if (labelled) {
        const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                            .pLabelName = step->label};
        recording->debug->begin_label(recording->cmd, &label);
    }
    if (step->pipeline != *bound) {
        vk->vkCmdBindPipeline(recording->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, step->pipeline);
        *bound = step->pipeline;
    }
    if (recording->push_descriptors) {
        push_bindings(recording, step);
    } else {
        vk->vkCmdBindDescriptorSets(recording->cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                    step->pipeline_layout, 0, 1, &step->set, 0, NULL);
    }
    if (step->set1) {
        vk->vkCmdBindDescriptorSets(recording->cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                                    step->pipeline_layout, 1, 1, &step->set1, 0, NULL);
    }
    record_dispatch(recording, step);
    if (labelled)
        recording->debug->end_label(recording->cmd);
}

/* ---- Timestamps ---- */

/* Query `ended` of those of the recording: all that came before has ended on the stages for which
 * the recording waits, and so have its first `ended` operations. */
static void write_timestamp(const vkr_recording *recording, uint32_t ended)
{
    recording->vk->vkCmdWriteTimestamp(recording->cmd, COMPUTE, recording->timestamps,
                                       recording->first_query + ended);
}

/* Writes the timestamps of all operations that have no steps left and follow only such ones. */
static void write_ended(const vkr_recording *recording, uint32_t *ended)
{
    while (*ended < recording->operation_count && recording->operations[*ended].left == 0)
        write_timestamp(recording, ++*ended);
}

static void start_timestamps(const vkr_recording *recording, const vkr_step *steps, uint32_t count,
                             uint32_t *ended)
{
    if (!recording->timestamps)
        return;
    for (uint32_t i = 0; i < recording->operation_count; i++)
        recording->operations[i].left = 0;
    for (uint32_t i = 0; i < count; i++)
        recording->operations[steps[i].operation].left++;
    recording->vk->vkCmdResetQueryPool(recording->cmd, recording->timestamps,
                                       recording->first_query, recording->query_count);
    write_timestamp(recording, 0);
    write_ended(recording, ended);
}

static void end_step(const vkr_recording *recording, const vkr_step *step, uint32_t *ended)
{
    if (!recording->timestamps)
        return;
    recording->operations[step->operation].left--;
    write_ended(recording, ended);
}

/* ---- Recordings ---- */

static void record_closing(const vkr_recording *recording)
{
    vkr_barrier closing = {COMPUTE, VK_ACCESS_SHADER_WRITE_BIT, recording->consumer_stages,
                           recording->consumer_access};
    if (recording->leaves_tickets) {
        closing.dst_stages |= COMPUTE;
        closing.dst_access |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    }
    if (recording->consumer_stages)
        record_barrier(recording, &closing);
}

void vkr_record(const vkr_recording *recording, const vkr_step *steps, uint32_t count,
                const uint32_t *order)
{
    const vkr_access counters = {.buffer = recording->scratch.buffer,
                                 .offset = recording->scratch.offset,
                                 .size = recording->counter_size};
    VkPipeline bound = VK_NULL_HANDLE;
    uint32_t ended = 0;
    start_timestamps(recording, steps, count, &ended);
    if (count == 0)
        return;
    const uint32_t counter_level = vkr_first_level_of(steps, count, &counters);
    record_opening(recording);
    for (uint32_t i = 0; i < count; i++) {
        const vkr_step *step = &steps[order[i]];
        if (i == 0 || step->level != steps[order[i - 1]].level) {
            const vkr_barrier before =
                vkr_barrier_before(steps, order + i, count - i, counter_level);
            record_barrier(recording, &before);
        }
        record_step(recording, step, &bound);
        end_step(recording, step, &ended);
    }
    record_closing(recording);
}
