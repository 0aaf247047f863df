/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_OUTPUT_NPY_H
#define RUNNER_OUTPUT_NPY_H

#include "output/output.h"
#include "types.h"

/* Like output_open and output_finish, for a .npy file with an array of elements, whose length is
 * known only at the end. */
int npy_create(output *o, const char *name);
int npy_finish(output *o, VkrType type, uint32_t components, uint64_t count);

/* Like npy_finish, for an array of any shape. */
int npy_finish_shape(output *o, VkrType type, uint32_t dimensions, const uint64_t *shape);

#endif
