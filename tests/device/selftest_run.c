/* SPDX-License-Identifier: MIT */
/* What each test of the self-test needs: a context behind the functions of selftest_wrap.c, and one
 * sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "selftest_run.h"

#define ELEMENTS 5000u

harness device;
VkrContext context;

uint32_t messages;
char message_texts[4][512];

static void keep(void *user, VkrResult result, const char *sentence)
{
    (void)user;
    device.result = result;
    snprintf(device.sentence, sizeof(device.sentence), "%s", sentence);
    if (messages < 4)
        snprintf(message_texts[messages], sizeof(message_texts[0]), "%s", sentence);
    messages++;
}

int open_context(void **state)
{
    const VkrContextInfo info = {
        .instance = device.instance,
        .physicalDevice = device.physical_device,
        .device = device.device,
        .apiVersion = device.api_version,
        .enabledFeatureChain = &device.requirements.features,
        .enabledExtensionCount = device.requirements.extensionCount,
        .enabledExtensions = device.requirements.extensions,
        .getInstanceProcAddr = get_instance,
        .message = keep,
    };
    (void)state;
    memset(&wrap, 0, sizeof(wrap));
    messages = 0;
    wrap.instance = device.loader;
    return vkrCreateContext(&info, &context) == VKR_SUCCESS ? 0 : 1;
}

int close_context(void **state)
{
    (void)state;
    vkrDestroyContext(context);
    return wrap.objects == 0 ? 0 : 1;
}

VkrResult self_test(VkrSelfTestReport *report)
{
    const VkrSelfTestInfo info = {.queue = device.queue, .queueFamilyIndex = device.family};
    return vkrSelfTest(context, &info, report);
}

VkrGroupPath group_path_in_use(void)
{
    VkrContextProperties properties;
    vkrGetContextProperties(context, &properties);
    return properties.groupPath;
}

VkrGroupPath best_group_path(void)
{
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    vkGetPhysicalDeviceProperties2(device.physical_device, &properties);
    if ((subgroup.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) == 0)
        return VKR_GROUP_PATH_SHARED;
    return (subgroup.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) == 0
               ? VKR_GROUP_PATH_SHUFFLE
               : VKR_GROUP_PATH_ARITHMETIC;
}

uint32_t sum(VkDeviceSize stride, uint32_t *right)
{
    harness_buffer data;
    harness_buffer output;
    VkrRecorder recorder;
    assert_true(harness_create_buffer(&device, ELEMENTS * stride, &data));
    assert_true(harness_create_buffer(&device, 4, &output));
    *right = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        ((uint32_t *)data.data)[i * stride / 4] = i;
        *right += i;
    }
    assert_int_equal(vkrCreateRecorder(context, &(VkrRecorderInfo){0}, &recorder), VKR_SUCCESS);
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    const VkrReduceInfo info = {
        .ops = VKR_OP_SUM,
        .input = {.buffer = data.buffer,
                  .size = ELEMENTS * stride,
                  .type = VKR_TYPE_U32,
                  .stride = stride},
        .count = ELEMENTS,
        .output = {.buffer = output.buffer, .size = 4},
    };
    assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
    assert_true(harness_begin(&device));
    const VkrEndInfo end = {
        .commandBuffer = device.cmd,
        .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
        .consumerAccess = VK_ACCESS_HOST_READ_BIT,
    };
    assert_int_equal(vkrEnd(recorder, &end), VKR_SUCCESS);
    assert_true(harness_end(&device) && harness_submit(&device));
    const uint32_t found = *(const uint32_t *)output.data;
    vkrDestroyRecorder(recorder);
    harness_destroy_buffer(&device, &data);
    harness_destroy_buffer(&device, &output);
    return found;
}
