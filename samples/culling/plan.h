/* SPDX-License-Identifier: MIT */
#ifndef PLAN_H
#define PLAN_H

#include "app.h"
#include "town.h"

/* Draws a plan of WIDTH x HEIGHT pixels; `seen` has a bit for each instance. */
void draw_plan(picture *p, const View *view, const vec4 *spheres, const Shape *shapes,
               const uint32_t *seen);

#endif
