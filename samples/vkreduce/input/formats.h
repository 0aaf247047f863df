/* SPDX-License-Identifier: MIT */
/* The kinds of bytes that input.c knows: each function makes values of them. */
#ifndef RUNNER_FORMATS_H
#define RUNNER_FORMATS_H

#include "input/input.h"

/* Reads what comes out of the open file to its end, or a little more than `most` bytes, and uses
 * that instead: in memory, or in a temporary file where it is much. */
int spool(input *in, uint64_t most);

/* Finds type, start and size of the values of a .npy file of `file_size` bytes. */
int npy_open(input *in, uint64_t file_size);

/* Decodes a whole picture: 8-bit channels become u8, 16-bit ones u16. */
int image_open(input *in);

/* The same of a Radiance picture: RGB as f32, in the units of the file. */
int hdr_open(input *in);

#endif
