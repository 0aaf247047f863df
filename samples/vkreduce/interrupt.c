/* SPDX-License-Identifier: MIT */
/* The files that an early end of the program must not leave. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "interrupt.h"
#include "system/system.h"

/* A file that is not complete yet. Entries are never removed, since a signal may read them at any
 * time. */
typedef struct unfinished {
    struct unfinished *next;
    char path[];
} unfinished;

static unfinished *_Atomic first_unfinished;

bool remove_on_signal(const char *path)
{
    const size_t size = strlen(path) + 1;
    unfinished *u = malloc(sizeof *u + size);
    if (u == NULL)
        return false;
    memcpy(u->path, path, size);
    u->next = first_unfinished;
    first_unfinished = u;
    guard_file(path);
    return true;
}

void remove_unfinished(void)
{
    for (unfinished *u = first_unfinished; u != NULL; u = u->next)
        (void)file_remove(u->path);
}
