/* SPDX-License-Identifier: MIT */
/* Pictures of 8 bits per channel, in files and in memory. */
#include "app.h"
#include <png.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads palette indices, and converts them into p->rgba here: libpng itself would turn an index
 * outside the palette into black. */
static void read_indices(png_image *png, const picture *p, const char *name)
{
    uint8_t colours[256][4];
    uint8_t *indices = malloc(p->pixels);
    if (!indices)
        DIE(FAILED, "there is no memory for %u x %u pixels\n", p->width, p->height);
    png->format = PNG_FORMAT_RGBA_COLORMAP;
    if (!png_image_finish_read(png, NULL, indices, 0, colours))
        DIE(BAD_INPUT, "%s is not a complete PNG picture: %s\n", name, png->message);
    for (size_t i = 0; i < p->pixels; i++) {
        if (indices[i] >= png->colormap_entries)
            DIE(BAD_INPUT, "%s has a pixel of colour %u, but its palette has colours 0 to %u\n",
                name, indices[i], png->colormap_entries - 1);
        memcpy(p->rgba + 4 * i, colours[indices[i]], 4);
    }
    free(indices);
}

picture read_png(const char *name)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, name))
        DIE(BAD_INPUT, "%s cannot be read: %s\n", name, png.message);
    if (png.format & PNG_FORMAT_FLAG_LINEAR)
        DIE(BAD_INPUT, "%s has 16 bits per channel; this program reads 8 at most\n", name);
    picture p = {png.width, png.height, (size_t)png.width * png.height,
                 png.format & (PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR), NULL};
    if (p.pixels > SIZE_MAX / 4 || !(p.rgba = malloc(4 * p.pixels)))
        DIE(FAILED, "there is no memory for %u x %u pixels\n", p.width, p.height);
    if (png.format & PNG_FORMAT_FLAG_COLORMAP) {
        read_indices(&png, &p, name);
        return p;
    }
    png.format = PNG_FORMAT_RGBA;
    if (!png_image_finish_read(&png, NULL, p.rgba, 0, NULL))
        DIE(BAD_INPUT, "%s is not a complete PNG picture: %s\n", name, png.message);
    return p;
}

/* Removes the channels that the file does not have. */
static void drop_channels(const picture *p)
{
    const uint32_t last = PNG_IMAGE_PIXEL_CHANNELS(p->format) - 1;
    const unsigned char *from = p->rgba;
    unsigned char *to = p->rgba;
    for (size_t i = 0; i < p->pixels; i++, from += 4)
        for (uint32_t c = 0; c <= last; c++)
            *to++ = from[c == last && p->format & PNG_FORMAT_FLAG_ALPHA ? 3 : c];
}

/* Writes under a temporary name first, so that OUT.png is either complete or absent. */
void write_png(const picture *p, const char *name)
{
    struct stat existing;
    if (lstat(name, &existing) == 0 && !S_ISREG(existing.st_mode))
        DIE(FAILED, "%s cannot be replaced: it is not a regular file\n", name);
    char temporary[PATH_MAX];
    if (snprintf(temporary, sizeof temporary, "%s.%ld.tmp", name, (long)getpid()) >= PATH_MAX)
        DIE(FAILED, "%s cannot be written: its name is too long\n", name);

    drop_channels(p);
    png_image png = {
        .version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = p->format};
    if (!png_image_write_to_file(&png, temporary, 0, p->rgba, 0, NULL))
        DIE(FAILED, "%s cannot be written: %s\n", name, png.message);
    if (rename(temporary, name) != 0) {
        int error = errno;
        remove(temporary);
        DIE(FAILED, "%s cannot be replaced: %s\n", name, strerror(error));
    }
}

picture create_picture(uint32_t width, uint32_t height)
{
    picture p = {width, height, (size_t)width * height, PNG_FORMAT_FLAG_COLOR, NULL};
    p.rgba = malloc(4 * p.pixels);
    if (!p.rgba)
        DIE(FAILED, "there is no memory for %u x %u pixels\n", width, height);
    return p;
}

void save_png(picture *p, const char *folder, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s.png", folder, name) >= PATH_MAX)
        DIE(FAILED, "%s is too long a name\n", folder);
    write_png(p, path);
    printf("%s\n", path);
    free(p->rgba);
}
