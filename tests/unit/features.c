/* SPDX-License-Identifier: MIT */
/* vkrEnableFeatures on every form of chain, valid and forbidden. */
#include <stdio.h>
#include <string.h>

#include "chains.h"
#include "vkreduce/testing.h"

/* Whether Vulkan allows a chain of these parts. */
static bool is_allowed(uint32_t bits, bool plain)
{
    const uint32_t pairs[] = {1u << V11 | 1u << S16, 1u << V12 | 1u << S8, 1u << V13 | 1u << SIZES,
                              1u << V12 | 1u << OTHER};
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
        if ((bits & pairs[i]) == pairs[i])
            return false;
    return !(plain && bits & 1u << CORE);
}

static VkrFeatureFlags lacking(uint32_t bits, bool plain)
{
    return (bits & 1u << CORE || plain ? 0 : CORE_BITS) |
           (bits & (1u << V11 | 1u << S16) ? 0 : STORAGE16) |
           (bits & (1u << V12 | 1u << S8) ? 0 : STORAGE8) |
           (bits & (1u << V13 | 1u << SIZES) ? 0 : SIZE_CONTROL);
}

static VkrEnableFeaturesInfo to_enable(const VkrDeviceRequirements *requirements, void *chain,
                                       VkPhysicalDeviceFeatures *plain)
{
    return (VkrEnableFeaturesInfo){requirements, chain, plain, fixture.info.message,
                                   fixture.info.messageData};
}

/* All features that the structures have are set, and nothing else. A context with this chain has
 * them, and notes whether others are missing. */
TEST(test_chains)
{
    VkrDeviceRequirements requirements;
    uint32_t chains = 0;
    for (uint32_t k = 0; k < 2u << PART_COUNT; k++) {
        const uint32_t bits = k >> 1;
        const bool plain = k & 1;
        application app, expected;
        VkrContextProperties properties;
        VkrFeatureFlags missing = 0xdead;
        if (!is_allowed(bits, plain))
            continue;
        describe_all(VK_API_VERSION_1_3, &requirements);
        void *const chain = make_chain(&app, bits);
        expected = app;
        expect_bits(&expected, bits, plain, ALL_BITS);
        const VkrEnableFeaturesInfo info = to_enable(&requirements, chain, plain ? &app.plain : 0);
        assert_int_equal(vkrEnableFeatures(&info, &missing), VKR_SUCCESS);
        assert_memory_equal(&app, &expected, sizeof app);
        assert_int_equal(missing, lacking(bits, plain));
        assert_int_equal(fixture.notes, missing != 0);

        fixture.info.enabledFeatureChain = chain;
        fixture.info.enabledFeatures = plain ? &app.plain : NULL;
        assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
        vkrGetContextProperties(fixture.context, &properties);
        assert_int_equal(properties.features, VKR_FEATURE_PUSH_DESCRIPTOR | (ALL_BITS & ~missing));
        assert_int_equal(fixture.notes, missing != 0 ? 2 : 0);
        assert_int_equal(fixture.sentences, 0);
        trace_close();
        chains++;
    }
    assert_int_equal(chains, 3 * 3 * 3 * 5);
}

/* A feature that the device lacks is not set, and one that the application has set stays; neither
 * is reported as missing. */
TEST(test_unavailable)
{
    VkrDeviceRequirements requirements;
    describe_all(VK_API_VERSION_1_3, &requirements);
    for (uint32_t bit = 0; bit < VKR_FEATURE_BITS; bit++) {
        const uint32_t bits = 1u << CORE | 1u << V11 | 1u << S8 | 1u << V13;
        application app, expected;
        VkrFeatureFlags missing = 0xdead;
        for (uint32_t i = 0; i < requirements.requirementCount; i++)
            requirements.requirements[i].available =
                (uint32_t)requirements.requirements[i].feature != 1u << bit;
        for (uint32_t set = 0; set < 2; set++) {
            void *const chain = make_chain(&app, bits);
            if (set)
                expect_bits(&app, bits, false, 1u << bit);
            expected = app;
            expect_bits(&expected, bits, false, ALL_BITS & ~(1u << bit));
            const VkrEnableFeaturesInfo info = to_enable(&requirements, chain, NULL);
            assert_int_equal(vkrEnableFeatures(&info, &missing), VKR_SUCCESS);
            assert_memory_equal(&app, &expected, sizeof app);
            assert_int_equal(missing, 0);
        }
        const VkrEnableFeaturesInfo nowhere = to_enable(&requirements, NULL, NULL);
        assert_int_equal(vkrEnableFeatures(&nowhere, &missing), VKR_SUCCESS);
        assert_int_equal(missing, ALL_BITS & ~(1u << bit));
    }
    trace_close();
}

