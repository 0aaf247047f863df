/* SPDX-License-Identifier: MIT */
/* What the files of libvkreduce-mpi share. */
#ifndef VKR_MPI_INSIDE_H
#define VKR_MPI_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include "vkreduce/vkreduce.h"

#include "vkreduce/mpi.h"
#include "views.h"

/* Functions of the device: the part of Vulkan that is needed. */
#define MPI_DEVICE_FUNCTIONS(X)                                                                    \
    X(CreateBuffer)                                                                                \
    X(DestroyBuffer)                                                                               \
    X(GetBufferMemoryRequirements)                                                                 \
    X(AllocateMemory)                                                                              \
    X(FreeMemory)                                                                                  \
    X(BindBufferMemory)                                                                            \
    X(MapMemory)                                                                                   \
    X(CreateCommandPool)                                                                           \
    X(DestroyCommandPool)                                                                          \
    X(ResetCommandPool)                                                                            \
    X(AllocateCommandBuffers)                                                                      \
    X(BeginCommandBuffer)                                                                          \
    X(EndCommandBuffer)                                                                            \
    X(CreateFence)                                                                                 \
    X(DestroyFence)                                                                                \
    X(ResetFences)                                                                                 \
    X(WaitForFences)                                                                               \
    X(QueueSubmit)                                                                                 \
    X(CmdCopyBuffer)                                                                               \
    X(CmdPipelineBarrier)

/* Memory that grows: staging is the host's too, scratch the device's. */
typedef struct mpi_memory {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    unsigned char *map; /* NULL in scratch */
} mpi_memory;

struct VkrMpi_T {
    VkrMpiInfo info; /* its allocator is NULL or `callbacks` */
    VkAllocationCallbacks callbacks;
    VkrMpiTransport transport; /* by the duplicate of the communicator */
    VkrRanks ranks;
    const char *call; /* the public function, for messages */
    VkrRecorder recorder;
    VkPhysicalDeviceMemoryProperties types;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    mpi_memory staging, scratch;
#define FIELD(name) PFN_vk##name name;
    MPI_DEVICE_FUNCTIONS(FIELD)
#undef FIELD
    uint64_t numbers[]; /* one for each rank, for the time of a call */
};

#define MPI_GRANULE 256u /* no device aligns descriptors of buffers to more */

/* ---- Errors (mpi.c) ---- */

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const VkrResult tried = (call);                                                            \
        if (tried != VKR_SUCCESS)                                                                  \
            return tried;                                                                          \
    } while (0)

/* Says in a sentence what is wrong, and returns the result. */
VkrResult mpi_fail(VkrMpi m, VkrResult result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Checks what an exchange, or Vulkan, returned. */
VkrResult mpi_check(VkrMpi m, VkrResult result);
VkrResult mpi_check_vk(VkrMpi m, VkResult result, const char *call);
/* EXCHANGE(m, broadcast, ..) calls a function of VkrRanks. */
#define EXCHANGE(m, function, ...)                                                                 \
    TRY(mpi_check((m), (m)->ranks.function((m)->ranks.context, __VA_ARGS__)))
#define CHECK_VK(m, call) TRY(mpi_check_vk((m), (m)->call, #call))

#define MUST(m, condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return mpi_fail((m), VKR_ERROR_INVALID_ARGUMENT, __VA_ARGS__);                         \
    } while (0)

/* A row of members that a function does not support, or lacks. */
typedef struct mpi_refusal {
    bool wrong;
    const char *field;
} mpi_refusal;
VkrResult mpi_refuse(VkrMpi m, const mpi_refusal *rows, size_t count);
#define REFUSE(m, ...)                                                                             \
    mpi_refuse(m, (const mpi_refusal[]){__VA_ARGS__},                                              \
               sizeof((mpi_refusal[]){__VA_ARGS__}) / sizeof(mpi_refusal))

/* Mixes what must be equal on all ranks into a number. */
uint64_t mpi_fingerprint(uint64_t before, const void *bytes, size_t size);

/* Agrees on a result; the second one also on a fingerprint, which matters only if all succeed. */
VkrResult mpi_agree(VkrMpi m, VkrResult result);
VkrResult mpi_agree_on(VkrMpi m, VkrResult result, uint64_t fingerprint);

/* ---- Vulkan (device.c) ---- */

VkrResult mpi_open(VkrMpi m);
void mpi_close(VkrMpi m);

/* Makes memory at least as large; its contents are lost. */
VkrResult mpi_grow(VkrMpi m, mpi_memory *memory, VkDeviceSize size);

/* Between these two, commands and operations are recorded, copies first; the second one submits and
 * waits. It returns the error of an operation that failed, so nobody else need look at that. */
VkrResult mpi_begin(VkrMpi m);
VkrResult mpi_submit(VkrMpi m);

/* Finds the number of elements that a count stands for, which the view `name` must hold. */
VkrResult mpi_count(VkrMpi m, const char *name, const VkrView *view, uint64_t count,
                    uint64_t *elements);

static inline uint64_t mpi_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline VkDeviceSize mpi_round_up(VkDeviceSize size)
{
    return mpi_divide_up(size, MPI_GRANULE) * MPI_GRANULE;
}

#endif
