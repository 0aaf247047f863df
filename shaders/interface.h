/* SPDX-License-Identifier: MIT */
/*
 * What C and GLSL must agree on: descriptor bindings, specialisation ids, push constants and the
 * numbers of types and operators. Included by both; the C side checks the numbers against
 * vkreduce.h.
 */
#ifndef VKR_INTERFACE_H
#define VKR_INTERFACE_H

#ifdef VKR_GLSL
#define VKR_UINT uint
#define VKR_UINT4(name) uvec4 name
#else
#include <stdint.h>
#define VKR_UINT uint32_t
#define VKR_UINT4(name) uint32_t name[4]
#endif

/* Push constants are what changes with every dispatch. Uniforms, which some kernels have, are what
 * the dispatches of an operation have in common. Their layout is std140: VKR_UINT4 come first. */
#define VKR_BINDING_UNIFORMS 9

/* The group path that a kernel was built for (VKR_BUILD_GROUP_PATH), as VkrGroupPath. */
#define VKR_BUILD_ARITHMETIC 1
#define VKR_BUILD_SHUFFLE 2
#define VKR_BUILD_SHARED 3

/* How a kernel loads where it loads more than a value (VKR_LOADS). */
#define VKR_LOADS_VEC4 1  /* 16 bytes of a storage buffer, as four words */
#define VKR_LOADS_U64 2   /* 32 bytes, as four words of 64 bits */
#define VKR_LOADS_TEXEL 3 /* 16 bytes, as a texel of a buffer */
#define VKR_LOADS_2D 4    /* an element, as a texel of an image */
#define VKR_LOADS_ARRAY 5
#define VKR_LOADS_3D 6

/* Element types as kernels know them (VKR_ELEMENT). */
#define VKR_CLASS_W8 1  /* i8, u8: told apart by VKR_CONST_SIGNED */
#define VKR_CLASS_W16 2 /* i16, u16 */
#define VKR_CLASS_W32 3 /* i32, u32 */
#define VKR_CLASS_W64 4 /* i64, u64 */
#define VKR_CLASS_F16 5
#define VKR_CLASS_F32 6
#define VKR_CLASS_F64 7
#define VKR_CLASS_S32 8 /* i32 of images, whose kernels serve one sign; VKR_CLASS_W32 is u32 then */

#include "vkreduce/operators/list.h" /* VKR_BIT_*: operators, as VkrOp */

/* Specialisation constants of the reduce kernel, in order of id. */
#define VKR_CONST_WORKGROUP 0  /* invocations of a workgroup: a power of two */
#define VKR_CONST_OPS 1        /* VKR_BIT_* */
#define VKR_CONST_COMPONENTS 2 /* 1 to 4; read where built with VKR_VECTOR */
#define VKR_CONST_SIGNED 3     /* integer elements are signed */
#define VKR_CONST_FLAGS 4      /* VKR_FLAG_* */
#define VKR_CONST_INPUT 5      /* VKR_INPUT_* */
#define VKR_CONST_OUTPUT 6     /* VKR_OUTPUT_* */
#define VKR_CONST_SUBGROUPS 7  /* maximum number of subgroups of a workgroup */
#define VKR_CONST_PATH 8       /* VKR_PATH_* */
#define VKR_CONST_ORDER 9      /* VKR_ORDER_* */
#define VKR_CONST_BATCH 10     /* units that an invocation loads before it uses the first */
#define VKR_AHEAD 16u          /* the same of elements without packs, or 1 */
#define VKR_REDUCE_CONSTANTS 11

#define VKR_PATH_ELEMENT 0u
#define VKR_PATH_WIDE 1u /* in units */

#define VKR_ORDER_COALESCED 0u
#define VKR_ORDER_CONTIGUOUS 1u

#define VKR_FLAG_PROPAGATE_NAN 1u
#define VKR_FLAG_WIDE_INDEX 2u /* indices and counts can pass 2^32 */
#define VKR_FLAG_CANONICAL 4u  /* level device: flush subnormals, shared-memory order */
#define VKR_FLAG_GPU_COUNT 8u
#define VKR_FLAG_GPU_COUNT64 16u
#define VKR_FLAG_REPLACED 32u /* elements are values of the step before: all of them count */
#define VKR_FLAG_MASKED 0x20000u  /* there is a mask */
#define VKR_FLAG_MAPPED 0x40000u  /* elements are mapped as they are read */
#define VKR_FLAG_WEIGHT0 0x80000u /* the weight of component 0 is not 0; 1 to 3: the next bits */
#define VKR_FLAG_BIAS 0x800000u   /* the bias is not 0 */
#define VKR_FLAG_SAMPLE 0x20000000u /* variances divide by one less than the count */
#define VKR_FLAG_SKIP_NAN 0x40000000u /* NaN elements are as if they were not there */
#define VKR_MAP_SHIFT 24          /* two bits: VkrMapFunction */
#define VKR_FLAG_BITS 0x4000000u  /* stage: bits that say which texels are not 0 */

#define VKR_INPUT_ELEMENTS 0u
#define VKR_INPUT_PARTIALS 1u

#define VKR_OUTPUT_PARTIAL 0u /* one partial per workgroup */
#define VKR_OUTPUT_RESULT 1u  /* one workgroup, which writes the results */
#define VKR_OUTPUT_LAST 2u    /* partials; the workgroup that finishes last writes the results */
#define VKR_OUTPUT_ELEMENT 3u /* the value replaces an element of the input */
#define VKR_OUTPUT_ELEMENT_RESULT 4u /* one workgroup: both the element and the results */

