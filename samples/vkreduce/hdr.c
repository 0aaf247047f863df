/* SPDX-License-Identifier: MIT */
/* Radiance pictures, decoded by stb: one header that is there when the program is built, and
 * nothing that has to be there when it runs. */
#include "runner.h"
#ifdef RUNNER_HDR
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#include <stb/stb_image.h>

#define PIXEL 4u /* bytes */

/* The file, and whether more was asked for than there is. */
typedef struct reader {
    const input *in;
    uint64_t done;
    bool ended;
    int status;
} reader;

/* Behind the end come bytes that make the decoder go on, to its own end: 0 could stop it for ever.
 * It reads ahead in portions larger than a pixel, whose end may lie there. */
static int on_read(void *user, char *data, int size)
{
    reader *r = user;
    const uint64_t left = r->in->size - r->done;
    const size_t wanted = (size_t)size, got = left < wanted ? (size_t)left : wanted;
    if (r->status == STATUS_DONE && got > 0)
        r->status = input_read(r->in, r->done, got, data);
    memset(data + got, 0xff, wanted - got);
    r->done += got;
    r->ended = r->ended || got == 0 || (got < wanted && wanted <= PIXEL);
    return got == 0 ? size : (int)got;
}

static void on_skip(void *user, int size)
{
    (void)user, (void)size; /* never called for such pictures */
}

static int on_eof(void *user)
{
    const reader *r = user;
    return r->done >= r->in->size;
}

int hdr_open(input *in)
{
    static const stbi_io_callbacks calls = {on_read, on_skip, on_eof};
    reader r = {.in = in};
    int width = 0, height = 0, channels = 0;
    float *values = stbi_loadf_from_callbacks(&calls, &r, &width, &height, &channels, 3);
    const char *wrong = r.ended               ? "it ends too early"
                        : values == NULL      ? stbi_failure_reason()
                        : width * height == 0 ? "it has no pixels"
                                              : NULL;
    if (r.status != STATUS_DONE || wrong != NULL) {
        free(values);
        return r.status != STATUS_DONE
                   ? r.status
                   : fail(STATUS_USAGE, "%s: it is no whole Radiance picture: %s", in->name, wrong);
    }
    input_use_memory(in, (unsigned char *)values,
                     (uint64_t)width * (uint64_t)height * 3 * sizeof *values);
    in->components = 3;
    in->columns = (uint64_t)width;
    in->type = VKR_TYPE_F32;
    return STATUS_DONE;
}

#else

int hdr_open(input *in)
{
    return fail(STATUS_USAGE,
                "%s: this build of the program reads no Radiance pictures; Debian's libstb-dev has "
                "what it lacks",
                in->name);
}

#endif
