/* SPDX-License-Identifier: MIT */
/* Files of every kind that the runner reads, cut at every length: each part is refused with one
 * sentence, or it has exactly the values that it should have. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../samples/common/hdr.h"
#include "said.h"
/* After the runner, which has a function of the name of one of its macros. */
#include <cmocka.h>

#define MOST_BYTES 4096u
#define WIDTH 9u
#define HEIGHT 3u
#define PIXELS (WIDTH * HEIGHT)

/* A file, and the values in it. */
typedef struct sample {
    const char *end; /* of its name */
    options opts;
    VkrType type;
    uint32_t components;
    unsigned char file[MOST_BYTES];
    size_t size;
    unsigned char values[MOST_BYTES];
    size_t used; /* bytes of them */
} sample;

static void put(sample *s, const void *data, size_t size)
{
    assert_in_range(size, 0, MOST_BYTES - s->size);
    memcpy(s->file + s->size, data, size);
    s->size += size;
}

static void put_value(sample *s, const void *value)
{
    const size_t size = vkrTypeSize(s->type);
    assert_in_range(size, 0, MOST_BYTES - s->used);
    memcpy(s->values + s->used, value, size);
    s->used += size;
}

/* ---- Checks ---- */

/* The elements that so much of the file has, or -1 where it is no whole one. Only raw files can be
 * whole before their end. */
static int64_t count_in(const sample *s, size_t size)
{
    const uint64_t element = (uint64_t)vkrTypeSize(s->type) * s->components;
    const uint64_t stride = s->opts.stride != 0 ? s->opts.stride : element;
    if (s->opts.type == VKR_TYPE_UNDEFINED)
        return size == s->size ? (int64_t)(s->used / element) : -1;
    if (size % stride != 0 && size % stride < element)
        return -1;
    return (int64_t)(size / stride + (size % stride != 0));
}

static void check_values(const sample *s, const input *in, int64_t count)
{
    const size_t element = (size_t)vkrTypeSize(s->type) * s->components;
    unsigned char found[MOST_BYTES];
    assert_int_equal(in->type, s->type);
    assert_int_equal(in->components, s->components);
    assert_int_equal(in->count, count);
    for (int64_t i = 0; i < count; i++) {
        assert_true(said_right(input_load(in, (uint64_t)i, 1, found)));
        assert_memory_equal(found, s->values + (size_t)i * element, element);
    }
}

static void check_opened(const sample *s, const char *name, size_t size, int64_t count)
{
    input in;
    said_nothing();
    const bool opened = said_right(input_open(&in, name, &s->opts));
    if (opened != (count >= 0))
        fail_msg("%zu of %zu bytes of a file of '%s': %s", size, s->size, s->end, said());
    if (opened)
        check_values(s, &in, count);
    input_close(&in);
}

/* A pipe that brings so much of the file. */
static void check_piped(const sample *s, size_t size)
{
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], s->file, size), size);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    check_opened(s, name, size, size > 0 ? count_in(s, size) : -1);
    close(ends[0]);
}

static void check_cuts(const sample *s)
{
    for (size_t size = 0; size <= s->size; size++) {
        check_opened(s, fuzz_file(s->file, size, s->end), size, count_in(s, size));
        check_piped(s, size);
    }
}

/* Checks that the file as it is now is refused with a sentence that has these words. */
static void check_refused(const sample *s, const char *words)
{
    input in;
    said_nothing();
    assert_false(said_right(input_open(&in, fuzz_file(s->file, s->size, s->end), &s->opts)));
    input_close(&in);
    if (strstr(said(), words) == NULL)
        fail_msg("'%s' does not say '%s'", said(), words);
}

/* ---- Arrays ---- */

static void put_npy(sample *s, uint8_t version, const char *header, const void *values, size_t size)
{
    const unsigned char length = (unsigned char)strlen(header);
    const unsigned char head[] = {0x93, 'N', 'U', 'M', 'P', 'Y', version, 0, length, 0, 0, 0};
    put(s, head, version == 1 ? 10 : 12);
    put(s, header, length);
    put(s, values, size);
}

