/* SPDX-License-Identifier: MIT */
/* Writes files, first under a temporary name, so that nobody finds an incomplete one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "interrupt.h"
#include "output/output.h"
#include "ranks.h"
#include "status.h"
#include "system/system.h"

#define PORTION ((size_t)1 << 16) /* bytes copied at a time */

static int cannot(const output *o, const char *why)
{
    return fail(STATUS_VULKAN, "%s: it cannot be written: %s", o->name, why);
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
static int create_temporary(output *o, const file_state *before)
{
    const size_t size = strlen(o->path) + sizeof ".18446744073709551615.tmp";
    char *temporary = malloc(size);
    if (temporary == NULL)
        return cannot(o, "out of memory");
    snprintf(temporary, size, "%s.%ld.tmp", o->path, process_number());
    if (!remove_on_signal(temporary)) {
        free(temporary);
        return cannot(o, "out of memory");
    }
    o->file = file_create(temporary, before);
    if (o->file < 0) {
        const int status =
            errno == EEXIST ? refuse_taken(o, temporary) : cannot(o, strerror(errno));
        free(temporary);
        return status;
    }
    o->temporary = temporary;
    unfinished++;
    return STATUS_DONE;
}

bool is_standard_output(const char *name)
{
    return name != NULL && (strcmp(name, "-") == 0 || strcmp(name, "/dev/stdout") == 0);
}

static int create_unnamed(output *o)
{
    o->file = file_create_unnamed();
    return o->file >= 0
               ? STATUS_DONE
               : fail(STATUS_VULKAN,
                      "%s: no temporary file can be created for it in %s: %s; set %s to another "
                      "folder",
                      is_standard_output(o->name) ? "-" : o->name, temporary_folder(),
                      strerror(errno), temporary_variable);
}

int output_open_unnamed(output *o, const char *name)
{
    *o = (output){.name = name, .file = -1};
    return create_unnamed(o);
}

static int open_alone(output *o, const char *name)
{
    file_state before;
    if (is_standard_output(name))
        return create_unnamed(o);
    o->path = file_target(name);
    if (o->path == NULL)
        return cannot(o, strerror(errno));
    const bool exists = file_find(o->path, &before);
    if (exists && before.kind != KIND_FILE)
        return cannot(o, before.kind == KIND_FOLDER ? strerror(EISDIR)
                                                    : "it exists and is not a regular file");
    return create_temporary(o, exists ? &before : NULL);
}

int output_open(output *o, const char *name)
{
    *o = (output){.name = name, .file = -1};
    return name == NULL || !ranks_is_first() ? STATUS_DONE : open_alone(o, name);
}

/* Rank 0 creates the file, and tells the others its name. */
int output_open_shared(output *o, const char *name)
{
    int status = output_open(o, name);
    uint64_t size = o->temporary != NULL ? strlen(o->temporary) + 1 : 0;
    if (name == NULL || ranks_count() == 1)
        return status;
    status = ranks_copy(status, 0, &size, sizeof size);
    if (status != STATUS_DONE)
        return status;
    char *path = malloc((size_t)size + 1);
    if (path == NULL)
        status = cannot(o, "out of memory");
    else if (o->temporary != NULL)
        memcpy(path, o->temporary, (size_t)size);
    status = ranks_copy(status, 0, path, (size_t)size);
    status = ranks_file_open(status, path, name, &o->shared);
    free(path);
    return status;
}

int output_settle(int status, output *o)
{
    return ranks_file_close(status, o->name, &o->shared);
}

int output_write(const output *o, uint64_t offset, const void *data, uint64_t size)
{
    if (o->shared != NULL)
        return ranks_file_write(o->shared, o->name, o->start + offset, data, size);
    const unsigned char *from = data;
    while (size > 0 && o->file >= 0) {
        const ptrdiff_t done = file_write(o->file, from, (size_t)size, o->start + offset);
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
        const ptrdiff_t done = file_read(o->file, to, (size_t)size, o->start + offset);
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

static int write_all(const output *o, const char *from, size_t size)
{
    while (size > 0) {
        ptrdiff_t done;
        const int status = write_awaited(from, size, &done);
        if (status != STATUS_DONE)
            return status;
        if (done < 0)
            return cannot(o, strerror(errno));
        from += done;
        size -= (size_t)done;
    }
    return STATUS_DONE;
}

/* Copies the temporary file to the standard output. */
static int copy_to_standard(const output *o)
{
    char portion[PORTION];
    int status = STATUS_DONE;
    for (uint64_t at = 0; status == STATUS_DONE;) {
        const ptrdiff_t got = file_read(o->file, portion, sizeof portion, at);
        if (got < 0)
            return cannot(o, strerror(errno));
        if (got == 0)
            break;
        status = write_all(o, portion, (size_t)got);
        at += (uint64_t)got;
    }
    return status;
}

int output_finish(output *o)
{
    if (o->name == NULL || o->file < 0)
        return STATUS_DONE;
    if (is_standard_output(o->name))
        return copy_to_standard(o);
    const bool closed = file_close(o->file);
    o->file = -1;
    if (!closed || !file_replace(o->temporary, o->path))
        return cannot(o, strerror(errno));
    free(o->temporary);
    o->temporary = NULL;
    unfinished--;
    return STATUS_DONE;
}

void output_close(output *o)
{
    ranks_file_abandon(&o->shared);
    if (o->name != NULL && o->file >= 0)
        (void)file_close(o->file);
    if (o->temporary != NULL) {
        (void)file_remove(o->temporary);
        unfinished--;
    }
    free(o->temporary);
    free(o->path);
    *o = (output){.file = -1};
}
