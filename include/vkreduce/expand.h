/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/expand.h: expansion, the inverse of compaction.
 *
 * Element i, a source, emits counts[i] outputs, of none to all that there are. Outputs are in the
 * order of their sources, and those of a source are numbered from 0: output p of the whole, which
 * has rank r among those of source i, writes
 *
 *     sources[p] = i
 *     ranks[p] = r
 *     payload[p] = payload[i]
 *
 * So splats emit an output for each tile that they cover, meshlets one for each triangle, and rows
 * of a table one for each of their entries. Results are the same on every device and in every run.
 *
 * Work is shared out by sources and outputs together, so that neither one source with most of the
 * outputs nor many sources without any delay the rest. Source: S. Odeh, O. Green, Z. Mwassi,
 * O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple" (2012), with the first outputs
 * of sources as one of the two lists, as D. Merrill and M. Garland use it in "Merge-based Parallel
 * Sparse Matrix-Vector Multiplication" (2016).
 */
#ifndef VKREDUCE_EXPAND_H
#define VKREDUCE_EXPAND_H

#include "compact.h"
#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Outputs must not overlap each other or an input. A view with a null buffer and no sizes means
 * that this output is not requested; any set of outputs is allowed, even none: then only the counts
 * are written. Outputs are written only where there is something to write. */
typedef struct VkrExpandInfo {
    const char *label; /* optional */
    VkrView counts;    /* U32 of one component; with a map of a function, what this returns */
    /* The number of sources, below 2^31; VKR_COUNT_ALL is all of `counts`, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    /* How many outputs are stored at most: those after them are counted, and left out. 0: as many
     * as the smallest output has room for. Never more than 2^31. The dispatch has a workgroup for
     * some thousand sources and outputs, those that may be stored; where there are fewer, the
     * others end at once. */
    uint64_t capacity;
    VkrView sources; /* U32 of one component */
    VkrView ranks;   /* likewise */
    uint32_t payloadCount;
    const VkrPayload *payloads; /* `source` has an entry for each source, `target` one for each
                                 * output; `rejected` is VK_FALSE */
    /* KEPT is the number of outputs that the counts add up to, as a u64 exactly and as a u32 its
     * low bits; STORED is how many of these are stored, and REJECTED how many are left out. */
    uint32_t countOutputCount;
    const VkrCountOutput *countOutputs;
} VkrExpandInfo;

/* Collects an expansion; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdExpand(VkrRecorder recorder, const VkrExpandInfo *info);

#ifdef __cplusplus
}
#endif

#endif
