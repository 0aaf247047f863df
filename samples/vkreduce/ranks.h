/* SPDX-License-Identifier: MIT */
/*
 * The processes of one mpirun, which share the data of a command: each has one contiguous share, in
 * the order of their numbers. A program that mpirun did not start is the only rank, and then none
 * of this costs anything.
 *
 * Functions that take a status are for all ranks to call in the same order. If any rank passes a
 * failure, they exchange nothing and return a failure on every rank; from then on they all return
 * at once. So a rank that fails goes on to its end, where ranks_end tells the others, and none of
 * them waits for it in vain.
 */
#ifndef RUNNER_RANKS_H
#define RUNNER_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "vkreduce/ranks.h"

/* What the program needs of a transport besides the functions that carry data between ranks, which
 * the first one finds with the number of this rank among those of its machine. Files are written by
 * all ranks at once; functions on them return NULL, or say what failed. */
typedef struct ranks_transport {
    void (*start)(int *argc, char ***argv, VkrRanks *ranks, uint32_t *local);
    void (*stop)(void);
    const char *(*file_open)(const char *path, void **file);
    const char *(*file_write)(void *file, uint64_t offset, const void *data, size_t size);
    const char *(*file_close)(void **file);
    /* Reports more finished bytes to rank 0, now or later. Rank 0 gets those of all others, which
     * have been reported since the last call. */
    uint64_t (*report)(uint64_t bytes);
    void (*settle)(void); /* waits until rank 0 has read what was reported */
} ranks_transport;

extern const ranks_transport ranks_mpi; /* only programs that link MPI have it */

/* Starts the transport if mpirun has started this process. The transport may be NULL, with which
 * this fails then. */
int ranks_start(int *argc, char ***argv, const ranks_transport *transport);

/* Agrees on the status in which the program ends, prints the first failure, and stops. */
int ranks_end(int status);

/* Numbers of this rank: among all, and among those of the same machine. */
uint32_t ranks_index(void);
bool ranks_is_first(void); /* of several, or the only one */
uint32_t ranks_count(void);
uint32_t ranks_local(void);

/* Leaves the rest of the work to rank 0, which then is the only rank, until ranks_end, and says so
 * of `what`. Returns whether this is rank 0. */
bool ranks_leave_to_first(const char *what);

/* The share of this rank of `count` items, cut at multiples of `unit`. */
typedef struct rank_share {
    uint64_t first, count;
} rank_share;

rank_share ranks_share(uint64_t count, uint64_t unit);

/* For a single rank, these two change nothing .. */
int ranks_agree(int status);
int ranks_copy(int status, uint32_t root, void *data, size_t size); /* from one to all others */
/* .. and these are only for several. */
int ranks_sum(int status, uint64_t *values, size_t count);
int ranks_prefix(int status, const VkrPrefixInfo *info, VkrPrefix *before);
/* Puts the data of all ranks one after the other: on rank 0, which has room for all of it; or on
 * every rank, where all of them have data of the same size. */
int ranks_gather(int status, const void *data, uint64_t size, void *all);
int ranks_gather_each(int status, const void *data, size_t size, void *all);

/* A file that exists, and that all ranks write; `name` is that of the output, for sentences. */
int ranks_file_open(int status, const char *path, const char *name, void **file);
int ranks_file_write(void *file, const char *name, uint64_t offset, const void *data,
                     uint64_t size);
/* Once the first returns, the data of all ranks is in the file. The second is for the end after a
 * failure that all ranks know of. Neither does anything to a NULL. */
int ranks_file_close(int status, const char *name, void **file);
void ranks_file_abandon(void **file);

/* Lets all ranks report their progress if rank 0 shows it. */
int ranks_show_progress(int status, bool shows);
/* Reports finished bytes of this rank to rank 0, which gets those of all others instead. */
uint64_t ranks_progress(uint64_t bytes);

/* What this rank spent on the others. */
typedef struct ranks_spent {
    double seconds;
    uint64_t calls;
    uint64_t bytes; /* that it handed over */
} ranks_spent;

ranks_spent ranks_get_spent(void);

#endif
