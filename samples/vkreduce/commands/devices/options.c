/* SPDX-License-Identifier: MIT */
#include "commands/devices/devices.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(devices_options, name)

static const option_row rows[] = {ROW("self-test", NULL, OPTION_FLAG, FIELD(self_test),
                                      "run operations with known answers on each device"),
                                  ROWS_OF(device_rows, FIELD(device)),
                                  ROWS_OF(json_rows, FIELD(json)),
                                  {0}};

const command devices_command = {
    .name = "devices",
    .operands = "",
    .summary = "the Vulkan devices, and what each one lacks",
    .description = "Lists the Vulkan devices, and what each one lacks.",
    .examples = {"vkreduce devices", "vkreduce devices --self-test --json"},
    .options_size = sizeof(devices_options),
    .options = rows,
    .run = devices_run,
    .alone = true};
