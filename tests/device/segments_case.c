/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segments_run.h"

#define SHOWN 3

static void describe_row(const segment_row *row, char *text, size_t size)
{
    static const char *const kinds[VKR_SEGMENT_KIND_COUNT] = {[VKR_SEGMENTS_ROWS] = "rows",
                                                              [VKR_SEGMENTS_OFFSETS] = "offsets",
                                                              [VKR_SEGMENTS_COLUMNS] = "columns",
                                                              [VKR_SEGMENTS_WINDOWS] = "windows"};
    snprintf(text, size,
             "%s of %s, ops 0x%x, %u components, accumulator %s, nan %d, determinism %d, algorithm "
             "%s, GPU count %s, offsets %s, limits %s, geometry %u, %s",
             kinds[row->kind], vkrTypeName(row->type), row->ops, row->components,
             vkrTypeName(row->accumulator), row->nan, row->determinism,
             vkrReduceAlgorithmName(row->algorithm), vkrTypeName(row->gpu_count),
             vkrTypeName(row->offset_type), limits_names[row->limits], row->tuning.geometry,
             vkrLoadPathName(row->tuning.path));
}

/* ---- Recording ---- */

/* Whether the header allows a refusal of the row, because of small windows or a forced
 * algorithm. */
static bool may_be_refused(const segment_row *row)
{
    if (row->capacity != 0)
        return false;
    return limits_rows[row->limits].maxStorageBufferRange != 0 || row->algorithm != VKR_REDUCE_AUTO;
}

static void collect(row_run *r)
{
    segment_test *t = r->t;
    const VkrRecorder recorder = get_recorder(&t->contexts, r->row->limits, &r->row->tuning);
    assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t i = 0; i < r->case_count; i++) {
        const VkrReduceInfo info = segments_case_info(r, &r->cases[i]);
        const VkrResult result = vkrCmdReduce(recorder, &info);
        if (result == VKR_SUCCESS)
            continue;
        if ((result != VKR_ERROR_UNSUPPORTED || !may_be_refused(r->row)) &&
            t->mismatches++ - t->mismatches_before < SHOWN)
            printf("# %s of length %" PRIu64 ", %" PRIu64 " segments: %s (%s)\n",
                   vkrResultName(result), r->cases[i].length, r->cases[i].segments, t->h.sentence,
                   r->text);
        t->refused++;
        r->case_count--;
        vkDestroyBufferView(t->h.device, r->cases[i].texels.view, NULL);
        memmove(&r->cases[i], &r->cases[i + 1], (r->case_count - i) * sizeof(r->cases[0]));
        assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
        i = UINT32_MAX;
    }
    const VkrEndInfo end = {.commandBuffer = t->h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    t->served += r->case_count;
    watch_limits(&limits_rows[r->row->limits]);
    assert_true(harness_begin(&t->h));
    assert_true(harness_check(&t->h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&t->h));
}

/* ---- Submissions ---- */

static void put_offset(const row_run *r, const segment_case *c, uint64_t i, uint64_t value)
{
    const uint32_t size = vkrTypeSize(r->row->offset_type);
    memcpy(r->t->buffers[SEGMENTS_COUNTS].shadow + c->offsets_at + i * size, &value, size);
}

static uint64_t get_offset(const row_run *r, const segment_case *c, uint64_t i)
{
    const uint32_t size = vkrTypeSize(r->row->offset_type);
    uint64_t value = 0;
    memcpy(&value, r->t->buffers[SEGMENTS_COUNTS].shadow + c->offsets_at + i * size, size);
    return value;
}

/* Draws offsets of segments that are all empty, of equal length, tiny except for a giant one, often
 * empty, or of random length; some end past the elements. */
