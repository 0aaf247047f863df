/* SPDX-License-Identifier: MIT */
/* The formats that input.c supports: each function turns the bytes of one into values. */
#ifndef RUNNER_FORMATS_H
#define RUNNER_FORMATS_H

#include "input/input.h"

#define RANDOM "random:"

typedef int open_format(input *in, const input_options *opts);

/* Finds the format by the first bytes: *open is NULL for raw values. Files of known kinds that are
 * not read are refused, and so are files whose names indicate a format that their bytes do not
 * have, if `is_named`: if the name counts. */
int find_format(const input *in, const input_options *opts, bool is_named, open_format **open);

/* A clause for the sentence on a file that is not as its first bytes say: with --type, its bytes
 * may be values. */
const char *raw_remedy(const input_options *opts);

/* Reads the open file to its end, or until it has read a little more than `most` bytes, and makes
 * the bytes the input's content: in memory, or in a temporary file if there are many. */
int spool(input *in, uint64_t most);

/* Finds type, start and size of the values of a .npy file. */
open_format npy_open;

/* Decodes a whole picture: 8-bit channels become u8, 16-bit ones u16. */
open_format image_open;

/* Does the same for a Radiance picture: its three channels become f32, as the file stores them. */
open_format hdr_open;

/* Does the same for an OpenEXR picture: half becomes f16, float f32, and uint u32. */
open_format exr_open;

/* Sets type, seed and size of the values of an input named random:.. */
int random_open(input *in, const input_options *opts);

/* Generates `count` of those values, starting at value number `first`. */
void random_fill(const input *in, uint64_t first, size_t count, unsigned char *data);

#endif
