/* SPDX-License-Identifier: MIT */
/* Monoids of an application, on the CPU, and what requests of them have of their own. */
#ifndef VKR_TESTS_MONOIDS_H
#define VKR_TESTS_MONOIDS_H

#include "engine.h"

/* ---- monoids_case.c ---- */

#define MONOID_WORDS 16u
#define MONOIDS 18u /* and one of an image */
#define MONOID_PLAIN 4u
#define MONOID_EACH 15u
#define MONOID_IMAGE MONOIDS

typedef struct monoid_state {
    uint32_t words[MONOID_WORDS];
} monoid_state;

/* What the load function of a monoid gets of an element: its bits, or its word of the first buffer;
 * that of the second one; and its index. */
typedef struct monoid_element {
    uint32_t x, other, i;
} monoid_element;

enum {
    MONOID_ANY = 1,    /* any words are a state */
    MONOID_OTHERS = 2, /* load reads the second buffer */
    MONOID_MOVES = 4,  /* combine is commutative */
    MONOID_ROUNDS = 8  /* floats, whose results are near the expected ones */
};

typedef enum monoid_module {
    MODULE_PLAIN,
    MODULE_INT64,
    MODULE_EXPORT, /* functions with Export linkage */
    MODULE_SHORT,  /* with a capability of its own */
    MODULE_IMAGE,
    MODULE_COUNT
} monoid_module;

typedef struct monoid_row {
    const char *name;  /* of load_.., or empty */
    const char *base;  /* of the other functions */
    uint32_t words;    /* of a state */
    uint32_t finished; /* words of what finish returns, or 0 */
    uint32_t bits;
    monoid_module module;
    VkrType element; /* of what load takes, or UNDEFINED: it reads the first buffer */
    uint32_t components;
    void (*load)(const monoid_element *e, monoid_state *state);
    void (*combine)(const uint32_t *x, const uint32_t *y, monoid_state *state);
    void (*finish)(const uint32_t *x, monoid_state *result);
    uint32_t identity[MONOID_WORDS]; /* as the device has it */
} monoid_row;

extern const monoid_row monoid_rows[MONOIDS + 1];

/* Makes the state combine(state, next). */
void monoid_add(const monoid_row *row, monoid_state *state, const monoid_state *next);

/* The state in words of the device, and a word of a state, or of a result, on the device. */
void monoid_read(const monoid_row *row, const void *words, monoid_state *state);
oracle_value monoid_word(const monoid_row *row, const monoid_state *state, uint32_t k);

/* ---- Requests ---- */

typedef struct monoid_operation {
    bool is_scan;
    VkrSegmentKind kind;
    uint32_t least, most; /* elements of a segment; columns: their number */
    bool is_long;         /* offsets of 64 bits */
    bool masked, pieces;
} monoid_operation;

/* Name, kind, least and most elements of a segment, and what else. */
#define MONOID_OPERATIONS(X)                                                                       \
    X(ALL, NONE, 0, 0, .is_scan = false)                                                           \
    X(SHORT_ROWS, ROWS, 1, 77, .is_scan = false)                                                   \
    X(LONG_ROWS, ROWS, 1000, 6000, .is_scan = false)                                               \
    X(FEW_COLUMNS, COLUMNS, 1, 5, .is_scan = false)                                                \
    X(COLUMNS, COLUMNS, 6, 300, .is_scan = false)                                                  \
    X(SHORT_WINDOWS, WINDOWS, 1, 40, .is_scan = false)                                             \
    X(LONG_WINDOWS, WINDOWS, 500, 900, .is_scan = false)                                           \
    X(OFFSETS, OFFSETS, 0, 0, .is_scan = false)                                                    \
    X(OFFSETS64, OFFSETS, 0, 0, .is_long = true)                                                   \
    X(KEYS, KEYS, 1, 40, .is_scan = false)                                                         \
    X(MASKED, NONE, 0, 0, .masked = true)                                                          \
    X(MASKED_ROWS, ROWS, 1, 200, .masked = true)                                                   \
    X(MASKED_COLUMNS, COLUMNS, 1, 40, .masked = true)                                              \
    X(PIECES, NONE, 0, 0, .pieces = true)                                                          \
    X(SCAN, NONE, 0, 0, .is_scan = true)                                                           \
    X(SCAN_FLAGS, FLAGS, 0, 0, .is_scan = true)                                                    \
    X(SCAN_SHORT_ROWS, ROWS, 1, 40, .is_scan = true)                                               \
    X(SCAN_LONG_ROWS, ROWS, 500, 6000, .is_scan = true)                                            \
    X(SCAN_OFFSETS, OFFSETS, 0, 0, .is_scan = true)                                                \
    X(SCAN_OFFSETS64, OFFSETS, 0, 0, .is_scan = true, .is_long = true)                             \
    X(SCAN_KEYS, KEYS, 1, 40, .is_scan = true)

