/* SPDX-License-Identifier: MIT */
#include "oracle_bounds.h"

#include "oracle_sort.h"

int oracle_order(VkrType type, uint32_t flags, const void *a, const void *b)
{
    const oracle_sort_info order = {.type = type,
                                    .descending = (flags & VKR_BOUNDS_DESCENDING_BIT) != 0,
                                    .nan_first = (flags & VKR_BOUNDS_NAN_FIRST_BIT) != 0,
                                    .nan_equal = true,
                                    .by_value = (flags & VKR_BOUNDS_BY_VALUE_BIT) != 0};
    return oracle_compare_values(&order, a, b);
}

/* The number of elements, from the first one, whose order relative to the value, which is -1, 0 or
 * 1, is below `limit`. */
static uint64_t number_below(const oracle_sorted *s, const void *value, int limit)
{
    uint64_t from = 0, to = s->count;
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        const char *element = (const char *)s->data + middle * s->stride;
        const int order = oracle_order(s->type, s->flags, element, value);
        if (order < limit)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

uint64_t oracle_lower_bound(const oracle_sorted *sorted, const void *value)
{
    return number_below(sorted, value, 0);
}

uint64_t oracle_upper_bound(const oracle_sorted *sorted, const void *value)
{
    return number_below(sorted, value, 1);
}
