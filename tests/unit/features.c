/* SPDX-License-Identifier: MIT */
/* vkrEnableFeatures on chains of every form, right and forbidden, and what vkrCreateContext notes
 * of features that are left off, and of extensions. The device, a stub, has all that the library
 * can use. */
#include <stdio.h>
#include <string.h>

#include "arguments_trace.h"

#define ALL_BITS (0xffu & ~(uint32_t)VKR_FEATURE_PUSH_DESCRIPTOR) /* what chains can enable */
#define CORE_BITS                                                                                  \
    ((uint32_t)VKR_FEATURE_INT64 | (uint32_t)VKR_FEATURE_FLOAT64 |                                 \
     (uint32_t)VKR_FEATURE_WRITE_WITHOUT_FORMAT | (uint32_t)VKR_FEATURE_EXTENDED_FORMATS)
#define STORAGE16 ((uint32_t)VKR_FEATURE_STORAGE_16BIT)
#define STORAGE8 ((uint32_t)VKR_FEATURE_STORAGE_8BIT)
#define SIZE_CONTROL ((uint32_t)VKR_FEATURE_SUBGROUP_SIZE_CONTROL)

/* ---- A device that has everything ---- */

static PFN_vkGetInstanceProcAddr get_inside;

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice device,
                                               VkPhysicalDeviceFeatures2 *features)
{
    (void)device;
    for (VkBaseOutStructure *next = (void *)features; next; next = next->pNext) {
        VkPhysicalDevice16BitStorageFeatures *storage16 = (void *)next;
        VkPhysicalDevice8BitStorageFeatures *storage8 = (void *)next;
        VkPhysicalDeviceSubgroupSizeControlFeatures *control = (void *)next;
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            memset(&features->features, 1, sizeof features->features);
        else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES)
            storage16->storageBuffer16BitAccess = storage16->storageInputOutput16 = VK_TRUE;
        else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES)
            storage8->storageBuffer8BitAccess = storage8->storagePushConstant8 = VK_TRUE;
        else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES)
            control->subgroupSizeControl = control->computeFullSubgroups = VK_TRUE;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL get_extensions(VkPhysicalDevice device, const char *layer,
                                                     uint32_t *count, VkExtensionProperties *list)
{
    static const VkExtensionProperties has[] = {{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, 2},
                                                {VK_KHR_8BIT_STORAGE_EXTENSION_NAME, 1},
                                                {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, 2}};
    (void)device, (void)layer;
    if (list)
        memcpy(list, has, sizeof has);
    *count = ARRAY_SIZE(has);
    return VK_SUCCESS;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_function(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0)
        return (PFN_vkVoidFunction)get_features;
    if (strcmp(name, "vkEnumerateDeviceExtensionProperties") == 0)
        return (PFN_vkVoidFunction)get_extensions;
    return get_inside(instance, name);
}

static void describe(uint32_t version, VkrDeviceRequirements *requirements)
{
    trace_describe(&(trace_device){.version = version, .built_in = true});
    get_inside = fixture.info.getInstanceProcAddr;
    fixture.info.getInstanceProcAddr = get_function;
    fixture.info.apiVersion = version;
    const VkrDeviceRequirementsInfo asked = {.instance = fixture.info.instance,
                                             .physicalDevice = fixture.info.physicalDevice,
                                             .apiVersion = version,
                                             .getInstanceProcAddr = get_function};
    assert_int_equal(vkrGetDeviceRequirements(&asked, requirements), VKR_SUCCESS);
    assert_int_equal(requirements->extensionCount, version < VK_API_VERSION_1_2 ? 3 : 1);
    fixture.info.enabledExtensionCount = requirements->extensionCount;
    fixture.info.enabledExtensions = requirements->extensions;
    fixture.info.enabledFeatureChain = NULL;
}

/* ---- The application's structures ---- */

enum part { CORE, V11, V12, V13, S16, S8, SIZES, OTHER, PART_COUNT };

/* Each is in the chain or not; `plain` is for VkDeviceCreateInfo::pEnabledFeatures. */
typedef struct application {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
    VkPhysicalDeviceShaderFloat16Int8Features other; /* of which the library uses nothing */
    VkPhysicalDeviceFeatures plain;
} application;

