/* SPDX-License-Identifier: MIT */
/* The choice of rows of policies. */
#include "policies.h"

#include <stdio.h>
#include <string.h>

#include "../core/message.h"

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

/* ---- Fields and rows ---- */

/* Words that the rows use. */
#define SCALAR_CPU VKR_SCALAR_CPU
#define VECTOR_CPU VKR_VECTOR_CPU
#define CPUS VKR_CPUS
#define ALL VKR_ALL_DEVICES
#define ANY VKR_ANY_VENDOR
#define NVIDIA VKR_NVIDIA
#define QUALCOMM VKR_QUALCOMM
#define ARM VKR_ARM
#define NUMBER VK_FALSE
#define POWER VK_TRUE

#define FIELD(name, kind, min, max) {#name, min, max, kind},
#define ROW(...)
static const VkrPolicyField reduce_fields[] = {
#include "policies/reduce.h"
};
static const VkrPolicyField segments_fields[] = {
#include "policies/segments.h"
};
static const VkrPolicyField sort_fields[] = {
#include "policies/sort.h"
};
static const VkrPolicyField topk_fields[] = {
#include "policies/topk.h"
};
static const VkrPolicyField histogram_fields[] = {
#include "policies/histogram.h"
};
static const VkrPolicyField pyramid_fields[] = {
#include "policies/pyramid.h"
};
static const VkrPolicyField compact_fields[] = {
#include "policies/compact.h"
};
#undef FIELD
#undef ROW

#define FIELD(name, kind, min, max)
#define ROW(classes, vendor, ...) {classes, vendor, {__VA_ARGS__}},
#define ROWS(name)                                                                                 \
    static const struct {                                                                          \
        uint32_t classes, vendor;                                                                  \
        vkr_##name##_policy policy;                                                                \
    } name##_rows[] =
#define CHOICE(name)                                                                               \
    static void choose_##name(const vkr_caps *caps, uint32_t *words)                               \
    {                                                                                              \
        size_t i = 0;                                                                              \
        while (!vkr_fits_device(caps, name##_rows[i].classes, name##_rows[i].vendor))              \
            i++;                                                                                   \
        memcpy(words, &name##_rows[i].policy, sizeof(vkr_##name##_policy));                        \
    }

ROWS(reduce){
#include "policies/reduce.h"
};
CHOICE(reduce)

ROWS(segments){
#include "policies/segments.h"
};
CHOICE(segments)

ROWS(sort){
#include "policies/sort.h"
};
CHOICE(sort)

ROWS(topk){
#include "policies/topk.h"
};
CHOICE(topk)

ROWS(histogram){
#include "policies/histogram.h"
};
CHOICE(histogram)

ROWS(pyramid){
#include "policies/pyramid.h"
};
CHOICE(pyramid)

ROWS(compact){
#include "policies/compact.h"
};
CHOICE(compact)

#define POLICY(name, text)                                                                         \
    {                                                                                              \
        text, VKR_ARRAY_SIZE(name##_fields), name##_fields, choose_##name                          \
    }
static const struct {
    const char *name;
    uint32_t count;
    const VkrPolicyField *fields;
    void (*choose)(const vkr_caps *caps, uint32_t *words);
} kinds[VKR_POLICY_COUNT] = {
    [VKR_POLICY_REDUCE] = POLICY(reduce, "reduce"),
    [VKR_POLICY_SEGMENTS] = POLICY(segments, "segments"),
    [VKR_POLICY_SORT] = POLICY(sort, "sort"),
    [VKR_POLICY_TOP_K] = POLICY(topk, "topk"),
    [VKR_POLICY_HISTOGRAM] = POLICY(histogram, "histogram"),
    [VKR_POLICY_PYRAMID] = POLICY(pyramid, "pyramid"),
    [VKR_POLICY_COMPACT] = POLICY(compact, "compact"),
};

void vkr_choose_policies(const vkr_caps *caps, vkr_policies policies)
{
    memset(policies, 0, sizeof(vkr_policies));
    for (uint32_t i = 0; i < VKR_POLICY_COUNT; i++)
        kinds[i].choose(caps, policies[i]);
}

/* ---- Public functions ---- */

const char *vkrPolicyName(VkrPolicyKind kind)
{
    return (uint32_t)kind < VKR_POLICY_COUNT ? kinds[kind].name : "unknown";
}

const VkrPolicyField *vkrPolicyFields(VkrPolicyKind kind, uint32_t *count)
{
    const bool known = (uint32_t)kind < VKR_POLICY_COUNT;
    if (count != NULL)
        *count = known ? kinds[kind].count : 0;
    return known ? kinds[kind].fields : NULL;
}

VkrResult vkrGetPolicy(VkrContext context, VkrPolicyKind kind, VkrPolicy *policy)
{
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    if (policy == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetPolicy: policy is NULL, but must point to a VkrPolicy.");
    if ((uint32_t)kind >= VKR_POLICY_COUNT)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetPolicy: kind is %d, but must be 0 to %d.", (int)kind,
                        VKR_POLICY_COUNT - 1);
    VKR_TRY(vkr_check_device(context, "vkrGetPolicy"));
    *policy = (VkrPolicy){.kind = kind};
    memcpy(policy->values, context->policies[kind], sizeof policy->values);
    return VKR_SUCCESS;
}

static bool fits(const VkrPolicyField *field, uint32_t value)
{
    const bool power = (value & (value - 1)) == 0;
    return value >= field->min && value <= field->max && (power || !field->isPower);
}

const char *vkr_find_policy_mistake(const VkrPolicy *policy, char text[VKR_POLICY_TEXT])
{
    uint32_t count;
    const VkrPolicyField *fields = vkrPolicyFields(policy->kind, &count);
    if (fields == NULL)
        return "kind must be one of VkrPolicyKind";
    for (uint32_t i = 0; i < count; i++) {
        const VkrPolicyField *field = &fields[i];
        if (fits(field, policy->values[i]))
            continue;
        (void)snprintf(text, VKR_POLICY_TEXT, "%s must be %s%s%u to %u", field->name,
                       field->isPower && field->min == 0 ? "0 or " : "",
                       field->isPower ? "a power of two from " : "",
                       field->isPower && field->min == 0 ? 1 : field->min, field->max);
        return text;
    }
    return NULL;
}
