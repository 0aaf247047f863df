/* SPDX-License-Identifier: MIT */
#include "commands/sort/sort.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(sort_options, name)

static const char *algorithm_word(uint32_t index)
{
    return vkrSortAlgorithmName((VkrSortAlgorithm)index);
}

static const char *const meanings[VKR_SORT_ALGORITHM_COUNT] = {
    [VKR_SORT_AUTO] = "the best for the device; supports every valid request",
    [VKR_SORT_THREE_PASS] = "radix sort: counts, a scan and a scatter for each digit",
    [VKR_SORT_ONE_WORKGROUP] = "one workgroup sorts all elements, or a segment, in shared memory",
    [VKR_SORT_BITONIC] = "for comparison: a dispatch for each large stride of a bitonic sort",
    [VKR_SORT_ONESWEEP] = "radix sort: one pass over memory for each digit, with look-back",
};

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN[:PITCH]     runs of LEN elements, PITCH apart; without LEN, the rows of an "
            "array\n"
            "columns:LEN          element i of every LEN; without LEN, the columns of an array\n"
            "offsets:FILE.npy     where segments start",
    .manual = "rows:LEN: runs of LEN elements, of which the last one may be shorter.\n"
              "rows:LEN:PITCH: the first LEN of each run of PITCH elements; what the outputs have "
              "between them is 0.\n"
              "columns:LEN: column i has element i of every LEN elements; LEN must divide their "
              "number.\n"
              "offsets:FILE.npy: the elements where segments start, as integers of 32 or 64 bits."};

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the elements in order, as .npy; - is the standard output",
        .manual = "Write the elements in their order as .npy." STANDARD_OUTPUT
                  " The same holds for --indices; only one of the two can be -."),
    ROW("indices", "FILE", OPTION_PATH, FIELD(indices),
        "the index of each of them in the input; enough without -o",
        .manual = "Write the index of each element in the input, as u32: an arg-sort, which needs "
                  "no -o. With --segments indices count from the start of the segment."),
    ROW("payload", "FILE:OUT", OPTION_LIST, FIELD(payloads),
        "move the entries of FILE in the same way, and write them to OUT",
        .manual = PAYLOAD_MANUAL " With it -o is not needed."),
    ROW("descending", NULL, OPTION_FLAG, FIELD(descending),
        "greater elements first; NaN is last all the same",
        .manual = "Greater elements come first. Equal elements keep their order, and NaN is last "
                  "all the same, unless --nan-first is given."),
    ROW("nan-first", NULL, OPTION_FLAG, FIELD(nan_first), "NaN comes first, not last",
        .manual = "NaN comes first, ascending or descending. NaN keep their bits, which order them "
                  "among themselves, so that equal ones meet."),
    ROWS_OF(by_value_rows, FIELD(by_value)),
    ROW("then", "FILE[:WORD]", OPTION_LIST, FIELD(then),
        "keys that decide among equal elements; WORD: descending, ..",
        .manual = "FILE has a key for each element, in any of the formats of INPUT, which decides "
                  "the order of elements that are equal otherwise. The option may be given up to 3 "
                  "times: the keys of the second file decide where those of the first are equal, "
                  "too. Each has an order of its own: the words descending, nan-first and by-value "
                  "may follow FILE, each after a colon. All data must then fit the device."),
    ROW("bits", "LO:HI", OPTION_TEXT, FIELD(bits),
        "compare bits LO to HI - 1 of integers, and no others",
        .manual = "Compare bits LO to HI - 1 of integers, and no others, as an unsigned number; "
                  "the highest bit of a signed type is inverted, so that negative numbers come "
                  "first. Bit 0 is the lowest."),
    ROW("segments", "WHERE", OPTION_TEXT, FIELD(segments), "sort each segment by itself"),
    ROW("axis", "AXIS", OPTION_TEXT, FIELD(axis), "sort the elements along an axis of an array",
        .manual =
            "Sort the elements along an axis, as sort of NumPy does with axis=AXIS; the outputs "
            "keep the shape of the array. " AXIS_MANUAL ANY_AXIS_MANUAL),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command sort_command = {
    .name = "sort",
    .operands = "INPUT -o OUT.npy",
    .summary = "the elements in order, or their indices",
    .description =
        "Sorts numbers, and writes them or their indices. The sort is stable: equal elements keep "
        "their order. Floats are ordered as min and max order them: -0 comes before +0. NaN come "
        "last (--nan-first: first), in the order of their bits, and keep these.\n"
        "Data that does not fit the device, with the results and a copy of both, is sorted in "
        "chunks, whose runs lie in temporary files until merges of pairs have made one of them; "
        "segments and --bits need all data at once.",
    .examples = {"vkreduce sort data.npy -o sorted.npy --verify",
                 "vkreduce sort keys.npy --payload prices.npy:sorted-prices.npy --chunk 256MiB",
                 "vkreduce sort years.npy --then names.npy:descending --indices order.npy",
                 "vkreduce sort codes.npy -o sorted.npy --bits 0:30"},
    .topics = {&input_topic, &segments_topic, &type_topic},
    .min_operands = 1,
    .max_operands = 1,
    .options_size = sizeof(sort_options),
    .options = rows,
    .refused = {{"components", "sort needs one value for each element"}},
    .algorithms = {algorithm_word, meanings, VKR_SORT_ALGORITHM_COUNT, 13},
    .run = sort_run};
