/* SPDX-License-Identifier: MIT */
/* Code shared by the runner and the benchmark. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "progress.h"
#include "status.h"

static bool failed;
static bool keeps, silent; /* of several ranks */
static char *kept;         /* a failure */

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

/* Keeps the sentence; without memory for it, the status is all that others learn. */
static void keep(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    free(kept);
    kept = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (kept != NULL)
        (void)vsnprintf(kept, (size_t)length + 1, format, arguments);
}

void keep_failures(bool notes)
{
    keeps = true;
    silent = !notes;
}

void print_failure(uint32_t rank)
{
    char number[32] = "";
    if (rank > 0)
        snprintf(number, sizeof number, "rank %u: ", (unsigned)rank);
    progress_clear();
    if (kept != NULL)
        fprintf(stderr, "%s: %s%s\n", program_name, number, kept);
    fflush(stderr);
    free(kept);
    kept = NULL;
}

int fail(int status, const char *format, ...)
{
    va_list arguments;
    const bool ends = status != STATUS_DONE && status != STATUS_DIFFERENCE;
    if (ends && failed)
        return status;
    failed = failed || ends;
    va_start(arguments, format);
    (keeps && ends ? keep : print)(format, arguments);
    va_end(arguments);
    return status;
}

void note(const char *format, ...)
{
    va_list arguments;
    if (silent)
        return;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}
