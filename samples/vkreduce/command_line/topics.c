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
    "-                    the standard input. Data from it or from a pipe is read as a .npy,\n"
    "                     .png or .hdr file if it starts like one, otherwise as raw values\n"
    "Data that does not fit the device is streamed: it goes through in chunks.";

const topic input_topic = {
    .name = "INPUT",
    .help =
        "FILE.npy, FILE.png, FILE.hdr, a FILE of raw values, random:COUNT[:SEED], or - for the\n"
        "standard input; vkreduce --help describes them",
    .manual =
        "A .npy file: an array of any shape, read flat in C order, of b1, i1 to i8, u1 to "
        "u8, f2, f4 or f8 in either byte order. A byte of b1 that is not 0 counts as 1. An "
        "array of V2 holds bf16: NumPy saves the type bfloat16 of ml_dtypes in this way.\n"
        "A .png picture of 8 or 16 bits, with a result for each channel, in integer units. "
        "If it has a palette, all pixels must have colours from it.\n"
        "A .hdr picture of Radiance: red, green and blue as f32, in the units of the file. "
        "Its rows must all be packed or all be plain, without runs of the older kind. The "
        "program may be built without support for this format.\n"
        "Any other file: raw little-endian values of the type that --type names. Data without "
        "a byte is an error unless --allow-empty is given; a .npy file may hold an array "
        "without elements.\n"
        "random:COUNT[:SEED]: values of --type (default f32): floats in [0, 1), integers of "
        "the full range. Value i is output i + 1 of splitmix64 from SEED (default 0). COUNT may "
        "have a fraction and an exponent, such as 1e6 or 2.5e3, if it is whole.\n"
        "-: the standard input. Data from it, from a FIFO, from a process substitution or "
        "from a file under /dev or /proc is read as a .npy, .png or .hdr file if it starts "
        "like one, and as raw values otherwise. A pipe is read to its end before the work "
        "begins: up to 64 MiB into memory, and more into an unnamed temporary file. A pipe "
        "that delivers no bytes is an error unless --allow-empty is given."};

const char *type_word(uint32_t index)
{
    return vkrTypeName((VkrType)index);
}

const topic type_topic = {.name = "T", .word = type_word, .first = 1, .end = VKR_TYPE_COUNT};
