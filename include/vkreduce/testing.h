/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/testing.h: is the device right? vkreduce.h does not include this header.
 *
 * Applications may call the self-test. The test hooks are for the library's own tests: there is no
 * promise that they stay as they are from one version to the next.
 */
#ifndef VKREDUCE_TESTING_H
#define VKREDUCE_TESTING_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Self-test ---- */

typedef struct VkrSelfTestInfo {
    VkQueue queue; /* capable of compute; externally synchronised during the call */
    uint32_t queueFamilyIndex;
} VkrSelfTestInfo;

typedef struct VkrSelfTestReport {
    VkrGroupPath before; /* the group path in use when the call began, and when it ended */
    VkrGroupPath after;
    /* By VkrGroupPath: how many results were compared, and how many of them were wrong. */
    uint32_t checks[VKR_GROUP_PATH_COUNT];
    uint32_t wrong[VKR_GROUP_PATH_COUNT];
} VkrSelfTestReport;

/*
 * Runs small reductions, scans and compactions with known answers on the group path in use and on
 * those below it, says through the message callback which group paths gave wrong answers, and steps
 * down to the best one that gave none. (What always uses shared memory, such as
 * VKR_DETERMINISM_DEVICE, trusts wrong[VKR_GROUP_PATH_SHARED] to be 0.) Fails with
 * VKR_ERROR_UNSUPPORTED where no group path is right: then the context must not be used. After any
 * other failure the context is as before.
 *
 * This is the only call that submits and waits; it creates and destroys what it needs. Work that
 * has not ended after a minute is VKR_ERROR_DEVICE_LOST, and what it uses is freed with the
 * context: destroy that once the queue is idle or the device lost. Call it right after
 * vkrCreateContext, or at least while no recorder is collecting and no other thread uses the
 * context. `report` may be NULL.
 */
VKR_API VkrResult vkrSelfTest(VkrContext context, const VkrSelfTestInfo *info,
                              VkrSelfTestReport *report);

/* ---- Test hooks ---- */

/* For VkrContextInfo::testHooks: they cause on small data what otherwise needs large counts or
 * unlucky timing. */
typedef struct VkrTestHooks {
    VkBool32 wideIndices; /* indices are u64, as if counts could reach 2^32 */
    uint32_t mutedTile;   /* 1 + the tile of single-pass algorithms that never publishes anything */
    uint32_t storageImages; /* that a dispatch may bind, if not 0: at least 4 */
    /* VKR_REDUCE_PINGPONG and RECURSIVE_2D have the place of a value handed to them, by the grid of
     * the dispatch, where its limits allow that; else they compute it from the value's number
     * (Goeddeke's solutions 1 and 2, which give the same bits). */
    VkBool32 gridCoordinates;
    /* The words by which kernels take packs of 16 bytes on CPUs: of 32 bits, as on GPUs, or of 64
     * where there are such kernels; 0 leaves it to the library. */
    uint32_t packBits;
    /* Drivers get SPIR-V modules as they were built, not what the library leaves of them for the
     * constants of a pipeline: the same results, but it takes longer to compile them. */
    VkBool32 modulesAsBuilt;
} VkrTestHooks;

#ifdef __cplusplus
}
#endif

#endif
