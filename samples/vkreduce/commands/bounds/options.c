/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "commands/bounds/bounds.h"
#include "commands/groups.h"
#include "status.h"

#define FIELD(name) offsetof(bounds_options, name)

enum { LOWER, UPPER, SIDES };

static const char *side_word(uint32_t index)
{
    return index == LOWER ? "lower" : "upper";
}

static const topic side_topic = {
    .name = "SIDE",
    .word = side_word,
    .end = SIDES,
    .explained = true,
    .help = "lower                the number of elements that come before a value\n"
            "upper                the number of those that do not come after it",
    .manual = "lower: the number of elements of SORTED that come before a value: the first "
              "position at which it can be inserted.\n"
              "upper: the number of those that do not come after it: the last such position."};

static const topic sorted_topic = {
    .name = "SORTED",
    .help = "an INPUT in order, as vkreduce sort writes it, which must fit the device",
    .manual = "An INPUT in order, as vkreduce sort writes it, which must fit the device. All of it "
              "is read once before the search. If it is out of order, that is an error, which "
              "names the first element that belongs before the one that precedes it."};

static const topic values_topic = {
    .name = "VALUES",
    .help = "an INPUT of the same type, in any order",
    .manual = "An INPUT of the same type, in any order. Neighbouring values that are in order are "
              "found faster."};

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the positions, as .npy; - is the standard output",
        .manual = "Write the positions as .npy, as u32, or as u64 if there are 2^32 elements or "
                  "more." STANDARD_OUTPUT),
    ROW("descending", NULL, OPTION_FLAG, FIELD(descending),
        "SORTED has the order of vkreduce sort --descending"),
    ROW("nan-first", NULL, OPTION_FLAG, FIELD(nan_first),
        "SORTED has the order of vkreduce sort --nan-first"),
    ROWS_OF(by_value_rows, FIELD(by_value)),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

int bounds_parse_side(const char *text, bool *upper)
{
    *upper = strcmp(text, side_word(UPPER)) == 0;
    return *upper || strcmp(text, side_word(LOWER)) == 0
               ? STATUS_DONE
               : fail(STATUS_USAGE, "'%s' is not a SIDE of bounds; it must be %s or %s", text,
                      side_word(LOWER), side_word(UPPER));
}

const command bounds_command = {
    .name = "bounds",
    .operands = "SIDE SORTED VALUES -o OUT.npy",
    .summary = "where values belong in sorted data, by binary search",
    .description = "Searches sorted data for the position of each of many values. Floats are "
                   "ordered as by vkreduce sort: -0 comes before +0, and NaN, all of which are "
                   "equal, after all numbers, or before them with --nan-first.",
    .examples = {"vkreduce bounds lower sorted.npy values.npy -o positions.npy",
                 "vkreduce bounds upper edges.npy data.npy -o bins.npy --verify"},
    .topics = {&side_topic, &sorted_topic, &values_topic, &input_topic, &type_topic},
    .choice = &side_topic,
    .min_operands = 3,
    .max_operands = 3,
    .options_size = sizeof(bounds_options),
    .options = rows,
    .refused = {{"components", "bounds needs one value for each element"}},
    .algorithms = ONLY_AUTO,
    .run = bounds_run};
