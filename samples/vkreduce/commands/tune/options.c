/* SPDX-License-Identifier: MIT */
#include "commands/tune/options.h"
#include "command_line/topics.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(tune_options, name)

static const option_row rows[] = {
    {.name = "output",
     .argument = "FILE",
     .help = "the file of the profile",
     .kind = OPTION_PATH,
     .field = FIELD(output)},
    {.name = "type",
     .argument = "T",
     .help = "tune for values of this type only",
     .manual = "Tune for values of the size of this type only, in place of all sizes.",
     .kind = OPTION_WORD,
     .field = FIELD(type),
     .min = 1,
     .max = VKR_TYPE_COUNT,
     .word = type_word},
    {.name = "quick", .help = "few rows, little data", .kind = OPTION_FLAG, .field = FIELD(quick)},
    {0}};

const command tune_command = {
    .name = "tune",
    .operands = "",
    .summary = "the fastest tuning rows for a device, as a profile",
    .description =
        "Looks for faster tuning rows than the built-in ones on the device, and prints them as a "
        "profile.",
    .examples = {"vkreduce tune -o profile"},
    .topics = {&type_topic},
    .options_size = sizeof(tune_options),
    .groups = {{rows, 0},
               {device_rows, FIELD(device)},
               {profile_rows, FIELD(device)},
               {json_rows, FIELD(json)}},
    .run = tune_run};
