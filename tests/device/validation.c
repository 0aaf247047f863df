/* SPDX-License-Identifier: MIT */
/*
 * The validation layer (core checks and synchronisation) reports nothing for the library's
 * recordings, on a subset of operations that covers every kind of barrier; and it reports each
 * fault planted into these recordings, which shows that its silence means something. With
 * VKR_TEST_GPUAV set, a separate run tests the same for accesses out of bounds (GPU-assisted
 * validation). With VKR_TEST_FILTER, only tests whose names match its pattern (of * and ?) run.
 *
 * Faults are planted between the library and Vulkan: the loader function passed to the context
 * replaces single commands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "validation.h"

#define LAYER "VK_LAYER_KHRONOS_validation"

/* ---- Messages ---- */

static uint32_t messages;     /* of the current test */
static uint32_t all_messages; /* of all tests without a planted fault */
static const char *wanted;    /* a part of the planted fault's report, or NULL */
static bool found;
static bool gpu_assisted;

/* Whether a message is one that GPU-assisted validation always prints. */
static bool is_notice(const char *id)
{
    return strstr(id, "VALIDATION-SETTINGS") || strstr(id, "WARNING-Setting-Limit-Adjusted") ||
           strstr(id, "GPUAV-Compile-time");
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    const char *id = data->pMessageIdName ? data->pMessageIdName : "";

    (void)severity, (void)types, (void)user;
    if (gpu_assisted && is_notice(id))
        return VK_FALSE;
    printf("# message: %s\n", id);
    messages++;
    found |= wanted && (strstr(id, wanted) || strstr(data->pMessage, wanted));
    return VK_FALSE;
}

static void on_error(void *user, VkrResult result, const char *sentence)
{
    (void)user;
    printf("# %s: %s\n", vkrResultName(result), sentence);
}

/* ---- Planted faults ---- */

static const plant *planted;
uint32_t plants;
static VkDeviceSize granule;

static VKAPI_ATTR void VKAPI_CALL
plant_barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
              VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
              uint32_t buffer_count, const VkBufferMemoryBarrier *ranges, uint32_t image_count,
              const VkImageMemoryBarrier *images)
{
    VkMemoryBarrier changed = memory_count ? memory[0] : (VkMemoryBarrier){0};

    if ((from & planted->from) && (to & planted->to)) {
        plants++;
        memory = &changed;
        if (planted->instead) {
            to = planted->instead;
            changed.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
        } else {
            from &= ~planted->from;
            changed.srcAccessMask &= planted->from == TRANSFER
                                         ? ~(VkAccessFlags)VK_ACCESS_TRANSFER_WRITE_BIT
                                         : ~(VkAccessFlags)VK_ACCESS_SHADER_WRITE_BIT;
        }
    }
    if (from)
        vkCmdPipelineBarrier(cmd, from, to, flags, memory_count, memory, buffer_count, ranges,
                             image_count, images);
}

static VKAPI_ATTR void VKAPI_CALL plant_range(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                              VkPipelineLayout layout, uint32_t set, uint32_t count,
                                              const VkWriteDescriptorSet *writes)
{
    VkDescriptorBufferInfo smaller = *writes[0].pBufferInfo;
    VkWriteDescriptorSet copies[16];

    for (uint32_t i = 0; i < count && i < 16; i++) {
        copies[i] = writes[i];
        if (planted->repeat && writes[i].descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER &&
            writes[i].pBufferInfo->range == granule) {
            copies[i].pBufferInfo = writes[0].pBufferInfo;
            plants++;
        }
    }
    if (planted->shrink && writes[0].dstBinding == 0) {
        smaller.range /= planted->shrink;
        copies[0].pBufferInfo = &smaller;
        plants++;
    }
    vkCmdPushDescriptorSetKHR(cmd, point, layout, set, count, copies);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice handle, const char *name)
{
    if (planted && planted->from && strcmp(name, "vkCmdPipelineBarrier") == 0)
        return (PFN_vkVoidFunction)plant_barrier;
    const bool ranges = planted && (planted->shrink || planted->repeat);
    if (ranges && strcmp(name, "vkCmdPushDescriptorSetKHR") == 0)
        return (PFN_vkVoidFunction)plant_range;
    return vkGetDeviceProcAddr(handle, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)device_proc;
    return vkGetInstanceProcAddr(instance, name);
}

