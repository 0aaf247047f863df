/* SPDX-License-Identifier: MIT */
#include "commands/bin/bin.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(bin_options, name)

static const option_row rows[] = {
    ROW("bins", "N", OPTION_NUMBER, FIELD(bins), "the number of bins, from 1 to 4096",
        .manual = "The number of bins, from 1 to 4096. An element of N or more is in no bin.",
        .min = 1, .max = VKR_MAX_BIN_COUNT),
    ROW("counts", "FILE", OPTION_PATH, FIELD(counts),
        "the size of each bin, as .npy; - is the standard output",
        .manual = "Write the number of elements in each bin as .npy, as N u32." STANDARD_OUTPUT
                  " The same holds for the other outputs, of which only one can be -."),
    ROW("offsets", "FILE", OPTION_PATH, FIELD(offsets), "where each bin starts in the indices",
        .manual = "Write where each bin starts in the list of --indices, and at the end the number "
                  "of all elements in bins: N + 1 u32."),
    ROW("indices", "FILE", OPTION_PATH, FIELD(indices), "the indices of the elements, bin by bin",
        .manual = "Write the indices of the elements as u32: those of the first bin, then those of "
                  "the second one, and so on, each in the order of the input."),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command bin_command = {
    .name = "bin",
    .operands = "INPUT --bins N",
    .summary = "the elements of each bin, by a counting sort of small numbers",
    .description =
        "Puts elements into bins: an element that is b is in bin b. Elements are u8, u16 or u32. "
        "Prints how many elements each bin has and how many are outside, and writes the "
        "counts, where bins start, and the list of the elements of each bin. histogram counts "
        "ranges of values of any type.\n"
        "All data must fit the device at once.",
    .examples = {"vkreduce bin cells.npy --bins 1024 --offsets starts.npy --indices particles.npy",
                 "vkreduce bin picture.png --bins 256 --counts counts.npy --verify"},
    .topics = {&input_topic, &type_topic},
    .min_operands = 1,
    .max_operands = 1,
    .options_size = sizeof(bin_options),
    .options = rows,
    .refused = {{"chunk", "bin needs all data at once"}},
    .algorithms = ONLY_AUTO,
    .run = bin_run};
