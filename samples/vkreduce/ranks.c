/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include "interrupt.h"
#include "ranks.h"
#include "status.h"
#include "system/system.h"

static const ranks_transport *transport; /* NULL: this is the only rank */
static VkrRanks all_ranks = {.count = 1};
static uint32_t index_of_machine;
static bool left; /* the rest is left to rank 0 */
static int ended; /* the status of a failure that all ranks know of */
static ranks_spent spent;
static double asked; /* when the last exchange began */

uint32_t ranks_index(void)
{
    return all_ranks.rank;
}

bool ranks_is_first(void)
{
    return ranks_count() == 1 || all_ranks.rank == 0;
}

uint32_t ranks_count(void)
{
    return left ? 1 : all_ranks.count;
}

uint32_t ranks_local(void)
{
    return index_of_machine;
}

rank_share ranks_share(uint64_t count, uint64_t unit)
{
    const uint64_t units = count / unit + (count % unit != 0), ranks = ranks_count(),
                   rank = ranks_count() > 1 ? all_ranks.rank : 0;
    /* The first ranks have one unit more than the others if they cannot all have the same. */
    const uint64_t more = units % ranks, each = units / ranks;
    const uint64_t first = (rank * each + (rank < more ? rank : more)) * unit;
    const uint64_t room = (each + (rank < more)) * unit;
    rank_share s = {.first = first < count ? first : count};
    s.count = room < count - s.first ? room : count - s.first;
    return s;
}

/* ---- Start and end ---- */

/* The number of processes that a launcher has started, by the variables that OpenMPI, MPICH and
 * what is derived from it, and Slurm set; 0 if none has. */
static long started_by_mpirun(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = getenv(names[i]);
        if (text != NULL)
            return strtol(text, NULL, 10);
    }
    return 0;
}

int ranks_start(int *argc, char ***argv, const ranks_transport *given)
{
    const long processes = started_by_mpirun();
    if (processes < 2 && (processes == 0 || given == NULL))
        return STATUS_DONE;
    if (given == NULL)
        return fail(STATUS_USAGE,
                    "mpirun has started %ld processes, but this program was built without MPI; "
                    "start it without mpirun, or build it with -Dmpi=enabled",
                    processes);
    given->start(argc, argv, &all_ranks, &index_of_machine);
    transport = given;
    /* Of another mpirun, each process would be the only rank, and write the same file. */
    if ((long)all_ranks.count != processes)
        return fail(STATUS_USAGE,
                    "mpirun has started %ld processes, of which MPI finds %u: this program was "
                    "built with another MPI; use the mpirun of that one",
                    processes, (unsigned)all_ranks.count);
    keep_failures(all_ranks.rank == 0);
    if (all_ranks.rank == 0)
        guard_unfinished();
    /* What every rank would print, one prints. */
    if (all_ranks.rank > 0 && freopen(null_file, "w", stdout) == NULL)
        return fail(STATUS_VULKAN, "%s cannot be opened", null_file);
    return STATUS_DONE;
}

static void begin(uint32_t calls, uint64_t bytes)
{
    asked = clock_seconds();
    spent.calls += calls;
    spent.bytes += bytes;
}

static int end(VkrResult result)
{
    spent.seconds += clock_seconds() - asked;
    return result == VKR_SUCCESS
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "ranks cannot exchange data: %s", vkrResultName(result));
}

/* Of several failures, the one of the first rank counts, and that rank prints it. */
static int agree(int status)
{
    uint32_t failure = (uint32_t)status, first;
    begin(1, sizeof status);
    transport->settle();
    status = end(vkrRanksAgree(&all_ranks, &failure, &first));
    if (status == STATUS_DONE && failure == 0)
        return STATUS_DONE;
    ended = status != STATUS_DONE ? status : (int)failure;
    if (status != STATUS_DONE || first == all_ranks.rank)
        print_failure(all_ranks.rank);
    return ended;
}

int ranks_agree(int status)
{
    if (ranks_count() == 1)
        return status;
    return ended != STATUS_DONE ? ended : agree(status);
}

int ranks_end(int status)
{
    if (transport == NULL)
        return status;
    left = false;
    if (ended == STATUS_DONE)
        status = agree(status);
    transport->stop();
    transport = NULL;
    return ended != STATUS_DONE ? ended : status;
}

