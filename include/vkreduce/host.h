/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/host.h: operations on arrays of the host, for programs that have no Vulkan code.
 *
 * This is the header of a library of its own, libvkreduce-host (vkreduce-host for pkg-config). It
 * finds the Vulkan loader when a host is created, and needs no other library than vkreduce.
 *
 *     VkrHost host;
 *     float sum;
 *     vkrCreateHost(&(VkrHostInfo){.message = print}, &host);
 *     vkrHostReduce(host, &(VkrHostReduceInfo){
 *                             .reduce = {.ops = VKR_OP_SUM, .input = {.type = VKR_TYPE_F32},
 *                                        .count = count},
 *                             .input = values, .results = &sum, .resultsSize = sizeof sum});
 *     vkrDestroyHost(host);
 *
 * A host is a device with a queue, a context, a recorder and a command buffer. What the calls for
 * one array do not have, and several operations in one submission, are recorded by the functions
 * vkrCmd.. as ever:
 *
 *     vkrHostBegin(host);
 *     vkrHostAttach(host, &(VkrHostArray){values, size, VKR_HOST_READ}, &input);
 *     vkrHostAttach(host, &(VkrHostArray){result, sizeof result, VKR_HOST_WRITE}, &output);
 *     vkrCmdReduce(vkrHostRecorder(host), &(VkrReduceInfo){..});
 *     vkrHostRun(host);                      now the arrays have what the operations wrote
 *
 * Threads: one thread at a time uses a host. Hosts that share a device (VkrHostInfo::shared) may be
 * used by several threads, one each; their submissions to the queue take turns. vkrHostContext and
 * what it returns may be used by any thread.
 *
 * Errors: every function says in one sentence which argument was wrong, or which call of Vulkan
 * failed, by VkrHostInfo::message. A call that fails leaves what the caller's arrays had, except
 * those that it was to write. After VKR_ERROR_DEVICE_LOST and VKR_ERROR_TIMEOUT a host can only be
 * destroyed: its other functions return the same error. A wait that fails for another reason is
 * tried again before memory is freed; where it fails again, the host is as after VKR_ERROR_TIMEOUT.
 */
#ifndef VKREDUCE_HOST_H
#define VKREDUCE_HOST_H

#include "apply.h"
#include "bounds.h"
#include "compact.h"
#include "device.h"
#include "expand.h"
#include "histogram.h"
#include "merge.h"
#include "recorder.h"
#include "reduce.h"
#include "scan.h"
#include "select.h"
#include "sort.h"
#include "topk.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct VkrHost_T *VkrHost;

/* ---- Hosts ---- */

