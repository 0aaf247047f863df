/* SPDX-License-Identifier: MIT */
/* The parts of the sample particles: particles.c has the options and submits the frames, scene.c
 * creates the objects on the device, frame.c records a frame, model.c repeats all frames on the
 * CPU, check.c compares the two. */
#ifndef PARTS_H
#define PARTS_H

#include "app.h"

typedef struct options {
    uint32_t frames;
    uint32_t particles; /* the maximum number */
    const char *out;
    const char *device;
    bool verify;
} options;

/* The counts that the GPU computes. */
typedef struct counts {
    uint32_t survivors;
    uint32_t live; /* survivors and newborn */
    VkDispatchIndirectCommand move;
    VkDrawIndirectCommand draw;
} counts;

typedef struct outcome {
    counts counts;
    uint64_t checksum; /* of all live particles in their order */
} outcome;

/* ---- model.c ---- */

/* The number of candidates for new particles in each frame. */
uint32_t candidates_of(const options *o);

/* Adds a particle to a checksum. */
struct Particle;
uint64_t add_particle(uint64_t sum, const struct Particle *p);

/* Simulates all frames; *full becomes the number of frames after which the number of particles was
 * at its limit. */
outcome simulate(const gpu *g, const options *o, uint32_t *full);

#endif
