/* SPDX-License-Identifier: MIT */
/* Radiance pictures, decoded by stb: one header that is there when the program is built, and
 * nothing that has to be there when it runs. */
#ifndef HDR_H
#define HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HDR_WRONG 128 /* bytes of a sentence */

/* Where the bytes of a file come from: they are read in order, each of them once. */
typedef struct hdr_source {
    uint64_t size;
    bool (*read)(void *user, uint64_t offset, size_t size, void *data); /* false where it fails */
    void *user;
} hdr_source;

extern const bool hdr_is_built_in; /* without stb, nothing is decoded */

/* Returns R, G and B of each pixel, row by row, in memory from malloc; or NULL, and says in `wrong`
 * why, which is empty where a read failed. The whole file is checked before it is decoded: its rows
 * must all be packed, or all be plain pixels. */
float *hdr_decode(const hdr_source *source, uint32_t *width, uint32_t *height,
                  char wrong[HDR_WRONG]);

#endif
