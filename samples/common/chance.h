/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers for scenes, the same on every machine. */
#ifndef CHANCE_H
#define CHANCE_H

#include <stdint.h>

/* Returns the next number: splitmix64. */
static inline uint32_t chance(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z >> 32);
}

/* A random number from `least` to `end` - 1. */
static inline int between(uint64_t *state, int least, int end)
{
    return least + (int)(chance(state) % (uint32_t)(end - least));
}

#endif
