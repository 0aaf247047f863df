/* SPDX-License-Identifier: MIT */
/* The elements that chunks have found: a merge of two sorted lists, of which the first K remain. */
#include <stdlib.h>
#include <string.h>
#include "commands/topk/topk.h"
#include "input/value.h"
#include "status.h"

static bool comes_before(const topk_request *r, const unsigned char *a, const unsigned char *b)
{
    const bool descending = !r->opts->smallest;
    const bool by_value = r->opts->by_value;
    return value_order(r->in.type, a, descending, by_value) <
           value_order(r->in.type, b, descending, by_value);
}

/* Of equal elements that of the list comes first, whose index is less. */
static void merge(const topk_request *r, const topk_list *old, topk_list *list, uint64_t count,
                  const unsigned char *values, const uint32_t *indices, uint64_t first_index)
{
    const size_t size = vkrTypeSize(r->in.type);
    uint64_t a = 0, b = 0, i = 0;
    for (; i < r->found && (a < old->count || b < count); i++) {
        const bool from_chunk =
            a == old->count ||
            (b < count && comes_before(r, values + b * size, old->values + a * size));
        memcpy(list->values + i * size, from_chunk ? values + b * size : old->values + a * size,
               size);
        list->indices[i] = from_chunk ? first_index + indices[b] : old->indices[a];
        b += from_chunk;
        a += !from_chunk;
    }
    list->count = i;
}

int topk_merge(const topk_request *r, topk_list *list, uint64_t count, const void *values,
               const uint32_t *indices, uint64_t first_index)
{
    const size_t size = vkrTypeSize(r->in.type);
    topk_list old = {.count = list->count,
                     .values = malloc((size_t)list->count * size + 1),
                     .indices = malloc((size_t)list->count * sizeof *old.indices + 1)};
    const bool ready = old.values != NULL && old.indices != NULL;
    if (ready) {
        memcpy(old.values, list->values, (size_t)list->count * size);
        memcpy(old.indices, list->indices, (size_t)list->count * sizeof *old.indices);
        merge(r, &old, list, count, values, indices, first_index);
    }
    free(old.values);
    free(old.indices);
    return ready ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
}
