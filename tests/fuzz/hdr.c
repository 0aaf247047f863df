/* SPDX-License-Identifier: MIT */
/*
 * Radiance pictures as INPUT of the runner. A picture that is accepted must have the values that
 * the simple decoder in this file finds, which shares no code with the runner's.
 *
 * A first byte other than 0 adds a header at the front, for a picture of the size that the next two
 * bytes give: so mutations of the rest reach the rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "said.h"

#define MAX_INPUT_BYTES 4096u
#define MAX_FILE (MAX_INPUT_BYTES + 128u) /* with a header in front */
#define MAX_MEMORY (4u << 20)             /* bytes of one allocation */
#define HEADER "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

typedef struct picture {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t rows, length;
    bool is_turned, is_up, is_left;
    uint8_t *texels; /* four bytes each, in the file's order */
} picture;

static uint8_t take(picture *p)
{
    EXPECT(p->at < p->end, "the file ends inside its rows");
    return *p->at++;
}

/* Large allocations fail, since a few runs can hold gigabytes of pixels. */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
    return size <= MAX_MEMORY ? __real_malloc(size) : NULL;
}

/* Finds the size after the first empty line, and the rows after the size. */
static void find_rows(picture *p)
{
    char line[MAX_FILE] = "", sign[2], axis[2];
    uint32_t size[2];
    while (p->at + 1 < p->end && memcmp(p->at, "\n\n", 2) != 0)
        p->at++;
    p->at += 2;
    const uint8_t *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
    EXPECT(newline != NULL && newline - p->at < (ptrdiff_t)sizeof line, "there is no size");
    memcpy(line, p->at, (size_t)(newline - p->at));
    EXPECT(sscanf(line, " %c%c %u %c%c %u", &sign[0], &axis[0], &size[0], &sign[1], &axis[1],
                  &size[1]) == 6,
           "the size is '%s'", line);
    p->at = newline + 1;
    p->rows = size[0];
    p->length = size[1];
    p->is_turned = axis[0] == 'X';
    p->is_up = strstr(line, "+Y") != NULL;
    p->is_left = strstr(line, "-X") != NULL;
}

/* Copies the pixels of one row, and repeats those that runs repeat. */
static void copy_row(picture *p, uint8_t *row)
{
    uint64_t factor = 1;
    for (uint64_t x = 0; x < p->length;) {
        uint8_t pixel[4];
        for (int i = 0; i < 4; i++)
            pixel[i] = take(p);
        const bool repeats = pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1;
        EXPECT(!repeats || x > 0, "nothing can be repeated");
        for (uint64_t i = repeats ? factor * pixel[3] : 1; i > 0; i--, x++) {
            EXPECT(x < p->length, "a run goes past its row");
            memcpy(row + 4 * x, repeats ? row + 4 * x - 4 : pixel, 4);
        }
        factor = repeats ? factor << 8 : 1;
    }
}

/* Unpacks one row, which has four planes, each a sequence of runs and pieces. */
static void unpack_row(picture *p, uint8_t *row)
{
    for (uint32_t plane = 0; plane < 4; plane++)
        for (uint32_t x = 0; x < p->length;) {
            const uint8_t head = take(p);
            uint8_t value = head > 128 ? take(p) : 0;
            for (uint32_t i = head > 128 ? head - 128u : head; i > 0; i--) {
                EXPECT(x < p->length, "a run goes past its row");
                value = head > 128 ? value : take(p);
                row[4 * x++ + plane] = value;
            }
        }
}

static void unpack(picture *p)
{
    for (uint32_t y = 0; y < p->rows; y++) {
        uint8_t *row = p->texels + (size_t)y * p->length * 4;
        const bool marked = p->end - p->at >= 4 && p->at[0] == 2 && p->at[1] == 2 && p->at[2] < 128;
        if (marked && p->length >= 8 && p->length < 32768) {
            EXPECT(p->at[2] * 256u + p->at[3] == p->length, "row %u has another length", y);
            p->at += 4;
            unpack_row(p, row);
            continue;
        }
        copy_row(p, row);
    }
    EXPECT(p->at == p->end, "bytes follow the rows");
}

/* The place of pixel number i of the picture in the file. */
static uint64_t place_of(const picture *p, uint64_t i)
{
    const uint32_t width = p->is_turned ? p->rows : p->length;
    const uint32_t height = p->is_turned ? p->length : p->rows;
    uint64_t x = i % width, y = i / width;
    x = p->is_left ? width - 1 - x : x;
    y = p->is_up ? height - 1 - y : y;
    return p->is_turned ? x * p->length + y : y * p->length + x;
}

static void check_values(const picture *p, const input *in)
{
    for (uint64_t i = 0; i < in->count; i++) {
        float found[3];
        const uint8_t *texel = p->texels + 4 * place_of(p, i);
        EXPECT(said_right(input_load(in, i, 1, found)), "%s", said());
        for (int c = 0; c < 3; c++) {
            const float value = texel[3] == 0 ? 0.0f : ldexpf(texel[c], texel[3] - 136);
            EXPECT(memcmp(&value, &found[c], sizeof value) == 0, "pixel %llu is %a, not %a",
                   (unsigned long long)i, (double)found[c], (double)value);
        }
    }
}

static void check_picture(const uint8_t *file, size_t size, const input *in)
{
    picture p = {.at = file, .end = file + size};
    find_rows(&p);
    EXPECT(in->type == VKR_TYPE_F32 && in->components == 3 &&
               in->columns == (p.is_turned ? p.rows : p.length) &&
               in->count == (uint64_t)p.rows * p.length,
           "%llu pixels for %u x %u", (unsigned long long)in->count, p.rows, p.length);
    p.texels = malloc((size_t)in->count * 4);
    EXPECT(p.texels != NULL && in->count > 0, "no memory, or no pixels");
    unpack(&p);
    check_values(&p, in);
    free(p.texels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t file[MAX_FILE];
    fuzz_bytes bytes = {data, size};
    size_t head = 0;
    input in;
    if (fuzz_below(&bytes, 256) != 0) {
        const unsigned height = (unsigned)fuzz_below(&bytes, 16);
        const unsigned width = (unsigned)fuzz_below(&bytes, 256);
        head = (size_t)sprintf((char *)file, HEADER "-Y %u +X %u\n", height, width);
    }
    if (bytes.left > MAX_INPUT_BYTES)
        return -1;
    if (bytes.left > 0)
        memcpy(file + head, bytes.at, bytes.left);
    said_nothing();
    if (said_right(
            input_open(&in, fuzz_file(file, head + bytes.left, ".hdr"), &(input_options){0})))
        check_picture(file, head + bytes.left, &in);
    input_close(&in);
    return 0;
}