static void test_npy(void **state)
{
    static const uint16_t numbers[] = {7, 258, 65535, 0, 3, 9};
    static const int order[] = {0, 2, 4, 1, 3, 5}; /* of a 3 x 2 array in Fortran order */
    static const struct {
        uint8_t version;
        bool fortran;
        const char *header;
    } rows[] = {
        {1, false, "{'descr': '<u2', 'fortran_order': False, 'shape': (6,), }\n"},
        {2, false, "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }\n"},
        {3, true, "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sample s = {.end = ".npy", .type = VKR_TYPE_U16, .components = 1};
        for (int k = 0; k < 6; k++)
            put_value(&s, &numbers[rows[i].fortran ? order[k] : k]);
        put_npy(&s, rows[i].version, rows[i].header, numbers, sizeof numbers);
        check_cuts(&s);
    }
    sample empty = {.end = ".npy", .type = VKR_TYPE_U16, .components = 1};
    put_npy(&empty, 1, "{'descr': '>u2', 'fortran_order': False, 'shape': (0,), }\n", "", 0);
    check_cuts(&empty);
}

/* Whatever is not 0 is true, in either order. */
static void test_truths(void **state)
{
    static const unsigned char found[] = {0, 1, 2, 255, 128, 0};
    static const unsigned char flat[] = {0, 1, 1, 1, 1, 0}, turned[] = {0, 1, 1, 1, 1, 0};
    static const char *const headers[] = {
        "{'descr': '|b1', 'fortran_order': False, 'shape': (6,), }\n",
        "{'descr': '|b1', 'fortran_order': True, 'shape': (2, 3), }\n"};
    uint32_t bits;
    segments flags;
    char text[128];
    (void)state;
    for (int i = 0; i < 2; i++) {
        sample s = {.end = ".npy", .type = VKR_TYPE_U8, .components = 1};
        for (int k = 0; k < 6; k++)
            put_value(&s, (i == 0 ? flat : turned) + k);
        put_npy(&s, 1, headers[i], found, sizeof found);
        check_cuts(&s);
        snprintf(text, sizeof text, "flags:%s", fuzz_file(s.file, s.size, ".npy"));
        assert_int_equal(segments_open(&flags, SEGMENTS_OF_SCAN, text, 6), STATUS_DONE);
        assert_int_equal(segments_load(&flags, 0, 6, &bits), STATUS_DONE);
        assert_int_equal(bits, 0x1f); /* a segment starts with the first element anyway */
        segments_close(&flags);
    }
}

static void test_raw(void **state)
{
    static const uint64_t strides[] = {0, 8, 12, 20};
    (void)state;
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        sample s = {.end = ".raw", .type = VKR_TYPE_F32, .components = 2};
        s.opts = (options){.type = VKR_TYPE_F32, .components = 2, .stride = strides[i]};
        for (uint32_t k = 0; k < 5; k++) {
            const float pair[] = {(float)k, -1.5f};
            put(&s, pair, sizeof pair);
            put(&s, "padding, if any", strides[i] > sizeof pair ? strides[i] - sizeof pair : 0);
            put_value(&s, &pair[0]);
            put_value(&s, &pair[1]);
        }
        check_cuts(&s);
    }
}

/* Offsets and flags come from files of the same kinds. */
static void test_segments(void **state)
{
    static const uint32_t offsets[] = {0, 2, 6};
    sample s = {.end = ".npy"};
    char text[128];
    (void)state;
    put_npy(&s, 1, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }\n", offsets,
            sizeof offsets);
    for (size_t size = 0; size <= s.size; size++)
        for (segments_of command = SEGMENTS_OF_SCAN; command <= SEGMENTS_OF_REDUCE; command++) {
            segments opened;
            uint64_t found[3];
            snprintf(text, sizeof text, "offsets:%s", fuzz_file(s.file, size, ".npy"));
            said_nothing();
            const bool good = said_right(segments_open(&opened, command, text, 6));
            assert_int_equal(good, size == s.size);
            if (good)
                assert_true(said_right(segments_offsets(&opened, 0, 3, found)));
            for (int i = 0; i < 3 && good; i++)
                assert_int_equal(found[i], offsets[i]);
            segments_close(&opened);
        }
}

