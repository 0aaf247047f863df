/* SPDX-License-Identifier: MIT */
/* What the commands of the fuzzed command line check and try. */
#ifndef VKR_FUZZ_OPTIONS_H
#define VKR_FUZZ_OPTIONS_H

#include "commands/job.h"
#include "input/segments.h"

void check_operands(const operands *given, uint32_t min, uint32_t max);
void check_data(const data_options *opts);

/* Open segments or an axis, and an operand of random values, and check what comes of them. */
int try_segments(const char *text, const char *axis, segments_of of, const input *in,
                 const input_options *opts);
int try_input(const input_options *opts, const char *name, input *in);

#endif