/* The application has bits of its own. Returns the chain of the parts in `bits`, the last first. */
static void *make_chain(application *a, uint32_t bits)
{
    *a = (application){
        .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                 .features = {.geometryShader = VK_TRUE}},
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                .multiview = VK_TRUE},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                .bufferDeviceAddress = VK_TRUE},
        .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                .dynamicRendering = VK_TRUE},
        .storage16 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                      .storagePushConstant16 = VK_TRUE},
        .storage8 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
                     .uniformAndStorageBuffer8BitAccess = VK_TRUE},
        .sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES},
        .other = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
                  .shaderInt8 = VK_TRUE},
        .plain = {.wideLines = VK_TRUE}};
    void *const parts[PART_COUNT] = {&a->core,      &a->v11,      &a->v12,   &a->v13,
                                     &a->storage16, &a->storage8, &a->sizes, &a->other};
    VkBaseOutStructure *chain = NULL;
    for (uint32_t i = 0; i < PART_COUNT; i++) {
        VkBaseOutStructure *part = parts[i];
        if ((bits & 1u << i) == 0)
            continue;
        part->pNext = chain;
        chain = part;
    }
    return chain;
}

static void set_core(VkPhysicalDeviceFeatures *core, VkrFeatureFlags features)
{
    if (features & VKR_FEATURE_INT64)
        core->shaderInt64 = VK_TRUE;
    if (features & VKR_FEATURE_FLOAT64)
        core->shaderFloat64 = VK_TRUE;
    if (features & VKR_FEATURE_WRITE_WITHOUT_FORMAT)
        core->shaderStorageImageWriteWithoutFormat = VK_TRUE;
    if (features & VKR_FEATURE_EXTENDED_FORMATS)
        core->shaderStorageImageExtendedFormats = VK_TRUE;
}

/* What must become of the parts in `bits`, by hand. */
static void expect_bits(application *a, uint32_t bits, bool plain, VkrFeatureFlags features)
{
    if (bits & 1u << CORE)
        set_core(&a->core.features, features);
    if (plain)
        set_core(&a->plain, features);
    if (bits & 1u << V11 && features & STORAGE16)
        a->v11.storageBuffer16BitAccess = VK_TRUE;
    if (bits & 1u << S16 && features & STORAGE16)
        a->storage16.storageBuffer16BitAccess = VK_TRUE;
    if (bits & 1u << V12 && features & STORAGE8)
        a->v12.storageBuffer8BitAccess = VK_TRUE;
    if (bits & 1u << S8 && features & STORAGE8)
        a->storage8.storageBuffer8BitAccess = VK_TRUE;
    if (bits & 1u << V13 && features & SIZE_CONTROL)
        a->v13.subgroupSizeControl = a->v13.computeFullSubgroups = VK_TRUE;
    if (bits & 1u << SIZES && features & SIZE_CONTROL)
        a->sizes.subgroupSizeControl = a->sizes.computeFullSubgroups = VK_TRUE;
}

/* Every chain that Vulkan allows, and what it lacks. */
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

/* ---- Tests ---- */

/* All bits that the structures hold are set, and nothing else; and a context with this chain has
 * them, and notes exactly the others. */
