/* SPDX-License-Identifier: MIT */
/* --as-image and --map. */
#ifndef RUNNER_TEXELS_H
#define RUNNER_TEXELS_H

#include <stdbool.h>
#include "device/image.h"
#include "device/task.h"
#include "input/input.h"

/* Words of --map. */
enum { MAP_NONE, MAP_LUMINANCE, MAP_LOG2_LUMINANCE, MAP_END };

typedef struct texel_options {
    uint32_t map; /* one of these words */
    bool as_image;
} texel_options;

/* With --as-image or --map, replaces an input with the values that operators read: `stored` becomes
 * the original, and `image` and `map` describe the conversion; the image itself does not exist yet.
 * Does nothing without these options. `layout` holds the input's options. */
int texels_replace(const task *t, const texel_options *opts, const input_options *layout, input *in,
                   input *stored, VkrImage *image, VkrMap *map);

/* Creates and uploads the image of such an input, and waits; the caller destroys the view. */
int texels_upload(const gpu *g, const input *in, gpu_image *i, VkrImage *described);

#endif
