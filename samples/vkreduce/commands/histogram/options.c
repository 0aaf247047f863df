/* SPDX-License-Identifier: MIT */
#include "commands/histogram/histogram.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(histogram_options, name)

static const char *algorithm_word(uint32_t index)
{
    return vkrHistogramAlgorithmName((VkrHistogramAlgorithm)index);
}

static const char *const meanings[VKR_HISTOGRAM_ALGORITHM_COUNT] = {
    [VKR_HISTOGRAM_AUTO] = "the best for the device; supports every valid request",
    [VKR_HISTOGRAM_SHARED] = "each workgroup counts in shared memory, in several copies",
    [VKR_HISTOGRAM_GLOBAL] = "atomics on the counts in memory",
    [VKR_HISTOGRAM_LOCAL_ATOMICS] = "atomics on one copy in shared memory (Ramalho 2014)",
};

static const topic bins_topic = {
    .name = "Bins",
    .manual =
        "Bins are half-open: a bin includes its lower edge, and its upper edge belongs to the next "
        "bin. Without --range, the bins divide the data's own range, from its smallest number to "
        "its largest, which lies in the last bin. Data with infinite numbers needs --range. If all "
        "numbers are equal, the range is 0.5 wider on each side.\n"
        "For floats, each edge is the value nearest to the exact one, in the precision of the "
        "elements but at least f32. A quantile is interpolated inside its bin; it is NaN if no "
        "element lies in a bin.\n"
        "--json prints an object with counts, below, above, nan, quantiles and edges, or an array "
        "with such an object for each channel. With --weights, counts, below, above and nan are "
        "sums of weights."};

static const option_row rows[] = {
    ROW("bins", "N", OPTION_NUMBER, FIELD(bins), "the number of bins (1 to 65536)",
        .manual = "The number of bins, from 1 to 65,536. The bins are of equal width.", .min = 1,
        .max = VKR_MAX_BINS),
    ROW("range", "LO:HI", OPTION_TEXT, FIELD(range),
        "from LO up to but excluding HI (default: the data's own range)",
        .manual = "From LO up to HI, which is not included, instead of the data's own range. For "
                  "integers, both are whole numbers from -2^63 to 2^64, such as 0:256 for u8; for "
                  "floats, they may be any finite numbers."),
    ROW("log2", NULL, OPTION_FLAG, FIELD(log2), "bins of equal width in log2",
        .manual =
            "The logarithms of the edges are equally spaced. All bounds must be greater than 0."),
    ROW("edges", "FILE.npy", OPTION_PATH, FIELD(edges),
        "bins between the numbers in FILE, in ascending order",
        .manual =
            "N bins between N + 1 numbers of any type, none of which is less than the one before. "
            "Edges and elements are compared as exact numbers, whatever their types."),
    ROW("closed", NULL, OPTION_FLAG, FIELD(closed), "the last bin includes HI, or the last edge",
        .manual = "The last bin includes HI, or the last edge, as it always does in numpy."),
    ROW("quantiles", "Q,..", OPTION_TEXT, FIELD(quantiles),
        "the values below which these shares lie, such as 0.01,0.5",
        .manual =
            "The values below which these shares of the elements in bins lie. Each share is "
            "a number from 0 to 1. They lie within a bin of the right values; those of vkreduce "
            "select are exact."),
    ROW("weights", "FILE", OPTION_PATH, FIELD(weights),
        "a value for each element, which it counts in place of 1",
        .manual =
            "A value for each element, of a type of at most 32 bits, which the element counts in "
            "place of 1, in all its channels. Sums of integers are exact modulo 2^64; --json "
            "prints them as signed if the weights are signed. Floats are rounded to multiples of "
            "2^-B, ties to even, and clamped to the range from -2^(31 - B) to about 2^(31 - B); B "
            "is 16 unless --weight-bits gives another number, and NaN counts 0. Their sums are "
            "exact multiples of 2^-B, below 2^63 of them, and printed as the nearest f64. "
            "--quantiles needs sums that are not negative."),
    ROW("weight-bits", "B", OPTION_TEXT, FIELD(weight_bits),
        "float weights are multiples of 2^-B (0 to 31, default 16)",
        .manual = "Round float weights to multiples of 2^-B, with B from 0 to 31 (default 16)."),
    ROW("mask", "FILE", OPTION_PATH, FIELD(mask), "a value for each element, which counts if not 0",
        .manual = "A value for each element, which is left out if the value is 0: the results are "
                  "those of the other elements, and so is the data's own range."),
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the counts, as .npy; - is the standard output",
        .manual = "Write the counts as .npy: one row for each channel, if there are several. They "
                  "are u64; sums of --weights are i64 if these are signed, and f64 if they are "
                  "floats." STANDARD_OUTPUT),
    ROW("plot", "FILE.png", OPTION_PATH, FIELD(plot), "a picture of the histogram, by gnuplot",
        .manual = "Write a picture of the histogram, which gnuplot draws." STANDARD_OUTPUT),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(texel_rows, FIELD(texels)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command histogram_command = {
    .name = "histogram",
    .operands = "INPUT --bins N",
    .summary = "how many elements lie in each bin, and quantiles",
    .description = "Counts the elements in each of up to 65,536 bins, for each component or "
                   "channel, and also those below all bins, those above all bins, and NaN. Finds "
                   "the values below which given shares of the elements in bins lie.",
    .examples = {"vkreduce histogram picture.png --bins 256 --range 0:256 --plot histogram.png",
                 "vkreduce histogram data.npy --bins 100 --quantiles 0.01,0.5,0.99 -o counts.npy"},
    .topics = {&input_topic, &type_topic, &bins_topic, &map_topic},
    .min_operands = 1,
    .max_operands = 1,
    .options_size = sizeof(histogram_options),
    .options = rows,
    .algorithms = {algorithm_word, meanings, VKR_HISTOGRAM_ALGORITHM_COUNT, 13},
    .run = histogram_run};
