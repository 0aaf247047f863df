/* SPDX-License-Identifier: MIT */
/*
 * The runner's command line, with one word per line. The commands themselves are replaced by the
 * part of each that reads operands and values, without files and without a device.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/bin/bin.h"
#include "commands/compact/compact.h"
#include "commands/devices/devices.h"
#include "commands/find/find.h"
#include "commands/histogram/histogram.h"
#include "commands/pyramid/pyramid.h"
#include "commands/reduce/reduce.h"
#include "commands/scan/scan.h"
#include "commands/tune/tune.h"
#include "input/number.h"
#include "options.h"
#include "said.h"

#define MAX_WORD_COUNT 24
#define MAX_ELEMENT_COUNT 1000u

int runner_main(int argc, char **argv); /* samples/vkreduce/main.c */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    EXPECT(freopen("/dev/null", "w", stdout) != NULL, "help has nowhere to go");
    return 0;
}

/* ---- What commands get ---- */

void check_operands(const operands *given, uint32_t min, uint32_t max)
{
    EXPECT(given->count >= min && given->count <= max, "%u operands", given->count);
    for (uint32_t i = 0; i < given->count; i++)
        EXPECT(given->words[i] != NULL, "operand %u", i);
}

void check_data(const data_options *opts)
{
    EXPECT(opts->input.type < VKR_TYPE_COUNT && opts->input.components <= VKR_MAX_COMPONENTS,
           "type or components");
    EXPECT(opts->task.repeat <= 1000000, "repeat");
}

static void check_sums(uint32_t accumulator, uint32_t determinism, uint32_t nan)
{
    EXPECT(accumulator < VKR_TYPE_COUNT && determinism <= VKR_DETERMINISM_DEVICE &&
               nan <= VKR_NAN_SKIP,
           "words");
}

static bool is_random(const char *name)
{
    return strncmp(name, "random:", strlen("random:")) == 0;
}

/* The two types of floats of 16 bits. */
typedef struct half {
    uint32_t fraction, infinity;
    int least; /* the exponent of the smallest number */
} half;
static const half f16 = {10, 0x7c00, -24}, bf16 = {7, 0x7f80, -133};

/* A float without its sign, from its bits; infinity counts as the next power of two. */
static double half_value(const half *of, uint32_t bits)
{
    const uint32_t hidden = 1u << of->fraction;
    return bits < hidden ? ldexp(bits, of->least)
                         : ldexp(hidden + bits % hidden, (int)(bits / hidden) - 1 + of->least);
}

/* Checks that no other float is nearer to a value, and that the float is even if another one is
 * equally near. */
static void check_half(const half *of, double value, const unsigned char bytes[2])
{
    const uint32_t infinity = of->infinity;
    const uint32_t bits = ((uint32_t)bytes[1] & 0x7f) << 8 | bytes[0];
    const double magnitude = fabs(value), error = fabs(magnitude - half_value(of, bits));
    if (isnan(value)) {
        EXPECT(bits > infinity, "NaN becomes 0x%04x", bits);
        return;
    }
    EXPECT((bytes[1] >> 7) == (signbit(value) != 0), "the sign of %a", value);
    EXPECT(bits == infinity || (bits < infinity && magnitude < half_value(of, infinity)),
           "%a becomes 0x%04x", value, bits);
    for (uint32_t other = bits == 0 ? 1 : bits - 1; other <= bits + 1; other += 2) {
        const double far = fabs(magnitude - half_value(of, other));
        EXPECT(other > infinity || isinf(value) || error < far || (error == far && bits % 2 == 0),
               "%a becomes 0x%04x", value, bits);
    }
}

/* Parses a constant, and checks its bits. */
static int try_constant(const char *text, VkrType type)
{
    VkrConstant constant;
    unsigned char bits[8], expected[8] = {0};
    memset(bits, 0xaa, sizeof bits);
    int status = parse_constant("--initial", text, type, &constant);
    if (!said_right(status))
        return status;
    constant_bits(type, constant, bits);
    if (type == VKR_TYPE_F64)
        memcpy(expected, &constant.f, 8);
    else if (type == VKR_TYPE_F32)
        memcpy(expected, &(float){(float)constant.f}, 4);
    else if (type == VKR_TYPE_F16)
        check_half(&f16, constant.f, memcpy(expected, bits, 2));
    else if (type == VKR_TYPE_BF16)
        check_half(&bf16, constant.f, memcpy(expected, bits, 2));
    else
        memcpy(expected, &constant.u, vkrTypeSize(type));
    EXPECT(memcmp(bits, expected, vkrTypeSize(type)) == 0, "--initial %s", text);
    for (size_t i = vkrTypeSize(type); i < sizeof bits; i++)
        EXPECT(bits[i] == 0xaa, "byte %zu of %s is written", i, vkrTypeName(type));
    return status;
}

