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

void expect_failure(void)
{
    failed = true;
}

static void print(const char *format, va_list arguments)
{
    progress_clear();
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    fflush(stderr);
}

int fail(int status, const char *format, ...)
{
    va_list arguments;
    const bool ends = status != STATUS_DONE && status != STATUS_DIFFERENCE;
    if (ends && failed)
        return status;
    failed = failed || ends;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    return status;
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}
