/* SPDX-License-Identifier: MIT */
/* The placeholders that the usages of several commands share. */
#ifndef RUNNER_TOPICS_H
#define RUNNER_TOPICS_H

#include "command_line/command.h"

/* INPUT, summarized in two lines, and its full description, which `vkreduce --help` prints. */
extern const topic input_topic;
extern const char input_lines[];

/* T, the types of elements. */
extern const topic type_topic;
const char *type_word(uint32_t index);

#endif
