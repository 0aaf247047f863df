/* SPDX-License-Identifier: MIT */
/* A progress bar on the terminal. */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Lets the bar appear even where stderr is no terminal. The second returns whether it can
 * appear. */
void progress_force(void);
bool progress_is_possible(void);

/* Starts work on `total` bytes: if it takes long and stderr is a terminal, a bar appears there.
 * progress_add adds finished bytes, and checks for an interrupt; without progress_start it only
 * checks. */
void progress_start(const char *what, uint64_t total);
int progress_add(uint64_t bytes);
void progress_end(void);

/* Removes the bar from the screen until it is drawn again. */
void progress_clear(void);

#endif
