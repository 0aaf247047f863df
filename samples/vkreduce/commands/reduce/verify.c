/* SPDX-License-Identifier: MIT */
/* --verify: the scalar reference, fed portion by portion, so that no input is too large for it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/reduce/verify.h"
#include "progress.h"
#include "status.h"

#define PORTION ((uint64_t)8 << 20) /* bytes */

typedef struct reference {
    reduce_verification what;
    uint64_t portion; /* elements */
    unsigned char *data[INPUTS];
    oracle_fold *folds[VKR_OP_BITS * VKR_MAX_COMPONENTS];
    uint32_t fold_count;
} reference;

oracle_reduce_info reduce_reference(const reduce_request *request)
{
    const input *in = request->in;
    return (oracle_reduce_info){
        .stride = (size_t)input_pitch(&in[0]),
        .stride2 = (size_t)input_pitch(&in[0]),
        .type = in->type,
        .components = in->components,
        .accumulator = request->info.accumulator,
        .nan = request->info.nan,
        .determinism = request->info.determinism,
        .sample = (request->info.flags & VKR_REDUCE_SAMPLE_BIT) != 0,
    };
}

static int begin(reference *r)
{
    const reduce_request *request = r->what.request;
    const input *in = request->in;
    const oracle_reduce_info info = reduce_reference(request);
    r->portion = PORTION / info.stride;
    if (r->portion > in->count)
        r->portion = in->count;
    for (uint32_t i = 0; i < request->input_count; i++) {
        r->data[i] = malloc((size_t)input_span(&in[i], r->portion) + 1);
        if (r->data[i] == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
    }
    for (uint32_t i = 0; i < request->op_count; i++) {
        for (uint32_t c = 0; c < in->components; c++) {
            uint32_t bit = request->order[i];
            oracle_fold *fold = oracle_begin(&info, (VkrOp)(1u << bit), c,
                                             r->what.results->layout.results[bit].type);
            if (fold == NULL)
                return fail(STATUS_VULKAN, "--verify: out of memory");
            r->folds[r->fold_count++] = fold;
        }
    }
    return STATUS_DONE;
}

static int feed(reference *r)
{
    const reduce_request *request = r->what.request;
    uint64_t count = request->in[0].count;
    int status = STATUS_DONE;
    progress_start("verifying", request->input_count * input_span(&request->in[0], count));
    for (uint64_t first = 0; first < count && status == STATUS_DONE; first += r->portion) {
        uint64_t portion = count - first < r->portion ? count - first : r->portion;
        for (uint32_t i = 0; i < request->input_count && status == STATUS_DONE; i++)
            status = input_load(&request->in[i], first, portion, r->data[i]);
        for (uint32_t i = 0; i < r->fold_count && status == STATUS_DONE; i++)
            oracle_add(r->folds[i], r->data[0], r->data[1], portion);
    }
    progress_end();
    return status;
}

void reduce_compare(reduce_verification *v, const oracle_value *value, uint64_t segment,
                    uint32_t bit, uint32_t component)
{
    const VkrType type = v->results->layout.results[bit].type;
    const void *result = reduce_value(v->results, segment, bit, component);
    char expected[40], actual[40], where[40] = "";
    if (oracle_accepts(value, type, result))
        return;
    oracle_format(expected, sizeof expected, type, value->bytes);
    oracle_format(actual, sizeof actual, type, result);
    if (v->request->segments.kind != VKR_SEGMENTS_NONE)
        snprintf(where, sizeof where, " of segment %" PRIu64, segment);
    if (!v->differs)
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: %s of channel %u%s is %s; the scalar reference gives %s within %g",
                   vkrOpName((VkrOp)(1u << bit)), component, where, actual, expected,
                   value->tolerance);
    v->differs = true;
}

int reduce_verify(job *j)
{
    const reduce_request *request = j->request;
    reference r = {.what = {request, j->results, false}};
    if (request->segments.kind != VKR_SEGMENTS_NONE)
        return reduce_verify_segments(j);
    const uint32_t components = request->in[0].components;
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = feed(&r);
    for (uint32_t i = 0; i < r.fold_count; i++) {
        oracle_value value;
        oracle_end(r.folds[i], status == STATUS_DONE ? &value : NULL);
        if (status == STATUS_DONE)
            reduce_compare(&r.what, &value, 0, request->order[i / components], i % components);
    }
    free(r.data[0]);
    free(r.data[1]);
    j->task.differs = r.what.differs;
    return status;
}
