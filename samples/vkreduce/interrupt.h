/* SPDX-License-Identifier: MIT */
/* Signals that end the program before its time. */
#ifndef RUNNER_INTERRUPT_H
#define RUNNER_INTERRUPT_H

#include <stdbool.h>

/* After this call, the first SIGINT, SIGTERM or SIGHUP only sets a flag, and a second one kills the
 * program as usual. Exceeding the file size limit makes a write fail instead of killing. Signals
 * that are ignored stay ignored. */
void catch_interrupts(void);

/* Returns STATUS_DONE, or, after such a signal, prints a sentence and returns
 * STATUS_INTERRUPTED. */
int check_interrupt(void);

/* Waits until the file has bytes to read, ends, or such a signal arrives. */
int await_data(int file);

/* Does the same until bytes can be written. */
int await_room(int file);

/* Registers a file to remove if a signal kills the program; the file may be gone by then. Returns
 * false if memory is exhausted. */
bool remove_on_signal(const char *path);

#endif
