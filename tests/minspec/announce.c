/* SPDX-License-Identifier: MIT */
/* What the layer's device reports about itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "minspec.h"

#define NAME_SUFFIX ", with minimum limits"

static const char *const take_names[TAKE_COUNT] = {
    [TAKE_ARITHMETIC] = "arithmetic",
    [TAKE_SHUFFLE] = "shuffle",
    [TAKE_INT64] = "int64",
    [TAKE_FLOAT64] = "float64",
    [TAKE_STORAGE8] = "storage8",
    [TAKE_STORAGE16] = "storage16",
    [TAKE_PUSH_DESCRIPTORS] = "push-descriptors",
    [TAKE_SIZE_CONTROL] = "size-control",
    [TAKE_TIMESTAMPS] = "timestamps",
    [TAKE_SCANS] = "scans",
    [TAKE_GROUPS] = "groups",
    [TAKE_MODULES] = "modules",
};

/* All extensions that the device has beyond Vulkan 1.1. */
static const struct {
    const char *name;
    minspec_take take;
} extensions[] = {
    {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, TAKE_PUSH_DESCRIPTORS},
    {VK_KHR_8BIT_STORAGE_EXTENSION_NAME, TAKE_STORAGE8},
    {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, TAKE_SIZE_CONTROL},
};

enum { LOWER_RANGE, LOWER_INVOCATIONS, LOWER_GROUPS, LOWER_SHARED, LOWER_BUFFERS, LOWER_COUNT };

static struct {
    bool taken[TAKE_COUNT];
    uint32_t lowered[LOWER_COUNT];
    bool has_type;
    VkPhysicalDeviceType type;
} settings;

/* The names of limits, and the minimum that the specification allows; but the library needs 8
 * storage buffers, and the minimum is 4. */
static const struct {
    const char *name;
    uint32_t least;
} lower_rows[LOWER_COUNT] = {
    [LOWER_RANGE] = {"range", UINT32_C(1) << 27},
    [LOWER_INVOCATIONS] = {"invocations", 128},
    [LOWER_GROUPS] = {"groups", 65535},
    [LOWER_SHARED] = {"shared", 16384},
    [LOWER_BUFFERS] = {"buffers", 8},
};

/* ---- Environment ---- */

static bool complain(const char *variable, const char *word)
{
    fprintf(stderr, "# minspec: %s does not know \"%s\"\n", variable, word);
    return false;
}

static bool take(const char *word)
{
    bool found = strcmp(word, "nothing") == 0;
    for (int i = 0; i < TAKE_COUNT; i++) {
        /* Gaps of the compiler are not among the features that "all" means. */
        const bool is_feature = i < TAKE_SCANS;
        if (strcmp(word, take_names[i]) != 0 && !(is_feature && strcmp(word, "all") == 0))
            continue;
        settings.taken[i] = true;
        found = true;
    }
    return found || complain("VKR_TEST_TAKE", word);
}

static bool lower(const char *word)
{
    const size_t length = strcspn(word, "=");
    for (int i = 0; i < LOWER_COUNT && word[length] == '='; i++) {
        if (strlen(lower_rows[i].name) != length || strncmp(word, lower_rows[i].name, length) != 0)
            continue;
        settings.lowered[i] = (uint32_t)strtoul(word + length + 1, NULL, 10);
        return settings.lowered[i] != 0 || complain("VKR_TEST_LOWER", word);
    }
    return complain("VKR_TEST_LOWER", word);
}

static bool choose_type(const char *word)
{
    settings.has_type = true;
    settings.type = strcmp(word, "discrete") == 0 ? VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
                                                  : VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    return settings.type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU ||
           strcmp(word, "integrated") == 0 || complain("VKR_TEST_DEVICE_TYPE", word);
}

/* Calls `act` for every word between commas. */
static bool each_word(const char *variable, bool (*act)(const char *word))
{
    char words[256], *rest;
    const char *value = getenv(variable);
    if (value == NULL)
        return true;
    if (strlen(value) >= sizeof(words))
        return complain(variable, value);
    strcpy(words, value);
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!act(word))
            return false;
    return true;
}

bool minspec_read_environment(void)
{
    memset(&settings, 0, sizeof(settings));
    for (int i = 0; i < LOWER_COUNT; i++)
        settings.lowered[i] = lower_rows[i].least;
    return each_word("VKR_TEST_TAKE", take) && each_word("VKR_TEST_LOWER", lower) &&
           each_word("VKR_TEST_DEVICE_TYPE", choose_type);
}

/* ---- Limits ---- */

static void at_most(uint32_t *limit, uint32_t most)
{
    *limit = *limit < most ? *limit : most;
}

static void at_least(VkDeviceSize *alignment, VkDeviceSize least)
{
    *alignment = *alignment > least ? *alignment : least;
}

/* Lowers the limits that matter to compute work to those of the table "Required Limits" of the
 * specification. */
