/* SPDX-License-Identifier: MIT */
/* The system calls the handler of Ctrl-C in a thread of its own. */
#include "system/windows_inside.h"

#include <errno.h>
#include <signal.h>
#include "interrupt.h"
#include "status.h"
#include "system/system.h"

static volatile LONG caught;  /* the event and 1; 0: none */
static volatile LONG waiting; /* the program waits for the other end of a pipe or a terminal */

/* If the program waits, which nothing ends for certain, this thread ends it. */
static BOOL WINAPI on_event(DWORD event)
{
    const bool interrupts = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
    if (interrupts && InterlockedCompareExchange(&caught, (LONG)event + 1, 0) == 0) {
        if (InterlockedExchange(&waiting, 0) == 0)
            return TRUE;
        const int status = check_interrupt();
        remove_unfinished();
        ExitProcess((UINT)status);
    }
    remove_unfinished();
    return FALSE; /* which ends the program */
}

/* Removes the files, and then lets the signal have its default effect. */
static void on_deadly(int number)
{
    remove_unfinished();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void catch_interrupts(void)
{
    (void)SetConsoleCtrlHandler(on_event, TRUE);
    (void)signal(SIGABRT, on_deadly);
    (void)signal(SIGSEGV, on_deadly);
}

int check_interrupt(void)
{
    if (caught == 0)
        return STATUS_DONE;
    return fail(STATUS_INTERRUPTED, "interrupted by %s; there is no result",
                caught - 1 == CTRL_C_EVENT ? "Ctrl-C" : "Ctrl-Break");
}

/* Ends a wait, unless the handler's thread ends the program. */
static void stop_waiting(void)
{
    if (InterlockedExchange(&waiting, 0) == 0)
        Sleep(INFINITE);
}

/* Reads or writes. A terminal's read ends when Ctrl-C arrives, often before the handler knows. */
static int await(int file, void *to, const void *from, size_t size, ptrdiff_t *done)
{
    int status = STATUS_DONE;
    do {
        *done = -1;
        (void)InterlockedExchange(&waiting, 1);
        if (caught == 0)
            *done = to != NULL ? file_read_next(file, to, size) : file_write_next(file, from, size);
        stop_waiting();
        status = check_interrupt();
    } while (status == STATUS_DONE && *done < 0 && errno == EINTR);
    return status;
}

int read_awaited(int file, void *data, size_t size, ptrdiff_t *got)
{
    return await(file, data, NULL, size, got);
}

int write_awaited(const void *data, size_t size, ptrdiff_t *done)
{
    return await(STANDARD_OUTPUT, NULL, data, size, done);
}

void guard_unfinished(void)
{
}

void guard_file(const char *path)
{
    (void)path;
}
