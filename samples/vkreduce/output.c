/* SPDX-License-Identifier: MIT */
/* Files that are written: under another name first, so that nobody finds a part of one. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "runner.h"

static int cannot(const output *o, const char *why)
{
    return fail(STATUS_VULKAN, "%s: it cannot be written: %s", o->name, why);
}

int output_open(output *o, const char *name)
{
    struct stat status;
    *o = (output){.name = name, .file = -1};
    if (name == NULL)
        return STATUS_DONE;
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
        return cannot(o, S_ISDIR(status.st_mode) ? strerror(EISDIR)
                                                 : "it exists and is no regular file");
    size_t size = strlen(name) + sizeof ".18446744073709551615.tmp";
    o->temporary = malloc(size);
    if (o->temporary == NULL)
        return cannot(o, "out of memory");
    snprintf(o->temporary, size, "%s.%ld.tmp", name, (long)getpid());
    o->file = open(o->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (o->file >= 0)
        return STATUS_DONE;
    free(o->temporary);
    o->temporary = NULL;
    return cannot(o, strerror(errno));
}

int output_write(const output *o, uint64_t offset, const void *data, uint64_t size)
{
    const unsigned char *from = data;
    while (size > 0 && o->file >= 0) {
        ssize_t done = pwrite(o->file, from, (size_t)size, (off_t)(o->start + offset));
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return cannot(o, done < 0 ? strerror(errno) : "nothing more fits");
        from += done;
        offset += (uint64_t)done;
        size -= (uint64_t)done;
    }
    return STATUS_DONE;
}

int output_read(const output *o, uint64_t offset, void *data, uint64_t size)
{
    unsigned char *to = data;
    while (size > 0) {
        ssize_t done = pread(o->file, to, (size_t)size, (off_t)(o->start + offset));
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return fail(STATUS_VULKAN, "%s: what was written cannot be read again: %s",
                        o->temporary, done < 0 ? strerror(errno) : "it is too short");
        to += done;
        offset += (uint64_t)done;
        size -= (uint64_t)done;
    }
    return STATUS_DONE;
}

int output_finish(output *o)
{
    if (o->name == NULL)
        return STATUS_DONE;
    int closed = close(o->file);
    o->file = -1;
    if (closed != 0 || rename(o->temporary, o->name) != 0)
        return cannot(o, strerror(errno));
    free(o->temporary);
    o->temporary = NULL;
    return STATUS_DONE;
}

void output_close(output *o)
{
    if (o->name != NULL && o->file >= 0)
        close(o->file);
    if (o->temporary != NULL)
        (void)remove(o->temporary);
    free(o->temporary);
    *o = (output){.file = -1};
}
