/* SPDX-License-Identifier: MIT */
/* Uniforms of the kernels whose only input is an image, and of the stage kernel. Tile kernels have
 * uniforms of their own. */
#define VKR_CARD(name) vkr_image_##name
#define VKR_NAME(name) VKR_IMAGE_##name

BEGIN_UNIFORMS
UNIFORM4(origin)  /* of the part that is read: column, row, layer or slice; the level */
UNIFORM4(start)   /* the position of the dispatch's first element in that part */
UNIFORM4(weights) /* of a map, as bits of floats */
UNIFORM(width)    /* of the part */
UNIFORM(height)
UNIFORM(bias) /* of a map */
END_UNIFORMS
#include "end.h"
