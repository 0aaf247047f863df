/* SPDX-License-Identifier: MIT */
/*
 * The kinds of operations, and for each of them a function that collects a row
 * (operations_collect.c) and one that checks outputs for elements of U32 (operations_check.c and
 * operations_order.c).
 */
#ifndef VKR_TESTS_OPERATIONS_KINDS_H
#define VKR_TESTS_OPERATIONS_KINDS_H

#include "operations.h"

#define OPERATION_KINDS(X)                                                                         \
    X(reduce, "vkrCmdReduce")                                                                      \
    X(scan, "vkrCmdScan")                                                                          \
    X(compact, "vkrCmdCompact")                                                                    \
    X(expand, "vkrCmdExpand")                                                                      \
    X(histogram, "vkrCmdHistogram")                                                                \
    X(quantile, "vkrCmdQuantile")                                                                  \
    X(sort, "vkrCmdSort")                                                                          \
    X(bin, "vkrCmdBin")                                                                            \
    X(topk, "vkrCmdTopK")                                                                          \
    X(select, "vkrCmdSelect")                                                                      \
    X(bounds, "vkrCmdBounds")                                                                      \
    X(merge, "vkrCmdMerge")                                                                        \
    X(apply, "vkrCmdApply")                                                                        \
    X(find, "vkrCmdFind")

#define KIND(name, call)                                                                           \
    VkrResult operation_collect_##name(const operation_run *, const operation_row *);              \
    const char *operation_check_##name(const operation_run *, const operation_row *,               \
                                       const operation_data *);
OPERATION_KINDS(KIND)
#undef KIND

#endif