int try_segments(const char *text, const char *axis, segments_of of, const input *in,
                 const input_options *opts)
{
    const uint64_t count = in->count;
    segments s;
    uint32_t bits[MAX_ELEMENT_COUNT / 32 + 1];
    if (text != NULL && (strncmp(text, "flags:", 6) == 0 || strncmp(text, "offsets:", 8) == 0))
        return STATUS_DONE;
    int status = axes_open(&s, of, text, axis, in, opts);
    if (said_right(status) && text != NULL && of == SEGMENTS_OF_SCAN)
        for (uint64_t first = 0; first < count && first < 3 * MAX_ELEMENT_COUNT;
             first += MAX_ELEMENT_COUNT)
            (void)said_right(segments_load(
                &s, first, count - first < MAX_ELEMENT_COUNT ? count - first : MAX_ELEMENT_COUNT,
                bits));
    segments_close(&s);
    return status;
}

int try_input(const input_options *opts, const char *name, input *in)
{
    unsigned char values[64];
    *in = (input){.file = -1};
    if (!is_random(name))
        return fail(STATUS_USAGE, "%s: there are no files here", name);
    int status = input_open(in, name, opts);
    if (!said_right(status))
        return status;
    const uint64_t element = (uint64_t)vkrTypeSize(in->type) * in->components;
    EXPECT(in->components >= 1 && in->components <= 4 && in->stride % vkrTypeSize(in->type) == 0,
           "components or stride");
    EXPECT(in->count == 0 || (in->offset <= in->size && in->size - in->offset >= element &&
                              (in->size - in->offset - element) / in->stride + 1 == in->count),
           "%llu elements", (unsigned long long)in->count);
    if (in->count > 0)
        (void)said_right(input_load(in, in->count - 1, 1, values));
    return status;
}

/* ---- Commands ---- */

int devices_run(const operands *given, const void *options)
{
    (void)options;
    check_operands(given, 0, 0);
    return STATUS_DONE;
}

int tune_run(const operands *given, const void *options)
{
    const tune_options *opts = options;
    check_operands(given, 0, 0);
    EXPECT(opts->type < VKR_TYPE_COUNT, "type");
    return STATUS_DONE;
}

int reduce_run(const operands *given, const void *options)
{
    const reduce_options *opts = options;
    input in;
    const uint32_t skipped = opts->operator_file == NULL; /* operands before INPUT */
    check_operands(given, 1 + skipped, 1 + 2 * skipped);
    check_data(&opts->data);
    check_sums(opts->accumulator, opts->determinism, opts->nan);
    EXPECT(opts->data.algorithm < VKR_REDUCE_ALGORITHM_COUNT && opts->texels.map < MAP_END,
           "words");
    int status = try_input(&opts->data.input, given->words[skipped], &in);
    if (status == STATUS_DONE)
        status =
            try_segments(opts->segments, opts->axis, SEGMENTS_OF_REDUCE, &in, &opts->data.input);
    input_close(&in);
    return status;
}

int scan_run(const operands *given, const void *options)
{
    const scan_options *opts = options;
    input in;
    const uint32_t skipped = opts->operator_file == NULL;
    check_operands(given, 1 + skipped, 1 + skipped);
    check_data(&opts->data);
    check_sums(opts->accumulator, opts->determinism, opts->nan);
    EXPECT(opts->data.algorithm < VKR_SCAN_ALGORITHM_COUNT, "algorithm");
    int status = try_input(&opts->data.input, given->words[skipped], &in);
    if (status == STATUS_DONE && opts->initial != NULL)
        status = try_constant(opts->initial, in.type);
    if (status == STATUS_DONE)
        status = try_segments(opts->segments, opts->axis, SEGMENTS_OF_SCAN, &in, &opts->data.input);
    input_close(&in);
    return status;
}

