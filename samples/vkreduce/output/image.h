/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_OUTPUT_IMAGE_H
#define RUNNER_OUTPUT_IMAGE_H

#include "output/output.h"
#include "types.h"

/* Writes a picture, of 1 to 4 channels of type u8 or u16, as .png. */
int image_write(output *o, uint32_t width, uint32_t height, uint32_t channels, VkrType type,
                const unsigned char *values);

#endif