/* Bindings of the reduce kernel. */
#define VKR_BINDING_INPUT 0
#define VKR_BINDING_INPUT2 1
#define VKR_BINDING_COUNT 2
#define VKR_BINDING_PARTIALS 3 /* read: INPUT_PARTIALS; OUTPUT_LAST: the same as STORED */
#define VKR_BINDING_STORED 4   /* partials written */
#define VKR_BINDING_OUTPUT 5
#define VKR_BINDING_COUNTER 6
#define VKR_BINDING_ELEMENT 4 /* the input again, where it is written (OUTPUT_ELEMENT) */
#define VKR_BINDING_MASK 7    /* words of bits */
#define VKR_REDUCE_BINDINGS 8
/* Texels lie in the same memory as an input, and take no storage buffer of their own. */
#define VKR_BINDING_TEXELS 8

/* Bases are in units of the binding's array: values of the element type (input, output), words
 * (count, counter, partials). */
struct vkr_reduce_push {
    VKR_UINT input_base;
    VKR_UINT input_stride;
    VKR_UINT input2_base;
    VKR_UINT input2_stride;
    VKR_UINT capacity_low; /* elements of the whole operation, as the host knows */
    VKR_UINT capacity_high;
    VKR_UINT first_low; /* index of this dispatch's first element */
    VKR_UINT first_high;
    VKR_UINT count;  /* elements or partials that this dispatch reads at most */
    VKR_UINT groups; /* that have work; the dispatch can be larger */
    VKR_UINT items;  /* elements or partials per invocation; VKR_PATH_WIDE: units */
    VKR_UINT head;   /* VKR_PATH_WIDE: elements before the first unit */
    VKR_UINT load_base;
    VKR_UINT load2_base;
    VKR_UINT count_base;
    VKR_UINT partials_base;
    VKR_UINT partials_stride; /* words from one partial to the next that is read */
    VKR_UINT stored_base;
    VKR_UINT stored_stride; /* words (OUTPUT_ELEMENT: values) from one stored to the next */
    VKR_UINT output_base;
    VKR_UINT counter_base;
    VKR_UINT mask_base; /* the bit of this dispatch's first element */
    VKR_UINT map_weight; /* of component 0, as a float; of images, uniforms have these */
    VKR_UINT map_bias;
};

/* Kernels that load texels of an image bind it in place of the texels of a buffer, and have no
 * other input. These are their uniforms. */
#define VKR_BINDING_IMAGE VKR_BINDING_TEXELS
struct vkr_image_uniforms {
    VKR_UINT4(origin); /* of the part that is read: column, row, layer or slice; the level */
    VKR_UINT4(start);  /* in the part, where the dispatch's first element lies */
    VKR_UINT4(weights); /* of a map, as bits of floats */
    VKR_UINT width;    /* of the part */
    VKR_UINT height;
    VKR_UINT bias; /* of a map */
};

/* Copies of texels, or mapped elements, in a buffer, by the stage kernel. Its specialisation
 * constants are those of reduce, and its uniforms those of images. */
#define VKR_STAGE_VALUES 0
#define VKR_STAGE_SOURCE 1
struct vkr_stage_push {
    VKR_UINT count;
    VKR_UINT groups; /* that have work; the dispatch can be larger */
    VKR_UINT items;  /* elements per invocation */
    VKR_UINT base;   /* of the values written, in words */
    VKR_UINT source_base; /* of elements of a buffer */
    VKR_UINT source_stride;
};

/* ---- Reductions of segments ---- */

/* Specialisation constants: those of reduce, and */
#define VKR_CONST_TEAM 11   /* invocations that share segments: a power of two; 0: the workgroup */
#define VKR_CONST_SHAPE 12  /* VKR_SHAPE_* */
#define VKR_CONST_LENGTH 13 /* elements of a short row; of a window, those beyond its blocks */
/* How many segments an invocation takes: rows, which together are whole units; the columns of one
 * or several units of a row; or windows, which start at the elements of a block. */
#define VKR_CONST_NEIGHBOURS 14
#define VKR_SEGMENT_CONSTANTS 15

/* Where a segment, or the part of one that is taken at once, lies. */
#define VKR_SHAPE_ROWS 0u    /* at multiples of a stride; ids count the parts of a segment first */
#define VKR_SHAPE_COLUMNS 1u /* the same, but ids count the segments first */
#define VKR_SHAPE_OFFSETS 2u /* between offsets; long ones are listed for the next three */
#define VKR_SHAPE_MEDIUM 3u  /* listed segments */
#define VKR_SHAPE_PARTS 4u   /* listed parts of segments */
#define VKR_SHAPE_LARGE 5u   /* listed segments of which partials are left */
#define VKR_SHAPE_WINDOWS 6u /* each starts an element after the one before: neighbours */

#define VKR_FLAG_FULL_TEAM 64u /* a subgroup has at least the invocations of a team */
#define VKR_FLAG_ONE_BATCH 128u /* the units of an invocation are one batch */
#define VKR_FLAG_OFFSETS64 4096u
#define VKR_FLAG_GPU_SEGMENTS 8192u /* the GPU has the number of segments, at partials_base */
#define VKR_FLAG_GPU_SEGMENTS64 16384u
#define VKR_FLAG_WHOLE 32768u        /* invocations have whole batches of units, and nothing else */
#define VKR_FLAG_FOUR_RESULTS 65536u /* neighbours': words without gaps, stored by four */

#ifdef VKR_GLSL
#define VKR_TREE_WIDTH 128u /* both as in vkreduce.h */
#define VKR_TREE_BLOCK 8192u
#endif
#define VKR_COLUMN_LANES 8u /* invocations whose units of columns take turns */

/* Bindings: those of reduce, except */
#define VKR_SEGMENT_LISTS VKR_BINDING_COUNTER   /* three counts: medium, large, parts */
#define VKR_SEGMENT_OFFSETS 7                 /* words */

