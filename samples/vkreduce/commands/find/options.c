/* SPDX-License-Identifier: MIT */
#include "commands/find/find.h"
#include "commands/compact/compact.h"
#include "commands/groups.h"

static const option_row rows[] = {ROWS_OF(by_value_rows, offsetof(find_options, by_value)),
                                  ROWS_OF(algorithm_rows, offsetof(find_options, data)),
                                  ROWS_OF(data_rows, offsetof(find_options, data)),
                                  {0}};

const command find_command = {
    .name = "find",
    .operands = "PREDICATE INPUT",
    .summary = "the first element that a predicate keeps",
    .description =
        "Prints the index of the first element that passes the test of a predicate, or none (null "
        "in --json) if no element does, which is no error. The predicates are those of compact; "
        "unique finds element 0, and !unique the first element that repeats the one before it.",
    .examples = {"vkreduce find 'x>0.5' data.npy", "vkreduce find nan data.npy --json",
                 "vkreduce find '!unique' sorted.npy --verify"},
    .topics = {&predicate_topic, &input_topic, &type_topic},
    .choice = &predicate_topic,
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(find_options),
    .options = rows,
    .algorithms = ONLY_AUTO,
    .run = find_run};
