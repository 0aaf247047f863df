/* SPDX-License-Identifier: MIT */
/*
 * Numbers that C and GLSL share and that belong to no single kernel. Those of one kernel are on its
 * card (cards/). Both languages include this file; the C side checks the numbers of types and
 * operators against vkreduce.h.
 */
#ifndef VKR_NUMBERS_H
#define VKR_NUMBERS_H

/* Bindings with the same number in all kernels that have them. Texels lie in the same memory as an
 * input, and need no storage buffer of their own. */
#define VKR_BINDING_TEXELS 8
#define VKR_BINDING_IMAGE VKR_BINDING_TEXELS
#define VKR_BINDING_UNIFORMS 9

/* The group path that a kernel was built for (VKR_BUILD_GROUP_PATH), as VkrGroupPath. */
#define VKR_BUILD_ARITHMETIC 1
#define VKR_BUILD_SHUFFLE 2
#define VKR_BUILD_SHARED 3

/* How a kernel loads more than one value at a time (VKR_LOADS). */
#define VKR_LOADS_VEC4 1  /* 16 bytes of a storage buffer, as four words */
#define VKR_LOADS_U64 2   /* 32 bytes, as four words of 64 bits */
#define VKR_LOADS_TEXEL 3 /* 16 bytes, as a texel of a buffer */
#define VKR_LOADS_2D 4    /* an element, as a texel of an image */
#define VKR_LOADS_ARRAY 5
#define VKR_LOADS_3D 6

/* Classes of element types, for each of which a kernel is built (VKR_ELEMENT). */
#define VKR_CLASS_W8 1  /* i8, u8: the constant SIGNED says which */
#define VKR_CLASS_W16 2 /* i16, u16 */
#define VKR_CLASS_W32 3 /* i32, u32 */
#define VKR_CLASS_W64 4 /* i64, u64 */
#define VKR_CLASS_F16 5 /* f16, bf16 */
#define VKR_CLASS_F32 6
#define VKR_CLASS_F64 7
#define VKR_CLASS_S32 8 /* i32 of images: kernels are built for one sign; W32 is u32 there */

#include "vkreduce/operators/list.h" /* VKR_BIT_*: operators, as VkrOp */

#ifdef VKR_GLSL
#define VKR_TREE_WIDTH 128u /* both as in vkreduce.h */
#define VKR_TREE_BLOCK 8192u
#endif

/* ---- The walk over elements, which most kernels share ---- */

#define VKR_CONST_WORKGROUP 0 /* in every kernel: invocations of a workgroup */

/* Specialisation constants that follow from the walk alone. A card with these can use the ids
 * between them for its kernel. */
#define VKR_WALK_CONSTANTS                                                                         \
    WORKGROUP(64)                  /* a power of two */                                            \
    SHARED(COMPONENTS, 2, uint, 1) /* 1 to 4; read where built with VKR_VECTOR */                  \
    SHARED(SIGNED, 3, bool, false) /* integers are signed; floats of 16 bits are bfloats */        \
    SHARED(FLAGS, 4, uint, 0)      /* VKR_WALK_FLAGS, and those of the card */                     \
    SHARED(INPUT, 5, uint, 0)      /* VKR_INPUT_* */                                               \
    SHARED(SUBGROUPS, 7, uint, 16) /* maximum number of subgroups of a workgroup */                \
    SHARED(PATH, 8, uint, 0)       /* VKR_PATH_* */                                                \
    SHARED(ORDER, 9, uint, 0)      /* VKR_ORDER_* */                                               \
    SHARED(BATCH, 10, uint, 1)     /* units that an invocation loads before it uses the first */
/* Two more constants, for all kinds of reductions. */
#define VKR_REDUCTION_CONSTANTS                                                                    \
    SHARED(OPS, 1, uint, 1)    /* VKR_BIT_*; scans have it too */                                  \
    SHARED(OUTPUT, 6, uint, 0) /* VKR_OUTPUT_* */

/* What OPS has in kernels of linked functions (vkreduce/operators/hook.glsl): the words of a state
 * in its lowest bits, and three more numbers at these shifts. */
