/* SPDX-License-Identifier: MIT */
/* The transport between ranks that is MPI-3. Waits give up the processor, since ranks may be more
 * than processors, and notice the signal with which mpirun ends the ranks that are left. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "interrupt.h"
#include "ranks_mpi.h"
#include "status.h"
#include "system/system.h"

#define PORTION ((size_t)1 << 30) /* bytes of a message, so that its count is an int */
#define BUSY 200                  /* tests for completion before a wait naps */
#define NAP 200000                /* nanoseconds */
#define PATIENCE 0.5              /* seconds from a signal until a wait is given up */

enum { TAG_DATA = 1, TAG_PROGRESS };

static int rank, ranks;
static MPI_Request pending = MPI_REQUEST_NULL; /* of the last report of progress */
static uint64_t report_sent, report_total;

/* After a signal: usually all ranks have got it, and agree to end. If they do not come in time,
 * some may be gone, and this ends the others. */
static void give_up(void)
{
    static double noticed;
    if (noticed == 0.0)
        noticed = clock_seconds();
    if (clock_seconds() - noticed < PATIENCE)
        return;
    remove_unfinished();
    print_failure((uint32_t)rank); /* nobody else may be left to do it */
    (void)MPI_Abort(MPI_COMM_WORLD, STATUS_INTERRUPTED);
}

/* Rank 0 takes reports while it waits, so that none of them is left. */
static void take_reports(void)
{
    int there = 1;
    while (rank == 0 && there) {
        uint64_t bytes;
        (void)MPI_Iprobe(MPI_ANY_SOURCE, TAG_PROGRESS, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (!there)
            return;
        (void)MPI_Recv(&bytes, 1, MPI_UINT64_T, MPI_ANY_SOURCE, TAG_PROGRESS, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
        report_total += bytes;
    }
}

static void finish(MPI_Request request)
{
    const struct timespec nap = {.tv_nsec = NAP};
    int done = 0;
    for (uint32_t i = 0; !done; i++) {
        (void)MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done || i < BUSY)
            continue;
        take_reports();
        (void)nanosleep(&nap, NULL);
        if (check_interrupt() != STATUS_DONE)
            give_up();
    }
}

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static void stop(void)
{
    take_reports();
    (void)MPI_Finalize();
}

static void get(uint32_t *index, uint32_t *count, uint32_t *local)
{
    MPI_Comm machine;
    int of_machine = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &of_machine);
    MPI_Comm_free(&machine);
    *index = (uint32_t)rank;
    *count = (uint32_t)ranks;
    *local = (uint32_t)of_machine;
}

/* ---- Exchanges ---- */

static int max(int value)
{
    MPI_Request request;
    int result = 0;
    if (pending != MPI_REQUEST_NULL)
        finish(pending);
    pending = MPI_REQUEST_NULL;
    MPI_Iallreduce(&value, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    finish(request);
    return result;
}

static void sum(uint64_t *values, size_t count)
{
    MPI_Request request;
    for (size_t done = 0, part; done < count; done += part) {
        part = count - done < PORTION / 8 ? count - done : PORTION / 8;
        MPI_Iallreduce(MPI_IN_PLACE, values + done, (int)part, MPI_UINT64_T, MPI_SUM,
                       MPI_COMM_WORLD, &request);
        finish(request);
    }
}

static void sum_before(uint64_t *values, size_t count)
{
    MPI_Request request;
    for (size_t done = 0, part; done < count; done += part) {
        part = count - done < PORTION / 8 ? count - done : PORTION / 8;
        MPI_Iexscan(MPI_IN_PLACE, values + done, (int)part, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD,
                    &request);
        finish(request);
    }
    if (rank == 0) /* for which MPI leaves them undefined */
        memset(values, 0, count * sizeof *values);
}

static void share_data(uint32_t root, void *data, size_t size)
{
    MPI_Request request;
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < PORTION ? size - done : PORTION;
        MPI_Ibcast((char *)data + done, (int)part, MPI_BYTE, (int)root, MPI_COMM_WORLD, &request);
        finish(request);
    }
}