int compact_run(const operands *given, const void *options)
{
    const compact_options *opts = options;
    VkrPredicate p;
    const char *flags;
    input in;
    const uint32_t skipped = opts->predicate == NULL;
    check_operands(given, 1 + skipped, 1 + skipped);
    check_data(&opts->data);
    EXPECT(opts->data.algorithm < VKR_COMPACT_ALGORITHM_COUNT, "algorithm");
    int status = try_input(&opts->data.input, given->words[skipped], &in);
    if (status == STATUS_DONE && skipped)
        status = predicate_parse(given->words[0], &in, &p, &flags);
    input_close(&in);
    return status;
}

int find_run(const operands *given, const void *options)
{
    const find_options *opts = options;
    VkrPredicate p;
    const char *flags;
    input in;
    check_operands(given, 2, 2);
    check_data(&opts->data);
    int status = try_input(&opts->data.input, given->words[1], &in);
    if (status == STATUS_DONE)
        status = predicate_parse(given->words[0], &in, &p, &flags);
    input_close(&in);
    return status;
}

int bin_run(const operands *given, const void *options)
{
    const bin_options *opts = options;
    input in;
    check_operands(given, 1, 1);
    check_data(&opts->data);
    EXPECT(opts->bins <= VKR_MAX_BIN_COUNT, "bins");
    const int status = try_input(&opts->data.input, given->words[0], &in);
    input_close(&in);
    return status;
}

/* Checks that bins are as the header requires. */
static void check_bins(const histogram_request *j)
{
    const VkrBins *bins = &j->used;
    EXPECT(bins->count >= 1 && bins->count <= j->bins && j->bins <= VKR_MAX_BINS, "%u bins",
           bins->count);
    for (uint32_t k = 0; k < j->bins && j->edges != NULL; k++)
        EXPECT(j->edges[k] <= j->edges[k + 1], "edge %u", k + 1);
    for (uint32_t i = 0; i < j->share_count; i++)
        EXPECT(j->shares[i] >= 0.0 && j->shares[i] <= 1.0, "share %u", i);
    if (bins->kind == VKR_BINS_EDGES || j->own_range)
        return;
    EXPECT(isfinite(bins->low.value) && isfinite(bins->high.value) &&
               (bins->low.value < bins->high.value || bins->low.integer < bins->high.integer),
           "bounds");
}

int histogram_run(const operands *given, const void *options)
{
    const histogram_options *opts = options;
    histogram_request j = {.opts = opts};
    check_operands(given, 1, 1);
    check_data(&opts->data);
    EXPECT(opts->data.algorithm < VKR_HISTOGRAM_ALGORITHM_COUNT && opts->texels.map < MAP_END,
           "words");
    int status = histogram_check_options(opts);
    if (status == STATUS_DONE)
        status = try_input(&opts->data.input, given->words[0], &j.in);
    if (status == STATUS_DONE && opts->edges != NULL && !is_random(opts->edges))
        status = fail(STATUS_USAGE, "%s: there are no files here", opts->edges);
    if (status == STATUS_DONE && (status = histogram_bins(&j)) == STATUS_DONE)
        check_bins(&j);
    input_close(&j.in);
    free(j.given);
    free(j.edges);
    return status;
}

int pyramid_run(const operands *given, const void *options)
{
    const pyramid_options *opts = options;
    input in;
    check_operands(given, 2, 2);
    EXPECT(opts->data.algorithm < VKR_PYRAMID_ALGORITHM_COUNT && opts->data.task.repeat <= 1000000,
           "words");
    const int status = try_input(&(input_options){0}, given->words[1], &in);
    input_close(&in);
    return status;
}

/* ---- The command line ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[MAX_WORD_COUNT + 1] = {strdup("vkreduce")};
    char *argv[MAX_WORD_COUNT + 1];
    int argc = 1;
    while (size > 0 && argc < MAX_WORD_COUNT) {
        const uint8_t *end = memchr(data, '\n', size);
        const fuzz_bytes word = {data, end != NULL ? (size_t)(end - data) : size};
        words[argc++] = fuzz_text(&word);
        size -= word.left + (end != NULL);
        data += word.left + (end != NULL);
    }
    memcpy(argv, words, sizeof argv); /* the program reorders argv */
    said_nothing();
    (void)said_right(runner_main(argc, argv));
    for (int i = 0; i < argc; i++)
        free(words[i]);
    return 0;
}
