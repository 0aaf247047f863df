/* SPDX-License-Identifier: MIT */
/* --verify of apply: the scalar reference computes the results of each segment. Where apply.h has
 * an error bound, results may differ by as much. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/apply/apply.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"
#include "oracle_apply.h"
#include "oracle_histogram.h"

typedef struct reference {
    const apply_request *request;
    const apply_results *results;
    bool differs;
    unsigned char *data, *found; /* of all elements */
    float *elements;
    oracle_output *outputs;
    uint32_t *heads; /* a bit for each element, set where a segment starts */
} reference;

static int begin(reference *r)
{
    const input *in = &r->request->in;
    const size_t count = (size_t)in->count + 1;
    r->data = malloc((size_t)input_span(in, in->count) + 1);
    r->found = malloc(count * vkrTypeSize(in->type));
    r->elements = malloc(count * sizeof *r->elements);
    r->outputs = malloc(count * sizeof *r->outputs);
    r->heads = malloc((size_t)flag_bytes(in->count) + 1);
    return r->data != NULL && r->found != NULL && r->elements != NULL && r->outputs != NULL &&
                   r->heads != NULL
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    free(r->data);
    free(r->found);
    free(r->elements);
    free(r->outputs);
    free(r->heads);
}

static int load(reference *r)
{
    const input *in = &r->request->in;
    const uint32_t size = vkrTypeSize(in->type);
    progress_start("verifying", input_span(in, in->count));
    int status = input_load(in, 0, in->count, r->data);
    if (status == STATUS_DONE)
        status = segments_load(&r->request->segments, 0, in->count, r->heads);
    if (status == STATUS_DONE)
        status = output_read(&r->results->out, 0, r->found, in->count * size);
    progress_end();
    for (uint64_t i = 0; i < in->count && status == STATUS_DONE; i++) {
        const float x = (float)oracle_double(in->type, r->data + i * input_pitch(in));
        r->elements[i] = fabsf(x) < 0x1p-126f ? 0.0f : x; /* as apply.h says */
    }
    return status;
}

static void compare(reference *r, uint64_t i)
{
    const VkrType type = r->request->in.type;
    const unsigned char *found = r->found + i * vkrTypeSize(type);
    char actual[40];
    if (r->differs || oracle_accepts_output(&r->outputs[i], type, found))
        return;
    oracle_format(actual, sizeof actual, type, found);
    (void)fail(STATUS_DIFFERENCE,
               "--verify: result %" PRIu64 " is %s; the scalar reference gives %.9g, and an error "
               "of %.3g is allowed",
               i, actual, r->outputs[i].value, r->outputs[i].tolerance);
    r->differs = true;
}

int apply_verify(job *j)
{
    const apply_request *request = j->request;
    const uint64_t count = request->in.count;
    reference r = {.request = request, .results = j->results};
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = load(&r);
    for (uint64_t start = 0, next; start < count && status == STATUS_DONE; start = next) {
        for (next = start + 1; next < count && !flag_at(r.heads, next);)
            next++;
        oracle_apply(request->function, next - start, r.elements + start, r.outputs + start);
    }
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++)
        compare(&r, i);
    end(&r);
    j->task.differs = r.differs;
    return status;
}
