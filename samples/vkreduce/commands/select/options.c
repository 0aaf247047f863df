/* SPDX-License-Identifier: MIT */
#include "commands/groups.h"
#include "commands/select/select.h"

#define FIELD(name) offsetof(select_options, name)

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN[:PITCH]     runs of LEN elements, PITCH apart; without LEN, the rows of an "
            "array\n"
            "offsets:FILE.npy     offset i to offset i + 1, such as a CSR matrix's row pointers",
    .manual = "rows:LEN: runs of LEN elements, of which the last one may be shorter.\n"
              "rows:LEN:PITCH: the first LEN of each run of PITCH elements.\n"
              "offsets:FILE.npy: from offset i to offset i + 1, such as the row pointers of a CSR "
              "matrix. Offsets are integers of 32 or 64 bits. Each segment must have elements."};

static const option_row rows[] = {
    ROW("ranks", "R,..", OPTION_TEXT, FIELD(ranks), "the elements at these positions of a sort",
        .manual = "Find the elements that a stable sort would put at these positions, counted "
                  "from 0, in the order in which they are named. There may be up to 256; each must "
                  "be below the number of elements of the shortest segment."),
    ROW("quantiles", "Q,..", OPTION_TEXT, FIELD(quantiles),
        "those at these shares of it, 0 to 1; 0.5 is the median",
        .manual = "Find the elements at rank Q (n - 1), rounded down, of n elements, as "
                  "numpy.quantile does with method='lower'. Q is from 0 to 1: 0.5 is the median, "
                  "or the lower one of the two in the middle. It is rounded up to a multiple of "
                  "2^-31 first. There may be up to 256."),
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the elements found, as .npy; - is the standard output",
        .manual = "Write the elements as .npy, one for each number; with --segments a row of them "
                  "for each segment." STANDARD_OUTPUT
                  " The same holds for --indices; only one of the two can be -."),
    ROW("indices", "FILE", OPTION_PATH, FIELD(indices), "the index of each of them in the input",
        .manual = "Write the index of each element in the input, as u32. With --segments indices "
                  "count from the start of the segment."),
    ROW("descending", NULL, OPTION_FLAG, FIELD(descending), "rank 0 is the greatest element"),
    ROW("nan-first", NULL, OPTION_FLAG, FIELD(nan_first), "NaN comes first, not last"),
    ROW("segments", "WHERE", OPTION_TEXT, FIELD(segments), "of each segment, not of all data"),
    ROW("axis", "AXIS", OPTION_TEXT, FIELD(axis), "along an axis of an array",
        .manual = "Find elements along an axis, at each position in the other axes; the outputs "
                  "have them in place of the axis. " AXIS_MANUAL LAST_AXIS_MANUAL),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command select_command = {
    .name = "select",
    .operands = "INPUT (--ranks R,.. | --quantiles Q,..) [-o OUT.npy]",
    .summary = "elements of given ranks, exact quantiles",
    .description =
        "Finds the elements that a sort would put at given positions, without sorting. Results "
        "are exact, while those of histogram --quantiles are within a bin. The order is that of "
        "sort: -0 is below +0, and NaN comes last. All data must fit the device at once.",
    .examples = {"vkreduce select data.npy --quantiles 0.01,0.5,0.99",
                 "vkreduce select data.npy --ranks 0,100 -o found.npy --indices where.npy",
                 "vkreduce select stack.npy --quantiles 0.5 --segments rows:1000 -o medians.npy"},
    .topics = {&input_topic, &segments_topic, &type_topic},
    .min_operands = 1,
    .max_operands = 1,
    .options_size = sizeof(select_options),
    .options = rows,
    .refused = {{"components", "select needs one value for each element"},
                {"chunk", "a selection by ranks needs all data at once"}},
    .algorithms = ONLY_AUTO,
    .run = select_run};
