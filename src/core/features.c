/* SPDX-License-Identifier: MIT */
/* Reads and sets the bits of features in chains of structures. */
#include "features.h"

#include <stdio.h>
#include <string.h>

#include "context.h"
#include "message.h"

#define CALL "vkrEnableFeatures"

/* ---- Bits and their places ---- */

typedef struct place {
    VkStructureType type;
    const char *structure; /* NULL: no place */
    size_t offset;         /* of the bit's VkBool32 */
} place;

#define PLACE(type, structure, bit)                                                                \
    {                                                                                              \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, "VkPhysicalDevice" #structure,                   \
            offsetof(VkPhysicalDevice##structure, bit)                                             \
    }
#define CORE_BIT(feature, bit)                                                                     \
    {                                                                                              \
        feature, #bit,                                                                             \
        {                                                                                          \
            PLACE(FEATURES_2, Features2, features.bit)                                             \
        }                                                                                          \
    }
#define CHAINED_BIT(feature, bit, minor, TYPE, Structure)                                          \
    {                                                                                              \
        feature, #bit,                                                                             \
        {                                                                                          \
            PLACE(VULKAN_1_##minor##_FEATURES, Vulkan1##minor##Features, bit),                     \
                PLACE(TYPE, Structure, bit)                                                        \
        }                                                                                          \
    }

/* A bit and the structures that can hold it. Vulkan forbids two of them in one chain. */
typedef struct bit {
    VkrFeature feature;
    const char *name;
    place places[2];
} bit;

static const bit bits[] = {
    CORE_BIT(VKR_FEATURE_INT64, shaderInt64),
    CORE_BIT(VKR_FEATURE_FLOAT64, shaderFloat64),
    CORE_BIT(VKR_FEATURE_WRITE_WITHOUT_FORMAT, shaderStorageImageWriteWithoutFormat),
    CORE_BIT(VKR_FEATURE_EXTENDED_FORMATS, shaderStorageImageExtendedFormats),
    CHAINED_BIT(VKR_FEATURE_STORAGE_16BIT, storageBuffer16BitAccess, 1, 16BIT_STORAGE_FEATURES,
                16BitStorageFeatures),
    CHAINED_BIT(VKR_FEATURE_STORAGE_8BIT, storageBuffer8BitAccess, 2, 8BIT_STORAGE_FEATURES,
                8BitStorageFeatures),
    CHAINED_BIT(VKR_FEATURE_SUBGROUP_SIZE_CONTROL, subgroupSizeControl, 3,
                SUBGROUP_SIZE_CONTROL_FEATURES, SubgroupSizeControlFeatures),
    CHAINED_BIT(VKR_FEATURE_SUBGROUP_SIZE_CONTROL, computeFullSubgroups, 3,
                SUBGROUP_SIZE_CONTROL_FEATURES, SubgroupSizeControlFeatures),
};

static const place *find_place(const bit *b, VkStructureType type)
{
    for (size_t i = 0; i < VKR_ARRAY_SIZE(b->places); i++)
        if (b->places[i].structure && b->places[i].type == type)
            return &b->places[i];
    return NULL;
}

/* ---- Chains ---- */

static VkrFeatureFlags read_structure(VkStructureType type, const void *structure)
{
    VkrFeatureFlags held = 0, off = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(bits); i++) {
        const place *p = find_place(&bits[i], type);
        VkBool32 on = VK_FALSE;
        if (!p)
            continue;
        memcpy(&on, (const char *)structure + p->offset, sizeof on);
        held |= (VkrFeatureFlags)bits[i].feature;
        off |= on ? 0 : (VkrFeatureFlags)bits[i].feature;
    }
    return held & ~off;
}

VkrFeatureFlags vkr_read_features(const void *chain, const VkPhysicalDeviceFeatures *core)
{
    VkrFeatureFlags features = 0;
    for (const VkBaseInStructure *next = chain; next; next = next->pNext)
        features |= read_structure(next->sType, next);
    if (core) {
        const VkPhysicalDeviceFeatures2 all = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = *core};
        features |= read_structure(all.sType, &all);
    }
    return features;
}

/* Returns those of the features that the structure holds. */
static VkrFeatureFlags write_structure(VkStructureType type, void *structure,
                                       VkrFeatureFlags features)
{
    const VkBool32 on = VK_TRUE;
    VkrFeatureFlags written = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(bits); i++) {
        const place *p = find_place(&bits[i], type);
        if (!p || !((VkrFeatureFlags)bits[i].feature & features))
            continue;
        memcpy((char *)structure + p->offset, &on, sizeof on);
        written |= (VkrFeatureFlags)bits[i].feature;
    }
    return written;
}

