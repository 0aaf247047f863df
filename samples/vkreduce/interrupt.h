/* SPDX-License-Identifier: MIT */
/* Signals that end the program before its time. */
#ifndef RUNNER_INTERRUPT_H
#define RUNNER_INTERRUPT_H

#include <stdbool.h>

/* Starting with this call, the first SIGINT, SIGTERM or SIGHUP only sets a flag, and a second one
 * kills as usual. Writing more than a file may hold fails instead of killing. Signals that are
 * ignored stay ignored. */
void catch_interrupts(void);

/* Returns STATUS_DONE, or, after such a signal, prints a sentence and returns
 * STATUS_INTERRUPTED. */
int check_interrupt(void);

/* Waits until the file has something to read, or ends, or such a signal comes. */
int await_data(int file);

/* Notes a file that must be removed if a signal kills the program; it may be gone by then. False:
 * out of memory. */
bool remove_on_signal(const char *path);

#endif
