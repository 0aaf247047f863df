/* SPDX-License-Identifier: MIT */
#include "flags.h"

#include <stdio.h>
#include <string.h>

typedef struct flag {
    uint32_t bit;
    const char *name;
} flag;

#define ROW(name)                                                                                  \
    {                                                                                              \
        (uint32_t) name, #name                                                                     \
    }

/* ---- Flags of this library ---- */

static const flag context[] = {ROW(VKR_CONTEXT_DEBUG_UTILS_BIT)};
static const flag features[] = {
    ROW(VKR_FEATURE_PUSH_DESCRIPTOR),
    ROW(VKR_FEATURE_SUBGROUP_SIZE_CONTROL),
    ROW(VKR_FEATURE_STORAGE_8BIT),
    ROW(VKR_FEATURE_STORAGE_16BIT),
    ROW(VKR_FEATURE_INT64),
    ROW(VKR_FEATURE_FLOAT64),
    ROW(VKR_FEATURE_WRITE_WITHOUT_FORMAT),
    ROW(VKR_FEATURE_EXTENDED_FORMATS),
};
_Static_assert(VKR_ARRAY_SIZE(features) == VKR_FEATURE_BITS, "every feature has a name");
static const flag end[] = {ROW(VKR_END_NO_COMPILE_BIT)};
static const flag reduce[] = {ROW(VKR_REDUCE_CONSUME_INPUT_BIT), ROW(VKR_REDUCE_SAMPLE_BIT)};
static const flag scan[] = {ROW(VKR_SCAN_EXCLUSIVE_BIT), ROW(VKR_SCAN_REVERSE_BIT)};
static const flag compact[] = {ROW(VKR_COMPACT_CONTINUED_BIT)};
static const flag histogram[] = {ROW(VKR_HISTOGRAM_ACCUMULATE_BIT), ROW(VKR_HISTOGRAM_CLOSED_BIT)};
static const flag sort[] = {ROW(VKR_SORT_DESCENDING_BIT), ROW(VKR_SORT_NAN_FIRST_BIT),
                            ROW(VKR_SORT_BY_VALUE_BIT)};
static const flag top_k[] = {
    ROW(VKR_TOP_K_LEAST_BIT),
    ROW(VKR_TOP_K_ANY_TIES_BIT),
    ROW(VKR_TOP_K_UNSORTED_BIT),
    ROW(VKR_TOP_K_BY_VALUE_BIT),
};
static const flag select_flags[] = {ROW(VKR_SELECT_DESCENDING_BIT), ROW(VKR_SELECT_NAN_FIRST_BIT)};
static const flag merge[] = {ROW(VKR_MERGE_DESCENDING_BIT), ROW(VKR_MERGE_NAN_FIRST_BIT),
                             ROW(VKR_MERGE_BY_VALUE_BIT)};
static const flag bounds[] = {ROW(VKR_BOUNDS_DESCENDING_BIT), ROW(VKR_BOUNDS_NAN_FIRST_BIT),
                              ROW(VKR_BOUNDS_BY_VALUE_BIT)};

/* ---- Flags of Vulkan 1.3 ---- */

static const flag access[] = {
    ROW(VK_ACCESS_INDIRECT_COMMAND_READ_BIT),
    ROW(VK_ACCESS_INDEX_READ_BIT),
    ROW(VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT),
    ROW(VK_ACCESS_UNIFORM_READ_BIT),
    ROW(VK_ACCESS_INPUT_ATTACHMENT_READ_BIT),
    ROW(VK_ACCESS_SHADER_READ_BIT),
    ROW(VK_ACCESS_SHADER_WRITE_BIT),
    ROW(VK_ACCESS_COLOR_ATTACHMENT_READ_BIT),
    ROW(VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT),
    ROW(VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT),
    ROW(VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT),
    ROW(VK_ACCESS_TRANSFER_READ_BIT),
    ROW(VK_ACCESS_TRANSFER_WRITE_BIT),
    ROW(VK_ACCESS_HOST_READ_BIT),
    ROW(VK_ACCESS_HOST_WRITE_BIT),
    ROW(VK_ACCESS_MEMORY_READ_BIT),
    ROW(VK_ACCESS_MEMORY_WRITE_BIT),
};
static const flag aspect[] = {
    ROW(VK_IMAGE_ASPECT_COLOR_BIT),   ROW(VK_IMAGE_ASPECT_DEPTH_BIT),
    ROW(VK_IMAGE_ASPECT_STENCIL_BIT), ROW(VK_IMAGE_ASPECT_METADATA_BIT),
    ROW(VK_IMAGE_ASPECT_PLANE_0_BIT), ROW(VK_IMAGE_ASPECT_PLANE_1_BIT),
    ROW(VK_IMAGE_ASPECT_PLANE_2_BIT),
};
static const flag memory[] = {
    ROW(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT),     ROW(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT),
    ROW(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT),    ROW(VK_MEMORY_PROPERTY_HOST_CACHED_BIT),
    ROW(VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT), ROW(VK_MEMORY_PROPERTY_PROTECTED_BIT),
};

