/* SPDX-License-Identifier: MIT */
/*
 * Policies (vkreduce/tuning.h): which numbers suit a device. Each is a file of policies/ that lists
 * its fields and then its rows, each for some classes of devices and a vendor; the first row that
 * matches is built in, and the last one matches every device. Planners ask the context's policies,
 * and never for the type or the vendor of a device.
 */
#ifndef VKR_POLICIES_H
#define VKR_POLICIES_H

#include "../core/context.h"

/* Classes of devices, as bits. */
enum vkr_device_class {
    VKR_SCALAR_CPU = 1, /* SwiftShader */
    VKR_VECTOR_CPU = 2, /* runs the lanes of a subgroup as one vector, as lavapipe does */
    VKR_DISCRETE = 4,
    VKR_INTEGRATED = 8,
    VKR_OTHER = 16, /* such as virtual GPUs */
    VKR_CPUS = VKR_SCALAR_CPU | VKR_VECTOR_CPU,
    VKR_ALL_DEVICES = 31,
};
#define VKR_ANY_VENDOR 0u
#define VKR_NVIDIA 0x10deu
#define VKR_QUALCOMM 0x5143u
#define VKR_ARM 0x13b5u
#define VKR_INTEL 0x8086u

/* Whether a row of a table, for these classes and a vendor or any, is one for the device. */
bool vkr_fits_device(const vkr_caps *caps, uint32_t classes, uint32_t vendor);

/* Fills in the built-in policies for a device. */
void vkr_choose_policies(const vkr_caps *caps, vkr_policies policies);

#define VKR_POLICY_TEXT 96

/* Returns what the first wrong value must be, as `text`; NULL if all are valid. */
const char *vkr_find_policy_mistake(const VkrPolicy *policy, char text[VKR_POLICY_TEXT]);

/* ---- What planners read ---- */

/* A context holds the fields of a policy as words. */
#define FIELD(name, kind, min, max) uint32_t name;
#define ROW(...)
#define VKR_POLICY_OF(name, NAME)                                                                  \
    static inline const vkr_##name##_policy *vkr_##name##_policy_of(                               \
        const struct VkrContext_T *context)                                                        \
    {                                                                                              \
        return (const vkr_##name##_policy *)context->policies[VKR_POLICY_##NAME];                  \
    }

typedef struct VKR_MAY_ALIAS vkr_reduce_policy {
#include "policies/reduce.h"
} vkr_reduce_policy;
VKR_POLICY_OF(reduce, REDUCE)

typedef struct VKR_MAY_ALIAS vkr_segments_policy {
#include "policies/segments.h"
} vkr_segments_policy;
VKR_POLICY_OF(segments, SEGMENTS)

typedef struct VKR_MAY_ALIAS vkr_sort_policy {
#include "policies/sort.h"
} vkr_sort_policy;
VKR_POLICY_OF(sort, SORT)

typedef struct VKR_MAY_ALIAS vkr_topk_policy {
#include "policies/topk.h"
} vkr_topk_policy;
VKR_POLICY_OF(topk, TOP_K)

typedef struct VKR_MAY_ALIAS vkr_histogram_policy {
#include "policies/histogram.h"
} vkr_histogram_policy;
VKR_POLICY_OF(histogram, HISTOGRAM)

typedef struct VKR_MAY_ALIAS vkr_pyramid_policy {
#include "policies/pyramid.h"
} vkr_pyramid_policy;
VKR_POLICY_OF(pyramid, PYRAMID)

typedef struct VKR_MAY_ALIAS vkr_compact_policy {
#include "policies/compact.h"
} vkr_compact_policy;
VKR_POLICY_OF(compact, COMPACT)

#undef VKR_POLICY_OF
#undef FIELD
#undef ROW

#endif
