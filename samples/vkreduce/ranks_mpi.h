/* SPDX-License-Identifier: MIT */
/* The transport between ranks that is MPI; only programs that link it have it. */
#ifndef RUNNER_RANKS_MPI_H
#define RUNNER_RANKS_MPI_H

#include "ranks.h"

extern const ranks_transport ranks_mpi;

#endif
