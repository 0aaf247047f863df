/* SPDX-License-Identifier: MIT */
#include "commands/expand/expand.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(expand_options, name)

static const topic counts_topic = {
    .name = "COUNTS",
    .help = "an INPUT of integers from 0 on: how many outputs each element has",
    .manual = "An INPUT of integers from 0 to 4294967295: how many outputs each element has."};

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the element of each output, as .npy; - is the standard output",
        .manual = "Write which element each output comes from, as u32." STANDARD_OUTPUT
                  " The same holds for the other outputs, of which only one can be -."),
    ROW("ranks", "FILE", OPTION_PATH, FIELD(ranks), "its number among those of the element",
        .manual = "Write the number of each output among those of its element, from 0 on, as u32."),
    ROW("payload", "FILE:OUT", OPTION_LIST, FIELD(payloads),
        "repeat the entries of FILE in the same way, and write them to OUT",
        .manual =
            PAYLOAD_MANUAL " With it -o is not needed. All payloads must fit the device, too."),
    ROW("capacity", "N", OPTION_NUMBER, FIELD(capacity),
        "write no more than N outputs, but count all", .min = 1, .max = UINT32_MAX / 2),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command expand_command = {
    .name = "expand",
    .operands = "COUNTS [-o OUT.npy]",
    .summary = "each element as often as a count says",
    .description =
        "Repeats elements: element i of COUNTS, which is n, has n outputs. Writes the index i of "
        "each output's element, its rank from 0 to n - 1, and entries of other files, which are "
        "repeated in the same way. It is the inverse of run-length encoding: the values and the "
        "lengths that compact unique --run-lengths writes give the data again.\n"
        "All data must fit the device at once, and there may be at most 2147483648 outputs.",
    .examples = {"vkreduce expand tiles-of-splats.npy -o splats.npy --ranks tiles.npy",
                 "vkreduce expand lengths.npy --payload values.npy:data.npy --verify"},
    .topics = {&counts_topic, &input_topic, &type_topic},
    .min_operands = 1,
    .max_operands = 1,
    .options_size = sizeof(expand_options),
    .options = rows,
    .refused = {{"components", "expand needs one value for each element"},
                {"chunk", "expand needs all data at once"}},
    .algorithms = ONLY_AUTO,
    .run = expand_run};
