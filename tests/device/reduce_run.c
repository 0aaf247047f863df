/* SPDX-License-Identifier: MIT */
/* Recording and submissions of a row of reductions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_run.h"

static VkDeviceSize granule_of(const row_run *r)
{
    VkrContextProperties properties;
    vkrGetContextProperties(get_context(&r->t->contexts, r->row->limits, &r->row->tuning),
                            &properties);
    return properties.granule;
}

/* Half of the recordings use scratch memory of the caller. */
static void choose_scratch(row_run *r)
{
    VkDeviceSize size;
    assert_true(
        harness_check(&r->t->h, vkrGetScratchSize(r->recorder, &size), "vkrGetScratchSize"));
    if (size == 0 || size > BUFFER_BYTES / 2 || random_below(&r->t->random, 2) == 0)
        return;
    r->scratch = (VkrBufferRange){
        r->t->buffers[BUFFER_SCRATCH].buffer.buffer,
        arena_place(&r->t->buffers[BUFFER_SCRATCH], &r->t->random, granule_of(r), size), size};
}

typedef enum verdict { SERVED, MAYBE_REFUSED, REFUSED } verdict;

#define FEW 1024 /* elements whose partials fit any window */

/* Whether a case must succeed, must be refused, or may be refused: single, and reductions in place,
 * support one window only; at level DEVICE a block of the tree must fit one window, and so must the
 * partials of recursive. */
static verdict expect(const row_run *r, const reduce_case *c)
{
    const VkDeviceSize stride = c->stride[c->stride[1] > c->stride[0]];
    const VkDeviceSize granule = granule_of(r);
    const VkDeviceSize bytes = c->capacity * stride;
    const bool small = limits_rows[r->row->limits].maxStorageBufferRange != 0;
    if (small && r->row->algorithm == VKR_REDUCE_RECURSIVE && !r->row->consume && c->capacity > FEW)
        return MAYBE_REFUSED;
    if (!small || bytes + granule <= SMALL_RANGE)
        return SERVED;
    if (r->row->algorithm == VKR_REDUCE_SINGLE || r->row->consume)
        return bytes - stride > SMALL_RANGE ? REFUSED : MAYBE_REFUSED;
    return r->row->determinism == VKR_DETERMINISM_DEVICE &&
                   VKR_TREE_BLOCK * stride + granule > SMALL_RANGE
               ? MAYBE_REFUSED
               : SERVED;
}

/* Records all cases that are not refused. An error is sticky, so each refused case restarts the
 * recording. */
static void collect(row_run *r)
{
    harness *h = &r->t->h;
    assert_true(harness_check(h, vkrBegin(r->recorder), "vkrBegin"));
    for (uint32_t i = 0; i < r->case_count; i++) {
        const VkrReduceInfo info = reduce_case_info(r, &r->cases[i]);
        const verdict expected = expect(r, &r->cases[i]);
        const VkrResult result = vkrCmdReduce(r->recorder, &info);
        if (result == VKR_SUCCESS && expected != REFUSED)
            continue;
        if (result != VKR_ERROR_UNSUPPORTED || expected == SERVED) {
            if (r->t->mismatches++ - r->t->mismatches_before < SHOWN)
                printf("# %s for %" PRIu64 " elements, stride %" PRIu64 ": %s (%s)\n",
                       vkrResultName(result), r->cases[i].capacity, (uint64_t)info.input.stride,
                       result == VKR_SUCCESS ? "should be refused" : h->sentence, r->text);
        }
        r->t->refused++;
        r->case_count--;
        vkDestroyBufferView(h->device, r->cases[i].texels.view, NULL);
        memmove(&r->cases[i], &r->cases[i + 1], (r->case_count - i) * sizeof(r->cases[0]));
        assert_true(harness_check(h, vkrBegin(r->recorder), "vkrBegin"));
        i = UINT32_MAX;
    }
}

static void end_recording(reduce_test *t, VkrRecorder recorder, limits_row limits,
                          VkrBufferRange scratch)
{
    const VkrEndInfo end = {.commandBuffer = t->h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT,
                            .scratch = scratch};
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&t->h));
    assert_true(harness_check(&t->h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&t->h));
}

void run_infos(reduce_test *t, limits_row limits, const tuning_row *tuning,
               const VkrReduceInfo *infos, uint32_t count)
{
    const VkrRecorder recorder = get_recorder(&t->contexts, limits, tuning);
    assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t i = 0; i < count; i++)
        assert_true(harness_check(&t->h, vkrCmdReduce(recorder, &infos[i]), "vkrCmdReduce"));
    end_recording(t, recorder, limits, (VkrBufferRange){0});
    assert_true(harness_submit(&t->h));
    assert_true(harness_check(&t->h, vkrReset(recorder), "vkrReset"));
}

/* ---- Submissions ---- */

/* Products of arbitrary values overflow, and few distributions distinguish keys of NaN from
 * others. */
static distribution choose_data(uint64_t *random, VkrOpFlags ops)
{
    const VkrOpFlags keys = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ABSMAX | VKR_OP_ARGMIN | VKR_OP_ARGMAX;
    if ((ops & VKR_OP_PRODUCT) != 0 && random_below(random, 4) != 0)
        return DATA_UNIT;
    if ((ops & keys) != 0 && random_below(random, 4) == 0)
        return random_below(random, 4) == 0 ? DATA_ONE_NAN : DATA_NAN_BUT_ONE;
    return (distribution)random_below(random, DATA_COUNT);
}

