/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/testing.h: the self-test of a device, descriptions of recordings, and test hooks.
 * vkreduce.h does not include it.
 *
 * Applications may call the functions. The test hooks are for the library's own tests: they may
 * change with every version.
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
    VkrGroupPath before; /* the group path in use before and after the call */
    VkrGroupPath after;
    /* By VkrGroupPath: the numbers of results that were compared, and of those that were wrong. A
     * path with a kernel that the driver does not compile, and that no other kernel replaces, has
     * one result, which is wrong. */
    uint32_t checks[VKR_GROUP_PATH_COUNT];
    uint32_t wrong[VKR_GROUP_PATH_COUNT];
} VkrSelfTestReport;

/*
 * Runs small reductions, scans, compactions, sorts, selections and searches with known answers on
 * the group path in use and on those below it, reports through the message callback which group
 * paths gave wrong answers, and selects the best one that gave none. (Work that always uses shared
 * memory, such as that of VKR_DETERMINISM_DEVICE, relies on wrong[VKR_GROUP_PATH_SHARED] being 0.)
 * Fails with VKR_ERROR_UNSUPPORTED if every group path gave wrong answers: then the context must
 * not be used.
 * Any other failure leaves the context unchanged.
 *
 * This is the only call that submits and waits; it creates and destroys what it needs. If the work
 * has not ended after a minute, the call returns VKR_ERROR_DEVICE_LOST, and the objects in use are
 * freed with the context: destroy that once the queue is idle or the device is lost. Call it right
 * after vkrCreateContext, or at least while no recorder is collecting and no other thread uses the
 * context. `report` may be NULL.
 */
VKR_API VkrResult vkrSelfTest(VkrContext context, const VkrSelfTestInfo *info,
                              VkrSelfTestReport *report);

/* ---- Descriptions ---- */

/* Gets one line, which ends with 0 instead of a newline, and which the call owns. */
typedef void (*PFN_vkrLine)(void *data, const char *line);

/*
 * Describes the plan of a recording, for a developer who wants to know what vkrEnd would record:
 * dispatches in their order, level by level, the barriers between levels, and the fill of counters.
 * Each dispatch has the function that added it, its label, its kernel and its number of workgroups,
 * or where the GPU finds that; the constants, push constants and uniforms that are not 0, floats as
 * bits, under the names on the kernel's card (shaders/cards); the buffer, offset and size of each
 * binding; and the ranges that it reads, writes or changes, from which the levels follow. `scratch`
 * and `counters` are the recording's own memory, which vkrEnd places.
 *
 * Call it between vkrBegin and vkrEnd, after any of the operations and as often as you like. It
 * compiles nothing and leaves the recording as it is, but the recorder keeps the host memory that
 * it allocates. The barriers before and after the recording depend on VkrEndInfo, so they are not
 * described. As with every function of a recorder, only one thread may use the recorder at a time;
 * `line` is called on the thread of the caller, and must not use the recorder.
 *
 * The text is for people: no version promises its form, so do not parse it. Very long lines are cut
 * off.
 */
VKR_API VkrResult vkrDescribe(VkrRecorder recorder, PFN_vkrLine line, void *data);

/* ---- Test hooks ---- */

/* For VkrContextInfo::testHooks: they cause on small data situations that otherwise need large
 * counts or unlucky timing. */
typedef struct VkrTestHooks {
    VkBool32 wideIndices; /* indices are u64, as if counts could reach 2^32 */
    uint32_t mutedTile;   /* 1 + the tile of single-pass algorithms that never publishes anything */
    uint32_t storageImages; /* max that a dispatch may bind, at least 4; 0: the device's */
    /* VKR_REDUCE_PINGPONG and RECURSIVE_2D get the coordinates of a value from the grid of the
     * dispatch, where its limits allow that; else they compute them from the value's index
     * (Goeddeke's solutions 1 and 2, which give the same bits). */
    VkBool32 gridCoordinates;
    /* The bits of a word when kernels load packs of 16 bytes on CPUs: 32, as on GPUs, or 64 if
     * there are such kernels; 0: the library chooses. */
    uint32_t packBits;
    /* Drivers get SPIR-V modules as they were built, not reduced to what the constants of a
     * pipeline need: results are the same, but compiling takes longer. */
    VkBool32 modulesAsBuilt;
    /* Sorts of any size have the large tiles that long ones have where these are faster. */
    VkBool32 largeSorts;
    /* On CPUs, too, the second pass of a scan that reads twice starts with the last elements. */
    VkBool32 goesBack;
} VkrTestHooks;

#ifdef __cplusplus
}
#endif

#endif
