/* SPDX-License-Identifier: MIT */
/* The parts of the sample shadows: shadows.c records with the objects that scene.c creates on the
 * device, town.c makes the solids, view.c the camera, the sun and the fixed cascades, check.c
 * repeats everything on the CPU. */
#ifndef TOWN_H
#define TOWN_H

#include <stdbool.h>
#include "shadows.h"

#define MAX_SOLIDS 4096

/* Returns the number of solids. */
uint32_t make_town(Solid *solids);

void make_view(View *view, const Solid *solids, uint32_t count);

/* Cascades of the whole view, from the near plane to FAR. */
void make_fixed(Cascades *cascades, const View *view);

/* The results read back from the device. */
typedef struct outcome {
    const View *view;
    const float *depths;
    const Cascades *cascades; /* fixed and fitted ones */
} outcome;

/* Prints the findings. Returns true if all checks pass. */
bool check_outcome(const outcome *o);

#endif
