/* SPDX-License-Identifier: MIT */
/* What is merged must be in order: all of it is read once before. */
#include <inttypes.h>
#include <stdlib.h>
#include "commands/merge/merge.h"
#include "output/text.h"
#include "progress.h"
#include "status.h"
#include "oracle_sort.h"

#define PORTION ((uint64_t)1 << 20) /* bytes that are checked at a time */

oracle_sort_info merge_order(const merge_request *r, uint32_t side)
{
    return (oracle_sort_info){.stride = input_pitch(&r->in[side]),
                              .type = r->in[side].type,
                              .count = r->in[side].count,
                              .descending = r->opts->descending,
                              .nan_first = r->opts->nan_first,
                              .by_value = r->opts->by_value};
}

static int refuse_order(const merge_request *r, const input *in, uint64_t i, const void *element,
                        const void *before)
{
    char texts[2][32];
    text_value(texts[0], sizeof texts[0], in->type, element);
    text_value(texts[1], sizeof texts[1], in->type, before);
    return fail(STATUS_USAGE,
                "%s: it is not in %s order%s: element %" PRIu64
                " is %s, after %s; vkreduce sort puts it in order",
                in->name, r->opts->descending ? "descending" : "ascending",
                r->opts->nan_first ? " with NaN first" : "", i, texts[0], texts[1]);
}

/* The last element of a portion is the first one of the next. */
static int check_side(const merge_request *r, uint32_t side, unsigned char *data, uint64_t most)
{
    const input *in = &r->in[side];
    const oracle_sort_info order = merge_order(r, side);
    int status = STATUS_DONE;
    for (uint64_t first = 0; first + 1 < in->count && status == STATUS_DONE; first += most - 1) {
        const uint64_t count = least(in->count - first, most);
        const unsigned char *at = data;
        status = input_load(in, first, count, data);
        for (uint64_t i = 1; i < count && status == STATUS_DONE; i++, at += order.stride)
            if (oracle_compare_values(&order, at + order.stride, at) < 0)
                status = refuse_order(r, in, first + i, at + order.stride, at);
    }
    return status;
}

int merge_check_order(const merge_request *r)
{
    int status = STATUS_DONE;
    progress_start("checking the order", input_span(&r->in[MERGE_A], r->in[MERGE_A].count) +
                                             input_span(&r->in[MERGE_B], r->in[MERGE_B].count));
    for (uint32_t side = 0; side < MERGE_INPUTS && status == STATUS_DONE; side++) {
        const uint64_t most = PORTION / input_pitch(&r->in[side]) + 2;
        unsigned char *data = malloc((size_t)input_span(&r->in[side], most) + 1);
        status =
            data != NULL ? check_side(r, side, data, most) : fail(STATUS_VULKAN, "out of memory");
        free(data);
    }
    progress_end();
    return status;
}
