/* SPDX-License-Identifier: MIT */
/* Files for the tests of what the runner reads, and the checks that all of them share. */
#ifndef VKR_TESTS_UNIT_FILES_H
#define VKR_TESTS_UNIT_FILES_H

#include <stdlib.h>
#include <string.h>
#include "input/segments.h"
#include "interrupt.h"
#include "said.h"
/* Included after the runner's headers, which declare a function with the name of one of its
 * macros. */
#include "unit.h"

#define MAX_INPUT_BYTES 4096u

/* A file, and the values in it. */
typedef struct sample {
    const char *end; /* of its name */
    input_options opts;
    VkrType type;
    uint32_t components;
    unsigned char file[MAX_INPUT_BYTES];
    size_t size;
    unsigned char values[MAX_INPUT_BYTES];
    size_t used; /* bytes of them */
} sample;

void put(sample *s, const void *data, size_t size);
void put_value(sample *s, const void *value);

/* Cuts the file at every length, and passes each part to the runner as a file and through a pipe:
 * it must either be refused with one sentence, or give exactly the values that the part
 * contains. */
void check_cuts(const sample *s);

/* Does the same without a pipe. */
void check_file_cuts(const sample *s);

/* Checks that the file is refused with a sentence that has these words. */
void check_refused(const sample *s, const char *words);

/* Checks that the file is no longer read after a signal. */
void check_interrupted(const sample *s);

#endif
