/* SPDX-License-Identifier: MIT */
/* Radiance pictures, decoded by stb: a single header, which is needed to build the program but not
 * to run it. */
#ifndef HDR_H
#define HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HDR_WRONG 128 /* max bytes of an error sentence */

/* The source of a file's bytes: they are read in order, each of them once. */
typedef struct hdr_source {
    uint64_t size;
    bool (*read)(void *user, uint64_t offset, size_t size, void *data); /* false: failed */
    void *user;
} hdr_source;

extern const bool hdr_is_built_in; /* false without stb: hdr_decode then always fails */

/* Returns R, G and B of each pixel, row by row, in memory from malloc. On failure returns NULL and
 * stores the reason in `wrong`, which is empty if a read failed. The whole file is checked before
 * it is decoded: its rows must be all packed or all plain pixels. */
float *hdr_decode(const hdr_source *source, uint32_t *width, uint32_t *height,
                  char wrong[HDR_WRONG]);

#endif
