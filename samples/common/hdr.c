/* SPDX-License-Identifier: MIT */
#include "hdr.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HEADER 65536u /* bytes */
#define PIXEL 4u          /* bytes: three mantissas and an exponent */
#define MAX_BYTES 20u     /* that a row may have per pixel: one pixel and four counts of 0 */
#define MIN_PACKED 8u     /* min pixels in a packed row .. */
#define MAX_PACKED 32767u /* .. and max pixels */
#define FULL_RUN 128u     /* a greater count means a run of one value */

/* A file, and how much of it is used. Its rows are columns of the picture if X comes first in the
 * line of the size. */
typedef struct reader {
    const hdr_source *source;
    unsigned char *bytes;
    size_t size;
    size_t at;
    uint32_t rows, length;
    bool is_turned; /* X comes first */
    bool is_up;     /* +Y: the bottom comes first */
    bool is_left;   /* -X: the right comes first */
    bool is_xyz;
    unsigned char *row; /* NULL: rows are only checked */
    char *wrong;
} reader;

#if defined(__MINGW32__) /* whose printf is otherwise that of Windows */
#define PRINTF gnu_printf
#else
#define PRINTF printf
#endif

static bool say(const reader *r, const char *format, ...) __attribute__((format(PRINTF, 2, 3)));
static bool say(const reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(r->wrong, HDR_WRONG, format, arguments);
    va_end(arguments);
    return false;
}

/* Reads the file up to byte `end`. */
static bool read_up_to(reader *r, uint64_t end)
{
    const hdr_source *source = r->source;
    const uint64_t size = end < source->size ? end : source->size;
    unsigned char *bytes = size < SIZE_MAX ? realloc(r->bytes, (size_t)size + 1) : NULL;
    if (bytes == NULL)
        return say(r, "there is no memory for its %llu bytes", (unsigned long long)size);
    r->bytes = bytes;
    const size_t more = (size_t)size - r->size;
    if (!source->read(source->user, r->size, more, bytes + r->size))
        return false;
    r->size += more;
    return true;
}

/* ---- The header ---- */

/* Ends a line with a 0 in place of its newline, and returns it; NULL if there is none. */
static char *take_line(reader *r)
{
    char *line = (char *)r->bytes + r->at;
    char *end = memchr(line, '\n', r->size - r->at);
    if (end == NULL) {
        (void)(r->size < MAX_HEADER
                   ? say(r, "it ends inside its header")
                   : say(r, "its header does not end within its first %u bytes", MAX_HEADER));
        return NULL;
    }
    r->at += (size_t)(end - line) + 1;
    *end = '\0';
    if (strlen(line) == (size_t)(end - line))
        return line;
    (void)say(r, "its header has a byte of 0");
    return NULL;
}

/* Copies the start of a line for a sentence. */
static const char *shown(const char *line, char text[41])
{
    snprintf(text, 41, "%s", line);
    for (char *at = text; *at != '\0'; at++)
        *at = *at >= ' ' && *at <= '~' ? *at : '?';
    return text;
}

/* Parses the value of a line FORMAT=. */
static bool set_format(reader *r, const char *value, int *known)
{
    char text[41];
    value += strspn(value, " \t");
    const size_t length = strcspn(value, " \t");
    const int format = length == 15 && memcmp(value, "32-bit_rle_rgbe", 15) == 0   ? 1
                       : length == 15 && memcmp(value, "32-bit_rle_xyze", 15) == 0 ? 2
                                                                                   : 0;
    if (format == 0)
        return say(r, "its FORMAT is '%s'; 32-bit_rle_rgbe and 32-bit_rle_xyze are read",
                   shown(value, text));
    if (*known != 0 && *known != format)
        return say(r, "its header has two FORMATs, for rgbe and for xyze");
    *known = format;
    r->is_xyz = format == 2;
    return true;
}

/* Parses an axis of the size, such as "-Y 480"; a count past 32 bits becomes 0. */
static bool take_axis(const char **line, char *sign, char *axis, uint32_t *count)
{
    *line += strspn(*line, " ");
    *sign = **line;
    if (*sign != '-' && *sign != '+')
        return false;
    *axis = *++*line;
    if ((*axis != 'X' && *axis != 'Y') || *++*line != ' ')
        return false;
    *line += strspn(*line, " ");
    const size_t digits = strspn(*line, "0123456789");
    const unsigned long long value = digits < 19 ? strtoull(*line, NULL, 10) : 0;
    *count = value <= INT32_MAX ? (uint32_t)value : 0;
    *line += digits;
    return digits > 0;
}

