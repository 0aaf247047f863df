/* SPDX-License-Identifier: MIT */
/* Reads pipes, terminals and files of unknown size once, to their end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "input/formats.h"
#include "interrupt.h"
#include "status.h"

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

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

static int does_not_fit(const spooler *s, const char *why)
{
    return fail(STATUS_VULKAN,
                "%s: its first %llu bytes do not fit a temporary file in %s: %s; set TMPDIR to a "
                "folder with more room, or give a regular file",
                s->in->name, (unsigned long long)(s->done + s->used), temporary_folder(), why);
}

/* Creates a file that no other program sees and that disappears when the program ends. */
static int create_file(spooler *s)
{
    static const char name[] = "/vkreduce-XXXXXX";
    const char *folder = temporary_folder();
    char *path = malloc(strlen(folder) + sizeof name);
    if (path == NULL)
        return does_not_fit(s, "out of memory");
    strcpy(path, folder);
    strcat(path, name);
    s->file = mkstemp(path);
    int status = s->file >= 0 ? STATUS_DONE : does_not_fit(s, strerror(errno));
    if (s->file >= 0)
        (void)unlink(path);
    free(path);
    return status;
}

/* Moves what is in memory to the file. */
static int flush(spooler *s)
{
    int status = s->file >= 0 ? STATUS_DONE : create_file(s);
    for (size_t done = 0; done < s->used && status == STATUS_DONE;) {
        ssize_t written = write(s->file, s->memory + done, s->used - done);
        if (written < 0 && errno != EINTR)
            return does_not_fit(s, strerror(errno));
        done += written > 0 ? (size_t)written : 0;
    }
    s->done += s->used;
    s->used = 0;
    return status;
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
    for (;;) {
        int status = await_data(s->in->file);
        if (status != STATUS_DONE)
            return status;
        const size_t room = s->room - s->used;
        ssize_t taken = read(s->in->file, s->memory + s->used, room < PORTION ? room : PORTION);
        *got = taken > 0 ? (size_t)taken : 0;
        s->used += *got;
        if (taken >= 0)
            return STATUS_DONE;
        if (errno != EINTR && errno != EAGAIN)
            return fail(STATUS_USAGE, "%s: it cannot be read: %s", s->in->name, strerror(errno));
    }
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
        close(s.file);
    return status;
}