/* The lists lie one behind the other: numbers of segments; triples of a segment, its first partial
 * and their number; pairs of a segment and the number of a part, whose place is the partial's. They
 * are stored at stored_base by OFFSETS, and read at partials_base. */
struct vkr_segment_push {
    VKR_UINT input_base; /* as in vkr_reduce_push */
    VKR_UINT input_stride;
    VKR_UINT input2_base;
    VKR_UINT first_low; /* element 0 of the dispatch, in which others are counted */
    VKR_UINT first_high;
    VKR_UINT count;          /* elements of the dispatch */
    VKR_UINT groups;         /* that have work */
    VKR_UINT ids;            /* parts of segments in this dispatch */
    VKR_UINT items;          /* of them per invocation or workgroup, or of runs of neighbours */
    VKR_UINT segments;       /* in this dispatch */
    VKR_UINT segment_stride; /* elements from one segment to the next */
    VKR_UINT element_stride; /* elements from one of a segment to the next */
    VKR_UINT segment_length; /* elements of a segment in this dispatch; OFFSETS: of those that are
                              * not listed, at most */
    VKR_UINT parts;          /* of a segment in this dispatch; lists: that theirs holds; WINDOWS:
                              * partials that lie between both ends of a window */
    VKR_UINT first_part;     /* of this dispatch; WINDOWS: the first block */
    VKR_UINT lead;           /* elements that the first unit lacks at its start */
    VKR_UINT load_base;      /* of the first unit, in packs */
    VKR_UINT load2_base;
    VKR_UINT count_base;
    VKR_UINT partials_base;
    VKR_UINT stored_base;
    VKR_UINT output_base;
    VKR_UINT output_stride; /* units, from a segment's results to those of the next */
    VKR_UINT counter_base;  /* of the three counts */
};

/* Rows and columns whose count the host knows do not read these. */
struct vkr_segment_uniforms {
    VKR_UINT capacity_low; /* as in vkr_reduce_push */
    VKR_UINT capacity_high;
    VKR_UINT input2_stride;
    VKR_UINT offsets_base;
    VKR_UINT part_length; /* MEDIUM: at most; WINDOWS: the first partial between ends */
    VKR_UINT all_parts;   /* of a segment at most, each with a partial; WINDOWS: partials that
                           * take the place of elements */
    VKR_UINT most_medium; /* that their list holds */
    VKR_UINT most_large;
};

/* ---- Reductions of tiles, and of images by squares ---- */

/* Specialisation constants: those of reduce, and TEAM: 0 or 1. Bindings: those of reduce, or those
 * of reductions of images; no ELEMENT, and no COUNTER. */
#define VKR_TILE_CONSTANTS (VKR_CONST_TEAM + 1)

/* Tiles are parts of one whole: indices and the count are those of the whole, and partials that are
 * read lie in rows, as elements do. */
#define VKR_FLAG_SQUARES 0x8000000u
/* The dispatch's grid is that of the tiles: an invocation has column and row from its own place.
 * Else it computes them from the tile's number. */
#define VKR_FLAG_GRID 0x10000000u

/* Tiles are numbered row by row and then layer by layer. Each has `parts` parts, which become
 * partials where they are several. */
struct vkr_tile_push {
    VKR_UINT input_base; /* of the first element of the dispatch's first row of tiles */
    VKR_UINT input_stride;
    VKR_UINT input2_base;
    VKR_UINT input2_stride;
    VKR_UINT first_tile; /* of the dispatch */
    VKR_UINT first_row;  /* of elements, through all layers: whose first one is at input_base */
    VKR_UINT ids;        /* parts, or tiles where their partials are combined */
    VKR_UINT groups;     /* that have work */
    VKR_UINT items;      /* ids of a workgroup, or of an invocation */
    VKR_UINT count_base;
    VKR_UINT partials_base;
    VKR_UINT stored_base;
    VKR_UINT output_base;
    VKR_UINT output_stride; /* units, from a tile's results to those of the next */
    VKR_UINT mask_base;     /* the bit of the first element of the dispatch's first row of tiles */
};

struct vkr_tile_uniforms {
    VKR_UINT4(origin); /* of an image, as in vkr_image_uniforms */
    VKR_UINT4(weights);
    VKR_UINT width;    /* of the rows that tiles are cut from */
    VKR_UINT height;   /* their number in a layer */
    VKR_UINT tile_width;
    VKR_UINT tile_height;
    VKR_UINT columns; /* tiles side by side */
    VKR_UINT rows;    /* of tiles in a layer */
    VKR_UINT parts;
    VKR_UINT part_length;  /* elements */
    VKR_UINT capacity_low; /* as in vkr_reduce_push */
    VKR_UINT capacity_high;
    VKR_UINT bias; /* as in vkr_image_uniforms */
};

/* ---- Results of tiles as texels of an image ---- */

/* Specialisation constants: those of pyramids (VKR_PYRAMID_*), for minima. An invocation writes the
 * results of one tile as one texel. */
#define VKR_WRITE_RESULTS 0
#define VKR_WRITE_IMAGE 1
struct vkr_write_push {
    VKR_UINT4(at);    /* of each channel's result, in bytes from the start of a tile's results */
    VKR_UINT4(size);  /* in bytes: 1, 2 or 4; 0: there is no such channel */
    VKR_UINT base;    /* of the dispatch's first tile, in bytes */
    VKR_UINT stride;  /* bytes from a tile's results to those of the next */
    VKR_UINT first;   /* tile of the dispatch */
    VKR_UINT count;   /* tiles */
    VKR_UINT groups;  /* that have work; the dispatch can be larger */
    VKR_UINT columns; /* tiles side by side */
    VKR_UINT rows;    /* of tiles in a layer */
};

/* ---- Histograms ---- */

