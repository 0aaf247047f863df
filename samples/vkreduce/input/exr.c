/* SPDX-License-Identifier: MIT */
/* OpenEXR pictures, read by the library's C interface, OpenEXRCore. */
#include "input/formats.h"
#include "status.h"
#ifdef RUNNER_EXR
#include "input/exr_channels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIDE 0x1000000 /* columns, rows */
#define MAX_TILE 0x4000    /* columns or rows of a tile */
#define MAX_MESSAGE 200u   /* bytes */

typedef struct picture {
    const input *in;
    const input_options *opts;
    int status; /* of reading the file */
    exr_context_t file;
    exr_decode_pipeline_t decoder;
    exr_attr_box2i_t window; /* the pixels that the file has */
    exr_storage_t storage;
    const exr_attr_chlist_t *all;
    exr_choice chosen;
    uint64_t pixel; /* bytes of the chosen channels */
    unsigned char *pixels;
    char message[MAX_MESSAGE]; /* the library's */
} picture;

static void on_error(exr_const_context_t file, exr_result_t code, const char *message)
{
    void *user = NULL;
    (void)code;
    if (exr_get_user_data(file, &user) == EXR_ERR_SUCCESS && user != NULL)
        snprintf(((picture *)user)->message, MAX_MESSAGE, "%s", message);
}

static int64_t on_size(exr_const_context_t file, void *user)
{
    (void)file;
    return (int64_t)((picture *)user)->in->size;
}

static int64_t on_read(exr_const_context_t file, void *user, void *buffer, uint64_t size,
                       uint64_t offset, exr_stream_error_func_ptr_t report)
{
    picture *p = user;
    (void)file, (void)report;
    const uint64_t left = p->in->size - least(offset, p->in->size);
    const uint64_t part = least(size, left);
    if (p->status == STATUS_DONE)
        p->status = input_read(p->in, least(offset, p->in->size), (size_t)part, buffer);
    return p->status == STATUS_DONE ? (int64_t)part : -1;
}

/* ---- The header ---- */

/* At most so many bytes of pixels may come from a byte of the file; 0: of a compression that
 * OpenEXRCore 3.1 decodes wrongly. */
static uint64_t max_ratio(exr_compression_t compression)
{
    switch (compression) {
    case EXR_COMPRESSION_NONE:
        return 1;
    case EXR_COMPRESSION_RLE:
        return 64;
    case EXR_COMPRESSION_ZIPS:
    case EXR_COMPRESSION_ZIP:
    case EXR_COMPRESSION_PIZ:
        return 1032;
    case EXR_COMPRESSION_PXR24:
        return 1376; /* a quarter is left out before it is compressed */
    default:
        return 0;
    }
}

/* Checks the size, and refuses more pixels than the file's bytes can stand for. */
static int check_size(picture *p)
{
    exr_compression_t compression = EXR_COMPRESSION_NONE;
    const exr_attr_box2i_t *w = &p->window;
    uint64_t stored = 0;
    if (exr_get_data_window(p->file, 0, &p->window) != EXR_ERR_SUCCESS ||
        exr_get_compression(p->file, 0, &compression) != EXR_ERR_SUCCESS)
        return fail(STATUS_USAGE, "%s: its header has no size or no compression", p->in->name);
    if (max_ratio(compression) == 0)
        return fail(STATUS_USAGE,
                    "%s: its compression (B44 or DWA) is not read; exrmaketiled -z zip makes a "
                    "copy that is",
                    p->in->name);
    const int64_t width = (int64_t)w->max.x - w->min.x + 1;
    const int64_t height = (int64_t)w->max.y - w->min.y + 1;
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
        return fail(STATUS_USAGE,
                    "%s: it has %lld x %lld pixels; 1 to %d are read in each "
                    "direction",
                    p->in->name, (long long)width, (long long)height, MAX_SIDE);
    for (int i = 0; i < p->all->num_channels; i++) {
        exr_channel *c = &p->all->entries[i];
        const uint64_t size = c->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
        if (c->x_sampling < 1 || c->y_sampling < 1)
            return fail(STATUS_USAGE, "%s: its channel '%s' has pixels of no size", p->in->name,
                        c->name.str);
        stored += size * (uint64_t)(width / c->x_sampling) * (uint64_t)(height / c->y_sampling);
    }
    if (stored / max_ratio(compression) > p->in->size)
        return fail(STATUS_USAGE,
                    "%s: its header promises %lld x %lld pixels, more than its %llu bytes can hold",
                    p->in->name, (long long)width, (long long)height,
                    (unsigned long long)p->in->size);
    return STATUS_DONE;
}

