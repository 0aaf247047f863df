/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include "commands/ranks.h"
#include "input/value.h"
#include "status.h"
#include "oracle_bounds.h"
#include "vkreduce/sort.h"

static uint64_t bits_of(const ranking *r, const unsigned char *value)
{
    const uint64_t sign = UINT64_C(1) << (8 * vkrTypeSize(r->type) - 1);
    const uint64_t bits = value_as_unsigned(r->type, value) ^ (is_signed(r->type) ? sign : 0);
    return bits << (64 - r->end_bit) >> (64 - r->end_bit) >> r->begin_bit;
}

/* Whether an element comes before another one. */
static bool comes_before(const ranking *r, uint64_t a, uint64_t b)
{
    const unsigned char *x = r->data + a * r->stride, *y = r->data + b * r->stride;
    if (r->end_bit == 0)
        return oracle_order(r->type, r->flags, x, y) < 0;
    return (r->flags & VKR_SORT_DESCENDING_BIT) != 0 ? bits_of(r, x) > bits_of(r, y)
                                                     : bits_of(r, x) < bits_of(r, y);
}

/* Merges two neighbouring runs of indices. */
static void merge(const ranking *r, const uint64_t *from, uint64_t middle, uint64_t end,
                  uint64_t *to)
{
    uint64_t a = 0, b = middle;
    for (uint64_t i = 0; i < end; i++) {
        const bool second = a == middle || (b < end && comes_before(r, from[b], from[a]));
        to[i] = second ? from[b++] : from[a++];
    }
}

int rank_elements(const ranking *r, uint64_t first, uint64_t count, uint64_t *indices)
{
    uint64_t *others = malloc((size_t)count * sizeof *others + 1);
    if (others == NULL)
        return fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t i = 0; i < count; i++)
        indices[i] = first + i;
    for (uint64_t run = 1; run < count; run *= 2) {
        for (uint64_t i = 0; i < count; i += 2 * run)
            merge(r, indices + i, least(run, count - i), least(2 * run, count - i), others + i);
        memcpy(indices, others, (size_t)count * sizeof *indices);
    }
    free(others);
    return STATUS_DONE;
}