/* ---- PNG ---- */

typedef struct png_row {
    int colour, depth, interlace;
    VkrType type;
    uint32_t channels; /* of what is read */
} png_row;

static const png_color palette[] = {{1, 2, 3}, {40, 50, 60}, {255, 0, 254}};
static const unsigned char alphas[] = {9, 0};

/* Value number i of a picture, before it is read. */
static unsigned raw_value(const png_row *row, unsigned i)
{
    return row->colour == PNG_COLOR_TYPE_PALETTE ? i * 5 % 3 : i * 40503u % (1u << row->depth);
}

static void on_bytes(png_structp png, png_bytep data, size_t size)
{
    put(png_get_io_ptr(png), data, size);
}

static void on_flush(png_structp png)
{
    (void)png;
}

/* Writes values that have a byte or two each. */
static void write_png(sample *s, const png_row *row, unsigned char *bytes, size_t pitch)
{
    png_bytep rows[HEIGHT];
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    for (unsigned y = 0; y < HEIGHT; y++)
        rows[y] = bytes + y * pitch;
    s->size = 0;
    png_set_write_fn(png, s, on_bytes, on_flush);
    png_set_IHDR(png, info, WIDTH, HEIGHT, row->depth, row->colour, row->interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (row->colour == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette, 3);
        png_set_tRNS(png, info, alphas, row->channels == 4 ? 2 : 0, NULL);
        png_set_check_for_invalid_index(png, -1);
    }
    png_write_info(png, info);
    png_set_packing(png);
    if (row->depth == 16)
        png_set_swap(png);
    png_write_image(png, rows);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

static void put_colour(sample *s, const png_row *row, unsigned index)
{
    const unsigned char alpha = index < sizeof alphas ? alphas[index] : 255;
    put_value(s, &palette[index].red);
    put_value(s, &palette[index].green);
    put_value(s, &palette[index].blue);
    if (row->channels == 4)
        put_value(s, &alpha);
}

static void make_png(sample *s, const png_row *row)
{
    const bool indexed = row->colour == PNG_COLOR_TYPE_PALETTE;
    const unsigned channels = indexed ? 1 : row->channels, size = row->depth == 16 ? 2 : 1;
    unsigned char bytes[2 * 4 * PIXELS];
    *s = (sample){.end = ".png", .type = row->type, .components = row->channels};
    for (unsigned i = 0; i < PIXELS * channels; i++) {
        const unsigned value = raw_value(row, i);
        const uint16_t full =
            (uint16_t)(row->depth < 8 ? value * 255 / ((1u << row->depth) - 1) : value);
        const uint16_t written = (uint16_t)value;
        memcpy(bytes + i * size, &written, size);
        if (indexed)
            put_colour(s, row, value);
        else
            put_value(s, &full);
    }
    write_png(s, row, bytes, (size_t)WIDTH * channels * size);
}

static const png_row png_rows[] = {
    {PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_NONE, VKR_TYPE_U8, 1},
    {PNG_COLOR_TYPE_GRAY, 1, PNG_INTERLACE_ADAM7, VKR_TYPE_U8, 1},
    {PNG_COLOR_TYPE_GRAY, 4, PNG_INTERLACE_NONE, VKR_TYPE_U8, 1},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 16, PNG_INTERLACE_NONE, VKR_TYPE_U16, 2},
    {PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_ADAM7, VKR_TYPE_U8, 3},
    {PNG_COLOR_TYPE_RGB_ALPHA, 8, PNG_INTERLACE_NONE, VKR_TYPE_U8, 4},
    {PNG_COLOR_TYPE_PALETTE, 2, PNG_INTERLACE_NONE, VKR_TYPE_U8, 3},
    {PNG_COLOR_TYPE_PALETTE, 8, PNG_INTERLACE_ADAM7, VKR_TYPE_U8, 4},
};

