/* SPDX-License-Identifier: MIT */
/* vkreduce/tuning.h: how operations are divided among invocations, and profiles that change it. */
#ifndef VKREDUCE_TUNING_H
#define VKREDUCE_TUNING_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an invocation walks its share of the input. */
typedef enum VkrLoadOrder {
    VKR_LOAD_COALESCED = 0,  /* neighbouring invocations load neighbouring elements */
    VKR_LOAD_CONTIGUOUS = 1, /* each invocation loads a run of its own */
    VKR_LOAD_ORDER_COUNT = 2,
    VKR_LOAD_ORDER_MAX_ENUM = 0x7fffffff
} VkrLoadOrder;

/* How an invocation loads elements. Wide loads need tightly packed views; elements that they cannot
 * reach (heads and tails, strided elements, elements that never meet a load's alignment) are loaded
 * one by one. */
typedef enum VkrLoadPath {
    VKR_LOAD_ELEMENT = 0,
    VKR_LOAD_VEC4 = 1,  /* 16 bytes of a storage buffer, as four words */
    VKR_LOAD_U64 = 2,   /* 32 bytes, as four words of 64 bits; VEC4 without INT64 */
    VKR_LOAD_TEXEL = 3, /* 16 bytes, through VkrView::texels */
    VKR_LOAD_PATH_COUNT = 4,
    VKR_LOAD_PATH_MAX_ENUM = 0x7fffffff
} VkrLoadPath;

typedef enum VkrOperation {
    VKR_OPERATION_REDUCE = 0,
    VKR_OPERATION_SCAN = 1,
    VKR_OPERATION_COMPACT = 2,
    VKR_OPERATION_COUNT = 3,
    VKR_OPERATION_MAX_ENUM = 0x7fffffff
} VkrOperation;

/* The geometry and the loads of an operation on values of one size, in views with or without
 * texels. Results do not depend on them, except the bits of float sums below
 * VKR_DETERMINISM_DEVICE. */
typedef struct VkrTuning {
    VkrOperation operation;
    uint32_t valueSize;         /* bytes: 1, 2, 4 or 8 */
    VkBool32 texels;            /* for views that have VkrView::texels */
    uint32_t workgroupSize;     /* a power of two up to 1024; 0: one subgroup */
    uint32_t treeWorkgroupSize; /* for algorithms with one element per invocation; a power of two,
                                 * at least 2 */
    uint32_t oneGroupBytes;     /* inputs up to this size use one workgroup */
    uint32_t minBytes;          /* min that an invocation reads before workgroups are added */
    uint32_t maxBytes;          /* max that an invocation reads: 16 to 262,144 */
    uint32_t maxGroups;         /* instead of more workgroups than this, invocations read more
                                 * bytes, up to maxBytes */
    VkrLoadOrder order;
    VkrLoadPath path;   /* TEXEL only where texels is set */
    uint32_t flight;    /* loads, in units of 16 bytes, that an invocation starts before it uses the
                         * first: 1 to 32; fewer if many operators share a read */
    uint32_t tileBytes; /* bytes per invocation of single-pass algorithms: up to 65,536 */
    VkBool32 lookBack;  /* AUTO chooses single-pass algorithms where they are possible */
} VkrTuning;

/* Returns the row that an operation of the context uses for values of a size (1, 2, 4 or 8
 * bytes). */
VKR_API VkrResult vkrGetTuning(VkrContext context, VkrOperation operation, uint32_t valueSize,
                               VkBool32 texels, VkrTuning *tuning);

/* What else is divided by numbers that suit a device: the states that invocations of reductions
 * keep, segments, sorts, selections of the first elements, histograms, pyramids and compactions. */
typedef enum VkrPolicyKind {
    VKR_POLICY_REDUCE = 0,
    VKR_POLICY_SEGMENTS = 1,
    VKR_POLICY_SORT = 2,
    VKR_POLICY_TOP_K = 3,
    VKR_POLICY_HISTOGRAM = 4,
    VKR_POLICY_PYRAMID = 5,
    VKR_POLICY_COMPACT = 6,
    VKR_POLICY_COUNT = 7,
    VKR_POLICY_MAX_ENUM = 0x7fffffff
} VkrPolicyKind;

#define VKR_MAX_POLICY_FIELDS 12u

/* A value for each field of vkrPolicyFields; further ones are ignored. Results do not depend on
 * them, except the bits of float sums below VKR_DETERMINISM_DEVICE. */
typedef struct VkrPolicy {
    VkrPolicyKind kind;
    uint32_t values[VKR_MAX_POLICY_FIELDS];
} VkrPolicy;

typedef struct VkrPolicyField {
    const char *name; /* src/tables/policies says what it means */
    uint32_t min, max;
    VkBool32 isPower; /* a value is a power of two, or 0 where min is */
} VkrPolicyField;

/* Returns the policy that a context uses. */
VKR_API VkrResult vkrGetPolicy(VkrContext context, VkrPolicyKind kind, VkrPolicy *policy);

/* Returns the fields of a kind, in the order of their values, and their number: NULL and 0 for a
 * number that is no kind. They exist as long as the library is loaded. */
VKR_API const VkrPolicyField *vkrPolicyFields(VkrPolicyKind kind, uint32_t *count);

/* The contents of a profile. Zero-initialised, it has none. */
typedef struct VkrProfile {
    uint32_t tuningCount;
    const VkrTuning *tunings;
    uint32_t policyCount;
    const VkrPolicy *policies;
} VkrProfile;

/*
 * Writes a profile of this context's device: lines of text, to be kept in a file and passed as
 * VkrContextInfo::profile. With text NULL, *size becomes the number of bytes; else *size is the
 * size of `text` and becomes the number of bytes written, without a terminating zero. Rows and
 * policies that are not passed keep their built-in values.
 */
VKR_API VkrResult vkrWriteProfile(VkrContext context, const VkrProfile *profile, size_t *size,
                                  char *text);

VKR_API const char *vkrLoadOrderName(VkrLoadOrder order);
VKR_API const char *vkrLoadPathName(VkrLoadPath path);
VKR_API const char *vkrOperationName(VkrOperation operation);
VKR_API const char *vkrPolicyName(VkrPolicyKind kind);

#ifdef __cplusplus
}
#endif

#endif
