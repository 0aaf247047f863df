/* SPDX-License-Identifier: MIT */
/* The operations whose pipelines have limits (limits.py). */
#ifndef ISA_CASES_H
#define ISA_CASES_H

#include "device.h"

typedef struct isa_case {
    const char *name;
    void (*record)(void); /* into the recorder of isa_start_cases */
} isa_case;

extern const isa_case isa_cases[];
extern const size_t isa_case_count;

/* `elements` is the count of the operations. Operations on segments of several components have as
 * many values. */
void isa_start_cases(VkrRecorder into, uint64_t elements);
void isa_end_cases(void);

#endif