/* Elements are compared by their keys: unsigned numbers in the order of the values, as vkr_order in
 * type.glsl makes them; of f16 those of the f32 of the same value. An edge of 0 has the key of -0.
 *
 * A table says which keys belong to which bin, for each component, or once for all of them. It has
 * a header and then, for each bin k, the greatest difference of a key and the base that belongs to
 * bin k or to a bin before it; in one word, or in two where keys have 64 bits. No entry is greater
 * than the span, which the last one is. A key is in range where key - base, which wraps, is at most
 * the span. */
#define VKR_BINS_BASE 0     /* two words, low and high: the first key that is in range */
#define VKR_BINS_SPAN 2     /* two words: the last key that is, less the base */
#define VKR_BINS_FIRST 4    /* the bin of the base */
#define VKR_BINS_STEPS 5    /* 0: estimates are good; else steps of a search of all bins; or */
#define VKR_BINS_NONE 255u  /* there are no bins */
#define VKR_BINS_ORIGIN 6   /* floats: lo, as the bits of an f32 */
#define VKR_BINS_SCALE 7    /* n / (hi - lo), as those of an f32 */
#define VKR_BINS_OFFSET 8   /* what an estimate starts from, as those of an f32 */
#define VKR_BINS_HEADER 12
/* An estimate is int(t * scale + offset), rounded to 0, where t is x - lo of floats, both as f32,
 * and key - base of integers. The offset has 1/4 less than the place of a bin, so that an estimate
 * that is not below the first bin is the bin or the one before it: of floats where bins are at
 * least VKR_BINS_WIDE of the greater magnitude of lo and hi, which is below 1e30, and 1e-30. */
#define VKR_BINS_WIDE 3.814697265625e-6 /* 2^-18 */

/* The kernel that counts. Specialisation constants: those of reduce except OPS and OUTPUT, and */
#define VKR_CONST_COUNTING 6 /* VKR_COUNTING_* */
#define VKR_CONST_FINDING 11 /* VKR_FINDING_*, and VKR_FINDING_STEP times the steps of a search */
#define VKR_CONST_COPIES 12  /* SHARED: of each count; a power of two */
#define VKR_CONST_ROOM 13    /* counts that an invocation or a workgroup has */
#define VKR_CONST_LIMITS 14  /* words of limits that are copied from the table; 0: none */
#define VKR_CONST_WEIGHTS 15 /* VKR_WEIGHTS_* */
#define VKR_HISTOGRAM_CONSTANTS 16

/* Where a share is counted before its counts are added to those in memory. */
#define VKR_COUNTING_OWN 0u /* by each invocation for itself */
#define VKR_COUNTING_SHARED 1u
#define VKR_COUNTING_GLOBAL 2u /* in memory */

#define VKR_FINDING_SEARCH 0u
#define VKR_FINDING_ESTIMATE 1u
#define VKR_FINDING_OFFSET 2u /* bin and difference go together */
#define VKR_FINDING_VALUES 3u /* values of a byte are counted, and have bins later; not GLOBAL */
#define VKR_FINDING_EITHER 4u /* ESTIMATE where the tables' estimates are good, else SEARCH */
#define VKR_FINDING_STEP 256u

#define VKR_WEIGHTS_NONE 0u
#define VKR_WEIGHTS_UNSIGNED 1u
#define VKR_WEIGHTS_SIGNED 2u
#define VKR_WEIGHTS_FLOAT 3u

#define VKR_FLAG_COUNTS64 0x20000000u
#define VKR_FLAG_OUTSIDE 0x40000000u /* what is outside of all bins is wanted, too */

#define VKR_OUTSIDE_COUNTS 3u /* below, above, NaN */
#define VKR_MAX_TABLES 4

/* Bindings: those of reduce, except */
#define VKR_HISTOGRAM_WEIGHTS VKR_BINDING_INPUT2 /* words */
#define VKR_HISTOGRAM_TABLE VKR_BINDING_PARTIALS
#define VKR_HISTOGRAM_COUNTS VKR_BINDING_STORED
#define VKR_HISTOGRAM_OUTSIDE VKR_BINDING_OUTPUT
struct vkr_histogram_push {
    VKR_UINT input_base; /* as in vkr_reduce_push */
    VKR_UINT input_stride;
    VKR_UINT capacity_low;
    VKR_UINT capacity_high;
    VKR_UINT first_low;
    VKR_UINT first_high;
    VKR_UINT count;
    VKR_UINT groups;
    VKR_UINT items;
    VKR_UINT head;
    VKR_UINT load_base;
    VKR_UINT count_base;
    VKR_UINT mask_base;
    VKR_UINT map_weight;
    VKR_UINT map_bias;
    VKR_UINT weights_base; /* of this dispatch's first element */
    VKR_UINT weights_stride;
    VKR_UINT weights_scale; /* 2^b, as the bits of a float */
    VKR_UINT table_base;
    VKR_UINT table_stride; /* words from a component's table to the next; 0: one for all */
    VKR_UINT bins;
    VKR_UINT counts_base;
    VKR_UINT outside_base;
};

/* The kernel that makes tables, and sets counts to 0. An invocation makes an edge, and sets a word
 * of the counts and of those outside. Specialisation constants: */
#define VKR_EDGES_WORKGROUP 0
#define VKR_EDGES_ELEMENT 1 /* VKR_CLASS_*; images have W32 too */
#define VKR_EDGES_SIGNED 2
#define VKR_EDGES_FLAGS 3 /* VKR_EDGES_* */
#define VKR_EDGES_CONSTANTS 4

/* What the kernel is built for (VKR_EDGES_KIND): three of VkrBinKind. INTEGERS is EVEN too. */
#define VKR_EVEN_EDGES 0
#define VKR_LOG2_EDGES 1
#define VKR_GIVEN_EDGES 2

