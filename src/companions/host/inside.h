/* SPDX-License-Identifier: MIT */
/* What the files of libvkreduce-host share. */
#ifndef VKR_HOST_INSIDE_H
#define VKR_HOST_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include "vkreduce/vkreduce.h"

#include "system.h"
#include "vkreduce/host.h"

/* ---- Functions of Vulkan ---- */

#define HOST_INSTANCE_FUNCTIONS(X)                                                                 \
    X(DestroyInstance)                                                                             \
    X(EnumeratePhysicalDevices)                                                                    \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    X(CreateDevice)                                                                                \
    X(GetDeviceProcAddr)

#define HOST_DEVICE_FUNCTIONS(X)                                                                   \
    X(DestroyDevice)                                                                               \
    X(GetDeviceQueue)                                                                              \
    X(CreatePipelineCache)                                                                         \
    X(DestroyPipelineCache)                                                                        \
    X(GetPipelineCacheData)                                                                        \
    X(CreateBuffer)                                                                                \
    X(DestroyBuffer)                                                                               \
    X(GetBufferMemoryRequirements)                                                                 \
    X(CreateBufferView)                                                                            \
    X(DestroyBufferView)                                                                           \
    X(AllocateMemory)                                                                              \
    X(FreeMemory)                                                                                  \
    X(BindBufferMemory)                                                                            \
    X(MapMemory)                                                                                   \
    X(CreateCommandPool)                                                                           \
    X(DestroyCommandPool)                                                                          \
    X(AllocateCommandBuffers)                                                                      \
    X(ResetCommandBuffer)                                                                          \
    X(BeginCommandBuffer)                                                                          \
    X(EndCommandBuffer)                                                                            \
    X(CreateQueryPool)                                                                             \
    X(DestroyQueryPool)                                                                            \
    X(GetQueryPoolResults)                                                                         \
    X(CreateFence)                                                                                 \
    X(DestroyFence)                                                                                \
    X(ResetFences)                                                                                 \
    X(WaitForFences)                                                                               \
    X(QueueSubmit)                                                                                 \
    X(CmdCopyBuffer)                                                                               \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdResetQueryPool)                                                                           \
    X(CmdWriteTimestamp)

#define HOST_FIELD(name) PFN_vk##name name;

/* ---- Errors (message.c) ---- */

/* Who hears of errors, and of which call they are. */
typedef struct host_voice {
    const char *call;
    PFN_vkrMessage message;
    void *data;
} host_voice;

