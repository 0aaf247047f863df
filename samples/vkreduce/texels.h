/* SPDX-License-Identifier: MIT */
#ifndef TEXELS_H
#define TEXELS_H

#include "runner.h"

/* Words of --map. */
enum { MAP_NONE, MAP_LUMINANCE, MAP_LOG2_LUMINANCE, MAP_END };

/* Replaces an input by what operators see of it, where --as-image or --map asks for that: `stored`
 * becomes what it was, and `image` and `map` say how it is seen, as yet without an image. Else
 * nothing happens. */
int texels_replace(const gpu *g, const options *opts, input *in, input *stored, VkrImage *image,
                   VkrMap *map);

/* Makes the image of such an input, and waits; the caller destroys the view. */
int texels_upload(const gpu *g, const input *in, gpu_image *i, VkrImage *described);

#endif
