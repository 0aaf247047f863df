/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#include "interrupt.h"
#include "status.h"
#include "system/system.h"

/* Two signals may arrive at the same time in two threads, and only one of them is the first. */
static atomic_int caught;
static int wake_up[2] = {-1, -1}; /* a pipe that becomes readable when a signal arrives */

static const struct {
    int number;
    const char *name;
} interrupts[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

/* Other signals that end a process by default. */
static const int deadly[] = {SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2,
                             SIGXCPU, SIGABRT, SIGBUS,  SIGSEGV};

/* Removes the files, and then lets the signal have its default effect. */
static void on_deadly(int number)
{
    remove_unfinished();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void on_interrupt(int number)
{
    const int before = errno;
    int none = 0;
    if (!atomic_compare_exchange_strong(&caught, &none, number)) {
        on_deadly(number);
    } else {
        ssize_t written = write(wake_up[1], "", 1);
        (void)written;
    }
    errno = before;
}

/* Sets a handler, except for signals that are ignored or already handled. */
static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
        before.sa_handler == SIG_DFL)
        (void)sigaction(number, &action, NULL);
}

void catch_interrupts(void)
{
    if (pipe(wake_up) == 0)
        for (int i = 0; i < 2; i++) {
            /* If the standard output is closed, nothing may take its number and what is written. */
            const int other = fcntl(wake_up[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
            close(wake_up[i]);
            wake_up[i] = other;
            (void)fcntl(other, F_SETFL, O_NONBLOCK);
        }
    for (size_t i = 0; i < sizeof interrupts / sizeof interrupts[0]; i++)
        handle(interrupts[i].number, on_interrupt);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        handle(deadly[i], on_deadly);
    handle(SIGXFSZ, SIG_IGN); /* a write past the limit then fails with an error */
}

int check_interrupt(void)
{
    if (caught == 0)
        return STATUS_DONE;
    size_t i = 0;
    while (interrupts[i].number != caught)
        i++;
    return fail(STATUS_INTERRUPTED, "interrupted by %s; there is no result", interrupts[i].name);
}

static int await(int file, short events)
{
    struct pollfd files[] = {{.fd = file, .events = events}, {.fd = wake_up[0], .events = POLLIN}};
    while (poll(files, 2, -1) < 0 && errno == EINTR && caught == 0)
        ;
    return check_interrupt();
}

int read_awaited(int file, void *data, size_t size, ptrdiff_t *got)
{
    *got = -1;
    while (*got < 0) {
        const int status = await(file, POLLIN);
        if (status != STATUS_DONE)
            return status;
        *got = file_read_next(file, data, size);
        if (*got < 0 && errno != EINTR && errno != EAGAIN)
            break;
    }
    return STATUS_DONE;
}

/* A reader may be slow, and another program may have made the pipe one that never waits. */
int write_awaited(const void *data, size_t size, ptrdiff_t *done)
{
    *done = -1;
    while (*done < 0) {
        const int status = await(STANDARD_OUTPUT, POLLOUT);
        if (status != STATUS_DONE)
            return status;
        *done = file_write_next(STANDARD_OUTPUT, data, size);
        if (*done < 0 && errno != EINTR && errno != EAGAIN)
            break;
    }
    return STATUS_DONE;
}
