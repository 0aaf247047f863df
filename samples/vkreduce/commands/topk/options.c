/* SPDX-License-Identifier: MIT */
#include "commands/topk/topk.h"
#include "commands/groups.h"
#include "input/number.h"
#include "status.h"

#define FIELD(name) offsetof(topk_options, name)

static const topic k_topic = {.name = "K",
                              .help = "the number of elements to find, from 1 to 65536",
                              .manual = "The number of elements to find, from 1 to 65536."};

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN[:PITCH]     runs of LEN elements, PITCH apart; without LEN, the rows of an "
            "array\n"
            "columns:LEN          element i of every LEN; without LEN, the columns of an array\n"
            "offsets:FILE.npy     offset i to offset i + 1, such as a CSR matrix's row pointers",
    .manual = "rows:LEN: runs of LEN elements, of which the last one may be shorter.\n"
              "rows:LEN:PITCH: the first LEN of each run of PITCH elements.\n"
              "columns:LEN: column i has element i of every LEN elements; LEN must divide their "
              "number. The outputs have LEN columns too. All data must fit the device.\n"
              "offsets:FILE.npy: from offset i to offset i + 1, such as the row pointers of a CSR "
              "matrix. Offsets are integers of 32 or 64 bits. All data must fit the device."};

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the elements found, as .npy; - is the standard output",
        .manual = "Write the elements as .npy: K of them, or all elements if there are fewer; with "
                  "--segments a row of them for each segment. If a segment has fewer elements "
                  "than entries, the others get the least value of the type (with --smallest the "
                  "greatest one), which is infinite if it is a float; the largest value of u32 or "
                  "u64 in --indices; and zeros in --payload." STANDARD_OUTPUT
                  " The same holds for --indices; only one of the two can be -."),
    ROW("indices", "FILE", OPTION_PATH, FIELD(indices), "the index of each of them in the input",
        .manual = "Write the index of each element in the input, as u32, or as u64 past 2^32 "
                  "elements. With --segments indices count from the start of the segment."),
    ROW("payload", "FILE:OUT", OPTION_LIST, FIELD(payloads),
        "write the entries of FILE that belong to the elements found to OUT",
        .manual = PAYLOAD_MANUAL),
    ROWS_OF(by_value_rows, FIELD(by_value)),
    ROW("smallest", NULL, OPTION_FLAG, FIELD(smallest), "the least elements, not the greatest"),
    ROW("segments", "WHERE", OPTION_TEXT, FIELD(segments),
        "K elements of each segment, not of all data"),
    ROW("axis", "AXIS", OPTION_TEXT, FIELD(axis), "K elements along an axis of an array",
        .manual = "Find K elements along an axis, at each position in the other axes; the "
                  "outputs have them in place of the axis. " AXIS_MANUAL ANY_AXIS_MANUAL),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

int topk_parse_k(const char *text, uint32_t *k)
{
    uint64_t number;
    if (!parse_count(text, 1, VKR_MAX_TOP_K, &number))
        return fail(STATUS_USAGE, "K is '%s'; it must be a whole number from 1 to %u", text,
                    VKR_MAX_TOP_K);
    *k = (uint32_t)number;
    return STATUS_DONE;
}

const command topk_command = {
    .name = "topk",
    .operands = "K INPUT [-o OUT.npy]",
    .summary = "the K greatest or least elements, in order",
    .description =
        "Finds the K greatest elements, the greatest first, or the least. Of equal elements those "
        "with the smallest indices are found, and come in the order of their indices. Floats are "
        "ordered as min and max order them: -0 is below +0. NaN is found only if there are fewer "
        "than K numbers.",
    .examples = {"vkreduce topk 10 data.npy -o greatest.npy --indices where.npy",
                 "vkreduce topk 100 distances.npy --smallest --indices nearest.npy",
                 "vkreduce topk 5 scores.npy -o best.npy --segments rows:1000"},
    .topics = {&k_topic, &input_topic, &segments_topic, &type_topic},
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(topk_options),
    .options = rows,
    .refused = {{"components", "topk needs one value for each element"}},
    .algorithms = ONLY_AUTO,
    .run = topk_run};
