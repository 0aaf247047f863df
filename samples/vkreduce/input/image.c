/* SPDX-License-Identifier: MIT */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/formats.h"
#include "interrupt.h"
#include "status.h"

/* Everything that must survive libpng's longjmp. */
typedef struct picture {
    const input *in;
    uint64_t done; /* bytes read so far */
    int status;    /* of reading them */
    png_structp png;
    png_infop info;
    png_bytep *rows;
    unsigned char *pixels;
    unsigned char *colours; /* the pixels of a palette picture as colours instead of indices */
    uint32_t channels;
    bool no_memory;
    char message[128];
} picture;

/* What a byte of a compressed stream may stand for at most. */
#define MAX_RATIO 1032u

static void on_error(png_structp png, png_const_charp message)
{
    picture *p = png_get_error_ptr(png);
    snprintf(p->message, sizeof p->message, "%s", message);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep data, size_t size)
{
    picture *p = png_get_io_ptr(png);
    if (size > p->in->size - p->done)
        png_error(png, "it ends too early");
    p->status = input_read(p->in, p->done, size, data);
    if (p->status != STATUS_DONE)
        png_error(png, "it cannot be read");
    p->done += size;
}

/* libpng calls this after every row. Interrupts are checked here, since a few bytes can hold many
 * pixels and reads may be far apart. */
static void on_row(png_structp png, png_uint_32 row, int pass)
{
    picture *p = png_get_error_ptr(png);
    (void)row, (void)pass;
    p->status = check_interrupt();
    if (p->status != STATUS_DONE)
        png_error(png, "it cannot be read");
}

/* Requests whole bytes per channel in the machine's byte order. Values of 1, 2 and 4 bits become
 * those of 8 bits, 0 to 255; all others stay the same. A colour that tRNS makes transparent gives
 * the picture an alpha channel, like the transparent colours of a palette. */
static void set_transforms(png_structp png, png_infop info)
{
    if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) {
        png_set_packing(png);
    } else {
        if (png_get_bit_depth(png, info) < 8)
            png_set_expand_gray_1_2_4_to_8(png);
        if (png_get_valid(png, info, PNG_INFO_tRNS) != 0)
            png_set_tRNS_to_alpha(png);
    }
    if (png_get_bit_depth(png, info) == 16)
        png_set_swap(png);
    (void)png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

/* Allocates a picture with `row` bytes in each row. */
static unsigned char *create_pixels(picture *p, size_t row)
{
    const size_t height = png_get_image_height(p->png, p->info);
    unsigned char *pixels = height <= SIZE_MAX / row ? malloc(row * height) : NULL;
    p->no_memory = pixels == NULL;
    if (pixels == NULL)
        png_error(p->png, "there is no memory for its pixels");
    return pixels;
}

static void refuse_index(picture *p, size_t pixel, int index, int count)
{
    char message[sizeof p->message];
    const size_t width = png_get_image_width(p->png, p->info);
    snprintf(message, sizeof message,
             "pixel (%zu, %zu) has colour %d, a colour that its palette lacks, which has %d",
             pixel % width, pixel / width, index, count);
    png_error(p->png, message);
}

/* Refuses a picture with more pixels than its bytes can stand for, before they get memory. */
static void check_size(picture *p)
{
    const uint64_t row = png_get_rowbytes(p->png, p->info);
    const uint64_t height = png_get_image_height(p->png, p->info);
    if (row * height / MAX_RATIO > p->in->size)
        png_error(p->png, "its header promises more pixels than its bytes can hold");
}

/* Converts palette indices to RGB, or to RGBA if the palette has transparent entries. libpng itself
 * would turn an index outside the palette into black. */
static void use_palette(picture *p)
{
    png_colorp colours = NULL;
    png_bytep alphas = NULL;
    int count = 0, alpha_count = 0;
    const size_t width = png_get_image_width(p->png, p->info);
    const size_t pixels = width * png_get_image_height(p->png, p->info);
    (void)png_get_PLTE(p->png, p->info, &colours, &count);
    (void)png_get_tRNS(p->png, p->info, &alphas, &alpha_count, NULL);
    p->channels = alpha_count > 0 ? 4 : 3;
    p->colours = create_pixels(p, width * p->channels);
    unsigned char *to = p->colours;
    for (size_t i = 0; i < pixels; i++) {
        const int index = p->pixels[i];
        if (index >= count)
            refuse_index(p, i, index, count);
        *to++ = colours[index].red;
        *to++ = colours[index].green;
        *to++ = colours[index].blue;
        if (alpha_count > 0)
            *to++ = index < alpha_count ? alphas[index] : 255;
    }
}

static void read_rows(picture *p)
{
    const size_t row = png_get_rowbytes(p->png, p->info);
    const size_t height = png_get_image_height(p->png, p->info);
    p->pixels = create_pixels(p, row);
    p->rows = malloc(height * sizeof *p->rows);
    if (p->rows == NULL)
        png_error(p->png, "out of memory");
    for (size_t i = 0; i < height; i++)
        p->rows[i] = p->pixels + i * row;
    png_read_image(p->png, p->rows);
    png_read_end(p->png, NULL);
}

static bool decode(picture *p, input *in)
{
    if (setjmp(png_jmpbuf(p->png)) != 0)
        return false;
    png_set_read_fn(p->png, p, on_read);
    png_set_read_status_fn(p->png, on_row);
    png_read_info(p->png, p->info);
    check_size(p);
    set_transforms(p->png, p->info);
    p->channels = png_get_channels(p->png, p->info);
    read_rows(p);
    if (png_get_color_type(p->png, p->info) == PNG_COLOR_TYPE_PALETTE)
        use_palette(p);

    unsigned char **pixels = p->colours != NULL ? &p->colours : &p->pixels;
    in->components = p->channels;
    in->columns = png_get_image_width(p->png, p->info);
    in->type = png_get_bit_depth(p->png, p->info) == 16 ? VKR_TYPE_U16 : VKR_TYPE_U8;
    input_use_memory(in, *pixels,
                     in->columns * png_get_image_height(p->png, p->info) * in->components *
                         vkrTypeSize(in->type));
    *pixels = NULL;
    return true;
}

int image_open(input *in, const input_options *opts)
{
    picture p = {.in = in};
    int status = STATUS_DONE;
    p.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &p, on_error, on_warning);
    p.info = p.png != NULL ? png_create_info_struct(p.png) : NULL;
    if (p.info == NULL)
        status = fail(STATUS_VULKAN, "%s: libpng could not be started", in->name);
    else if (!decode(&p, in))
        status = p.status != STATUS_DONE ? p.status
                                         : fail(p.no_memory ? STATUS_VULKAN : STATUS_USAGE,
                                                "%s: it cannot be read as a PNG picture: %s%s",
                                                in->name, p.message, raw_remedy(opts));
    free(p.colours);
    free(p.pixels);
    free(p.rows);
    png_destroy_read_struct(&p.png, &p.info, NULL);
    return status;
}
