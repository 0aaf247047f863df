/* SPDX-License-Identifier: MIT */
/* A flag for each element, read from files and stored as bits: flag i is bit i % 32 of word i /
 * 32. */
#ifndef RUNNER_FLAGS_H
#define RUNNER_FLAGS_H

#include "input/input.h"

static inline bool flag_at(const uint32_t *bits, uint64_t i)
{
    return (bits[i / 32] >> i % 32 & 1) != 0;
}

static inline void set_flag(uint32_t *bits, uint64_t i)
{
    bits[i / 32] |= UINT32_C(1) << i % 32;
}

/* The size in bytes of the words that hold `count` flags. */
static inline uint64_t flag_bytes(uint64_t count)
{
    return (count + 31) / 32 * 4;
}

/* Opens an INPUT whose elements must have one value each. `what` names its purpose in messages. */
int numbers_open(input *in, const char *name, const input_options *opts, const char *what);

/* Does the same for an array that an option names. */
int array_open(input *in, const char *name, const char *what);

/* Does the same for an array of `count` flags. */
int flags_open(input *in, const char *name, const char *what, uint64_t count);

/* Loads the flags of elements first to first + count - 1: a bit is set where the value is not 0. */
int flags_load(const input *in, uint64_t first, uint64_t count, uint32_t *bits);

#endif
