/* SPDX-License-Identifier: MIT */
/* The channels of OpenEXR pictures: which are read, and in which order. */
#ifndef RUNNER_EXR_CHANNELS_H
#define RUNNER_EXR_CHANNELS_H

#include <OpenEXR/openexr.h>
#include "input/input.h"

typedef const exr_attr_chlist_entry_t exr_channel;

typedef struct exr_choice {
    exr_channel *channels[VKR_MAX_COMPONENTS];
    uint32_t count;
} exr_choice;

/* Chooses those that --channels names, or all; they must have one type and a value for every pixel.
 * `name` is the name of the file. */
int exr_choose(exr_choice *chosen, const exr_attr_chlist_t *all, const char *name,
               const input_options *opts);

/* The letter of a channel, R, G, B, Y or A, after the name of its layer and a dot; '?' if it has
 * another name. */
char exr_letter(exr_channel *c);

#endif
