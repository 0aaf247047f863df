/* SPDX-License-Identifier: MIT */
/* VkrContextInfo and VkrDeviceRequirementsInfo: each field wrong in turn. */
#include "refusals.h"

#include <stdio.h>
#include <string.h>

/* ---- VkrContextInfo ---- */

static const VkAllocationCallbacks no_callback = {0};
static const char *const no_names[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, NULL};

/* Rows X(name, code, sentence after "vkrCreateContext: ", how device d and info i become wrong). */
/* clang-format off */
#define CONTEXT_ROWS(X)                                                                            \
X(instance, INVALID, "instance is VK_NULL_HANDLE, but must be a valid handle.",                    \
  i->instance = NULL)                                                                              \
X(physical_device, INVALID, "physicalDevice is VK_NULL_HANDLE, but must be a valid handle.",       \
  i->physicalDevice = NULL)                                                                        \
X(device, INVALID, "device is VK_NULL_HANDLE, but must be a valid handle.", i->device = NULL)      \
X(version, INVALID, "apiVersion is 1.0, but must be 0 or at least 1.1.",                           \
  i->apiVersion = VK_API_VERSION_1_0)                                                              \
X(flags, INVALID, "flags is VKR_CONTEXT_DEBUG_UTILS_BIT | 0x6, but must have only bits of "        \
  "VkrContextFlagBits.", i->flags = 7)                                                             \
X(debug_utils, INVALID, "flags has VKR_CONTEXT_DEBUG_UTILS_BIT, but the instance must have "       \
  "VK_EXT_debug_utils enabled.", d->no_debug_utils = true)                                         \
X(extensions, INVALID, "enabledExtensions is NULL, but must point to enabledExtensionCount (2) "   \
  "names.", i->enabledExtensions = NULL)                                                           \
X(extension, INVALID, "enabledExtensions[1] is NULL, but must be the name of an extension.",       \
  i->enabledExtensions = no_names)                                                                 \
X(loader, INVALID, "getInstanceProcAddr lacks functions for the instance, but must have all of "   \
  "Vulkan 1.1.", d->no_functions = true)                                                           \
X(allocator, INVALID, "allocator lacks a callback, but pfnAllocation, pfnReallocation and "        \
  "pfnFree must be set.", i->allocator = &no_callback)                                             \
X(progress, INVALID, "forwardProgress is 3, but must be 0 to 2.",                                  \
  i->forwardProgress = (VkrForwardProgress)3)                                                      \
X(progress_negative, INVALID, "forwardProgress is -1, but must be 0 to 2.",                        \
  i->forwardProgress = (VkrForwardProgress)-1)                                                     \
X(range_low, INVALID, "limits.maxStorageBufferRange is 65535, but must be 0 or at least 65536.",   \
  i->limits.maxStorageBufferRange = 65535)                                                         \
X(range_high, UNSUPPORTED, "limits.maxStorageBufferRange is 134217729, but must not exceed the "   \
  "device's, which is 134217728.", i->limits.maxStorageBufferRange = (1u << 27) + 1)               \
X(groups_high, UNSUPPORTED, "limits.maxComputeWorkGroupCount is 65536, but must not exceed the "   \
  "device's, which is 65535.", i->limits.maxComputeWorkGroupCount = 65536)                         \
X(tasks, INVALID, "limits.maxTaskWorkGroupCount is (65535, 0, 65535) and "                         \
  "maxTaskWorkGroupTotalCount is 4194304, but either all or none must be 0.",                      \
  i->limits.maxTaskWorkGroupCount[0] = i->limits.maxTaskWorkGroupCount[2] = 65535;                 \
  i->limits.maxTaskWorkGroupTotalCount = 1u << 22)                                                 \
X(tasks_total, INVALID, "limits.maxTaskWorkGroupCount is (1, 2, 3) and "                           \
  "maxTaskWorkGroupTotalCount is 0, but either all or none must be 0.",                            \
  memcpy(i->limits.maxTaskWorkGroupCount, (uint32_t[3]){1, 2, 3}, 12))                             \
X(group_path, INVALID, "limits.groupPath is 4, but must be 0 to 3.",                               \
  i->limits.groupPath = VKR_GROUP_PATH_COUNT)                                                      \
X(group_path_high, UNSUPPORTED, "limits.groupPath is arithmetic, but must not be above the "       \
  "device's best, which is shuffle.", d->group_path = VKR_GROUP_PATH_SHUFFLE;                      \
  i->limits.groupPath = VKR_GROUP_PATH_ARITHMETIC)                                                 \
X(disabled, INVALID, "limits.disabledFeatures is VKR_FEATURE_PUSH_DESCRIPTOR | 0x100, but must "   \
  "have only bits of VkrFeature.",                                                                 \
  i->limits.disabledFeatures = 0x101)                                                              \
X(old, UNSUPPORTED, "the device stub lacks Vulkan 1.1, which the library needs.",                  \
  d->version = VK_API_VERSION_1_0)                                                                 \
