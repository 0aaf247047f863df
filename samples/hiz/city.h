/* SPDX-License-Identifier: MIT */
/* The parts of the sample hiz: hiz.c draws and tests on the device with what scene.c has made
 * there, city.c makes the boxes, check.c does all of it again on the CPU, paint.c makes
 * pictures. */
#ifndef CITY_H
#define CITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hiz.h"

#define PIXELS ((size_t)WIDTH * HEIGHT)

/* The boxes, whose first DRAWN are the ground and its buildings. The others are on the streets, and
 * above the roofs. */
void make_city(Box *boxes);

/* What comes back from the device. */
typedef struct outcome {
    const Box *boxes;
    const uint32_t *ids; /* of the picture with the first DRAWN boxes .. */
    const float *depths; /* .. and its depths */
    const float *levels; /* pairs of least and greatest depth, level after level */
    const uint32_t *verdicts;
    const uint32_t *shown; /* ids of the picture with the visible boxes, of all of them .. */
    const float *shown_depths;
    const uint32_t *count; /* .. and how many these are */
} outcome;

/* Texels of the levels below this one, without the depth buffer itself. */
size_t texels_below(int level);

/* Prints what is found. Returns whether all is as it has to be. */
bool check_outcome(const outcome *o);

/* Writes the pictures into a folder, and prints their names. */
void paint_outcome(const outcome *o, const char *folder);

#endif
