/* SPDX-License-Identifier: MIT */
/* The benchmark as a program of its own: it needs libc and a Vulkan loader, and nothing else. What
 * the runner's parts expect of the rest of it stands here. */
#include <stdarg.h>
#include "parts.h"

int fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    size_t digits = 0;
    for (*number = 0; text[digits] >= '0' && text[digits] <= '9' && digits < 19; digits++)
        *number = 10 * *number + (uint64_t)(text[digits] - '0');
    return digits > 0 && text[digits] == '\0' && *number >= least && *number <= most;
}

/* Pictures are no input here, so that libpng is not needed. */
int image_open(input *in)
{
    return fail(STATUS_USAGE, "%s: pictures are not read", in->name);
}

int main(int argc, char **argv)
{
    int status = bench_main(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE)
        return fail(STATUS_VULKAN, "the results could not be written to the standard output");
    return status;
}
