/* SPDX-License-Identifier: MIT */
#ifndef TEXELS_H
#define TEXELS_H

#include "runner.h"

/* Whether --as-image can take the input. */
int texels_check(const input *in, const options *opts);

/* Describes the image that the input will be, as yet without it. */
int texels_describe(const gpu *g, const input *in, VkrImage *described);

/* Makes it, and waits; the caller destroys the view. */
int texels_upload(const gpu *g, const input *in, gpu_image *i, VkrImage *described);

/* Makes an input, to be closed, of what texelFetch returns of the image. */
int texels_see(const input *from, input *to);

/* Words of --map. */
enum { MAP_NONE, MAP_LUMINANCE, MAP_LOG2_LUMINANCE, MAP_END };

/* The map that --map asks for. */
int map_of(const options *opts, const input *in, VkrMap *map);

/* Makes an input, to be closed, of what the map makes of each element. */
int texels_map(const input *from, const VkrMap *map, input *to);

#endif
