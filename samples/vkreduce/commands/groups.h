/* SPDX-License-Identifier: MIT */
/* Options that several commands share. The comment on each table names what its rows set. */
#ifndef RUNNER_GROUPS_H
#define RUNNER_GROUPS_H

#include "command_line/command.h"

extern const option_row device_rows[];      /* device_options: --device */
extern const option_row profile_rows[];     /* device_options: --profile */
extern const option_row execution_rows[];   /* task_options: --repeat and --verify */
extern const option_row channel_rows[];     /* input_options: --channels */
extern const option_row texel_rows[];       /* texel_options */
extern const option_row json_rows[];        /* a bool */
extern const option_row determinism_rows[]; /* a VkrDeterminism */
extern const option_row algorithm_rows[];   /* data_options: --algorithm */
extern const option_row data_rows[];        /* data_options: all others */

/* Sentences for the manual, on outputs. */
#define STANDARD_OUTPUT                                                                            \
    " The name - is the standard output, which then has nothing else: no text, and no --json."

/* FUNCTIONS of --map and of --predicate. */
extern const topic map_topic, keep_topic;

/* Words of options. */
const char *nan_word(uint32_t index);

#endif
