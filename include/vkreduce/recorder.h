/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/recorder.h: collects operations and records them into the caller's command buffer.
 *
 * Synchronisation
 *  - On entry the caller guarantees that inputs (GPU-resident counts too) are available and visible
 *    to COMPUTE_SHADER / SHADER_READ, and that earlier reads and writes of outputs are ordered
 *    before COMPUTE_SHADER / SHADER_WRITE.
 *  - On exit outputs were last written by COMPUTE_SHADER / SHADER_WRITE. vkrEnd makes them visible
 *    to the consumer that VkrEndInfo names; where it names none, vkrEnd records no closing barrier.
 *  - Counters of workgroups need no fill where they lie in memory that the host clears for each
 *    recording, and each execution leaves them ready for the next one. A barrier for
 *    COMPUTE_SHADER, SHADER_READ and SHADER_WRITE then orders executions. It is a part of the
 *    closing barrier, so that the recording starts with neither a fill nor a barrier, and orders
 *    its dispatches before all later ones of the queue; executions of such a recording on two
 *    queues need a semaphore between them. Without a consumer, with the caller's scratch, or if an
 *    earlier recording of this recorder was one of these, the recording starts with the barrier,
 *    which orders it after all earlier dispatches of the queue.
 *  - Operations of one recording that touch the same bytes run in the order in which they were
 *    collected; all others may overlap. Two VkBuffers bound to the same memory count as disjoint.
 *
 * State of the command buffer
 *  - vkrEnd invalidates the bound compute pipeline, the compute descriptor sets and all push
 *    constants. It records vkCmdBindPipeline, vkCmdBindDescriptorSets or
 *    vkCmdPushDescriptorSetKHR, and vkCmdPushConstants, and itself binds what these need.
 *  - VK_EXT_descriptor_buffer: its specification says that vkCmdBindDescriptorSets invalidates what
 *    vkCmdSetDescriptorBufferOffsetsEXT and vkCmdBindDescriptorBufferEmbeddedSamplersEXT have
 *    bound, and names no bind point there. So a renderer calls both again after vkrEnd, for
 *    graphics too. The buffers of vkCmdBindDescriptorBuffersEXT are not named and stay bound.
 *  - VK_EXT_descriptor_heap: each of these three commands for descriptors and push constants
 *    invalidates all state of vkCmdBindSamplerHeapEXT, vkCmdBindResourceHeapEXT and
 *    vkCmdPushDataEXT, which graphics and compute share. So after vkrEnd both heaps are bound and
 *    push data is pushed again. Vulkan forbids these commands in a secondary command buffer that
 *    inherits a heap (VkCommandBufferInheritanceDescriptorHeapInfoEXT), so vkrEnd cannot record
 *    into one.
 *  - A context for which one of these two extensions is enabled notes that (PFN_vkrMessage).
 */
#ifndef VKREDUCE_RECORDER_H
#define VKREDUCE_RECORDER_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VkrRecorderInfo {
    const char *label;             /* optional: names the recorder's buffers and descriptor pools */
    VkDeviceSize scratchChunkSize; /* minimum size of an allocation of scratch memory; 0: 1 MiB */
} VkrRecorderInfo;