/* ---- The types ---- */

#define TYPE(type, flags)                                                                          \
    {                                                                                              \
        type, flags, (uint32_t)VKR_ARRAY_SIZE(flags)                                               \
    }
static const struct {
    const char *name;
    const flag *flags;
    uint32_t count;
} types[VKR_FLAG_TYPE_COUNT] = {
    [VKR_FLAGS_OF_CONTEXT] = TYPE("VkrContextFlagBits", context),
    [VKR_FLAGS_OF_FEATURES] = TYPE("VkrFeature", features),
    [VKR_FLAGS_OF_END] = TYPE("VkrEndFlagBits", end),
    [VKR_FLAGS_OF_REDUCE] = TYPE("VkrReduceFlagBits", reduce),
    [VKR_FLAGS_OF_SCAN] = TYPE("VkrScanFlagBits", scan),
    [VKR_FLAGS_OF_COMPACT] = TYPE("VkrCompactFlagBits", compact),
    [VKR_FLAGS_OF_HISTOGRAM] = TYPE("VkrHistogramFlagBits", histogram),
    [VKR_FLAGS_OF_SORT] = TYPE("VkrSortFlagBits", sort),
    [VKR_FLAGS_OF_TOP_K] = TYPE("VkrTopKFlagBits", top_k),
    [VKR_FLAGS_OF_SELECT] = TYPE("VkrSelectFlagBits", select_flags),
    [VKR_FLAGS_OF_BOUNDS] = TYPE("VkrBoundsFlagBits", bounds),
    [VKR_FLAGS_OF_MERGE] = TYPE("VkrMergeFlagBits", merge),
    [VKR_FLAGS_OF_ACCESS] = TYPE("VkAccessFlagBits", access),
    [VKR_FLAGS_OF_ASPECT] = TYPE("VkImageAspectFlagBits", aspect),
    [VKR_FLAGS_OF_MEMORY] = TYPE("VkMemoryPropertyFlagBits", memory),
};

const char *vkr_flag_type_name(vkr_flag_type type)
{
    return types[type].name;
}

uint32_t vkr_known_flags(vkr_flag_type type)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < types[type].count; i++)
        known |= types[type].flags[i].bit;
    return known;
}

/* ---- Names of sets ---- */

/* Appends a name, unless it leaves no room for the number at the end. */
static bool append(vkr_names *names, const char *name)
{
    const size_t length = strlen(names->text), number = sizeof(" | 0x00000000");
    const char *separator = length != 0 ? " | " : "";
    if (length + strlen(separator) + strlen(name) + number > sizeof(names->text))
        return false;
    (void)strcat(strcat(names->text, separator), name);
    return true;
}

void vkr_name_bit(vkr_names *names, uint32_t *left, uint32_t bit, const char *name)
{
    if ((*left & bit) != 0 && append(names, name))
        *left &= ~bit;
}

void vkr_name_rest(vkr_names *names, uint32_t left)
{
    const size_t length = strlen(names->text);
    if (left != 0)
        (void)snprintf(names->text + length, sizeof(names->text) - length, "%s0x%x",
                       length != 0 ? " | " : "", left);
    else if (length == 0)
        (void)append(names, "0");
}

vkr_names vkr_flag_names(vkr_flag_type type, uint32_t flags)
{
    vkr_names names = {""};
    for (uint32_t i = 0; i < types[type].count; i++)
        vkr_name_bit(&names, &flags, types[type].flags[i].bit, types[type].flags[i].name);
    vkr_name_rest(&names, flags);
    return names;
}
