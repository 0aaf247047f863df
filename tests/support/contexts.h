/* SPDX-License-Identifier: MIT */
/* Contexts of the test cases: they differ in lowered limits and tuning profiles. */
#ifndef VKR_TESTS_CONTEXTS_H
#define VKR_TESTS_CONTEXTS_H

#include "harness.h"

typedef enum limits_row {
    LIMITS_DEVICE, /* the device's own */
    LIMITS_SMALL,  /* windows of 65,536 bytes, 7 workgroups in dimension 0 */
    LIMITS_SHUFFLE,
    LIMITS_SHARED,
    LIMITS_SHARED_SMALL, /* both, and without some optional features */
    LIMITS_WIDE,         /* indices of 64 bits */
    LIMITS_WIDE_SHUFFLE,
    LIMITS_COUNT
} limits_row;

#define SMALL_RANGE 65536u
#define SMALL_GROUPS 7u
#define SMALL_TASKS 5u

extern const VkrLimits limits_rows[LIMITS_COUNT];
extern const char *const limits_names[LIMITS_COUNT];

/* Decides which rows a test can request: the device's features, and how costly a row may be. */
typedef struct abilities {
    bool types[VKR_TYPE_COUNT];
    bool arithmetic, shuffles; /* subgroup features */
    uint32_t workgroup;        /* maximum number of invocations per workgroup */
    uint32_t weight;           /* maximum of (operators * components) */
    uint32_t components;       /* maximum number of components in a row of scans */
} abilities;

/* The abilities of the test's device. VKR_TEST_WEIGHT and VKR_TEST_COMPONENTS bound them, except in
 * a full run. */
abilities device_abilities(const harness *h);

/* Whether rows with these limits use 64-bit indices for every count. */
bool has_wide_indices(limits_row limits);

/* What every driver of the tests supports at low cost. */
extern const abilities common_abilities;

/* Whether a device supports a context with these limits. */
bool has_limits(const abilities *a, limits_row limits);

/* Whether elements of a type can be ordered. */
bool has_order(const abilities *a, VkrType type);

/* Whether rows with these limits use subgroup arithmetic, and whether they use shuffles. */
bool has_arithmetic(const abilities *a, limits_row limits);
bool has_shuffles(const abilities *a, limits_row limits);

/* Tuning values that a context's profile requests; all zero: no profile. */
typedef struct tuning_row {
    uint32_t geometry; /* 0: the built-in one, with its loads */
    VkrLoadOrder order;
    VkrLoadPath path;
} tuning_row;

#define GEOMETRIES 5
#define TUNINGS (GEOMETRIES * VKR_LOAD_ORDER_COUNT * VKR_LOAD_PATH_COUNT)

/* Small tuning rows, so that several workgroups and both full and partial batches occur at small
 * sizes. */
extern const VkrTuning geometries[GEOMETRIES];

typedef struct test_module test_module; /* of a context */

/* Contexts and modules, each created on first use. */
typedef struct test_contexts {
    harness *h;
    test_module *modules;
    VkrContext contexts[LIMITS_COUNT][TUNINGS];
    VkrRecorder recorders[LIMITS_COUNT][TUNINGS];
} test_contexts;

/* The tuning row of a context for an operation on values of one size. With VKR_TEST_BUILT_IN=1 all
 * contexts use the built-in rows of the device's class and ignore `tuning`. */
VkrTuning get_tuning(test_contexts *c, limits_row limits, const tuning_row *tuning,
                     VkrOperation operation, uint32_t value_size);

/* Returns NULL, after a message, if the context could not be created. */
VkrContext get_context(test_contexts *c, limits_row limits, const tuning_row *tuning);
VkrRecorder get_recorder(test_contexts *c, limits_row limits, const tuning_row *tuning);

/* The module of this code in one of the contexts, with which it is destroyed, or NULL, after a
 * message. The layout of its set must live as long. */
VkrModule get_module(test_contexts *c, VkrContext context, const VkrModuleInfo *info);

void close_contexts(test_contexts *c);

#endif
