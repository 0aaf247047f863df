/* SPDX-License-Identifier: MIT */
/* Radiance pictures, decoded by stb: one header that is there when the program is built, and
 * nothing that has to be there when it runs. */
#ifndef HDR_H
#define HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the bytes of a file come from. */
typedef struct hdr_source {
    uint64_t size;
    bool (*read)(void *user, uint64_t offset, size_t size, void *data); /* false where it fails */
    void *user;
} hdr_source;

extern const bool hdr_is_built_in; /* without stb, nothing is decoded */

/* Returns R, G and B of each pixel, row by row, in memory from malloc; or NULL, and says in `wrong`
 * why, which is NULL where a read failed. */
float *hdr_decode(const hdr_source *source, uint32_t *width, uint32_t *height, const char **wrong);

#endif
