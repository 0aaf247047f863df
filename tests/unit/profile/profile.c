/* SPDX-License-Identifier: MIT */
/* Tuning rows as text: they are read as they were written, and change the geometry of what is
 * recorded; what cannot be written or asked for is refused. */
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const VkrTuning tuning = {
    .operation = VKR_OPERATION_REDUCE,
    .valueSize = 4,
    .workgroupSize = 64,
    .treeWorkgroupSize = 32,
    .minBytes = 64,
    .maxBytes = 4096,
    .maxGroups = 9,
    .order = VKR_LOAD_CONTIGUOUS,
    .path = VKR_LOAD_ELEMENT,
    .flight = 4,
};

/* A sentence that quotes a line of a profile may contain anything, so this callback does not check
 * how it looks. */
static void keep_sentence(void *data, VkrResult result, const char *sentence)
{
    assert_ptr_equal(data, &fixture);
    assert_true(strlen(sentence) < sizeof fixture.sentence);
    strcpy(fixture.sentence, sentence);
    fixture.result = result;
    fixture.sentences++;
}

VkrResult load(const char *text, size_t size)
{
    char *copy = malloc(size + (size == 0));
    assert_non_null(copy);
    memcpy(copy, text, size);
    trace_describe(&(trace_device){0});
    fixture.info.profile = copy;
    fixture.info.profileSize = size;
    fixture.info.message = keep_sentence;
    const VkrResult result = vkrCreateContext(&fixture.info, &fixture.context);
    free(copy);
    return result;
}

