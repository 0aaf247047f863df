/* SPDX-License-Identifier: MIT */
/* Pictures by gnuplot. It reads its script from a temporary file and writes the picture to its
 * standard output, so no file name needs quotes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "output/gnuplot.h"
#include "status.h"
#include "system/system.h"

int gnuplot_check(const char *name)
{
    char *const arguments[] = {"gnuplot", "--version", NULL};
    int ended = 0;
    const int result = run_program(arguments, -1, -1, -1, &ended);
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
    file_state drawn;
    int ended = 0, result = errno;
    FILE *complaints = file_create_stream();
    if (complaints != NULL && fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0) {
        result =
            run_program(arguments, stream_file(script), o->file, stream_file(complaints), &ended);
        read_complaint(complaints, line, sizeof line);
    } else {
        result = errno;
    }
    if (complaints != NULL)
        fclose(complaints);
    if (result == 0 && ended == 0 && file_examine(o->file, &drawn) && drawn.size > 0)
        return STATUS_DONE;
    return fail(STATUS_VULKAN, "%s: gnuplot cannot draw it: %s", o->name,
                result != 0 ? strerror(result) : line);
}
