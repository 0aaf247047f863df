/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "system/system.h"

#define MAX_TARGET 4096 /* bytes of a symbolic link */
#define MAX_LINKS 40

extern char **environ;

const char null_file[] = "/dev/null";

bool system_start(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return true;
}

/* ---- Files ---- */

static file_kind kind_of(mode_t mode)
{
    return S_ISREG(mode) ? KIND_FILE : S_ISDIR(mode) ? KIND_FOLDER : KIND_OTHER;
}

bool file_examine(int file, file_state *state)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    const off_t position = lseek(file, 0, SEEK_CUR);
    *state = (file_state){.kind = kind_of(status.st_mode),
                          .position = position > 0 ? (uint64_t)position : 0,
                          .mode = status.st_mode & 0777};
    if (state->kind == KIND_FILE && status.st_size > 0)
        state->size = (uint64_t)status.st_size;
    if (S_ISBLK(status.st_mode)) {
        const off_t end = lseek(file, 0, SEEK_END);
        state->kind = KIND_DISK;
        state->size = end > 0 ? (uint64_t)end : 0;
    }
    return true;
}

bool file_find(const char *name, file_state *state)
{
    struct stat status;
    if (stat(name, &status) != 0)
        return false;
    *state = (file_state){.kind = kind_of(status.st_mode), .mode = status.st_mode & 0777};
    return true;
}

int file_open(const char *name)
{
    return open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int file_open_standard_input(void)
{
    return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int file_create(const char *name, const file_state *before)
{
    const int file =
        open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, before != NULL ? 0600 : 0666);
    if (file >= 0 && before != NULL)
        (void)fchmod(file, before->mode); /* fails where files have no modes */
    return file;
}

const char temporary_variable[] = "TMPDIR";

const char *temporary_folder(void)
{
    const char *folder = getenv(temporary_variable);
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

int file_create_unnamed(void)
{
    static const char name[] = "/vkreduce-XXXXXX";
    const char *folder = temporary_folder();
    char *path = malloc(strlen(folder) + sizeof name);
    if (path == NULL)
        return -1;
    strcpy(path, folder);
    strcat(path, name);
    const int file = mkstemp(path);
    if (file >= 0) {
        (void)unlink(path);
        (void)fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    free(path);
    return file;
}

FILE *file_create_stream(void)
{
    return tmpfile();
}

bool file_close(int file)
{
    return close(file) == 0;
}

ptrdiff_t file_read(int file, void *data, size_t size, uint64_t offset)
{
    ssize_t got;
    do
        got = pread(file, data, size, (off_t)offset);
    while (got < 0 && errno == EINTR);
    return got;
}

ptrdiff_t file_write(int file, const void *data, size_t size, uint64_t offset)
{
    ssize_t done;
    do
        done = pwrite(file, data, size, (off_t)offset);
    while (done < 0 && errno == EINTR);
    return done;
}

ptrdiff_t file_read_next(int file, void *data, size_t size)
{
    return read(file, data, size);
}

ptrdiff_t file_write_next(int file, const void *data, size_t size)
{
    return write(file, data, size);
}

char *file_target(const char *name)
{
    char target[MAX_TARGET];
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

bool file_replace(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool file_remove(const char *name)
{
    return unlink(name) == 0;
}

bool folder_create(const char *name)
{
    return mkdir(name, 0777) == 0;
}

bool folder_remove(const char *name)
{
    return rmdir(name) == 0;
}

/* ---- Terminal and programs ---- */

int terminal_columns(void)
{
    struct winsize size;
    if (!isatty(STDERR_FILENO))
        return 0;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int run_program(char *const arguments[], int in, int out, int err, int *ended)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0)
        return result;
    const int files[] = {in, out, err};
    for (int i = 0; i < 3 && result == 0; i++)
        result = files[i] >= 0
                     ? posix_spawn_file_actions_adddup2(&actions, files[i], i)
                     : posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    if (result == 0)
        result = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    while (result == 0 && waitpid(child, ended, 0) < 0)
        result = errno == EINTR ? 0 : errno;
    return result;
}

int stream_file(FILE *stream)
{
    return fileno(stream);
}

long process_number(void)
{
    return (long)getpid();
}
