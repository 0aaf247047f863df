/* SPDX-License-Identifier: MIT */
/*
 * Tuning rows and policies as text:
 *
 *     vkreduce-profile 2
 *     device VENDOR DEVICE DRIVER-BUILD SUBGROUP-SIZE
 *     OPERATION VALUE-SIZE VIEW WORKGROUP TREE-WORKGROUP ONE-GROUP-BYTES MIN-BYTES
 *         MAX-BYTES MAX-GROUPS ORDER PATH FLIGHT TILE-BYTES LOOK-BACK (on the same line)
 *     ...
 *     policy KIND VALUE..
 *     ...
 *     end
 *
 * Numbers are decimal, names are those that vkr..Name returns, VIEW is `texels` or `buffer`. Every
 * line ends with a newline, so that a file that was cut off is noticed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/message.h"
#include "policies.h"
#include "tuning.h"

#define MAX_BYTES 262144u
#define MAX_GROUPS 65536u
#define MAX_FLIGHT 32u
#define MAX_TILE 65536u

const char *vkr_texels_name(VkBool32 texels)
{
    return texels ? "texels" : "buffer";
}

/* ---- Rows ---- */

static bool is_power_of_two(uint32_t n, uint32_t min, uint32_t max)
{
    return n >= min && n <= max && (n & (n - 1)) == 0;
}

const char *vkr_find_tuning_mistake(const VkrTuning *t)
{
    const struct {
        bool good;
        const char *needs;
    } rules[] = {
        {(uint32_t)t->operation < VKR_OPERATION_COUNT, "operation must be one of VkrOperation"},
        {is_power_of_two(t->valueSize, 1, 8), "valueSize must be 1, 2, 4 or 8"},
        {t->workgroupSize == 0 || is_power_of_two(t->workgroupSize, 1, 1024),
         "workgroupSize must be 0 or a power of two up to 1024"},
        {is_power_of_two(t->treeWorkgroupSize, 2, 1024),
         "treeWorkgroupSize must be a power of two from 2 to 1024"},
        {t->minBytes >= 1, "minBytes must be at least 1"},
        {t->maxBytes >= 16 && t->maxBytes <= MAX_BYTES, "maxBytes must be 16 to 262144"},
        {t->minBytes <= t->maxBytes, "minBytes must not exceed maxBytes"},
        {t->maxGroups >= 1 && t->maxGroups <= MAX_GROUPS, "maxGroups must be 1 to 65536"},
        {(uint32_t)t->order < VKR_LOAD_ORDER_COUNT, "order must be one of VkrLoadOrder"},
        {(uint32_t)t->path < VKR_LOAD_PATH_COUNT, "path must be one of VkrLoadPath"},
        {t->texels <= VK_TRUE, "texels must be VK_TRUE or VK_FALSE"},
        {t->texels || t->path != VKR_LOAD_TEXEL, "path must not be texel without texels"},
        {t->flight >= 1 && t->flight <= MAX_FLIGHT, "flight must be 1 to 32"},
        {t->tileBytes <= MAX_TILE, "tileBytes must be at most 65536"},
        {t->lookBack <= VK_TRUE, "lookBack must be VK_TRUE or VK_FALSE"},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rules); i++)
        if (!rules[i].good)
            return rules[i].needs;
    return NULL;
}

/* ---- Writing ---- */

static size_t format_head(const vkr_caps *caps, char line[VKR_PROFILE_LINE])
{
    return (size_t)snprintf(
        line, VKR_PROFILE_LINE,
        VKR_PROFILE_HEAD "\ndevice %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
        caps->vendor_id, caps->device_id, caps->driver_build, caps->subgroup_size);
}

static size_t format_row(const VkrTuning *t, char line[VKR_PROFILE_LINE])
{
    return (size_t)snprintf(
        line, VKR_PROFILE_LINE,
        "%s %" PRIu32 " %s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
        " %s %s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
        vkrOperationName(t->operation), t->valueSize, vkr_texels_name(t->texels), t->workgroupSize,
        t->treeWorkgroupSize, t->oneGroupBytes, t->minBytes, t->maxBytes, t->maxGroups,
        vkrLoadOrderName(t->order), vkrLoadPathName(t->path), t->flight, t->tileBytes, t->lookBack);
}

