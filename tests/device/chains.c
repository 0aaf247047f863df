/* SPDX-License-Identifier: MIT */
/* Devices created by the application from its own chain of features, in which vkrEnableFeatures has
 * set bits, under validation: neither the chain nor kernels of any type cause a message, and a
 * context has the same properties as on a device with the library's own chain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include <cmocka.h>

static harness device;
static VkrContextProperties usual; /* of a context on the harness's device */
static uint32_t notes;

static void take_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    printf("# %s: %s\n", vkrResultName(result), sentence);
    notes++;
}

/* The application's structures. In each of them the application sets one bit, whose feature needs
 * no other one. */
typedef struct application {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
    VkPhysicalDeviceFeatures plain;
} application;

static application describe_application(void)
{
    return (application){
        .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                 .features = {.fullDrawIndexUint32 = VK_TRUE}},
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                .multiview = VK_TRUE},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                .bufferDeviceAddress = VK_TRUE},
        .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                .dynamicRendering = VK_TRUE},
        .storage16 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES},
        .storage8 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES},
        .sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES},
        .plain = {.fullDrawIndexUint32 = VK_TRUE},
    };
}

static void chain(void *first, void *second, void *third)
{
    ((VkBaseOutStructure *)first)->pNext = second;
    ((VkBaseOutStructure *)second)->pNext = third;
}

/* Compiles pipelines of every type that the context supports; Vulkan requires the features to be
 * enabled. */
static void compile_all(VkrContext context)
{
    VkrRecorder recorder;
    assert_int_equal(vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder), VKR_SUCCESS);
    for (uint32_t type = VKR_TYPE_I8; type < VKR_TYPE_COUNT; type++) {
        const VkBuffer buffer = (VkBuffer)(uintptr_t)1; /* compiling ignores buffers */
        const VkrReduceInfo info = {.ops = VKR_OP_MAX,
                                    .input = {.buffer = buffer, .size = 64, .type = (VkrType)type},
                                    .count = VKR_COUNT_ALL,
                                    .output = {.buffer = buffer, .offset = 256, .size = 64}};
        if (!vkrIsTypeSupported(context, (VkrType)type))
            continue;
        assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
        assert_int_equal(vkrPrepare(recorder), VKR_SUCCESS);
    }
    vkrDestroyRecorder(recorder);
}

/* `core` is VkDeviceCreateInfo::pEnabledFeatures. */
static void use(void *features, VkPhysicalDeviceFeatures *core)
{
    const VkrDeviceRequirements *requirements = &device.requirements;
    const VkrEnableFeaturesInfo enable = {requirements, features, core, take_message, NULL};
    VkrFeatureFlags missing = 0xdead;
    notes = 0;
    assert_int_equal(vkrEnableFeatures(&enable, &missing), VKR_SUCCESS);
    assert_int_equal(missing, 0);
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = device.family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &(float){1}};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = requirements->extensionCount,
                                       .ppEnabledExtensionNames = requirements->extensions,
                                       .pEnabledFeatures = core};
    VkrContextInfo info = {.instance = device.instance,
                           .physicalDevice = device.physical_device,
                           .apiVersion = device.api_version,
                           .enabledFeatureChain = features,
                           .enabledFeatures = core,
                           .enabledExtensionCount = requirements->extensionCount,
                           .enabledExtensions = requirements->extensions,
                           .getInstanceProcAddr = device.loader,
                           .message = take_message};
    VkrContextProperties properties;
    VkrContext context;
    assert_int_equal(vkCreateDevice(device.physical_device, &create, NULL, &info.device),
                     VK_SUCCESS);
    assert_int_equal(vkrCreateContext(&info, &context), VKR_SUCCESS);
    vkrGetContextProperties(context, &properties);
    assert_int_equal(properties.features, usual.features);
    compile_all(context);
    vkrDestroyContext(context);
    PFN_vkDestroyDevice destroy =
        (PFN_vkDestroyDevice)vkGetDeviceProcAddr(info.device, "vkDestroyDevice");
    destroy(info.device, NULL);
    assert_int_equal(notes, 0);
    assert_int_equal(device.validation_messages, 0);
}

static void test_versions(void **state)
{
    (void)state;
    application a = describe_application();
    chain(&a.core, &a.v11, &a.v12);
    a.v12.pNext = &a.v13;
    use(&a.core, NULL);
}

static void test_singles(void **state)
{
    (void)state;
    application a = describe_application();
    chain(&a.storage16, &a.sizes, &a.storage8);
    a.storage8.pNext = &a.core;
    use(&a.storage16, NULL);
}

static void test_enabled_features(void **state)
{
    (void)state;
    application a = describe_application();
    chain(&a.v13, &a.storage16, &a.v12);
    use(&a.v13, &a.plain);
}

static int open_device(void **state)
{
    VkrContext context;
    (void)state;
    if (!harness_context(&device, NULL, &context))
        return 1;
    vkrGetContextProperties(context, &usual);
    vkrDestroyContext(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_singles),
        cmocka_unit_test(test_enabled_features),
    };
    int status = harness_open(&device);
    if (status != 0)
        return status;
    status = cmocka_run_group_tests_name("chains", tests, open_device, NULL);
    harness_close(&device);
    return status;
}
