/* SPDX-License-Identifier: MIT */
/* The formats that input.c supports: each function turns the bytes of one into values. */
#ifndef RUNNER_FORMATS_H
#define RUNNER_FORMATS_H

#include "input/input.h"

#define RANDOM "random:"

/* Reads the open file to its end, or until it has read a little more than `most` bytes, and makes
 * the bytes the input's content: in memory, or in a temporary file if there are many. */
int spool(input *in, uint64_t most);

/* Finds type, start and size of the values of a .npy file of `file_size` bytes. */
int npy_open(input *in, uint64_t file_size);

/* Decodes a whole picture: 8-bit channels become u8, 16-bit ones u16. */
int image_open(input *in);

/* Does the same for a Radiance picture: RGB becomes f32, in the units of the file. */
int hdr_open(input *in);

/* Sets type, seed and size of the values of an input named random:.. */
int random_open(input *in, const input_options *opts);

/* Generates `count` of those values, starting at value number `first`. */
void random_fill(const input *in, uint64_t first, size_t count, unsigned char *data);

#endif