static void test_png(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof png_rows / sizeof png_rows[0]; i++) {
        sample s;
        make_png(&s, &png_rows[i]);
        check_cuts(&s);
    }
}

/* A palette of three colours has indices 0 to 2, whatever else a pixel can hold. */
static void test_palette(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof png_rows / sizeof png_rows[0]; i++)
        for (unsigned wrong = 3; wrong < 1u << png_rows[i].depth && wrong < 256; wrong += 84) {
            unsigned char bytes[PIXELS] = {0};
            sample s = {.end = ".png"};
            if (png_rows[i].colour != PNG_COLOR_TYPE_PALETTE)
                break;
            bytes[PIXELS - 1] = (unsigned char)wrong;
            write_png(&s, &png_rows[i], bytes, WIDTH);
            check_refused(&s, "a colour that its palette lacks");
        }
}

/* ---- Radiance ---- */

#define HEAD "#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\n\n"

typedef enum hdr_kind { PLAIN, PACKED, RUNS } hdr_kind;

/* Byte `plane` of a pixel of row y. */
static unsigned char plane_at(unsigned y, unsigned x, unsigned plane)
{
    return (unsigned char)(plane < 3 ? 128 + (x / 4 * 31 + y * 7 + plane) % 128 : 126 + y);
}

static void put_byte(sample *s, unsigned byte)
{
    put(s, &(unsigned char){(unsigned char)byte}, 1);
}

static void put_row(sample *s, unsigned y, hdr_kind kind)
{
    const unsigned step = kind == RUNS ? 4 : WIDTH;
    if (kind != PLAIN)
        put(s, (const unsigned char[]){2, 2, 0, WIDTH}, 4);
    for (unsigned i = 0; i < 4 * WIDTH && kind == PLAIN; i++)
        put_byte(s, plane_at(y, i / 4, i % 4));
    for (unsigned plane = 0; plane < 4 && kind != PLAIN; plane++)
        for (unsigned x = 0; x < WIDTH; x += step) {
            const unsigned count = WIDTH - x < step ? WIDTH - x : step;
            put_byte(s, kind == RUNS ? 128 + count : count);
            for (unsigned i = 0; i < (kind == RUNS ? 1 : count); i++)
                put_byte(s, plane_at(y, x + i, plane));
        }
}

/* Rows of these kinds, one digit each. */
static void make_hdr(sample *s, const char *head, const char *kinds)
{
    char size[32];
    *s = (sample){.end = ".hdr", .type = VKR_TYPE_F32, .components = 3};
    snprintf(size, sizeof size, "-Y %u +X %u\n", HEIGHT, WIDTH);
    put(s, head, strlen(head));
    put(s, size, strlen(size));
    for (unsigned y = 0; y < HEIGHT; y++)
        put_row(s, y, (hdr_kind)(kinds[y] - '0'));
    for (unsigned i = 0; i < 3 * PIXELS; i++) {
        const unsigned y = i / 3 / WIDTH;
        const float value =
            ldexpf((float)plane_at(y, i / 3 % WIDTH, i % 3), plane_at(y, 0, 3) - 136);
        put_value(s, &value);
    }
}

static void test_hdr(void **state)
{
    static const char *const kinds[] = {"000", "111", "222", "121"};
    sample s;
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && hdr_is_built_in; i++) {
        make_hdr(&s, i % 2 == 0 ? HEAD : "#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n", kinds[i]);
        check_cuts(&s);
    }
}

/* Rows of both kinds, with enough behind them for a decoder that takes all for plain. */
static void test_rows(void **state)
{
    static const char *const kinds[] = {"001", "010", "100", "110", "011", "012", "220"};
    static const unsigned char more[8 * PIXELS];
    sample s;
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && hdr_is_built_in; i++) {
        make_hdr(&s, HEAD, kinds[i]);
        put(&s, more, sizeof more);
        check_refused(&s, "row 0 is not");
    }
}

