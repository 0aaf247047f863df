/* SPDX-License-Identifier: MIT */
/*
 * OpenEXR pictures as INPUT of the runner. The first byte chooses --channels. Nothing but sizes can
 * be compared: the decoder is OpenEXR's.
 */
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "said.h"

#define MAX_INPUT_BYTES 8192u
#define MAX_MEMORY (64u << 20) /* bytes of one allocation */

/* Large allocations of the runner fail. */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    return size == 0 || count <= MAX_MEMORY / size ? __real_calloc(count, size) : NULL;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

static void read_all(const input *in)
{
    unsigned char *data = malloc((size_t)in->size);
    EXPECT(data != NULL, "no memory");
    EXPECT(in->type == VKR_TYPE_F16 || in->type == VKR_TYPE_F32 || in->type == VKR_TYPE_U32,
           "type %d", (int)in->type);
    EXPECT(in->components >= 1 && in->components <= 4 && in->columns > 0 &&
               in->count % in->columns == 0 &&
               in->size == in->count * in->components * vkrTypeSize(in->type),
           "%llu pixels of %u channels", (unsigned long long)in->count, in->components);
    EXPECT(said_right(input_load(in, 0, in->count, data)), "%s", said());
    free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const channels[] = {NULL, "R", "B,G", "Y", "R,G,B,A,Z", "R,R", ",", "Z"};
    fuzz_bytes bytes = {data, size};
    const input_options opts = {.channels = channels[fuzz_below(&bytes, 8)]};
    input in;
    if (bytes.left > MAX_INPUT_BYTES)
        return -1;
    said_nothing();
    if (said_right(input_open(&in, fuzz_file(bytes.at, bytes.left, ".exr"), &opts)))
        read_all(&in);
    input_close(&in);
    return 0;
}
