/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_GNUPLOT_H
#define RUNNER_GNUPLOT_H

#include <stdio.h>
#include "output/output.h"

/* Whether it can be run; `name` is the picture's. */
int gnuplot_check(const char *name);

/* Writes what the script draws, with a terminal for pictures, to the output. */
int gnuplot_draw(const output *o, FILE *script);

#endif