/* ---- Device and buffers ---- */

harness device;
harness_buffer buffers[BUFFERS];
VkBufferView texels;
static VkDebugUtilsMessengerEXT messenger;
static VkPipelineCache cache; /* shared, since every test has its own context */
static bool newer_layer;

static uint32_t layer_version(void)
{
    VkLayerProperties layers[64];
    uint32_t count = 64;

    vkEnumerateInstanceLayerProperties(&count, layers);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].layerName, LAYER) == 0)
            return layers[i].specVersion;
    return 0;
}

static int set_up(void **state)
{
    const VkDebugUtilsMessengerCreateInfoEXT create = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
    };

    const VkPipelineCacheCreateInfo cache_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
    };

    (void)state;
    assert_int_equal(harness_open(&device), 0);
    assert_true(device.messenger != VK_NULL_HANDLE);
    /* Out-of-bounds accesses must be reported, not clamped. */
    assert_false(device.requirements.features.features.robustBufferAccess);
    all_messages = gpu_assisted ? 0 : device.validation_messages;
    newer_layer = layer_version() >= VK_MAKE_API_VERSION(0, 1, 4, 0);
    printf("# layer: %s\n", newer_layer ? "newer" : "the system's");
    assert_int_equal(vkCreateDebugUtilsMessengerEXT(device.instance, &create, NULL, &messenger),
                     VK_SUCCESS);
    assert_int_equal(vkCreatePipelineCache(device.device, &cache_info, NULL, &cache), VK_SUCCESS);
    for (uint32_t i = 0; i < BUFFERS; i++)
        assert_true(
            harness_create_buffer(&device, i == SCRATCH ? SCRATCH_SIZE : BUFFER_SIZE, &buffers[i]));
    const VkBufferViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffers[FLOATS].buffer,
        .format = VK_FORMAT_R32G32B32A32_UINT,
        .range = BUFFER_SIZE,
    };
    assert_int_equal(vkCreateBufferView(device.device, &view, NULL, &texels), VK_SUCCESS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    vkDestroyBufferView(device.device, texels, NULL);
    for (uint32_t i = 0; i < BUFFERS; i++)
        harness_destroy_buffer(&device, &buffers[i]);
    vkDestroyPipelineCache(device.device, cache, NULL);
    vkDestroyDebugUtilsMessengerEXT(device.instance, messenger, NULL);
    device.validation_messages = 0;
    harness_close(&device);
    printf("# validation messages: %u\n", all_messages + device.validation_messages);
    return device.validation_messages != 0;
}

/* ---- Tests ---- */

/* A context with the scenario's tuning row, or with the built-in ones. */
static VkrContext open_context(const VkrContextInfo *info, const VkrTuning *tuning)
{
    char profile[256];
    size_t size = sizeof(profile);
    VkrContext context;

    assert_int_equal(vkrCreateContext(info, &context), VKR_SUCCESS);
    if (tuning->valueSize == 0)
        return context;
    assert_int_equal(vkrWriteProfile(context, &(VkrProfile){1, tuning, 0, NULL}, &size, profile),
                     VKR_SUCCESS);
    vkrDestroyContext(context);
    VkrContextInfo tuned = *info;
    tuned.profile = profile;
    tuned.profileSize = size;
    assert_int_equal(vkrCreateContext(&tuned, &context), VKR_SUCCESS);
    return context;
}

static void fill_inputs(void)
{
    for (uint32_t i = 0; i < BUFFER_SIZE / 4; i++) {
        ((float *)buffers[FLOATS].data)[i] = 1;
        ((uint32_t *)buffers[WORDS].data)[i] = 1;
    }
}