static void test_hdr_faults(void **state)
{
    static const struct {
        const char *start; /* of a file that has zeros behind it */
        const char *words;
    } rows[] = {
        {"#?RADIANCE\r\n", "does not start"},
        {"#?RADIANT\n\n", "does not start"},
        {"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n", "another format"},
        {HEAD "FORMAT=32-bit_rle_rgbe\n", "-Y HEIGHT +X WIDTH"},
        {"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n",
         "another format"},
        {"#?RADIANCE\n\n-Y 1 +X 1\n", "no line of FORMAT"},
        {HEAD "-Y 0 +X 7\n", "no pixels"},
        {HEAD "-Y 7 +X 0\n", "no pixels"},
        {HEAD "+Y 1 +X 1\n", "-Y HEIGHT +X WIDTH"},
        {HEAD "-Y 1 +X 1x\n", "-Y HEIGHT +X WIDTH"},
        {HEAD "-Y -1 +X 1\n", "-Y HEIGHT +X WIDTH"},
        {HEAD "-Y 99999 +X 99999\n", "more than 178956970 pixels"},
        {HEAD "-Y 1 +X 18446744073709551617\n", "more than 178956970 pixels"},
        {HEAD "-Y 2 +X 9\n\2\2\1\7", "row 0 has 263 pixels; it must have 9"},
        {HEAD "-Y 2 +X 263\n\2\2\1\7", "row 0 has a run of 0 values"},
        {HEAD "-Y 2 +X 263\n\2\2\1\7\377\1\377\1\377", "where 1 to 9 fit"},
        {HEAD "-Y 1 +X 2\n\200\200\200\200\1\1\1\1", "row 0 has a run of the old kind"},
        {HEAD "-Y 90000 +X 1\n", "row 1 of 90000"},
    };
    static const unsigned char zeros[6];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && hdr_is_built_in; i++) {
        sample s = {.end = ".hdr"};
        put(&s, rows[i].start, strlen(rows[i].start));
        put(&s, zeros, sizeof zeros);
        check_refused(&s, rows[i].words);
    }
    sample s;
    make_hdr(&s, HEAD, "000");
    memset(strstr((char *)s.file, "# a comment"), '\0', 1);
    check_refused(&s, hdr_is_built_in ? "a byte of 0" : "Radiance");
}

/* A header of any length is looked at no further than its limit. */
static void test_endless_header(void **state)
{
    const size_t size = 70000;
    char *file = malloc(size);
    input in;
    (void)state;
    assert_non_null(file);
    memset(file, '\n', size);
    memcpy(file, "#?RADIANCE\n", 11);
    for (size_t i = 11; i < size; i += 2)
        file[i] = 'x';
    for (int lines = 1; lines >= 0 && hdr_is_built_in; lines--) {
        said_nothing();
        assert_false(said_right(
            input_open(&in, fuzz_file((const uint8_t *)file, size, ".hdr"), &(options){0})));
        assert_non_null(strstr(said(), "does not end within its first 65536 bytes"));
        input_close(&in);
        memset(file + 11, 'x', size - 11);
    }
    free(file);
}

/* ---- Signals ---- */

/* A signal ends every reader. It comes last: the program remembers it. */
static void test_signal(void **state)
{
    input in;
    sample samples[3] = {{.end = ".npy"}};
    (void)state;
    put_npy(&samples[0], 1, "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 1), }\n", "abcd",
            4);
    make_png(&samples[1], &png_rows[0]);
    make_hdr(&samples[2], HEAD, "000");
    catch_interrupts();
    assert_int_equal(raise(SIGTERM), 0);
    for (int i = 0; i < 3; i++) {
        const char *name = fuzz_file(samples[i].file, samples[i].size, samples[i].end);
        if (i == 2 && !hdr_is_built_in)
            break;
        said_nothing();
        assert_int_equal(input_open(&in, name, &(options){0}), STATUS_INTERRUPTED);
        assert_non_null(strstr(said(), "SIGTERM"));
        input_close(&in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npy),        cmocka_unit_test(test_truths),
        cmocka_unit_test(test_raw),        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_png),        cmocka_unit_test(test_palette),
        cmocka_unit_test(test_hdr),        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_hdr_faults), cmocka_unit_test(test_endless_header),
        cmocka_unit_test(test_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
