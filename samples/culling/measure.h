/* SPDX-License-Identifier: MIT */
#ifndef MEASURE_H
#define MEASURE_H

#include "scene.h"

/* Culls a million instances as the last frame did, by the function, and by a shader that stores
 * flags; prints how long each takes. Returns false if they keep different instances. */
bool measure(const gpu *g, const scene *s);

#endif