static void test_chains(void **state)
{
    (void)state;
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
        describe(VK_API_VERSION_1_3, &requirements);
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

/* What the device lacks is not set, what the application has set stays, and neither is missing. */
static void test_unavailable(void **state)
{
    (void)state;
    VkrDeviceRequirements requirements;
    describe(VK_API_VERSION_1_3, &requirements);
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

static void test_note(void **state)
{
    (void)state;
    VkrDeviceRequirements requirements;
    application app;
    describe(VK_API_VERSION_1_3, &requirements);
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

static void test_forbidden(void **state)
{
    (void)state;
    VkrDeviceRequirements requirements;
    describe(VK_API_VERSION_1_3, &requirements);
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

static void test_wrong(void **state)
{
    (void)state;
    VkrDeviceRequirements requirements;
    describe(VK_API_VERSION_1_3, &requirements);
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

/* ---- What vkrCreateContext notes ---- */

#define LEFT                                                                                       \
    "vkrCreateContext: the device has features that the library could use and that "               \
    "enabledFeatureChain, enabledFeatures and enabledExtensions leave off: "

static const struct {
    uint32_t version;
    VkrFeatureFlags cleared;  /* in the chain that has all */
    uint32_t extension_count; /* of push descriptors, 8-bit storage, size control */
    VkrFeatureFlags disabled; /* on purpose */
    const char *note;         /* NULL: none */
} notes[] = {
    {VK_API_VERSION_1_1, 0, 3, 0, NULL},
    {VK_API_VERSION_1_3, 0, 1, 0, NULL},
    {VK_API_VERSION_1_3, VKR_FEATURE_INT64, 1, 0, LEFT "shaderInt64."},
    {VK_API_VERSION_1_3, VKR_FEATURE_INT64, 1, VKR_FEATURE_INT64, NULL},
    {VK_API_VERSION_1_3, STORAGE8, 0, VKR_FEATURE_INT64,
     LEFT "VK_KHR_push_descriptor, storageBuffer8BitAccess."},
    {VK_API_VERSION_1_1, 0, 1, 0, LEFT "VK_EXT_subgroup_size_control, VK_KHR_8bit_storage."},
    {VK_API_VERSION_1_1, STORAGE8, 0, VKR_FEATURE_PUSH_DESCRIPTOR,
     LEFT "VK_EXT_subgroup_size_control, storageBuffer8BitAccess."},
    {VK_API_VERSION_1_3, ALL_BITS, 0, 0,
     LEFT "VK_KHR_push_descriptor, subgroupSizeControl and computeFullSubgroups, "
          "storageBuffer8BitAccess, storageBuffer16BitAccess, shaderInt64, shaderFloat64, "
          "shaderStorageImageWriteWithoutFormat, shaderStorageImageExtendedFormats."},
};

static void test_left_off(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(notes); k++) {
        const uint32_t bits = 1u << CORE | 1u << S16 | 1u << S8 | 1u << SIZES;
        VkrDeviceRequirements requirements;
        application app;
        describe(notes[k].version, &requirements);
        fixture.info.enabledFeatureChain = make_chain(&app, bits);
        expect_bits(&app, bits, false, ALL_BITS & ~notes[k].cleared);
        fixture.info.enabledExtensionCount = notes[k].extension_count;
        fixture.info.limits.disabledFeatures = notes[k].disabled;
        assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
        if (notes[k].note)
            assert_noted(notes[k].note);
        assert_int_equal(fixture.notes, 0);
        trace_close();
    }
}

/* Extensions whose state vkrEnd invalidates, and one that only sounds like them. */
static void test_lost_state(void **state)
{
    (void)state;
    const char *const indexing = "VK_EXT_descriptor_indexing";
    static const char *const names[] = {"VK_EXT_descriptor_buffer", "VK_EXT_descriptor_heap"};
    static const char *const sentences[] = {
        "vkrCreateContext: VK_EXT_descriptor_buffer is enabled, and vkrEnd invalidates its state, "
        "for graphics too: set descriptor buffer offsets and bind embedded samplers again after "
        "vkrEnd.",
        "vkrCreateContext: VK_EXT_descriptor_heap is enabled, and vkrEnd invalidates its state, "
        "for "
        "graphics too: bind heaps and push data again after vkrEnd."};
    for (size_t k = 0; k < ARRAY_SIZE(names) + 1; k++) {
        const char *const list[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, indexing,
                                    k < ARRAY_SIZE(names) ? names[k] : indexing};
        VkrDeviceRequirements requirements;
        describe(VK_API_VERSION_1_3, &requirements);
        fixture.info.enabledFeatureChain = &requirements.features;
        fixture.info.enabledExtensionCount = ARRAY_SIZE(list);
        fixture.info.enabledExtensions = list;
        assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
        if (k < ARRAY_SIZE(names))
            assert_noted(sentences[k]);
        assert_int_equal(fixture.notes, 0);
        trace_close();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),     cmocka_unit_test(test_unavailable),
        cmocka_unit_test(test_note),       cmocka_unit_test(test_forbidden),
        cmocka_unit_test(test_wrong),      cmocka_unit_test(test_left_off),
        cmocka_unit_test(test_lost_state),
    };
    return cmocka_run_group_tests_name("features", tests, NULL, NULL);
}
