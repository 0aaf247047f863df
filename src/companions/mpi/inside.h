/* SPDX-License-Identifier: MIT */
/* What the files of libvkreduce-mpi share. */
#ifndef VKR_MPI_INSIDE_H
#define VKR_MPI_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include "vkreduce/vkreduce.h"

#include "vkreduce/host.h"
#include "vkreduce/mpi.h"
#include "views.h"

struct VkrMpi_T {
    VkrMpiInfo info; /* its allocator is NULL or `callbacks` */
    VkAllocationCallbacks callbacks;
    VkrMpiTransport transport; /* by the duplicate of the communicator */
    VkrRanks ranks;
    const char *call; /* the public function, for messages */
    VkrHost host;
    VkrHostMemory staging, scratch; /* that of the host and the device, and that of the device */
    uint64_t numbers[];             /* one for each rank, for the time of a call */
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
/* Checks what an exchange returned. */
VkrResult mpi_check(VkrMpi m, VkrResult result);
/* EXCHANGE(m, broadcast, ..) calls a function of VkrRanks. */
#define EXCHANGE(m, function, ...)                                                                 \
    TRY(mpi_check((m), (m)->ranks.function((m)->ranks.context, __VA_ARGS__)))

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
VkrResult mpi_grow(VkrMpi m, VkrHostMemory *memory, VkDeviceSize size);

static inline unsigned char *mpi_map(VkrMpi m)
{
    return m->staging.data;
}

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
