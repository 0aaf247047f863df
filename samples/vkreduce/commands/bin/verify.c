/* SPDX-License-Identifier: MIT */
/* --verify of bin: the scalar reference sorts all elements by counting. */
#include <inttypes.h>
#include <stdlib.h>
#include "commands/bin/bin.h"
#include "progress.h"
#include "status.h"
#include "oracle_bin.h"

static const char *const names[BIN_OUTPUTS] = {"the count of bin", "offset", "index"};

static bool differ(const bin_results *results, uint32_t *const right[BIN_OUTPUTS], bin_output k,
                   uint64_t entries)
{
    for (uint64_t i = 0; i < entries && results->values[k] != NULL; i++) {
        const uint32_t found = results->values[k][i];
        if (found == right[k][i])
            continue;
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: %s %" PRIu64 " is %" PRIu32 "; the scalar reference gives %" PRIu32,
                   names[k], i, found, right[k][i]);
        return true;
    }
    return false;
}

/* Compares counts and offsets first: the last offset is the number of indices. */
static bool compare(const bin_request *r, const bin_results *results,
                    uint32_t *const right[BIN_OUTPUTS])
{
    return differ(results, right, BIN_COUNTS, r->bins) ||
           differ(results, right, BIN_OFFSETS, r->bins + UINT64_C(1)) ||
           differ(results, right, BIN_INDICES, bin_total(r, results));
}

int bin_verify(job *j)
{
    const bin_request *r = j->request;
    const input *in = &r->in;
    unsigned char *data = malloc((size_t)input_span(in, in->count) + 1);
    uint32_t *right[BIN_OUTPUTS];
    bool ready = data != NULL;
    for (int k = 0; k < BIN_OUTPUTS; k++) {
        right[k] = calloc((size_t)bin_entries(r, (bin_output)k) + 1, sizeof *right[k]);
        ready = ready && right[k] != NULL;
    }
    progress_start("verifying", input_span(in, in->count));
    const int status =
        ready ? input_load(in, 0, in->count, data) : fail(STATUS_VULKAN, "--verify: out of memory");
    progress_end();
    const oracle_bin_info info = {.keys = data,
                                  .stride = input_pitch(in),
                                  .key_size = vkrTypeSize(in->type),
                                  .count = (uint32_t)in->count,
                                  .bins = r->bins};
    if (status == STATUS_DONE) {
        oracle_bin(&info, right[BIN_COUNTS], right[BIN_OFFSETS], right[BIN_INDICES]);
        j->task.differs = compare(r, j->results, right);
    }
    for (int k = 0; k < BIN_OUTPUTS; k++)
        free(right[k]);
    free(data);
    return status;
}
