/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_OUTPUT_NPY_H
#define RUNNER_OUTPUT_NPY_H

#include "output/output.h"
#include "types.h"

/* Like output_open and output_finish, for a .npy file with an array of elements, whose length is
 * known only at the end. */
int npy_create(output *o, const char *name);
int npy_create_shared(output *o, const char *name); /* as output_open_shared */
int npy_finish(output *o, VkrType type, uint32_t components, uint64_t count);

/* Like npy_finish, for an array of any shape. */
int npy_finish_shape(output *o, VkrType type, uint32_t dimensions, const uint64_t *shape);

/* A field of a structured type, which has one value or several. */
typedef struct npy_field {
    const char *name; /* without quotes and backslashes */
    VkrType type;
    uint32_t components;
} npy_field;

/* The header is longer for elements with fields and for more than 3 dimensions, so this must be
 * called before any data is written. */
void npy_reserve(output *o, uint32_t fields, uint32_t dimensions);

/* Like npy_finish_shape for elements that have fields, which follow each other without gaps. */
int npy_finish_fields(output *o, const npy_field *fields, uint32_t count, uint32_t dimensions,
                      const uint64_t *shape);

#endif
