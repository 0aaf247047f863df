/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_RANDOM_H
#define RUNNER_RANDOM_H

#include "input/input.h"

#define RANDOM "random:"

/* Sets type, seed and size of the values of an input named random:.. */
int random_open(input *in, const input_options *opts);

/* Generates `count` of the values, starting at value number `first`. */
void random_fill(const input *in, uint64_t first, size_t count, unsigned char *data);

#endif
