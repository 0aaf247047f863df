/* SPDX-License-Identifier: MIT */
/*
 * The rules of the sample particles, in what C and GLSL have in common: its compute shaders and its
 * simulation on the CPU include them. Integers only, so that both get the same bits.
 *
 * Lengths are in units of 1/65536 of half the picture's height, x to the right and y down from its
 * middle; speeds are lengths per frame. Angles are in units of 1/65536 of a turn. >> of a negative
 * number rounds down.
 */
#ifndef PARTICLES_H
#define PARTICLES_H

#ifdef __STDC_VERSION__
#include <stdint.h>
typedef uint32_t uint;
typedef struct Particle Particle;
#define INT(x) ((int)(x))
#define UINT(x) ((uint)(x))
#define RULE static inline
#else
#define INT(x) int(x)
#define UINT(x) uint(x)
#define RULE
#endif

#define LOCAL_SIZE 64u /* workgroup size of the compute shaders */

#define BOTTOM 65536
#define SIDE 116508 /* 16:9 */
#define GRAVITY 10
#define DRAG 7       /* 1/128 of the speed is lost in a frame */
#define ARMS 5u      /* arms of the pinwheel */
#define SPIN 620u    /* rotation of the pinwheel per frame */
#define SHORTEST 60u /* min life in frames .. */
#define SPREAD 0x3fu /* .. and max addition to it, a mask */
#define SWELL 600u   /* speed of the emission's oscillation, an angle per frame */
#define MIN_RATE 116 /* min emission rate, of 256 */
#define EMIT_PER 60u /* particles for each candidate of a frame */

struct Particle {
    int x, y;
    int vx, vy;
    uint colour; /* R, G, B, A from the lowest byte up */
    uint life;   /* frames left; 0: dead */
};

RULE uint mixed(uint x)
{
    x = (x ^ x >> 16) * 0x9e3779b1u;
    x = (x ^ x >> 15) * 0x5851f42du;
    return x ^ x >> 16;
}

/* A sine approximated by parabolas, from -16384 to 16384. */
RULE int wave(uint angle)
{
    int along = INT(angle & 32767u);
    int height = along * (32768 - along) >> 14;
    return (angle & 32768u) != 0u ? -height : height;
}

RULE uint channel(uint angle)
{
    return UINT(128 + (wave(angle) * 127 >> 14));
}

/* Moves a particle by a frame. */
RULE Particle moved(Particle p, uint frame)
{
    int wind = wave(UINT(p.y) + 512u * frame) >> 10;
    p.vx += wind - (p.vx >> DRAG);
    p.vy += GRAVITY - (p.vy >> DRAG);
    p.x += p.vx;
    p.y += p.vy;
    p.life -= 1u;
    if (p.x < -SIDE || p.x > SIDE || p.y > BOTTOM)
        p.life = 0u;
    return p;
}

/* Candidate `index` of `frame`, which is dead if it is not born. */
RULE Particle emitted(uint index, uint frame)
{
    Particle p;
    uint dice = mixed(mixed(frame) + index);
    uint more = mixed(dice + 1u);
    int rate = MIN_RATE + ((wave(frame * SWELL) + 16384) >> 8);
    uint arm = (dice >> 8) % ARMS * (65536u / ARMS);
    int since = INT(more & 255u); /* in 1/256 of a frame */
    uint blur = (more >> 8 & 1023u) + (dice >> 22);
    uint angle = arm + frame * SPIN + (UINT(since) * SPIN >> 8) + blur;
    int speed = 700 + INT(more >> 18 & 1023u);
    uint hue = arm + 90u * frame;

    p.vx = wave(angle + 16384u) * speed >> 14;
    p.vy = wave(angle) * speed >> 14;
    p.x = p.vx * since >> 8;
    p.y = (p.vy * since >> 8) - BOTTOM / 8;
    p.colour =
        channel(hue) | channel(hue + 21845u) << 8 | channel(hue + 43690u) << 16 | 0xff000000u;
    p.life = INT(dice & 255u) < rate ? SHORTEST + (more >> 12 & SPREAD) : 0u;
    return p;
}

#endif
