/* SPDX-License-Identifier: MIT */
/* --verify: the scalar reference, fed portion by portion, so that no input is too large for it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/reduce/reduce.h"
#include "progress.h"
#include "status.h"

#define PORTION ((uint64_t)8 << 20) /* bytes */

typedef struct reference {
    job *job;
    uint64_t portion; /* elements */
    unsigned char *data[INPUTS];
    oracle_fold *folds[VKR_OP_BITS * VKR_MAX_COMPONENTS];
    uint32_t fold_count;
} reference;

oracle_reduce_info reference_info(const job *j)
{
    const input *in = j->in;
    return (oracle_reduce_info){
        .stride = (size_t)input_pitch(&in[0]),
        .stride2 = (size_t)input_pitch(&in[0]),
        .type = in->type,
        .components = in->components,
        .accumulator = j->info.accumulator,
        .nan = j->info.nan,
        .determinism = j->info.determinism,
        .sample = (j->info.flags & VKR_REDUCE_SAMPLE_BIT) != 0,
    };
}

static int begin(reference *r)
{
    job *j = r->job;
    const input *in = j->in;
    const oracle_reduce_info info = reference_info(j);
    r->portion = PORTION / info.stride;
    if (r->portion > in->count)
        r->portion = in->count;
    for (uint32_t i = 0; i < j->input_count; i++) {
        r->data[i] = malloc((size_t)input_span(&in[i], r->portion) + 1);
        if (r->data[i] == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
    }
    for (uint32_t i = 0; i < j->op_count; i++) {
        for (uint32_t c = 0; c < in->components; c++) {
            uint32_t bit = j->order[i];
            oracle_fold *fold =
                oracle_begin(&info, (VkrOp)(1u << bit), c, j->layout.results[bit].type);
            if (fold == NULL)
                return fail(STATUS_VULKAN, "--verify: out of memory");
            r->folds[r->fold_count++] = fold;
        }
    }
    return STATUS_DONE;
}

static int feed(reference *r)
{
    job *j = r->job;
    uint64_t count = j->in[0].count;
    int status = STATUS_DONE;
    progress_start("verifying", j->input_count * input_span(&j->in[0], count));
    for (uint64_t first = 0; first < count && status == STATUS_DONE; first += r->portion) {
        uint64_t portion = count - first < r->portion ? count - first : r->portion;
        for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
            status = input_load(&j->in[i], first, portion, r->data[i]);
        for (uint32_t i = 0; i < r->fold_count && status == STATUS_DONE; i++)
            oracle_add(r->folds[i], r->data[0], r->data[1], portion);
    }
    progress_end();
    return status;
}

void compare_value(job *j, const oracle_value *value, uint64_t segment, uint32_t bit,
                   uint32_t component)
{
    VkrType type = j->layout.results[bit].type;
    const void *result = value_of(j, segment, bit, component);
    char expected[40], actual[40], where[40] = "";
    if (oracle_accepts(value, type, result))
        return;
    oracle_format(expected, sizeof expected, type, value->bytes);
    oracle_format(actual, sizeof actual, type, result);
    if (j->segments.kind != VKR_SEGMENTS_NONE)
        snprintf(where, sizeof where, " of segment %" PRIu64, segment);
    if (!j->task.differs)
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: %s of channel %u%s is %s; the scalar reference gives %s within %g",
                   vkrOpName((VkrOp)(1u << bit)), component, where, actual, expected,
                   value->tolerance);
    j->task.differs = true;
}

int verify(job *j)
{
    reference r = {.job = j};
    uint32_t components = j->in[0].components;
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = feed(&r);
    for (uint32_t i = 0; i < r.fold_count; i++) {
        oracle_value value;
        oracle_end(r.folds[i], status == STATUS_DONE ? &value : NULL);
        if (status == STATUS_DONE)
            compare_value(j, &value, 0, j->order[i / components], i % components);
    }
    free(r.data[0]);
    free(r.data[1]);
    return status;
}
