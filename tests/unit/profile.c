/* SPDX-License-Identifier: MIT */
/* Tuning rows as text: they come back as they were written, change the geometry of what is
 * recorded, and whatever is wrong with them is refused with a sentence; fuzzed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define MOST_TEXT 4096
#define ROWS (8 * VKR_OPERATION_COUNT)
#define FUZZED 20000

/* The stub's device is all zero and has subgroups of 32. */
#define HEAD "vkreduce-profile 2\ndevice 0 0 0 32\n"
#define ROW "reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0\n"
#define SCAN_ROW "scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 256 1\n"

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

/* A sentence that quotes a line need not look like one. */
static void keep_sentence(void *data, VkrResult result, const char *sentence)
{
    assert_ptr_equal(data, &fixture);
    assert_true(strlen(sentence) < sizeof fixture.sentence);
    strcpy(fixture.sentence, sentence);
    fixture.result = result;
    fixture.sentences++;
}

/* A context with a profile of exactly so many bytes: not one more is its. */
static VkrResult load(const char *text, size_t size)
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

static void open_with(const char *text)
{
    if (load(text, strlen(text)) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    assert_int_equal(vkrCreateRecorder(fixture.context, &(VkrRecorderInfo){0}, &fixture.recorder),
                     VKR_SUCCESS);
}

static size_t write_rows(const VkrTuning *rows, uint32_t count, char text[MOST_TEXT])
{
    size_t needed;
    size_t size = MOST_TEXT;
    assert_int_equal(vkrWriteProfile(fixture.context, count, rows, &needed, NULL), VKR_SUCCESS);
    assert_int_equal(vkrWriteProfile(fixture.context, count, rows, &size, text), VKR_SUCCESS);
    assert_int_equal(size, needed);
    text[size] = '\0';
    return size;
}

static void get_rows(VkrTuning rows[ROWS])
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
    char text[MOST_TEXT];
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
    char text[MOST_TEXT];
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

/* Every field shows in what is recorded: 100,000 f32. */
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
        char text[MOST_TEXT];
        snprintf(text, sizeof text, HEAD "reduce 4 buffer %s 0 0\nend\n", rows[i].row);
        const trace_dispatch dispatch = dispatch_with(text, rows[i].algorithm);
        assert_int_equal(dispatch.constants[VKR_CONST_WORKGROUP], rows[i].workgroup);
        assert_int_equal(dispatch.groups[0], rows[i].groups);
        assert_int_equal(dispatch.constants[VKR_CONST_ORDER], rows[i].order);
        assert_int_equal(dispatch.constants[VKR_CONST_PATH], rows[i].path);
    }
}

/* ---- Refused ---- */

#define LINE(number, text) "vkrCreateContext: line " number " of profile is '" text "': "
#define NO_ROW                                                                                     \
    "a row must be an operation, a size, 'texels' or 'buffer', six numbers, an order, a path and " \
    "three numbers."
#define TWICE "there is a row for this operation, size and view already."
#define NO_START "a profile starts with 'vkreduce-profile 2'."
#define NO_DEVICE "it must be 'device' and four numbers."
#define NO_END "it must end with a newline, and the last line must be 'end'."
#define FOREIGN(device)                                                                            \
    "vkrCreateContext: profile is for " device ", but must be for this device: 0, 0, 0 and 32."
#define ONES_60 "111111111111111111111111111111111111111111111111111111111111"

/* A row with one field changed, and why it is refused. */
#define BAD_ROW(text, needs)                                                                       \
    {                                                                                              \
        HEAD text "\nend\n", VKR_ERROR_INVALID_ARGUMENT, LINE("3", text) needs                     \
    }

