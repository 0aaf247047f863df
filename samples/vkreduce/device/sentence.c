/* SPDX-License-Identifier: MIT */
#include "device/sentence.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include "status.h"

/* What fields are called on the command line. An entry matches at the start of a word; the first
 * one that matches counts. One that ends in a letter must also end where a word ends. */
static const struct {
    const char *field, *option;
} phrases[] = {
    {"device is ", "--device is "},
    {"choose another device", "choose another --device"},
    {"vkrGetHostDevices names", "vkreduce devices lists"},
    {"algorithm is ", "--algorithm is "},
    {"determinism is ", "--determinism is "},
    {"determinism must", "--determinism must"},
    {"accumulator is ", "--accumulator is "},
    {"nan is ", "--nan is "},
    {"ops has ", "OP is "},
    {"ops is ", "OP is "},
    {"op is ", "OP is "},
    {"of profile", "of --profile"},
    {"must be undefined, ", "must be left out, "},
    {"must be undefined or ", "must be left out or "},
    {"input.type is ", "INPUT is "},
    {"input.image is NULL", "--as-image is not given"},
    {"input.image is given", "--as-image is given"},
    {"setLayout is VK_NULL_HANDLE, but must be the layout of set 1, since the module has ",
     "there are no buffers and images for the functions, but they have "},
    {"monoid is given", "--operator is given"},
    {"monoid.hook->name is wrong: ", "--operator is wrong: "},
    {"monoid.combine is wrong: ", "--operator is wrong: "},
    {"monoid.identity is wrong: ", "--operator is wrong: "},
    {"monoid.finish is wrong: ", "--operator is wrong: "},
    {"input.map.hook is given", "--map names a function"},
    {"input.map.hook->name is ", "--map needs a function "},
    {"input2.map.hook->name is ", "--map needs a function "},
    {"predicate.flags.hook is given", "--predicate is given"},
    {"predicate.flags.hook->name is ", "--predicate needs a function "},
    {"input.map", "--map"},
    {"input.components", "--components"},
    {"input.stride", "--stride"},
    {"keys.type is ", "INPUT is "},
    {"sorted.type is ", "SORTED is "},
    {"values.type is ", "VALUES is "},
    {"segments.keys.type is ", "the file of --by or --runs has "},
    {"segments.keys", "--by or --runs"},
    {"segments.runs.lengths", "--counts"},
    {"segments.runs.uniqueKeys", "--keys"},
    {"segments.kind is keys", "--by or --runs is given"},
    {"beginBit", "LO of --bits"},
    {"endBit", "HI of --bits"},
    {"segments.kind is none", "--segments is not given"},
    {"segments.kind is tiles", "--tiles is given"},
    {"segments.kind", "--segments"},
    {"segments.length", "LEN of --segments"},
    {"segments.tileWidth", "W of --tiles"},
    {"segments.tileHeight", "H of --tiles"},
    {"bins.kind is log2", "--log2 is given"},
    {"bins.kind", "the kind of bins"},
    {"bins.low.value", "LO of --range"},
    {"bins.high.value", "HI of --range"},
    {"bins.low", "LO of --range"},
    {"bins.high", "HI of --range"},
    {"bins.count", "--bins"},
    {"stream.blockScan", "--block-scan"},
    {"stream.block", "--block"},
    {"stream.search", "--search"},
    {"stream.concatenation", "--concat"},
    {"runLengths.buffer must then be VK_NULL_HANDLE", "--run-lengths must then be left out"},
    {"runLengths", "--run-lengths"},
    {"keptIndices", "--indices"},
    {"rejectedIndices", "--rejected-indices"},
    {"gpuCount", "--count-on-gpu"},
    {"weightFraction", "--weight-bits"},
    {"weights.type is ", "--weights has "},
    {"weights", "--weights"},
    {"mask", "--mask"},
    {"flags has VKR_REDUCE_SAMPLE_BIT", "--sample is given"},
    {"flags has VKR_SCAN_REVERSE_BIT", "--reverse is given"},
    {"VKR_REDUCE_SAMPLE_BIT", "--sample"},
    {"VKR_SCAN_REVERSE_BIT", "--reverse"},
    {"VKR_SCAN_EXCLUSIVE_BIT", "--exclusive"},
    {"VKR_HISTOGRAM_CLOSED_BIT", "--closed"},
    {"VKR_DETERMINISM_", ""},
    {"VKR_NAN_", ""},
    {"VKR_OP_", ""},
    {"VKR_TYPE_", ""},
    {"VKR_SEGMENTS_", ""},
    {"VKR_COMPARE_", ""},
    {"VKR_", ""},
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of a phrase that matches; otherwise 0. */
static size_t match(const char *at, const char *field)
{
    const size_t length = strlen(field);
    if (strncmp(at, field, length) != 0)
        return 0;
    return isalpha((unsigned char)field[length - 1]) && is_word(at[length]) ? 0 : length;
}

/* Skips the name of a function at the start. */
static const char *skip_call(const char *message)
{
    size_t length = 0;
    while (is_word(message[length]))
        length++;
    return strncmp(message, "vkr", 3) == 0 && strncmp(message + length, ": ", 2) == 0
               ? message + length + 2
               : message;
}

/* The length of a number in parentheses: the value of the constant that precedes it. */
static size_t skip_value(const char *at)
{
    if (at[0] != ' ' || at[1] != '(')
        return 0;
    const size_t digits = strspn(at + 2, "0123456789");
    return digits > 0 && at[2 + digits] == ')' ? digits + 3 : 0;
}

/* A text that grows as far as its size allows. */
typedef struct writer {
    char *text;
    size_t size, used;
} writer;

static void put(writer *w, char c)
{
    if (w->used + 1 < w->size)
        w->text[w->used++] = c;
    w->text[w->used] = '\0';
}

/* Writes the rest of a constant's name as words, such as "device"; returns its end. */
static const char *put_constant(writer *w, const char *at)
{
    for (; is_word(*at); at++)
        put(w, *at == '_' ? '-' : (char)tolower((unsigned char)*at));
    return at;
}

/* Writes what a phrase or a constant at this place becomes; returns its end. */
static const char *put_phrase(writer *w, const char *at)
{
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        const char *field = phrases[i].field, *option = phrases[i].option;
        const bool is_constant = option[0] == '\0';
        if (is_constant ? strncmp(at, field, strlen(field)) != 0 : match(at, field) == 0)
            continue;
        at += strlen(field);
        for (; *option != '\0'; option++)
            put(w, *option);
        return is_constant ? put_constant(w, at) : at;
    }
    return at;
}