static void gather_words(uint64_t word, uint64_t *words)
{
    MPI_Request request;
    MPI_Iallgather(&word, 1, MPI_UINT64_T, words, 1, MPI_UINT64_T, MPI_COMM_WORLD, &request);
    finish(request);
}

static void receive(char *to, uint64_t size, int from)
{
    MPI_Request request;
    for (uint64_t done = 0, part; done < size; done += part) {
        part = size - done < PORTION ? size - done : PORTION;
        MPI_Irecv(to + done, (int)part, MPI_BYTE, from, TAG_DATA, MPI_COMM_WORLD, &request);
        finish(request);
    }
}

static void gather(const void *data, size_t size, void *all, const uint64_t *sizes)
{
    MPI_Request request;
    if (rank == 0) {
        char *to = all;
        if (size > 0 && data != all)
            memmove(to, data, size);
        to += size;
        for (int i = 1; i < ranks; to += sizes[i++])
            receive(to, sizes[i], i);
        return;
    }
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < PORTION ? size - done : PORTION;
        MPI_Isend((const char *)data + done, (int)part, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD,
                  &request);
        finish(request);
    }
}

/* ---- Files ---- */

static const char *explain(int error)
{
    static char text[MPI_MAX_ERROR_STRING];
    int length = 0, class = 0;
    MPI_Error_class(error, &class);
    if (class == MPI_ERR_NO_SPACE)
        return "no space is left";
    return MPI_Error_string(error, text, &length) == MPI_SUCCESS ? text : "MPI reports an error";
}

static const char *file_open_all(const char *path, void **file)
{
    MPI_File *f = malloc(sizeof *f);
    if (f == NULL)
        return "out of memory";
    const int error = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_WRONLY, MPI_INFO_NULL, f);
    if (error != MPI_SUCCESS)
        free(f);
    else
        *file = f;
    return error == MPI_SUCCESS ? NULL : explain(error);
}

static const char *file_write_at(void *file, uint64_t offset, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        MPI_Status written;
        int count = 0;
        const size_t part = size - done < PORTION ? size - done : PORTION;
        const int error =
            MPI_File_write_at(*(MPI_File *)file, (MPI_Offset)(offset + done),
                              (const char *)data + done, (int)part, MPI_BYTE, &written);
        if (error != MPI_SUCCESS)
            return explain(error);
        MPI_Get_count(&written, MPI_BYTE, &count);
        if (count <= 0)
            return "nothing more fits";
        done += (size_t)count;
    }
    return NULL;
}

static const char *file_close_all(void **file)
{
    MPI_File *f = *file;
    const int synced = MPI_File_sync(*f);
    const int closed = MPI_File_close(f);
    free(f);
    *file = NULL;
    return synced == MPI_SUCCESS && closed == MPI_SUCCESS
               ? NULL
               : explain(synced != MPI_SUCCESS ? synced : closed);
}

/* ---- Progress ---- */

static bool report(uint64_t bytes)
{
    int done = 1;
    if (pending != MPI_REQUEST_NULL)
        (void)MPI_Test(&pending, &done, MPI_STATUS_IGNORE);
    if (!done)
        return false;
    report_sent = bytes;
    MPI_Issend(&report_sent, 1, MPI_UINT64_T, 0, TAG_PROGRESS, MPI_COMM_WORLD, &pending);
    return true;
}

static uint64_t reported(void)
{
    take_reports();
    const uint64_t bytes = report_total;
    report_total = 0;
    return bytes;
}

const ranks_transport ranks_mpi = {
    .start = start,
    .stop = stop,
    .get = get,
    .max = max,
    .sum = sum,
    .sum_before = sum_before,
    .share = share_data,
    .gather_words = gather_words,
    .gather = gather,
    .file_open = file_open_all,
    .file_write = file_write_at,
    .file_close = file_close_all,
    .report = report,
    .reported = reported,
};
