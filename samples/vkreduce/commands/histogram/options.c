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
        "Bins are half-open: a bin has its lower edge, and its upper edge belongs to the next one. "
        "Without --range they lie in the data's own range, from its least number to its greatest, "
        "which lies in the last bin; infinite numbers make no range. Where all numbers are equal, "
        "the range is half of 1 wider on both sides.\n"
        "Edges of floats are those nearest to the exact ones, in the precision of the elements, "
        "but at least f32. A quantile is interpolated inside its bin; of nothing it is NaN.\n"
        "--json prints an object of counts, below, above, nan, quantiles and edges, or an array "
        "with one for each channel, and --output gets the counts as u64, in a row for each "
        "channel."};

static const option_row rows[] = {
    ROW("bins", "N", OPTION_NUMBER, FIELD(bins), "the number of bins (1 to 65536)",
        .manual = "The number of bins, from 1 to 65,536, which are as wide as each other.",
        .min = 1, .max = VKR_MAX_BINS),
    ROW("range", "LO:HI", OPTION_TEXT, FIELD(range),
        "from LO up to, not with, HI (default: the data's own range)",
        .manual = "From LO up to HI, which is not included, in place of the data's own range. For "
                  "integers they are whole numbers from -2^63 to 2^64, such as 0:256 for u8; for "
                  "floats they are any finite numbers."),
    ROW("log2", NULL, OPTION_FLAG, FIELD(log2), "bins as wide as each other in log2",
        .manual = "The logarithms of edges are as far apart as each other. All bounds must be "
                  "greater than 0."),
    ROW("edges", "FILE.npy", OPTION_PATH, FIELD(edges), "bins between these numbers, which ascend",
        .manual = "Bins between N + 1 numbers of any type, of which none is less than the one "
                  "before. They are compared with elements as exact numbers, whatever the type of "
                  "either, as numpy.histogram means to do."),
    ROW("closed", NULL, OPTION_FLAG, FIELD(closed),
        "HI, or the last edge, lies in the last bin too",
        .manual = "HI, or the last edge, lies in the last bin too, as always in numpy."),
    ROW("quantiles", "Q,..", OPTION_TEXT, FIELD(quantiles),
        "the values that these shares lie below, such as 0.01,0.5",
        .manual = "The values that these shares of the elements in bins, from 0 to 1, lie below."),
    ROW("output", "FILE", OPTION_PATH, FIELD(output), "the counts, as .npy"),
    ROW("plot", "FILE.png", OPTION_PATH, FIELD(plot), "a picture of the histogram, by gnuplot"),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(texel_rows, FIELD(texels)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command histogram_command = {
    .name = "histogram",
    .operands = "INPUT --bins N",
    .summary = "how many elements lie in each bin, and quantiles",
    .description =
        "Counts the elements in each of up to 65,536 bins, for each component or channel, and "
        "those "
        "below all bins, above all bins, and NaN; finds the values that given shares of the "
        "elements in bins lie below.",
    .examples = {"vkreduce histogram picture.png --bins 256 --range 0:256 --plot histogram.png",
                 "vkreduce histogram data.npy --bins 100 --quantiles 0.01,0.5,0.99 -o counts.npy"},
    .topics = {&input_topic, &type_topic, &bins_topic},
    .min_operands = 1,
    .max_operands = 1,
    .options_size = sizeof(histogram_options),
    .options = rows,
    .algorithms = {algorithm_word, meanings, VKR_HISTOGRAM_ALGORITHM_COUNT, 13},
    .run = histogram_run};
