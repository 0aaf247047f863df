/* SPDX-License-Identifier: MIT */
#include "oracle_bin.h"

#include <string.h>

static uint32_t key_at(const oracle_bin_info *info, uint32_t i)
{
    uint32_t key = 0;
    memcpy(&key, (const char *)info->keys + (size_t)(i * info->stride), info->key_size);
    return key; /* little-endian */
}

void oracle_bin(const oracle_bin_info *info, uint32_t *counts, uint32_t *offsets, uint32_t *indices)
{
    memset(counts, 0, info->bins * sizeof *counts);
    for (uint32_t i = 0; i < info->count; i++)
        if (key_at(info, i) < info->bins)
            counts[key_at(info, i)]++;
    offsets[0] = 0;
    for (uint32_t bin = 0; bin < info->bins; bin++)
        offsets[bin + 1] = offsets[bin] + counts[bin];
    /* From the last element to the first: each takes the last free position of its bin. */
    for (uint32_t i = info->count; i-- > 0;) {
        const uint32_t key = key_at(info, i);
        if (key < info->bins)
            indices[offsets[key] + --counts[key]] = i;
    }
    for (uint32_t bin = 0; bin < info->bins; bin++)
        counts[bin] = offsets[bin + 1] - offsets[bin];
}