static void lower_limits(VkPhysicalDeviceLimits *l)
{
    const uint32_t *lowered = settings.lowered;
    const uint32_t size = lowered[LOWER_INVOCATIONS];
    at_most(&l->maxComputeWorkGroupInvocations, size);
    at_most(&l->maxComputeWorkGroupSize[0], size);
    at_most(&l->maxComputeWorkGroupSize[1], size);
    at_most(&l->maxComputeWorkGroupSize[2], size < 64 ? size : 64);
    for (int i = 0; i < 3; i++)
        at_most(&l->maxComputeWorkGroupCount[i], lowered[LOWER_GROUPS]);
    at_most(&l->maxComputeSharedMemorySize, lowered[LOWER_SHARED]);
    at_most(&l->maxStorageBufferRange, lowered[LOWER_RANGE]);
    at_most(&l->maxTexelBufferElements, 65536);
    at_most(&l->maxPushConstantsSize, 128);
    at_most(&l->maxBoundDescriptorSets, 4);
    at_most(&l->maxPerStageDescriptorStorageBuffers, lowered[LOWER_BUFFERS]);
    at_most(&l->maxPerStageDescriptorSampledImages, 16);
    at_most(&l->maxPerStageDescriptorStorageImages, 4);
    at_most(&l->maxPerStageResources, 128);
    at_most(&l->maxDescriptorSetStorageBuffers, 24);
    at_most(&l->maxDescriptorSetSampledImages, 96);
    at_most(&l->maxMemoryAllocationCount, 4096);
    at_least(&l->minStorageBufferOffsetAlignment, 256);
    at_least(&l->minUniformBufferOffsetAlignment, 256);
    at_most(&l->maxUniformBufferRange, 16384);
    at_least(&l->minTexelBufferOffsetAlignment, 256);
    at_least(&l->nonCoherentAtomSize, 256);
}

void minspec_lower_properties(VkPhysicalDeviceProperties *properties)
{
    const size_t room = sizeof(properties->deviceName) - sizeof(NAME_SUFFIX);
    properties->apiVersion = VK_API_VERSION_1_1;
    if (settings.has_type)
        properties->deviceType = settings.type;
    properties->deviceName[strlen(properties->deviceName) < room ? strlen(properties->deviceName)
                                                                 : room] = '\0';
    strcat(properties->deviceName, NAME_SUFFIX);
    lower_limits(&properties->limits);
}

static VkSubgroupFeatureFlags subgroup_operations(void)
{
    return VK_SUBGROUP_FEATURE_BASIC_BIT |
           (settings.taken[TAKE_SHUFFLE]
                ? 0u
                : VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT) |
           (settings.taken[TAKE_ARITHMETIC] ? 0u : VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
}

void minspec_lower_properties_chain(void *chain)
{
    for (VkBaseOutStructure *base = chain; base != NULL; base = base->pNext) {
        if (base->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
            VkPhysicalDeviceSubgroupProperties *subgroup = (void *)base;
            subgroup->supportedOperations &= subgroup_operations();
            subgroup->supportedStages &= VK_SHADER_STAGE_COMPUTE_BIT;
            subgroup->quadOperationsInAllStages = VK_FALSE;
        }
    }
}

/* ---- Features ---- */

void minspec_lower_features(VkPhysicalDeviceFeatures *features)
{
    const VkPhysicalDeviceFeatures had = *features;
    *features = (VkPhysicalDeviceFeatures){
        .robustBufferAccess = VK_TRUE,
        .shaderInt64 = had.shaderInt64 && !settings.taken[TAKE_INT64],
        .shaderFloat64 = had.shaderFloat64 && !settings.taken[TAKE_FLOAT64],
    };
}

static void lower_features_structure(VkBaseOutStructure *base)
{
    VkPhysicalDevice8BitStorageFeatures *storage8 = (void *)base;
    VkPhysicalDevice16BitStorageFeatures *storage16 = (void *)base;
    VkPhysicalDeviceSubgroupSizeControlFeatures *size = (void *)base;
    switch (base->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES:
        storage8->storageBuffer8BitAccess &= !settings.taken[TAKE_STORAGE8];
        storage8->uniformAndStorageBuffer8BitAccess = VK_FALSE;
        storage8->storagePushConstant8 = VK_FALSE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
        storage16->storageBuffer16BitAccess &= !settings.taken[TAKE_STORAGE16];
        storage16->uniformAndStorageBuffer16BitAccess = VK_FALSE;
        storage16->storagePushConstant16 = VK_FALSE;
        storage16->storageInputOutput16 = VK_FALSE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES:
        size->subgroupSizeControl &= !settings.taken[TAKE_SIZE_CONTROL];
        size->computeFullSubgroups &= !settings.taken[TAKE_SIZE_CONTROL];
        break;
    default:
        break;
    }
}

void minspec_lower_features_chain(void *chain)
{
    for (VkBaseOutStructure *base = chain; base != NULL; base = base->pNext)
        lower_features_structure(base);
}

bool minspec_has_timestamps(void)
{
    return !settings.taken[TAKE_TIMESTAMPS];
}

bool minspec_offers_extension(const char *name)
{
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
        if (strcmp(name, extensions[i].name) == 0)
            return !settings.taken[extensions[i].take];
    return false;
}

bool minspec_lacks_scans(void)
{
    return settings.taken[TAKE_SCANS];
}

bool minspec_lacks_groups(void)
{
    return settings.taken[TAKE_GROUPS];
}

bool minspec_compiles_modules(void)
{
    return settings.taken[TAKE_MODULES];
}
