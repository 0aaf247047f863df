/* SPDX-License-Identifier: MIT */
/* The parts of the sample exposure: exposure.c renders with the objects that scene.c creates on the
 * device, pictures.c provides the light and its changes, model.c repeats everything on the CPU,
 * report.c writes files. */
#ifndef PARTS_H
#define PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include "exposure.h"

/* ---- The light and the story ---- */

typedef struct radiance {
    uint32_t width;
    uint32_t height;
    float *rgba; /* the pixels, row by row; alpha is 1 */
} radiance;

#define PICTURES 2

/* Set both pictures: to two rendered scenes, a room and a landscape; or to a file, used twice. */
void make_pictures(radiance pictures[PICTURES]);
void load_picture(const char *name, radiance pictures[PICTURES]);
void free_pictures(radiance pictures[PICTURES]);

/* Computes the metering weight of each pixel, row by row; the middle has the largest. */
void make_weights(uint32_t width, uint32_t height, uint8_t *weights);

Instant instant_of(uint32_t frame);

/* The frames that are kept as pictures. */
#define SHOWN 9
extern const uint32_t shown_frames[SHOWN];

/* ---- The check ---- */

/* The results read back from the device after all frames. */
typedef struct outcome {
    const radiance *pictures;
    const uint8_t *weights;
    const State *state;
    const uint32_t *counts[SHOWN]; /* histograms of the frames that are kept .. */
    const uint8_t *rgba[SHOWN];    /* .. and their pixels */
} outcome;

typedef struct verdict {
    Reading expected[FRAMES]; /* as computed by the CPU */
    double exposure_error;    /* the maximum, in stops */
    size_t bins;              /* the number of bins that differ in the kept frames .. */
    size_t pixels;            /* .. and of pixels that differ by more than one step of 255 */
} verdict;

/* The error of a trimmed mean is less than 2^-20 of the greatest edge, 12; the rest allows for
 * rounding in a few 32-bit operations. An exposure is a weighted average of such means, so its
 * error is no larger. */
#define EXPOSURE_TOLERANCE 0x1p-15

verdict check_outcome(const outcome *o);

/* ---- Files ---- */

/* Each prints the names of the files that it writes into the folder. write_frames overwrites the
 * pixels. write_plot returns whether gnuplot could draw the plot. */
void write_frames(const outcome *o, const char *folder);
bool write_plot(const outcome *o, const verdict *v, const char *folder);

#endif