void open_with(const char *text)
{
    if (load(text, strlen(text)) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    assert_int_equal(vkrCreateRecorder(fixture.context, &(VkrRecorderInfo){0}, &fixture.recorder),
                     VKR_SUCCESS);
}

size_t write_rows(const VkrTuning *rows, uint32_t count, char text[MAX_TEXT])
{
    size_t needed;
    size_t size = MAX_TEXT;
    assert_int_equal(
        vkrWriteProfile(fixture.context, &(VkrProfile){count, rows, 0, NULL}, &needed, NULL),
        VKR_SUCCESS);
    assert_int_equal(
        vkrWriteProfile(fixture.context, &(VkrProfile){count, rows, 0, NULL}, &size, text),
        VKR_SUCCESS);
    assert_int_equal(size, needed);
    text[size] = '\0';
    return size;
}

void get_rows(VkrTuning rows[ROWS])
{
    for (uint32_t i = 0; i < ROWS; i++)
        assert_int_equal(vkrGetTuning(fixture.context, (VkrOperation)(i / 8), 1u << (i % 4),
                                      i % 8 >= 4, &rows[i]),
                         VKR_SUCCESS);
}

/* ---- There and back ---- */

TEST(test_text)
{
    VkrTuning rows[2] = {tuning, tuning};
    char text[MAX_TEXT];
    trace_open(&(trace_device){0});
    write_rows(&tuning, 1, text);
    assert_string_equal(text, HEAD ROW "end\n");
    rows[1].operation = VKR_OPERATION_SCAN;
    rows[1].tileBytes = 256;
    rows[1].lookBack = VK_TRUE;
    write_rows(rows, 2, text);
    assert_string_equal(text, HEAD ROW SCAN_ROW "end\n");
    write_rows(NULL, 0, text);
    assert_string_equal(text, HEAD "end\n");
    trace_close();
}

/* Each field differs from row to row as far as it can. */
static VkrTuning make_row(uint32_t i)
{
    const uint32_t column = i % 8;
    return (VkrTuning){
        .operation = (VkrOperation)(i / 8),
        .valueSize = 1u << (i % 4),
        .texels = column >= 4,
        .workgroupSize = column == 0 ? 0 : 1u << (10 - column),
        .treeWorkgroupSize = 2u << column,
        .oneGroupBytes = 1000 * i,
        .minBytes = 1 + i,
        .maxBytes = 65536 - i,
        .maxGroups = 65536 >> column,
        .order = (VkrLoadOrder)(i % VKR_LOAD_ORDER_COUNT),
        .path = (VkrLoadPath)(column < 4 ? column % VKR_LOAD_TEXEL : 7 - column),
        .flight = i + 1,
        .tileBytes = 65536 - 1000 * i,
        .lookBack = i / 2 % 2,
    };
}

TEST(test_round_trip)
{
    const uint32_t first = 7, count = 10; /* of three operations */
    VkrTuning built_in[ROWS];
    VkrTuning rows[ROWS];
    VkrTuning found[ROWS];
    char text[MAX_TEXT];
    open_with(HEAD "end\n");
    get_rows(built_in);
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = make_row(i);
    write_rows(rows, ROWS, text);
    trace_close();
    open_with(text);
    get_rows(found);
    assert_memory_equal(found, rows, sizeof rows);
    write_rows(&rows[first], count, text);
    trace_close();
    /* Where the profile has no row, the built-in one stays. */
    open_with(text);
    get_rows(found);
    memcpy(&built_in[first], &rows[first], count * sizeof rows[0]);
    assert_memory_equal(found, built_in, sizeof rows);
    trace_close();
}

static trace_dispatch dispatch_with(const char *text, VkrReduceAlgorithm algorithm)
{
    VkrReduceInfo info = plain_reduce();
    info.input.size = 400000;
    info.algorithm = algorithm;
    open_with(text);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    const trace_dispatch dispatch = fixture.dispatches[0];
    trace_close();
    return dispatch;
}

/* The workgroup sizes, bytes, groups, order and path of a row change what is recorded for 100,000
 * f32. */
TEST(test_geometry)
{
    static const struct {
        const char *row;
        VkrReduceAlgorithm algorithm;
        uint32_t workgroup, groups, order, path;
    } rows[] = {
        {"64 128 0 64 4096 500 contiguous element 4", VKR_REDUCE_AUTO, 64, 98, VKR_ORDER_CONTIGUOUS,
         VKR_PATH_ELEMENT},
        {"32 128 0 64 4096 500 contiguous element 4", VKR_REDUCE_AUTO, 32, 196,
         VKR_ORDER_CONTIGUOUS, VKR_PATH_ELEMENT},
        {"0 128 0 64 4096 500 contiguous element 4", VKR_REDUCE_AUTO, 32, 196, VKR_ORDER_CONTIGUOUS,
         VKR_PATH_ELEMENT},
        {"64 128 0 4000 4096 500 contiguous element 4", VKR_REDUCE_AUTO, 64, 2,
         VKR_ORDER_CONTIGUOUS, VKR_PATH_ELEMENT},
        {"64 128 0 64 4096 10 contiguous element 4", VKR_REDUCE_AUTO, 64, 10, VKR_ORDER_CONTIGUOUS,
         VKR_PATH_ELEMENT},
        {"64 128 0 64 256 10 contiguous element 4", VKR_REDUCE_AUTO, 64, 25, VKR_ORDER_CONTIGUOUS,
         VKR_PATH_ELEMENT},
        {"64 128 0 64 4096 500 coalesced element 4", VKR_REDUCE_AUTO, 64, 98, VKR_ORDER_COALESCED,
         VKR_PATH_ELEMENT},
        {"64 128 0 64 4096 500 coalesced vec4 4", VKR_REDUCE_AUTO, 64, 98, VKR_ORDER_COALESCED,
         VKR_PATH_WIDE},
        {"64 128 0 64 4096 500 coalesced element 4", VKR_REDUCE_TREE, 128, 782, VKR_ORDER_COALESCED,
         VKR_PATH_ELEMENT},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char text[MAX_TEXT];
        snprintf(text, sizeof text, HEAD "reduce 4 buffer %s 0 0\nend\n", rows[i].row);
        const trace_dispatch dispatch = dispatch_with(text, rows[i].algorithm);
        assert_int_equal(dispatch.constants[VKR_CONST_WORKGROUP], rows[i].workgroup);
        assert_int_equal(dispatch.groups[0], rows[i].groups);
        assert_int_equal(dispatch.constants[VKR_CONST_ORDER], rows[i].order);
        assert_int_equal(dispatch.constants[VKR_CONST_PATH], rows[i].path);
    }
}

/* ---- What cannot be written or asked for ---- */

/* field, wrong value, what the sentence says */
#define BAD_FIELDS(X)                                                                              \
    X(operation, VKR_OPERATION_COUNT, "operation must be one of VkrOperation")                     \
    X(operation, (VkrOperation)-1, "operation must be one of VkrOperation")                        \
    X(valueSize, 0, "valueSize must be 1, 2, 4 or 8")                                              \
    X(valueSize, 3, "valueSize must be 1, 2, 4 or 8")                                              \
    X(valueSize, 16, "valueSize must be 1, 2, 4 or 8")                                             \
    X(workgroupSize, 96, "workgroupSize must be 0 or a power of two up to 1024")                   \
    X(workgroupSize, 2048, "workgroupSize must be 0 or a power of two up to 1024")                 \
    X(treeWorkgroupSize, 0, "treeWorkgroupSize must be a power of two from 2 to 1024")             \
    X(treeWorkgroupSize, 1, "treeWorkgroupSize must be a power of two from 2 to 1024")             \
    X(treeWorkgroupSize, 2048, "treeWorkgroupSize must be a power of two from 2 to 1024")          \
    X(minBytes, 0, "minBytes must be at least 1")                                                  \
    X(minBytes, 4097, "minBytes must not exceed maxBytes")                                         \
    X(maxBytes, 15, "maxBytes must be 16 to 262144")                                               \
    X(maxBytes, 262145, "maxBytes must be 16 to 262144")                                           \
    X(maxGroups, 0, "maxGroups must be 1 to 65536")                                                \
    X(maxGroups, 65537, "maxGroups must be 1 to 65536")                                            \
    X(order, VKR_LOAD_ORDER_COUNT, "order must be one of VkrLoadOrder")                            \
    X(order, (VkrLoadOrder)-1, "order must be one of VkrLoadOrder")                                \
    X(path, VKR_LOAD_PATH_COUNT, "path must be one of VkrLoadPath")                                \
    X(path, VKR_LOAD_TEXEL, "path must not be texel without texels")                               \
    X(flight, 0, "flight must be 1 to 32")                                                         \
    X(flight, 33, "flight must be 1 to 32")                                                        \
    X(texels, 2, "texels must be VK_TRUE or VK_FALSE")                                             \
    X(tileBytes, 65537, "tileBytes must be at most 65536")                                         \
    X(tileBytes, UINT32_MAX, "tileBytes must be at most 65536")                                    \
    X(lookBack, 2, "lookBack must be VK_TRUE or VK_FALSE")                                         \
    X(lookBack, UINT32_MAX, "lookBack must be VK_TRUE or VK_FALSE")

TEST(test_fields)
{
    size_t size = 0;
    trace_open(&(trace_device){0});
#define CHECK(field, value, needs)                                                                 \
    {                                                                                              \
        VkrTuning rows[2] = {tuning, tuning};                                                      \
        rows[1].field = value;                                                                     \
        assert_said(                                                                               \
            vkrWriteProfile(fixture.context, &(VkrProfile){1, &rows[1], 0, NULL}, &size, NULL),    \
            VKR_ERROR_INVALID_ARGUMENT,                                                            \
            "vkrWriteProfile: profile->tunings[0] is not valid: " needs ".");                      \
        rows[0].valueSize = 8;                                                                     \
        assert_said(                                                                               \
            vkrWriteProfile(fixture.context, &(VkrProfile){2, rows, 0, NULL}, &size, NULL),        \
            VKR_ERROR_INVALID_ARGUMENT,                                                            \
            "vkrWriteProfile: profile->tunings[1] is not valid: " needs ".");                      \
    }
    BAD_FIELDS(CHECK)
    trace_close();
}

TEST(test_calls)
{
    const VkrTuning twice[2] = {tuning, tuning};
    VkrTuning found;
    char text[MAX_TEXT];
    size_t size = 10;
    trace_open(&(trace_device){0});
    memset(text, 'x', sizeof text);
    assert_int_equal(vkrWriteProfile(NULL, &(VkrProfile){1, &tuning, 0, NULL}, &size, text),
                     VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrGetTuning(NULL, VKR_OPERATION_REDUCE, 4, VK_FALSE, &found),
                     VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fixture.sentences, 0);
    assert_said(vkrWriteProfile(fixture.context, &(VkrProfile){1, &tuning, 0, NULL}, NULL, text),
                VKR_ERROR_INVALID_ARGUMENT,
                "vkrWriteProfile: size is NULL, but must point to a size_t.");
    assert_said(
        vkrWriteProfile(fixture.context, &(VkrProfile){3, NULL, 0, NULL}, &size, text),
        VKR_ERROR_INVALID_ARGUMENT,
        "vkrWriteProfile: profile->tunings is NULL, but must point to tuningCount (3) rows.");
    assert_said(vkrWriteProfile(fixture.context, &(VkrProfile){2, twice, 0, NULL}, &size, text),
                VKR_ERROR_INVALID_ARGUMENT,
                "vkrWriteProfile: profile->tunings[1] is for reduce of 4 bytes (buffer), but "
                "profile->tunings[0] is too; only one of them can be given.");
    const size_t needed = strlen(HEAD ROW "end\n");
    size = needed - 1;
    assert_int_equal(
        vkrWriteProfile(fixture.context, &(VkrProfile){1, &tuning, 0, NULL}, &size, text),
        VKR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(fixture.sentence, "vkrWriteProfile: *size is 97, but must be at least "
                                             "98 for 1 rows and 0 policies."));
    assert_int_equal(size, needed - 1);
    assert_int_equal(text[0], 'x');
    size = needed;
    assert_int_equal(
        vkrWriteProfile(fixture.context, &(VkrProfile){1, &tuning, 0, NULL}, &size, text),
        VKR_SUCCESS);
    assert_int_equal(text[needed], 'x');
    fixture.sentences = 0;
    assert_said(vkrGetTuning(fixture.context, VKR_OPERATION_REDUCE, 4, VK_FALSE, NULL),
                VKR_ERROR_INVALID_ARGUMENT,
                "vkrGetTuning: tuning is NULL, but must point to a VkrTuning.");
    assert_said(vkrGetTuning(fixture.context, VKR_OPERATION_COUNT, 4, VK_FALSE, &found),
                VKR_ERROR_INVALID_ARGUMENT, "vkrGetTuning: operation is 3, but must be 0 to 2.");
    for (uint32_t bad = 0; bad < 17; bad += bad == 0 ? 3 : 13)
        assert_int_equal(vkrGetTuning(fixture.context, VKR_OPERATION_REDUCE, bad, VK_FALSE, &found),
                         VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(fixture.sentence,
                        "vkrGetTuning: valueSize is 16, but must be 1, 2, 4 or 8.");
    trace_close();
}

TEST_MAIN("profile", CASE(test_text), CASE(test_round_trip), CASE(test_geometry),
          CASE(test_refused), CASE(test_torn), CASE(test_fields), CASE(test_calls),
          CASE(test_policies), CASE(test_refused_policies), CASE(test_fuzzed))
