/* SPDX-License-Identifier: MIT */
/* Signals that end the program before its time. */
#ifndef RUNNER_INTERRUPT_H
#define RUNNER_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>

/* After this call, the first SIGINT, SIGTERM or SIGHUP only sets a flag, and a second one kills the
 * program as usual. Exceeding the file size limit makes a write fail instead of killing. Signals
 * that are ignored stay ignored. */
void catch_interrupts(void);

/* Returns STATUS_DONE, or, after such a signal, prints a sentence and returns
 * STATUS_INTERRUPTED. */
int check_interrupt(void);

/* Read bytes once the file has some or ends, and write to the standard output once there is room.
 * Such a signal ends the wait, as in check_interrupt. The numbers are -1, with errno, after a
 * failure; *got is 0 at the end of the file. */
int read_awaited(int file, void *data, size_t size, ptrdiff_t *got);
int write_awaited(const void *data, size_t size, ptrdiff_t *done);

/* Registers a file to remove if a signal kills the program; the file may be gone by then. Returns
 * false if memory is exhausted. */
bool remove_on_signal(const char *path);

/* Also removes files that are registered from now on if the program is killed in a way that it does
 * not notice. Where that is impossible, nothing happens. */
void guard_unfinished(void);
void guard_file(const char *path); /* one of them: remove_on_signal calls it */

/* Removes these files. A signal's handler may call it. */
void remove_unfinished(void);

#endif