static void record_command_buffer(session *s, const scenario *t)
{
    const VkBufferCopy all = {.size = BUFFER_SIZE};
    const VkMemoryBarrier to_host = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };

    assert_true(harness_begin(&device));
    t->record(s, t);
    vkCmdCopyBuffer(device.cmd, buffers[OUTPUT].buffer, buffers[COPY].buffer, 1, &all);
    vkCmdPipelineBarrier(device.cmd, TRANSFER, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL,
                         0, NULL);
    assert_true(harness_end(&device));
}

static void run(const scenario *t)
{
    session s = {0};
    VkrReduceLayout layout;
    VkrLimits limits = t->limits;
    limits.maxTaskWorkGroupCount[0] = limits.maxTaskWorkGroupCount[1] = 65535;
    limits.maxTaskWorkGroupCount[2] = 1;
    limits.maxTaskWorkGroupTotalCount = 1u << 22;
    const VkrContextInfo context = {
        .instance = device.instance,
        .physicalDevice = device.physical_device,
        .device = device.device,
        .apiVersion = device.api_version,
        .flags = VKR_CONTEXT_DEBUG_UTILS_BIT,
        .enabledFeatureChain = &device.requirements.features,
        .enabledExtensionCount = device.requirements.extensionCount,
        .enabledExtensions = device.requirements.extensions,
        .getInstanceProcAddr = instance_proc,
        .pipelineCache = cache,
        .message = on_error,
        .limits = limits,
    };

    fill_inputs();
    s.context = open_context(&context, &t->tuning);
    const VkrReduceInfo info = reduction(&s, t, COUNT, 0);
    assert_int_equal(vkrGetReduceLayout(s.context, &info, &layout), VKR_SUCCESS);
    s.spacing = layout.spacing;
    VkrContextProperties properties;
    vkrGetContextProperties(s.context, &properties);
    granule = properties.granule;
    assert_int_equal(vkrCreateRecorder(s.context, &(VkrRecorderInfo){0}, &s.recorder), VKR_SUCCESS);
    const uint32_t submits = t->recorded_only ? 0 : t->submits ? t->submits : 1;
    if (t->recorded_only)
        t->record(&s, t);
    else
        record_command_buffer(&s, t);
    for (uint32_t i = 0; i < submits; i++)
        assert_true(harness_submit(&device));
    if (t->check)
        t->check(t);
    vkrDestroyRecorder(s.recorder);
    vkrDestroyContext(s.context);
}

static void test_scenario(void **state)
{
    const scenario *t = *state;

    messages = 0;
    plants = 0;
    found = false;
    wanted = t->fault.report;
    planted = wanted ? &t->fault : NULL;
    if (wanted && !newer_layer && strstr(wanted, "WRITE-AFTER-WRITE")) {
        print_message("# the system's layer does not see this fault\n");
        skip();
    }
    run(t);
    if (wanted) {
        assert_int_not_equal(plants, 0);
        assert_true(found);
    } else {
        all_messages += messages;
        assert_int_equal(messages, 0);
    }
}

#define MAX_ROWS 100

int main(void)
{
    struct CMUnitTest tests[MAX_ROWS];

    gpu_assisted = getenv("VKR_TEST_GPUAV") != NULL;
    /* A filter selects scenarios of every tier. */
    const bool full = harness_full() || getenv("VKR_TEST_FILTER") != NULL;
    size_t count = 0;
    for (const scenario *row = gpu_assisted ? gpu_rows : sync_rows; row->name != NULL; row++)
        if (full || !row->full) {
            assert_true(count < MAX_ROWS);
            tests[count++] =
                (struct CMUnitTest){row->name, test_scenario, NULL, NULL, (void *)(uintptr_t)row};
        }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    /* The harness, which also reads the filter, is opened after the tests have begun. */
    if (getenv("VKR_TEST_FILTER") != NULL)
        cmocka_set_test_filter(getenv("VKR_TEST_FILTER"));
    return _cmocka_run_group_tests("validation", tests, count, set_up, tear_down);
}
