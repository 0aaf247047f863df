/* SPDX-License-Identifier: MIT */
/* Contexts that the cases of a table run in: lowered limits, and tuning profiles. */
#ifndef VKR_TESTS_CONTEXTS_H
#define VKR_TESTS_CONTEXTS_H

#include "harness.h"

typedef enum limits_row {
    LIMITS_DEVICE, /* the device's own */
    LIMITS_SMALL,  /* windows of 65,536 bytes, 7 workgroups in dimension 0 */
    LIMITS_SHUFFLE,
    LIMITS_SHARED,
    LIMITS_SHARED_SMALL, /* and without optional features of the recorder */
    LIMITS_WIDE,         /* indices of 64 bits */
    LIMITS_WIDE_SHUFFLE,
    LIMITS_COUNT
} limits_row;

#define SMALL_RANGE 65536u
#define SMALL_GROUPS 7u

extern const VkrLimits limits_rows[LIMITS_COUNT];
extern const char *const limits_names[LIMITS_COUNT];

/* What decides which rows can be asked for: the device's features, and how costly a row may be. */
typedef struct abilities {
    bool types[VKR_TYPE_COUNT];
    bool arithmetic, shuffles; /* of subgroups */
    uint32_t workgroup;        /* maximum of invocations of a workgroup */
    uint32_t weight;           /* maximum of operators times components */
    uint32_t components;       /* maximum in a row of scans */
} abilities;

/* The tests' device; VKR_TEST_WEIGHT and VKR_TEST_COMPONENTS are bounds, except in a full run. */
abilities device_abilities(const harness *h);

/* Whether rows with such limits have indices of 64 bits, whatever the count. */
bool has_wide_indices(limits_row limits);

/* All abilities; and those that every driver of the tests has, at no great cost. */
extern const abilities all_abilities, common_abilities;

/* Whether a device can have a context with such limits. */
bool has_limits(const abilities *a, limits_row limits);

/* Whether rows with such limits use subgroup arithmetic, and whether they use shuffles. */
bool has_arithmetic(const abilities *a, limits_row limits);
bool has_shuffles(const abilities *a, limits_row limits);

/* What a context's tuning profile asks for; all zero: no profile. */
typedef struct tuning_row {
    uint32_t geometry; /* 0: the built-in one, with its loads */
    VkrLoadOrder order;
    VkrLoadPath path;
} tuning_row;

#define GEOMETRIES 5
#define TUNINGS (GEOMETRIES * VKR_LOAD_ORDER_COUNT * VKR_LOAD_PATH_COUNT)

/* They are so small that several workgroups, whole batches and incomplete ones occur at small
 * sizes. */
extern const VkrTuning geometries[GEOMETRIES];

/* Contexts, which are created when they are first asked for. */
typedef struct test_contexts {
    harness *h;
    VkrContext contexts[LIMITS_COUNT][TUNINGS];
    VkrRecorder recorders[LIMITS_COUNT][TUNINGS];
} test_contexts;

/* The row of its tuning for an operation on values of a size. With VKR_TEST_BUILT_IN=1 all contexts
 * have the built-in rows, those of the device's class, whatever `tuning` asks for. */
VkrTuning get_tuning(test_contexts *c, limits_row limits, const tuning_row *tuning,
                     VkrOperation operation, uint32_t value_size);

/* Returns NULL, after a message, where the context could not be created. */
VkrContext get_context(test_contexts *c, limits_row limits, const tuning_row *tuning);
VkrRecorder get_recorder(test_contexts *c, limits_row limits, const tuning_row *tuning);
void close_contexts(test_contexts *c);

#endif
