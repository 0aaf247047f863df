/* SPDX-License-Identifier: MIT */
/* The operations of the test hooks.c, and the types of its functions' results. */
#ifndef VKR_TESTS_HOOKS_CASE_H
#define VKR_TESTS_HOOKS_CASE_H

#include "hooks_set.h"

#define HOOKS_COUNT 30011u /* and up to 99 more */
#define HOOKS_OUTPUT (2u << 20)

/* A function that returns elements. */
typedef struct hook_row {
    const char *name;
    VkrType type;
    uint32_t components;
} hook_row;

extern const hook_row hook_rows[]; /* the last one has no name */

/* An operation on elements and flags, which functions return or buffers hold. It writes to half of
 * the output, starting at `at`. */
typedef struct hook_case {
    VkrContext context;
    VkrRecorder recorder;
    VkrView view;
    VkrFlagView flags;
    uint64_t count;
    VkrGpuCount gpu_count;
    VkBuffer plain, output; /* the first one holds the values */
    VkDeviceSize at;
} hook_case;

typedef struct hook_operation {
    const char *name;
    VkrResult (*add)(const hook_case *c);
    uint32_t components; /* max */
    bool floats;         /* only for these */
    bool gpu_counts;
    uint32_t grain; /* counts are multiples of it; 0: 1 */
} hook_operation;

extern const hook_operation hook_operations[]; /* the last one has no name */

/* ---- hooks_wrong.c ---- */

/* Checks that reductions refuse wrong hooks of functions of hooks.comp. The module has a set. */
void hooks_check_wrong(const harness *h, VkrRecorder recorder, VkrModule module,
                       VkDescriptorSet set, VkBuffer output);

/* ---- hooks_sinks_wrong.c ---- */

/* Checks that compactions refuse wrong sinks: functions of hooks_sinks.comp. The hook has no
 * name. */
void sinks_check_wrong(const harness *h, VkrRecorder recorder, const VkrHook *hook, VkBuffer source,
                       VkBuffer output);

#endif
