/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reduce_case.h"

#define SHOWN 3 /* maximum number of mismatches of a row that are printed */

void compare_value(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual)
{
    char expected_text[64], actual_text[64];
    oracle_value value;
    oracle_reduce(info, op, component, type, &value);
    if (!oracle_proves(&value)) {
        t->unproven++;
        return;
    }
    t->oracle_cases++;
    if (oracle_accepts(&value, type, actual))
        return;
    if (t->mismatches++ - t->mismatches_before >= SHOWN)
        return;
    oracle_format(expected_text, sizeof(expected_text), type, value.bytes);
    oracle_format(actual_text, sizeof(actual_text), type, actual);
    printf("# %s of %" PRIu64 " elements, component %u, stride %zu: %s, but should be %s within "
           "%g (%s)\n",
           vkrOpName(op), info->count, component, info->stride, actual_text, expected_text,
           value.tolerance, what);
}

void compare_index(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual, const uint64_t *numbers)
{
    oracle_value value;
    uint64_t expected = 0, found = 0;
    oracle_reduce(info, op, component, type, &value);
    memcpy(&expected, value.bytes, vkrTypeSize(type));
    memcpy(&found, actual, vkrTypeSize(type));
    expected = expected < info->count ? numbers[expected] : expected;
    t->oracle_cases++;
    if (found != expected && t->mismatches++ - t->mismatches_before < SHOWN)
        printf("# %s, component %u: %" PRIu64 ", but should be %" PRIu64 " (%s)\n", vkrOpName(op),
               component, found, expected, what);
}
