/* SPDX-License-Identifier: MIT */
#include "command_line/command.h"
#include "types.h"

const char input_lines[] =
    "FILE.npy             an array of any shape, read flat in C order\n"
    "FILE.png             up to 16 bits; one result per channel, in integer units\n"
    "FILE.hdr             a Radiance picture: red, green and blue as f32\n"
    "FILE.exr             an OpenEXR picture: channels of f16, f32 or u32\n"
    "FILE                 raw little-endian values of --type. The first bytes say what a file\n"
    "                     is; with --raw they are values, too\n"
    "random:COUNT[:SEED]  values of --type (default f32): floats in [0, 1), integers of the\n"
    "                     full range; value i is output i + 1 of splitmix64 from SEED\n"
    "                     (default 0)\n"
    "-                    the standard input, which may be any of these files, as may a pipe\n"
    "Data that does not fit the device is streamed: it goes through in chunks.";

const topic input_topic = {
    .name = "INPUT",
    .help =
        "a .npy, .png, .hdr or .exr FILE, a FILE of raw values, random:COUNT[:SEED], or - for the\n"
        "standard input; vkreduce --help describes them",
    .manual =
        "A .npy file: an array of any shape, read flat in C order, of b1, i1 to i8, u1 to "
        "u8, f2, f4 or f8 in either byte order, under any name that NumPy reads. A byte of b1 "
        "that is not 0 counts as 1. An array of V2 holds bf16: NumPy saves the type bfloat16 of "
        "ml_dtypes in this way. Of a structured type --field chooses a field.\n"
        "A .png picture, with a result for each channel, in integer units: 0 to 255, or 0 to "
        "65535 if it has 16 bits. Values of 1, 2 or 4 bits are scaled to 0 to 255, so that 1 of 1 "
        "bit is 255. A palette's colours become red, green and blue, and all pixels must have "
        "colours from it. Transparency of any kind gives an alpha channel: one in the file, that "
        "of a palette, or a single transparent colour (tRNS), which gets 0 and all others the "
        "maximum.\n"
        "A .hdr picture of Radiance: red, green and blue as f32, or CIE X, Y and Z, which a note "
        "on the standard error says. Values are those of the file, mantissa times "
        "2^(exponent - 136): its lines EXPOSURE and COLORCORR are not divided out. Rows may "
        "be packed, have runs of the older kind, or be plain; pictures of any orientation "
        "are turned to start at the top left. A file without a line FORMAT is one of red, "
        "green and blue. Nothing may follow the last row.\n"
        "A .exr picture of OpenEXR: half becomes f16, float f32, and uint u32. Up to 4 channels of "
        "one type are read: those that --channels names, or all that the file has, in the order R, "
        "G, B, Y, A, then by their names, with those of a layer together. The picture is the data "
        "window, of the first part and the largest level. Deep data, channels with fewer values "
        "than pixels, and the compressions B44 and DWA are not read. The program may be built "
        "without support for this format.\n"
        "Any other file: raw little-endian values of the type that --type names. Data without "
        "a byte is an error unless --allow-empty is given; a .npy file may hold an array "
        "without elements.\n"
        "The first bytes of a file say what it is, not its name. A file of a known kind that "
        "is not read, such as a compressed one, is refused; so is one whose name ends with "
        ".npy, .png, .hdr or .exr if its bytes are of no known kind. With --raw the bytes are "
        "values of --type, whatever they look like.\n"
        "random:COUNT[:SEED]: values of --type (default f32): floats in [0, 1), integers of "
        "the full range. Value i is output i + 1 of splitmix64 from SEED (default 0). COUNT may "
        "have a fraction and an exponent, such as 1e6 or 2.5e3, if it is whole.\n"
        "-: the standard input. It may be any of these files, as may a FIFO, a process "
        "substitution or a file under /dev or /proc. A pipe is read to its end before the "
        "work begins: up to 64 MiB into memory, and more into an unnamed temporary file. A pipe "
        "that delivers no bytes is an error unless --allow-empty is given."};

const char *type_word(uint32_t index)
{
    return vkrTypeName((VkrType)index);
}

const topic type_topic = {.name = "T", .word = type_word, .first = 1, .end = VKR_TYPE_COUNT};
