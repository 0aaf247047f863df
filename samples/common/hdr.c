/* SPDX-License-Identifier: MIT */
#include "hdr.h"
#ifdef SAMPLES_HDR
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#include <stb/stb_image.h>

#define PIXEL 4u /* bytes */

const bool hdr_is_built_in = true;

/* The file, and whether more was asked for than there is. */
typedef struct reader {
    const hdr_source *source;
    uint64_t done;
    bool ended;
    bool failed;
} reader;

/* Behind the end come bytes that make the decoder go on, to its own end: 0 could stop it for ever.
 * It reads ahead in portions larger than a pixel, whose end may lie there. */
static int on_read(void *user, char *data, int size)
{
    reader *r = user;
    const uint64_t left = r->source->size - r->done;
    const size_t wanted = (size_t)size, got = left < wanted ? (size_t)left : wanted;
    if (!r->failed && got > 0)
        r->failed = !r->source->read(r->source->user, r->done, got, data);
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
    return r->done >= r->source->size;
}

float *hdr_decode(const hdr_source *source, uint32_t *width, uint32_t *height, const char **wrong)
{
    static const stbi_io_callbacks calls = {on_read, on_skip, on_eof};
    reader r = {.source = source};
    int columns = 0, rows = 0, channels = 0;
    float *values = stbi_loadf_from_callbacks(&calls, &r, &columns, &rows, &channels, 3);
    *wrong = r.ended               ? "it ends too early"
             : values == NULL      ? stbi_failure_reason()
             : columns * rows == 0 ? "it has no pixels"
                                   : NULL;
    if (r.failed || *wrong != NULL) {
        free(values);
        *wrong = r.failed ? NULL : *wrong;
        return NULL;
    }
    *width = (uint32_t)columns;
    *height = (uint32_t)rows;
    return values;
}

#else

const bool hdr_is_built_in = false;

float *hdr_decode(const hdr_source *source, uint32_t *width, uint32_t *height, const char **wrong)
{
    (void)source, (void)width, (void)height;
    *wrong = "the program was built without stb_image.h";
    return NULL;
}

#endif