static void fill_offsets(row_run *r, const segment_case *c)
{
    uint64_t *random = &r->t->random;
    const uint32_t way = random_below(random, 5);
    const uint64_t giant = c->segments == 0 ? 0 : random_below(random, (uint32_t)c->segments);
    uint64_t at = random_below(random, 2) == 0 ? 0 : random_below(random, 50);
    for (uint64_t i = 0; i <= c->segments; i++) {
        put_offset(r, c, i, at);
        const uint64_t even = c->capacity / (c->segments + 1) + 1;
        const uint64_t lengths[] = {0, even,
                                    i == giant ? c->capacity * 3 / 4 : random_below(random, 4),
                                    random_below(random, 3) == 0 ? random_below(random, 700) : 0,
                                    random_below(random, 2 * (uint32_t)even)};
        at += lengths[way];
        if (at > c->capacity && random_below(random, 8) != 0)
            at = c->capacity;
    }
}

static void fill_case(row_run *r, segment_case *c)
{
    uint64_t *random = &r->t->random;
    const segment_row *row = r->row;
    unsigned char *counts = r->t->buffers[SEGMENTS_COUNTS].shadow;
    const distribution data = (row->ops & VKR_OP_PRODUCT) != 0 && random_below(random, 4) != 0
                                  ? DATA_UNIT
                                  : (distribution)random_below(random, DATA_COUNT);
    c->count = c->capacity;
    c->written = c->segments;
    if (row->gpu_count != VKR_TYPE_UNDEFINED) {
        c->count = choose_count(random, row->gpu_count, c->capacity, counts + c->count_at);
        if (row->kind == VKR_SEGMENTS_OFFSETS)
            c->written = choose_count(random, row->gpu_count, c->segments, counts + c->segments_at);
    }
    if (row->kind == VKR_SEGMENTS_OFFSETS)
        fill_offsets(r, c);
    for (int i = 0; i < ((row->ops & VKR_OP_DOT) != 0 ? 2 : 1); i++) {
        unsigned char *first = r->t->buffers[SEGMENTS_INPUT + i].shadow + c->offset[i];
        fill_data(random, data, row->type, row->components, first, c->stride[i], c->count);
        surround(random, row->type, row->components, first, c->stride[i], c->count, c->capacity);
    }
}

/* Finds the elements of a segment that are below the count. */
static void locate(const row_run *r, const segment_case *c, uint64_t s, uint64_t *first,
                   uint64_t *step, uint64_t *count)
{
    uint64_t length = c->length;
    *step = 1;
    *first = s * c->length;
    if (r->row->kind == VKR_SEGMENTS_WINDOWS)
        *first = s;
    if (r->row->kind == VKR_SEGMENTS_COLUMNS) {
        *first = s;
        *step = c->length;
        length = c->capacity / c->length;
    }
    if (r->row->kind == VKR_SEGMENTS_OFFSETS) {
        const uint64_t end = get_offset(r, c, s + 1);
        *first = get_offset(r, c, s);
        length = end - *first;
    }
    *count = 0;
    while (*count < length && *first + *count * *step < c->count)
        ++*count;
}

static void compare_segment(row_run *r, const segment_case *c, uint64_t s,
                            const oracle_reduce_info *info)
{
    segment_test *t = r->t;
    char expected_text[64], actual_text[64];
    const unsigned char *output = t->buffers[SEGMENTS_OUTPUT].buffer.data;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &c->layout.results[bit];
        const uint32_t size = vkrTypeSize(result->type);
        const VkDeviceSize at = c->output + s * c->layout.stride + result->offset;
        if ((r->row->ops >> bit & 1) == 0)
            continue;
        for (uint32_t k = 0; k < r->row->components; k++) {
            oracle_value value;
            oracle_reduce(info, (VkrOp)(1u << bit), k, result->type, &value);
            t->unproven += !oracle_proves(&value);
            t->oracle_cases += oracle_proves(&value);
            if (!oracle_proves(&value) ||
                oracle_accepts(&value, result->type, output + at + k * size))
                continue;
            if (t->mismatches++ - t->mismatches_before >= SHOWN)
                continue;
            oracle_format(expected_text, sizeof(expected_text), result->type, value.bytes);
            oracle_format(actual_text, sizeof(actual_text), result->type, output + at + k * size);
            printf("# %s of segment %" PRIu64 " of %" PRIu64 ", length %" PRIu64 ", %" PRIu64
                   " elements of %" PRIu64 " (%" PRIu64
                   "), component %u: %s, but should be %s (%s)\n",
                   vkrOpName((VkrOp)(1u << bit)), s, c->segments, c->length, info->count, c->count,
                   c->capacity, k, actual_text, expected_text, r->text);
        }
        memcpy(t->buffers[SEGMENTS_OUTPUT].shadow + at, output + at, size * r->row->components);
    }
}

