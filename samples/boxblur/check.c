/* SPDX-License-Identifier: MIT */
/* The same blur in plain C, without tables. */
#include "boxblur.h"
#include <string.h>

/* Adds up the rows of the boxes of row y into a sum for each column and channel, which stay below
 * 2^32 as all sums of the picture do, and returns the number of rows. */
static uint32_t add_rows(const picture *p, uint32_t y, uint32_t radius, uint32_t *sums)
{
    const size_t values = 4 * (size_t)p->width;
    const uint32_t low = y < radius ? 0 : y - radius;
    const uint32_t high = radius < p->height - y ? y + radius + 1 : p->height;
    memset(sums, 0, values * sizeof *sums);
    for (uint32_t row = low; row < high; row++)
        for (size_t i = 0; i < values; i++)
            sums[i] += p->rgba[row * values + i];
    return high - low;
}

/* The number of bytes of one channel of a row that differ. The sum moves along the row: columns
 * enter it on the right, and leave it on the left. */
static size_t check_row(const picture *p, uint32_t radius, const uint32_t *sums, uint32_t rows,
                        const uint8_t *blurred)
{
    size_t differences = 0;
    uint64_t sum = 0;
    uint32_t low = 0, high = 0;
    for (uint32_t x = 0; x < p->width; x++) {
        while (high < p->width && high <= (uint64_t)x + radius)
            sum += sums[4 * (size_t)high++];
        while ((uint64_t)low + radius < x)
            sum -= sums[4 * (size_t)low++];
        const uint64_t count = (uint64_t)rows * (high - low);
        differences += (2 * sum + count) / (2 * count) != blurred[4 * (size_t)x];
    }
    return differences;
}

size_t check_blur(const picture *p, const uint32_t *radii, const uint8_t *blurred)
{
    size_t differences = 0;
    uint32_t *sums = malloc(4 * (size_t)p->width * sizeof *sums);
    if (!sums)
        DIE(FAILED, "there is no memory for the sums of %u columns\n", p->width);
    for (uint32_t y = 0; y < p->height; y++) {
        const uint32_t rows = add_rows(p, y, radii[y], sums);
        for (uint32_t c = 0; c < 4; c++)
            differences +=
                check_row(p, radii[y], sums + c, rows, blurred + 4 * (size_t)y * p->width + c);
    }
    free(sums);
    return differences;
}
