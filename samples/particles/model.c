/* SPDX-License-Identifier: MIT */
/* The same particles on the CPU, in the same order. */
#include <stdlib.h>
#include <string.h>
#include "particles.h"
#include "parts.h"

uint64_t add_particle(uint64_t sum, const Particle *p)
{
    uint32_t words[sizeof *p / sizeof(uint32_t)];
    memcpy(words, p, sizeof *p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

uint32_t candidates_of(const options *o)
{
    return (o->particles + EMIT_PER - 1) / EMIT_PER;
}

/* Simulates one frame; returns the number of particles after it. */
static uint32_t simulate_frame(const options *o, uint32_t frame, Particle *particles, counts *c)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < c->live; i++) {
        Particle p = moved(particles[i], frame);
        if (p.life != 0)
            particles[live++] = p;
    }
    c->survivors = live;
    for (uint32_t i = 0; i < candidates_of(o); i++) {
        Particle p = emitted(i, frame);
        if (p.life != 0 && live < o->particles)
            particles[live++] = p;
    }
    return live;
}

outcome simulate(const gpu *g, const options *o, uint32_t *full)
{
    const uint32_t most = g->properties.limits.maxComputeWorkGroupCount[0];
    outcome result = {0};
    counts *c = &result.counts;
    Particle *particles = malloc(o->particles * sizeof *particles);
    if (!particles)
        DIE(FAILED, "there is no memory for %u particles\n", o->particles);
    *full = 0;
    for (uint32_t frame = 0; frame < o->frames; frame++) {
        c->live = simulate_frame(o, frame, particles, c);
        *full += c->live == o->particles;
    }
    for (uint32_t i = 0; i < c->live; i++)
        result.checksum = add_particle(result.checksum, &particles[i]);
    const uint32_t groups = (c->live + LOCAL_SIZE - 1) / LOCAL_SIZE;
    c->move = (VkDispatchIndirectCommand){groups < most ? groups : most,
                                          groups > most ? (groups + most - 1) / most : 1, 1};
    c->draw = (VkDrawIndirectCommand){c->live, 1, 0, 0};
    free(particles);
    return result;
}
