/* SPDX-License-Identifier: MIT */
/* --bits: LO:HI. */
#include <string.h>
#include "commands/sort/sort.h"
#include "input/number.h"
#include "input/value.h"
#include "status.h"

int sort_parse_bits(const char *text, const input *in, VkrSortInfo *info)
{
    const uint32_t width = 8 * vkrTypeSize(in->type);
    const char *colon = strchr(text, ':');
    char low[32] = "";
    uint64_t begin, end;
    if (is_float(in->type))
        return fail(STATUS_USAGE,
                    "--bits is '%s', but %s holds %s; only integers have bits to compare", text,
                    in->name, vkrTypeName(in->type));
    if (colon != NULL && (size_t)(colon - text) < sizeof low)
        memcpy(low, text, (size_t)(colon - text));
    if (colon == NULL || !parse_count(low, 0, width - 1, &begin) ||
        !parse_count(colon + 1, begin + 1, width, &end))
        return fail(STATUS_USAGE,
                    "--bits is '%s'; it must be LO:HI, where LO is less than HI and HI at most %u, "
                    "the bits of %s",
                    text, width, vkrTypeName(in->type));
    info->beginBit = (uint32_t)begin;
    info->endBit = (uint32_t)end;
    return STATUS_DONE;
}
