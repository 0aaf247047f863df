/* SPDX-License-Identifier: MIT */
/* Pictures of frames, and the time that they take. */
#ifndef REPORT_H
#define REPORT_H

#include "app.h"
#include "splats.h"

/* The time between two queries is that of a stage. */
enum { CULLED, SORTED, DRAWN, STAGES };

/* Makes a picture of premultiplied colours before a sky. */
picture paint(const vec4 *pixels);
/* Prints the least time of each stage, of those of all frames, in milliseconds. */
void print_times(double times[][STAGES], uint32_t frames);

#endif
