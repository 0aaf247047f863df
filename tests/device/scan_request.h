/* SPDX-License-Identifier: MIT */
/* What a request of scans has of its own. */
#ifndef VKR_TESTS_SCAN_REQUEST_H
#define VKR_TESTS_SCAN_REQUEST_H

#include "engine.h"

/* What determines the pipelines. Counts, offsets, strides and data vary within a row. */
enum {
    AXIS_TYPE,
    AXIS_OP,
    AXIS_ALGORITHM,
    AXIS_SEGMENTS,
    AXIS_DIRECTION,
    AXIS_COMPONENTS,
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_NAN_AND_ACCUMULATOR, /* two bits */
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT,
    AXIS_INITIAL,
    AXIS_IN_PLACE,
    AXIS_LOADS,
    AXIS_ORDER,
    AXIS_LEFT_OUT
};

/* How the start of each segment is given. */
typedef enum starts_row {
    STARTS_NONE,
    STARTS_U32,
    STARTS_U8,
    STARTS_BITS,
    STARTS_ROWS,
    STARTS_OFFSETS,
    STARTS_OFFSETS64,
    STARTS_COLUMNS,
    STARTS_APART, /* rows, with elements between them */
    STARTS_COUNT
} starts_row;

/* What is left out: nothing, or by a mask; and NaN. */
typedef enum left_out_row {
    LEFT_OUT_NONE,
    LEFT_OUT_BITS,
    LEFT_OUT_U32,
    LEFT_OUT_U8,
    LEFT_OUT_NAN,
    LEFT_OUT_BITS_AND_NAN,
    LEFT_OUT_COUNT
} left_out_row;

typedef enum initial_row { INITIAL_NONE, INITIAL_HOST, INITIAL_GPU, INITIAL_COUNT } initial_row;

typedef struct scan_request {
    VkrType type, result, gpu_count;
    uint32_t components;
    starts_row starts;
    initial_row initial;
    left_out_row left_out;
    bool in_place, total;
    bool packed, packed_output, aligned, texels;
    uint64_t capacity; /* the host's count */
    uint64_t row;      /* elements of a segment, or columns; 0: any number */
    bool any_data;     /* otherwise moderate values */
    unsigned char first[VKR_MAX_COMPONENTS * 8]; /* the host's initial value */
    VkrScanInfo info;
} scan_request;

/* Whether the operator's float results depend on the order of evaluation. */
bool scan_is_ordered(VkrType type, VkrOp op);

/* Whether an algorithm supports a request, according to the header. */
bool scan_serves(VkrScanAlgorithm algorithm, VkrDeterminism determinism, bool ordered,
                 bool in_place);

/* Draws what the type, the operator and so on leave open. Layouts from SCAN_LAYOUTS on load and
 * store alike, so that they need few pipelines. */
#define SCAN_LAYOUTS 42u /* one of small counts, and two of large ones, in turn */
void scan_draw(test_request *t, uint32_t layout);

/* Places it, with this many elements. A workgroup has w of them. */
void scan_place(test_request *t, uint64_t count, uint64_t w);

/* ---- scan_data.c ---- */

void scan_draw_initial(test_request *t, void *at);
void scan_fill(test_request *t);

/* ---- scan_expect.c ---- */

void scan_expect(test_request *t);

/* ---- scan_known.c ---- */

#define SCAN_TILES (7u * 16u)
#define SCAN_PIECES 3u
bool scan_make_tiles(test_request *t, uint32_t number);
bool scan_make_pieces(test_request *t, uint32_t number);
#define SCAN_COLUMNS 48u
bool scan_make_columns(test_request *t, uint32_t number);
#define SCAN_APART 30u
bool scan_make_apart(test_request *t, uint32_t number);

#define SCAN_OTHERS 6u
extern const struct CMUnitTest scan_others[SCAN_OTHERS];

extern const test_operation test_scan;

#endif
