/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "by_key_run.h"

/* Whether the header allows a refusal: the arrays of a reduction must fit one descriptor. */
static bool may_refuse(const key_run *r)
{
    return !r->row->scan && limits_rows[r->row->limits].maxStorageBufferRange != 0;
}

static void count_line(void *data, const char *line)
{
    uint32_t *lines = data;
    *lines += strstr(line, ": keyed_") != NULL;
}

/* Whether all cases that have elements are a single pass over words. */
static bool is_single_pass(const key_run *r, VkrRecorder recorder)
{
    uint32_t lines = 0, expected = 0;
    assert_int_equal(vkrDescribe(recorder, count_line, &lines), VKR_SUCCESS);
    for (uint32_t i = 0; i < r->case_count; i++)
        expected += r->cases[i].capacity != 0 && !r->row->over &&
                    (!r->row->scan || r->cases[i].output.buffer != r->cases[i].input.buffer);
    return lines == expected;
}

static void collect(key_run *r)
{
    key_test *t = r->t;
    const key_row *row = r->row;
    const VkrRecorder recorder = get_recorder(&t->contexts, row->limits, &row->tuning);
    assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t i = 0; i < r->case_count; i++) {
        const VkrReduceInfo reduction = key_reduce_info(r, &r->cases[i]);
        const VkrScanInfo scan = key_scan_info(r, &r->cases[i]);
        const VkrResult result =
            row->scan ? vkrCmdScan(recorder, &scan) : vkrCmdReduce(recorder, &reduction);
        if (result == VKR_SUCCESS)
            continue;
        if (result != VKR_ERROR_UNSUPPORTED || !may_refuse(r))
            report_key(r, &r->cases[i], t->h.sentence, i);
        t->refused++;
        r->case_count--;
        memmove(&r->cases[i], &r->cases[i + 1], (r->case_count - i) * sizeof(r->cases[0]));
        assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
        i = UINT32_MAX;
    }
    t->served += r->case_count;
    if (row->words)
        assert_true(is_single_pass(r, recorder));
    const VkrEndInfo end = {.commandBuffer = t->h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    watch_limits(&limits_rows[row->limits]);
    assert_true(harness_begin(&t->h));
    assert_true(harness_check(&t->h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&t->h));
}

static void submit(key_run *r)
{
    key_test *t = r->t;
    for (int i = 0; i < KEYS_BUFFERS; i++)
        arena_poison(&t->buffers[i], &t->random);
    for (uint32_t i = 0; i < r->case_count; i++)
        fill_key_case(r, &r->cases[i]);
    for (int i = 0; i < KEYS_BUFFERS; i++)
        arena_upload(&t->buffers[i]);
    assert_true(harness_submit(&t->h));
    for (uint32_t i = 0; i < r->case_count; i++)
        (r->row->scan ? verify_key_scan : verify_key_reduction)(r, &r->cases[i]);
    for (int i = 0; i < KEYS_BUFFERS; i++) {
        const VkDeviceSize byte = arena_overwritten(&t->buffers[i]);
        if (byte != UINT64_MAX && r->case_count != 0)
            report_key(r, &r->cases[0], t->buffers[i].name, byte);
    }
}

static void run_cases(key_run *r, uint32_t submits)
{
    key_test *t = r->t;
    const VkrRecorder recorder = get_recorder(&t->contexts, r->row->limits, &r->row->tuning);
    assert_non_null(recorder);
    collect(r);
    for (uint32_t i = 0; i < submits; i++)
        submit(r);
    assert_true(harness_check(&t->h, vkrReset(recorder), "vkrReset"));
}

void run_key_row(key_test *t, const key_row *row, uint32_t submits)
{
    key_run r = {.t = t, .row = row, .phase = random_below(&t->random, 4)};
    static const uint32_t counts[] = {1, 31, 32, 33, 128, 1000, 4096, 4097, 8193, 9000};
    for (int i = 0; i < KEYS_BUFFERS; i++)
        t->buffers[i].used = 0;
    add_key_case(&r, 0);
    while (r.case_count < 6)
        add_key_case(&r, counts[random_below(&t->random, ARRAY_SIZE(counts))]);
    add_key_case(&r, 1 + random_below(&t->random, 9000));
    run_cases(&r, submits);
}

void run_key_length(key_test *t, const key_row *row, uint64_t count, uint64_t length)
{
    key_run r = {.t = t, .row = row, .length = length, .phase = random_below(&t->random, 4)};
    for (int i = 0; i < KEYS_BUFFERS; i++)
        t->buffers[i].used = 0;
    add_key_case(&r, count);
    run_cases(&r, 1);
}