#define VKR_EDGES_CLOSED 1u /* the last bin holds its upper edge */
#define VKR_EDGES_OF_GPU 2u /* the source has the bounds; the range is closed */
#define VKR_EDGES_STORED 4u /* edges are wanted, too */

#define VKR_EDGES_SOURCE 0  /* words, which hold bounds or edges */
#define VKR_EDGES_TABLE 1
#define VKR_EDGES_OUTPUT 2  /* words of edges */
#define VKR_EDGES_COUNTS 3
#define VKR_EDGES_OUTSIDE 4
struct vkr_edges_push {
    VKR_UINT low_at;  /* in the source, in bytes: lo of component 0, or edge 0 */
    VKR_UINT high_at;
    VKR_UINT low[3];  /* host's bounds: of integers as numbers of 96 bits, low words first, in two's
                       * complement; of floats as the two words of an f64 */
    VKR_UINT high[3];
    VKR_UINT bins;
    VKR_UINT components; /* of elements */
    VKR_UINT table_base;
    VKR_UINT table_stride; /* as in vkr_histogram_push */
    VKR_UINT output_base;
    VKR_UINT counts_base;
    VKR_UINT counts_words; /* to be set to 0 */
    VKR_UINT outside_base;
    VKR_UINT outside_words;
    VKR_UINT groups; /* that have work; the dispatch can be larger */
};

/* ---- Quantiles ---- */

/* A workgroup takes a component's counts. Specialisation constants: */
#define VKR_QUANTILE_WORKGROUP 0
#define VKR_QUANTILE_FLAGS 1 /* VKR_QUANTILE_* */
#define VKR_QUANTILE_CONSTANTS 2

#define VKR_QUANTILE_COUNTS64 1u
#define VKR_QUANTILE_EDGES64 2u
#define VKR_QUANTILE_TRIMS 4u   /* a trimmed mean is wanted */
#define VKR_QUANTILE_ADDS_UP 8u /* sums of counts are */

#define VKR_QUANTILE_COUNTS 0 /* words, as all bindings are */
#define VKR_QUANTILE_EDGES 1
#define VKR_QUANTILE_VALUES 2
#define VKR_QUANTILE_MEANS 3
#define VKR_QUANTILE_SUMS 4

/* Shares are in units of 2^-32, and a share of 1 is 0 with its bit of `ones` set. Behind those of a
 * dispatch come the two of the trimmed mean. */
#define VKR_QUANTILE_SHARES 16
struct vkr_quantile_push {
    VKR_UINT bins;
    VKR_UINT shares; /* of this dispatch */
    VKR_UINT ones;
    VKR_UINT counts_base;
    VKR_UINT edges_base;
    VKR_UINT values_base;   /* of this dispatch's first share */
    VKR_UINT values_stride; /* words from a component's values to those of the next */
    VKR_UINT means_base;
    VKR_UINT sums_base;
    VKR_UINT groups; /* that have work; the dispatch can be larger */
};

struct vkr_quantile_uniforms {
    VKR_UINT4(shares0);
    VKR_UINT4(shares1);
    VKR_UINT4(shares2);
    VKR_UINT4(shares3);
    VKR_UINT4(trim); /* two of four are used */
};

/* ---- Scan ---- */

/* Specialisation constants of scan: those of reduce except OUTPUT, and */
#define VKR_CONST_MODE 6   /* VKR_MODE_* */
#define VKR_CONST_STORE 11 /* VKR_STORE_* */
#define VKR_CONST_MUTED 12 /* 1 + a tile that never publishes */
#define VKR_SCAN_CONSTANTS 13

#define VKR_FLAG_EXCLUSIVE 64u
#define VKR_FLAG_REVERSE 128u
#define VKR_FLAG_INITIAL 256u     /* there is an initial value, in the uniforms */
#define VKR_FLAG_GPU_INITIAL 512u /* there is one, in a buffer */
#define VKR_FLAG_HEADS 1024u      /* segments start at set bits */
#define VKR_FLAG_ROWS 2048u       /* segments start at multiples of a row length */
#define VKR_FLAG_TOP 4096u        /* what is scanned starts with the initial value */
#define VKR_FLAG_END 8192u        /* what is scanned ends with the total */

/* A run is what one prefix is for: an invocation's elements where they are contiguous, else a
 * workgroup's. */
#define VKR_MODE_TOTALS 0u   /* the total of each run becomes a partial */
#define VKR_MODE_LAST 1u     /* and the workgroup that finishes last scans the partials */
#define VKR_MODE_PARTIALS 2u /* one workgroup scans the partials */
#define VKR_MODE_APPLY 3u    /* each run is scanned from its prefix, which its partial holds */
#define VKR_MODE_TILES 4u    /* single pass: workgroups look back at those before */
#define VKR_MODE_ONE 5u      /* one workgroup does all */

/* The kernel of one element, or pair of them, per invocation (passes): MODE is a pass. `items` is
 * how far apart the two lie, `count` the elements of all. Partials are one per element. */
#define VKR_PASS_DOUBLE 0u /* Hillis and Steele */
#define VKR_PASS_UP 1u     /* Blelloch */
#define VKR_PASS_DOWN 2u
#define VKR_PASSES_CONSTANTS (VKR_CONST_BATCH + 1)

#define VKR_STORE_ELEMENT 0u
#define VKR_STORE_PACKS 1u /* results fill whole aligned packs */

/* Bindings of scan: INPUT, COUNT and TEXELS of reduce, and */
#define VKR_SCAN_HEADS 1
#define VKR_SCAN_PARTIALS 3
#define VKR_SCAN_TOTAL 4
#define VKR_SCAN_OUTPUT 5  /* results, or the partials written */
#define VKR_SCAN_COUNTER 6 /* a ticket or a number of finished workgroups; states of tiles */
#define VKR_SCAN_INITIAL 7