static bool take_size(reader *r, const char *line)
{
    char text[41], sign[2], axis[2];
    const char *at = line;
    const bool good = take_axis(&at, &sign[0], &axis[0], &r->rows) &&
                      take_axis(&at, &sign[1], &axis[1], &r->length) && axis[0] != axis[1];
    if (!good || at[strspn(at, " ")] != '\0')
        return say(r, "the last line of its header is '%s'; it must be such as '-Y 480 +X 640'",
                   shown(line, text));
    r->is_turned = axis[0] == 'X';
    r->is_up = sign[r->is_turned] == '+';
    r->is_left = sign[!r->is_turned] == '-';
    return (r->rows > 0 && r->length > 0) ||
           say(r, "its size is '%s'; it must have 1 to %d columns and rows", shown(line, text),
               INT32_MAX);
}

static bool read_header(reader *r)
{
    int format = 0;
    char *line = take_line(r);
    if (line == NULL)
        return false;
    if (strncmp(line, "#?", 2) != 0)
        return say(r, "it does not start with a line of #?RADIANCE or #?RGBE");
    if (strchr(line, '\r') != NULL)
        return say(r, "its lines end with CR LF: it was stored as text, which changes pictures");
    while ((line = take_line(r)) != NULL && *line != '\0')
        if (strncmp(line, "FORMAT=", 7) == 0 && !set_format(r, line + 7, &format))
            return false;
    return line != NULL && (line = take_line(r)) != NULL && take_size(r, line);
}

/* ---- Rows ---- */

static bool ends_early(const reader *r, uint32_t row)
{
    return say(r, "it ends too early, in row %u of %u", row, r->rows);
}

/* Reads a packed row: runs and literal pieces of each byte of its pixels. */
static bool read_packed(reader *r, uint32_t row)
{
    const uint32_t length = (uint32_t)r->bytes[r->at + 2] << 8 | r->bytes[r->at + 3];
    if (length != r->length)
        return say(r, "row %u has %u pixels; it must have %u", row, length, r->length);
    r->at += PIXEL;
    for (uint32_t plane = 0; plane < PIXEL; plane++)
        for (uint32_t x = 0; x < length;) {
            if (r->at == r->size)
                return ends_early(r, row);
            const uint32_t head = r->bytes[r->at++];
            const bool is_run = head > FULL_RUN;
            const uint32_t count = is_run ? head - FULL_RUN : head;
            if (count == 0 || count > length - x)
                return say(r, "row %u has a run of %u values where 1 to %u fit", row, count,
                           length - x);
            if ((is_run ? 1 : count) > r->size - r->at)
                return ends_early(r, row);
            for (uint32_t i = 0; i < count && r->row != NULL; i++)
                r->row[(size_t)(x + i) * PIXEL + plane] = r->bytes[r->at + (is_run ? 0 : i)];
            r->at += is_run ? 1 : count;
            x += count;
        }
    return true;
}

/* Reads whole pixels. One of (1, 1, 1, n) repeats the pixel before it n times; if several follow
 * each other, they are the bytes of the count, the lowest first. */
static bool read_pixels(reader *r, uint32_t row)
{
    static const unsigned char repeat[] = {1, 1, 1};
    unsigned shift = 0;
    for (uint32_t x = 0; x < r->length;) {
        const unsigned char *pixel = r->bytes + r->at;
        uint64_t count = 1;
        if (r->size - r->at < PIXEL)
            return ends_early(r, row);
        r->at += PIXEL;
        const bool is_run = memcmp(pixel, repeat, sizeof repeat) == 0;
        if (is_run) {
            if (x == 0)
                return say(
                    r, "row %u starts with a run, (1, 1, 1, n), which has no pixel to repeat", row);
            if (shift > 24)
                return say(r, "row %u has a run whose count has more than 32 bits", row);
            count = (uint64_t)pixel[3] << shift;
        }
        if (count > r->length - x)
            return say(r, "row %u has a run of %llu pixels where %u fit", row,
                       (unsigned long long)count, r->length - x);
        for (uint64_t i = 0; i < count && r->row != NULL; i++)
            memcpy(r->row + (size_t)(x + i) * PIXEL,
                   is_run ? r->row + (size_t)(x - 1) * PIXEL : pixel, PIXEL);
        x += (uint32_t)count;
        shift = is_run ? shift + 8 : 0;
    }
    return true;
}

