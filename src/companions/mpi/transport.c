/* SPDX-License-Identifier: MIT */
/* The functions of VkrRanks that exchange data by MPI. */
#include "inside.h"

#define PORTION (UINT64_C(1) << 30) /* bytes of a message, so that its count is an int */
#define TAG 0                       /* of messages between two ranks */

/* Keeps the first error, with the function that returned it. */
static VkrResult check(VkrMpiTransport *t, int error, const char *call)
{
    if (error == MPI_SUCCESS)
        return VKR_SUCCESS;
    t->failed = call;
    t->error = error;
    return VKR_ERROR_INVALID_STATE;
}

/* Waits for what a function of MPI has started. */
static VkrResult finish(VkrMpiTransport *t, int error, MPI_Request *request, const char *call)
{
    int done = 0;
    if (error == MPI_SUCCESS && t->wait == NULL)
        error = MPI_Wait(request, MPI_STATUS_IGNORE);
    for (uint64_t tests = 0; error == MPI_SUCCESS && t->wait != NULL; tests++) {
        error = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done != 0)
            break;
        t->wait(t->waitData, tests);
    }
    return check(t, error, call);
}

/* The size of the next portion of data. */
static int portion_of(uint64_t size, uint64_t done)
{
    return (int)(size - done < PORTION ? size - done : PORTION);
}

/* ---- Of all ranks ---- */

static VkrResult find_max(void *context, uint32_t *values, size_t count)
{
    VkrMpiTransport *t = context;
    MPI_Request request;
    const int error = MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT32_T, MPI_MAX,
                                     t->communicator, &request);
    return finish(t, error, &request, "MPI_Iallreduce");
}

static VkrResult add_up(void *context, void *values, uint64_t count, VkrType type)
{
    VkrMpiTransport *t = context;
    MPI_Request request;
    const MPI_Datatype number = type == VKR_TYPE_U64 ? MPI_UINT64_T : MPI_UINT32_T;
    const uint64_t each = vkrTypeSize(type);
    VkrResult result = VKR_SUCCESS;
    for (uint64_t done = 0; done < count * each && result == VKR_SUCCESS; done += PORTION) {
        const int error = MPI_Iallreduce(MPI_IN_PLACE, (char *)values + done,
                                         portion_of(count * each, done) / (int)each, number,
                                         MPI_SUM, t->communicator, &request);
        result = finish(t, error, &request, "MPI_Iallreduce");
    }
    return result;
}

static VkrResult broadcast(void *context, uint32_t root, void *data, uint64_t size)
{
    VkrMpiTransport *t = context;
    MPI_Request request;
    VkrResult result = VKR_SUCCESS;
    for (uint64_t done = 0; done < size && result == VKR_SUCCESS; done += PORTION) {
        const int error = MPI_Ibcast((char *)data + done, portion_of(size, done), MPI_BYTE,
                                     (int)root, t->communicator, &request);
        result = finish(t, error, &request, "MPI_Ibcast");
    }
    return result;
}

static VkrResult all_gather(void *context, const void *data, size_t size, void *all)
{
    VkrMpiTransport *t = context;
    MPI_Request request;
    const int error = MPI_Iallgather(data, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE,
                                     t->communicator, &request);
    return finish(t, error, &request, "MPI_Iallgather");
}

/* ---- Of two ranks ---- */

static VkrResult transfer(void *context, uint32_t to, const void *sent, uint64_t sent_size,
                          uint32_t from, void *received, uint64_t received_size)
{
    VkrMpiTransport *t = context;
    VkrResult result = VKR_SUCCESS;
    for (uint64_t done = 0; (done < sent_size || done < received_size) && result == VKR_SUCCESS;
         done += PORTION) {
        MPI_Request sends = MPI_REQUEST_NULL, receives = MPI_REQUEST_NULL;
        int error = MPI_SUCCESS;
        if (done < received_size)
            error = MPI_Irecv((char *)received + done, portion_of(received_size, done), MPI_BYTE,
                              (int)from, TAG, t->communicator, &receives);
        if (error == MPI_SUCCESS && done < sent_size)
            error = MPI_Isend((const char *)sent + done, portion_of(sent_size, done), MPI_BYTE,
                              (int)to, TAG, t->communicator, &sends);
        result = finish(t, error, &receives, "MPI_Irecv");
        if (result == VKR_SUCCESS)
            result = finish(t, MPI_SUCCESS, &sends, "MPI_Isend");
    }
    return result;
}

VkrResult vkrMpiRanks(VkrMpiTransport *transport, VkrRanks *ranks)
{
    int rank, count;
    const VkrResult result =
        check(transport, MPI_Comm_rank(transport->communicator, &rank), "MPI_Comm_rank");
    if (result != VKR_SUCCESS)
        return result;
    MPI_Comm_size(transport->communicator, &count);
    *ranks = (VkrRanks){.rank = (uint32_t)rank,
                        .count = (uint32_t)count,
                        .context = transport,
                        .max = find_max,
                        .sum = add_up,
                        .broadcast = broadcast,
                        .allGather = all_gather,
                        .transfer = transfer};
    return VKR_SUCCESS;
}