typedef enum VkrHostFlagBits {
    /* vkrGetHostTime tells how long the device worked. */
    VKR_HOST_TIMESTAMPS_BIT = 1 << 0,
    /* Compiled pipelines are neither read from a file nor written to one. */
    VKR_HOST_NO_CACHE_BIT = 1 << 1,
    /* Device memory is not mapped, and arrays are not imported, as on a device whose memory the
     * host cannot see: to try what such a device does. */
    VKR_HOST_UNMAPPED_BIT = 1 << 2,
    /* vkrGetHostTimes tells how long each operation took. Timestamps between operations can make
     * the whole slower. */
    VKR_HOST_OPERATION_TIMES_BIT = 1 << 3,
    VKR_HOST_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrHostFlagBits;

/* Called while vkrHostWait waits, about ten times a second, with the nanoseconds since it started.
 * VK_FALSE ends the wait with VKR_ERROR_TIMEOUT. */
typedef VkBool32 (*PFN_vkrHostProgress)(void *data, uint64_t waited);

/* The Vulkan objects of a host. */
typedef struct VkrHostVulkan {
    PFN_vkGetInstanceProcAddr getInstanceProcAddr;
    VkInstance instance;
    uint32_t apiVersion; /* of the instance */
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    uint32_t queueFamily;
    VkQueue queue; /* of that family, which has compute */
    VkrContext context;
    uint32_t timestampBits; /* of the queue; 0: it has no timestamps. The host finds them itself */
} VkrHostVulkan;

/* All members are optional. */
typedef struct VkrHostInfo {
    /* A host whose Vulkan objects this one uses too, with a recorder and commands of its own, as
     * long as it likes: the objects live until the last host that shares them is destroyed. Memory
     * of one is memory of the others. Members that choose a device or create objects are then 0. */
    VkrHost shared;
    /* An index of vkrGetHostDevices, or a part of a device's or driver's name, where capitals count
     * as small letters; a number is always an index. NULL: a discrete GPU, else an integrated, a
     * virtual one, or a CPU driver. Of several that are equally good, number `turn` is chosen,
     * modulo how many they are. */
    const char *device;
    uint32_t turn;
    /* VkrHostFlagBits; a host that shares a device has its own TIMESTAMPS and OPERATION_TIMES only
     */
    uint32_t flags;
    /* The folder of the file with compiled pipelines, which is created where it is missing. NULL:
     * vkreduce in the user's folder for caches (XDG_CACHE_HOME or ~/.cache; LOCALAPPDATA on
     * Windows). The file's name has the device, the driver and the library's version. Failures to
     * read or write it are notes. */
    const char *cacheFolder;
    PFN_vkrMessage message; /* notes too */
    /* What the context says is said to the host that made it, even by calls for a host that shares
     * it, which another thread may use; so the data live as long as the last of them. */
    void *messageData;
    const VkAllocationCallbacks *allocator; /* copied; for host and Vulkan objects */
    /* Features that are enabled besides those that the library can use; the device must have them.
     */
    const VkPhysicalDeviceFeatures *features;
    /* Settings of the context: flags, forwardProgress, limits, profile and testHooks are read;
     * getInstanceProcAddr, unless it is NULL; and, where the device is given below, what is enabled
     * on it. */
    const VkrContextInfo *context;
    /* What the caller has already; the host makes the rest. Objects that are given stay the
     * caller's and outlive the host. Those from which another one was made are given with it: a
     * context with a queue, a queue or a device with each other and a physical device, that with an
     * instance. getInstanceProcAddr alone replaces the system's Vulkan loader. */
    const VkrHostVulkan *vulkan;
    PFN_vkrHostProgress progress;
    void *progressData;
    uint64_t timeout; /* nanoseconds that a wait may take; 0: any time */
} VkrHostInfo;

/* VKR_ERROR_UNSUPPORTED: there is no loader, no device that is meant, or it lacks what
 * vkrGetDeviceRequirements requires. *host becomes NULL if the call fails. */
VKR_API VkrResult vkrCreateHost(const VkrHostInfo *info, VkrHost *host);

/* Waits for what is submitted, unless a call has returned VKR_ERROR_TIMEOUT. If the device is still
 * at work then, the host's Vulkan objects are left to the end of the process. Memory is freed by
 * vkrHostFree before the last host that shares its device is destroyed. Ignores NULL. */
VKR_API void vkrDestroyHost(VkrHost host);

/* Makes another context of the host's device, with settings as those of VkrHostInfo::context. The
 * caller destroys it, before the host. */
VKR_API VkrResult vkrCreateHostContext(VkrHost host, const VkrContextInfo *settings,
                                       VkrContext *context);

VKR_API VkrContext vkrHostContext(VkrHost host);
VKR_API VkrRecorder vkrHostRecorder(VkrHost host);

/* For those who go on by themselves. They use the queue only while no host that shares it does. */
VKR_API void vkrGetHostVulkan(VkrHost host, VkrHostVulkan *vulkan);

/* A device of the system. */
typedef struct VkrHostDevice {
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    char driver[VK_MAX_DRIVER_NAME_SIZE + VK_MAX_DRIVER_INFO_SIZE]; /* name and version */
    VkPhysicalDeviceType type;
    uint32_t apiVersion;
    VkDeviceSize memorySize;    /* of the largest heap of device memory */
    VkDeviceSize maxBufferSize; /* that is also one allocation */
    /* What a pointer of an array of the host is rounded to when its memory is imported; 0: that is
     * impossible, or useless because device memory is not the host's. */
    VkDeviceSize importAlignment;
    VkBool32 usable;
    uint32_t requirementCount;
    VkrRequirement requirements[VKR_MAX_REQUIREMENTS];
} VkrHostDevice;

/* Of info, which may be NULL, device, turn, message, allocator and vulkan are read. With devices
 * NULL, *count becomes the number of devices, which may be 0; else at most *count are written, and
 * *count becomes their number. Where info->device is given, only that one is counted and written,
 * and *index, which is optional, is its index. */
VKR_API VkrResult vkrGetHostDevices(const VkrHostInfo *info, uint32_t *count,
                                    VkrHostDevice *devices, uint32_t *index);

/* The host's own device. */
VKR_API void vkrGetHostDevice(VkrHost host, VkrHostDevice *device);

/* ---- Memory ---- */

typedef enum VkrHostMemoryKind {
    VKR_HOST_MEMORY_DEVICE = 0, /* of the device, mapped where the host can see it */
    /* The same, mapped only where the host reads it fast. */
    VKR_HOST_MEMORY_RESULT = 1,
    VKR_HOST_MEMORY_UNMAPPED = 2, /* of the device */
    VKR_HOST_MEMORY_UPLOAD = 3,   /* of the host, mapped, for it to write */
    VKR_HOST_MEMORY_READBACK = 4, /* of the host, mapped, for it to read */
    VKR_HOST_MEMORY_KIND_COUNT = 5,
    VKR_HOST_MEMORY_KIND_MAX_ENUM = 0x7fffffff
} VkrHostMemoryKind;

/* A part of a buffer, which has the usages STORAGE_BUFFER, UNIFORM_TEXEL_BUFFER, INDIRECT_BUFFER,
 * TRANSFER_SRC and TRANSFER_DST. */
typedef struct VkrHostMemory {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;       /* as asked for */
    VkDeviceSize bufferSize; /* of the buffer */
    void *data;              /* the host's pointer to the byte at `offset`; NULL: not mapped */
    VkrTexels texels;        /* of the whole part, where the device allows that */
    VkDeviceMemory memory;
} VkrHostMemory;

/* Memory of at least 16 bytes. It outlives all work that uses it. */
VKR_API VkrResult vkrHostAlloc(VkrHost host, VkDeviceSize size, VkrHostMemoryKind kind,
                               VkrHostMemory *memory);

/*
 * The caller's own memory, without a copy (VK_EXT_external_memory_host). It may start and end
 * anywhere: the memory pages around it are imported as a whole, and the device touches only bytes
 * of views. VKR_ERROR_UNSUPPORTED, without a sentence: the device does not import, or not this
 * memory. It must outlive the import.
 */
VKR_API VkrResult vkrHostImport(VkrHost host, void *data, VkDeviceSize size, VkrHostMemory *memory);

/* Clears *memory. Ignores NULL, and memory without a buffer. After VKR_ERROR_TIMEOUT it frees
 * nothing, since the device may still use the memory. */
VKR_API void vkrHostFree(VkrHost host, VkrHostMemory *memory);

/* Copy between the host and memory, by its map or through the host's staging memory in pieces, and
 * wait. Not between vkrHostSubmit and vkrHostWait, unless the memory is mapped. */
VKR_API VkrResult vkrHostWrite(VkrHost host, const VkrHostMemory *memory, VkDeviceSize offset,
                               VkDeviceSize size, const void *data);
VKR_API VkrResult vkrHostRead(VkrHost host, const VkrHostMemory *memory, VkDeviceSize offset,
                              VkDeviceSize size, void *data);

/* Memory as elements of a type, of one component, as many as fit. */
VKR_API VkrView vkrHostView(const VkrHostMemory *memory, VkrType type);

/* ---- Commands ---- */

/* Starts a recording. Commands of the caller may follow, then operations, which start after them:
 * a barrier lies in between. */
VKR_API VkrResult vkrHostBegin(VkrHost host);

/* The command buffer, between vkrHostBegin and vkrHostSubmit. */
VKR_API VkCommandBuffer vkrHostCommands(VkrHost host);

/* Record a copy of the first `size` bytes: before the operations, between vkrHostBegin and
 * vkrHostEnd, and after them, between vkrHostEnd and vkrHostSubmit. */
VKR_API VkrResult vkrHostCopyIn(VkrHost host, const VkrHostMemory *from, const VkrHostMemory *to,
                                VkDeviceSize size);
VKR_API VkrResult vkrHostCopyOut(VkrHost host, const VkrHostMemory *from, const VkrHostMemory *to,
                                 VkDeviceSize size);

typedef enum VkrHostAccess {
    VKR_HOST_READ = 1,       /* operations read the array */
    VKR_HOST_WRITE = 2,      /* they write it; what they do not write is then undefined, */
    VKR_HOST_READ_WRITE = 3, /* but here stays as it is */
    VKR_HOST_ACCESS_MAX_ENUM = 0x7fffffff
} VkrHostAccess;

typedef struct VkrHostArray {
    void *data;        /* not written with VKR_HOST_READ */
    VkDeviceSize size; /* bytes */
    VkrHostAccess access;
} VkrHostArray;

/*
 * Makes an array memory that operations of this recording use: by an import where device memory is
 * the host's and the array is large, else by copies, of which those to the device are done when
 * the call returns. The array must not change, move or be read until vkrHostWait, which detaches
 * it. Arrays of one recording do not overlap, unless all are only read.
 */
VKR_API VkrResult vkrHostAttach(VkrHost host, const VkrHostArray *array, VkrHostMemory *memory);

/* Ends the operations: commands that the caller records after this call run after them. */
VKR_API VkrResult vkrHostEnd(VkrHost host);

/* Submits a recording, which it ends if that was not done. After vkrHostWait it may be submitted
 * again, until the next vkrHostBegin or vkrHostRun, unless arrays were attached: they are gone. */
VKR_API VkrResult vkrHostSubmit(VkrHost host);

/* Waits for the submission, and copies what it wrote to arrays. */
VKR_API VkrResult vkrHostWait(VkrHost host);

/* Ends a recording, submits it, waits, and makes its memory free for the next. */
VKR_API VkrResult vkrHostRun(VkrHost host);

/* Drops a recording that was not submitted, and detaches its arrays, which keep their contents.
 * vkrHostEnd, vkrHostSubmit and vkrHostRun do that themselves where operations or the submission
 * fail. */
VKR_API void vkrHostCancel(VkrHost host);

/* For commands of the caller: records the start of what vkrGetHostTime measures, or its end, in
 * place of that of the operations. Between vkrHostBegin and vkrHostEnd. */
VKR_API VkrResult vkrHostStamp(VkrHost host, VkBool32 end);

/* The nanoseconds between start and end of the operations of the last submission.
 * VKR_ERROR_UNSUPPORTED: VKR_HOST_TIMESTAMPS_BIT was not set, or the queue has no timestamps. */
VKR_API VkrResult vkrGetHostTime(VkrHost host, uint64_t *nanoseconds);

/* How long an operation took: VkrEndInfo::timestamps says what that means where operations overlap.
 * The texts are valid until the next vkrHostBegin. */
typedef struct VkrHostTime {
    const char *function; /* such as "vkrCmdReduce" */
    const char *label;    /* of its info; NULL: none */
    uint64_t nanoseconds;
} VkrHostTime;

/* The operations of the last submission, in the order in which they were collected. With times
 * NULL, *count becomes their number; else at most *count are written, and *count becomes their
 * number. VKR_ERROR_UNSUPPORTED: VKR_HOST_OPERATION_TIMES_BIT was not set, or the queue has no
 * timestamps. */
VKR_API VkrResult vkrGetHostTimes(VkrHost host, uint32_t *count, VkrHostTime *times);

#ifdef __cplusplus
}
#endif

/* ---- Calls for one array ---- */

#include "host_calls.h"

#endif
