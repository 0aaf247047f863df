/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_RANDOM_H
#define RUNNER_RANDOM_H

#include "input/input.h"

#define RANDOM "random:"

/* Finds type, seed and size of the values of an input that has such a name. */
int random_open(input *in, const input_options *opts);

/* Makes some of them, from value number `first` on. */
void random_fill(const input *in, uint64_t first, size_t count, unsigned char *data);

#endif
