/* SPDX-License-Identifier: MIT */
/* What the CPU makes of a frame, one splat after the other. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "model.h"

/* Splats that are seen are listed in the order of the model. */
typedef struct reference {
    uint32_t count;
    uint32_t *seen;   /* a splat of the model */
    uint32_t *keys;   /* its key */
    uint32_t *order;  /* positions in this list, those of the farthest splats first */
    uint32_t *places; /* in this order, for each position */
    uint64_t *pairs;  /* of keys and positions */
    vec4 *pixels;     /* premultiplied by the fourth number, opacity */
    uint32_t *cover;  /* how many splats there are at a pixel */
} reference;

reference create_reference(const model *m);
void free_reference(const reference *r);

/* Lists the splats that are seen, and orders them by bits begin <= i < end of their keys. */
void order_splats(reference *r, const model *m, const View *view, uint32_t begin, uint32_t end);
/* Blends them: in their order, or as they are listed. */
void blend_splats(reference *r, const model *m, const View *view, const uint32_t *order);

#endif
