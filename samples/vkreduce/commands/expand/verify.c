/* SPDX-License-Identifier: MIT */
/* --verify of expand: a loop over the counts says what each output must be. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "commands/expand/expand.h"
#include "progress.h"
#include "status.h"

#define PORTION ((uint64_t)1 << 16) /* outputs */

/* The source and the rank of the next output. */
typedef struct cursor {
    const uint32_t *counts;
    uint32_t source, rank;
} cursor;

static void skip_empty(cursor *c)
{
    while (c->rank == c->counts[c->source]) {
        c->source++;
        c->rank = 0;
    }
}

/* A file with an entry for each output. */
typedef struct written {
    const char *name;
    const output *out;
    uint64_t size;               /* of an entry */
    const unsigned char *source; /* entries of the sources; NULL: sources or ranks */
    bool ranks;
} written;

static int differ(const written *w, uint64_t i, const cursor *c)
{
    return fail(STATUS_DIFFERENCE,
                "--verify: %s: output %" PRIu64 " must be that of element %" PRIu32 " with rank "
                "%" PRIu32 ", but is not",
                w->name, i, c->source, c->rank);
}

static int compare(job *j, const written *w)
{
    const expand_request *r = j->request;
    unsigned char *found = malloc((size_t)(least(PORTION, r->stored) * w->size) + 1);
    cursor c = {.counts = r->counts};
    int status = found != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t first = 0; first < r->stored && status == STATUS_DONE; first += PORTION) {
        const uint64_t count = least(r->stored - first, PORTION);
        status = output_read(w->out, first * w->size, found, count * w->size);
        for (uint64_t i = 0; i < count && status == STATUS_DONE && !j->task.differs; i++) {
            skip_empty(&c);
            const uint32_t number = expand_number(w->ranks, c.source, c.rank);
            const void *right =
                w->source != NULL ? (const void *)(w->source + c.source * w->size) : &number;
            if (memcmp(found + i * w->size, right, (size_t)w->size) != 0) {
                (void)differ(w, first + i, &c);
                j->task.differs = true;
            }
            c.rank++;
        }
    }
    free(found);
    return status;
}

static int compare_payload(job *j, const payload *p)
{
    const uint64_t count = ((const expand_request *)j->request)->in.count, size = payload_size(p);
    unsigned char *source = malloc((size_t)(count * size) + 1);
    int status = source != NULL ? input_load(&p->in, 0, count, source)
                                : fail(STATUS_VULKAN, "--verify: out of memory");
    if (status == STATUS_DONE)
        status = compare(j, &(written){p->to, &p->out, size, source, false});
    free(source);
    return status;
}

int expand_verify(job *j)
{
    const expand_request *r = j->request;
    const expand_results *results = j->results;
    int status = STATUS_DONE;
    progress_start("verifying", r->in.count * sizeof *r->counts);
    for (int k = 0; k < EXPAND_OUTPUTS && status == STATUS_DONE; k++) {
        const output *out = &results->outs[k];
        if (out->name != NULL)
            status =
                compare(j, &(written){out->name, out, sizeof(uint32_t), NULL, k == EXPAND_RANKS});
    }
    for (uint32_t i = 0; i < results->payloads.count && status == STATUS_DONE; i++)
        status = compare_payload(j, &results->payloads.list[i]);
    progress_end();
    return status;
}
