/* SPDX-License-Identifier: MIT */
/* --verify of merge: the scalar reference merges the inputs, which are read again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/merge/merge.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"
#include "oracle_sort.h"

#define PORTION ((uint64_t)1 << 16) /* entries of a file that are read at a time */
#define MAX_FOUND 64u               /* bytes of an entry */

typedef struct reference {
    const merge_request *request;
    const merge_results *results;
    bool differs;
    oracle_sort_info sides[MERGE_INPUTS];
    unsigned char *data[MERGE_INPUTS];
    uint32_t *order; /* for each position an index in A followed by B */
    unsigned char *found;
} reference;

static int begin(reference *r)
{
    int status = STATUS_DONE;
    r->order = malloc((size_t)r->request->count * sizeof *r->order + 1);
    r->found = malloc((size_t)PORTION * MAX_FOUND);
    bool ready = r->order != NULL && r->found != NULL;
    for (uint32_t i = 0; i < MERGE_INPUTS && status == STATUS_DONE; i++) {
        const input *in = &r->request->in[i];
        r->data[i] = malloc((size_t)input_span(in, in->count) + 1);
        ready = ready && r->data[i] != NULL;
        status = ready ? input_load(in, 0, in->count, r->data[i])
                       : fail(STATUS_VULKAN, "--verify: out of memory");
        r->sides[i] = merge_order(r->request, i);
        r->sides[i].data = r->data[i];
    }
    return status;
}

static void end(reference *r)
{
    for (uint32_t i = 0; i < MERGE_INPUTS; i++)
        free(r->data[i]);
    free(r->order);
    free(r->found);
}

/* The element that comes to a position. */
static const unsigned char *element_of(const reference *r, uint64_t i)
{
    const uint64_t index = r->order[i], of_a = r->sides[MERGE_A].count;
    const oracle_sort_info *side = &r->sides[index < of_a ? MERGE_A : MERGE_B];
    return (const unsigned char *)side->data + (index < of_a ? index : index - of_a) * side->stride;
}

static void compare_entry(reference *r, merge_output k, uint64_t i, const unsigned char *found)
{
    const VkrType type = merge_entry_type(r->request, k);
    const void *right = k == MERGE_KEYS ? (const void *)element_of(r, i) : &r->order[i];
    char expected[40], actual[40];
    if (r->differs || memcmp(found, right, vkrTypeSize(type)) == 0)
        return;
    oracle_format(expected, sizeof expected, type, right);
    oracle_format(actual, sizeof actual, type, found);
    (void)fail(STATUS_DIFFERENCE, "--verify: %s %" PRIu64 " is %s; the scalar reference gives %s",
               k == MERGE_KEYS ? "merged element" : "index", i, actual, expected);
    r->differs = true;
}

static int compare(reference *r, merge_output k)
{
    const output *out = &r->results->outs[k];
    const uint64_t count = out->name != NULL ? r->request->count : 0;
    const uint64_t size = vkrTypeSize(merge_entry_type(r->request, k));
    int status = STATUS_DONE;
    for (uint64_t first = 0; first < count && status == STATUS_DONE; first += PORTION) {
        const uint64_t portion = least(count - first, PORTION);
        status = output_read(out, first * size, r->found, portion * size);
        for (uint64_t i = 0; i < portion && status == STATUS_DONE; i++)
            compare_entry(r, k, first + i, r->found + i * size);
    }
    return status;
}

/* Compares a payload's entries with those of its source. */
static int compare_payload(reference *r, const payload *p)
{
    const uint64_t count = r->request->count, size = payload_size(p);
    unsigned char *source = malloc((size_t)(count * size) + 1);
    int status = source != NULL ? input_load(&p->in, 0, count, source)
                                : fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t first = 0; first < count && status == STATUS_DONE; first += PORTION) {
        const uint64_t portion = least(count - first, PORTION);
        status = output_read(&p->out, first * size, r->found, portion * size);
        for (uint64_t i = first; i < first + portion && status == STATUS_DONE; i++) {
            const unsigned char *right = source + r->order[i] * size;
            if (r->differs || memcmp(r->found + (i - first) * size, right, (size_t)size) == 0)
                continue;
            (void)fail(STATUS_DIFFERENCE,
                       "--verify: entry %" PRIu64 " of %s is not entry %u of %s, which the scalar "
                       "reference puts there",
                       i, p->to, r->order[i], p->name);
            r->differs = true;
        }
    }
    free(source);
    return status;
}

int merge_verify(job *j)
{
    reference r = {.request = j->request, .results = j->results};
    const input *in = r.request->in;
    progress_start("verifying", input_span(&in[MERGE_A], in[MERGE_A].count) +
                                    input_span(&in[MERGE_B], in[MERGE_B].count));
    int status = begin(&r);
    progress_end();
    if (status == STATUS_DONE)
        oracle_merge(&r.sides[MERGE_A], &r.sides[MERGE_B], r.order);
    for (int k = 0; k < MERGE_OUTPUTS && status == STATUS_DONE; k++)
        status = compare(&r, (merge_output)k);
    for (uint32_t i = 0; i < r.results->payloads.count && status == STATUS_DONE; i++)
        status = compare_payload(&r, &r.results->payloads.list[i]);
    end(&r);
    j->task.differs = r.differs;
    return status;
}
