/* SPDX-License-Identifier: MIT */
#include "commands/groups.h"
#include "commands/merge/merge.h"

#define FIELD(name) offsetof(merge_options, name)

static const topic inputs_topic = {
    .name = "A, B",
    .help = "two INPUTs of one type, each in order, as vkreduce sort writes it",
    .manual = "Two INPUTs of one type, each in order, as vkreduce sort writes it. All of both is "
              "read once before the merge. If one is out of order, that is an error, which names "
              "the first element that belongs before the one that precedes it."};

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the elements of both in order, as .npy; - is the standard output",
        .manual = "Write the elements of both in their order as .npy." STANDARD_OUTPUT
                  " The same holds for --indices; only one of the two can be -."),
    ROW("indices", "FILE", OPTION_PATH, FIELD(indices),
        "the index of each of them in A followed by B; enough without -o",
        .manual = "Write the index of each element in A followed by B, as u32, which needs no -o."),
    ROW("payload", "FILE:OUT", OPTION_LIST, FIELD(payloads),
        "move entries of FILE, those of A and then those of B, to OUT",
        .manual = "FILE is an array with an entry for each element of A, and then one for each of "
                  "B, in any of the formats of INPUT: a value of any type, a pixel of a picture, "
                  "or a row of up to 64 bytes of a two-dimensional array. Entries go where their "
                  "elements go, and are written as .npy. The option may be given up to 8 times. "
                  "OUT has no colon. With it -o is not needed. All payloads must fit the device, "
                  "too."),
    ROW("descending", NULL, OPTION_FLAG, FIELD(descending),
        "A and B have the order of vkreduce sort --descending"),
    ROW("nan-first", NULL, OPTION_FLAG, FIELD(nan_first),
        "A and B have the order of vkreduce sort --nan-first"),
    ROWS_OF(by_value_rows, FIELD(by_value)),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command merge_command = {
    .name = "merge",
    .operands = "A B -o OUT.npy",
    .summary = "two arrays that are in order, as one",
    .description =
        "Merges two sorted arrays to one. The merge is stable: of equal elements those of A come "
        "first, and each array keeps its order. Floats are ordered as by vkreduce sort: -0 comes "
        "before +0, and NaN come last (--nan-first: first), in the order of their bits.\n"
        "All data must fit the device at once, with the results.",
    .examples = {"vkreduce merge old.npy new.npy -o all.npy --verify",
                 "vkreduce merge a.npy b.npy --indices order.npy --descending",
                 "vkreduce merge a.npy b.npy -o keys.npy --payload values.npy:merged-values.npy"},
    .topics = {&inputs_topic, &input_topic, &type_topic},
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(merge_options),
    .options = rows,
    .refused = {{"components", "merge needs one value for each element"},
                {"chunk", "a merge needs all data at once"}},
    .algorithms = ONLY_AUTO,
    .run = merge_run};