bool ranks_leave_to_first(const char *what)
{
    if (ranks_count() > 1)
        note("%s: it cannot be shared, so that rank 0 of %u works alone", what,
             (unsigned)all_ranks.count);
    left = true;
    return all_ranks.rank == 0;
}

ranks_spent ranks_get_spent(void)
{
    return spent;
}

/* ---- Exchanges ---- */

/* Begins calls of several ranks if these agree that nothing has failed. */
static bool meet(int *status, uint32_t calls, uint64_t bytes)
{
    *status = ranks_agree(*status);
    if (*status != STATUS_DONE)
        return false;
    begin(calls, bytes);
    return true;
}

int ranks_sum(int status, uint64_t *values, size_t count)
{
    const VkrRanks *r = &all_ranks;
    return meet(&status, 1, count * sizeof *values)
               ? end(r->sum(r->context, values, count, VKR_TYPE_U64))
               : status;
}

int ranks_copy(int status, uint32_t root, void *data, size_t size)
{
    const VkrRanks *r = &all_ranks;
    if (ranks_count() == 1)
        return status;
    return meet(&status, 1, root == r->rank ? size : 0)
               ? end(r->broadcast(r->context, root, data, size))
               : status;
}

int ranks_prefix(int status, const VkrPrefixInfo *info, VkrPrefix *before)
{
    const bool is_last = all_ranks.rank + 1 == all_ranks.count;
    const size_t size = sizeof before->exists + info->components * vkrTypeSize(info->type);
    return meet(&status, 1, is_last ? 0 : size)
               ? end(vkrRanksPrefix(&all_ranks, info, before, NULL))
               : status;
}

int ranks_gather(int status, const void *data, uint64_t size, void *all)
{
    uint64_t *sizes = calloc(all_ranks.count, sizeof *sizes);
    if (sizes == NULL && status == STATUS_DONE)
        status = fail(STATUS_VULKAN, "out of memory");
    if (meet(&status, 2, sizeof size + (all_ranks.rank > 0 ? size : 0)))
        status = end(vkrRanksGather(&all_ranks, data, size, sizes, all));
    free(sizes);
    return status;
}

int ranks_gather_each(int status, const void *data, size_t size, void *all)
{
    const VkrRanks *r = &all_ranks;
    return meet(&status, 1, size) ? end(r->allGather(r->context, data, size, all)) : status;
}

/* ---- Files ---- */

/* Ends a call on a file, which returns NULL or why it failed. */
static int end_file(const char *name, const char *why)
{
    const int status = end(VKR_SUCCESS);
    return why == NULL ? status : fail(STATUS_VULKAN, "%s: it cannot be written: %s", name, why);
}

int ranks_file_open(int status, const char *path, const char *name, void **file)
{
    *file = NULL;
    if (ranks_count() == 1 || !meet(&status, 1, 0))
        return status;
    status = ranks_agree(end_file(name, transport->file_open(path, file)));
    if (status != STATUS_DONE)
        *file = NULL; /* which is not open everywhere */
    return status;
}

int ranks_file_write(void *file, const char *name, uint64_t offset, const void *data, uint64_t size)
{
    begin(1, 0);
    return end_file(name, transport->file_write(file, offset, data, (size_t)size));
}

/* The file is open on all ranks or on none, so that all of them come here. */
int ranks_file_close(int status, const char *name, void **file)
{
    if (*file == NULL || !meet(&status, 1, 0))
        return status;
    return ranks_agree(end_file(name, transport->file_close(file)));
}

void ranks_file_abandon(void **file)
{
    if (*file == NULL)
        return;
    begin(1, 0);
    (void)transport->file_close(file);
    (void)end(VKR_SUCCESS);
}

/* ---- Progress ---- */

static bool is_shown;

int ranks_show_progress(int status, bool shows)
{
    is_shown = shows;
    return ranks_copy(status, 0, &is_shown, sizeof is_shown);
}

uint64_t ranks_progress(uint64_t bytes)
{
    return ranks_count() > 1 && is_shown ? transport->report(bytes) : 0;
}
