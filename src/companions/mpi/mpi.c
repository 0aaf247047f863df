/* SPDX-License-Identifier: MIT */
/* The handle, messages, and how ranks agree. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "inside.h"

/* ---- Messages ---- */

VkrResult mpi_fail(VkrMpi m, VkrResult result, const char *format, ...)
{
    char sentence[512];
    const int start = snprintf(sentence, sizeof(sentence), "%s: ", m->call);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + start, sizeof(sentence) - (size_t)start, format, arguments);
    va_end(arguments);
    if (m->info.message != NULL)
        m->info.message(m->info.messageData, result, sentence);
    return result;
}

VkrResult mpi_check(VkrMpi m, VkrResult result)
{
    if (result == VKR_ERROR_INVALID_STATE) /* other errors do not come from MPI */
        return mpi_fail(m, result, "%s failed with error %d.", m->transport.failed,
                        m->transport.error);
    return result;
}

VkrResult mpi_refuse(VkrMpi m, const mpi_refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].wrong)
            return mpi_fail(m, VKR_ERROR_UNSUPPORTED,
                            "%s is given, but must be absent: it is not supported over ranks.",
                            rows[i].field);
    return VKR_SUCCESS;
}

/* ---- Host memory ---- */

static void *allocate(const VkAllocationCallbacks *allocator, size_t size)
{
    if (allocator == NULL)
        return malloc(size);
    return allocator->pfnAllocation(allocator->pUserData, size, _Alignof(max_align_t),
                                    VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

static void release(const VkAllocationCallbacks *allocator, void *memory)
{
    if (allocator == NULL)
        free(memory);
    else if (memory != NULL)
        allocator->pfnFree(allocator->pUserData, memory);
}

/* ---- Agreement ---- */

uint64_t mpi_fingerprint(uint64_t before, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) /* FNV-1a */
        before = (before ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return before;
}

VkrResult mpi_agree(VkrMpi m, VkrResult result)
{
    uint32_t failure = (uint32_t)-result, rank;
    TRY(mpi_check(m, vkrRanksAgree(&m->ranks, &failure, &rank)));
    if (result != VKR_SUCCESS)
        return result;
    if (failure != 0)
        return mpi_fail(m, (VkrResult) - (int)failure, "rank %u failed with %s.", (unsigned)rank,
                        vkrResultName((VkrResult) - (int)failure));
    return VKR_SUCCESS;
}

VkrResult mpi_agree_on(VkrMpi m, VkrResult result, uint64_t fingerprint)
{
    /* The maxima of words and of their complements are the largest words and the smallest ones. */
    const uint32_t low = (uint32_t)fingerprint, high = (uint32_t)(fingerprint >> 32);
    uint32_t words[4] = {low, high, ~low, ~high};
    TRY(mpi_agree(m, result));
    EXCHANGE(m, max, words, 4);
    MUST(
        m, words[0] == ~words[2] && words[1] == ~words[3],
        "the ranks gave different infos, but all except buffers, places and counts must be equal.");
    return VKR_SUCCESS;
}

VkrResult vkrMpiAgree(VkrMpi mpi, VkrResult result)
{
    mpi->call = "vkrMpiAgree";
    return mpi_agree(mpi, result);
}

/* ---- The handle ---- */

/* Finds the ranks of a duplicate of the communicator. */
static VkrResult join(VkrMpi m)
{
    VkrMpiTransport *t = &m->transport;
    *t = (VkrMpiTransport){.wait = m->info.wait, .waitData = m->info.waitData};
    t->failed = "MPI_Comm_dup";
    t->error = MPI_Comm_dup(m->info.communicator, &t->communicator);
    return mpi_check(m,
                     t->error == MPI_SUCCESS ? vkrMpiRanks(t, &m->ranks) : VKR_ERROR_INVALID_STATE);
}

/* Makes a copy, in memory of its own, use what lies in it. */
static VkrResult open(VkrMpi m, const struct VkrMpi_T *original)
{
    *m = *original;
    m->ranks.context = &m->transport;
    if (m->info.allocator != NULL) {
        m->callbacks = *m->info.allocator;
        m->info.allocator = &m->callbacks;
    }
    return mpi_open(m);
}

VkrResult vkrCreateMpi(const VkrMpiInfo *info, VkrMpi *mpi)
{
    if (mpi == NULL || info == NULL || info->communicator == MPI_COMM_NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    *mpi = NULL;
    struct VkrMpi_T first = {.info = *info, .call = "vkrCreateMpi"};
    TRY(join(&first));
    VkrMpi m = allocate(info->allocator, sizeof(*m) + first.ranks.count * sizeof(*m->numbers));
    VkrResult result =
        m != NULL ? open(m, &first)
                  : mpi_fail(&first, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
    /* Without memory this rank still has to tell the others. */
    result = mpi_agree(m != NULL ? m : &first, result);
    if (result == VKR_SUCCESS) {
        *mpi = m;
        return VKR_SUCCESS;
    }
    if (m != NULL)
        mpi_close(m);
    MPI_Comm_free(&first.transport.communicator);
    release(info->allocator, m);
    return result;
}

void vkrDestroyMpi(VkrMpi mpi)
{
    if (mpi == NULL)
        return;
    mpi_close(mpi);
    MPI_Comm_free(&mpi->transport.communicator);
    const VkAllocationCallbacks callbacks = mpi->callbacks; /* which lie in what is freed */
    release(mpi->info.allocator != NULL ? &callbacks : NULL, mpi);
}
