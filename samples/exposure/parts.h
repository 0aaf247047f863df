/* SPDX-License-Identifier: MIT */
/* The parts of the sample exposure: exposure.c renders with what scene.c has made on the device,
 * pictures.c has the light and the story, model.c does all of it again on the CPU, report.c writes
 * files. */
#ifndef PARTS_H
#define PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include "exposure.h"

/* ---- The light and the story ---- */

typedef struct radiance {
    uint32_t width;
    uint32_t height;
    float *rgba; /* of each pixel, row by row; alpha is 1 */
} radiance;

#define PICTURES 2

/* Two scenes made here, a room and a landscape; or a file, as both of them. */
void make_pictures(radiance pictures[PICTURES]);
void load_picture(const char *name, radiance pictures[PICTURES]);
void free_pictures(radiance pictures[PICTURES]);

/* How much each pixel counts, row by row: most in the middle. */
void make_weights(uint32_t width, uint32_t height, uint8_t *weights);

Instant instant_of(uint32_t frame);

/* The frames that are kept as pictures. */
#define SHOWN 9
extern const uint32_t shown_frames[SHOWN];

/* ---- The check ---- */

/* What comes back from the device, after all frames. */
typedef struct outcome {
    const radiance *pictures;
    const uint8_t *weights;
    const State *state;
    const uint32_t *counts[SHOWN]; /* histograms of the frames that are kept .. */
    const uint8_t *rgba[SHOWN];    /* .. and what they show */
} outcome;

typedef struct verdict {
    Reading expected[FRAMES]; /* by the CPU */
    double exposure_error;    /* the greatest one, in stops */
    size_t bins;              /* that differ, in all frames that are kept .. */
    size_t pixels;            /* .. and pixels, by more than one step of 255 in any channel */
} verdict;

/* A trimmed mean is off by less than 2^-20 of the greatest edge, 12; the rest is for the rounding
 * of a few operations in 32 bits. An exposure is made of such means, with shares that add up to
 * 1. */
#define EXPOSURE_TOLERANCE 0x1p-15

verdict check_outcome(const outcome *o);

/* ---- Files ---- */

/* Each prints the names of what it writes into the folder. write_frames uses up the pixels.
 * write_plot returns whether gnuplot could draw the plot. */
void write_frames(const outcome *o, const char *folder);
bool write_plot(const outcome *o, const verdict *v, const char *folder);

#endif
