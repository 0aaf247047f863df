/* SPDX-License-Identifier: MIT */
#include "ragged.h"

#include <string.h>

static unsigned char *place_of(const VkrSegments *segments, uint64_t i)
{
    const VkrBufferRange *offsets = &segments->offsets;
    return test_bytes(offsets->buffer, offsets->offset + i * vkrTypeSize(segments->offsetType));
}

void ragged_fill(test_request *t, const VkrSegments *segments, uint32_t rows, uint32_t count,
                 bool even)
{
    const uint32_t drawn = test_below(t, 8) % 4, way = even ? 1 : rows > 400 ? 0 : drawn;
    const uint32_t giant = test_below(t, rows), mean = count / rows + 1;
    uint64_t at = test_below(t, 2) == 0 ? 0 : test_below(t, 50);
    for (uint32_t i = 0; i <= rows; i++) {
        memcpy(place_of(segments, i), &at, vkrTypeSize(segments->offsetType));
        const uint64_t tiny = test_below(t, 100) == 0 ? 1000 : test_below(t, 30);
        const uint64_t lengths[] = {i == giant ? count / 2 : tiny, mean, test_below(t, 2 * mean),
                                    test_below(t, 3) == 0 ? tiny : 0};
        at += lengths[way];
        if (at > count && test_below(t, 8) != 0)
            at = count;
    }
}

uint64_t ragged_offset(const VkrSegments *segments, uint64_t i)
{
    uint64_t value = 0;
    memcpy(&value, place_of(segments, i), vkrTypeSize(segments->offsetType));
    return value;
}
