/* SPDX-License-Identifier: MIT */
#include "hdr.h"
#include <stdio.h>
#ifdef SAMPLES_HDR
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#include <stb/stb_image.h>

#define FORMAT "FORMAT=32-bit_rle_rgbe"
#define MAX_HEADER 65536u /* bytes */
#define PIXEL 4u          /* bytes: three mantissas and an exponent */
#define MAX_PIXELS (INT32_MAX / (3 * sizeof(float)))
#define MIN_PACKED 8u     /* min columns of a picture with packed rows .. */
#define MAX_PACKED 32767u /* .. and max columns */
#define FULL_RUN 128u     /* a greater count means a run of one value */

const bool hdr_is_built_in = true;

/*
 * A file in memory, and how much of it is checked. The decoder relies on this check: it looks for
 * the end of the header until it finds one, treats every row like the first one, and does not check
 * for the end of the file.
 */
typedef struct picture {
    unsigned char *bytes;
    size_t size;
    size_t at;
    uint32_t width, height;
    char *wrong;
} picture;

static bool say(const picture *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool say(const picture *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(p->wrong, HDR_WRONG, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- The header ---- */

typedef struct text {
    const char *at;
    size_t length;
} text;

static bool is_equal(const text *t, const char *word)
{
    return t->length == strlen(word) && memcmp(t->at, word, t->length) == 0;
}

static bool take(text *t, const char *word)
{
    const size_t length = strlen(word);
    if (t->length < length || memcmp(t->at, word, length) != 0)
        return false;
    t->at += length;
    t->length -= length;
    return true;
}

/* Parses a whole number after spaces; one that is too large for any picture becomes MAX_PIXELS +
 * 1. */
static bool read_decimal(text *t, uint32_t *number)
{
    uint64_t value = 0;
    while (take(t, " "))
        ;
    const size_t before = t->length;
    for (; t->length > 0 && *t->at >= '0' && *t->at <= '9'; t->at++, t->length--) {
        value = 10 * value + (uint64_t)(*t->at - '0');
        value = value <= MAX_PIXELS ? value : MAX_PIXELS + 1;
    }
    *number = (uint32_t)value;
    return t->length < before;
}

/* Reads a line, without its newline. */
static bool take_line(picture *p, text *line)
{
    const unsigned char *start = p->bytes + p->at;
    const size_t left = p->size - p->at;
    const unsigned char *end = memchr(start, '\n', left);
    if (end == NULL)
        return p->size < MAX_HEADER
                   ? say(p, "it ends inside its header")
                   : say(p, "its header does not end within its first %u bytes", MAX_HEADER);
    *line = (text){(const char *)start, (size_t)(end - start)};
    p->at += line->length + 1;
    return memchr(start, '\0', line->length) == NULL || say(p, "its header has a byte of 0");
}

/* Whether the file starts with one of the magic lines. A file that ends inside one passes, since a
 * later check reports that. */
static bool check_magic(const picture *p)
{
    static const char *const lines[] = {"#?RADIANCE\n", "#?RGBE\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const size_t length = strlen(lines[i]);
        if (memcmp(p->bytes, lines[i], p->size < length ? p->size : length) == 0)
            return true;
    }
    return say(p, "it does not start with a line of #?RADIANCE or #?RGBE");
}

static bool check_size(picture *p, text *line)
{
    bool good = take(line, "-Y ") && read_decimal(line, &p->height);
    while (take(line, " "))
        ;
    good = good && take(line, "+X ") && read_decimal(line, &p->width);
    while (take(line, " "))
        ;
    if (!good || line->length > 0)
        return say(p, "the last line of its header must be '-Y HEIGHT +X WIDTH'");
    if (p->width == 0 || p->height == 0)
        return say(p, "it has no pixels");
    if (p->width > STBI_MAX_DIMENSIONS || p->height > STBI_MAX_DIMENSIONS)
        return say(p, "its header promises more than %d columns or rows", STBI_MAX_DIMENSIONS);
    return (uint64_t)p->width * p->height <= MAX_PIXELS ||
           say(p, "its header promises more than %zu pixels", MAX_PIXELS);
}

static bool check_header(picture *p)
{
    text line;
    bool known = false;
    if (!check_magic(p) || !take_line(p, &line))
        return false;
    do {
        if (!take_line(p, &line))
            return false;
        const bool right = is_equal(&line, FORMAT);
        if (!right && take(&line, "FORMAT="))
            return say(p, "its header has another format than " FORMAT);
        known = known || right;
    } while (line.length > 0);
    if (!known)
        return say(p, "its header has no line of " FORMAT);
    return take_line(p, &line) && check_size(p, &line);
}

/* ---- Rows ---- */

static bool ends_early(const picture *p, uint32_t row)
{
    return say(p, "it ends too early, in row %u of %u", row, p->height);
}

static bool may_be_packed(const picture *p)
{
    return p->width >= MIN_PACKED && p->width <= MAX_PACKED;
}

/* No plain pixel starts like this, since one of its mantissas is at least 128. */
static bool is_packed(const picture *p)
{
    const unsigned char *row = p->bytes + p->at;
    return may_be_packed(p) && row[0] == 2 && row[1] == 2 && row[2] < 128;
}

/* Checks the runs and literal pieces that encode one byte of each pixel in a row. */
static bool check_plane(picture *p, uint32_t row)
{
    for (uint32_t done = 0; done < p->width;) {
        if (p->at == p->size)
            return ends_early(p, row);
        const uint32_t head = p->bytes[p->at++];
        const uint32_t count = head > FULL_RUN ? head - FULL_RUN : head;
        const uint32_t values = head > FULL_RUN ? 1 : count;
        if (count == 0 || count > p->width - done)
            return say(p, "row %u has a run of %u values where 1 to %u fit", row, count,
                       p->width - done);
        if (values > p->size - p->at)
            return ends_early(p, row);
        p->at += values;
        done += count;
    }
    return true;
}

static bool check_packed(picture *p, uint32_t row)
{
    const uint32_t width = (uint32_t)p->bytes[p->at + 2] << 8 | p->bytes[p->at + 3];
    bool good =
        width == p->width || say(p, "row %u has %u pixels; it must have %u", row, width, p->width);
    p->at += PIXEL;
    for (uint32_t plane = 0; plane < PIXEL && good; plane++)
        good = check_plane(p, row);
    return good;
}

/* Checks the plain pixels of a row. Old files, in which a pixel (1, 1, 1, n) repeats the one before
 * n times, are rejected. */
static bool check_plain(picture *p, uint32_t row)
{
    static const unsigned char repeat[] = {1, 1, 1};
    const size_t size = (size_t)p->width * PIXEL;
    if (size > p->size - p->at)
        return ends_early(p, row);
    for (size_t i = 0; i < size; i += PIXEL)
        if (memcmp(p->bytes + p->at + i, repeat, sizeof repeat) == 0)
            return say(p, "row %u has a run of the old kind, a pixel of (1, 1, 1, n)", row);
    p->at += size;
    return true;
}

static bool check_rows(picture *p)
{
    bool packed = false;
    for (uint32_t row = 0; row < p->height; row++) {
        if (p->size - p->at < PIXEL)
            return ends_early(p, row);
        packed = row == 0 ? is_packed(p) : packed;
        if (packed != is_packed(p))
            return say(p, "row %u is %s and row 0 is not; all must be, or none", row,
                       packed ? "plain" : "packed");
        if (!(packed ? check_packed : check_plain)(p, row))
            return false;
    }
    return true;
}

/* ---- The file ---- */

/* Reads the file up to byte `end`. */
static bool read_up_to(picture *p, const hdr_source *source, uint64_t end)
{
    const size_t size = (size_t)(end < source->size ? end : source->size);
    if (size <= p->size && p->bytes != NULL)
        return true;
    unsigned char *bytes = realloc(p->bytes, size + 1);
    if (bytes == NULL)
        return say(p, "there is no memory for its %zu bytes", size);
    p->bytes = bytes;
    if (!source->read(source->user, p->size, size - p->size, bytes + p->size))
        return false;
    p->size = size;
    return true;
}

/* The maximum size of the rows in bytes: packed rows may have a count for every value. */
static uint64_t max_rows(const picture *p)
{
    const uint64_t pixels = (uint64_t)p->width * p->height;
    return may_be_packed(p) ? (uint64_t)p->height * PIXEL + pixels * PIXEL * 2 : pixels * PIXEL;
}

static bool read_picture(picture *p, const hdr_source *source)
{
    return read_up_to(p, source, MAX_HEADER) && check_header(p) &&
           read_up_to(p, source, p->at + max_rows(p)) && check_rows(p);
}

float *hdr_decode(const hdr_source *source, uint32_t *width, uint32_t *height,
                  char wrong[HDR_WRONG])
{
    picture p = {.wrong = wrong};
    float *values = NULL;
    int columns, rows, channels;
    wrong[0] = '\0';
    if (read_picture(&p, source)) {
        values = stbi_loadf_from_memory(p.bytes, (int)p.at, &columns, &rows, &channels, 3);
        if (values == NULL)
            (void)say(&p, "stb_image refuses it: %s", stbi_failure_reason());
    }
    free(p.bytes);
    *width = p.width;
    *height = p.height;
    return values;
}

#else

const bool hdr_is_built_in = false;

float *hdr_decode(const hdr_source *source, uint32_t *width, uint32_t *height,
                  char wrong[HDR_WRONG])
{
    (void)source, (void)width, (void)height;
    (void)snprintf(wrong, HDR_WRONG, "the program was built without stb_image.h");
    return NULL;
}

#endif
