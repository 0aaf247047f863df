/* SPDX-License-Identifier: MIT */
/* The monoids of the test monoids.c on the CPU, and the operations that it runs. */
#ifndef VKR_TESTS_MONOIDS_CASE_H
#define VKR_TESTS_MONOIDS_CASE_H

#include "reduce_case.h"

#define MONOIDS_MOST 40000u /* elements, of most cases */
#define MONOIDS_LONG 1200007u
#define MONOIDS_MANY 9000007u /* of reductions */
#define MONOIDS_WORDS 16u

typedef struct monoid_state {
    uint32_t words[MONOIDS_WORDS];
} monoid_state;

/* A monoid. `words` and `others` are the buffers of monoids.comp. */
typedef struct monoid_row {
    const char *name;  /* of load_.. */
    const char *base;  /* of the other functions */
    uint32_t words;    /* of a state */
    uint32_t finished; /* words of what finish returns, or 0 */
    bool commutative;
    bool rounds; /* floats, whose results are near the expected ones */
    bool needs_int64;
    VkrType element; /* of what load takes, read from `words`; or UNDEFINED */
    uint32_t components;
    void (*load)(const uint32_t *words, const uint32_t *others, uint32_t i, monoid_state *state);
    void (*combine)(const monoid_state *a, const monoid_state *b, monoid_state *state);
    void (*identity)(monoid_state *state);
    void (*finish)(const monoid_state *state, monoid_state *result);
} monoid_row;

extern const monoid_row monoid_rows[]; /* the last one has no name */

typedef struct monoid_operation {
    const char *name;
    bool is_scan;
    VkrSegmentKind kind;
    uint32_t length; /* of segments; columns: their number */
    uint32_t flags;
    bool gpu_count, chains, is_long, finishes;
    uint32_t entries;  /* offsets of short and two long segments; 0: MONOIDS_OFFSETS others */
    bool gpu_segments; /* the GPU has their number, which is less than the host's */
    uint32_t stride;   /* words that follow each result */
    VkrFlagFormat format;
    bool calls;  /* segments start where a function says so */
    bool masked; /* only elements that would start segments are kept */
    bool pieces; /* a call for each piece */
} monoid_operation;

#define MONOIDS_OFFSETS 101u
#define MONOIDS_LISTED 300u /* elements of every 1000th of the short segments */
#define MONOIDS_FIRST 9000u /* more elements of a segment, which has parts then */
#define MONOIDS_PLAIN 4     /* a row whose elements the library reads where they lie */

/* An operation by a monoid, and the buffers. */
typedef struct monoid_case {
    const monoid_row *row;
    const monoid_operation *operation;
    uint32_t count, covered;  /* as the host and as the GPU know */
    bool is_finished, texels; /* elements are in a buffer view, too */
    monoid_state initial;
    const uint32_t *words, *others; /* as monoids.comp reads them */
    const uint8_t *starts;          /* of a scan: whether elements start segments */
    const void *offsets, *outputs;
    const uint32_t *total;
} monoid_case;

/* Words of a result. */
uint32_t monoids_result_words(const monoid_case *c);

/* The number of segments that have results. */
uint32_t monoids_segments_of(const monoid_case *c);

/* Compares all results of a case with what is expected. */
void monoids_compare_all(const monoid_case *c);

/* Combines elements first, first + step, .. of which there are `count`. */
void monoids_fold(const monoid_row *row, const uint32_t *words, const uint32_t *others,
                  uint32_t first, uint32_t step, uint32_t count, monoid_state *state);

/* Fails unless what the device has written is what is expected. */
void monoids_compare(const monoid_row *row, const char *what, uint32_t number,
                     const uint32_t *found, const monoid_state *expected, bool is_finished);

/* The word of a state of floats, which the CPU holds as doubles, on the device. */
uint32_t monoids_rounded(const monoid_state *state, uint32_t number);

/* ---- monoids_wrong.c ---- */

/* Checks that wrong monoids are refused. The module is monoids.comp's. */
void monoids_check_wrong(const harness *h, VkrRecorder recorder, VkrModule module,
                         VkDescriptorSet set, VkBuffer output);

#endif
