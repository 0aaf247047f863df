/* SPDX-License-Identifier: MIT */
/* The scalar reference of counting sorts. */
#ifndef VKR_ORACLE_BIN_H
#define VKR_ORACLE_BIN_H

#include <stdint.h>

typedef struct oracle_bin_info {
    const void *keys;
    uint64_t stride;
    uint32_t key_size; /* bytes of a key: 1, 2 or 4 */
    uint32_t count, bins;
} oracle_bin_info;

/* Sets the `bins` counts, the `bins` + 1 offsets, and as many indices as the last offset says. */
void oracle_bin(const oracle_bin_info *info, uint32_t *counts, uint32_t *offsets,
                uint32_t *indices);

#endif
