/* SPDX-License-Identifier: MIT */
/*
 * Queries that vkrEnd writes between operations (VkrEndInfo::timestamps), as the host reads them:
 * which of a pool are written, and that time passes from one to the next, in one recording, in two
 * of a command buffer, and when it is submitted again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "harness.h"

#define COUNT 70001u
#define BEFORE 2u /* queries of the pool that belong to the test */
#define AFTER 2u
#define SPARE 3u /* queries that the recording gets and does not need */
#define MAX_OPERATIONS 8u
#define QUERIES (BEFORE + 2 * (MAX_OPERATIONS + 1 + SPARE) + AFTER)

static harness h;
static VkrContext context;
static VkrRecorder recorders[2];
static harness_buffer input, output;
static VkQueryPool pool;
static uint32_t valid_bits;

typedef struct answer {
    uint64_t ticks, available;
} answer;

/* ---- Recordings ---- */

static VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset)
{
    return (VkrView){
        .buffer = buffer->buffer, .offset = offset, .size = 4 * COUNT, .type = VKR_TYPE_U32};
}

static void add_sum(VkrRecorder recorder, const char *label, uint64_t count, VkDeviceSize at)
{
    const VkrReduceInfo sum = {.label = label,
                               .ops = VKR_OP_SUM,
                               .input = view_of(&input, 0),
                               .count = count,
                               .output = {output.buffer, at, 4}};
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &sum), "vkrCmdReduce"));
}

/* Sorts into the output, or nothing at all, which takes no dispatch. */
static void add_sort(VkrRecorder recorder, const char *label, uint64_t count)
{
    const VkrSortInfo sort = {.label = label,
                              .keys = view_of(&input, 0),
                              .count = count,
                              .sorted = view_of(&output, 1024)};
    assert_true(harness_check(&h, vkrCmdSort(recorder, &sort), "vkrCmdSort"));
}

/* A sum; nothing; a sort of many dispatches, with which the next sum may overlap; a scan of what it
 * wrote. Returns the number of operations. */
static uint32_t collect(VkrRecorder recorder)
{
    const VkrScanInfo scan = {.op = VKR_OP_SUM,
                              .input = view_of(&output, 1024),
                              .output = view_of(&output, 1024),
                              .count = VKR_COUNT_ALL};
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    add_sum(recorder, "sum", VKR_COUNT_ALL, 0);
    add_sort(recorder, "nothing", 0);
    add_sort(recorder, "sort", VKR_COUNT_ALL);
    add_sum(recorder, NULL, 1000, 256);
    assert_true(harness_check(&h, vkrCmdScan(recorder, &scan), "vkrCmdScan"));
    return 5;
}

static void end(VkrRecorder recorder, uint32_t first, uint32_t count)
{
    const VkrEndInfo info = {.commandBuffer = h.cmd,
                             .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             .consumerAccess =
                                 VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                             .timestamps = pool,
                             .firstQuery = first,
                             .queryCount = count};
    assert_true(harness_check(&h, vkrEnd(recorder, &info), "vkrEnd"));
}

static void reset(void)
{
    for (uint32_t i = 0; i < 2; i++)
        assert_true(harness_check(&h, vkrReset(recorders[i]), "vkrReset"));
}

/* ---- Queries ---- */

/* Writes all queries of the pool, so that those of a recording have an old value, and the others
 * must keep theirs. */
static void write_all(void)
{
    assert_true(harness_begin(&h));
    vkCmdResetQueryPool(h.cmd, pool, 0, QUERIES);
    for (uint32_t i = 0; i < QUERIES; i++)
        vkCmdWriteTimestamp(h.cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, pool, i);
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
}

static void read_all(answer answers[QUERIES])
{
    memset(answers, 0, QUERIES * sizeof *answers);
    const VkResult result = vkGetQueryPoolResults(
        h.device, pool, 0, QUERIES, QUERIES * sizeof *answers, answers, sizeof *answers,
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    assert_true(result == VK_SUCCESS || result == VK_NOT_READY);
}

/* Whether a timestamp is the same or later. The counter may start again at 0 in between, so it is
 * later if fewer than half of all ticks have passed. */
static bool is_not_earlier(uint64_t before, uint64_t after)
{
    const uint64_t all = UINT64_MAX >> (64 - valid_bits);
    return ((after - before) & all) <= all / 2;
}

/* Checks that of the queries of a recording the first `written` are available, each no earlier than
 * the one before, and the others of the `count` ones are not. Returns the last. */
static uint64_t check_range(const answer *answers, uint32_t first, uint32_t written, uint32_t count,
                            uint64_t before)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(answers[first + i].available != 0, i < written);
        if (i >= written)
            continue;
        assert_true(is_not_earlier(before, answers[first + i].ticks));
        before = answers[first + i].ticks;
    }
    return before;
}

static void check_same(const answer *old, const answer *new, uint32_t first, uint32_t count)
{
    assert_memory_equal(old + first, new + first, count * sizeof *old);
}

/* ---- Tests ---- */

