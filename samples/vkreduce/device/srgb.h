/* SPDX-License-Identifier: MIT */
/* Linear values of sRGB-encoded ones. */
#ifndef RUNNER_SRGB_H
#define RUNNER_SRGB_H

#include "device/gpu.h"

#define SRGB_FORMAT VK_FORMAT_R8G8B8A8_SRGB /* the one that all devices can read */
#define SRGB_CODES 256u                     /* of 8 bits */

/* The linear value, from 0 to 1, of a stored value from 0 to `max`, by IEC 61966-2-1; rounded to
 * f32. */
float srgb_decode(uint32_t code, uint32_t max);

/* Lets the device read all codes from an image of the format. Its values may differ from the exact
 * ones by up to half a code, which is checked. */
int srgb_read(const gpu *g, float table[SRGB_CODES]);

#endif
