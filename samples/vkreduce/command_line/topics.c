/* SPDX-License-Identifier: MIT */
#include "command_line/command.h"
#include "types.h"

const char input_lines[] =
    "FILE.npy             an array of any shape, read flat in C order\n"
    "FILE.png             8 or 16 bits; one result per channel, in integer units\n"
    "FILE.hdr             a Radiance picture: red, green and blue as f32\n"
    "FILE                 raw little-endian values of --type\n"
    "random:COUNT[:SEED]  values of --type (default f32): floats in [0, 1), integers of the\n"
    "                     full range; value i is output i + 1 of splitmix64 from SEED\n"
    "                     (default 0)\n"
    "-                    the standard input. What comes from it or from a pipe is a .npy,\n"
    "                     .png or .hdr file if it starts as one, and raw otherwise\n"
    "Data that does not fit the device is streamed: it goes through in chunks.";

const topic input_topic = {
    .name = "INPUT",
    .help =
        "FILE.npy, FILE.png, FILE.hdr, a FILE of raw values, random:COUNT[:SEED], or - for the\n"
        "standard input; vkreduce --help describes them",
    .manual =
        "A .npy file: an array of any shape, read flat in C order, of b1, i1 to i8, u1 to u8, f2, "
        "f4 or f8 in either byte order. A byte of b1 that is not 0 counts as 1. An array of V2 "
        "holds bf16: NumPy saves the type bfloat16 of ml_dtypes in this way.\n"
        "A .png picture of 8 or 16 bits, with a result for each channel, in integer units. All "
        "pixels must have colours that are in its palette, if it has one.\n"
        "A .hdr picture of Radiance: red, green and blue as f32, in the units of the file. Its "
        "rows must all be packed or all be plain, without runs of the older kind. The reader may "
        "be left out when the program is built.\n"
        "Any other file: raw little-endian values of the type that --type says. A file without "
        "values has 0 elements.\n"
        "random:COUNT[:SEED]: values of --type (f32 where it is not given): floats in [0, 1), "
        "integers of the full range. Value i is output i + 1 of splitmix64 from SEED, which is 0 "
        "where it is not given.\n"
        "-: the standard input. What comes from it, from a FIFO, from a process substitution or "
        "from a file below /dev or /proc is read as a .npy, .png or .hdr file where it starts as "
        "one, and as raw values otherwise. A pipe is read to its end before the work begins: up "
        "to 64 MiB into memory, and more into a temporary file without a name. A pipe that brings "
        "nothing is an error."};

const char *type_word(uint32_t index)
{
    return vkrTypeName((VkrType)index);
}

const topic type_topic = {.name = "T", .word = type_word, .first = 1, .end = VKR_TYPE_COUNT};
