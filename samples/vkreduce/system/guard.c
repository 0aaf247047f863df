/* SPDX-License-Identifier: MIT */
/*
 * A process that removes the files that another one leaves when it is killed. It reads their names
 * from a pipe, whose end is the end of that process. Nothing else of that process is left in it.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "interrupt.h"

enum { MAX_NAMES = 1 << 16, MAX_FILES = 1 << 12 };

static int guard = -1; /* where names are written, each with its final 0 */

/* Signals that end the other process, or all processes of its terminal, must not end this one. */
static void separate(int names)
{
    const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const long most = sysconf(_SC_OPEN_MAX);
    (void)setsid();
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        (void)signal(ignored[i], SIG_IGN);
    for (int file = 0; file < (most > 0 && most < MAX_FILES ? most : MAX_FILES); file++)
        if (file != names)
            (void)close(file);
}

/* Names of files that were finished are those of no file any more. */
static void watch(int names)
{
    static char text[MAX_NAMES];
    size_t used = 0;
    ssize_t got;
    separate(names);
    while ((got = read(names, text + used, sizeof text - used)) > 0)
        used += (size_t)got;
    for (const char *name = text; name < text + used; name += strlen(name) + 1)
        (void)unlink(name);
    _exit(0);
}

void guard_unfinished(void)
{
    int ends[2];
    if (guard >= 0 || pipe(ends) != 0)
        return;
    const pid_t child = fork();
    if (child == 0) {
        (void)close(ends[1]);
        watch(ends[0]);
    }
    (void)close(ends[0]);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    guard = child > 0 ? ends[1] : (close(ends[1]), -1);
}

void guard_file(const char *path)
{
    const size_t size = strlen(path) + 1;
    if (guard >= 0 && size <= PIPE_BUF) { /* so much is written at once or not at all */
        const ssize_t written = write(guard, path, size);
        (void)written;
    }
}