#define MONOID_NAME(name, ...) DO_##name,
enum { MONOID_OPERATIONS(MONOID_NAME) DO_COUNT };

extern const monoid_operation monoid_operations[DO_COUNT];

/* How flags of a mask or of starts are given. */
typedef enum monoid_flags { NO_FLAGS, IN_U32, IN_U8, IN_BITS, BY_FUNCTION, WAYS } monoid_flags;

/* What a request is about. */
typedef struct monoid_choice {
    uint32_t monoid, operation;
    uint32_t count, length; /* elements; and those of a segment, or 0: any number */
    uint32_t entries;       /* offsets; 0: any number */
    monoid_flags flags;
    uint32_t direction;
    uint32_t counted; /* where the GPU's counts are: nowhere, or in 32 or 64 bits */
    uint32_t ends;    /* of a scan: an initial value, and the total, as bits */
    bool finishes;
    limits_row limits; /* these are of fixed ones only */
    uint32_t geometry;
} monoid_choice;

enum { HAS_INITIAL = 1, HAS_TOTAL = 2 };

typedef struct monoid_request {
    monoid_choice c;
    const monoid_row *row;
    const monoid_operation *o;
    uint32_t capacity, length, entries;
    uint32_t piece;               /* blocks of the first one */
    VkrBufferRange words, others; /* what the functions read */
    test_texture texture;
    char load[32], combine[32], identity[32], finish[32];
    VkrHook hook, starts;
    VkrUse uses[2];
    VkrMonoid monoid;
    VkrReduceLayout layout;
    VkrReduceInfo reduce;
    VkrScanInfo scan; /* one of these, and what it has */
    VkrView *input;
    VkrGpuCount *count;
    VkrSegments *segments;
    VkrFlagView *flags;
} monoid_request;

/* Whether segments of reductions lie anywhere, so that one range must reach the input. */
bool monoids_lie_anywhere(const monoid_operation *o);

/* Whether the device has what the elements and the states need. */
bool monoids_has(const monoid_row *row);

/* Draws the rest of a request, and places it. */
void monoids_place(test_request *t, const monoid_choice *c);

VkrModule monoids_module_of(VkrContext context, monoid_module module);

/* ---- monoids_expect.c ---- */

void monoids_fill(test_request *t);
void monoids_expect(test_request *t);

/* ---- monoids_fixed.c and monoids_wrong.c ---- */

#define MONOIDS_OTHERS 3u
extern const struct CMUnitTest monoids_others[MONOIDS_OTHERS];
#define MONOIDS_LONG_ROWS 9u
#define MONOIDS_MANY_ROWS (3u * MONOIDS)
#define MONOIDS_WINDOW_ROWS (2u * DO_COUNT)
#define MONOIDS_SEGMENT_ROWS 8u
bool monoids_make_long(test_request *t, uint32_t number);
bool monoids_make_many(test_request *t, uint32_t number);
bool monoids_make_windows(test_request *t, uint32_t number);
bool monoids_make_segments(test_request *t, uint32_t number);
bool monoids_make_image(test_request *t, uint32_t number);

/* Checks that wrong monoids are refused. The module is monoids.comp's. */
void monoids_check_wrong(VkrRecorder recorder, VkrModule module, VkDescriptorSet set,
                         VkBuffer output);

#endif
