/* SPDX-License-Identifier: MIT */
/* Reads Radiance pictures (.hdr, .pic). */
#ifndef HDR_H
#define HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HDR_WRONG 256        /* max bytes of an error sentence */
#define HDR_MAX_RATIO 65536u /* pixels per byte */

/* The source of a file's bytes: they are read in order, each of them once. */
typedef struct hdr_source {
    uint64_t size;
    bool (*read)(void *user, uint64_t offset, size_t size, void *data); /* false: failed */
    bool (*go_on)(void *user); /* called for each row; false: stop. NULL: never stop */
    void *user;
} hdr_source;

typedef struct hdr_picture {
    float *values; /* three for each pixel, row by row, from the top left; from malloc */
    uint32_t width, height;
    bool is_xyz; /* the values are CIE X, Y and Z instead of red, green and blue */
} hdr_picture;

/* Decodes a whole file. A value is mantissa * 2^(exponent - 136), as stored: EXPOSURE and COLORCORR
 * are not divided out. On failure returns false and stores the reason in `wrong`, which is empty if
 * a read failed or the source stopped. Nothing is allocated for the pixels before all rows are
 * checked. A picture is refused if it has more than HDR_MAX_RATIO pixels for each byte of its file:
 * only runs in rows of more than a million pixels can have so many. */
bool hdr_decode(const hdr_source *source, hdr_picture *picture, char wrong[HDR_WRONG]);

#endif