X(buffers, UNSUPPORTED, "the device stub lacks maxPerStageDescriptorStorageBuffers of 8, which "   \
  "the library needs.", d->buffers = 7)
/* clang-format on */

#define BREAK_CONTEXT(name, code, sentence, ...)                                                   \
    static void context_##name(trace_device *d, VkrContextInfo *i)                                 \
    {                                                                                              \
        (void)d;                                                                                   \
        (void)i;                                                                                   \
        __VA_ARGS__;                                                                               \
    }
CONTEXT_ROWS(BREAK_CONTEXT)

#define CONTEXT_ROW(name, code, sentence, ...)                                                     \
    {VKR_ERROR_##code, "vkrCreateContext: " sentence, context_##name},
static const struct {
    VkrResult result;
    const char *sentence;
    void (*wrong)(trace_device *device, VkrContextInfo *info);
} context_rows[] = {CONTEXT_ROWS(CONTEXT_ROW)};

EXTERN_TEST(refuse_contexts)
{
    for (size_t k = 0; k < ARRAY_SIZE(context_rows); k++) {
        trace_device device = {0};
        VkrContextInfo ignored = {0};
        VkrContext context = HANDLE(VkrContext);
        context_rows[k].wrong(&device, &ignored);
        trace_describe(&device);
        fixture.info.flags = VKR_CONTEXT_DEBUG_UTILS_BIT;
        context_rows[k].wrong(&device, &fixture.info);
        assert_said(vkrCreateContext(&fixture.info, &context), context_rows[k].result,
                    context_rows[k].sentence);
        assert_null(context);
        trace_close();
    }
}

/* ---- VkrDeviceRequirementsInfo ---- */

static VkrDeviceRequirementsInfo asked(void)
{
    return (VkrDeviceRequirementsInfo){.instance = fixture.info.instance,
                                       .physicalDevice = fixture.info.physicalDevice,
                                       .getInstanceProcAddr = fixture.info.getInstanceProcAddr,
                                       .message = fixture.info.message,
                                       .messageData = fixture.info.messageData};
}

static const struct {
    const char *sentence; /* after "vkrGetDeviceRequirements: " */
    trace_device device;
    bool no_instance, no_device, no_place;
    uint32_t version;
} requirement_rows[] = {
    {"instance is VK_NULL_HANDLE, but must be a valid handle.", .no_instance = true},
    {"physicalDevice is VK_NULL_HANDLE, but must be a valid handle.", .no_device = true},
    {"apiVersion is 1.0, but must be 0 or at least 1.1.", .version = VK_API_VERSION_1_0},
    {"requirements is NULL, but must point to a VkrDeviceRequirements.", .no_place = true},
    {"getInstanceProcAddr lacks functions for the instance, but must have all of Vulkan 1.1.",
     .device = {.no_functions = true}},
};

EXTERN_TEST(refuse_requirements)
{
    for (size_t k = 0; k < ARRAY_SIZE(requirement_rows); k++) {
        VkrDeviceRequirements requirements, untouched;
        char sentence[200];
        trace_describe(&requirement_rows[k].device);
        VkrDeviceRequirementsInfo info = asked();
        if (requirement_rows[k].no_instance)
            info.instance = NULL;
        if (requirement_rows[k].no_device)
            info.physicalDevice = NULL;
        info.apiVersion = requirement_rows[k].version;
        memset(&requirements, 0x55, sizeof requirements);
        untouched = requirements;
        snprintf(sentence, sizeof sentence, "vkrGetDeviceRequirements: %s",
                 requirement_rows[k].sentence);
        assert_said(
            vkrGetDeviceRequirements(&info, requirement_rows[k].no_place ? NULL : &requirements),
            VKR_ERROR_INVALID_ARGUMENT, sentence);
        assert_memory_equal(&requirements, &untouched, sizeof requirements);
        trace_close();
    }
}

/* A device that is too old is no error: the answer is that it cannot be used. */
EXTERN_TEST(take_unusable_devices)
{
    VkrDeviceRequirements requirements;
    trace_describe(&(trace_device){.version = VK_API_VERSION_1_0});
    const VkrDeviceRequirementsInfo info = asked();
    assert_int_equal(vkrGetDeviceRequirements(&info, &requirements), VKR_SUCCESS);
    assert_false(requirements.usable);
    assert_string_equal(requirements.requirements[0].name, "Vulkan 1.1");
    assert_false(requirements.requirements[0].available);
    assert_int_equal(fixture.sentences, 0);
    trace_close();
}

/* Without a message callback, a call fails with the same code. */
EXTERN_TEST(refuse_without_callback)
{
    trace_describe(&(trace_device){0});
    fixture.info.message = NULL;
    assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
    assert_int_equal(vkrCreateRecorder(fixture.context, NULL, &fixture.recorder),
                     VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fixture.sentences, 0);
    trace_close();
}