static size_t format_policy(const VkrPolicy *policy, char line[VKR_PROFILE_LINE])
{
    uint32_t count;
    (void)vkrPolicyFields(policy->kind, &count);
    int used =
        snprintf(line, VKR_PROFILE_LINE, VKR_PROFILE_POLICY " %s", vkrPolicyName(policy->kind));
    for (uint32_t i = 0; i < count; i++)
        used +=
            snprintf(line + used, VKR_PROFILE_LINE - (size_t)used, " %" PRIu32, policy->values[i]);
    return (size_t)used + (size_t)snprintf(line + used, VKR_PROFILE_LINE - (size_t)used, "\n");
}

/* Appends a line to the text, if there is one, and returns the new size. */
static size_t append(char *text, size_t used, const char *line, size_t length)
{
    if (text != NULL)
        memcpy(text + used, line, length);
    return used + length;
}

static size_t format_profile(const vkr_caps *caps, const VkrProfile *profile, char *text)
{
    char line[VKR_PROFILE_LINE];
    size_t used = append(text, 0, line, format_head(caps, line));
    for (uint32_t i = 0; i < profile->tuningCount; i++)
        used = append(text, used, line, format_row(&profile->tunings[i], line));
    for (uint32_t i = 0; i < profile->policyCount; i++)
        used = append(text, used, line, format_policy(&profile->policies[i], line));
    return append(text, used, "end\n", 4);
}

static VkrResult check_tunings(VkrContext context, uint32_t count, const VkrTuning *tunings)
{
    if (count != 0 && tunings == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: profile->tunings is NULL, but must point to tuningCount "
                        "(%" PRIu32 ") rows.",
                        count);
    for (uint32_t i = 0; i < count; i++) {
        const char *needs = vkr_find_tuning_mistake(&tunings[i]);
        if (needs != NULL)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrWriteProfile: profile->tunings[%" PRIu32 "] is not valid: %s.", i,
                            needs);
        for (uint32_t k = 0; k < i; k++)
            if (tunings[k].operation == tunings[i].operation &&
                tunings[k].valueSize == tunings[i].valueSize &&
                tunings[k].texels == tunings[i].texels)
                return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                                "vkrWriteProfile: profile->tunings[%" PRIu32
                                "] is for %s of %" PRIu32
                                " bytes (%s), but profile->tunings[%" PRIu32
                                "] is too; only one of them can be given.",
                                i, vkrOperationName(tunings[i].operation), tunings[i].valueSize,
                                vkr_texels_name(tunings[i].texels), k);
    }
    return VKR_SUCCESS;
}

static VkrResult check_policies(VkrContext context, uint32_t count, const VkrPolicy *policies)
{
    char text[VKR_POLICY_TEXT];
    if (count != 0 && policies == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: profile->policies is NULL, but must point to policyCount "
                        "(%" PRIu32 ") policies.",
                        count);
    for (uint32_t i = 0; i < count; i++) {
        const char *needs = vkr_find_policy_mistake(&policies[i], text);
        if (needs != NULL)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrWriteProfile: profile->policies[%" PRIu32 "] is not valid: %s.", i,
                            needs);
        for (uint32_t k = 0; k < i; k++)
            if (policies[k].kind == policies[i].kind)
                return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                                "vkrWriteProfile: profile->policies[%" PRIu32 "] is for %s, but "
                                "profile->policies[%" PRIu32 "] is too; only one of them can be "
                                "given.",
                                i, vkrPolicyName(policies[i].kind), k);
    }
    return VKR_SUCCESS;
}

VkrResult vkrWriteProfile(VkrContext context, const VkrProfile *profile, size_t *size, char *text)
{
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    if (profile == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: profile is NULL, but must point to a VkrProfile.");
    if (size == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: size is NULL, but must point to a size_t.");
    VKR_TRY(vkr_check_device(context, "vkrWriteProfile"));
    VKR_TRY(check_tunings(context, profile->tuningCount, profile->tunings));
    VKR_TRY(check_policies(context, profile->policyCount, profile->policies));
    const size_t needed = format_profile(&context->caps, profile, NULL);
    if (text != NULL && *size < needed)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: *size is %" PRIu64 ", but must be at least %" PRIu64
                        " for %" PRIu32 " rows and %" PRIu32 " policies.",
                        (uint64_t)*size, (uint64_t)needed, profile->tuningCount,
                        profile->policyCount);
    if (text != NULL)
        (void)format_profile(&context->caps, profile, text);
    *size = needed;
    return VKR_SUCCESS;
}
