/* SPDX-License-Identifier: MIT */
/* --verify of sort: a sort on the host, of each segment, whose result must be the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/ranks.h"
#include "commands/sort/sort.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"

#define PORTION ((uint64_t)1 << 16) /* entries of a file that are read at a time */

typedef struct reference {
    const sort_request *request;
    const sort_results *results;
    bool differs;
    unsigned char *data; /* the elements, without gaps */
    rank *ranks;
    uint32_t *heads; /* a bit for each element, set where a segment starts */
    unsigned char *found;
} reference;

static int begin(reference *r)
{
    const uint64_t count = r->request->in.count;
    r->data = malloc((size_t)(count * vkrTypeSize(r->request->in.type)) + 1);
    r->ranks = malloc((size_t)count * sizeof *r->ranks + 1);
    r->heads = malloc((size_t)flag_bytes(count) + 1);
    r->found = malloc((size_t)PORTION * sizeof(uint64_t));
    return r->data != NULL && r->ranks != NULL && r->heads != NULL && r->found != NULL
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    free(r->data);
    free(r->ranks);
    free(r->heads);
    free(r->found);
}

static int load(reference *r)
{
    const sort_request *request = r->request;
    const uint64_t count = request->in.count;
    const ordering o = {request->in.type, request->opts->descending, request->info.beginBit,
                        request->info.endBit};
    progress_start("verifying", input_span(&request->in, count));
    int status = ranks_load(&request->in, &o, 0, count, r->data, r->ranks);
    if (status == STATUS_DONE)
        status = segments_load(&request->segments, 0, count, r->heads);
    progress_end();
    return status;
}

static void sort_segments(reference *r)
{
    const uint64_t count = r->request->in.count;
    for (uint64_t start = 0, next; start < count; start = next) {
        for (next = start + 1; next < count && !flag_at(r->heads, next);)
            next++;
        ranks_sort(r->ranks + start, next - start);
    }
}

static void differ(reference *r, sort_output k, uint64_t i, const void *found, const void *right)
{
    char expected[40], actual[40];
    const VkrType type = sort_entry_type(r->request, k);
    oracle_format(expected, sizeof expected, type, right);
    oracle_format(actual, sizeof actual, type, found);
    (void)fail(STATUS_DIFFERENCE, "--verify: %s %" PRIu64 " is %s; the scalar reference gives %s",
               k == SORT_VALUES ? "sorted element" : "index", i, actual, expected);
    r->differs = true;
}

/* Compares entry i, which is in a segment that starts at `start`. */
static void compare_entry(reference *r, sort_output k, uint64_t i, uint64_t start,
                          const unsigned char *found)
{
    const size_t size = sort_entry_size(r->request, k);
    const uint32_t index = (uint32_t)(r->ranks[i].index - start);
    const void *right = k == SORT_VALUES ? (const void *)(r->data + r->ranks[i].index * size)
                                         : (const void *)&index;
    if (!r->differs && memcmp(found, right, size) != 0)
        differ(r, k, i, found, right);
}

static int compare(reference *r, sort_output k)
{
    const output *out = &r->results->outs[k];
    const uint64_t count = out->name != NULL ? r->request->in.count : 0;
    const uint64_t size = sort_entry_size(r->request, k);
    uint64_t start = 0;
    for (uint64_t first = 0; first < count; first += PORTION) {
        const uint64_t portion = least(count - first, PORTION);
        const int status = output_read(out, first * size, r->found, portion * size);
        if (status != STATUS_DONE)
            return status;
        for (uint64_t i = 0; i < portion; i++) {
            start = flag_at(r->heads, first + i) ? first + i : start;
            compare_entry(r, k, first + i, start, r->found + i * size);
        }
    }
    return STATUS_DONE;
}

int sort_verify(job *j)
{
    reference r = {.request = j->request, .results = j->results};
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = load(&r);
    if (status == STATUS_DONE)
        sort_segments(&r);
    for (int k = 0; k < SORT_OUTPUTS && status == STATUS_DONE; k++)
        status = compare(&r, (sort_output)k);
    end(&r);
    j->task.differs = r.differs;
    return status;
}
