/* SPDX-License-Identifier: MIT */
/* The benchmark as a program of its own, which needs only libc and a Vulkan loader. It defines what
 * the runner's parts expect from the rest of the runner. */
#include <stdio.h>
#include "bench.h"
#include "input/formats.h"
#include "status.h"

const char program_name[] = "bench";

/* The benchmark reads no pictures, so it does not need libpng. */
int image_open(input *in, const input_options *opts)
{
    (void)opts;
    return fail(STATUS_USAGE, "%s: pictures are not read", in->name);
}

int main(int argc, char **argv)
{
    int status = bench_main(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE)
        return fail(STATUS_VULKAN, "the results could not be written to the standard output");
    return status;
}
