/* SPDX-License-Identifier: MIT */
/* The names that other programs give to operators. */
#include <string.h>
#include "commands/groups.h"

const char *op_meant(const char *name, size_t length)
{
    static const char *const rows[][2] = {
        {"std", "stddev"},
        {"var", "variance"},
        {"avg", "mean"},
        {"average", "mean"},
        {"add", "sum"},
        {"plus", "sum"},
        {"total", "sum"},
        {"cumsum", OP_OF_SCAN "sum"},
        {"prod", "product"},
        {"mul", "product"},
        {"multiply", "product"},
        {"cumprod", OP_OF_SCAN "product"},
        {"minimum", "min"},
        {"amin", "min"},
        {"cummin", OP_OF_SCAN "min"},
        {"maximum", "max"},
        {"amax", "max"},
        {"cummax", OP_OF_SCAN "max"},
        {"norm", "l2"},
        {"median", "vkreduce histogram INPUT --bins N --quantiles 0.5"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i][0]) == length && strncmp(rows[i][0], name, length) == 0)
            return rows[i][1];
    return NULL;
}
