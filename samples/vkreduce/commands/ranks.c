/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include "commands/ranks.h"
#include "input/value.h"
#include "status.h"

#define PORTION ((uint64_t)1 << 16) /* elements that are read at a time */

static uint64_t order_of(const ordering *o, const unsigned char *value)
{
    const uint64_t order = value_order(o->type, value, o->descending);
    if (o->end_bit == 0)
        return order;
    const uint64_t above = 64 - o->end_bit;
    return order << above >> above >> o->begin_bit;
}

int ranks_load(const input *in, const ordering *o, uint64_t first, uint64_t count,
               unsigned char *data, rank *ranks)
{
    const uint64_t pitch = input_pitch(in);
    const size_t size = vkrTypeSize(in->type);
    unsigned char *values = malloc((size_t)input_span(in, least(count, PORTION)) + 1);
    int status = values != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t done = 0; done < count && status == STATUS_DONE;) {
        const uint64_t portion = least(count - done, PORTION);
        status = input_load(in, first + done, portion, values);
        for (uint64_t i = 0; i < portion && status == STATUS_DONE; i++, done++) {
            if (data != NULL)
                memcpy(data + done * size, values + i * pitch, size);
            ranks[done] = (rank){order_of(o, values + i * pitch), first + done};
        }
    }
    free(values);
    return status;
}

static int compare_ranks(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void ranks_sort(rank *ranks, uint64_t count)
{
    qsort(ranks, (size_t)count, sizeof *ranks, compare_ranks);
}
