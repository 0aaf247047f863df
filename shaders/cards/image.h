/* SPDX-License-Identifier: MIT */
/* Uniforms of the kernels that load texels of an image, which is their only input, and of the stage
 * kernel. Tiles have uniforms of their own. */
#define VKR_CARD(name) vkr_image_##name
#define VKR_NAME(name) VKR_IMAGE_##name

BEGIN_UNIFORMS
UNIFORM4(origin)  /* of the part that is read: column, row, layer or slice; the level */
UNIFORM4(start)   /* in the part, where the dispatch's first element lies */
UNIFORM4(weights) /* of a map, as bits of floats */
UNIFORM(width)    /* of the part */
UNIFORM(height)
UNIFORM(bias) /* of a map */
END_UNIFORMS
#include "end.h"
