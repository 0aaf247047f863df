/* SPDX-License-Identifier: MIT */
/* --map and --bias. */
#ifndef RUNNER_MAP_H
#define RUNNER_MAP_H

#include "device/texels.h"

/* Sets the map that the options ask for, for elements of an input. */
int map_open(VkrMap *map, const texel_options *opts, uint64_t chunk, const input *in);

/* The number that the map makes of an element, as map.h of the library defines it. 0 and NaN may
 * have any sign. */
float map_element(const VkrMap *map, const input *in, const unsigned char *from);

#endif