/* Each row may be packed or not, whatever the others are. No pixel that Radiance writes starts like
 * a packed row, since one of its mantissas is at least 128. */
static bool read_row(reader *r, uint32_t row)
{
    const unsigned char *start = r->bytes + r->at;
    if (r->source->go_on != NULL && !r->source->go_on(r->source->user))
        return false;
    if (r->size - r->at < PIXEL)
        return ends_early(r, row);
    if (r->length >= MIN_PACKED && r->length <= MAX_PACKED && start[0] == 2 && start[1] == 2 &&
        start[2] < 128)
        return read_packed(r, row);
    return read_pixels(r, row);
}

static bool check_rows(reader *r)
{
    const uint64_t left = r->source->size - r->at, pixels = (uint64_t)r->rows * r->length;
    if (left / MAX_BYTES > pixels + r->rows)
        return say(r, "it has %llu bytes for %u x %u pixels, which is too much",
                   (unsigned long long)left, r->length, r->rows);
    if (!read_up_to(r, UINT64_MAX))
        return false;
    for (uint32_t row = 0; row < r->rows; row++)
        if (!read_row(r, row))
            return false;
    if (r->at != r->size)
        return say(r, "%zu bytes follow its last row; there must be none", r->size - r->at);
    return pixels / HDR_MAX_RATIO <= r->size ||
           say(r, "it has %u x %u pixels in %zu bytes; at most %u for each byte are read",
               r->length, r->rows, r->size, HDR_MAX_RATIO);
}

/* ---- Values ---- */

static void convert_row(const reader *r, uint32_t row, const float scales[256], hdr_picture *to)
{
    for (uint32_t i = 0; i < r->length; i++) {
        const unsigned char *pixel = r->row + (size_t)i * PIXEL;
        const uint32_t major = row, minor = i;
        const uint32_t across = r->is_turned ? major : minor, down = r->is_turned ? minor : major;
        const uint32_t x = r->is_left ? to->width - 1 - across : across;
        const uint32_t y = r->is_up ? to->height - 1 - down : down;
        for (size_t c = 0; c < 3; c++)
            to->values[((size_t)y * to->width + x) * 3 + c] = (float)pixel[c] * scales[pixel[3]];
    }
}

static bool convert(reader *r, size_t start, hdr_picture *to)
{
    const uint64_t pixels = (uint64_t)r->rows * r->length;
    float scales[256] = {0};
    for (int e = 1; e < 256; e++)
        scales[e] = ldexpf(1, e - 136);
    to->width = r->is_turned ? r->rows : r->length;
    to->height = r->is_turned ? r->length : r->rows;
    to->is_xyz = r->is_xyz;
    r->row = malloc((size_t)r->length * PIXEL);
    to->values = pixels <= SIZE_MAX / (3 * sizeof(float))
                     ? malloc((size_t)pixels * 3 * sizeof(float))
                     : NULL;
    if (r->row == NULL || to->values == NULL)
        return say(r, "there is no memory for %u x %u pixels", to->width, to->height);
    r->at = start;
    for (uint32_t row = 0; row < r->rows; row++) {
        if (!read_row(r, row))
            return false;
        convert_row(r, row, scales, to);
    }
    return true;
}

bool hdr_decode(const hdr_source *source, hdr_picture *picture, char wrong[HDR_WRONG])
{
    reader r = {.source = source, .wrong = wrong};
    *picture = (hdr_picture){0};
    wrong[0] = '\0';
    bool good = read_up_to(&r, MAX_HEADER) && read_header(&r);
    const size_t start = r.at;
    good = good && check_rows(&r) && convert(&r, start, picture);
    if (!good)
        free(picture->values);
    free(r.row);
    free(r.bytes);
    return good;
}
