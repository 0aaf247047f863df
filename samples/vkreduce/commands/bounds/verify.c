/* SPDX-License-Identifier: MIT */
/* --verify of bounds: binary searches on the host, portion by portion. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/bounds/bounds.h"
#include "commands/ranks.h"
#include "progress.h"
#include "status.h"

#define PORTION ((uint64_t)1 << 16) /* values */

typedef struct reference {
    const bounds_request *request;
    const bounds_results *results;
    bool differs;
    rank *sorted; /* all elements */
    rank *values; /* of a portion */
    unsigned char *found;
} reference;

static int begin(reference *r)
{
    r->sorted = malloc((size_t)r->request->in[BOUNDS_SORTED].count * sizeof *r->sorted + 1);
    r->values = malloc((size_t)PORTION * sizeof *r->values);
    r->found = malloc((size_t)PORTION * sizeof(uint64_t));
    return r->sorted != NULL && r->values != NULL && r->found != NULL
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    free(r->sorted);
    free(r->values);
    free(r->found);
}

static ordering ordering_of(const reference *r)
{
    return (ordering){.type = r->request->in[BOUNDS_SORTED].type,
                      .descending = r->request->opts->descending};
}

static int load_sorted(reference *r)
{
    const input *in = &r->request->in[BOUNDS_SORTED];
    const ordering o = ordering_of(r);
    const int status = ranks_load(in, &o, 0, in->count, NULL, r->sorted);
    for (uint64_t i = 1; i < in->count && status == STATUS_DONE; i++)
        if (r->sorted[i].order < r->sorted[i - 1].order)
            return fail(STATUS_USAGE,
                        "%s: it is not in %s order: element %" PRIu64
                        " comes before the one before it; vkreduce sort puts it in order",
                        in->name, o.descending ? "descending" : "ascending", i);
    return status;
}

/* The number of elements before a value, and of those equal to it for the upper bound. */
static uint64_t bound(const reference *r, uint64_t order)
{
    uint64_t low = 0, high = r->request->in[BOUNDS_SORTED].count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2, at = r->sorted[middle].order;
        if (r->request->upper ? at <= order : at < order)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int check(reference *r, uint64_t first, uint64_t count)
{
    const uint64_t size = vkrTypeSize(r->request->position);
    const ordering o = ordering_of(r);
    int status = ranks_load(&r->request->in[BOUNDS_VALUES], &o, first, count, NULL, r->values);
    if (status == STATUS_DONE)
        status = output_read(&r->results->out, first * size, r->found, count * size);
    for (uint64_t i = 0; i < count && status == STATUS_DONE && !r->differs; i++) {
        const uint64_t right = bound(r, r->values[i].order);
        uint64_t found = 0;
        memcpy(&found, r->found + i * size, (size_t)size); /* little-endian, like the device */
        if (found == right)
            continue;
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: position %" PRIu64 " is %" PRIu64
                   "; the scalar reference gives %" PRIu64,
                   first + i, found, right);
        r->differs = true;
    }
    return status;
}

int bounds_verify(job *j)
{
    const input *in = ((const bounds_request *)j->request)->in;
    reference r = {.request = j->request, .results = j->results};
    int status = begin(&r);
    progress_start("verifying", input_span(&in[BOUNDS_SORTED], in[BOUNDS_SORTED].count) +
                                    input_span(&in[BOUNDS_VALUES], in[BOUNDS_VALUES].count));
    if (status == STATUS_DONE)
        status = load_sorted(&r);
    for (uint64_t first = 0; first < in[BOUNDS_VALUES].count && status == STATUS_DONE;
         first += PORTION)
        status = check(&r, first, least(in[BOUNDS_VALUES].count - first, PORTION));
    progress_end();
    end(&r);
    j->task.differs = r.differs;
    return status;
}
