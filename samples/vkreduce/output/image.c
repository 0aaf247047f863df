/* SPDX-License-Identifier: MIT */
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include "output/image.h"
#include "status.h"

typedef struct painting {
    output *out;
    uint64_t done;
    int status;
    png_structp png;
    png_infop info;
} painting;

static void on_write(png_structp png, png_bytep data, size_t size)
{
    painting *p = png_get_io_ptr(png);
    p->status = output_write(p->out, p->done, data, size);
    if (p->status != STATUS_DONE)
        png_error(png, "it cannot be written");
    p->done += size;
}

static void on_flush(png_structp png)
{
    (void)png;
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_failure(png_structp png, png_const_charp message)
{
    (void)message;
    longjmp(png_jmpbuf(png), 1);
}

static bool encode(painting *p, uint32_t width, uint32_t height, uint32_t channels, VkrType type,
                   const unsigned char *values)
{
    static const int kinds[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
    const size_t row = (size_t)width * channels * vkrTypeSize(type);
    if (setjmp(png_jmpbuf(p->png)) != 0)
        return false;
    png_set_write_fn(p->png, p, on_write, on_flush);
    png_set_IHDR(p->png, p->info, width, height, type == VKR_TYPE_U16 ? 16 : 8, kinds[channels - 1],
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(p->png, p->info);
    if (type == VKR_TYPE_U16)
        png_set_swap(p->png);
    for (uint32_t y = 0; y < height; y++)
        png_write_row(p->png, values + y * row);
    png_write_end(p->png, NULL);
    return true;
}

int image_write(output *o, uint32_t width, uint32_t height, uint32_t channels, VkrType type,
                const unsigned char *values)
{
    painting p = {.out = o, .status = STATUS_DONE};
    p.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &p, on_failure, on_warning);
    p.info = p.png != NULL ? png_create_info_struct(p.png) : NULL;
    const bool done = p.info != NULL && encode(&p, width, height, channels, type, values);
    if (!done && p.status == STATUS_DONE)
        p.status = fail(STATUS_VULKAN, "%s: libpng could not write it", o->name);
    png_destroy_write_struct(&p.png, &p.info);
    return p.status;
}