void sentence_of_options(const char *message, char *text, size_t size)
{
    writer w = {text, size, 0};
    char before = ' ';
    text[0] = '\0';
    for (const char *at = skip_call(message); *at != '\0';) {
        const bool starts = !is_word(before) && before != '.' && before != '-';
        const char *next = starts ? put_phrase(&w, at) : at;
        if (next == at && strcmp(at, ".") != 0)
            put(&w, *at);
        next += next == at;
        before = w.used > 0 ? text[w.used - 1] : ' ';
        at = next + skip_value(next);
    }
}

/* ---- Statuses ---- */

int gpu_check(VkResult result, const char *call)
{
    if (result == VK_SUCCESS)
        return STATUS_DONE;
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY
               ? fail(STATUS_VULKAN, "%s failed: out of device memory", call)
               : fail(STATUS_VULKAN, "%s failed with VkResult %d", call, (int)result);
}

int gpu_result_status(VkrResult result)
{
    switch (result) {
    case VKR_SUCCESS:
        return STATUS_DONE;
    case VKR_ERROR_INVALID_ARGUMENT:
    case VKR_ERROR_UNSUPPORTED:
        return STATUS_USAGE;
    default:
        return STATUS_VULKAN;
    }
}

int gpu_status(VkrResult result)
{
    const int status = gpu_result_status(result);
    if (status == STATUS_DONE || has_failed())
        return status;
    return fail(status, "the library failed without a reason (result %d)", (int)result);
}
