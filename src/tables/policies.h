/* SPDX-License-Identifier: MIT */
/*
 * Which numbers suit a device. A family of operations has a policy: a file of policies/ that lists
 * its fields and then its rows, each for a class of devices and a vendor; the first row that
 * matches is used, and the last one matches every device. Planners ask a policy, and never for the
 * type or the vendor of a device. What an application can tune besides is in vkreduce/tuning.h.
 */
#ifndef VKR_POLICIES_H
#define VKR_POLICIES_H

#include "../core/caps.h"

#define FIELD(name) uint32_t name;
#define ROW(...)
typedef struct vkr_reduce_policy {
#include "policies/reduce.h"
} vkr_reduce_policy;
typedef struct vkr_segments_policy {
#include "policies/segments.h"
} vkr_segments_policy;
typedef struct vkr_sort_policy {
#include "policies/sort.h"
} vkr_sort_policy;
typedef struct vkr_topk_policy {
#include "policies/topk.h"
} vkr_topk_policy;
typedef struct vkr_histogram_policy {
#include "policies/histogram.h"
} vkr_histogram_policy;
typedef struct vkr_pyramid_policy {
#include "policies/pyramid.h"
} vkr_pyramid_policy;
#undef FIELD
#undef ROW

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

/* Whether a row of a table, for these classes and a vendor or any, is one for the device. */
bool vkr_fits_device(const vkr_caps *caps, uint32_t classes, uint32_t vendor);

const vkr_reduce_policy *vkr_reduce_policy_of(const vkr_caps *caps);
const vkr_segments_policy *vkr_segments_policy_of(const vkr_caps *caps);
const vkr_sort_policy *vkr_sort_policy_of(const vkr_caps *caps);
const vkr_topk_policy *vkr_topk_policy_of(const vkr_caps *caps);
const vkr_histogram_policy *vkr_histogram_policy_of(const vkr_caps *caps);
const vkr_pyramid_policy *vkr_pyramid_policy_of(const vkr_caps *caps);

#endif
