/* SPDX-License-Identifier: MIT */
/* --verify of select: the scalar reference sorts each segment, and looks at its ranks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/select/select.h"
#include "oracle.h"
#include "oracle_sort.h"
#include "progress.h"
#include "status.h"

typedef struct reference {
    const select_request *request;
    const select_results *results;
    bool differs;
    unsigned char *data; /* of a segment */
    uint32_t *order;     /* the indices of its elements in their order */
} reference;

static void differ(reference *r, const char *what, uint64_t row, uint64_t rank, const char *actual,
                   const char *expected)
{
    char where[40] = "";
    if (r->request->segments.kind != VKR_SEGMENTS_NONE)
        snprintf(where, sizeof where, " of segment %" PRIu64, row);
    (void)fail(STATUS_DIFFERENCE,
               "--verify: %s of rank %" PRIu64 "%s is %s; the scalar reference gives %s", what,
               rank, where, actual, expected);
    r->differs = true;
}

static void compare(reference *r, uint64_t row, uint32_t i)
{
    const select_request *request = r->request;
    const VkrType type = request->in.type;
    const size_t size = vkrTypeSize(type);
    const uint64_t at = row * request->ranks.count + i;
    const uint64_t rank = select_rank(&request->ranks, i, select_length(request, row));
    const uint32_t right = r->order[rank], index = r->results->indices[at];
    const unsigned char *value = r->results->values + at * size;
    const unsigned char *expected = r->data + right * input_pitch(&request->in);
    char texts[2][40];
    if (memcmp(value, expected, size) != 0) {
        oracle_format(texts[0], sizeof texts[0], type, value);
        oracle_format(texts[1], sizeof texts[1], type, expected);
        differ(r, "the element", row, rank, texts[0], texts[1]);
    } else if (index != right) {
        snprintf(texts[0], sizeof texts[0], "%" PRIu32, index);
        snprintf(texts[1], sizeof texts[1], "%" PRIu32, right);
        differ(r, "the index", row, rank, texts[0], texts[1]);
    }
}

static int check_row(reference *r, uint64_t row)
{
    const select_request *request = r->request;
    const uint64_t length = select_length(request, row);
    const oracle_sort_info info = {.data = r->data,
                                   .stride = input_pitch(&request->in),
                                   .type = request->in.type,
                                   .count = length,
                                   .descending = request->opts->descending,
                                   .nan_first = request->opts->nan_first};
    int status = input_load(&request->in, select_first(request, row), length, r->data);
    if (status == STATUS_DONE && !oracle_sort(&info, r->order))
        status = fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint32_t i = 0; i < request->ranks.count && status == STATUS_DONE && !r->differs; i++)
        compare(r, row, i);
    return status;
}

int select_verify(job *j)
{
    const select_request *request = j->request;
    reference r = {.request = request,
                   .results = j->results,
                   .data = malloc((size_t)input_span(&request->in, request->row) + 1),
                   .order = malloc((size_t)request->row * sizeof *r.order + 1)};
    int status = r.data != NULL && r.order != NULL ? STATUS_DONE
                                                   : fail(STATUS_VULKAN, "--verify: out of memory");
    progress_start("verifying", input_span(&request->in, request->in.count));
    for (uint64_t row = 0; row < request->rows && status == STATUS_DONE; row++)
        status = check_row(&r, row);
    progress_end();
    free(r.data);
    free(r.order);
    j->task.differs = r.differs;
    return status;
}