#define MISSING                                                                                    \
    "vkrEnableFeatures: the device has features that the library could use and for which chain "   \
    "has no structure: "

TEST(test_note)
{
    VkrDeviceRequirements requirements;
    application app;
    describe_all(VK_API_VERSION_1_3, &requirements);
    VkrEnableFeaturesInfo info =
        to_enable(&requirements, make_chain(&app, 1u << V11 | 1u << V13), NULL);
    assert_int_equal(vkrEnableFeatures(&info, NULL), VKR_SUCCESS);
    assert_noted(MISSING "shaderInt64 (VkPhysicalDeviceFeatures2), shaderFloat64 "
                         "(VkPhysicalDeviceFeatures2), shaderStorageImageWriteWithoutFormat "
                         "(VkPhysicalDeviceFeatures2), shaderStorageImageExtendedFormats "
                         "(VkPhysicalDeviceFeatures2), storageBuffer8BitAccess "
                         "(VkPhysicalDeviceVulkan12Features or "
                         "VkPhysicalDevice8BitStorageFeatures).");
    info.chain = make_chain(&app, 1u << CORE | 1u << S8);
    assert_int_equal(vkrEnableFeatures(&info, NULL), VKR_SUCCESS);
    assert_noted(MISSING "storageBuffer16BitAccess (VkPhysicalDeviceVulkan11Features or "
                         "VkPhysicalDevice16BitStorageFeatures), subgroupSizeControl "
                         "(VkPhysicalDeviceVulkan13Features or "
                         "VkPhysicalDeviceSubgroupSizeControlFeatures), computeFullSubgroups "
                         "(VkPhysicalDeviceVulkan13Features or "
                         "VkPhysicalDeviceSubgroupSizeControlFeatures).");
    info.chain = NULL;
    assert_int_equal(vkrEnableFeatures(&info, NULL), VKR_SUCCESS);
    assert_non_null(strstr(fixture.note,
                           "computeFullSubgroups (VkPhysicalDeviceVulkan13Features or "
                           "VkPhysicalDeviceSubgroupSizeControlFeatures)."));
    info.message = NULL;
    assert_int_equal(vkrEnableFeatures(&info, NULL), VKR_SUCCESS);
    assert_int_equal(fixture.notes, 1);
    trace_close();
}

/* ---- Wrong calls ---- */

#define NULL_REQUIREMENTS "requirements is NULL, but must point to a VkrDeviceRequirements."
#define BOTH(a, b, bit)                                                                            \
    "chain has VkPhysicalDevice" a " and VkPhysicalDevice" b ", but must have only one of them: "  \
    "Vulkan forbids both, since both hold " bit "."

static const struct {
    const char *sentence; /* after "vkrEnableFeatures: " */
    uint32_t parts;
    bool plain, twice; /* twice: the last part once more, first in the chain */
} forbidden[] = {
    {BOTH("16BitStorageFeatures", "Vulkan11Features", "storageBuffer16BitAccess"),
     1u << CORE | 1u << V11 | 1u << S16, false, false},
    {BOTH("8BitStorageFeatures", "Vulkan12Features", "storageBuffer8BitAccess"),
     1u << V12 | 1u << S8 | 1u << V13, false, false},
    {BOTH("SubgroupSizeControlFeatures", "Vulkan13Features", "subgroupSizeControl"),
     1u << V13 | 1u << SIZES, false, false},
    {"chain has VkPhysicalDeviceVulkan12Features twice, but must have it once.",
     1u << CORE | 1u << V12, false, true},
    {"chain has VkPhysicalDeviceFeatures2 twice, but must have it once.", 1u << CORE, false, true},
    {"features is given, but must be NULL where chain has VkPhysicalDeviceFeatures2.",
     1u << CORE | 1u << V12, true, false},
};

TEST(test_forbidden)
{
    VkrDeviceRequirements requirements;
    describe_all(VK_API_VERSION_1_3, &requirements);
    for (size_t k = 0; k < ARRAY_SIZE(forbidden); k++) {
        application app, before;
        union {
            VkBaseOutStructure base;
            VkPhysicalDeviceFeatures2 core;
            VkPhysicalDeviceVulkan12Features v12;
        } again = {0};
        char sentence[400];
        VkrFeatureFlags missing = 0xdead;
        void *chain = make_chain(&app, forbidden[k].parts);
        if (forbidden[k].twice) {
            again.base.sType = ((VkBaseOutStructure *)chain)->sType;
            again.base.pNext = chain;
            chain = &again;
        }
        before = app;
        const VkrEnableFeaturesInfo info =
            to_enable(&requirements, chain, forbidden[k].plain ? &app.plain : NULL);
        snprintf(sentence, sizeof sentence, "vkrEnableFeatures: %s", forbidden[k].sentence);
        assert_said(vkrEnableFeatures(&info, &missing), VKR_ERROR_INVALID_ARGUMENT, sentence);
        assert_memory_equal(&app, &before, sizeof app);
        assert_int_equal(missing, 0xdead);
    }
    trace_close();
}

