/* SPDX-License-Identifier: MIT */
/* The plain scalar reference for every result of the library. */
#ifndef VKR_TESTS_ORACLE_H
#define VKR_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "vkreduce/vkreduce.h"

/* The input of a reduction, in host memory. Element i starts at data + i * stride. */
typedef struct oracle_reduce_info {
    const void *data;
    size_t stride;
    const void *data2; /* second input of dot, otherwise NULL */
    size_t stride2;
    uint64_t count;
    VkrType type;
    uint32_t components;
    VkrType accumulator; /* as in VkrReduceInfo */
    VkrNan nan;
    VkrDeterminism determinism;
    bool sample;    /* VKR_REDUCE_SAMPLE_BIT */
    bool window;    /* the elements are those of a sliding window */
    uint64_t first; /* the index of its first element */
} oracle_reduce_info;

/* The expected value of one operator for one component, in the given result type (the layout's). At
 * level DEVICE, float sums follow the trees of reduce.h bit for bit. Below it, the value
 * is the one nearest to the exact sum, and `tolerance` is the largest error that the bound of
 * reduce.h allows (0 if the result is exact). */
typedef struct oracle_value {
    unsigned char bytes[8];
    double tolerance; /* absolute, in the result's unit; infinite: any value, see oracle_proves */
} oracle_value;

void oracle_reduce(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                   VkrType result_type, oracle_value *value);

/* The same for data that arrives in consecutive portions. `info` is copied; its data and count are
 * ignored. NULL means out of memory. oracle_end frees the fold, and only frees it if `value` is
 * NULL; it ignores a NULL fold. */
typedef struct oracle_fold oracle_fold;
oracle_fold *oracle_begin(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                          VkrType result_type);
void oracle_add(oracle_fold *fold, const void *data, const void *data2, uint64_t count);
void oracle_end(oracle_fold *fold, oracle_value *value);

/* The factor in reduce.h's error bound for a float sum of `count` elements, in units of half the
 * last place of the sum of magnitudes. */
double oracle_roundings(uint64_t count);

/* Whether `actual` (of result_type) is a correct result. */
bool oracle_accepts(const oracle_value *value, VkrType result_type, const void *actual);

/* False if the order of evaluation decides whether the result overflows or underflows, so that
 * every value is accepted. Such a comparison is not counted. */
static inline bool oracle_proves(const oracle_value *value)
{
    return value->tolerance <= 1.7976931348623157e308;
}

/* Formats a value of a type for messages: integers exactly, floats with 17 digits. */
void oracle_format(char *text, size_t size, VkrType type, const void *value);

#endif
