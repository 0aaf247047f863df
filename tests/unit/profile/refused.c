/* SPDX-License-Identifier: MIT */
/* Wrong profiles are refused with a sentence: with one wrong line, cut off, and fuzzed. */
#include "profile.h"

#include <string.h>

#define FUZZED 20000

#define LINE(number, text) "vkrCreateContext: line " number " of profile is '" text "': "
#define NO_ROW                                                                                     \
    "a row must be an operation, a size, 'texels' or 'buffer', six numbers, an order, a path and " \
    "three numbers."
#define TWICE "there is already a row for this operation, size and view."
#define NO_START "a profile starts with 'vkreduce-profile 2'."
#define NO_DEVICE "it must be 'device' and four numbers."
#define NO_END "it must end with a newline, and the last line must be 'end'."
#define FOREIGN(device)                                                                            \
    "vkrCreateContext: profile is for " device ", but must be for this device: 0, 0, 0 and 32."
#define ONES_60 "111111111111111111111111111111111111111111111111111111111111"

/* A text that is not valid; and a profile with one row, which is not valid. */
#define INVALID(text, sentence)                                                                    \
    {                                                                                              \
        text, VKR_ERROR_INVALID_ARGUMENT, sentence                                                 \
    }
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
    INVALID("", LINE("1", "") NO_END),
    INVALID("\n", LINE("1", "") NO_START),
    INVALID("vkreduce-profile 1\ndevice 0 0 0 32\nend\n", LINE("1", "vkreduce-profile 1") NO_START),
    INVALID("vkreduce-profile 3\ndevice 0 0 0 32\nend\n", LINE("1", "vkreduce-profile 3") NO_START),
    INVALID("vkreduce-profile 2 \ndevice 0 0 0 32\nend\n",
            LINE("1", "vkreduce-profile 2 ") NO_START),
    INVALID("vkreduce-profile 2\n", LINE("2", "") NO_END),
    INVALID("vkreduce-profile 2\nend\n", LINE("2", "end") NO_DEVICE),
    INVALID("vkreduce-profile 2\ndevice 0 0 0\nend\n", LINE("2", "device 0 0 0") NO_DEVICE),
    INVALID("vkreduce-profile 2\ndevice 0 0 0 32 0\nend\n",
            LINE("2", "device 0 0 0 32 0") NO_DEVICE),
    INVALID("vkreduce-profile 2\ndevices 0 0 0 32\nend\n", LINE("2", "devices 0 0 0 32") NO_DEVICE),
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
    INVALID(HEAD, LINE("3", "") NO_END),
    INVALID(HEAD ROW, LINE("4", "") NO_END),
    INVALID(HEAD ROW "end", LINE("4", "end") NO_END),
    INVALID(HEAD "reduce 4 buffer 64 32 0 6", LINE("3", "reduce 4 buffer 64 32 0 6") NO_END),
    INVALID(HEAD "end\n" ROW, LINE("3", "end") "it must be the last one, but more follows."),
    INVALID(HEAD "end\n\n", LINE("3", "end") "it must be the last one, but more follows."),
    INVALID(HEAD "END\n", LINE("3", "END") NO_ROW),
    /* Bytes and lengths. */
    INVALID("vkreduce-profile 2\r\ndevice 0 0 0 32\r\nend\r\n",
            LINE("1", "vkreduce-profile 2?") NO_START),
    INVALID(HEAD "end\r\n", LINE("3", "end?") NO_ROW),
    INVALID(HEAD "reduce\t4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0\nend\n",
            LINE("3", "reduce?4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0") NO_ROW),
    INVALID(HEAD "\x1b[31m\xff%s%n\nend\n", LINE("3", "?[31m?%s%n") NO_ROW),
    INVALID(
        HEAD "reduce 4 " ONES_60 ONES_60 ONES_60 "\nend\n",
        LINE("3",
             "reduce 4 111111111111111111111111111111111111111111111111111") "it is too long for "
                                                                             "a profile."),
    /* Rows. */
    INVALID(HEAD ROW ROW "end\n",
            LINE("4", "reduce 4 buffer 64 32 0 64 4096 9 contiguous element 4 0 0") TWICE),
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
    INVALID(HEAD "reduce 4 buffer 0 2 0 1 64 18446744073709551680 coalesced u64 4 0 0\nend\n",
            LINE("3", "reduce 4 buffer 0 2 0 1 64 18446744073709551680 coalesced u6") NO_ROW),
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
    INVALID(HEAD SCAN_ROW ROW SCAN_ROW "end\n",
            LINE("5", "scan 4 buffer 64 32 0 64 4096 9 contiguous element 4 256 1") TWICE),
};

EXTERN_TEST(test_refused)
{
    for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
        const VkrResult result = load(refused[i].text, strlen(refused[i].text));
        assert_said(result, refused[i].result, refused[i].sentence);
        assert_null(fixture.context);
        trace_close();
    }
}

/* A profile is refused if it is cut off anywhere, or has a zero byte anywhere. */
EXTERN_TEST(test_torn)
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
    const size_t at = (size_t)random_below(random, size + 1);
    size_t gone = (size_t)random_below(random, random_below(random, 3) == 0 ? size - at + 1 : 4);
    if (random_below(random, 3) != 0) {
        piece = words[random_below(random, ARRAY_SIZE(words))];
        added = strlen(piece);
        gone = random_below(random, 2) != 0 && at < size ? strcspn(text + at, " \n") : gone;
    }
    gone = gone > size - at ? size - at : gone;
    added = random_below(random, 8) == 0 ? 0 : added;
    if (size - gone + added >= MAX_TEXT)
        return size;
    memmove(text + at + added, text + at + gone, size - at - gone);
    memcpy(text + at, piece, added);
    text[size - gone + added] = '\0';
    return size - gone + added;
}

/* Checks that the rows of a profile that was accepted can be written, and are read again as they
 * were. */
static void assert_loaded(void)
{
    VkrTuning rows[ROWS];
    VkrTuning again[ROWS];
    char text[MAX_TEXT];
    assert_int_equal(fixture.sentences, 0);
    get_rows(rows);
    write_rows(rows, ROWS, text);
    trace_close();
    open_with(text);
    get_rows(again);
    assert_memory_equal(rows, again, sizeof rows);
}

EXTERN_TEST(test_fuzzed)
{
    uint64_t random = 1;
    uint32_t loaded = 0;
    uint32_t foreign = 0;
    for (uint32_t i = 0; i < FUZZED; i++) {
        char text[MAX_TEXT] = HEAD ROW "scan 8 texels 0 2 0 1 16 1 coalesced u64 4 0 0\nend\n";
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