#define VKR_LINKED_MASK 31u
#define VKR_LINKED_RESULT_SHIFT 8   /* components of what `finish` returns; 0: results are states */
#define VKR_LINKED_ELEMENT_SHIFT 16 /* words of the element that `load` takes, or 0 */
#define VKR_LINKED_WIDEN_SHIFT 24   /* VKR_WIDEN_* */

/* Flags with the same meaning in all kernels that have them; the cards define the other bits. Bits
 * 24 and 25 are VkrMapFunction. */
#define VKR_WALK_FLAGS                                                                             \
    SHARED_FLAG(PROPAGATE_NAN, 0)                                                                  \
    SHARED_FLAG(WIDE_INDEX, 1) /* indices and counts can pass 2^32 */                              \
    SHARED_FLAG(CANONICAL, 2)  /* level device: flush subnormals, shared-memory order */           \
    SHARED_FLAG(GPU_COUNT, 3)                                                                      \
    SHARED_FLAG(GPU_COUNT64, 4)                                                                    \
    SHARED_FLAG(REPLACED, 5) /* elements are results of the previous step: all of them count */    \
    SHARED_FLAG(MASKED, 17)  /* there is a mask */                                                 \
    SHARED_FLAG(MAPPED, 18)  /* elements are mapped when they are read */                          \
    SHARED_FLAG(WEIGHT0, 19) /* the weight of component 0 is not 0; 1 to 3: the next bits */       \
    SHARED_FLAG(BIAS, 23)    /* the bias is not 0 */
/* Two more flags, for the kernels that have operators. */
#define VKR_OPERATOR_FLAGS                                                                         \
    SHARED_FLAG(SAMPLE, 29)   /* variances divide by one less than the count */                    \
    SHARED_FLAG(SKIP_NAN, 30) /* NaN elements are ignored */
#define VKR_MAP_SHIFT 24

#define VKR_PATH_ELEMENT 0u
#define VKR_PATH_WIDE 1u /* in units */

#define VKR_ORDER_COALESCED 0u
#define VKR_ORDER_CONTIGUOUS 1u

#define VKR_INPUT_ELEMENTS 0u
#define VKR_INPUT_PARTIALS 1u

#define VKR_OUTPUT_PARTIAL 0u /* one partial per workgroup */
#define VKR_OUTPUT_RESULT 1u  /* a single workgroup writes the results */
#define VKR_OUTPUT_LAST 2u    /* partials; the workgroup that finishes last writes the results */
#define VKR_OUTPUT_ELEMENT 3u /* the value replaces an element of the input */
#define VKR_OUTPUT_ELEMENT_RESULT 4u /* one workgroup writes both the element and the results */

/* Modes of scans and compactions. A run is the elements that share one prefix: those of an
 * invocation if they are contiguous, else those of a workgroup. */
#define VKR_MODE_TOTALS 0u   /* the total of each run becomes a partial */
#define VKR_MODE_LAST 1u     /* the same, and the workgroup that finishes last scans the partials */
#define VKR_MODE_PARTIALS 2u /* one workgroup scans the partials */
#define VKR_MODE_APPLY 3u    /* each run is scanned from its prefix, which its partial holds */
#define VKR_MODE_TILES 4u    /* single pass: workgroups look back at those before */
#define VKR_MODE_ONE 5u      /* one workgroup does all */

/* Tiles of a single pass that have one prefix (vkreduce/lookback.glsl). */
#define VKR_TILE_BLOCK 256u

/* Modes of kernels that scan by passes over all elements. */
#define VKR_PASS_DOUBLE 0u /* Hillis and Steele */
#define VKR_PASS_UP 1u     /* Blelloch */
#define VKR_PASS_DOWN 2u

/* ---- The record of a compaction, which several kernels read ---- */

/* Offsets in the record, in words. Each entry has two words; partials follow the record. */
#define VKR_RECORD_KEPT 0u /* elements */
#define VKR_RECORD_COUNT 2u
#define VKR_RECORD_APPEND 4u /* position of the first kept element */
#define VKR_RECORD_A 6u
#define VKR_RECORD_B 8u
#define VKR_RECORD_WORDS 16u

#endif
