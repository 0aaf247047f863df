/* SPDX-License-Identifier: MIT */
/*
 * Requests of every kind, for sweep.c. A family is an operation with some choices, of which each
 * combination is a request: the first choice of `sizes` changes slowest.
 */
#ifndef ISA_REQUESTS_H
#define ISA_REQUESTS_H

#include "device.h"

#define ISA_CHOICES 6u

typedef struct isa_family {
    const char *name;
    uint32_t sizes[ISA_CHOICES]; /* 0 after the last choice */
    /* Writes what the choices are to `text`, and adds the operation to the recorder. */
    void (*record)(VkrRecorder recorder, const uint32_t *at, char *text, size_t size);
} isa_family;

extern const isa_family isa_families[];
extern const size_t isa_family_count;

#endif
