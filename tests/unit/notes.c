/* SPDX-License-Identifier: MIT */
/* A count of 0 although the input has elements is noted, once a context, and valid. */
#include <string.h>

#include "arguments_trace.h"

typedef struct request {
    uint64_t count;
    bool empty; /* the input has no element */
    bool refused;
} request;

static void change(const request *r, uint64_t *count, VkrView *input)
{
    *count = r->count;
    if (r->empty)
        *input = (VkrView){.type = VKR_TYPE_F32};
}

static VkrResult call_reduce(const request *r)
{
    VkrReduceInfo info = plain_reduce();
    change(r, &info.count, &info.input);
    info.workgroupSize = r->refused ? 2048 : 0;
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult call_scan(const request *r)
{
    VkrScanInfo info = plain_scan();
    change(r, &info.count, &info.input);
    info.flags = r->refused ? 0x80000000u : 0;
    return vkrCmdScan(fixture.recorder, &info);
}

static VkrResult call_compact(const request *r)
{
    VkrCompactInfo info = plain_compact();
    change(r, &info.count, &info.input);
    info.flags = r->refused ? 0x80000000u : 0;
    return vkrCmdCompact(fixture.recorder, &info);
}

static VkrResult call_histogram(const request *r)
{
    VkrHistogramInfo info = {.input = plain_reduce().input,
                             .bins = {.count = 4, .high.value = 1},
                             .counts = {BUFFER('O'), 0, 64},
                             .flags = r->refused ? 0x80000000u : 0};
    change(r, &info.count, &info.input);
    return vkrCmdHistogram(fixture.recorder, &info);
}

static const struct {
    VkrResult (*call)(const request *r);
    const char *note;
} operations[] = {
#define NOTE                                                                                       \
    ": count is 0, so no element is used, although input holds 1000; VKR_COUNT_ALL stands for "    \
    "all "                                                                                         \
    "of them."
    {call_reduce, "vkrCmdReduce" NOTE},
    {call_scan, "vkrCmdScan" NOTE},
    {call_compact, "vkrCmdCompact" NOTE},
    {call_histogram, "vkrCmdHistogram" NOTE},
};

static void expect(VkrResult (*call)(const request *r), const request *r)
{
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if ((call(r) == VKR_SUCCESS) == r->refused)
        fail_msg("%s", fixture.sentence);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end) == VKR_SUCCESS, !r->refused);
}

static void test_counts(void **state)
{
    (void)state;
    const request zero = {0}, all = {.count = VKR_COUNT_ALL}, few = {.count = 3},
                  nothing = {.empty = true}, all_of_nothing = {VKR_COUNT_ALL, true, false},
                  refused = {.refused = true};
    const request *const silent[] = {&all, &few, &nothing, &all_of_nothing, &refused};
    for (size_t k = 0; k < ARRAY_SIZE(operations); k++) {
        trace_open(&(trace_device){0});
        for (size_t i = 0; i < ARRAY_SIZE(silent); i++) {
            expect(operations[k].call, silent[i]);
            assert_int_equal(fixture.notes, 0);
        }
        fixture.sentences = 0; /* of the refused one */
        expect(operations[k].call, &zero);
        assert_noted(operations[k].note);
        for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
            expect(operations[i].call, &zero);
        assert_int_equal(fixture.notes, 0);
        trace_close();
    }
}

/* Questions may be asked before the count is known. Images hold elements too, also where they are
 * copied into a buffer first, as those of scans are. */
static void test_more(void **state)
{
    (void)state;
    VkrReduceInfo info = plain_reduce();
    VkrReduceLayout layout;
    const VkrImage image = {.image = HANDLE(VkImage),
                            .view = HANDLE(VkImageView),
                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                            .format = VK_FORMAT_R32_SFLOAT,
                            .layout = VK_IMAGE_LAYOUT_GENERAL,
                            .range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                            .extent = {20, 30, 1}};
    trace_open(&(trace_device){0});
    info.count = 0;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(fixture.notes, 0);
    info.input = (VkrView){.image = &image};
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    assert_noted("vkrCmdReduce: count is 0, so no element is used, although input holds 600; "
                 "VKR_COUNT_ALL stands for all of them.");
    trace_close();

    VkrScanInfo scan = plain_scan();
    trace_open(&(trace_device){0});
    scan.count = 0;
    scan.input = (VkrView){.image = &image};
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdScan(fixture.recorder, &scan), VKR_SUCCESS);
    assert_noted("vkrCmdScan: count is 0, so no element is used, although input holds 600; "
                 "VKR_COUNT_ALL stands for all of them.");
    trace_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_more),
    };
    return cmocka_run_group_tests_name("notes", tests, NULL, NULL);
}