/* Says in a sentence what is wrong, and returns the result; VKR_SUCCESS is a note. */
VkrResult host_fail(const host_voice *voice, VkrResult result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Checks what Vulkan returned. */
VkrResult host_check(const host_voice *voice, VkResult result, const char *call);

#define HOST_TRY(call)                                                                             \
    do {                                                                                           \
        const VkrResult tried = (call);                                                            \
        if (tried != VKR_SUCCESS)                                                                  \
            return tried;                                                                          \
    } while (0)
/* HOST_VK(voice, functions->CreateX(..)) */
#define HOST_VK(voice, call) HOST_TRY(host_check((voice), (call), #call))
/* The same for a call that makes an object: what it leaves after a failure means nothing. */
#define HOST_MAKE(voice, object, call)                                                             \
    HOST_TRY(host_check((voice), host_made((call), &(object), sizeof(object)), #call))
#define HOST_MUST(voice, condition, ...)                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return host_fail((voice), VKR_ERROR_INVALID_ARGUMENT, __VA_ARGS__);                    \
    } while (0)

/* ---- The system's devices (devices.c) ---- */

#define HOST_API_VERSION VK_API_VERSION_1_3
#define HOST_MAX_DEVICES 64u

typedef struct host_system {
    void *library; /* the loader, if it was opened here */
    bool owns_instance;
    PFN_vkGetInstanceProcAddr get;
    VkInstance instance;
    uint32_t api_version;
    const VkAllocationCallbacks *allocator;
    HOST_INSTANCE_FUNCTIONS(HOST_FIELD)
} host_system;

/* host_close_system may follow a failed host_open_system. */
VkrResult host_open_system(host_system *s, const host_voice *voice, const VkrHostInfo *info);
void host_close_system(host_system *s);

/* Chooses the device that an info means. */
VkrResult host_choose(const host_system *s, const host_voice *voice, const VkrHostInfo *info,
                      VkPhysicalDevice *physical, uint32_t *index);

void host_describe(const host_system *s, VkPhysicalDevice physical, VkrHostDevice *device);

/* ---- Devices that hosts share (device.c) ---- */

typedef struct host_device {
    host_lock lock; /* of the next three, and of the queue */
    uint32_t hosts;
    bool lost;      /* a call of Vulkan has said so */
    bool abandoned; /* the device may still be at work, so nothing of it is destroyed */
    host_system system;
    VkrHostVulkan vulkan;
    bool owns_device, owns_context;
    uint32_t flags; /* VkrHostFlagBits */
    VkrHostDevice described;
    VkrDeviceRequirements requirements; /* must not be moved: it points into itself */
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceLimits limits;
    uint32_t timestamp_bits; /* of the queue; 0: it has none */
    VkPipelineCache cache;
    char cache_name[HOST_MAX_PATH]; /* empty: there is no file */
    VkAllocationCallbacks callbacks;
    const VkAllocationCallbacks *allocator; /* NULL or `callbacks` */
    host_voice voice;                       /* of the host that made it */
    PFN_vkGetMemoryHostPointerPropertiesEXT GetMemoryHostPointerPropertiesEXT; /* or NULL */
    HOST_DEVICE_FUNCTIONS(HOST_FIELD)
} host_device;

/* Each host opens the device once. The second one may follow a failed one. */
VkrResult host_open_device(host_device *d, const VkrHostInfo *info);
void host_close_device(host_device *d);

VkrResult host_create_context(host_device *d, const VkrContextInfo *settings, VkrContext *context);

/* Pipelines in a file (cache.c). Failures are notes. */
void host_open_cache(host_device *d, const VkrHostInfo *info);
void host_close_cache(host_device *d);

/* Host memory of a kind that every allocation callback must return. */
void *host_allocate(const VkAllocationCallbacks *allocator, size_t size);
void host_release(const VkAllocationCallbacks *allocator, void *memory);

/* ---- Hosts (host.c, run.c, memory.c, arrays.c) ---- */

typedef enum host_state {
    HOST_IDLE,
    HOST_BEGUN,    /* operations are collected */
    HOST_ENDED,    /* they are recorded, and the command buffer still takes commands */
    HOST_RECORDED, /* the command buffer can be submitted */
    HOST_FLYING,   /* it is submitted */
} host_state;

/* An array that is attached. */
typedef struct host_attached {
    VkrHostArray array;
    VkrHostMemory memory; /* of the device, or the array itself */
    VkrHostMemory back;   /* what `memory` is copied to after the operations, or no buffer */
    bool imported;
} host_attached;

/* Memory that an array had, for the next one. */
typedef struct host_kept {
    VkrHostMemory memory;
    VkrHostMemoryKind kind;
} host_kept;

#define HOST_KEPT 16u

struct VkrHost_T {
    host_device *device;
    host_voice voice;
    uint32_t flags;
    PFN_vkrHostProgress progress;
    void *progress_data;
    uint64_t timeout;
    host_state state;
    VkrResult failed; /* sticky: VKR_ERROR_TIMEOUT or VKR_ERROR_DEVICE_LOST */
    bool working;     /* the device may be at work for this host, */
    bool unsure;      /* since a wait has failed */
    bool detached;    /* arrays of the recording are gone */
    VkrRecorder recorder;
    bool collects; /* the recorder is between vkrBegin and vkrEnd */
    VkCommandPool pool;
    VkCommandBuffer commands; /* of recordings */
    VkCommandBuffer copies;   /* of vkrHostWrite and vkrHostRead */
    VkFence fence;
    VkQueryPool queries; /* two timestamps, or none */
    /* Timestamps between the operations of the last recording, or none, and what these are. */
    VkQueryPool queries_between;
    uint32_t name_count, name_room;
    VkrOperationName *names;
    uint64_t *ticks; /* one more than there are names */
    bool has_times;  /* they belong to a submission that was waited for */
    bool stamped[2]; /* start and end are recorded */
    bool timed;      /* they have been written */
    VkrHostMemory staging;
    uint32_t attached_count, attached_room;
    host_attached *attached;
    host_kept kept[HOST_KEPT];
};

/* Sets the call that messages name, and checks that the host can be used. */
VkrResult host_enter(VkrHost host, const char *call);

/* Checks that a call comes when it may, after `what`. */
VkrResult host_check_state(VkrHost h, bool right, const char *what);

/* Keeps what makes the host useless. Returns the result. */
VkrResult host_keep(VkrHost h, VkrResult result);

/* The times of operations (times.c): asks a recording that ends for them, where the host's flags
 * do. */
VkrResult host_start_times(VkrHost h, VkrEndInfo *end);
void host_free_times(VkrHost h);

/* Submits commands and waits for them; waits again where an earlier wait failed. */
VkrResult host_settle(VkrHost h);
/* The same without a word. If that fails too, the device keeps what it may use, as after
 * VKR_ERROR_TIMEOUT. */
void host_rest(VkrHost h);
VkrResult host_submit(VkrHost h, VkCommandBuffer commands);
VkrResult host_wait(VkrHost h);

/* Copies to the device what was attached, from it, or only forgets it. */
VkrResult host_detach(VkrHost h, bool copies);

/* Memory that is kept for arrays. */
bool host_keeps(VkrHost h);
void host_free_kept(VkrHost h);

/* The same as the public functions, within a call. Arrays are imported only where their elements
 * lie at multiples of `alignment`. */
VkrResult host_attach(VkrHost h, const VkrHostArray *array, uint32_t alignment,
                      VkrHostMemory *memory);
VkrResult host_alloc(VkrHost h, VkDeviceSize size, VkrHostMemoryKind kind, VkrHostMemory *memory);
VkrResult host_import(VkrHost h, void *data, VkDeviceSize size, VkrHostMemory *memory);
void host_free(VkrHost h, VkrHostMemory *memory);
VkrResult host_write(VkrHost h, const VkrHostMemory *memory, VkDeviceSize offset, VkDeviceSize size,
                     const void *data);
VkrResult host_read(VkrHost h, const VkrHostMemory *memory, VkDeviceSize offset, VkDeviceSize size,
                    void *data);

/* Clears an object that a call has not made. */
static inline VkResult host_made(VkResult result, void *object, size_t size)
{
    if (result != VK_SUCCESS)
        memset(object, 0, size);
    return result;
}

static inline VkDeviceSize host_min(VkDeviceSize a, VkDeviceSize b)
{
    return a < b ? a : b;
}

#endif
