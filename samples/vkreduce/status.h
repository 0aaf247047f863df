/* SPDX-License-Identifier: MIT */
/* Error reporting for all parts of the program. */
#ifndef RUNNER_STATUS_H
#define RUNNER_STATUS_H

#include <stdbool.h>
#include <stdint.h>

/* Exit statuses. Every function that can fail returns one of them. */
enum {
    STATUS_DONE = 0,
    STATUS_VULKAN = 1,     /* a Vulkan failure, no memory, or an output that cannot be written */
    STATUS_USAGE = 2,      /* bad usage, or a bad input */
    STATUS_DIFFERENCE = 3, /* --verify found a difference */
    STATUS_INTERRUPTED = 130
};

/* Lets the compiler compare a format with its arguments. */
#if defined(__MINGW32__) /* whose printf is otherwise that of Windows */
#define CHECK_FORMAT(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define CHECK_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define CHECK_FORMAT(text, first)
#endif

/* The name of the program, which the main.c of each program defines. */
extern const char program_name[];

/* Prints the program's name, one sentence and a newline on stderr, and returns the status. Removes
 * a progress bar first. After one failure, others print nothing: they are its consequences, such as
 * waits for a device that was lost. (--verify may report a difference before and after.) */
int fail(int status, const char *format, ...) CHECK_FORMAT(2, 3);

/* Whether a failure was printed. The second forgets it, before work that does not depend on what
 * failed. The third lets failures print nothing until then, where an answer is sought. */
bool has_failed(void);
void forget_failure(void);
void expect_failure(void);

/* After the first, failures are kept instead of printed, and notes are only printed if `notes`: of
 * several ranks (ranks.h), one speaks for all. The second prints the failure that is kept, if there
 * is one, and with a number other than 0 the rank that met it. */
void keep_failures(bool notes);
void print_failure(uint32_t rank);

/* Prints a sentence in the same way, about something that is no failure. */
void note(const char *format, ...) CHECK_FORMAT(1, 2);

#endif
