/* SPDX-License-Identifier: MIT */
/* A bar on the terminal. */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stdint.h>

/* Long work on `total` bytes: a bar on stderr where that is a terminal, once it takes long.
 * progress_add says that some more are done, and checks for an interrupt; without progress_start it
 * does only that. */
void progress_start(const char *what, uint64_t total);
int progress_add(uint64_t bytes);
void progress_end(void);

/* Removes the bar from the screen until it is drawn again. */
void progress_clear(void);

#endif
