/* SPDX-License-Identifier: MIT */
/* --ranks and --quantiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "commands/select/select.h"
#include "input/number.h"
#include "status.h"

#define NUMBER_TEXT 32u /* bytes of a number */

static int parse_one(select_ranks *out, const char *name, const char *text)
{
    uint64_t rank;
    char *end;
    if (!out->are_shares) {
        if (!parse_count(text, 0, UINT32_MAX - 1, &rank))
            return fail(STATUS_USAGE, "--%s: '%s' must be a whole number from 0 to %u", name, text,
                        UINT32_MAX - 1);
        out->ranks[out->count++] = (uint32_t)rank;
        return STATUS_DONE;
    }
    const double share = strtod(text, &end);
    if (end == text || *end != '\0' || !(share >= 0.0 && share <= 1.0))
        return fail(STATUS_USAGE, "--%s: '%s' must be a number from 0 to 1, such as 0.5", name,
                    text);
    out->shares[out->count++] = share;
    return STATUS_DONE;
}

int select_parse(const char *ranks, const char *quantiles, select_ranks *out)
{
    const char *name = ranks != NULL ? "ranks" : "quantiles";
    const char *text = ranks != NULL ? ranks : quantiles;
    *out = (select_ranks){.are_shares = ranks == NULL};
    if ((ranks == NULL) == (quantiles == NULL))
        return fail(STATUS_USAGE, "select needs either --ranks or --quantiles, such as "
                                  "--quantiles 0.5 for the median");
    int status = STATUS_DONE;
    while (text != NULL && status == STATUS_DONE) {
        const size_t length = strcspn(text, ",");
        char number[NUMBER_TEXT] = "";
        if (length >= sizeof number)
            return fail(STATUS_USAGE, "--%s: '%.*s' is too long; it may have up to %u characters",
                        name, (int)NUMBER_TEXT, text, NUMBER_TEXT - 1);
        if (out->count == VKR_MAX_SELECT_RANKS)
            return fail(STATUS_USAGE, "--%s names more than %u; name fewer", name,
                        VKR_MAX_SELECT_RANKS);
        memcpy(number, text, length);
        status = parse_one(out, name, number);
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return status;
}

uint64_t select_rank(const select_ranks *ranks, uint32_t i, uint64_t length)
{
    if (!ranks->are_shares)
        return ranks->ranks[i];
    return (uint64_t)ceil(ldexp(ranks->shares[i], 31)) * (length - 1) >> 31;
}
