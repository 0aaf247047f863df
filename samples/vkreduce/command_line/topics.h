/* SPDX-License-Identifier: MIT */
/* The words that the usage of several commands has. */
#ifndef RUNNER_TOPICS_H
#define RUNNER_TOPICS_H

#include "command_line/command.h"

/* INPUT, in two lines, and all that it may be, which `vkreduce --help` prints. */
extern const topic input_topic;
extern const char input_lines[];

/* T, the types of elements. */
extern const topic type_topic;
const char *type_word(uint32_t index);

#endif
