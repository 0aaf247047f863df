/* SPDX-License-Identifier: MIT */
/* Reads pipes, terminals and files of unknown size once, to their end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "input/formats.h"
#include "interrupt.h"
#include "status.h"
#include "system/system.h"

#define PORTION ((size_t)1 << 20)     /* bytes requested at a time */
#define MAX_MEMORY ((size_t)64 << 20) /* a multiple of PORTION; longer data goes to a file */

typedef struct spooler {
    const input *in;
    unsigned char *memory;
    size_t room; /* bytes allocated */
    size_t used;
    int file;      /* -1: none yet */
    uint64_t done; /* bytes in the file */
} spooler;

static int does_not_fit(const spooler *s, const char *why)
{
    return fail(STATUS_VULKAN,
                "%s: its first %llu bytes do not fit a temporary file in %s: %s; set %s to a "
                "folder with more room, or give a regular file",
                s->in->name, (unsigned long long)(s->done + s->used), temporary_folder(), why,
                temporary_variable);
}

/* Moves what is in memory to the file. */
static int flush(spooler *s)
{
    if (s->file < 0)
        s->file = file_create_unnamed();
    if (s->file < 0)
        return does_not_fit(s, strerror(errno));
    for (size_t done = 0; done < s->used;) {
        const ptrdiff_t written =
            file_write(s->file, s->memory + done, s->used - done, s->done + done);
        if (written < 0)
            return does_not_fit(s, strerror(errno));
        done += (size_t)written;
    }
    s->done += s->used;
    s->used = 0;
    return STATUS_DONE;
}

static int make_room(spooler *s)
{
    if (s->used < s->room)
        return STATUS_DONE;
    size_t room = s->room == 0 ? PORTION : 2 * s->room;
    unsigned char *memory = room <= MAX_MEMORY ? realloc(s->memory, room) : NULL;
    if (memory == NULL)
        return s->room > 0 ? flush(s) : fail(STATUS_VULKAN, "%s: out of memory", s->in->name);
    s->memory = memory;
    s->room = room;
    return STATUS_DONE;
}

/* Reads the bytes that are available; *got is 0 at the end. */
static int take(spooler *s, size_t *got)
{
    const size_t room = s->room - s->used;
    ptrdiff_t taken;
    const int status =
        read_awaited(s->in->file, s->memory + s->used, room < PORTION ? room : PORTION, &taken);
    if (status != STATUS_DONE)
        return status;
    if (taken < 0)
        return fail(STATUS_USAGE, "%s: it cannot be read: %s", s->in->name, strerror(errno));
    *got = (size_t)taken;
    s->used += *got;
    return STATUS_DONE;
}

static int take_all(spooler *s, uint64_t most)
{
    size_t got = 1;
    int status = STATUS_DONE;
    while (got > 0 && status == STATUS_DONE && s->done + s->used <= most) {
        status = make_room(s);
        if (status == STATUS_DONE)
            status = take(s, &got);
    }
    return status == STATUS_DONE && s->file >= 0 ? flush(s) : status;
}

int spool(input *in, uint64_t most)
{
    spooler s = {.in = in, .file = -1};
    int status = take_all(&s, most);
    in->spooled = true;
    if (status == STATUS_DONE && s.file < 0) {
        input_use_memory(in, s.memory, s.used);
        return STATUS_DONE;
    }
    free(s.memory);
    if (status == STATUS_DONE)
        input_use_file(in, s.file, s.done);
    else if (s.file >= 0)
        (void)file_close(s.file);
    return status;
}
