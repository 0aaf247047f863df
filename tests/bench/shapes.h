/* SPDX-License-Identifier: MIT */
/* What distinguishes arms of one kind from each other. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <stdbool.h>
#include <stdint.h>
#include "types.h"

/* The width of a load, with the numbers of read.comp. */
typedef enum load_form {
    LOAD_SCALAR,
    LOAD_VEC4,
    LOAD_U64X4,
    LOAD_TEXEL, /* from an RGBA32_UINT texel buffer; the other forms read storage buffers */
    LOAD_FORMS
} load_form;

/* With the numbers of read.comp: the xor of all words, min and max as f32 or i32, or a copy. */
typedef enum read_kind { READ_XOR, READ_F32, READ_I32, READ_COPY, READ_KINDS } read_kind;

/* A bare kernel. */
typedef struct read_shape {
    read_kind kind;
    load_form form;
    bool chunked;       /* a lane's loads are adjacent; otherwise those of neighbouring lanes are */
    uint32_t workgroup; /* invocations; 0: a subgroup */
    uint32_t flight;    /* loads in flight per lane before the first is used: 1 to 32 */
    uint32_t share;     /* bytes per lane before more workgroups are added; 0: a flight */
    uint32_t groups;    /* maximum, after which shares grow; 0: READ_GROUPS */
} read_shape;

/* The inputs and outputs of a compaction. */
typedef enum compact_form {
    COMPACT_KEPT,
    COMPACT_INDICES,   /* kept elements and indices */
    COMPACT_PARTITION, /* kept and rejected elements */
    COMPACT_FLAGS,     /* an array of u8 selects the kept elements */
    COMPACT_PAYLOAD,   /* 16 bytes per element instead of the elements */
    COMPACT_UNIQUE,    /* sorted values */
    COMPACT_LENGTHS,   /* sorted values; also run lengths */
    COMPACT_FORMS
} compact_form;

/* A step of stream reduction by blocks. */
typedef enum stream_step {
    STEP_ALL, /* the whole recording */
    STEP_MARKS,
    STEP_SUMS, /* sums within blocks */
    STEP_SEARCH,
    STEP_TOTALS, /* the sums of the blocks' totals */
    STEP_CONCATENATION,
    STEP_COUNT, /* the number of kept elements, by a dispatch of one invocation */
    STREAM_STEPS
} stream_step;

/* A form of multi-reduction, with the numbers of windows.comp. */
typedef enum window_form {
    WINDOW_NAIVE,
    WINDOW_MULTI,
    WINDOW_DOUBLED,
    WINDOW_SWAP,
    WINDOW_SHARED,
    WINDOW_ADD,
    WINDOW_FORMS
} window_form;

#define WINDOW_TYPES 3u

typedef struct window_shape {
    uint32_t type; /* index into window_types */
    bool made;     /* values are made in registers; otherwise they are loaded from memory */
    window_form form;
    uint32_t load; /* workgroups per multiprocessor */
} window_shape;

/* An operation on an image. */
typedef enum image_work {
    IMAGE_FETCH,
    IMAGE_FETCH_CHUNK, /* a lane's texels are adjacent */
    IMAGE_BLIT,        /* a chain of blits with linear filtering */
    IMAGE_REDUCE,      /* starting here: operations of the library */
    IMAGE_TILES,
    IMAGE_PYRAMID
} image_work;

typedef struct image_shape {
    image_work work;
    uint32_t picture; /* index of the picture that is read */
    VkrPyramidAlgorithm algorithm;
} image_shape;

typedef struct histogram_shape {
    uint32_t of;   /* index into histogram_cases */
    uint32_t size; /* index into the sizes of settings */
    VkrHistogramAlgorithm algorithm;
    bool plain; /* the bare kernel instead of the library */
} histogram_shape;

typedef struct ordered_shape {
    uint32_t of;   /* index into ordered_cases */
    uint32_t size; /* index into the sizes of settings */
    VkrSortAlgorithm algorithm;
} ordered_shape;

#endif
