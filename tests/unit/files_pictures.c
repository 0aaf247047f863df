/* SPDX-License-Identifier: MIT */
/* Pictures that the runner reads, cut at every length, and invalid ones. */
#include <math.h>
#include <png.h>
#include <signal.h>
#include "files.h"
#include "hdr.h"

#define WIDTH 9u
#define HEIGHT 3u
#define PIXELS (WIDTH * HEIGHT)

/* ---- PNG ---- */

typedef struct png_row {
    int colour, depth, interlace;
    VkrType type;
    uint32_t channels; /* after reading */
} png_row;

static const png_color palette[] = {{1, 2, 3}, {40, 50, 60}, {255, 0, 254}};
static const unsigned char alphas[] = {9, 0};

/* Value number i of a picture, as it is stored. */
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

/* Writes a picture. In `bytes` a value has one byte, or two bytes at a depth of 16 bits. */
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

TEST(test_png)
{
    for (size_t i = 0; i < sizeof png_rows / sizeof png_rows[0]; i++) {
        sample s;
        make_png(&s, &png_rows[i]);
        check_cuts(&s);
    }
}

/* A palette of three colours allows the indices 0 to 2, although a pixel can hold others. */
TEST(test_palette)
{
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

typedef enum hdr_kind { PLAIN, PACKED, RUNS, OLD_RUNS } hdr_kind;

/* Byte `plane` of a pixel of row y. */
static unsigned char plane_at(unsigned y, unsigned x, unsigned plane)
{
    return (unsigned char)(plane < 3 ? 128 + (x / 4 * 31 + y * 7 + plane) % 128 : 126 + y);
}

static void put_byte(sample *s, unsigned byte)
{
    put(s, &(unsigned char){(unsigned char)byte}, 1);
}

static void put_pixel(sample *s, unsigned y, unsigned x)
{
    for (unsigned plane = 0; plane < 4; plane++)
        put_byte(s, plane_at(y, x, plane));
}

/* A pixel and a run of each four equal ones. */
static void put_old_runs(sample *s, unsigned y)
{
    for (unsigned x = 0; x < WIDTH; x += 4) {
        put_pixel(s, y, x);
        if (WIDTH - x > 1)
            put(s,
                (const unsigned char[]){1, 1, 1,
                                        (unsigned char)(WIDTH - x < 4 ? WIDTH - x - 1 : 3)},
                4);
    }
}

static void put_row(sample *s, unsigned y, hdr_kind kind)
{
    const unsigned step = kind == RUNS ? 4 : WIDTH;
    if (kind == OLD_RUNS) {
        put_old_runs(s, y);
        return;
    }
    if (kind != PLAIN)
        put(s, (const unsigned char[]){2, 2, 0, WIDTH}, 4);
    for (unsigned x = 0; x < WIDTH && kind == PLAIN; x++)
        put_pixel(s, y, x);
    for (unsigned plane = 0; plane < 4 && kind != PLAIN; plane++)
        for (unsigned x = 0; x < WIDTH; x += step) {
            const unsigned count = WIDTH - x < step ? WIDTH - x : step;
            put_byte(s, kind == RUNS ? 128 + count : count);
            for (unsigned i = 0; i < (kind == RUNS ? 1 : count); i++)
                put_byte(s, plane_at(y, x + i, plane));
        }
}

static float component_at(unsigned y, unsigned x, unsigned c)
{
    return ldexpf((float)plane_at(y, x, c), plane_at(y, 0, 3) - 136);
}

static void put_text(sample *s, const char *text)
{
    put(s, text, strlen(text));
}

/* Makes a file with rows of these kinds, one digit for each row. */
static void make_hdr(sample *s, const char *head, const char *kinds)
{
    char size[32];
    *s = (sample){.end = ".hdr", .type = VKR_TYPE_F32, .components = 3};
    snprintf(size, sizeof size, "-Y %u +X %u\n", HEIGHT, WIDTH);
    put_text(s, head);
    put_text(s, size);
    for (unsigned y = 0; y < HEIGHT; y++)
        put_row(s, y, (hdr_kind)(kinds[y] - '0'));
    for (unsigned i = 0; i < 3 * PIXELS; i++) {
        const float value = component_at(i / 3 / WIDTH, i / 3 % WIDTH, i % 3);
        put_value(s, &value);
    }
}

/* Any row may be of any kind: no row decides for the others. */
TEST(test_hdr)
{
    static const char *const kinds[] = {"000", "111", "222", "333", "121", "001", "010", "100",
                                        "110", "011", "012", "220", "130", "213", "321"};
    static const char *const heads[] = {HEAD, "#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n",
                                        "#?RADIANCE\n\n",
                                        ("#?pfilt\nEXPOSURE=2.5\nFORMAT=\t32-bit_rle_xyze \n"
                                         "\tFORMAT=ascii\nCOLORCORR=1 2 3\n\n")};
    sample s;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (size_t k = 0; k < (i < 4 ? 4 : 1); k++) {
            make_hdr(&s, heads[k], kinds[i]);
            /* A name that is missing leaves a pipe without a format. */
            if (k < 3)
                check_cuts(&s);
            else
                check_file_cuts(&s);
        }
}

/* Pictures of all orientations: the second half has X before Y, so that its rows are columns. */
TEST(test_orientations)
{
    static const char *const sizes[] = {"-Y 3 +X 9", "-Y 3 -X 9", "+Y 3 +X 9",   "+Y 3 -X 9",
                                        "+X 9 -Y 3", "-X 9 -Y 3", "+X  9  +Y 3", "-X 9 +Y 3 "};
    for (unsigned i = 0; i < 8; i++) {
        const bool turned = i >= 4, up = strstr(sizes[i], "+Y") != NULL,
                   left = strstr(sizes[i], "-X") != NULL;
        sample s = {.end = ".hdr", .type = VKR_TYPE_F32, .components = 3};
        put_text(&s, HEAD);
        put_text(&s, sizes[i]);
        put_byte(&s, '\n');
        for (unsigned k = 0; k < PIXELS; k++) {
            const unsigned across = turned ? k / HEIGHT : k % WIDTH;
            const unsigned down = turned ? k % HEIGHT : k / WIDTH;
            put_pixel(&s, up ? HEIGHT - 1 - down : down, left ? WIDTH - 1 - across : across);
        }
        for (unsigned k = 0; k < 3 * PIXELS; k++) {
            const float value = component_at(k / 3 / WIDTH, k / 3 % WIDTH, k % 3);
            put_value(&s, &value);
        }
        check_cuts(&s);
    }
}

/* A run may have a count of several bytes, and of 0 bytes; it ends with its row. */
TEST(test_long_runs)
{
    static const unsigned char bytes[] = {200, 100, 50, 129, 1, 1, 1, 0, 1, 1, 1, 1, 9,   200,
                                          7,   128, 1,  1,   1, 1, 1, 1, 1, 0, 8, 8, 200, 130};
    input in;
    float found[3];
    sample s = {.end = ".hdr"};
    put_text(&s, HEAD "-Y 1 +X 260\n");
    put(&s, bytes, sizeof bytes);
    said_nothing();
    assert_true(
        said_right(input_open(&in, fuzz_file(s.file, s.size, ".hdr"), &(input_options){0})));
    for (unsigned i = 0; i < 260; i++) {
        assert_true(said_right(input_load(&in, i, 1, found)));
        assert_true(found[0] == (i < 257 ? 1.5625f : i < 259 ? 9 / 256.0f : 0.125f));
    }
    input_close(&in);
}

TEST(test_hdr_faults)
{
    static const struct {
        const char *start; /* of a file; zeros follow */
        const char *words;
    } rows[] = {
        {"#?RADIANCE\r\n\r\n", "CR LF"},
        {"#!RADIANCE\n\n", "does not start"},
        {"#?RADIANCE\nFORMAT=ascii\n\n-Y 1 +X 1\n", "its FORMAT is 'ascii'"},
        {"#?RADIANCE\nFORMAT=\n\n-Y 1 +X 1\n", "its FORMAT is ''"},
        {HEAD "FORMAT=32-bit_rle_rgbe\n", "is 'FORMAT=32-bit_rle_rgbe'; it must be"},
        {"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n",
         "two FORMATs"},
        {HEAD "-Y 0 +X 7\n", "its size is '-Y 0 +X 7'"},
        {HEAD "-Y 7 +X 0\n", "its size is"},
        {HEAD "-X 1 +X 1\n", "such as '-Y 480 +X 640'"},
        {HEAD "-Y 1 +X 1x\n", "'-Y 1 +X 1x'"},
        {HEAD "-Y -1 +X 1\n", "such as"},
        {HEAD "Y 1 +X 1\n", "such as"},
        {HEAD "-Y 1 +X 18446744073709551617\n", "1 to 2147483647"},
        {HEAD "-Y 2147483648 +X 1\n", "1 to 2147483647"},
        {HEAD "-Y 2147483647 +X 2147483647\n", "row 0 of 2147483647"},
        {HEAD "-Y 2 +X 9\n\2\2\1\7", "row 0 has 263 pixels; it must have 9"},
        {HEAD "-Y 2 +X 263\n\2\2\1\7", "row 0 has a run of 0 values"},
        {HEAD "-Y 2 +X 263\n\2\2\1\7\377\1\377\1\377", "where 1 to 9 fit"},
        {HEAD "-Y 1 +X 2\n\200\200\200\200\1\1\1\2", "a run of 2 pixels where 1 fit"},
        {HEAD "-Y 1 +X 2\n\1\1\1\1", "row 0 starts with a run"},
        {HEAD "-Y 90000 +X 1\n", "row 1 of 90000"},
        {HEAD "-Y 1 +X 1\n", "2 bytes follow its last row"},
    };
    static const unsigned char zeros[6];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sample s = {.end = ".hdr"};
        put(&s, rows[i].start, strlen(rows[i].start));
        put(&s, zeros, sizeof zeros);
        check_refused(&s, rows[i].words);
    }
    sample s;
    make_hdr(&s, HEAD, "000");
    memset(strstr((char *)s.file, "# a comment"), '\0', 1);
    check_refused(&s, "a byte of 0");
}

