/* SPDX-License-Identifier: MIT */
/* Parts of the comparison of float sums with the bounds in reduce.h and scan.h. */
#ifndef VKR_TESTS_ACCURACY_H
#define VKR_TESTS_ACCURACY_H

#include "reduce_case.h"

/* ---- accuracy_data.c: elements whose float sums are inaccurate ---- */

typedef enum data_shape {
    EQUAL,
    ONE_SIGN,
    CANCELLING,
    MAGNITUDES,
    ASCENDING,
    NEARLY_EQUAL,
    INFINITE_FIRST,
    INFINITE_TWICE, /* of both signs */
    NAN_LATER,
    OVERFLOWING,
} data_shape;

typedef struct data_row {
    const char *name;
    data_shape shape;
    double value; /* for equal elements */
} data_row;

#define DATA_ROWS 14u
extern const data_row data_rows[DATA_ROWS];

/* Writes `count` elements, `stride` bytes apart. Random elements depend on the seed. */
void fill_row(const data_row *row, uint64_t seed, VkrType type, void *at, size_t stride,
              uint32_t count);

/* The number that a float value represents. */
double number_of(VkrType type, const void *value);

/* ---- accuracy.c ---- */

/* The number of elements of most forms, enough for long shares per invocation; and of the forms
 * that need more elements for long shares. */
#define COUNT (1u << 17)
#define LARGE (COUNT << 2)
#define ACCURACY_ROOM 64u /* bytes of the output after LARGE values of 4 bytes */

/* The contexts of the sums: the group paths, and geometries with a few workgroups that have long
 * shares or many that have short ones. */
typedef enum context_row {
    CONTEXT_PLAIN,
    CONTEXT_SHUFFLE,
    CONTEXT_SHARED,
    CONTEXT_COALESCED,
    CONTEXT_CONTIGUOUS,
    CONTEXT_ELEMENTS, /* loaded one by one */
    CONTEXT_WINDOWS,
    CONTEXT_RUNS,   /* short runs */
    CONTEXT_TILES,  /* small tiles of single-pass scans */
    CONTEXT_BLOCKS, /* the smallest, of which there are many blocks */
    CONTEXT_ROWS,
} context_row;

typedef struct accuracy {
    harness h;
    VkrContext contexts[CONTEXT_ROWS];
    VkrRecorder recorders[CONTEXT_ROWS];
    harness_buffer input, input2, extra, output;
    char *elements, *elements2; /* those that one result sums, packed */
    uint64_t checks;
} accuracy;

extern accuracy accurate;

/* Returns the context of a row, which is created on first use. */
VkrContext open_context(context_row row);
/* Whether the context supports the types. */
bool has_types(VkrContext context, VkrType type, VkrType accumulator);

/* The expected error of one result. */
typedef struct expectation {
    const data_row *row;
    VkrType type; /* of the result */
    oracle_value value;
    double stated; /* the factor of the bound in the oracle's tolerance */
    double factor; /* the factor that replaces it for this form */
    double equal;  /* the exact result for equal elements; 0: unknown */
    double levels; /* at level DEVICE levels of the tree, or less for windows; otherwise 1 */
} expectation;

/* The largest errors of a form, in units of u (2^-24, or 2^-53 for f64): for equal elements
 * relative to their sum, for others relative to the sum of their magnitudes. */
typedef struct errors {
    double equal, other;
    uint32_t wrong;
} errors;

void judge(const expectation *expected, VkrContext context, const void *actual, errors *worst);
void report_errors(const char *name, const errors *worst);

/* Fills both inputs with a row's data. */
void fill_inputs(const data_row *row, VkrType type, size_t stride, uint32_t count);

/* Begins a recording; end_form ends it and records it into the harness's command buffer. */
VkrRecorder begin_form(context_row row);
void end_form(VkrRecorder recorder);

/* ---- accuracy_reductions.c, accuracy_scans.c ---- */

/* Both add a test for each form, and return the number of tests added. `first` is the number of the
 * first form among the cases that the drivers share. */
#define MAX_FORMS 64u
uint32_t add_reductions(struct CMUnitTest *tests, uint32_t first);
uint32_t add_scans(struct CMUnitTest *tests, uint32_t first);

#endif