typedef enum VkrEndFlagBits {
    /* Fail with VKR_ERROR_NOT_PREPARED rather than compile a pipeline. */
    VKR_END_NO_COMPILE_BIT = 1 << 0,
    VKR_END_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrEndFlagBits;

typedef struct VkrEndInfo {
    /* It must be in the recording state, outside a render pass, and of a queue family with compute;
     * it may be a secondary command buffer. */
    VkCommandBuffer commandBuffer;
    uint32_t flags; /* VkrEndFlagBits */
    /* The next readers of the outputs. Both 0: no closing barrier. */
    VkPipelineStageFlags consumerStages;
    VkAccessFlags consumerAccess;
    /* The caller's scratch memory: it has STORAGE_BUFFER and TRANSFER_DST usage and an offset that
     * is a multiple of the context's granule, and nothing else uses it until the work has executed.
     * Without a buffer the recorder uses its own. */
    VkrBufferRange scratch;
    /*
     * Where the time goes: optional queries of the type VK_QUERY_TYPE_TIMESTAMP, at least 1 more
     * than there are operations (vkrGetOperations). vkrEnd resets all queryCount ones, from
     * firstQuery on, in the command buffer, and writes the first one before its first command. Once
     * the first k operations have ended it writes query firstQuery + k; so an operation took the
     * difference of its two neighbours, and the last of them ends all. Those beyond stay
     * unavailable.
     *
     * The stage is COMPUTE_SHADER: a timestamp waits for all earlier dispatches, and for what
     * barriers order before them, but not for drawing that may overlap. An implementation may write
     * it later. It adds no barrier and changes no order. So operations that may overlap are not
     * told apart: a step of a later operation may run before the end of an earlier one, which then
     * has its time, and the later one has only what is left when all earlier ones have ended,
     * perhaps nothing. For the time of each alone, end each in a recording of its own, with
     * barriers between them. The first operation has the time of the opening barrier and of the
     * fill, too; an operation without dispatches has its query all the same.
     *
     * The queue family of the command buffer must have timestampValidBits, which the library cannot
     * see. Each execution resets and writes the queries again.
     */
    VkQueryPool timestamps;
    uint32_t firstQuery;
    uint32_t queryCount; /* 0 without a pool */
} VkrEndInfo;

/* What an operation of a recording is called. */
typedef struct VkrOperationName {
    const char *function; /* that collected it, such as "vkrCmdReduce" */
    const char *label;    /* of its info; NULL: none */
} VkrOperationName;

/* One access of the recording, as data for a render graph. Either buffer or image is null. */
typedef struct VkrUse {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    VkImage image;
    VkImageSubresourceRange subresource;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} VkrUse;

/*
 * One thread at a time may use a recorder; applications have one per frame in flight. It owns
 * descriptor sets and scratch memory that recorded command buffers use: do not destroy or reset it
 * before they have executed. Besides scratch, and even if that is the caller's, it owns a little
 * memory of three kinds. Uniform buffers, mapped for as long as the recorder lives (16 KiB at
 * first), hold arguments of operations: vkrEnd writes them, and nothing changes them until
 * vkrReset. Counters of workgroups (16 KiB at first, mapped too) lie in memory of their own if the
 * device has memory that is HOST_VISIBLE, HOST_COHERENT and DEVICE_LOCAL; vkrEnd sets those of its
 * recording to zero, and each execution of it expects what the one before has left. The third kind
 * (a granule for each dispatch, 64 KiB at first) is never read or written: bindings of a kernel
 * that a dispatch does not use point there, so that neither validation nor a driver sees an access
 * to the caller's memory that does not happen.
 * vkrDestroyRecorder ignores NULL.
 */
VKR_API VkrResult vkrCreateRecorder(VkrContext context, const VkrRecorderInfo *info,
                                    VkrRecorder *recorder);
VKR_API void vkrDestroyRecorder(VkrRecorder recorder);

/* Starts a recording; discards operations that were collected and not ended, and their error.
 * Between this call and vkrEnd the functions vkrCmd.. collect operations. */
VKR_API VkrResult vkrBegin(VkrRecorder recorder);

/* Returns how many bytes of scratch the operations collected so far need, for
 * VkrEndInfo::scratch. */
VKR_API VkrResult vkrGetScratchSize(VkrRecorder recorder, VkDeviceSize *size);

/* Compiles the pipelines, and allocates the descriptor sets, the uniform buffers and the recorder's
 * own scratch, that vkrEnd will need. */
VKR_API VkrResult vkrPrepare(VkrRecorder recorder);

/*
 * Lists the caller's resources that the collected operations touch, with one entry per resource,
 * range and kind of access. With uses NULL, *useCount becomes their number; else at most *useCount
 * entries are written and *useCount becomes their number.
 */
VKR_API VkrResult vkrGetUses(VkrRecorder recorder, uint32_t *useCount, VkrUse *uses);

/*
 * Lists the collected operations in their order. With operations NULL, *operationCount becomes
 * their number; else at most *operationCount are written and *operationCount becomes their number.
 * The texts are valid until the recorder collects another operation or is destroyed.
 */
VKR_API VkrResult vkrGetOperations(VkrRecorder recorder, uint32_t *operationCount,
                                   VkrOperationName *operations);

/*
 * Records all collected operations and discards them, even if it fails. All memory, sets and
 * pipelines are acquired before the first command, so a failed call has recorded nothing. The
 * command buffer may be submitted again, but not concurrently with itself, until vkrReset.
 */
VKR_API VkrResult vkrEnd(VkrRecorder recorder, const VkrEndInfo *info);

/* Frees memory and descriptor sets for the next recordings, and keeps the memory allocated. The GPU
 * must be done with everything recorded. Not allowed between vkrBegin and vkrEnd. */
VKR_API VkrResult vkrReset(VkrRecorder recorder);

#ifdef __cplusplus
}
#endif

#endif
