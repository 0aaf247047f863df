/* SPDX-License-Identifier: MIT */
#include "commands/tune/tune.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(tune_options, name)

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the file of the profile; - is the standard output",
        .manual = "Write the profile to a file." STANDARD_OUTPUT),
    ROW("type", "T", OPTION_WORD, FIELD(type), "tune for values of this type only",
        .manual = "Tune only for values as large as this type, instead of all sizes, and "
                  "no policies.",
        .min = 1, .max = VKR_TYPE_COUNT, .word = type_word),
    ROW("quick", NULL, OPTION_FLAG, FIELD(quick), "try fewer rows, on less data"),
    ROWS_OF(device_rows, FIELD(device)),
    ROWS_OF(profile_rows, FIELD(device)),
    ROWS_OF(json_rows, FIELD(json)),
    {0}};

const command tune_command = {
    .name = "tune",
    .operands = "",
    .summary = "the fastest tuning rows and policies for a device, as a profile",
    .description = "Searches for tuning rows and policies that run faster on the "
                   "device than those in use, and prints them as a profile.",
    .examples = {"vkreduce tune -o profile"},
    .topics = {&type_topic},
    .options_size = sizeof(tune_options),
    .options = rows,
    .run = tune_run,
    .alone = true};
