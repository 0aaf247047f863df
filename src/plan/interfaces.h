/* SPDX-License-Identifier: MIT */
/* One row for each slot of a family of kernels: how its bindings and push constants are filled. */
#ifndef VKR_PLAN_INTERFACES_H
#define VKR_PLAN_INTERFACES_H

#include "slot.h"

extern const vkr_interface vkr_reduce_interface;
extern const vkr_interface vkr_blocks_interface;       /* the same slots */
extern const vkr_interface vkr_reduce_image_interface; /* the input is an image, and no slot */
enum {
    VKR_REDUCE_INPUT,
    VKR_REDUCE_INPUT2,
    VKR_REDUCE_IN_PLACE, /* the input, where its elements are replaced */
    VKR_REDUCE_ELEMENT,  /* the input again, as what is written */
    VKR_REDUCE_COUNT,
    VKR_REDUCE_PARTIALS, /* read */
    VKR_REDUCE_STORED,   /* written */
    VKR_REDUCE_SHARED,   /* written, and read by the workgroup that finishes last */
    VKR_REDUCE_AGAIN,    /* the same, as what that workgroup reads */
    VKR_REDUCE_RESULTS,
    VKR_REDUCE_COUNTER,
    VKR_REDUCE_MASK, /* bits */
};

extern const vkr_interface vkr_stage_interface;
extern const vkr_interface vkr_stage_image_interface;
enum { VKR_STAGE_SLOT_VALUES, VKR_STAGE_SLOT_SOURCE };

extern const vkr_interface vkr_segment_interface;
extern const vkr_interface vkr_neighbour_interface; /* the same slots */
enum {
    VKR_SEGMENT_INPUT,
    VKR_SEGMENT_INPUT2,
    VKR_SEGMENT_COUNT,
    VKR_SEGMENT_PARTIALS, /* partials that are read, or lists and the partials behind them */
    VKR_SEGMENT_NUMBER,   /* the number of segments, where the GPU has it */
    VKR_SEGMENT_STORED,   /* partials or lists written */
    VKR_SEGMENT_RESULTS,
    VKR_SEGMENT_LISTED, /* how many segments the lists have */
    VKR_SEGMENT_STARTS, /* the offsets at which segments start */
};

extern const vkr_interface vkr_tile_interface;
extern const vkr_interface vkr_tile_image_interface; /* the input is an image, and no slot */
enum {
    VKR_TILE_INPUT,
    VKR_TILE_INPUT2,
    VKR_TILE_COUNT,
    VKR_TILE_PARTIALS, /* read */
    VKR_TILE_STORED,   /* written */
    VKR_TILE_RESULTS,
    VKR_TILE_MASK, /* bits */
};

extern const vkr_interface vkr_write_interface;
enum { VKR_WRITE_SLOT_RESULTS };

extern const vkr_interface vkr_histogram_interface;
extern const vkr_interface vkr_histogram_image_interface; /* the input is an image, and no slot */
enum {
    VKR_HISTOGRAM_SLOT_INPUT,
    VKR_HISTOGRAM_SLOT_WEIGHTS,
    VKR_HISTOGRAM_SLOT_COUNT,
    VKR_HISTOGRAM_SLOT_TABLE,
    VKR_HISTOGRAM_SLOT_COUNTS,
    VKR_HISTOGRAM_SLOT_OUTSIDE,
    VKR_HISTOGRAM_SLOT_MASK, /* bits */
};

extern const vkr_interface vkr_edges_interface;
enum {
    VKR_EDGES_SLOT_SOURCE,
    VKR_EDGES_SLOT_TABLE,
    VKR_EDGES_SLOT_OUTPUT,
    VKR_EDGES_SLOT_CLEARED, /* counts, and what is outside */
};

extern const vkr_interface vkr_quantile_interface;
enum {
    VKR_QUANTILE_SLOT_COUNTS,
    VKR_QUANTILE_SLOT_EDGES,
    VKR_QUANTILE_SLOT_VALUES,
    VKR_QUANTILE_SLOT_MEANS,
    VKR_QUANTILE_SLOT_SUMS,
};

