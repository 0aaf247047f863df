/* SPDX-License-Identifier: MIT */
/* Pictures by gnuplot. It reads its script from a temporary file and writes the picture to its
 * standard output, so no file name needs quotes. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "output/gnuplot.h"
#include "status.h"

extern char **environ;

/* Runs gnuplot with files as its standard input, output and error (-1: none), and waits. Returns an
 * error number; *ended is 0 if gnuplot succeeded. */
static int run(char *const arguments[], int in, int out, int err, int *ended)
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
        result = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    while (result == 0 && waitpid(child, ended, 0) < 0)
        result = errno == EINTR ? 0 : errno;
    return result;
}

int gnuplot_check(const char *name)
{
    char *const arguments[] = {"gnuplot", "--version", NULL};
    int ended = 0;
    const int result = run(arguments, -1, -1, -1, &ended);
    if (result == 0 && ended == 0)
        return STATUS_DONE;
    return fail(STATUS_VULKAN, "%s: gnuplot cannot be run: %s; install it, or leave --plot out",
                name, result != 0 ? strerror(result) : "it fails");
}

/* Reads the first line of gnuplot's error messages. */
static void read_complaint(FILE *file, char *line, size_t size)
{
    rewind(file);
    do {
        if (fgets(line, (int)size, file) == NULL) {
            snprintf(line, size, "it does not say why");
            return;
        }
        line[strcspn(line, "\n")] = '\0';
    } while (line[strspn(line, " \t^")] == '\0');
}

int gnuplot_draw(const output *o, FILE *script)
{
    char *const arguments[] = {"gnuplot", NULL};
    char line[200];
    int ended = 0, result = errno;
    FILE *complaints = tmpfile();
    if (complaints != NULL && fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0) {
        result = run(arguments, fileno(script), o->file, fileno(complaints), &ended);
        read_complaint(complaints, line, sizeof line);
    } else {
        result = errno;
    }
    if (complaints != NULL)
        fclose(complaints);
    if (result == 0 && ended == 0 && lseek(o->file, 0, SEEK_END) > 0)
        return STATUS_DONE;
    return fail(STATUS_VULKAN, "%s: gnuplot cannot draw it: %s", o->name,
                result != 0 ? strerror(result) : line);
}
