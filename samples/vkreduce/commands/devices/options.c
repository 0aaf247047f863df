/* SPDX-License-Identifier: MIT */
#include "commands/devices/options.h"
#include "command_line/topics.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(devices_options, name)

static const option_row rows[] = {{.name = "self-test",
                                   .help = "run reductions with known answers on each",
                                   .kind = OPTION_FLAG,
                                   .field = FIELD(self_test)},
                                  {0}};

const command devices_command = {
    .name = "devices",
    .operands = "",
    .summary = "the Vulkan devices, and what each one lacks",
    .description = "Lists the Vulkan devices, and what each one lacks.",
    .examples = {"vkreduce devices", "vkreduce devices --self-test --json"},
    .options_size = sizeof(devices_options),
    .groups = {{rows, 0}, {device_rows, FIELD(device)}, {json_rows, FIELD(json)}},
    .run = devices_run};