static int read_header(picture *p)
{
    int parts = 0;
    if (exr_get_count(p->file, &parts) != EXR_ERR_SUCCESS || parts < 1 ||
        exr_get_storage(p->file, 0, &p->storage) != EXR_ERR_SUCCESS ||
        exr_get_channels(p->file, 0, &p->all) != EXR_ERR_SUCCESS)
        return fail(STATUS_USAGE, "%s: its header is not complete", p->in->name);
    if (p->storage != EXR_STORAGE_SCANLINE && p->storage != EXR_STORAGE_TILED)
        return fail(STATUS_USAGE,
                    "%s: %s has deep data, several values for a pixel, which are not read; "
                    "flatten it first",
                    p->in->name, parts > 1 ? "its first part" : "it");
    int status = check_size(p);
    if (status == STATUS_DONE)
        status = exr_choose(&p->chosen, p->all, p->in->name, p->opts);
    if (status == STATUS_DONE && parts > 1)
        note("%s: it has %d parts, of which the first is read; exrmultipart -separate makes a file "
             "of each",
             p->in->name, parts);
    return status;
}

/* ---- Pixels ---- */

static int refuse(const picture *p)
{
    if (p->status != STATUS_DONE)
        return p->status;
    return fail(STATUS_USAGE, "%s: it cannot be read as an OpenEXR picture: %s%s", p->in->name,
                p->message[0] != '\0' ? p->message : "it is damaged, or ends too early",
                raw_remedy(p->opts));
}

/* Decodes a chunk, which has the pixels of some rows or of a tile. */
static bool decode_chunk(picture *p, const exr_chunk_info_t *chunk, uint64_t x, uint64_t y,
                         uint64_t width, uint64_t height)
{
    exr_decode_pipeline_t *d = &p->decoder;
    const uint64_t columns = p->in->columns, rows = p->in->count / columns;
    const bool first = d->channels == NULL;
    if (chunk->width < 1 || chunk->height < 1 || (uint64_t)chunk->width > width ||
        (uint64_t)chunk->height > height || x + (uint64_t)chunk->width > columns ||
        y + (uint64_t)chunk->height > rows)
        return false;
    if ((first ? exr_decoding_initialize : exr_decoding_update)(p->file, 0, chunk, d) !=
        EXR_ERR_SUCCESS)
        return false;
    for (int16_t i = 0; i < d->channel_count; i++)
        d->channels[i].decode_to_ptr = NULL;
    uint64_t offset = (y * columns + x) * p->pixel;
    for (uint32_t k = 0; k < p->chosen.count; k++)
        for (int16_t i = 0; i < d->channel_count; i++) {
            exr_coding_channel_info_t *c = &d->channels[i];
            if (strcmp(c->channel_name, p->chosen.channels[k]->name.str) != 0)
                continue;
            c->user_data_type = c->data_type;
            c->user_bytes_per_element = c->bytes_per_element;
            c->user_pixel_stride = (int32_t)p->pixel;
            c->user_line_stride = (int32_t)(columns * p->pixel);
            c->decode_to_ptr = p->pixels + offset;
            offset += (uint64_t)c->bytes_per_element;
        }
    return (!first || exr_decoding_choose_default_routines(p->file, 0, d) == EXR_ERR_SUCCESS) &&
           exr_decoding_run(p->file, 0, d) == EXR_ERR_SUCCESS;
}

static bool decode_rows(picture *p)
{
    const uint64_t columns = p->in->columns, rows = p->in->count / columns;
    int32_t step = 0;
    if (exr_get_scanlines_per_chunk(p->file, 0, &step) != EXR_ERR_SUCCESS || step < 1)
        return false;
    for (uint64_t y = 0; y < rows; y += (uint64_t)step) {
        exr_chunk_info_t chunk = {0};
        const uint64_t height = least(rows - y, (uint64_t)step);
        if (exr_read_scanline_chunk_info(p->file, 0, (int)(p->window.min.y + (int64_t)y), &chunk) !=
                EXR_ERR_SUCCESS ||
            (uint64_t)chunk.width != columns || (uint64_t)chunk.height != height ||
            !decode_chunk(p, &chunk, 0, y, columns, height))
            return false;
    }
    return true;
}

