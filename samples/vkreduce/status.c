/* SPDX-License-Identifier: MIT */
/* Code shared by the runner and the benchmark. */
#include <stdarg.h>
#include <stdio.h>
#include "progress.h"
#include "status.h"

int fail(int status, const char *format, ...)
{
    va_list arguments;
    progress_clear();
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}
