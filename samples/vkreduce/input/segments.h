/* SPDX-License-Identifier: MIT */
/* --segments, --tiles and --by. */
#ifndef RUNNER_SEGMENTS_H
#define RUNNER_SEGMENTS_H

#include "input/input.h"
#include "types.h"

/* The positions of segments. */
typedef struct segments {
    VkrSegmentKind kind;
    uint64_t length; /* of a row or window; of the rows that tiles are cut from */
    uint32_t tile_width, tile_height;
    input file; /* of flags, of offsets in their order, or of keys */
} segments;

typedef enum segments_of {
    SEGMENTS_OF_SCAN,
    SEGMENTS_OF_REDUCE,
    SEGMENTS_OF_SORT,
    SEGMENTS_OF_TOPK,
    SEGMENTS_OF_END
} segments_of;

/* Opens the segments that the text of --segments describes, for `count` elements; NULL: none.
 * segments_close may follow a failed segments_open. */
int segments_open(segments *s, segments_of command, const char *text, uint64_t count);
void segments_close(segments *s);

/* Does the same for tiles: for the text of --tiles and the elements of an input. */
int tiles_open(segments *s, const char *text, const input *in);

/* Does the same for runs of equal keys, of which a file has one for each element; NULL: none. */
int keys_open(segments *s, const char *name, uint64_t count);

/* Loads `count` offsets, starting at offset `first`. */
int segments_offsets(const segments *s, uint64_t first, uint64_t count, uint64_t *offsets);

/* Loads a flag for each element, which is set where a segment starts; for scans. */
int segments_load(const segments *s, uint64_t first, uint64_t count, uint32_t *bits);

#endif