static void fill_case(row_run *r, reduce_case *c)
{
    uint64_t *random = &r->t->random;
    const reduce_row *row = r->row;
    const distribution data = choose_data(random, row->ops);
    if (row->gpu_count != VKR_TYPE_UNDEFINED)
        c->count = choose_count(random, row->gpu_count, c->capacity,
                                r->t->buffers[BUFFER_COUNTS].shadow + c->count_offset);
    for (int i = 0; i < (row->ops & VKR_OP_DOT ? 2 : 1); i++) {
        unsigned char *first = r->t->buffers[BUFFER_INPUT + i].shadow + c->offset[i];
        fill_data(random, data, row->type, row->components, first, c->stride[i], c->count);
        surround(random, row->type, row->components, first, c->stride[i], c->count, c->capacity);
    }
}

static void verify_case(row_run *r, const reduce_case *c)
{
    reduce_test *t = r->t;
    const reduce_row *row = r->row;
    const oracle_reduce_info info = {
        .data = t->buffers[BUFFER_INPUT].shadow + c->offset[0],
        .stride = c->stride[0],
        .data2 = t->buffers[BUFFER_INPUT2].shadow + c->offset[1],
        .stride2 = c->stride[1],
        .count = c->count,
        .type = row->type,
        .components = row->components,
        .accumulator = row->accumulator,
        .nan = row->nan,
        .determinism = row->determinism,
        .sample = row->sample,
    };
    const unsigned char *output = t->buffers[BUFFER_OUTPUT].buffer.data;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &r->layout.results[bit];
        const uint32_t size = vkrTypeSize(result->type);
        const VkDeviceSize at = c->output + result->offset;
        if ((row->ops >> bit & 1) == 0)
            continue;
        for (uint32_t i = 0; i < row->components; i++)
            compare_value(t, r->text, &info, (VkrOp)(1u << bit), i, result->type,
                          output + at + i * size);
        memcpy(t->buffers[BUFFER_OUTPUT].shadow + at, output + at, size * row->components);
    }
}

/* A reduction in place also stores its result as element 0, and may leave anything in the other
 * elements below the host's count. */
static void verify_consumed(row_run *r, const reduce_case *c)
{
    const uint32_t bytes = vkrTypeSize(r->row->type) * r->row->components;
    const unsigned char *input = r->t->buffers[BUFFER_INPUT].buffer.data;
    const unsigned char *output = r->t->buffers[BUFFER_OUTPUT].buffer.data;
    if (c->count > 0 && memcmp(input + c->offset[0], output + c->output, bytes) != 0 &&
        r->t->mismatches++ - r->t->mismatches_before < SHOWN)
        printf("# element 0 of %" PRIu64 " is not the result (%s)\n", c->count, r->text);
    for (uint64_t i = 0; i < c->capacity; i++) {
        const VkDeviceSize at = c->offset[0] + i * c->stride[0];
        memcpy(r->t->buffers[BUFFER_INPUT].shadow + at, input + at, bytes);
    }
}

static void verify_untouched(row_run *r, const arena *buffer)
{
    const VkDeviceSize byte = arena_overwritten(buffer);
    if (byte != UINT64_MAX && r->t->mismatches++ - r->t->mismatches_before < SHOWN)
        printf("# byte %" PRIu64 " of %s was overwritten (%s)\n", (uint64_t)byte, buffer->name,
               r->text);
}

static void submit(row_run *r)
{
    reduce_test *t = r->t;
    for (int i = 0; i < BUFFER_COUNT; i++)
        arena_poison(&t->buffers[i], &t->random);
    for (uint32_t i = 0; i < r->case_count; i++)
        fill_case(r, &r->cases[i]);
    for (int i = 0; i < BUFFER_COUNT; i++)
        arena_upload(&t->buffers[i]);
    assert_true(harness_submit(&t->h));
    for (uint32_t i = 0; i < r->case_count; i++)
        verify_case(r, &r->cases[i]);
    for (uint32_t i = 0; i < r->case_count && r->row->consume; i++)
        verify_consumed(r, &r->cases[i]);
    if (r->scratch.buffer != VK_NULL_HANDLE)
        memcpy(t->buffers[BUFFER_SCRATCH].shadow + r->scratch.offset,
               (unsigned char *)t->buffers[BUFFER_SCRATCH].buffer.data + r->scratch.offset,
               r->scratch.size);
    for (int i = 0; i < BUFFER_COUNT; i++)
        verify_untouched(r, &t->buffers[i]);
}

void run_row(reduce_test *t, const reduce_row *row, uint32_t submits)
{
    row_run r = {.t = t, .row = row};
    reduce_describe_row(row, r.text, sizeof(r.text));
    t->mismatches_before = t->mismatches;
    for (int i = 0; i < BUFFER_COUNT; i++)
        t->buffers[i].used = 0;
    r.recorder = get_recorder(&t->contexts, row->limits, &row->tuning);
    reduce_check_layout(&r);
    reduce_add_cases(&r);
    submits = reduce_afford(&r, submits);
    for (uint32_t i = 0; i < r.case_count; i++)
        arena_create_texels(&t->h, &t->buffers[BUFFER_INPUT], &r.cases[i].texels);
    collect(&r);
    choose_scratch(&r);
    end_recording(t, r.recorder, row->limits, r.scratch);
    for (uint32_t i = 0; i < submits; i++)
        submit(&r);
    t->rows++;
    vkrReset(r.recorder);
    for (uint32_t i = 0; i < r.case_count; i++)
        vkDestroyBufferView(t->h.device, r.cases[i].texels.view, NULL);
}