static void test_names(void **state)
{
    static const VkrOperationName expected[] = {{"vkrCmdReduce", "sum"},
                                                {"vkrCmdSort", "nothing"},
                                                {"vkrCmdSort", "sort"},
                                                {"vkrCmdReduce", NULL},
                                                {"vkrCmdScan", NULL}};
    VkrOperationName names[MAX_OPERATIONS];
    uint32_t count = MAX_OPERATIONS;
    (void)state;
    const uint32_t operations = collect(recorders[0]);
    assert_int_equal(vkrGetOperations(recorders[0], &count, names), VKR_SUCCESS);
    assert_int_equal(count, operations);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(names[i].function, expected[i].function);
        assert_string_equal(names[i].label ? names[i].label : "none",
                            expected[i].label ? expected[i].label : "none");
    }
}

/* Two recordings of a command buffer, of which the second has a query more than it needs; executed
 * several times. */
static void test_two_recorders(void **state)
{
    answer before[QUERIES], after[QUERIES];
    (void)state;
    write_all();
    read_all(before);
    assert_true(harness_begin(&h));
    const uint32_t first = collect(recorders[0]) + 1;
    end(recorders[0], BEFORE, first);
    const uint32_t second = collect(recorders[1]) + 1, end_of_first = BEFORE + first;
    end(recorders[1], end_of_first, second + SPARE);
    const uint32_t end_of_all = end_of_first + second + SPARE;
    assert_true(harness_end(&h));
    uint64_t ticks = before[QUERIES - 1].ticks;
    for (uint32_t turn = 0; turn < 3; turn++) {
        assert_true(harness_submit(&h));
        read_all(after);
        ticks = check_range(after, BEFORE, first, first, ticks);
        ticks = check_range(after, end_of_first, second, second + SPARE, ticks);
        check_same(before, after, 0, BEFORE);
        check_same(before, after, end_of_all, QUERIES - end_of_all);
    }
    reset();
}

/* A recording without operations, and one of operations without dispatches. */
static void test_nothing(void **state)
{
    answer before[QUERIES], after[QUERIES];
    (void)state;
    for (uint32_t operations = 0; operations < 3; operations++) {
        write_all();
        read_all(before);
        assert_true(harness_check(&h, vkrBegin(recorders[0]), "vkrBegin"));
        for (uint32_t i = 0; i < operations; i++)
            add_sort(recorders[0], "nothing", 0);
        assert_true(harness_begin(&h));
        end(recorders[0], BEFORE, operations + 1 + SPARE);
        assert_true(harness_end(&h));
        assert_true(harness_submit(&h));
        read_all(after);
        (void)check_range(after, BEFORE, operations + 1, operations + 1 + SPARE,
                          before[QUERIES - 1].ticks);
        check_same(before, after, 0, BEFORE);
        check_same(before, after, BEFORE + operations + 1 + SPARE,
                   QUERIES - (BEFORE + operations + 1 + SPARE));
        reset();
    }
}

/* A recording that is refused for its queries has recorded nothing. */
static void test_refused(void **state)
{
    answer before[QUERIES], after[QUERIES];
    (void)state;
    write_all();
    read_all(before);
    const uint32_t operations = collect(recorders[0]);
    assert_true(harness_begin(&h));
    const VkrEndInfo info = {
        .commandBuffer = h.cmd, .timestamps = pool, .firstQuery = BEFORE, .queryCount = operations};
    assert_int_equal(vkrEnd(recorders[0], &info), VKR_ERROR_INVALID_ARGUMENT);
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    read_all(after);
    check_same(before, after, 0, QUERIES);
}

static void test_messages(void **state)
{
    (void)state;
    assert_int_equal(h.validation_messages, 0);
}

/* ---- Life ---- */

static int open_all(void **state)
{
    const VkrRecorderInfo info = {0};
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = QUERIES};
    VkQueueFamilyProperties families[8];
    uint32_t count = 8;
    (void)state;
    vkGetPhysicalDeviceQueueFamilyProperties(h.physical_device, &count, families);
    valid_bits = families[h.family].timestampValidBits;
    if (valid_bits == 0) {
        print_message("# the queue has no timestamps\n");
        return 1;
    }
    if (!harness_context(&h, NULL, &context) || !harness_create_buffer(&h, 4 * COUNT, &input) ||
        !harness_create_buffer(&h, 1024 + 4 * COUNT, &output) ||
        vkCreateQueryPool(h.device, &queries, NULL, &pool) != VK_SUCCESS)
        return 1;
    for (uint32_t i = 0; i < COUNT; i++)
        ((uint32_t *)input.data)[i] = i * 2654435761u;
    for (uint32_t i = 0; i < 2; i++)
        if (!harness_check(&h, vkrCreateRecorder(context, &info, &recorders[i]),
                           "vkrCreateRecorder"))
            return 1;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        vkrDestroyRecorder(recorders[i]);
    vkrDestroyContext(context);
    vkDestroyQueryPool(h.device, pool, NULL);
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    return 0;
}

HARNESS_MAIN(h, "timestamps", open_all, close_all, cmocka_unit_test(test_names),
             cmocka_unit_test(test_two_recorders), cmocka_unit_test(test_nothing),
             cmocka_unit_test(test_refused), cmocka_unit_test(test_messages))
