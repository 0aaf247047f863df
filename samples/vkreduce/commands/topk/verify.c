/* SPDX-License-Identifier: MIT */
/* --verify of topk: the scalar reference sorts each segment, whose first elements are right. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/topk/topk.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"
#include "oracle_sort.h"

typedef struct reference {
    const topk_request *request;
    const topk_results *results;
    bool differs;
    unsigned char *data; /* of a segment, or of all columns */
    uint64_t stride;     /* from one element of a segment to the next */
    uint32_t *order;     /* the indices of its elements in their order */
} reference;

static void differ(reference *r, const char *what, uint64_t row, uint64_t i, const char *actual,
                   const char *expected)
{
    char where[40] = "";
    if (r->request->segments.kind != VKR_SEGMENTS_NONE)
        snprintf(where, sizeof where, " of segment %" PRIu64, row);
    (void)fail(STATUS_DIFFERENCE, "--verify: %s %" PRIu64 "%s is %s; the scalar reference gives %s",
               what, i, where, actual, expected);
    r->differs = true;
}

/* The first element of a segment, in what is loaded. */
static const unsigned char *first_of(const reference *r, uint64_t row)
{
    const bool all = topk_has_columns(r->request);
    return r->data + (all ? row * input_pitch(&r->request->in) : 0);
}

static void compare(reference *r, uint64_t row, uint64_t i)
{
    const topk_list *list = &r->results->list;
    const VkrType type = r->request->in.type;
    const size_t size = vkrTypeSize(type);
    const uint64_t at = topk_entry(r->request, row, i), right = r->order[i];
    const unsigned char *value = list->values + at * size;
    const unsigned char *expected = first_of(r, row) + right * r->stride;
    char texts[2][40];
    if (memcmp(value, expected, size) != 0) {
        oracle_format(texts[0], sizeof texts[0], type, value);
        oracle_format(texts[1], sizeof texts[1], type, expected);
        differ(r, "element", row, i, texts[0], texts[1]);
    } else if (list->indices[at] != right) {
        snprintf(texts[0], sizeof texts[0], "%" PRIu64, list->indices[at]);
        snprintf(texts[1], sizeof texts[1], "%" PRIu64, right);
        differ(r, "index", row, i, texts[0], texts[1]);
    }
}

static int check_row(reference *r, uint64_t row)
{
    const topk_request *request = r->request;
    const uint64_t length = topk_length(request, row);
    const oracle_sort_info info = {.data = first_of(r, row),
                                   .stride = r->stride,
                                   .type = request->in.type,
                                   .count = length,
                                   .descending = !request->opts->smallest,
                                   .by_value = request->opts->by_value};
    int status = STATUS_DONE;
    if (!topk_has_columns(request))
        status = input_load(&request->in, topk_first(request, row), length, r->data);
    if (status == STATUS_DONE && !oracle_sort(&info, r->order))
        status = fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t i = 0; i < topk_found(request, row) && status == STATUS_DONE && !r->differs; i++)
        compare(r, row, i);
    return status;
}

int topk_verify(job *j)
{
    const topk_request *request = j->request;
    if (request->row > UINT32_MAX)
        return fail(STATUS_USAGE,
                    "--verify: %s has %" PRIu64 " elements; the scalar reference sorts at most %u",
                    request->in.name, request->row, UINT32_MAX);
    const uint64_t held = topk_has_columns(request) ? request->in.count : request->row;
    const uint64_t apart = topk_has_columns(request) ? request->rows : 1;
    reference r = {.request = request,
                   .results = j->results,
                   .data = malloc((size_t)input_span(&request->in, held) + 1),
                   .stride = apart * input_pitch(&request->in),
                   .order = malloc((size_t)request->row * sizeof *r.order + 1)};
    int status = r.data != NULL && r.order != NULL ? STATUS_DONE
                                                   : fail(STATUS_VULKAN, "--verify: out of memory");
    progress_start("verifying", input_span(&request->in, request->in.count));
    if (status == STATUS_DONE && topk_has_columns(request))
        status = input_load(&request->in, 0, held, r.data);
    for (uint64_t row = 0; row < request->rows && status == STATUS_DONE; row++)
        status = check_row(&r, row);
    progress_end();
    free(r.data);
    free(r.order);
    j->task.differs = r.differs;
    return status;
}