TEST(test_wrong)
{
    VkrDeviceRequirements requirements;
    describe_all(VK_API_VERSION_1_3, &requirements);
    VkrEnableFeaturesInfo info = to_enable(NULL, NULL, NULL);
    assert_int_equal(vkrEnableFeatures(NULL, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fixture.sentences, 0);
    assert_said(vkrEnableFeatures(&info, NULL), VKR_ERROR_INVALID_ARGUMENT,
                "vkrEnableFeatures: " NULL_REQUIREMENTS);
    info.requirements = &requirements;
    requirements.requirementCount = VKR_MAX_REQUIREMENTS + 1;
    assert_said(vkrEnableFeatures(&info, NULL), VKR_ERROR_INVALID_ARGUMENT,
                "vkrEnableFeatures: requirements.requirementCount is 17, but must be what "
                "vkrGetDeviceRequirements wrote, at most 16.");
    trace_close();
}

/* A context has the features that are enabled, except those that limits.disabledFeatures
 * disables. */
TEST(test_disabled)
{
    static const VkrFeatureFlags needs[VKR_TYPE_COUNT] = {
        [VKR_TYPE_I8] = VKR_FEATURE_STORAGE_8BIT,
        [VKR_TYPE_U8] = VKR_FEATURE_STORAGE_8BIT,
        [VKR_TYPE_I16] = VKR_FEATURE_STORAGE_16BIT,
        [VKR_TYPE_U16] = VKR_FEATURE_STORAGE_16BIT,
        [VKR_TYPE_F16] = VKR_FEATURE_STORAGE_16BIT,
        [VKR_TYPE_BF16] = VKR_FEATURE_STORAGE_16BIT,
        [VKR_TYPE_I64] = VKR_FEATURE_INT64,
        [VKR_TYPE_U64] = VKR_FEATURE_INT64,
        [VKR_TYPE_F64] = VKR_FEATURE_INT64 | VKR_FEATURE_FLOAT64,
    };
    for (uint32_t disabled = 0; disabled < 1u << VKR_FEATURE_BITS; disabled++) {
        const trace_device device = {.limits = {.disabledFeatures = disabled}};
        VkrFeatureFlags expected = 0xffu & ~(uint32_t)VKR_FEATURE_SUBGROUP_SIZE_CONTROL & ~disabled;
        if (disabled & VKR_FEATURE_INT64)
            expected &= ~(uint32_t)VKR_FEATURE_FLOAT64;
        VkrContextProperties properties;
        trace_open(&device);
        vkrGetContextProperties(fixture.context, &properties);
        assert_int_equal(properties.features, expected);
        for (VkrType type = VKR_TYPE_UNDEFINED; type < VKR_TYPE_COUNT; type++)
            assert_int_equal(vkrIsTypeSupported(fixture.context, type),
                             type != VKR_TYPE_UNDEFINED && (disabled & needs[type]) == 0);
        assert_false(vkrIsTypeSupported(fixture.context, VKR_TYPE_COUNT));
        assert_false(vkrIsTypeSupported(fixture.context, (VkrType)-1));
        trace_close();
    }
}

/* The indices of a small input have 64 bits only with the hook. */
TEST(test_hooks)
{
    for (uint32_t wide = 0; wide < 2; wide++) {
        const VkrTestHooks hooks = {.wideIndices = wide};
        const VkrReduceInfo info = {
            .ops = VKR_OP_ARGMIN, .input = {.size = 4, .type = VKR_TYPE_F32}, .count = 1};
        VkrReduceLayout layout;
        trace_describe(&(trace_device){0});
        fixture.info.testHooks = &hooks;
        assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
        assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
        assert_int_equal(vkrGetReduceResult(&layout, VKR_OP_ARGMIN)->type,
                         wide ? VKR_TYPE_U64 : VKR_TYPE_U32);
        trace_close();
    }
}

TEST_MAIN("features", CASE(test_chains), CASE(test_unavailable), CASE(test_note),
          CASE(test_forbidden), CASE(test_wrong), CASE(test_disabled), CASE(test_hooks))
