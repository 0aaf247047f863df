/* SPDX-License-Identifier: MIT */
/* The transport between ranks that is MPI-3, by libvkreduce-mpi. Waits give up the processor, since
 * ranks may be more than processors, and notice the signal with which mpirun ends the ranks that
 * are left. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
#include "interrupt.h"
#include "ranks.h"
#include "status.h"
#include "system/system.h"
#include "vkreduce/mpi.h"

#define PORTION ((size_t)1 << 30) /* bytes that are written at once; their count is an int */
#define BUSY 200                  /* tests for completion before a wait naps */
#define NAP 200000                /* nanoseconds */
#define PATIENCE 0.5              /* seconds from a signal until a wait is given up */

enum { TAG_PROGRESS = 1 }; /* the library's tag is 0 */

static uint32_t rank;
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
    print_failure(rank); /* nobody else may be left to do it */
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

static void wait(void *unused, uint64_t tests)
{
    const struct timespec nap = {.tv_nsec = NAP};
    (void)unused;
    if (tests < BUSY)
        return;
    take_reports();
    (void)nanosleep(&nap, NULL);
    if (check_interrupt() != STATUS_DONE)
        give_up();
}

static void start(int *argc, char ***argv, VkrRanks *ranks, uint32_t *local)
{
    static VkrMpiTransport world = {.wait = wait};
    MPI_Comm machine;
    int of_machine = 0;
    MPI_Init(argc, argv); /* errors of MPI end the program */
    world.communicator = MPI_COMM_WORLD;
    (void)vkrMpiRanks(&world, ranks);
    rank = ranks->rank;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &of_machine);
    MPI_Comm_free(&machine);
    *local = (uint32_t)of_machine;
}

static void stop(void)
{
    take_reports();
    (void)MPI_Finalize();
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

static uint64_t report(uint64_t bytes)
{
    static uint64_t unreported;
    int done;
    if (rank == 0) {
        take_reports();
        const uint64_t others = report_total;
        report_total = 0;
        return others;
    }
    unreported += bytes;
    (void)MPI_Test(&pending, &done, MPI_STATUS_IGNORE);
    if (done) {
        report_sent = unreported;
        unreported = 0;
        MPI_Issend(&report_sent, 1, MPI_UINT64_T, 0, TAG_PROGRESS, MPI_COMM_WORLD, &pending);
    }
    return 0;
}

static void settle(void)
{
    int done = 0;
    for (uint64_t tests = 0; !done; tests++) {
        (void)MPI_Test(&pending, &done, MPI_STATUS_IGNORE);
        if (!done)
            wait(NULL, tests);
    }
}

const ranks_transport ranks_mpi = {
    .start = start,
    .stop = stop,
    .file_open = file_open_all,
    .file_write = file_write_at,
    .file_close = file_close_all,
    .report = report,
    .settle = settle,
};