extern const vkr_interface vkr_scan_interface;
extern const vkr_interface vkr_passes_interface;
enum {
    VKR_SCAN_SLOT_INPUT,
    VKR_SCAN_SLOT_HEADS, /* bits that say where segments start */
    VKR_SCAN_SLOT_COUNT,
    VKR_SCAN_SLOT_PARTIALS, /* read */
    VKR_SCAN_SLOT_PREFIXES, /* read by a module whose other modes also write them */
    VKR_SCAN_SLOT_STORED,   /* partials written */
    VKR_SCAN_SLOT_CHANGED,  /* partials written, and read before or after */
    VKR_SCAN_SLOT_RESULTS,
    VKR_SCAN_SLOT_TOTAL,
    VKR_SCAN_SLOT_COUNTER,
    VKR_SCAN_SLOT_INITIAL,
};

extern const vkr_interface vkr_heads_interface;
enum { VKR_HEADS_SLOT_SOURCE, VKR_HEADS_SLOT_WORDS };

extern const vkr_interface vkr_compact_interface;
enum {
    VKR_COMPACT_SLOT_TESTED,
    VKR_COMPACT_SLOT_WORDS, /* the same binding as TESTED: words of flags, or constants */
    VKR_COMPACT_SLOT_RECORD,
    VKR_COMPACT_SLOT_COUNTER,
    VKR_COMPACT_SLOT_COUNT,
    VKR_COMPACT_SLOT_SOURCE,  /* the same binding as COUNT */
    VKR_COMPACT_SLOT_COUNTS,  /* the same binding as rejected indices */
    VKR_COMPACT_SLOT_OUTPUTS, /* values and indices kept, values and indices rejected */
};

extern const vkr_interface vkr_payload_interface;
extern const vkr_interface vkr_payload_texel_interface; /* texels in place of SOURCE */
enum {
    VKR_PAYLOAD_SLOT_LIST,
    VKR_PAYLOAD_SLOT_RECORD,
    VKR_PAYLOAD_SLOT_SOURCE,
    VKR_PAYLOAD_SLOT_TARGET,
};

/* Stream reduction; marks have the slots of compact. */
extern const vkr_interface vkr_marks_interface;
extern const vkr_interface vkr_sums_interface; /* and of block_scan */
extern const vkr_interface vkr_gather_interface;
extern const vkr_interface vkr_sequential_interface;
extern const vkr_interface vkr_concatenate_interface;
enum {
    VKR_STREAM_SLOT_SOURCE,
    VKR_STREAM_SLOT_SUMS,
    VKR_STREAM_SLOT_SCANNED, /* marks that become sums in place */
    VKR_STREAM_SLOT_TOTALS,
    VKR_STREAM_SLOT_TOTALS_STORED,
    VKR_STREAM_SLOT_TOTALS_SCANNED,
    VKR_STREAM_SLOT_BLOCKS,
    VKR_STREAM_SLOT_BLOCKS_STORED,
    VKR_STREAM_SLOT_BLOCK_INDICES,
    VKR_STREAM_SLOT_BLOCK_INDICES_STORED,
    VKR_STREAM_SLOT_KEPT,
    VKR_STREAM_SLOT_INDICES,
    VKR_STREAM_SLOT_RECORD,
};

extern const vkr_interface vkr_arguments_interface;
enum { VKR_ARGUMENTS_SLOT_RECORD, VKR_ARGUMENTS_SLOT_OUTPUTS };

extern const vkr_interface vkr_pyramid_interface;     /* images, and no slot */
extern const vkr_interface vkr_pyramid_few_interface; /* likewise */
extern const vkr_interface vkr_pyramid_many_interface;
enum { VKR_PYRAMID_SLOT_SCRATCH, VKR_PYRAMID_SLOT_COUNTER };

#endif
