/* SPDX-License-Identifier: MIT */
/* ranks.h: what ranks do together, whatever carries their data. This file knows no MPI. */
#include <stdbool.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include "vkreduce/parts.h"
#include "vkreduce/ranks.h"

#define MAX_FAILURE 255u

VkrResult vkrRanksAgree(const VkrRanks *ranks, uint32_t *failure, uint32_t *rank)
{
    const uint32_t own = *failure <= MAX_FAILURE ? *failure : MAX_FAILURE;
    uint32_t first = own != 0 ? (ranks->count - ranks->rank) * (MAX_FAILURE + 1) + own : 0;
    const VkrResult result = ranks->max(ranks->context, &first, 1);
    *failure = first % (MAX_FAILURE + 1);
    if (rank != NULL)
        *rank = *failure != 0 ? ranks->count - first / (MAX_FAILURE + 1) : 0;
    return result;
}

VkrResult vkrRanksGather(const VkrRanks *ranks, const void *data, uint64_t size, uint64_t *sizes,
                         void *all)
{
    unsigned char *to = all;
    VkrResult result = ranks->allGather(ranks->context, &size, sizeof(size), sizes);
    if (ranks->rank != 0)
        return result != VKR_SUCCESS || size == 0
                   ? result
                   : ranks->transfer(ranks->context, 0, data, size, 0, NULL, 0);
    if (size != 0 && data != all)
        memmove(to, data, size);
    for (uint32_t i = 1; i < ranks->count && result == VKR_SUCCESS; i++) {
        to += sizes[i - 1];
        if (sizes[i] != 0)
            result = ranks->transfer(ranks->context, 0, NULL, 0, i, to, sizes[i]);
    }
    return result;
}

/* ---- Prefixes ---- */

static void start(VkrPrefix *prefix, const void *value, size_t size)
{
    prefix->exists = 1;
    memcpy(prefix->values, value, size);
}

/* Adds the totals of this rank. The first one of all starts the prefix. */
static void add(const VkrPrefixInfo *info, VkrPrefix *prefix, size_t size)
{
    const bool starts = info->count != 0 && prefix->exists == 0;
    if (starts)
        start(prefix, info->totals, size);
    if (info->count > starts)
        (void)vkrAddTotals(info->op, info->type, info->components, info->nan, info->count - starts,
                           (const unsigned char *)info->totals + starts * size, prefix->values);
}

/* Hands the prefix from rank to rank: it starts as that before this one, and becomes that after. */
static VkrResult pass(const VkrRanks *ranks, const VkrPrefixInfo *info, VkrPrefix *before,
                      VkrPrefix *prefix)
{
    const size_t size = (size_t)info->components * vkrTypeSize(info->type);
    const size_t message = offsetof(VkrPrefix, values) + size;
    const uint32_t end = ranks->count - 1, rank = ranks->rank;
    const uint32_t place = info->reverse ? end - rank : rank;
    const uint32_t last = info->reverse ? rank + 1 : rank - 1;
    const uint32_t next = info->reverse ? rank - 1 : rank + 1;
    VkrResult result = VKR_SUCCESS;
    if (place == 0 && info->initial != NULL)
        start(prefix, info->initial, size);
    if (place != 0)
        result = ranks->transfer(ranks->context, 0, NULL, 0, last, prefix, message);
    if (result != VKR_SUCCESS)
        return result;
    if (before != NULL)
        *before = *prefix;
    add(info, prefix, size);
    return place == end ? VKR_SUCCESS
                        : ranks->transfer(ranks->context, next, prefix, message, 0, NULL, 0);
}

VkrResult vkrRanksPrefix(const VkrRanks *ranks, const VkrPrefixInfo *info, VkrPrefix *before,
                         VkrPrefix *total)
{
    VkrPrefix prefix = {0};
    VkrResult result = vkrAddTotals(info->op, info->type, info->components, info->nan, 0, NULL,
                                    prefix.values); /* checks its arguments */
    if (result == VKR_SUCCESS)
        result = pass(ranks, info, before, &prefix);
    if (result != VKR_SUCCESS || total == NULL)
        return result;
    *total = prefix;
    return ranks->broadcast(ranks->context, info->reverse ? 0 : ranks->count - 1, total,
                            sizeof(*total));
}
