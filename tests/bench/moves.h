/* SPDX-License-Identifier: MIT */
/* Copies, scans and compactions: their inputs besides the data, and their outputs in `copy`. */
#ifndef BENCH_MOVES_H
#define BENCH_MOVES_H

#include "state.h"

struct moves {
    VkrHostMemory flags;   /* a u8 per element: COMPACT_FLAGS */
    VkrHostMemory runs;    /* sorted u32: COMPACT_UNIQUE, COMPACT_LENGTHS */
    VkrHostMemory payload; /* the data, repeated: COMPACT_PAYLOAD */
    uint32_t *host_runs;
    unsigned char *mask; /* of the current compaction: 1 for kept elements */
};

/* An output of a compaction. */
typedef enum moved_kind {
    MOVED_KEPT,
    MOVED_INDICES,
    MOVED_REJECTED,
    MOVED_PAYLOAD,
    MOVED_LENGTHS,
    MOVED_KINDS
} moved_kind;

typedef struct moved_row {
    const char *name;
    uint32_t words; /* words per entry */
    size_t view;    /* offset in VkrCompactInfo; a payload has none */
} moved_row;

/* A compaction's outputs lie one after the other in `copy`, followed by the count of kept
 * elements. */
typedef struct compact_row {
    const char *name;
    bool of_runs;     /* the input is the sorted values; otherwise the data */
    uint32_t outputs; /* bits 1 << moved_kind */
    uint32_t read;    /* bytes read per element, without a payload */
} compact_row;

extern const moved_row moved_rows[MOVED_KINDS];
extern const compact_row compact_rows[COMPACT_FORMS];

/* The value that `share` per cent of the random values exceed. They are not negative, so their bits
 * have the same order. */
float share_limit(uint32_t share);

/* Writes the mask of an arm for n elements; returns how many it keeps. */
uint64_t moves_mask(const bench *b, const arm *a, uint64_t n);

/* The arms and the data must exist; moves_close may follow a failure. */
int moves_open(bench *b);
void moves_close(bench *b);

/* The bytes of device memory besides the data. Outputs may use a quarter of them, each input an
 * eighth. */
VkDeviceSize moves_room(const bench *b);

/* The offset in `copy` of output `kind` of a compaction; of MOVED_KINDS, that of the count. */
VkDeviceSize moves_offset(const arm *a, uint64_t n, uint32_t kind);

/* The bytes of `copy` that an arm may write, and whether the buffers are too small for n
 * elements. */
VkDeviceSize moves_size(const arm *a, uint64_t n);
bool moves_beyond(const bench *b, const arm *a, uint64_t n);

/* Hand the arm's operation to its recorder. */
VkrResult moves_scan(const bench *b, const arm *a, uint64_t n);
VkrResult moves_compact(const bench *b, const arm *a, uint64_t n);

/* ---- verify_moves.c ---- */

/* Compares the outputs of a copy, a scan, a compaction or sums of segments in `copied`, and
 * computes the bytes of a compaction. */
void verify_moved(const bench *b, row *r);

#endif
