/* SPDX-License-Identifier: MIT */
/* What the runner and the benchmark say and read alike. */
#include <stdarg.h>
#include <stdio.h>
#include "runner.h"

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

bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number = value;
    return value >= least && value <= most;
}
