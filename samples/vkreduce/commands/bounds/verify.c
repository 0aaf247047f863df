/* SPDX-License-Identifier: MIT */
/* --verify of bounds: the scalar reference searches for the values of a portion after another. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/bounds/bounds.h"
#include "progress.h"
#include "status.h"
#include "oracle_bounds.h"

#define PORTION ((uint64_t)1 << 16) /* values */

typedef struct reference {
    const bounds_request *request;
    const bounds_results *results;
    bool differs;
    oracle_sorted sorted;
    unsigned char *data;   /* all sorted elements */
    unsigned char *values; /* of a portion */
    unsigned char *found;
} reference;

static int begin(reference *r)
{
    const input *sorted = &r->request->in[BOUNDS_SORTED], *values = &r->request->in[BOUNDS_VALUES];
    r->data = malloc((size_t)input_span(sorted, sorted->count) + 1);
    r->values = malloc((size_t)input_span(values, least(values->count, PORTION)) + 1);
    r->found = malloc((size_t)PORTION * vkrTypeSize(r->request->position));
    r->sorted = (oracle_sorted){.data = r->data,
                                .stride = (size_t)input_pitch(sorted),
                                .count = sorted->count,
                                .type = sorted->type,
                                .flags = r->request->info.flags};
    return r->data != NULL && r->values != NULL && r->found != NULL
               ? input_load(sorted, 0, sorted->count, r->data)
               : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    free(r->data);
    free(r->values);
    free(r->found);
}

static void compare(reference *r, uint64_t i, uint64_t found, const void *value)
{
    const uint64_t right =
        (r->request->upper ? oracle_upper_bound : oracle_lower_bound)(&r->sorted, value);
    if (found == right || r->differs)
        return;
    (void)fail(STATUS_DIFFERENCE,
               "--verify: position %" PRIu64 " is %" PRIu64 "; the scalar reference gives %" PRIu64,
               i, found, right);
    r->differs = true;
}

static int check(reference *r, uint64_t first, uint64_t count)
{
    const input *values = &r->request->in[BOUNDS_VALUES];
    const uint64_t size = vkrTypeSize(r->request->position), pitch = input_pitch(values);
    int status = input_load(values, first, count, r->values);
    if (status == STATUS_DONE)
        status = output_read(&r->results->out, first * size, r->found, count * size);
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++) {
        uint64_t found = 0;
        memcpy(&found, r->found + i * size, (size_t)size); /* little-endian, like the device */
        compare(r, first + i, found, r->values + i * pitch);
    }
    return status;
}

int bounds_verify(job *j)
{
    const input *in = ((const bounds_request *)j->request)->in;
    const uint64_t count = in[BOUNDS_VALUES].count;
    reference r = {.request = j->request, .results = j->results};
    progress_start("verifying", input_span(&in[BOUNDS_SORTED], in[BOUNDS_SORTED].count) +
                                    input_span(&in[BOUNDS_VALUES], count));
    int status = begin(&r);
    for (uint64_t first = 0; first < count && status == STATUS_DONE; first += PORTION)
        status = check(&r, first, least(count - first, PORTION));
    progress_end();
    end(&r);
    j->task.differs = r.differs;
    return status;
}
