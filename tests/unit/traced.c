/* SPDX-License-Identifier: MIT */
#include "traced.h"

#include <string.h>

VkrContext context;
VkrRecorder recorder;

static void print_sentence(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    print_message("# %s: %s\n", vkrResultName(result), sentence);
}

void open_traced(const traced *options)
{
    static const char *const extensions[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                             VK_KHR_8BIT_STORAGE_EXTENSION_NAME};
    static const VkPhysicalDevice8BitStorageFeatures bytes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
        .storageBuffer8BitAccess = VK_TRUE};
    const stub_options device = {.push_descriptors = true,
                                 .granule = 64,
                                 .group_limit = 65535,
                                 .brief = true,
                                 .host_visible = options->host_visible};
    const uint32_t tasks = options->max_tasks;
    const VkrLimits limits = {.maxStorageBufferRange = options->max_range,
                              .maxTaskWorkGroupCount = {tasks, tasks, tasks},
                              .maxTaskWorkGroupTotalCount = tasks * tasks};
    stub_start(&device);
    const VkrContextInfo info = {.instance = (VkInstance)(uintptr_t)1,
                                 .physicalDevice = (VkPhysicalDevice)(uintptr_t)1,
                                 .device = (VkDevice)(uintptr_t)1,
                                 .enabledFeatureChain = &bytes,
                                 .enabledExtensionCount = 2,
                                 .enabledExtensions = extensions,
                                 .getInstanceProcAddr = stub_get_instance_proc_addr,
                                 .message = print_sentence,
                                 .forwardProgress = options->progress,
                                 .limits = limits,
                                 .profile = options->profile,
                                 .profileSize = strlen(options->profile)};
    const VkrRecorderInfo recorder_info = {0};
    assert_int_equal(vkrCreateContext(&info, &context), VKR_SUCCESS);
    assert_int_equal(vkrCreateRecorder(context, &recorder_info, &recorder), VKR_SUCCESS);
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
}

void end_traced(const VkrEndInfo *info)
{
    const VkrEndInfo alone = {.commandBuffer = (VkCommandBuffer)(uintptr_t)1};
    assert_int_equal(vkrEnd(recorder, info ? info : &alone), VKR_SUCCESS);
}

void close_traced(void)
{
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    assert_int_equal(stub_objects(), 0);
}

void expect_traced(const VkrEndInfo *info, const char *golden)
{
    end_traced(info);
    assert_string_equal(stub_text(), golden);
    close_traced();
}