static const struct {
    const char *text;
    VkrResult result;
    const char *sentence;
} refused[] = {
    /* The head. */
    {"", VKR_ERROR_INVALID_ARGUMENT, LINE("1", "") NO_END},
    {"\n", VKR_ERROR_INVALID_ARGUMENT, LINE("1", "") NO_START},
    {"vkreduce-profile 1\ndevice 0 0 0 32\nend\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("1", "vkreduce-profile 1") NO_START},
    {"vkreduce-profile 3\ndevice 0 0 0 32\nend\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("1", "vkreduce-profile 3") NO_START},
    {"vkreduce-profile 2 \ndevice 0 0 0 32\nend\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("1", "vkreduce-profile 2 ") NO_START},
    {"vkreduce-profile 2\n", VKR_ERROR_INVALID_ARGUMENT, LINE("2", "") NO_END},
    {"vkreduce-profile 2\nend\n", VKR_ERROR_INVALID_ARGUMENT, LINE("2", "end") NO_DEVICE},
    {"vkreduce-profile 2\ndevice 0 0 0\nend\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("2", "device 0 0 0") NO_DEVICE},
    {"vkreduce-profile 2\ndevice 0 0 0 32 0\nend\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("2", "device 0 0 0 32 0") NO_DEVICE},
    {"vkreduce-profile 2\ndevices 0 0 0 32\nend\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("2", "devices 0 0 0 32") NO_DEVICE},
    /* Another device. */
    {"vkreduce-profile 2\ndevice 1 0 0 32\nend\n", VKR_ERROR_UNSUPPORTED,
     FOREIGN("vendor 1, device 0, driver build 0 and subgroups of 32")},
    {"vkreduce-profile 2\ndevice 0 7 0 32\nend\n", VKR_ERROR_UNSUPPORTED,
     FOREIGN("vendor 0, device 7, driver build 0 and subgroups of 32")},
    {"vkreduce-profile 2\ndevice 0 0 4294967295 32\nend\n", VKR_ERROR_UNSUPPORTED,
     FOREIGN("vendor 0, device 0, driver build 4294967295 and subgroups of 32")},
    {"vkreduce-profile 2\ndevice 0 0 0 64\nend\n", VKR_ERROR_UNSUPPORTED,
     FOREIGN("vendor 0, device 0, driver build 0 and subgroups of 64")},
    /* The end. */
    {HEAD, VKR_ERROR_INVALID_ARGUMENT, LINE("3", "") NO_END},
    {HEAD ROW, VKR_ERROR_INVALID_ARGUMENT, LINE("4", "") NO_END},
    {HEAD ROW "end", VKR_ERROR_INVALID_ARGUMENT, LINE("4", "end") NO_END},
    {HEAD "reduce 4 buffer 64 32 0 6", VKR_ERROR_INVALID_ARGUMENT,
     LINE("3", "reduce 4 buffer 64 32 0 6") NO_END},
    {HEAD "end\n" ROW, VKR_ERROR_INVALID_ARGUMENT,
     LINE("3", "end") "it must be the last one, but more follows."},
    {HEAD "end\n\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("3", "end") "it must be the last one, but more follows."},
    {HEAD "END\n", VKR_ERROR_INVALID_ARGUMENT, LINE("3", "END") NO_ROW},
    /* Bytes and lengths. */
    {"vkreduce-profile 2\r\ndevice 0 0 0 32\r\nend\r\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("1", "vkreduce-profile 2?") NO_START},
    {HEAD "end\r\n", VKR_ERROR_INVALID_ARGUMENT, LINE("3", "end?") NO_ROW},
    {HEAD "reduce\t4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0\nend\n",
     VKR_ERROR_INVALID_ARGUMENT,
     LINE("3", "reduce?4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0") NO_ROW},
    {HEAD "\x1b[31m\xff%s%n\nend\n", VKR_ERROR_INVALID_ARGUMENT, LINE("3", "?[31m?%s%n") NO_ROW},
    {HEAD "reduce 4 " ONES_60 ONES_60 ONES_60 "\nend\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("3", "reduce 4 111111111111111111111111111111111111111111111111111") "it is too long for "
                                                                               "a profile."},
    /* Rows. */
    {HEAD ROW ROW "end\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("4", "reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0") TWICE},
    BAD_ROW("", NO_ROW),
    BAD_ROW(" ", NO_ROW),
    BAD_ROW("reduce", NO_ROW),
    BAD_ROW("reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4", NO_ROW),
    BAD_ROW("reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4 0", NO_ROW),
    BAD_ROW("reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0 ", NO_ROW),
    BAD_ROW("reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0 x", NO_ROW),
    BAD_ROW("reduce  4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0", NO_ROW),
    BAD_ROW("scans 4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0", NO_ROW),
    BAD_ROW("reduce 4 buffer 64 32 0 64 4096 9 sideways element 4 0 0", NO_ROW),
    BAD_ROW("reduce 4 buffer 64 32 0 64 4096 9 contiguous vec3 4 0 0", NO_ROW),
    BAD_ROW("reduce 4 image 64 32 0 64 4096 9 contiguous element 4 0 0", NO_ROW),
    BAD_ROW("reduce 4 buffer -64 32 0 64 4096 9 contiguous element 4 0 0", NO_ROW),
    BAD_ROW("reduce 4 buffer 0x40 32 0 64 4096 9 contiguous element 4 0 0", NO_ROW),
    BAD_ROW("reduce 4 buffer 64.0 32 0 64 4096 9 contiguous element 4 0 0", NO_ROW),
    BAD_ROW("reduce 4 buffer 4294967360 32 0 64 99 5 coalesced vec4 4 0 0", NO_ROW),
    {HEAD "reduce 4 buffer 0 2 0 1 64 18446744073709551680 coalesced u64 4 0 0\nend\n",
     VKR_ERROR_INVALID_ARGUMENT,
     LINE("3", "reduce 4 buffer 0 2 0 1 64 18446744073709551680 coalesced u6") NO_ROW},
    BAD_ROW("reduce 3 buffer 64 32 0 64 4096 9 contiguous element 4 0 0",
            "valueSize must be 1, 2, 4 or 8."),
    BAD_ROW("reduce 16 buffer 64 32 0 64 4096 9 contiguous element 4 0 0",
            "valueSize must be 1, 2, 4 or 8."),
    BAD_ROW("reduce 4 buffer 48 32 0 64 4096 9 contiguous element 4 0 0",
            "workgroupSize must be 0 or a power of two up to 1024."),
    BAD_ROW("reduce 4 buffer 64 1 0 64 4096 9 contiguous element 4 0 0",
            "treeWorkgroupSize must be a power of two from 2 to 1024."),
    BAD_ROW("reduce 4 buffer 64 32 0 8192 4096 9 contiguous element 4 0 0",
            "minBytes must not exceed maxBytes."),
    BAD_ROW("scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 x 1", NO_ROW),
    BAD_ROW("scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 256 no", NO_ROW),
    BAD_ROW("scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 256 -1", NO_ROW),
    BAD_ROW("scan 4 buffer 64 32 0 64 4096 9 coalesced u64 4 4294967296 1", NO_ROW),
    BAD_ROW("scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 65537 1",
            "tileBytes must be at most 65536."),
    BAD_ROW("scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 256 2",
            "lookBack must be VK_TRUE or VK_FALSE."),
    {HEAD SCAN_ROW ROW SCAN_ROW "end\n", VKR_ERROR_INVALID_ARGUMENT,
     LINE("5", "scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 256 1") TWICE},
};

TEST(test_refused)
{
    for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
        const VkrResult result = load(refused[i].text, strlen(refused[i].text));
        assert_said(result, refused[i].result, refused[i].sentence);
        assert_null(fixture.context);
        trace_close();
    }
}

/* A file is refused wherever it is cut off, and a zero byte does not end it. */
TEST(test_torn)
{
    static const char whole[] = HEAD ROW SCAN_ROW "end\n";
    char text[sizeof whole];
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        assert_int_equal(load(whole, size), VKR_ERROR_INVALID_ARGUMENT);
        assert_int_equal(fixture.sentences, 1);
        trace_close();
    }
    for (size_t i = 0; i < sizeof whole - 1; i++) {
        memcpy(text, whole, sizeof whole);
        text[i] = '\0';
        assert_int_equal(load(text, sizeof whole - 1), VKR_ERROR_INVALID_ARGUMENT);
        assert_int_equal(fixture.sentences, 1);
        trace_close();
    }
    assert_int_equal(load(whole, sizeof whole), VKR_ERROR_INVALID_ARGUMENT);
    trace_close();
    assert_int_equal(load(whole, sizeof whole - 1), VKR_SUCCESS);
    trace_close();
}

/* ---- What cannot be written or asked for ---- */

/* field, value, what tunings[0] lacks */
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
        assert_said(vkrWriteProfile(fixture.context, 1, &rows[1], &size, NULL),                    \
                    VKR_ERROR_INVALID_ARGUMENT,                                                    \
                    "vkrWriteProfile: tunings[0] is not valid: " needs ".");                       \
        rows[0].valueSize = 8;                                                                     \
        assert_said(vkrWriteProfile(fixture.context, 2, rows, &size, NULL),                        \
                    VKR_ERROR_INVALID_ARGUMENT,                                                    \
                    "vkrWriteProfile: tunings[1] is not valid: " needs ".");                       \
    }
    BAD_FIELDS(CHECK)
    trace_close();
}

TEST(test_calls)
{
    const VkrTuning twice[2] = {tuning, tuning};
    VkrTuning found;
    char text[MOST_TEXT];
    size_t size = 10;
    trace_open(&(trace_device){0});
    memset(text, 'x', sizeof text);
    assert_int_equal(vkrWriteProfile(NULL, 1, &tuning, &size, text), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrGetTuning(NULL, VKR_OPERATION_REDUCE, 4, VK_FALSE, &found),
                     VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fixture.sentences, 0);
    assert_said(vkrWriteProfile(fixture.context, 1, &tuning, NULL, text),
                VKR_ERROR_INVALID_ARGUMENT,
                "vkrWriteProfile: size is NULL, but must point to a size_t.");
    assert_said(vkrWriteProfile(fixture.context, 3, NULL, &size, text), VKR_ERROR_INVALID_ARGUMENT,
                "vkrWriteProfile: tunings is NULL, but must point to tuningCount (3) rows.");
    assert_said(vkrWriteProfile(fixture.context, 2, twice, &size, text), VKR_ERROR_INVALID_ARGUMENT,
                "vkrWriteProfile: tunings[1] is for reduce of 4 bytes (buffer), but tunings[0] is "
                "too; only one of them can be given.");
    const size_t needed = strlen(HEAD ROW "end\n");
    size = needed - 1;
    assert_int_equal(vkrWriteProfile(fixture.context, 1, &tuning, &size, text),
                     VKR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(fixture.sentence, "vkrWriteProfile: *size is 97, but must be at least "
                                             "98 for 1 rows."));
    assert_int_equal(size, needed - 1);
    assert_int_equal(text[0], 'x');
    size = needed;
    assert_int_equal(vkrWriteProfile(fixture.context, 1, &tuning, &size, text), VKR_SUCCESS);
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

/* ---- Fuzzed ---- */

static const char *const words[] = {
    "reduce", "scan", "end",     "end\n",      "device",    "texels",     "buffer",
    "vec4",   "u64",  "0",       "1",          "coalesced", "contiguous", "65536",
    "1024",   " ",    "\n",      "4294967296", "8",         "2",          "\r\n",
    HEAD,     ROW,    "compact", "65537",
};

/* Replaces some bytes by a word, by a byte, or by nothing. */
static size_t mutate(uint64_t *random, char *text, size_t size)
{
    char byte[2] = {(char)random_below(random, 256), 0};
    const char *piece = byte;
    size_t added = 1;
    const size_t at = random_below(random, size + 1);
    size_t gone = random_below(random, 3) == 0 ? random_below(random, size - at + 1)
                                               : random_below(random, 4);
    if (random_below(random, 3) != 0) {
        piece = words[random_below(random, ARRAY_SIZE(words))];
        added = strlen(piece);
        gone = random_below(random, 2) != 0 && at < size ? strcspn(text + at, " \n") : gone;
    }
    gone = gone > size - at ? size - at : gone;
    added = random_below(random, 8) == 0 ? 0 : added;
    if (size - gone + added >= MOST_TEXT)
        return size;
    memmove(text + at + added, text + at + gone, size - at - gone);
    memcpy(text + at, piece, added);
    text[size - gone + added] = '\0';
    return size - gone + added;
}

/* Checks that a profile that loads is valid, and is written as it was read. */
static void assert_loaded(void)
{
    VkrTuning rows[ROWS];
    VkrTuning again[ROWS];
    char text[MOST_TEXT];
    assert_int_equal(fixture.sentences, 0);
    get_rows(rows);
    write_rows(rows, ROWS, text);
    trace_close();
    open_with(text);
    get_rows(again);
    assert_memory_equal(rows, again, sizeof rows);
}

TEST(test_fuzzed)
{
    uint64_t random = 1;
    uint32_t loaded = 0;
    uint32_t foreign = 0;
    for (uint32_t i = 0; i < FUZZED; i++) {
        char text[MOST_TEXT] = HEAD ROW "scan 8 texels 0 2 0 1 16 1 coalesced u64 4 0 0\nend\n";
        size_t size = strlen(text);
        for (uint64_t k = random_below(&random, 3) + 1; k > 0; k--)
            size = mutate(&random, text, size);
        const VkrResult result = load(text, size);
        if (result == VKR_SUCCESS) {
            assert_loaded();
            loaded++;
        } else {
            assert_int_equal(fixture.sentences, 1);
            assert_true(result == VKR_ERROR_INVALID_ARGUMENT || result == VKR_ERROR_UNSUPPORTED);
            foreign += result == VKR_ERROR_UNSUPPORTED;
        }
        trace_close();
    }
    print_message("# %u of %u mutated profiles load, %u are of another device\n", loaded, FUZZED,
                  foreign);
    assert_true(loaded > FUZZED / 100 && loaded < FUZZED / 2);
    assert_true(foreign > FUZZED / 1000);
}

TEST_MAIN("profile", CASE(test_text), CASE(test_round_trip), CASE(test_geometry),
          CASE(test_refused), CASE(test_torn), CASE(test_fields), CASE(test_calls),
          CASE(test_fuzzed))
