/* SPDX-License-Identifier: MIT */
/* Where a recording's scratch, counters, uniforms and unused bindings lie. */
#include <string.h>

#include "message.h"
#include "recorder.h"

#define UNUSED_CHUNK_SIZE (64u * 1024u) /* if only unused bindings need memory */
#define UNIFORM_CHUNK_SIZE (16u * 1024u)
#define TICKET_CHUNK_SIZE (16u * 1024u)

VkDeviceSize vkr_total_scratch(const struct VkrRecorder_T *recorder)
{
    return recorder->now.counters + recorder->now.scratch;
}

static VkrResult reserve_uniforms(VkrRecorder recorder, vkr_places *m)
{
    if (recorder->now.uniforms == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_reserve_storage(recorder, VKR_STORAGE_UNIFORMS, recorder->now.uniforms,
                                UNIFORM_CHUNK_SIZE, &m->uniforms));
    m->first_uniform = m->uniforms->used;
    return VKR_SUCCESS;
}

/* Reserves room for the recorder's own scratch, if any, and for the places of unused bindings after
 * it. */
static VkrResult reserve(VkrRecorder recorder, VkDeviceSize scratch, vkr_places *m)
{
    const VkDeviceSize size = scratch > 0 || recorder->chunk_size < UNUSED_CHUNK_SIZE
                                  ? recorder->chunk_size
                                  : UNUSED_CHUNK_SIZE;
    m->own = scratch + recorder->now.unused;
    if (m->own == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_reserve_storage(recorder, VKR_STORAGE_SCRATCH, m->own, size, &m->chunk));
    m->unused = m->chunk->used + scratch;
    return VKR_SUCCESS;
}

/* Whether the device has local memory that the host can clear. */
static bool has_ticket_memory(const struct VkrContext_T *context)
{
    const VkMemoryPropertyFlags needed = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkPhysicalDeviceMemoryProperties *memory = &context->memory;
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
        if ((memory->memoryTypes[i].propertyFlags & needed) == needed)
            return true;
    return false;
}

/* Counters that are ready for the next execution after each one need no fill if they start as zero,
 * in memory that the host clears in vkrEnd. An execution must find what the one before it has left,
 * after all accesses of that one have ended: of the same recording, or, after vkrReset, of another
 * one. The application orders executions; a barrier that makes the counters visible is at the end
 * of the recording if that has a barrier for its consumer anyway, and otherwise at its start. */
bool vkr_has_tickets(const struct VkrRecorder_T *recorder)
{
    return recorder->now.counters > 0 && !recorder->now.fills &&
           has_ticket_memory(recorder->context);
}

static VkrResult reserve_tickets(VkrRecorder recorder, vkr_places *m)
{
    if (!vkr_has_tickets(recorder))
        return VKR_SUCCESS;
    VKR_TRY(vkr_reserve_storage(recorder, VKR_STORAGE_TICKETS, recorder->now.counters,
                                TICKET_CHUNK_SIZE, &m->tickets));
    m->first_ticket = m->tickets->used;
    return VKR_SUCCESS;
}

VkrResult vkr_reserve_places(VkrRecorder recorder)
{
    vkr_places m = {0};
    VKR_TRY(reserve(recorder, vkr_total_scratch(recorder), &m));
    VKR_TRY(reserve_uniforms(recorder, &m));
    return reserve_tickets(recorder, &m);
}

VkrResult vkr_acquire_places(VkrRecorder recorder, const VkrEndInfo *info, vkr_places *m)
{
    const VkDeviceSize need = vkr_total_scratch(recorder);
    const bool callers = info->scratch.buffer != VK_NULL_HANDLE;
    VKR_TRY(reserve(recorder, callers ? 0 : need, m));
    VKR_TRY(reserve_uniforms(recorder, m));
    VKR_TRY(reserve_tickets(recorder, m));
    m->closed = m->tickets && !callers && info->consumerStages != 0;
    m->opened = m->tickets && (!m->closed || m->tickets->unclosed);
    if (need > 0)
        m->scratch = callers ? (VkrBufferRange){info->scratch.buffer, info->scratch.offset, need}
                             : (VkrBufferRange){m->chunk->buffer, m->chunk->used, need};
    return VKR_SUCCESS;
}

/* Replaces a stand-in for a buffer (VKR_COUNTERS, VKR_SCRATCH, VKR_UNUSED, VKR_UNIFORM_MEMORY) by
 * the buffer, now that it is known. Counters come first, unless they are tickets, and scratch comes
 * after them. */
static void resolve(const struct VkrRecorder_T *recorder, const vkr_places *m, VkBuffer *buffer,
                    VkDeviceSize *offset)
{
    if (*buffer == VKR_COUNTERS && m->tickets) {
        *offset += m->first_ticket;
        *buffer = m->tickets->buffer;
    } else if (*buffer == VKR_COUNTERS || *buffer == VKR_SCRATCH) {
        *offset += m->scratch.offset + (*buffer == VKR_SCRATCH ? recorder->now.counters : 0);
        *buffer = m->scratch.buffer;
    } else if (*buffer == VKR_UNUSED) {
        *offset += m->unused;
        *buffer = m->chunk->buffer;
    } else if (*buffer == VKR_UNIFORM_MEMORY) {
        *offset += m->first_uniform;
        *buffer = m->uniforms->buffer;
    }
}

static void resolve_steps(VkrRecorder recorder, const vkr_places *m)
{
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        vkr_step *step = &recorder->steps[i];
        for (uint32_t k = 0; k < VKR_MAX_BINDINGS; k++) {
            VkDescriptorBufferInfo *bound = &step->bindings[k].buffer;
            const vkr_kind kind = step->variant.bindings.kinds[k];
            if (kind == VKR_KIND_BUFFER || kind == VKR_KIND_UNIFORMS)
                resolve(recorder, m, &bound->buffer, &bound->offset);
        }
        for (uint32_t k = 0; k < step->access_count; k++)
            resolve(recorder, m, &step->accesses[k].buffer, &step->accesses[k].offset);
    }
}

static void write_uniforms(const struct VkrRecorder_T *recorder, const vkr_places *m)
{
    memcpy(m->uniforms->data + m->first_uniform, recorder->uniforms,
           (size_t)recorder->now.uniforms);
    m->uniforms->used += recorder->now.uniforms;
}

void vkr_claim_places(VkrRecorder recorder, const vkr_places *m)
{
    if (m->chunk)
        m->chunk->used += m->own;
    if (m->tickets) {
        memset(m->tickets->data + m->first_ticket, 0, (size_t)recorder->now.counters);
        m->tickets->used += recorder->now.counters;
        m->tickets->unclosed |= !m->closed;
    }
    if (m->uniforms)
        write_uniforms(recorder, m);
    resolve_steps(recorder, m);
}
