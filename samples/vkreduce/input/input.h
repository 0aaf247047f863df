/* SPDX-License-Identifier: MIT */
/* What is read: files, pipes, pictures and random numbers, as typed values. */
#ifndef RUNNER_INPUT_H
#define RUNNER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "types.h"

/* What the command line says about an INPUT. All 0: nothing. */
typedef struct input_options {
    uint32_t type; /* a VkrType */
    uint64_t components;
    uint64_t offset; /* bytes */
    uint64_t stride; /* bytes */
} input_options;

typedef enum input_source { SOURCE_FILE, SOURCE_MEMORY, SOURCE_RANDOM } input_source;

/* One INPUT: typed values that can be read from any position, and the elements among them. */
typedef struct input {
    const char *name;
    input_source source;
    int file;              /* -1: none */
    unsigned char *memory; /* owned */
    uint64_t start;        /* of the values in the file or the memory */
    bool spooled;          /* they came out of a pipe or the like */
    bool swapped;          /* there the bytes of each value are in big-endian order */
    bool truth;            /* there every value that is not 0 stands for 1 */
    uint64_t seed;
    VkrType type;
    VkrType named; /* what the type was in the file, where it is another one now */
    uint32_t components;
    uint32_t dimensions; /* of a .npy file's array */
    uint64_t columns;    /* columns of an array with two dimensions, or of a picture; else 0 */
    uint64_t size;       /* bytes of values */
    uint64_t offset;     /* of element 0 in them */
    uint64_t stride;
    uint64_t count; /* elements */
} input;

/* input_close may follow a failed input_open. */
int input_open(input *in, const char *name, const input_options *opts);
void input_close(input *in);

/* The same for the content of a file in memory from malloc, which the input owns from now on. The
 * name says what is expected there, like that of a file. */
int input_open_memory(input *in, const char *name, unsigned char *memory, uint64_t size,
                      const input_options *opts);

/* Opens a file, or with "-" the standard input, as bytes without a type: what cannot be read from
 * any position, or does not know its size, is read to its end, but no further than `most` bytes and
 * a few. */
int input_open_bytes(input *in, const char *name, uint64_t most);

/* Give the input other bytes, which it owns from now on: memory from malloc, or an open file. */
void input_use_memory(input *in, unsigned char *memory, uint64_t size);
void input_use_file(input *in, int file, uint64_t size);

/* Reads some of the values, and adds them to the progress. */
int input_read(const input *in, uint64_t offset, size_t size, void *data);

/* The same by elements: `data` gets them at a distance of input_pitch, which is their stride unless
 * the gaps are wide, and input_span bytes in all. */
int input_load(const input *in, uint64_t first, uint64_t count, void *data);
uint64_t input_pitch(const input *in);
uint64_t input_span(const input *in, uint64_t count);

#endif
