/* SPDX-License-Identifier: MIT */
/* The plain scalar reference of functions of elements and of results of their segments. */
#ifndef VKR_TESTS_ORACLE_APPLY_H
#define VKR_TESTS_ORACLE_APPLY_H

#include "oracle.h"

typedef struct oracle_output {
    double value;
    /* The largest error that the bounds of apply.h allow before the result is rounded to its type;
     * 0: the bits are defined; infinite: any value, since the bounds say nothing. */
    double tolerance;
} oracle_output;

/* The outputs of a segment of `count` elements. */
void oracle_apply(VkrApplyFunction function, uint64_t count, const float *elements,
                  oracle_output *outputs);

/* Whether `actual`, of a type, is a correct result. */
bool oracle_accepts_output(const oracle_output *output, VkrType type, const void *actual);

#endif
