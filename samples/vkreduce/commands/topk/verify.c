/* SPDX-License-Identifier: MIT */
/* --verify of topk: a sort on the host, of each segment, whose first elements must be the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/ranks.h"
#include "commands/topk/topk.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"

typedef struct reference {
    const topk_request *request;
    const topk_results *results;
    bool differs;
    unsigned char *data; /* of a segment */
    rank *ranks;
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

static void compare(reference *r, uint64_t row, uint64_t i)
{
    const topk_list *list = &r->results->list;
    const VkrType type = r->request->in.type;
    const size_t size = vkrTypeSize(type);
    const uint64_t at = row * r->request->found + i,
                   right = r->ranks[i].index - row * r->request->row;
    const unsigned char *value = list->values + at * size, *expected = r->data + right * size;
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
    const ordering o = {.type = request->in.type, .descending = !request->opts->smallest};
    const int status =
        ranks_load(&request->in, &o, row * request->row, request->row, r->data, r->ranks);
    if (status != STATUS_DONE)
        return status;
    ranks_sort(r->ranks, request->row);
    for (uint64_t i = 0; i < request->found && !r->differs; i++)
        compare(r, row, i);
    return STATUS_DONE;
}

int topk_verify(job *j)
{
    const topk_request *request = j->request;
    reference r = {.request = request,
                   .results = j->results,
                   .data = malloc((size_t)(request->row * vkrTypeSize(request->in.type)) + 1),
                   .ranks = malloc((size_t)request->row * sizeof *r.ranks + 1)};
    int status = r.data != NULL && r.ranks != NULL ? STATUS_DONE
                                                   : fail(STATUS_VULKAN, "--verify: out of memory");
    progress_start("verifying", input_span(&request->in, request->in.count));
    for (uint64_t row = 0; row < request->rows && status == STATUS_DONE; row++)
        status = check_row(&r, row);
    progress_end();
    free(r.data);
    free(r.ranks);
    j->task.differs = r.differs;
    return status;
}