/* Results lie in units: words for sums and products, else elements. Bases of packs may be negative:
 * no full unit is at such an index. */
struct vkr_scan_push {
    VKR_UINT input_base;
    VKR_UINT input_stride;
    VKR_UINT output_base;
    VKR_UINT output_stride;
    VKR_UINT capacity_low; /* elements of the whole operation, as the host knows */
    VKR_UINT capacity_high;
    VKR_UINT first_low; /* index of this dispatch's first element */
    VKR_UINT first_high;
    VKR_UINT count;     /* elements or partials of this dispatch */
    VKR_UINT groups;    /* that have work; the dispatch can be larger */
    VKR_UINT items;     /* units, elements or partials per invocation */
    VKR_UINT lead;      /* elements that the first unit lacks at its start */
    VKR_UINT load_base; /* of the first unit, in packs */
    VKR_UINT store_base;
    VKR_UINT count_base;
    VKR_UINT partials_base;
    VKR_UINT stored_base;
    VKR_UINT heads_base; /* bit of element 0; VKR_FLAG_ROWS: first element that starts a row */
    VKR_UINT row_length;
    VKR_UINT initial_base;
    VKR_UINT total_base; /* ~0: not this dispatch's */
    VKR_UINT counter_base;
    VKR_UINT states_base; /* of tile 0 */
    VKR_UINT first_tile;
};

struct vkr_scan_uniforms {
    VKR_UINT4(initial_low); /* VKR_FLAG_INITIAL: two words per component */
    VKR_UINT4(initial_high);
};

/* ---- Compaction ---- */

/* Specialisation constants of compact: those of scan except OPS, and */
#define VKR_CONST_PREDICATE 1 /* VKR_PREDICATE_WORD */
#define VKR_CONST_OUTPUTS 11  /* VKR_TO_* */
#define VKR_COMPACT_CONSTANTS 13

/* What is tested, in one word: the kind, two relations (VkrCompare), whether what fails is kept,
 * the component, and how bits become numbers. */
#define VKR_TEST_RANGE 0u  /* the relations hold */
#define VKR_TEST_BITS 1u   /* (bits & a) is b; with NOT_EQUAL, is not b */
#define VKR_TEST_UNIQUE 2u /* some component has other bits than that of the element before it */
#define VKR_TEST_FLAGS 3u  /* the element's bit, in a word for 32 elements */
/* The relations are numbered as in VkrCompare. */
#define VKR_IS_EQUAL 1u
#define VKR_IS_NOT_EQUAL 2u
#define VKR_IS_LESS 3u
#define VKR_IS_LESS_EQUAL 4u
#define VKR_IS_GREATER 5u
#define VKR_IS_GREATER_EQUAL 6u
#define VKR_NUMBER_UNSIGNED 0u
#define VKR_NUMBER_SIGNED 1u
#define VKR_NUMBER_FLOAT 2u
#define VKR_PREDICATE_WORD(kind, relation, relation2, negate, component, number)                   \
    ((kind) | (relation) << 4 | (relation2) << 8 | (negate) << 12 | (component) << 16 |            \
     (number) << 20)
#define VKR_TWO_RANGES_BIT 0x2000u /* there are two relations, and one is NOT_EQUAL */

#define VKR_FLAG_CONTINUED 64u      /* there is an element before the first one */
#define VKR_FLAG_GATHERED 128u      /* the record has the append position and the constants */
#define VKR_FLAG_GPU_CONSTANTS 256u /* the record's constants, not the uniforms' */
#define VKR_FLAG_APPEND 512u        /* kept positions start at the record's */
#define VKR_FLAG_COUNTS 1024u       /* who knows the number of kept elements writes counts */

#define VKR_TO_KEPT 1u
#define VKR_TO_KEPT_INDICES 2u
#define VKR_TO_REJECTED 4u
#define VKR_TO_REJECTED_INDICES 8u
#define VKR_TO_KEPT_INDICES64 16u /* indices are u64 */
#define VKR_TO_REJECTED_INDICES64 32u
#define VKR_TO_QUEUE 64u /* all outputs are packed words, which are stored by four */
/* Flags are tested: values are words of SOURCE, and texels are of these. Four at once can be loaded
 * from the first on. */
#define VKR_TO_SOURCE 128u
#define VKR_TO_SOURCE_PACKS 256u

/* Modes beside those of scan: TOTALS, LAST, PARTIALS, TILES, ONE. A partial is the number of kept
 * elements of a run, and then of all before it: two words. */
#define VKR_MODE_MOVE VKR_MODE_APPLY
#define VKR_MODE_GATHER 6u /* fills the record: TESTED holds the constants, COUNT the position */

#define VKR_COMPACT_TESTED 0
#define VKR_COMPACT_SCRATCH 1 /* record and partials */
#define VKR_COMPACT_COUNTER 2 /* a ticket or a number of finished workgroups; states of tiles */
#define VKR_COMPACT_KEPT 3
#define VKR_COMPACT_KEPT_INDICES 4
#define VKR_COMPACT_REJECTED 5
#define VKR_COMPACT_REJECTED_INDICES 6
#define VKR_COMPACT_COUNTS VKR_COMPACT_REJECTED_INDICES /* where this dispatch writes none */
#define VKR_COMPACT_COUNT 7
#define VKR_COMPACT_SOURCE VKR_COMPACT_COUNT /* where the GPU has no count */

/* Words of the record, each entry two of them; partials follow. */
#define VKR_RECORD_KEPT 0u /* elements */
#define VKR_RECORD_COUNT 2u
#define VKR_RECORD_APPEND 4u /* position of the first kept element */
#define VKR_RECORD_A 6u
#define VKR_RECORD_B 8u
#define VKR_RECORD_WORDS 16u

