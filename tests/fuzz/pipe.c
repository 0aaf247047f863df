/* SPDX-License-Identifier: MIT */
/* Input from a pipe, which has no name that tells its format: it must be read like a file of the
 * same bytes whose name tells nothing. The first byte is --type. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/input.h"
#include "said.h"

#define MAX_INPUT_BYTES 4096u /* a pipe holds them all */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

static bool open_pipe(input *in, const fuzz_bytes *bytes, const input_options *opts)
{
    int ends[2];
    char name[32];
    EXPECT(pipe(ends) == 0, "no pipe");
    EXPECT(write(ends[1], bytes->at, bytes->left) == (ssize_t)bytes->left, "the pipe is full");
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    const bool opened = said_right(input_open(in, name, opts));
    EXPECT(!opened || in->spooled, "it is read as a file");
    close(ends[0]);
    return opened;
}

/* Opens the file that fuzz_file makes, by a name that does not tell its format. */
static bool open_unnamed(input *in, const fuzz_bytes *bytes, const input_options *opts)
{
    static char name[64];
    const char *link = fuzz_file(bytes->at, bytes->left, "");
    const ssize_t length = readlink(link, name, sizeof name - 1);
    EXPECT(length > 0, "%s is no link", link);
    name[length] = '\0';
    return said_right(input_open(in, name, opts));
}

static void compare(const input *a, const input *b)
{
    const uint64_t size = input_span(a, a->count);
    EXPECT(a->type == b->type && a->components == b->components && a->count == b->count &&
               a->columns == b->columns && a->dimensions == b->dimensions && a->size == b->size,
           "the pipe has %llu elements and the file %llu", (unsigned long long)a->count,
           (unsigned long long)b->count);
    unsigned char *x = malloc((size_t)size + 1), *y = malloc((size_t)size + 1);
    EXPECT(x != NULL && y != NULL, "no memory");
    EXPECT(said_right(input_load(a, 0, a->count, x)), "%s", said());
    EXPECT(said_right(input_load(b, 0, b->count, y)), "%s", said());
    EXPECT(memcmp(x, y, (size_t)size) == 0, "the values differ");
    free(x);
    free(y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    const input_options opts = {.type = (uint32_t)fuzz_below(&bytes, VKR_TYPE_COUNT)};
    input from_pipe, from_file;
    if (bytes.left > MAX_INPUT_BYTES)
        return -1;
    said_nothing();
    const bool piped = open_pipe(&from_pipe, &bytes, &opts);
    said_nothing();
    const bool filed = open_unnamed(&from_file, &bytes, &opts);
    said_nothing();
    EXPECT(piped == filed, "the pipe is %s", piped ? "read" : "refused");
    if (piped)
        compare(&from_pipe, &from_file);
    input_close(&from_pipe);
    input_close(&from_file);
    return 0;
}
