/* SPDX-License-Identifier: MIT */
/* Writes files, first under a temporary name, so that nobody finds an incomplete one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "interrupt.h"
#include "output/output.h"
#include "status.h"

#define MAX_PATH 4096
#define MAX_LINKS 40
#define PORTION ((size_t)1 << 16) /* bytes copied at a time */

static int cannot(const output *o, const char *why)
{
    return fail(STATUS_VULKAN, "%s: it cannot be written: %s", o->name, why);
}

/* Returns the name that symbolic links lead to, even if no such file exists yet. Returns NULL and
 * sets errno after a failure. */
static char *follow(const char *name)
{
    char target[MAX_PATH];
    char *path = strdup(name);
    for (int links = 0; path != NULL && links < MAX_LINKS; links++) {
        const ssize_t length = readlink(path, target, sizeof target);
        if (length < 0)
            return path;
        const char *slash = target[0] != '/' ? strrchr(path, '/') : NULL;
        const size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
        char *next = malloc(folder + (size_t)length + 1);
        if (next != NULL) {
            memcpy(next, path, folder);
            memcpy(next + folder, target, (size_t)length);
            next[folder + (size_t)length] = '\0';
        }
        free(path);
        path = next;
    }
    if (path != NULL)
        errno = ELOOP;
    free(path);
    return NULL;
}

static uint32_t unfinished; /* outputs that have a temporary file */

/* The temporary file's name, which has the number of this process, is taken: by another output, or
 * by a process of the same number that was killed long ago. */
static int refuse_taken(const output *o, const char *temporary)
{
    return unfinished > 0 ? fail(STATUS_USAGE,
                                 "%s: two outputs lead to this file; each needs its own", o->name)
                          : fail(STATUS_VULKAN,
                                 "%s: it cannot be written: %s is left from another run; remove it",
                                 o->name, temporary);
}

/* Creates the temporary file next to the file that it will replace, with that file's mode if there
 * is one. */
static int create_temporary(output *o, const struct stat *before)
{
    const size_t size = strlen(o->path) + sizeof ".18446744073709551615.tmp";
    char *temporary = malloc(size);
    if (temporary == NULL)
        return cannot(o, "out of memory");
    snprintf(temporary, size, "%s.%ld.tmp", o->path, (long)getpid());
    if (!remove_on_signal(temporary)) {
        free(temporary);
        return cannot(o, "out of memory");
    }
    o->file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, before != NULL ? 0600 : 0666);
    if (o->file < 0) {
        const int status =
            errno == EEXIST ? refuse_taken(o, temporary) : cannot(o, strerror(errno));
        free(temporary);
        return status;
    }
    o->temporary = temporary;
    unfinished++;
    if (before != NULL)
        (void)fchmod(o->file, before->st_mode & 0777); /* fails where files have no modes */
    return STATUS_DONE;
}

bool is_standard_output(const char *name)
{
    return name != NULL && (strcmp(name, "-") == 0 || strcmp(name, "/dev/stdout") == 0);
}

/* Creates a file that no other program sees and that disappears when the program ends. */
static int create_unnamed(output *o)
{
    const char *folder = getenv("TMPDIR");
    char path[MAX_PATH];
    const int length = snprintf(path, sizeof path, "%s/vkreduce-XXXXXX",
                                folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    if (length >= (int)sizeof path)
        return cannot(o, "the name of TMPDIR is too long");
    o->file = mkstemp(path);
    if (o->file < 0)
        return fail(STATUS_VULKAN,
                    "-: no temporary file can be created for it: %s: %s; set TMPDIR to another "
                    "folder",
                    path, strerror(errno));
    (void)unlink(path);
    (void)fcntl(o->file, F_SETFD, FD_CLOEXEC);
    return STATUS_DONE;
}

int output_open(output *o, const char *name)
{
    struct stat status;
    *o = (output){.name = name, .file = -1};
    if (name == NULL)
        return STATUS_DONE;
    if (is_standard_output(name))
        return create_unnamed(o);
    o->path = follow(name);
    if (o->path == NULL)
        return cannot(o, strerror(errno));
    const bool exists = stat(o->path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode))
        return cannot(o, S_ISDIR(status.st_mode) ? strerror(EISDIR)
                                                 : "it exists and is not a regular file");
    return create_temporary(o, exists ? &status : NULL);
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
            return fail(STATUS_VULKAN, "%s: the data written to it cannot be read again: %s",
                        o->temporary != NULL ? o->temporary : o->name,
                        done < 0 ? strerror(errno) : "it is too short");
        to += done;
        offset += (uint64_t)done;
        size -= (uint64_t)done;
    }
    return STATUS_DONE;
}

/* A reader may be slow, and another program may have made the pipe one that never waits. */
static int write_all(const output *o, const char *from, size_t size)
{
    while (size > 0) {
        const int status = await_room(STDOUT_FILENO);
        if (status != STATUS_DONE)
            return status;
        const ssize_t done = write(STDOUT_FILENO, from, size);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return cannot(o, strerror(errno));
        from += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return STATUS_DONE;
}

/* Copies the temporary file to the standard output. */
static int copy_to_standard(const output *o)
{
    char portion[PORTION];
    int status = STATUS_DONE;
    for (off_t at = 0; status == STATUS_DONE;) {
        const ssize_t got = pread(o->file, portion, sizeof portion, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cannot(o, strerror(errno));
        if (got == 0)
            break;
        status = write_all(o, portion, (size_t)got);
        at += got;
    }
    return status;
}

int output_finish(output *o)
{
    if (o->name == NULL)
        return STATUS_DONE;
    if (is_standard_output(o->name))
        return copy_to_standard(o);
    int closed = close(o->file);
    o->file = -1;
    if (closed != 0 || rename(o->temporary, o->path) != 0)
        return cannot(o, strerror(errno));
    free(o->temporary);
    o->temporary = NULL;
    unfinished--;
    return STATUS_DONE;
}

void output_close(output *o)
{
    if (o->name != NULL && o->file >= 0)
        close(o->file);
    if (o->temporary != NULL) {
        (void)remove(o->temporary);
        unfinished--;
    }
    free(o->temporary);
    free(o->path);
    *o = (output){.file = -1};
}
