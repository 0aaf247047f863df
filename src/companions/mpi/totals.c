/* SPDX-License-Identifier: MIT */
/* ranks.h: the totals of a part of a scan. */
#define VK_NO_PROTOTYPES
#include "vkreduce/ranks.h"
#include "vkreduce/recorder.h"
#include "vkreduce/reduce.h"

#include "views.h"

uint64_t vkrGetTotalBlock(const VkrScanInfo *scan, VkrType type)
{
    const VkBool32 rounds = (type == VKR_TYPE_F32 || type == VKR_TYPE_F64) &&
                            (scan->op == VKR_OP_SUM || scan->op == VKR_OP_PRODUCT);
    return rounds && scan->determinism == VKR_DETERMINISM_DEVICE ? VKR_SCAN_BLOCK : 0;
}

/* Scans each block as if it were all data. */
static VkrResult scan_blocks(VkrRecorder recorder, const VkrScanInfo *scan, VkrBufferRange total)
{
    VkrResult result = VKR_SUCCESS;
    for (uint64_t done = 0; done < scan->count && result == VKR_SUCCESS; done += VKR_SCAN_BLOCK) {
        const uint64_t left = scan->count - done;
        const uint64_t count = left < VKR_SCAN_BLOCK ? left : VKR_SCAN_BLOCK;
        const uint64_t first = (scan->flags & VKR_SCAN_REVERSE_BIT) != 0 ? left - count : done;
        VkrScanInfo block = *scan;
        block.input = mpi_part_of(&scan->input, first, count);
        block.input.texels = scan->input.texels;
        block.output = mpi_part_of(&scan->output, first, count);
        block.count = count;
        block.initial = NULL;
        block.total = total;
        total.offset += VKR_TOTAL_DISTANCE;
        result = vkrCmdScan(recorder, &block);
    }
    return result;
}

VkrResult vkrCmdTotals(VkrRecorder recorder, const VkrScanInfo *scan, VkrType type, VkBuffer totals,
                       VkDeviceSize offset)
{
    const VkrView one = {.type = type, .components = scan->input.components};
    const VkrBufferRange total = {totals, offset, mpi_element(&one)};
    const VkrReduceInfo reduce = {.label = scan->label,
                                  .ops = (VkrOpFlags)scan->op,
                                  .input = scan->input,
                                  .count = scan->count,
                                  .output = total,
                                  .accumulator = scan->accumulator,
                                  .nan = scan->nan};
    return vkrGetTotalBlock(scan, type) != 0 ? scan_blocks(recorder, scan, total)
                                             : vkrCmdReduce(recorder, &reduce);
}
