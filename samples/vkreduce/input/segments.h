/* SPDX-License-Identifier: MIT */
/* --segments, --axis, --tiles, --by and --runs. */
#ifndef RUNNER_SEGMENTS_H
#define RUNNER_SEGMENTS_H

#include "input/input.h"
#include "types.h"

/* The positions of segments. */
typedef struct segments {
    VkrSegmentKind kind;
    uint64_t length; /* of a row or window; of the rows that tiles are cut from */
    uint64_t pitch;  /* from one row to the next; 0: the length */
    uint32_t tile_width, tile_height;
    const char *option, *text; /* what asks for them, and its value */
    input file;                /* of flags, of offsets in their order, or of keys */
    bool by_value;             /* of keys: -0 equals +0, and all NaN are equal */
    bool groups; /* the elements of equal keys are a segment, wherever they are: --by */
    /* The elements along an axis of an array of this shape are a segment: --axis. */
    bool by_axis;
    uint32_t axis, dimensions;
    uint64_t shape[MAX_DIMENSIONS];
} segments;

typedef enum segments_of {
    SEGMENTS_OF_SCAN,
    SEGMENTS_OF_REDUCE,
    SEGMENTS_OF_SORT,
    SEGMENTS_OF_TOPK,
    SEGMENTS_OF_SELECT,
    SEGMENTS_OF_APPLY,
    SEGMENTS_OF_END
} segments_of;

/* Opens the segments that the text of --segments describes, for `count` elements; NULL: none.
 * segments_close may follow a failed segments_open. */
int segments_open(segments *s, segments_of command, const char *text, uint64_t count);
void segments_close(segments *s);

/* The element with which a row starts, and the number of elements from the start of one row on that
 * so many rows span, of `count` elements in all. */
uint64_t segments_row(const segments *s, uint64_t row);
uint64_t segments_span(const segments *s, uint64_t row, uint64_t rows, uint64_t count);

/* Whether rows lie apart, and whether an element lies between two of them. */
bool segments_lie_apart(const segments *s);
bool segments_lie_between(const segments *s, uint64_t element);

/* Of `count` entries of `size` bytes, one for each element: the first sets those between rows to 0,
 * where rows lie apart; the second moves those of rows to the front, and returns their number. */
void segments_clear(const segments *s, uint64_t count, uint64_t size, unsigned char *entries);
uint64_t segments_pack(const segments *s, uint64_t count, uint64_t size, unsigned char *entries);

/* ---- axes.c ---- */

/* Opens what the texts of --segments or --axis describe, for all elements of an input; NULL: it is
 * not given. */
int axes_open(segments *s, segments_of command, const char *text, const char *axis, const input *in,
              const input_options *opts);

/* The shapes of arrays, whose numbers of dimensions they return: with a result for each of `count`
 * segments, and with one for each of `count` elements. There is room for MAX_DIMENSIONS. */
uint32_t segments_results(const segments *s, uint64_t count, uint64_t *shape);
uint32_t segments_elements(const segments *s, uint64_t count, uint64_t *shape);

/* ---- segments.c ---- */

/* Does the same for tiles: for the text of --tiles and the elements of an input. */
int tiles_open(segments *s, const char *text, const input *in);

/* Loads `count` offsets, starting at offset `first`. */
int segments_offsets(const segments *s, uint64_t first, uint64_t count, uint64_t *offsets);

/* Loads all of them, of which there must be one, and finds the length of the longest segment. The
 * caller frees them. */
int segments_starts(const segments *s, uint64_t **starts, uint64_t *longest);

/* Loads a flag for each element, which is set where a segment starts, or what lies between rows. */
int segments_load(const segments *s, uint64_t first, uint64_t count, uint32_t *bits);

/* ---- keys.c: segments by a file with a key for each element ---- */

/* Opens the file that --by or --runs names; NULL: it is not given, and neither is --by-value. */
int keys_open(segments *s, const char *by, const char *runs, bool by_value, uint64_t count);

#endif