VkrFeatureFlags vkr_write_features(void *chain, VkPhysicalDeviceFeatures *core,
                                   VkrFeatureFlags features)
{
    VkrFeatureFlags written = 0;
    for (VkBaseOutStructure *next = chain; next; next = next->pNext)
        written |= write_structure(next->sType, next, features);
    if (core) {
        VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                         .features = *core};
        written |= write_structure(all.sType, &all, features);
        *core = all.features;
    }
    return features & ~written;
}

/* ---- vkrEnableFeatures ---- */

/* Checks that two structures of a chain do not hold the same bit: if only one of two copies were
 * set, the device's feature would be undefined. */
static VkrResult check_pair(const struct VkrContext_T *context, VkStructureType a,
                            VkStructureType b)
{
    for (size_t i = 0; i < VKR_ARRAY_SIZE(bits); i++) {
        const place *first = find_place(&bits[i], a), *second = find_place(&bits[i], b);
        if (!first || !second)
            continue;
        if (first == second)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            CALL ": chain has %s twice, but must have it once.", first->structure);
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": chain has %s and %s, but must have only one of them: Vulkan "
                             "forbids both, since both hold %s.",
                        first->structure, second->structure, bits[i].name);
    }
    return VKR_SUCCESS;
}

static VkrResult check_chain(const struct VkrContext_T *context, const VkrEnableFeaturesInfo *info)
{
    for (const VkBaseInStructure *a = info->chain; a; a = a->pNext) {
        for (const VkBaseInStructure *b = a->pNext; b; b = b->pNext)
            VKR_TRY(check_pair(context, a->sType, b->sType));
        if (info->features && a->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            CALL ": features is given, but must be NULL where chain has "
                                 "VkPhysicalDeviceFeatures2.");
    }
    return VKR_SUCCESS;
}

/* The device's features, except push descriptors, which have an extension and no bit. */
static VkrFeatureFlags available_bits(const VkrDeviceRequirements *requirements)
{
    VkrFeatureFlags available = 0, known = 0;
    for (uint32_t i = 0; i < requirements->requirementCount; i++)
        if (requirements->requirements[i].available)
            available |= (VkrFeatureFlags)requirements->requirements[i].feature;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(bits); i++)
        known |= (VkrFeatureFlags)bits[i].feature;
    return available & known;
}

void vkr_add_name(char text[VKR_MAX_NAMES], const char *name)
{
    const char *separator = text[0] ? ", " : "";
    if (strlen(text) + strlen(separator) + strlen(name) < VKR_MAX_NAMES)
        (void)strcat(strcat(text, separator), name);
}

static void note_missing(const struct VkrContext_T *context, VkrFeatureFlags missing)
{
    char names[VKR_MAX_NAMES] = "";
    for (size_t i = 0; i < VKR_ARRAY_SIZE(bits); i++) {
        const place *p = bits[i].places;
        char name[200];
        if (!((VkrFeatureFlags)bits[i].feature & missing))
            continue;
        (void)snprintf(name, sizeof name, "%s (%s%s%s)", bits[i].name, p[0].structure,
                       p[1].structure ? " or " : "", p[1].structure ? p[1].structure : "");
        vkr_add_name(names, name);
    }
    vkr_note(context,
             CALL ": the device has features that the library could use and for which chain has no "
                  "structure: %s.",
             names);
}

static VkrResult enable_features(const struct VkrContext_T *context,
                                 const VkrEnableFeaturesInfo *info, VkrFeatureFlags *missing)
{
    const VkrDeviceRequirements *requirements = info->requirements;
    if (!requirements)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": requirements is NULL, but must point to a VkrDeviceRequirements.");
    if (requirements->requirementCount > VKR_MAX_REQUIREMENTS)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": requirements.requirementCount is %u, but must be what "
                             "vkrGetDeviceRequirements wrote, at most %u.",
                        requirements->requirementCount, VKR_MAX_REQUIREMENTS);
    VKR_TRY(check_chain(context, info));
    const VkrFeatureFlags left =
        vkr_write_features(info->chain, info->features, available_bits(requirements));
    if (left)
        note_missing(context, left);
    if (missing)
        *missing = left;
    return VKR_SUCCESS;
}

VkrResult vkrEnableFeatures(const VkrEnableFeaturesInfo *info, VkrFeatureFlags *missing)
{
    if (!info)
        return VKR_ERROR_INVALID_ARGUMENT;
    const struct VkrContext_T context = {.message = info->message,
                                         .message_data = info->messageData};
    return enable_features(&context, info, missing);
}