/* A dispatch covers a window of the input and one of positions in the kept outputs and one in the
 * rejected outputs. Small bases share words: the second one is in the upper half. */
struct vkr_compact_push {
    VKR_UINT input_base; /* values; VKR_TEST_FLAGS: the bit of element 0 */
    VKR_UINT input_stride;
    VKR_UINT capacity_low; /* elements of the whole operation, as the host knows */
    VKR_UINT capacity_high;
    VKR_UINT first_low; /* index of this dispatch's first element */
    VKR_UINT first_high;
    VKR_UINT count;     /* elements of this dispatch; VKR_MODE_PARTIALS: partials */
    VKR_UINT items;     /* units or elements per invocation */
    VKR_UINT lead;      /* elements that the first unit lacks at its start */
    VKR_UINT load_base; /* of the first unit, in packs */
    VKR_UINT first_run; /* number of this dispatch's first run */
    VKR_UINT scratch_base;
    VKR_UINT kept_bases;     /* values, indices */
    VKR_UINT rejected_bases; /* the same */
    VKR_UINT count_base;
    VKR_UINT counter_base;
    VKR_UINT kept_low; /* window of positions */
    VKR_UINT kept_high;
    VKR_UINT kept_count;
    VKR_UINT rejected_low;
    VKR_UINT rejected_high;
    VKR_UINT rejected_count;
    VKR_UINT index_low; /* of this dispatch's first element, as it is written */
    VKR_UINT index_high;
    VKR_UINT source_base; /* words */
    VKR_UINT source_load_base; /* of texels: that of the first unit */
};

struct vkr_compact_uniforms {
    VKR_UINT4(constants); /* a, b */
    /* VKR_FLAG_COUNTS: VkrCountKind and VKR_COUNT_WORD times the number of its word; ~0: none. */
    VKR_UINT4(count_kinds);
    VKR_UINT4(count_scales);
    VKR_UINT kept_stride;
    VKR_UINT kept_indices_stride; /* words */
    VKR_UINT rejected_stride;
    VKR_UINT rejected_indices_stride;
    VKR_UINT positions_low; /* VKR_FLAG_COUNTS: capacity of the kept outputs */
    VKR_UINT positions_high;
    VKR_UINT max_groups;
    VKR_UINT counts_base;
};
#define VKR_COUNTS 4
#define VKR_COUNT_WORD 256

/* ---- Stream reduction ---- */

/* Specialisation constants of the kernels of stream reduction, except marks, which is one of
 * compaction's: */
#define VKR_STREAM_UNITS 1 /* of an element; VKR_UNIT_BYTES each */
#define VKR_STREAM_NODES 1 /* of a block, by the algorithm of Hillis and Steele */
#define VKR_STREAM_FLAGS 2 /* of sums: VKR_PASS_* */
#define VKR_STREAM_SHIFT 3 /* log2 of a block's elements */
#define VKR_STREAM_CONSTANTS 4
#define VKR_STREAM_VALUES 1u
#define VKR_STREAM_INDICES_BIT 2u
#define VKR_STREAM_INDICES64 4u /* as they are written; in blocks they take one word */
#define VKR_STREAM_APPEND 8u    /* positions start at the record's */
#define VKR_STREAM_IN_BLOCKS 16u
#define VKR_STREAM_WHILE 32u /* VKR_STREAM_SEARCH_WHILE */
#define VKR_STREAM_BY_ELEMENT 64u

#define VKR_STREAM_ROW 8u /* invocations that copy the segment of a block */

#define VKR_STREAM_SOURCE 0
#define VKR_STREAM_SUMS 1 /* of marks, or marks */
#define VKR_STREAM_TOTALS 2
#define VKR_STREAM_BLOCKS 3 /* reduced, each at its own place */
#define VKR_STREAM_BLOCK_INDICES 4
#define VKR_STREAM_KEPT 5
#define VKR_STREAM_INDICES 6
#define VKR_STREAM_RECORD 7

struct vkr_stream_push {
    VKR_UINT groups; /* that have work */
    VKR_UINT count;  /* elements */
    VKR_UINT trips;  /* of a search with a fixed number */
    VKR_UINT source_base;
    VKR_UINT source_stride;
    VKR_UINT sums_base;
    VKR_UINT totals_base;
    VKR_UINT blocks_base;
    VKR_UINT block_indices_base;
    VKR_UINT kept_base;
    VKR_UINT kept_stride;
    VKR_UINT kept_count; /* positions */
    VKR_UINT indices_base;
    VKR_UINT indices_stride;
    VKR_UINT record_base;
    VKR_UINT index_low; /* of element 0, as it is written */
    VKR_UINT index_high;
    /* Sums by passes: from SUMS to TOTALS. */
    VKR_UINT distance; /* of the two words that are added */
    VKR_UINT pairs;    /* of the tree's nodes at that distance */
    VKR_UINT is_root;
};

/* The kernel `arguments` copies up to so many counts (VkrCountKind) from a record to other
 * places. */
#define VKR_ARGUMENTS 6
struct vkr_arguments_push {
    VKR_UINT record_base;
    VKR_UINT capacity_low; /* of the kept outputs */
    VKR_UINT capacity_high;
    VKR_UINT max_groups;
    VKR_UINT bases[VKR_ARGUMENTS];
    VKR_UINT kinds[VKR_ARGUMENTS]; /* ~0: none */
    VKR_UINT scales[VKR_ARGUMENTS];
};

/* Moves payloads, and makes lengths, by a list of element indices, whose entry e is for position e,
 * or append + e. Specialisation constants: */
