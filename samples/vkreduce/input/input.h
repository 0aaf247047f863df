/* SPDX-License-Identifier: MIT */
/* Input data: files, pipes, pictures and random numbers, read as typed values. */
#ifndef RUNNER_INPUT_H
#define RUNNER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "types.h"

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#define MAX_DIMENSIONS 64 /* of arrays; the limit of NumPy */

/* What an input is for, which decides what sentences suggest. */
typedef enum input_role {
    INPUT_OPERAND,    /* all of its options can be given */
    INPUT_OF_PYRAMID, /* only --channels can */
    INPUT_OF_OPTION   /* a file that an option names, or that of a program without options */
} input_role;

/* The options of an INPUT; all 0 if none is given. */
typedef struct input_options {
    uint32_t type; /* a VkrType */
    uint64_t components;
    uint64_t offset;      /* bytes */
    uint64_t stride;      /* bytes */
    bool raw;             /* the bytes are values, whatever they look like */
    const char *channels; /* names of an OpenEXR picture's channels; NULL: all of them */
    const char *field;    /* of the elements of a .npy file; NULL: all of them */
    bool allow_empty;     /* accept raw data without a byte */
    input_role role;
} input_options;

typedef enum input_source { SOURCE_FILE, SOURCE_MEMORY, SOURCE_RANDOM } input_source;

/* One INPUT: typed values that can be read from any position, and the elements among them. */
typedef struct input {
    const char *name;
    input_source source;
    int file;              /* -1: none */
    unsigned char *memory; /* owned */
    uint64_t start;        /* bytes before the values in the file or the memory */
    uint64_t record;       /* bytes from one record to the next; 0: all bytes are values */
    uint64_t used;         /* bytes of values at the start of a record */
    bool has_names;        /* a picture whose channels have names */
    char letters[VKR_MAX_COMPONENTS]; /* of these: R, G, B, Y, A, or '?' for another name */
    bool is_field;                    /* the values are a field of the file's elements */
    bool spooled;                     /* the bytes were read from a pipe or the like */
    bool swapped;                     /* the stored values are big-endian */
    bool truth;                       /* every stored value except 0 stands for 1 */
    bool is_raw;                      /* --type says what the bytes are, not the file */
    uint64_t seed;
    VkrType type;
    VkrType named; /* the type in the file, if the values were converted */
    uint32_t components;
    bool is_xyz;         /* a picture whose channels are CIE X, Y and Z */
    uint32_t dimensions; /* of a .npy file's array */
    uint64_t shape[MAX_DIMENSIONS];
    uint64_t columns; /* columns of a two-dimensional array or a picture; otherwise 0 */
    uint64_t size;    /* of all values, in bytes */
    uint64_t offset;  /* of element 0, in bytes from the first value */
    uint64_t stride;
    uint64_t count; /* elements */
} input;

/* input_close may follow a failed input_open, and does nothing to an input of zeros. */
int input_open(input *in, const char *name, const input_options *opts);
void input_close(input *in);

/* Does the same for the content of a file in memory from malloc, which the input then owns. */
int input_open_memory(input *in, const char *name, unsigned char *memory, uint64_t size,
                      const input_options *opts);

/* Opens a file, or the standard input for "-", as untyped bytes. A file that is not seekable or of
 * unknown size is read to its end, or until a little more than `most` bytes are read. */
int input_open_bytes(input *in, const char *name, uint64_t most);

/* Replace the bytes of the input, which then owns the new ones: memory from malloc, or an open
 * file. */
void input_use_memory(input *in, unsigned char *memory, uint64_t size);
void input_use_file(input *in, int file, uint64_t size);

/* Reads some of the values, and adds their size to the progress. */
int input_read(const input *in, uint64_t offset, size_t size, void *data);

/* The seconds that all of these calls took. */
double input_seconds(void);

/* Reads elements: `data` receives them input_pitch bytes apart (their stride, unless the gaps are
 * wide), in input_span bytes in all. */
int input_load(const input *in, uint64_t first, uint64_t count, void *data);
uint64_t input_pitch(const input *in);
uint64_t input_span(const input *in, uint64_t count);

#endif
