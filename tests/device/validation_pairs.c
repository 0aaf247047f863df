/* SPDX-License-Identifier: MIT */
/*
 * Every operation followed by every other one, on the same input and on the other one's results, in
 * one recording and in two consecutive ones, with barriers that only do what recorder.h requires.
 * Command buffers are recorded and not submitted: the layer checks recordings, and executing them
 * would take time.
 */
#include <string.h>

#include "operations.h"
#include "validation.h"

#define COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define SLOT (1u << 20) /* distance in bytes between outputs of an operation */
#define CHAINED 1000u

static const uint32_t sizes[] = {1, 32, CHAINED, OPERATION_MOST};

/* INPUT and OTHERS are read; each of the two operations writes its own outputs. */
enum { INPUT, OTHERS, FIRST, SECOND, PAIR_BUFFERS };
static const VkDeviceSize buffer_sizes[PAIR_BUFFERS] = {
    SLOT, OPERATION_OTHERS, OPERATION_SLOTS *SLOT, OPERATION_SLOTS *SLOT};
static harness_buffer pair[PAIR_BUFFERS];

/* ---- Barriers ---- */

static VkBufferMemoryBarrier order(uint32_t index, VkAccessFlags from, VkAccessFlags to)
{
    return (VkBufferMemoryBarrier){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                   .srcAccessMask = from,
                                   .dstAccessMask = to,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .buffer = pair[index].buffer,
                                   .size = VK_WHOLE_SIZE};
}

static bool is_read(uint32_t index)
{
    return index == INPUT || index == OTHERS;
}

/* The caller writes everything again. Outputs are made available for writes only. */
static void refill(void)
{
    VkBufferMemoryBarrier before[PAIR_BUFFERS], after[PAIR_BUFFERS];
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++) {
        before[i] =
            order(i, is_read(i) ? 0 : VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
        after[i] = order(i, VK_ACCESS_TRANSFER_WRITE_BIT,
                         is_read(i) ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_SHADER_WRITE_BIT);
    }
    vkCmdPipelineBarrier(device.cmd, COMPUTE, TRANSFER, 0, 0, NULL, PAIR_BUFFERS, before, 0, NULL);
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++)
        vkCmdFillBuffer(device.cmd, pair[i].buffer, 0, VK_WHOLE_SIZE, 1);
    vkCmdPipelineBarrier(device.cmd, TRANSFER, COMPUTE, 0, 0, NULL, PAIR_BUFFERS, after, 0, NULL);
}

/* ---- Pairs ---- */

static void end_and_begin(const operation_run *r, bool begins)
{
    assert_int_equal(vkrEnd(r->recorder, &(VkrEndInfo){.commandBuffer = device.cmd}), VKR_SUCCESS);
    if (begins)
        assert_int_equal(vkrBegin(r->recorder), VKR_SUCCESS);
}

static void record_pair(operation_run r, const operation_row *first, const operation_row *second,
                        bool chained, bool apart)
{
    const VkBufferMemoryBarrier results =
        order(FIRST, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT);
    refill();
    r.source = pair[INPUT].buffer;
    r.target = pair[FIRST].buffer;
    assert_int_equal(vkrBegin(r.recorder), VKR_SUCCESS);
    assert_int_equal(first->kind->collect(&r, first), VKR_SUCCESS);
    if (apart)
        end_and_begin(&r, true);
    if (apart && chained)
        vkCmdPipelineBarrier(device.cmd, COMPUTE, COMPUTE, 0, 0, NULL, 1, &results, 0, NULL);
    r.source = pair[chained ? FIRST : INPUT].buffer;
    r.target = pair[SECOND].buffer;
    assert_int_equal(second->kind->collect(&r, second), VKR_SUCCESS);
    end_and_begin(&r, false);
}

/* Records all pairs that start with one operation, in one command buffer. With CHAINED elements the
 * first operation's results also serve as the second one's input. */
static void record_pairs_of(operation_run r, const operation_row *first, uint32_t count)
{
    r.count = count;
    assert_true(harness_begin(&device));
    for (uint32_t k = 0; k < operation_row_count; k++)
        for (uint32_t way = 0; way < (count == CHAINED ? 4 : 2); way++)
            record_pair(r, first, &operation_rows[k], way & 2, way & 1);
    assert_true(harness_end(&device));
    assert_int_equal(vkrReset(r.recorder), VKR_SUCCESS);
}

void record_pairs(session *s, const scenario *t)
{
    const VkrModuleInfo module = {.code = operation_code, .codeSize = operation_code_size};
    operation_run r = {
        .context = s->context, .recorder = s->recorder, .type = t->type, .slot = SLOT};
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++)
        assert_true(harness_create_buffer(&device, buffer_sizes[i], &pair[i]));
    r.others = pair[OTHERS].buffer;
    assert_int_equal(vkrCreateModule(s->context, &module, &r.module), VKR_SUCCESS);
    const bool planted = t->fault.report != NULL; /* the first pairs meet it */
    for (size_t i = 0; i < (planted ? 1 : LENGTH(sizes)); i++)
        for (uint32_t k = 0; k < (planted ? 1 : operation_row_count); k++)
            record_pairs_of(r, &operation_rows[k], sizes[i]);
    vkrDestroyModule(r.module);
    for (uint32_t i = 0; i < PAIR_BUFFERS; i++)
        harness_destroy_buffer(&device, &pair[i]);
}