static void verify_case(row_run *r, const segment_case *c)
{
    segment_test *t = r->t;
    const segment_row *row = r->row;
    for (uint64_t s = 0; s < c->written; s++) {
        uint64_t first, step, count;
        locate(r, c, s, &first, &step, &count);
        if (first >= c->count)
            first = 0;
        const oracle_reduce_info info = {
            .data = t->buffers[SEGMENTS_INPUT].shadow + c->offset[0] + first * c->stride[0],
            .stride = c->stride[0] * step,
            .data2 = t->buffers[SEGMENTS_INPUT2].shadow + c->offset[1] + first * c->stride[1],
            .stride2 = c->stride[1] * step,
            .count = count,
            .type = row->type,
            .components = row->components,
            .accumulator = row->accumulator,
            .nan = row->nan,
            .determinism = row->determinism,
            .sample = row->sample,
            .window = row->kind == VKR_SEGMENTS_WINDOWS,
            .first = first,
        };
        compare_segment(r, c, s, &info);
    }
}

/* Submits new data, and checks the results and all bytes around them. */
static void submit(row_run *r)
{
    segment_test *t = r->t;
    for (int i = 0; i < SEGMENTS_BUFFERS; i++)
        arena_poison(&t->buffers[i], &t->random);
    for (uint32_t i = 0; i < r->case_count; i++)
        fill_case(r, &r->cases[i]);
    for (int i = 0; i < SEGMENTS_BUFFERS; i++)
        arena_upload(&t->buffers[i]);
    assert_true(harness_submit(&t->h));
    for (uint32_t i = 0; i < r->case_count; i++)
        verify_case(r, &r->cases[i]);
    for (int i = 0; i < SEGMENTS_BUFFERS; i++) {
        const VkDeviceSize byte = arena_overwritten(&t->buffers[i]);
        if (byte != UINT64_MAX && t->mismatches++ - t->mismatches_before < SHOWN)
            printf("# byte %" PRIu64 " of %s was overwritten (%s)\n", (uint64_t)byte,
                   t->buffers[i].name, r->text);
    }
}

void run_segment_row(segment_test *t, const segment_row *row, uint32_t cases, uint32_t submits)
{
    row_run r = {.t = t, .row = row};
    describe_row(row, r.text, sizeof(r.text));
    if (getenv("VKR_TEST_VERBOSE") != NULL)
        fprintf(stderr, "# %s\n", r.text);
    t->mismatches_before = t->mismatches;
    for (int i = 0; i < 2; i++)
        r.lengths[i] = segments_choose_length(&t->random);
    r.packed = random_below(&t->random, 3) != 0;
    r.aligned = random_below(&t->random, 2) == 0;
    for (int i = 0; i < SEGMENTS_BUFFERS; i++)
        t->buffers[i].used = 0;
    while (r.case_count < cases && r.case_count < MAX_SEGMENT_CASES)
        segments_add_case(&r);
    for (uint32_t i = 0; i < r.case_count; i++)
        arena_create_texels(&t->h, &t->buffers[SEGMENTS_INPUT], &r.cases[i].texels);
    collect(&r);
    for (uint32_t i = 0; i < submits; i++)
        submit(&r);
    assert_true(harness_check(
        &t->h, vkrReset(get_recorder(&t->contexts, row->limits, &row->tuning)), "vkrReset"));
    for (uint32_t i = 0; i < r.case_count; i++)
        vkDestroyBufferView(t->h.device, r.cases[i].texels.view, NULL);
    t->rows++;
}
