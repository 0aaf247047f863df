/* SPDX-License-Identifier: MIT */
/* Options that several commands share. The comment on each table names the struct that its rows
 * set. */
#ifndef RUNNER_GROUPS_H
#define RUNNER_GROUPS_H

#include "command_line/option.h"

extern const option_row device_rows[];    /* device_options: --device */
extern const option_row profile_rows[];   /* device_options: --profile */
extern const option_row execution_rows[]; /* task_options: --repeat and --verify */
extern const option_row stream_rows[];    /* task_options: how data gets to the device */
extern const option_row input_rows[];     /* input_options */
extern const option_row texel_rows[];     /* texel_options */
extern const option_row json_rows[];      /* a bool */

/* Words of options. */
const char *determinism_word(uint32_t index);
const char *nan_word(uint32_t index);

#endif
