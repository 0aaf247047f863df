/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_fail(const char *condition, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "not so: %s\n", condition);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

/* ---- Bytes ---- */

uint64_t fuzz_below(fuzz_bytes *bytes, uint64_t end)
{
    uint64_t value = 0;
    if (end == 0)
        return 0;
    for (uint64_t most = end - 1; most > 0 && bytes->left > 0; most >>= 8, bytes->left--)
        value = value << 8 | *bytes->at++;
    return value % end;
}

char *fuzz_text(const fuzz_bytes *bytes)
{
    const size_t length = bytes->left > 0 ? strnlen((const char *)bytes->at, bytes->left) : 0;
    char *text = malloc(length + 1);
    EXPECT(text != NULL, "no memory");
    if (length > 0)
        memcpy(text, bytes->at, length);
    text[length] = '\0';
    return text;
}

/* ---- Files ---- */

/* A file in memory, and a link to it for each suffix, in a folder that is removed at exit. */
static struct {
    int file;
    char folder[64];
    char names[4][96];
} shared = {.file = -1};

static void remove_links(void)
{
    for (size_t i = 0; i < sizeof shared.names / sizeof shared.names[0]; i++)
        if (shared.names[i][0] != '\0')
            unlink(shared.names[i]);
    rmdir(shared.folder);
}

static void open_file(void)
{
    const char *parent = getenv("TMPDIR");
    shared.file = memfd_create("fuzz", MFD_CLOEXEC);
    snprintf(shared.folder, sizeof shared.folder, "%.40s/vkreduce-XXXXXX",
             parent != NULL ? parent : "/tmp");
    EXPECT(shared.file >= 0 && mkdtemp(shared.folder) != NULL, "%s: no folder", shared.folder);
    atexit(remove_links);
}

static const char *find_link(const char *suffix)
{
    char target[32];
    char wanted[96];
    size_t i = 0;
    snprintf(wanted, sizeof wanted, "%s/file%s", shared.folder, suffix);
    while (shared.names[i][0] != '\0' && strcmp(shared.names[i], wanted) != 0)
        i++;
    if (shared.names[i][0] == '\0') {
        snprintf(target, sizeof target, "/proc/self/fd/%d", shared.file);
        EXPECT(symlink(target, wanted) == 0, "%s: no link", wanted);
        memcpy(shared.names[i], wanted, sizeof wanted);
    }
    return shared.names[i];
}

const char *fuzz_file(const uint8_t *data, size_t size, const char *suffix)
{
    if (shared.file < 0)
        open_file();
    EXPECT(ftruncate(shared.file, (off_t)size) == 0 &&
               pwrite(shared.file, data, size, 0) == (ssize_t)size,
           "%zu bytes cannot be written", size);
    return find_link(suffix);
}