/* Where a picture is read from, and the calls that are left until it stops. */
typedef struct stopping {
    const sample *from;
    int left;
} stopping;

static bool read_bytes(void *user, uint64_t offset, size_t size, void *data)
{
    memcpy(data, ((const stopping *)user)->from->file + offset, size);
    return true;
}

static bool count_down(void *user)
{
    return --((stopping *)user)->left >= 0;
}

/* The source may stop at any row, both while rows are checked and while they are converted. */
TEST(test_stop)
{
    sample s;
    make_hdr(&s, HEAD, "123");
    for (int calls = 0; calls <= 2 * (int)HEIGHT; calls++) {
        stopping from = {&s, calls};
        const hdr_source source = {s.size, read_bytes, count_down, &from};
        char wrong[HDR_WRONG];
        hdr_picture p;
        assert_int_equal(hdr_decode(&source, &p, wrong), calls == 2 * (int)HEIGHT);
        assert_string_equal(wrong, "");
        assert_int_equal(from.left, calls == 2 * (int)HEIGHT ? 0 : -1);
        free(calls == 2 * (int)HEIGHT ? p.values : NULL);
    }
}

/* A header without an end is read only up to a limit. */
TEST(test_endless_header)
{
    const size_t size = 70000;
    char *file = malloc(size);
    input in;
    assert_non_null(file);
    memset(file, '\n', size);
    memcpy(file, "#?RADIANCE\n", 11);
    for (size_t i = 11; i < size; i += 2)
        file[i] = 'x';
    for (int lines = 1; lines >= 0; lines--) {
        said_nothing();
        assert_false(said_right(
            input_open(&in, fuzz_file((const uint8_t *)file, size, ".hdr"), &(input_options){0})));
        assert_non_null(strstr(said(), "does not end within its first 65536 bytes"));
        input_close(&in);
        memset(file + 11, 'x', size - 11);
    }
    free(file);
}

/* ---- Signals ---- */

/* A signal stops every reader. This test comes last, since the program remembers the signal. */
TEST(test_signal)
{
    sample s;
    catch_interrupts();
    assert_int_equal(raise(SIGTERM), 0);
    make_png(&s, &png_rows[0]);
    check_interrupted(&s);
    make_hdr(&s, HEAD, "000");
    check_interrupted(&s);
}

TEST_MAIN("files_pictures", CASE(test_png), CASE(test_palette), CASE(test_hdr),
          CASE(test_orientations), CASE(test_long_runs), CASE(test_hdr_faults), CASE(test_stop),
          CASE(test_endless_header), CASE(test_signal))
