/* SPDX-License-Identifier: MIT */
/* --as-image, --map, --linear and --bias. */
#ifndef RUNNER_TEXELS_H
#define RUNNER_TEXELS_H

#include <stdbool.h>
#include "device/image.h"
#include "device/srgb.h"
#include "device/task.h"
#include "input/input.h"

/* Words of --map. */
enum { MAP_NONE, MAP_LUMINANCE, MAP_LOG2_LUMINANCE, MAP_END };

typedef struct texel_options {
    uint32_t map;         /* one of these words */
    const char *map_file; /* instead: the file of a function */
    bool as_image;
    bool linear;
    const char *bias;
} texel_options;

static inline bool texels_are_asked(const texel_options *opts)
{
    return opts->map != MAP_NONE || opts->map_file != NULL || opts->as_image || opts->linear;
}

/* The format of an image with 1, 2 or 4 channels of a type; undefined if there is none. */
VkFormat texels_format(VkrType type, uint32_t lanes);

/* An input, as operations read it: as it is stored, or through --as-image and --map. With --linear
 * the image decodes values of 8 bits; others are stored decoded. */
typedef struct texel_source {
    input stored;            /* no name: operations read the input as it is stored */
    bool is_image;           /* --as-image */
    bool is_mapped;          /* --map */
    const VkrHook *function; /* of a file of --map, and what it returns */
    VkrType function_type;
    uint32_t function_components;
    bool is_srgb;             /* the image decodes its values */
    float linear[SRGB_CODES]; /* .. to these */
    VkrMap map;
    VkrImage image; /* describes the image, which texels_upload creates */
    gpu_image texels;
} texel_source;

/* With --as-image or --map, moves an input to `stored`, replaces it with the values that operators
 * read, and describes the conversion. Without these options nothing changes. `layout` holds the
 * input's options. texels_close may follow a failure. */
int texels_replace(const task *t, const texel_options *opts, const input_options *layout, input *in,
                   texel_source *source);
void texels_close(const gpu *g, texel_source *source);

/* Creates and uploads the image of --as-image, and waits. */
int texels_upload(const gpu *g, texel_source *source);

/* The input as it is stored, which is what is uploaded. */
static inline const input *texels_stored(const texel_source *source, const input *in)
{
    return source->stored.name != NULL ? &source->stored : in;
}

/* Completes a view of the input as it is stored. The source must not be moved afterwards. */
VkrView texels_view(const texel_source *source, VkrView stored);

#endif
