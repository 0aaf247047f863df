/* SPDX-License-Identifier: MIT */
/* Recordings of operations by the monoids of monoids.comp. */
#ifndef VKR_TESTS_MONOIDS_RUN_H
#define VKR_TESTS_MONOIDS_RUN_H

#include "hooks_set.h"
#include "monoids_case.h"

typedef struct monoids_test {
    harness h;
    abilities device;
    test_contexts contexts;
    /* `values` holds the count of the GPU, the initial value, and the total. */
    harness_buffer words, others, outputs, values, offsets, flags;
    VkBufferView texels; /* of words */
    hooks_set set;
    const char *folder; /* of the modules */
    VkrModule modules[GEOMETRIES][LIMITS_COUNT][2];
    uint32_t geometry; /* of the contexts that cases use; 0: the built-in one */
    uint8_t *starts;   /* whether elements start segments */
} monoids_test;

bool monoids_open(monoids_test *m, const char *folder);
void monoids_close(monoids_test *m);

/* Fills the buffers that the monoids read. */
void monoids_set_words(monoids_test *m);

/* Sets MONOIDS_OFFSETS offsets among elements. */
void monoids_set_offsets(monoids_test *m, bool is_long, uint32_t count);

/* Sets the offsets of short segments and two long ones among elements. */
void monoids_set_entries(monoids_test *m, const monoid_operation *operation, uint32_t count);

VkrModule monoids_module_of(monoids_test *m, limits_row limits, bool is_int64);

/* Whether the device has what the elements and the states of a monoid need. */
bool monoids_has(const monoids_test *m, const monoid_row *row);

/* Runs a case and compares its results. */
void monoids_run_case(monoids_test *m, limits_row limits, monoid_case *c);

#endif
