/* SPDX-License-Identifier: MIT */
/* Runs the tables of wrong arguments; the test program is at the end. */
#include "refusals.h"

#include <stdio.h>
#include <string.h>

static const trace_device devices[DEVICE_COUNT] = {
    [BARE] = {.bare = true},
    [NO_I64] = {.limits = {.disabledFeatures = VKR_FEATURE_INT64}},
    [NO_F64] = {.limits = {.disabledFeatures = VKR_FEATURE_FLOAT64}},
    [NO_FORMATS] = {.limits = {.disabledFeatures = VKR_FEATURE_WRITE_WITHOUT_FORMAT}},
    [NO_PROGRESS] = {.progress = VKR_FORWARD_PROGRESS_NONE},
    [NARROW] = {.limits = {.maxStorageBufferRange = 65536}},
    [CRAMPED] = {.range = 16384, .groups = 2, .rows = 2},
    [FOUR_GROUPS] = {.groups = 2, .rows = 2},
    [TWO_GROUPS] = {.limits = {.maxComputeWorkGroupCount = 1}, .rows = 2},
    [SMALL] = {.workgroup = 256},
    [TINY] = {.workgroup = 64},
    [TIGHT] = {.shared = 1024, .group_path = VKR_GROUP_PATH_SHARED},
    [SHARED] = {.group_path = VKR_GROUP_PATH_SHARED},
    [TASKS] = {.limits = {.maxTaskWorkGroupCount = {8, 4, 1}, .maxTaskWorkGroupTotalCount = 20}},
    [FEW_TASKS] = {.limits = {.maxTaskWorkGroupCount = {100, 4, 1},
                              .maxTaskWorkGroupTotalCount = 20}},
    [CPU] = {.cpu = true},
};

/* Opens each device that rows name, and calls `check` for each of its rows, with a request that is
 * plain but for the row's change. */
static void for_each_row(const operation *o, const refusal *rows, size_t count,
                         void (*check)(const operation *o, const refusal *row))
{
    for (int device = 0; device < DEVICE_COUNT; device++) {
        bool opened = false;
        for (size_t k = 0; k < count; k++) {
            if ((int)rows[k].device != device)
                continue;
            if (!opened)
                trace_open(&devices[device]);
            opened = true;
            o->set_plain();
            rows[k].change();
            check(o, &rows[k]);
        }
        if (opened)
            trace_close();
    }
}

static const char *say(const char *call, const char *sentence)
{
    static char text[600];
    assert_true((size_t)snprintf(text, sizeof text, "%s: %s", call, sentence) < sizeof text);
    return text;
}

/* ---- What is wrong ---- */

static void check_wrong(const operation *o, const refusal *row)
{
    assert_refused(o->record, o->info, row->code, say(o->call, row->sentence));
}

static void test_wrong(void **state)
{
    const operation *o = *state;
    char sentence[100];
    for_each_row(o, o->wrong, o->wrong_count, check_wrong);
    trace_open(&devices[PLAIN]);
    o->set_plain();
    assert_int_equal(o->record(NULL, o->info), VKR_ERROR_INVALID_ARGUMENT);
    assert_said(o->record(fixture.recorder, o->info), VKR_ERROR_INVALID_STATE,
                say(o->call, "the recorder is idle, but must be collecting; call vkrBegin first."));
    VkrReduceInfo bad = plain_reduce();
    bad.workgroupSize = 2048;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &bad), VKR_ERROR_UNSUPPORTED);
    fixture.sentences = 0;
    assert_said(o->record(fixture.recorder, o->info), VKR_ERROR_UNSUPPORTED,
                say(o->call, "nothing was done, because an earlier call of this recording failed "
                             "with VKR_ERROR_UNSUPPORTED."));
    snprintf(sentence, sizeof sentence, "info is NULL, but must point to a %s.", o->info_type);
    assert_refused(o->record, NULL, VKR_ERROR_INVALID_ARGUMENT, say(o->call, sentence));
    trace_close();
}

/* ---- What is only just valid ---- */

/* No dispatch has more workgroups than the device allows. */
static void check_groups(const trace_device *device)
{
    const uint32_t max_x = device->groups != 0 ? device->groups : UINT16_MAX;
    const uint32_t max_y = device->rows != 0 ? device->rows : UINT16_MAX;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        assert_in_range(fixture.dispatches[i].groups[0], 1, max_x);
        assert_in_range(fixture.dispatches[i].groups[1], 1, max_y);
    }
}

static void check_right(const operation *o, const refusal *row)
{
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if (o->record(fixture.recorder, o->info) != VKR_SUCCESS ||
        vkrEnd(fixture.recorder, &plain_end) != VKR_SUCCESS)
        fail_msg("%s: %s", row->name, fixture.sentence);
    assert_int_equal(fixture.sentences, 0);
    const uint32_t dispatches = fixture.dispatch_count, min = row->min_dispatches;
    if (min != ANY_DISPATCHES && (dispatches < min || (min == 0 && dispatches != 0)))
        fail_msg("%s: %u dispatches, but should be %u", row->name, dispatches, min);
    check_groups(&devices[row->device]);
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

static void test_right(void **state)
{
    const operation *o = *state;
    for_each_row(o, o->right, o->right_count, check_right);
}

/* ---- Questions ---- */

static uint32_t answers_refused;

static void check_question(const operation *o, const refusal *row)
{
    const question *q = o->question;
    bool matters = false;
    for (size_t k = 0; q->matters[k] != NULL; k++)
        matters |= strncmp(row->name, q->matters[k], strlen(q->matters[k])) == 0;
    const VkrResult result = q->ask(o->info);
    if (matters)
        assert_said(result, row->code, say(q->call, row->sentence));
    else if (result != VKR_SUCCESS)
        fail_msg("%s: %s", row->name, fixture.sentence);
    answers_refused += matters;
}

static void test_question(void **state)
{
    const operation *o = *state;
    answers_refused = 0;
    for_each_row(o, o->wrong, o->wrong_count, check_question);
    assert_int_equal(answers_refused, o->question->refusals);
}

/* ---- The program ---- */

#define OF(name)                                                                                   \
    CASE_OF(#name ": wrong", test_wrong, &name##_operation),                                       \
        CASE_OF(#name ": right", test_right, &name##_operation)
#define QUESTION_OF(name) CASE_OF(#name ": question", test_question, &name##_operation)

TEST_MAIN("refusals", CASE(refuse_contexts), CASE(refuse_requirements), CASE(take_unusable_devices),
          CASE(refuse_recorders), CASE(refuse_ends), CASE(refuse_null), CASE(refuse_order),
          CASE(refuse_after_mistakes), CASE(refuse_without_callback), OF(reduce),
          QUESTION_OF(reduce), OF(segments), QUESTION_OF(segments), OF(images), OF(masks),
          OF(tiles), OF(scan), QUESTION_OF(scan), OF(compact), OF(compact_payloads), OF(histogram),
          OF(quantile), OF(pyramid), OF(expand), OF(bounds), OF(find), OF(topk), OF(select),
          OF(sort), OF(merge), OF(bin), OF(apply))
