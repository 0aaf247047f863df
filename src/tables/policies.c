/* SPDX-License-Identifier: MIT */
/* The choice of rows of policies. */
#include "policies.h"

#define GOOGLE 0x1ae0u /* SwiftShader's vendor id */

static uint32_t class_of(const vkr_caps *caps)
{
    switch (caps->device_type) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return caps->vendor_id == GOOGLE ? VKR_SCALAR_CPU : VKR_VECTOR_CPU;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return VKR_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return VKR_INTEGRATED;
    default:
        return VKR_OTHER;
    }
}

bool vkr_fits_device(const vkr_caps *caps, uint32_t classes, uint32_t vendor)
{
    return (classes & class_of(caps)) != 0 &&
           (vendor == VKR_ANY_VENDOR || vendor == caps->vendor_id);
}

/* ---- Rows ---- */

/* Words that the rows use. */
#define SCALAR_CPU VKR_SCALAR_CPU
#define VECTOR_CPU VKR_VECTOR_CPU
#define CPUS VKR_CPUS
#define ALL VKR_ALL_DEVICES
#define ANY VKR_ANY_VENDOR
#define NVIDIA 0x10deu

#define FIELD(name)
#define ROW(classes, vendor, ...) {classes, vendor, {__VA_ARGS__}},
#define ROWS(name)                                                                                 \
    static const struct {                                                                          \
        uint32_t classes, vendor;                                                                  \
        vkr_##name##_policy policy;                                                                \
    } name##_rows[] =
#define POLICY_OF(name)                                                                            \
    const vkr_##name##_policy *vkr_##name##_policy_of(const vkr_caps *caps)                        \
    {                                                                                              \
        size_t i = 0;                                                                              \
        while (!vkr_fits_device(caps, name##_rows[i].classes, name##_rows[i].vendor))              \
            i++;                                                                                   \
        return &name##_rows[i].policy;                                                             \
    }

ROWS(reduce){
#include "policies/reduce.h"
};
POLICY_OF(reduce)

ROWS(segments){
#include "policies/segments.h"
};
POLICY_OF(segments)

ROWS(sort){
#include "policies/sort.h"
};
POLICY_OF(sort)

ROWS(topk){
#include "policies/topk.h"
};
POLICY_OF(topk)

ROWS(histogram){
#include "policies/histogram.h"
};
POLICY_OF(histogram)

ROWS(pyramid){
#include "policies/pyramid.h"
};
POLICY_OF(pyramid)