static bool decode_tiles(picture *p)
{
    const uint64_t columns = p->in->columns, rows = p->in->count / columns;
    int32_t width = 0, height = 0;
    if (exr_get_tile_sizes(p->file, 0, 0, 0, &width, &height) != EXR_ERR_SUCCESS || width < 1 ||
        height < 1)
        return false;
    const uint64_t w = (uint64_t)width, h = (uint64_t)height;
    for (uint64_t y = 0; y < rows; y += h)
        for (uint64_t x = 0; x < columns; x += w) {
            exr_chunk_info_t chunk = {0};
            if (exr_read_tile_chunk_info(p->file, 0, (int)(x / w), (int)(y / h), 0, 0, &chunk) !=
                    EXR_ERR_SUCCESS ||
                (uint64_t)chunk.width != least(w, columns - x) ||
                (uint64_t)chunk.height != least(h, rows - y) ||
                !decode_chunk(p, &chunk, x, y, w, h))
                return false;
        }
    return true;
}

static int read_pixels(picture *p, input *in)
{
    static const VkrType types[] = {[EXR_PIXEL_UINT] = VKR_TYPE_U32,
                                    [EXR_PIXEL_HALF] = VKR_TYPE_F16,
                                    [EXR_PIXEL_FLOAT] = VKR_TYPE_F32};
    const uint64_t width = (uint64_t)((int64_t)p->window.max.x - p->window.min.x + 1);
    const uint64_t height = (uint64_t)((int64_t)p->window.max.y - p->window.min.y + 1);
    const VkrType type = types[p->chosen.channels[0]->pixel_type];
    p->pixel = (uint64_t)p->chosen.count * vkrTypeSize(type);
    if (width * p->pixel > INT32_MAX)
        return fail(STATUS_USAGE, "%s: its rows of %llu pixels are too long", in->name,
                    (unsigned long long)width);
    in->columns = width;
    in->count = width * height;
    p->pixels = calloc((size_t)(width * height), (size_t)p->pixel);
    if (p->pixels == NULL)
        return fail(STATUS_VULKAN, "%s: there is no memory for its %llu x %llu pixels", in->name,
                    (unsigned long long)width, (unsigned long long)height);
    if (!(p->storage == EXR_STORAGE_TILED ? decode_tiles : decode_rows)(p))
        return refuse(p);
    input_use_memory(in, p->pixels, width * height * p->pixel);
    p->pixels = NULL;
    in->components = p->chosen.count;
    in->type = type;
    in->has_names = true;
    for (uint32_t i = 0; i < p->chosen.count; i++)
        in->letters[i] = exr_letter(p->chosen.channels[i]);
    return STATUS_DONE;
}

int exr_open(input *in, const input_options *opts)
{
    picture p = {.in = in, .opts = opts};
    exr_context_initializer_t init = EXR_DEFAULT_CONTEXT_INITIALIZER;
    init.user_data = &p;
    init.error_handler_fn = on_error;
    init.read_fn = on_read;
    init.size_fn = on_size;
    init.max_tile_width = init.max_tile_height = MAX_TILE;
    init.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    int status =
        exr_start_read(&p.file, in->name, &init) == EXR_ERR_SUCCESS ? read_header(&p) : refuse(&p);
    if (status == STATUS_DONE)
        status = read_pixels(&p, in);
    if (p.decoder.channels != NULL)
        (void)exr_decoding_destroy(p.file, &p.decoder);
    if (p.file != NULL)
        (void)exr_finish(&p.file);
    free(p.pixels);
    return status;
}

#else

int exr_open(input *in, const input_options *opts)
{
    return fail(STATUS_USAGE,
                "%s: it is an OpenEXR picture, which this build of the program does not read; "
                "install Debian's libopenexr-dev and build it again%s",
                in->name, raw_remedy(opts));
}

#endif
