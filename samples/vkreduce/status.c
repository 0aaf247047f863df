/* SPDX-License-Identifier: MIT */
/* Code shared by the runner and the benchmark. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include "progress.h"
#include "status.h"

static bool failed;

bool has_failed(void)
{
    return failed;
}

void forget_failure(void)
{
    failed = false;
}

int fail(int status, const char *format, ...)
{
    va_list arguments;
    const bool ends = status != STATUS_DONE && status != STATUS_DIFFERENCE;
    if (ends && failed)
        return status;
    failed = failed || ends;
    progress_clear();
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}
