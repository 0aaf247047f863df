/* SPDX-License-Identifier: MIT */
/* The parts of the sample hiz: hiz.c draws and tests on the device with the objects that scene.c
 * creates there, city.c makes the boxes, check.c repeats everything on the CPU, paint.c makes
 * pictures. */
#ifndef CITY_H
#define CITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hiz.h"

#define PIXELS ((size_t)WIDTH * HEIGHT)

/* Makes the boxes. The first DRAWN are the ground and the buildings; the others are cars on the
 * streets and balloons above the roofs. */
void make_city(Box *boxes);

/* The results read back from the device. */
typedef struct outcome {
    const Box *boxes;
    const uint32_t *ids; /* of the picture with the first DRAWN boxes .. */
    const float *depths; /* .. and its depths */
    const float *levels; /* pairs of minimum and maximum depth, level after level */
    const uint32_t *verdicts;
    const uint32_t *shown; /* ids of the picture with all visible boxes .. */
    const float *shown_depths;
    const uint32_t *count; /* .. and the number of these boxes */
} outcome;

/* The number of texels in the levels below this one, without the depth buffer itself. */
size_t texels_below(int level);

/* Prints the findings. Returns true if all checks pass. */
bool check_outcome(const outcome *o);

/* Writes the pictures into a folder, and prints their names. */
void paint_outcome(const outcome *o, const char *folder);

#endif
