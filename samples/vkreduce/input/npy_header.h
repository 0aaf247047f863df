/* SPDX-License-Identifier: MIT */
/* The headers of .npy files: what their text means. */
#ifndef RUNNER_NPY_HEADER_H
#define RUNNER_NPY_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "input/input.h"
#include "status.h"
#include "types.h"

/* What the values of an element are: all of it, or a field of it. */
typedef struct npy_values {
    VkrType type;
    bool swapped;    /* they are big-endian */
    bool truth;      /* booleans: any byte but 0 stands for 1 */
    uint64_t offset; /* in an element, in bytes */
    uint64_t count;  /* more than 1: of a field that is an array itself */
    bool is_field;
} npy_values;

typedef struct npy_header {
    npy_values values;
    uint64_t element; /* bytes of an element */
    bool fortran_order;
    uint64_t shape[MAX_DIMENSIONS]; /* UINT64_MAX stands for sizes that are too large */
    uint32_t dimensions;            /* all dimensions; shape keeps only the first ones */
} npy_header;

/* The place where a text is parsed. A failure is reported once, with the file's name, and stored.
 */
typedef struct npy_text {
    const char *name;
    const char *remedy; /* a clause for elements with fields of which none is chosen */
    const char *at;
    int status;
    char shown[40];
} npy_text;

/* Reports a failure: "NAME: its header .. ". Returns false. */
bool npy_wrong(npy_text *t, const char *format, ...) CHECK_FORMAT(2, 3);

/* What stands at the place, for a sentence. */
const char *npy_next(npy_text *t);

/* Skips spaces, and then the token if it comes next. */
bool npy_take(npy_text *t, const char *token);

/* Parses a string of at most size - 1 bytes without reporting that there is none. */
bool npy_take_string(npy_text *t, char *text, size_t size);

/* Parses a tuple of whole numbers, of which the first `most` are stored. */
bool npy_take_shape(npy_text *t, uint64_t *sizes, uint32_t most, uint32_t *count);

/* Parses a type, of which `field` chooses a field; NULL: it must have none. */
bool npy_take_type(npy_text *t, const char *field, npy_header *h);

/* Parses a whole header of `length` bytes, which ends with a 0. `field` chooses a field of the
 * elements; if it is NULL and they have some, the sentence ends with `remedy`. */
int npy_parse(const char *name, const char *text, size_t length, const char *field,
              const char *remedy, npy_header *h);

#endif