#define VKR_PAYLOAD_UNITS 1 /* of an entry */
#define VKR_PAYLOAD_FLAGS 2
#define VKR_PAYLOAD_CONSTANTS 3
#define VKR_PAYLOAD_LIST64 1u    /* indices are u64 */
#define VKR_PAYLOAD_REJECTED 2u  /* of rejected elements */
#define VKR_PAYLOAD_APPEND 4u    /* positions start at the record's */
#define VKR_PAYLOAD_LENGTHS 8u   /* stores the distance to the next index */
#define VKR_PAYLOAD_TARGET64 16u /* lengths are u64 */

#define VKR_PAYLOAD_LIST 0
#define VKR_PAYLOAD_RECORD 1
#define VKR_PAYLOAD_SOURCE 2 /* not where texels of it are loaded */
#define VKR_PAYLOAD_TARGET 3

/* A dispatch covers windows of the list, of the source and of positions in the target. */
struct vkr_payload_push {
    VKR_UINT record_base;
    VKR_UINT items; /* entries per invocation */
    VKR_UINT list_base;
    VKR_UINT list_low;
    VKR_UINT list_high;
    VKR_UINT list_count;
    VKR_UINT source_base; /* units: of texels, in those of the buffer view */
    VKR_UINT source_stride;
    VKR_UINT source_low;
    VKR_UINT source_high;
    VKR_UINT source_count;
    VKR_UINT target_base; /* units; lengths: words */
    VKR_UINT target_stride;
    VKR_UINT target_low;
    VKR_UINT target_high;
    VKR_UINT target_count;
};

/* ---- Where segments start ---- */

/* Specialisation constants of the heads kernel: WORKGROUP, MODE and ORDER. */
#define VKR_HEADS_FLAGS 0u    /* of a flag per element */
#define VKR_HEADS_STARTS 1u   /* of a list of element indices */
#define VKR_HEADS_STARTS64 2u /* of two words each */
#define VKR_HEADS_CONSTANTS (VKR_CONST_ORDER + 1)

#define VKR_HEADS_SOURCE 0
#define VKR_HEADS_WORDS 1

struct vkr_heads_push {
    VKR_UINT source_base; /* in flags, or in words */
    VKR_UINT count;       /* flags or indices of this dispatch */
    VKR_UINT words_base;
    VKR_UINT first_low; /* the element of the first word's bit 0 */
    VKR_UINT first_high;
    VKR_UINT elements; /* whose bits this dispatch can set */
    VKR_UINT groups;   /* that have work; the dispatch can be larger */
};

/* ---- Pyramids of images ---- */

/* Specialisation constants: WORKGROUP, and */
#define VKR_PYRAMID_OPERATOR 1  /* VKR_PYRAMID_MIN, .. */
#define VKR_PYRAMID_STORED 2    /* VKR_STORED_*: how bits of the levels are numbers */
#define VKR_PYRAMID_BITS 3      /* of the levels' channels, 8 for each, red in the lowest */
#define VKR_PYRAMID_CHANNELS 4  /* of the levels */
#define VKR_PYRAMID_HALVES 5    /* every size is exactly half of the one below */
#define VKR_PYRAMID_ROLLED 6    /* loops over texels are short, but not unrolled */
#define VKR_PYRAMID_TILE 7      /* texels of the source for one workgroup: 2^TILE a side */
#define VKR_PYRAMID_SAME 8      /* texels are read of the format that they are written in */
#define VKR_PYRAMID_PAIRED 9    /* what is read has minima and maxima already */
#define VKR_PYRAMID_LOD_0 10    /* the first level of the view is read */
#define VKR_PYRAMID_WIDTH 11    /* invocations side by side */
#define VKR_PYRAMID_RUN 12      /* texels of an invocation, WIDTH apart */
#define VKR_PYRAMID_CONSTANTS 13

#define VKR_PYRAMID_MIN 0u
#define VKR_PYRAMID_MAX 1u
#define VKR_PYRAMID_PAIR 2u
#define VKR_PYRAMID_AVERAGE 3u

#define VKR_STORED_FLOAT 0u
#define VKR_STORED_UNORM 1u
#define VKR_STORED_SNORM 2u
#define VKR_STORED_INTEGER 3u /* of the sign that the kernel is built for */

#define VKR_PYRAMID_SOURCE 0
#define VKR_PYRAMID_LEVEL 1 /* the first level that is written; the others follow */

/* An invocation makes RUN texels of a row. Workgroups take tiles of the level, row by row. */
struct vkr_pyramid_push {
    VKR_UINT x; /* of the source: its first texel, layer and level */
    VKR_UINT y;
    VKR_UINT layer;
    VKR_UINT lod;
    VKR_UINT width;
    VKR_UINT height;
    VKR_UINT level_width; /* of the level that is made */
    VKR_UINT level_height;
    VKR_UINT tiles_x; /* in a row */
    VKR_UINT tiles;   /* in a layer */
    VKR_UINT groups;  /* that have work; the dispatch can be larger */
};

/* Several levels at once: a workgroup takes a tile of the source, and what it lacks of neighbours'
 * tiles, and makes its texels of the first levels. Then the workgroup of a layer that finishes last
 * makes the others, from what all have left in scratch memory. */
/* Levels that every device can bind; workgroups tell each other nothing. */
#define VKR_PYRAMID_FEW 4
#define VKR_PYRAMID_MANY 12
#define VKR_PYRAMID_SCRATCH 13
#define VKR_PYRAMID_COUNTER 14
struct vkr_pyramid_tiles_push {
    VKR_UINT x; /* as above */
    VKR_UINT y;
    VKR_UINT layer;
    VKR_UINT lod;
    VKR_UINT width;
    VKR_UINT height;
    VKR_UINT tiles_x;
    VKR_UINT tiles;
    VKR_UINT groups;
    VKR_UINT levels; /* of a tile */
    VKR_UINT total;  /* with those of the last workgroup */
    VKR_UINT scratch_base;
    VKR_UINT counter_base;
};

#endif
