/* SPDX-License-Identifier: MIT */
/* --verify of sort: the scalar reference sorts each segment. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/sort/chunks.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"

#define PORTION ((uint64_t)1 << 16) /* entries of a file that are read at a time */
#define MAX_FOUND 64u               /* bytes of an entry */

typedef struct reference {
    const sort_request *request;
    const sort_results *results;
    bool differs;
    unsigned char *data;
    unsigned char *then[VKR_MAX_SORT_THEN];
    uint64_t columns; /* 0: segments are runs of elements */
    uint32_t *order;  /* for each position an index in its segment */
    uint32_t *heads;  /* a bit for each element, set where a segment starts */
    unsigned char *found;
} reference;

static int begin(reference *r)
{
    const input *in = &r->request->in;
    r->data = malloc((size_t)input_span(in, in->count) + 1);
    r->order = malloc((size_t)in->count * sizeof *r->order + 1);
    r->heads = malloc((size_t)flag_bytes(in->count) + 1);
    r->found = malloc((size_t)PORTION * MAX_FOUND);
    return r->data != NULL && r->order != NULL && r->heads != NULL && r->found != NULL
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    free(r->data);
    for (uint32_t i = 0; i < VKR_MAX_SORT_THEN; i++)
        free(r->then[i]);
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
    if (status == STATUS_DONE)
        status = then_load(r->request, r->then);
    progress_end();
    return status;
}

oracle_sort_info sort_order(const sort_request *r)
{
    return (oracle_sort_info){.stride = input_pitch(&r->in),
                              .type = r->in.type,
                              .descending = r->opts->descending,
                              .nan_first = r->opts->nan_first,
                              .by_value = r->opts->by_value,
                              .begin = r->info.beginBit,
                              .end = r->info.endBit};
}

static int sort_segments(reference *r)
{
    const input *in = &r->request->in;
    oracle_sort_info info = sort_order(r->request), then[VKR_MAX_SORT_THEN];
    bool ready = true;
    if (r->columns != 0) {
        info.data = r->data;
        info.count = in->count;
        info.columns = r->columns;
        then_order(r->request, r->then, 0, &info, then);
        return oracle_sort(&info, r->order) ? STATUS_DONE
                                            : fail(STATUS_VULKAN, "--verify: out of memory");
    }
    for (uint64_t start = 0, next; start < in->count && ready; start = next) {
        for (next = start + 1; next < in->count && !flag_at(r->heads, next);)
            next++;
        info.data = r->data + start * info.stride;
        info.count = next - start;
        then_order(r->request, r->then, start, &info, then);
        ready = oracle_sort(&info, r->order + start);
    }
    return ready ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
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

/* The element that comes to position i, in a segment that starts at `start`. */
static uint64_t element_at(const reference *r, uint64_t i, uint64_t start)
{
    return r->columns != 0 ? i % r->columns + r->columns * r->order[i] : start + r->order[i];
}

/* Compares entry i, which is in a segment that starts at `start`. */
static void compare_entry(reference *r, sort_output k, uint64_t i, uint64_t start,
                          const unsigned char *found)
{
    const size_t size = sort_entry_size(r->request, k);
    const uint32_t index = r->order[i];
    const unsigned char *element = r->data + element_at(r, i, start) * input_pitch(&r->request->in);
    const void *right = k == SORT_VALUES ? (const void *)element : (const void *)&index;
    if (segments_lie_between(&r->request->segments, i))
        return;
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

/* Compares a payload's entries with those of its source. */
static int compare_payload(reference *r, const payload *p)
{
    const uint64_t count = r->request->in.count, size = payload_size(p);
    uint64_t start = 0;
    unsigned char *source = malloc((size_t)(count * size) + 1);
    int status = source != NULL ? input_load(&p->in, 0, count, source)
                                : fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t first = 0; first < count && status == STATUS_DONE && !r->differs;
         first += PORTION) {
        const uint64_t portion = least(count - first, PORTION);
        status = output_read(&p->out, first * size, r->found, portion * size);
        for (uint64_t i = first; i < first + portion && status == STATUS_DONE; i++) {
            start = flag_at(r->heads, i) ? i : start;
            const unsigned char *right = source + element_at(r, i, start) * size;
            if (r->differs || segments_lie_between(&r->request->segments, i) ||
                memcmp(r->found + (i - first) * size, right, (size_t)size) == 0)
                continue;
            (void)fail(STATUS_DIFFERENCE,
                       "--verify: entry %" PRIu64 " of %s is not that of element %" PRIu64
                       " of %s, which the scalar reference puts there",
                       i, p->to, element_at(r, i, start), p->name);
            r->differs = true;
        }
    }
    free(source);
    return status;
}

int sort_verify(job *j)
{
    const sort_request *request = j->request;
    reference r = {.request = request, .results = j->results};
    if (request->segments.kind == VKR_SEGMENTS_COLUMNS)
        r.columns = request->segments.length;
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = load(&r);
    if (status == STATUS_DONE)
        status = sort_segments(&r);
    for (int k = 0; k < SORT_OUTPUTS && status == STATUS_DONE; k++)
        status = compare(&r, (sort_output)k);
    for (uint32_t i = 0; i < r.results->payloads.count && status == STATUS_DONE; i++)
        status = compare_payload(&r, &r.results->payloads.list[i]);
    end(&r);
    j->task.differs = r.differs;
    return status;
}
