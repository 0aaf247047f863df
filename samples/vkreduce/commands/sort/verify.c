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
    unsigned char *data;
    uint64_t *order; /* the indices of the elements in their order */
    uint32_t *heads; /* a bit for each element, set where a segment starts */
    unsigned char *found;
} reference;

static int begin(reference *r)
{
    const input *in = &r->request->in;
    r->data = malloc((size_t)input_span(in, in->count) + 1);
    r->order = malloc((size_t)in->count * sizeof *r->order + 1);
    r->heads = malloc((size_t)flag_bytes(in->count) + 1);
    r->found = malloc((size_t)PORTION * sizeof(uint64_t));
    return r->data != NULL && r->order != NULL && r->heads != NULL && r->found != NULL
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    free(r->data);
    free(r->order);
    free(r->heads);
    free(r->found);
}

static int load(reference *r)
{
    const input *in = &r->request->in;
    progress_start("verifying", input_span(in, in->count));
    int status = input_load(in, 0, in->count, r->data);
    if (status == STATUS_DONE)
        status = segments_load(&r->request->segments, 0, in->count, r->heads);
    progress_end();
    return status;
}

static int sort_segments(reference *r)
{
    const VkrSortInfo *info = &r->request->info;
    const uint64_t count = r->request->in.count;
    const ranking how = {.data = r->data,
                         .stride = input_pitch(&r->request->in),
                         .type = r->request->in.type,
                         .flags = info->flags,
                         .begin_bit = info->beginBit,
                         .end_bit = info->endBit};
    int status = STATUS_DONE;
    for (uint64_t start = 0, next; start < count && status == STATUS_DONE; start = next) {
        for (next = start + 1; next < count && !flag_at(r->heads, next);)
            next++;
        status = rank_elements(&how, start, next - start, r->order + start);
    }
    return status;
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
    const uint32_t index = (uint32_t)(r->order[i] - start);
    const unsigned char *element = r->data + r->order[i] * input_pitch(&r->request->in);
    const void *right = k == SORT_VALUES ? (const void *)element : (const void *)&index;
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
        status = sort_segments(&r);
    for (int k = 0; k < SORT_OUTPUTS && status == STATUS_DONE; k++)
        status = compare(&r, (sort_output)k);
    end(&r);
    j->task.differs = r.differs;
    return status;
}
