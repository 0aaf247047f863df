/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_GNUPLOT_H
#define RUNNER_GNUPLOT_H

#include <stdio.h>
#include "output/output.h"

/* Checks that gnuplot can be run; `name` is the name of the picture. */
int gnuplot_check(const char *name);

/* Runs the script, which must select a terminal for pictures, and writes the picture to the
 * output. */
int gnuplot_draw(const output *o, FILE *script);

#endif
